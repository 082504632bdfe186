"""Displays in a notebook: a fitted model, an explanation and an evaluation, as tables that need nothing else."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from candide.report import sentences
from candide.report.extremes import extremes, sides
from candide.report.numbers import amount, factor, nats, number, short, value_name
from candide.report.tags import BLUE, GREY, ORANGE, bar, bold, folded, paragraph, table, together
from candide.shares import chance, share

Facts = Mapping[str, Any]

MOST_COLUMNS = 20
MOST_CLASSES = 12
MOST_ROWS = 3
WIDE = 100.0
"""Pixels of the longest bar."""
TAKEN = {"levels": "levels", "bins": "numbers in intervals", "density": "numbers", "words": "documents", "untold": ""}


def model_html(facts: Facts) -> str:
    """Return what a model has learnt: its classes, and its columns by what they tell."""
    n = len(facts["columns"])
    target = f" of {facts['target']}" if facts["target"] else ""
    columns = f"{n} column{'s' * (n != 1)}"
    head = paragraph(
        bold(facts["estimator"]),
        f"{target}: {amount(facts['rows'])} rows, {columns}, {len(facts['classes'])} classes".lstrip(),
    )
    rules = folded("rules", "".join(paragraph(rule) for rule in [*sentences.rules(facts), *facts["left_out"]]))
    return head + classes_table(facts) + columns_table(facts) + rules


def unserved_html(name: str, error: Exception) -> str:
    """Return why nothing can be shown of a model."""
    return paragraph(bold(name), f"cannot be estimated now: {error}")


def classes_table(facts: Facts) -> str:
    """Return the classes, how often they occur and their prior."""
    asked, rival = sides(facts)
    prior = [0.0 if x is None else math.exp(x) for x in facts["prior"]["log"]]
    order = sorted(range(len(prior)), key=lambda c: -prior[c])[:MOST_CLASSES]
    colour = {asked: BLUE, rival: ORANGE}
    rows: list[list[Any]] = [
        [short(facts["classes"][c], 40), amount(facts["counts"][c]), share(prior[c]),
         bar(WIDE * prior[c] / max(prior), colour.get(c, GREY))]
        for c in order
    ]  # fmt: skip
    if len(prior) > len(order):
        rows.append([f"{len(prior) - len(order)} more", "", "", ""])
    return table(["class", "rows", "prior", ""], rows, left=(0, 3))


def columns_table(facts: Facts) -> str:
    """Return the columns, those that tell most first, with what says most for either side."""
    asked, rival = sides(facts)
    a, r = (short(facts["classes"][c], 18) for c in (asked, rival))
    columns = sorted(facts["columns"], key=lambda c: -c.get("alone", {"mean": 0.0})["mean"])
    rows: list[list[Any]] = []
    for column in columns[:MOST_COLUMNS]:
        most = extremes(column, asked, rival)
        both: list[Any] = [said(*most[0]), said(*most[1])] if most else [words(column, asked), words(column, rival)]
        missing = amount(column["missing"]) if column["missing"] else "–"
        rows.append([short(column["name"], 40), TAKEN[column["kind"]], values(column), missing, *both])
    if len(columns) > MOST_COLUMNS:
        rows.append([f"{len(columns) - MOST_COLUMNS} more", "", "", "", "", ""])
    return table(
        ["column", "taken as", "values", "missing", f"most for {a}", f"most for {r}"], rows, left=(0, 1, 2, 4, 5)
    )


def values(column: Facts) -> str:
    """Say which values a column has."""
    kind = column["kind"]
    if kind == "words":
        return f"{amount(column['vocabulary'])} words"
    if kind == "density":
        return " to ".join(value_name(column, end, 4) for end in column["range"])
    n = len(column.get("levels", ()))
    return f"{n} {'intervals' if kind == 'bins' else 'levels'}" if n else ""


def said(cell: str, log_odds: float) -> Any:
    """Return a cell with its factor and a bar."""
    width = 8.0 * min(abs(log_odds) / math.log(2.0), 8.0)
    return together(bar(width, BLUE if log_odds >= 0 else ORANGE), short(cell), factor(log_odds))


def words(column: Facts, c: int) -> str:
    """Return the words that speak most for a class, of a column of documents."""
    told = column.get("words") or []
    return ", ".join(word["word"] for word in told[c][:5]) if told else ""


def explanation_html(explanation: Any) -> str:
    """Return why rows were decided as they were: the first three, and how many more there are."""
    if explanation.additive != "log":
        return f"<pre>{together(str(explanation))}</pre>"
    shown = "".join(row_html(explanation, row) for row in range(min(len(explanation), MOST_ROWS)))
    rest = len(explanation) - MOST_ROWS
    return shown + (paragraph(f"{rest} more row{'s' * (rest > 1)}") if rest > 0 else "")


def row_html(explanation: Any, row: int) -> str:
    """Return one row's evidence: what each cell does to the odds, and the chance after it."""
    c, rival = explanation.pair(row)
    p = explanation.posterior[row]
    label = str(explanation.classes[c])
    if rival is None:
        return paragraph(bold(label))
    told = explanation.weights(row)
    silent = [str(name) for name, _, said in told if said == 0]
    speaks = [(str(name), cell(value), said) for name, value, said in told if said != 0]
    steps, more = speaks[:MOST_COLUMNS], speaks[MOST_COLUMNS:]
    if more:
        steps.append((f"{len(more)} more", "", sum(said for *_, said in more)))
    start = float(explanation.prior[c] - explanation.prior[rival])
    return headline(explanation, row, c, rival, label, p) + steps_table(steps, silent, start, label)


def headline(explanation: Any, row: int, c: int, rival: int, label: str, p: Any) -> str:
    """Return the decision, its chance, its rival and where the chance lies."""
    range_ = explanation.interval(row)
    credible = "" if range_ is None else f"; {chance(range_[c, 0])} to {chance(range_[c, 1])} is credible"
    return paragraph(bold(label), f"{chance(p[c])} against {explanation.classes[rival]}, {chance(p[rival])}{credible}")


def cell(value: Any) -> str:
    """Return a cell as it is read."""
    return "missing" if value is None else number(value, 6)


def steps_table(steps: list[tuple[str, str, float]], silent: list[str], start: float, label: str) -> str:
    """Return the evidence on one axis of log-odds, from the prior to the answer."""
    ends = np.cumsum([start, *(max(-30.0, min(30.0, by)) for _, _, by in steps)])
    low, high = float(ends.min()), float(ends.max())
    unit = 220.0 / max(high - low, 1e-9)

    def step(i: int, name: str, said: str, by: float) -> list[Any]:
        a, b = sorted((ends[i], ends[i + 1]))
        drawn = bar((b - a) * unit, BLUE if by > 0 else ORANGE, (a - low) * unit)
        return [short(name, 40), short(said, 30), factor(by), drawn, chance(1 / (1 + math.exp(-ends[i + 1])))]

    rows: list[list[Any]] = [
        ["before anything", "", "", bar(3, GREY, (start - low) * unit), chance(1 / (1 + math.exp(-start)))]
    ]
    rows += [step(i, *each) for i, each in enumerate(steps)]
    if silent:
        rows.append([short(", ".join(silent), 60), "says nothing", "×1", "", rows[-1][4]])
    return table(["column", "cell", f"odds of {short(label, 18)}", "", "chance after it"], rows, left=(0, 1, 3))


def performance_html(facts: Facts, classes: list[str], asked: int | None, how: str) -> str:
    """Return how well a model does: a line, the confusion, and whether its chances come true."""
    low, high = map(chance, facts["interval"])
    guess = f"always “{classes[facts['guess']]}” gets {share(facts['guessing'], 0)}"
    area = "" if facts["area"] is None else f" · area {facts['area']:.3f}"
    line = (
        f"({low} to {high}; {guess}) · log-loss {nats(facts['log_loss'])} of {nats(facts['doubt'])}{area} · {how}, "
        f"{amount(facts['rows'])} rows"
    )
    out = paragraph(bold(f"{share(facts['accuracy'])} right"), line)
    return out + confusion_table(facts, classes, asked) + reliability_table(facts, classes, asked)


def confusion_table(facts: Facts, classes: list[str], asked: int | None) -> str:
    """Return what was and what was said, and how much of each class was found."""
    if len(classes) > MOST_CLASSES:
        return ""
    order = [asked, *(c for c in range(len(classes)) if c != asked)] if asked is not None else range(len(classes))
    rows: list[list[Any]] = []
    for c in order:
        counts = facts["confusion"][c]
        found = counts[c] / max(sum(counts), 1e-300)
        colour = BLUE if c == asked or asked is None else ORANGE
        rows.append([f"was {short(classes[c])}", *(amount(counts[d]) for d in order), share(found, 0),
                     bar(WIDE * found, colour)])  # fmt: skip
    heads = ["", *(f"said {short(classes[d])}" for d in order), "found", ""]
    return table(heads, rows, left=(0, len(heads) - 1))


def reliability_table(facts: Facts, classes: list[str], asked: int | None) -> str:
    """Return what was claimed and what came true; where the interval misses the claim, it is said again."""
    found = facts["answers"] if asked is None else facts["classes"][asked]
    what = "how sure it was" if asked is None else f"chance of {short(classes[asked])} it gave"
    rows: list[list[Any]] = []
    for b in found["reliability"]:
        low, high = b["interval"]
        off = not low <= b["claimed"] <= high
        drawn = together(bar(WIDE * (high - low), GREY, WIDE * low), f"← claims {chance(b['claimed'])}" if off else "")
        came = f"{chance(low)} to {chance(high)}"
        rows.append([chance(b["claimed"]), amount(b["rows"]), chance(b["came_true"]), came, drawn])
    return table([what, "rows", "came true", "95 % interval", ""], rows, left=(4,))
