"""candide explain: why a row got its label."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import click

from candide.cli.failures import BadInput
from candide.cli.options import model_argument, reading_options, table_argument
from candide.sources.base import Reading

MOST_CLASSES = 5


@click.command(short_help="Explain the decision on one row.")
@model_argument
@table_argument
@click.option(
    "--row",
    "-r",
    metavar="N",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Which row to explain, counted from 0.",
)
@click.option(
    "--top",
    metavar="N",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="How many columns to show, those that tell the classes apart most.",
)
@click.option("--all-classes", is_flag=True, help=f"Show every class, not only the {MOST_CLASSES} most probable.")
@click.option("--lines", is_flag=True, help="TABLE is plain text, a document a line, of which --row tells one.")
@reading_options
def explain(model_file: str, table: str, row: int, top: int, all_classes: bool, lines: bool, reading: Reading) -> None:
    """Explain the decision on one row of TABLE: what the prior and each column add to the score of each class.

    \b
    candide explain desk.json new.csv --row 3
    echo "my bike was stolen" | candide explain desk.json - --lines
    """  # noqa: D301  # fmt: skip
    from candide.cli.lines import check_documents, check_options, read_line, telling_of_lines
    from candide.cli.models import check_inputs, learnt_schema, load_whole
    from candide.cli.tables import open_tables
    from candide.progress import working
    from candide.sources.typing import has_names, make_array, make_frame

    if lines:
        check_options(reading)
    check_inputs(model_file, table)
    model = load_whole(model_file)
    if lines:
        check_documents(model)
        show_explanation(model.explain(read_line(model, table, row, reading)), row, top, all_classes)
        return
    known = learnt_schema(model)
    source = open_tables([table], reading)
    with working(f"looking for row {row}") as source.done, telling_of_lines(model):
        typed = read_row(source, row, known)
    explanation = model.explain(make_frame(typed) if has_names(known) else make_array(typed))
    show_explanation(explanation, row, top, all_classes)


def read_row(source: Any, row: int, known: Any) -> Any:
    """Return the cells of one row, typed as a schema has its columns; what comes behind is not read."""
    rows = 0
    for batch in source.raw_for(known, known.used_names):
        rows = batch.start + batch.n_rows
        if row < rows:
            return source.typed(batch.rows(row - batch.start, 1), known, known.used_names)
    if not rows:
        raise BadInput(f"{source.name} has no rows to explain")
    raise BadInput(f"{source.name} has {rows} row{'s' * (rows != 1)}: there is no row {row} (the first is row 0)")


def show_explanation(explanation: Any, row: int, top: int, all_classes: bool = False) -> None:
    """Show what adds up to the scores of the first row of an explanation, and what was decided.

    Parameters
    ----------
    explanation : Explanation
    row : int
        What to call the row.
    top : int
        How many attributes to show.
    all_classes : bool
    """
    import numpy as np

    from candide.cli.screens import say, show_table

    posterior = explanation.posterior[0]
    order = np.argsort(-posterior, kind="stable")
    shown = order if all_classes else order[:MOST_CLASSES]
    decided = explanation.classes.tolist().index(explanation.decisions[0])
    logs = explanation.additive == "log"
    say(f"row {row}: {headline(explanation, decided)}", bold=True)
    if logs:
        show_evidence(explanation, top)
    labels = [str(explanation.classes[c]) for c in shown]
    lines = sum_lines(explanation, shown, top)
    lines.append(["probability", "", *(f"{posterior[c]:.4g}" for c in shown)])
    show_table(f"score = {explanation.summed}", ["column", "cell", *labels], lines, foot=2)
    for remark in remarks(explanation, len(shown)):
        say(remark)


def headline(explanation: Any, decided: int) -> str:
    """Say what was decided, against which class, and where the chance lies."""
    from candide.shares import chance

    _, rival = explanation.pair(0)
    posterior, credible = explanation.posterior[0], explanation.interval(0)
    said = f"{explanation.classes[decided]}, {chance(posterior[decided])}"
    if rival is not None:
        said += f" against {explanation.classes[rival]}, {chance(posterior[rival])}"
    if credible is not None:
        said += "; {} to {} is credible".format(*map(chance, credible[decided]))
    return said


def show_evidence(explanation: Any, top: int) -> None:
    """Show what each cell does to the odds of the decision against its rival, and the chance after it."""
    import numpy as np

    from candide.cli.screens import cell, show_table
    from candide.report.numbers import factor, points
    from candide.shares import chance

    c, rival = explanation.pair(0)
    if rival is None:
        return
    told = explanation.weights(0)
    odds = float(explanation.prior[c] - explanation.prior[rival])
    after = [chance(1 / (1 + math.exp(-max(min(odds, 700.0), -700.0))))]
    lines: list[list[Any]] = [["before anything", "", "", "", after[0]]]
    silent = [str(name) for name, _, said in told if said == 0]
    speaks = [(str(name), value, said) for name, value, said in told if said != 0]
    parts = speaks[:top]
    if speaks[top:]:
        parts.append((f"{len(speaks) - top} more", "", sum(said for *_, said in speaks[top:])))
    for name, value, by in parts:
        odds += float(np.clip(by, -700, 700))
        share = chance(1 / (1 + math.exp(-max(min(odds, 700.0), -700.0))))
        lines.append([name, "(missing)" if value is None else cell(value, 6), factor(by), points(by), share])
    if silent:
        names = ", ".join(silent[:4]) + (" ..." if len(silent) > 4 else "")
        lines.append([names, "says nothing" if len(silent) == 1 else "say nothing", "×1", "0", ""])
    title = f"odds of {explanation.classes[c]} against {explanation.classes[rival]}; ten points double them"
    show_table(title, ["column", "cell", "factor", "points", "chance after it"], lines)


def sum_lines(explanation: Any, shown: Any, top: int) -> list[list[Any]]:
    """Return what is added up, line by line, and the score that it gives, for the classes shown."""
    from candide.cli.screens import cell

    def line(name: str, value: Any, numbers: Any) -> list[Any]:
        return [name, cell(value, 6) if value is not None else "", *(f"{numbers[c]:.3f}" for c in shown)]

    told = explanation.strongest(0)
    lines = [line("prior", None, explanation.prior)] if explanation.additive == "log" else []
    for name, value, terms in zip(told.names[:top], told.cells, told.terms, strict=False):
        lines.append(line(str(name), "(missing)" if value is None else value, terms))
    if told.names[top:]:
        lines.append(line(f"{len(told.names) - top} more", None, told.terms[top:].sum(axis=0)))
    lines += [line(what, None, numbers) for what, numbers in explanation.counted_zeros(0)]
    return [*lines, line("score", None, explanation.scores[0])]


def remarks(explanation: Any, n_shown: int) -> Iterator[str]:
    """Yield what the table does not say: how an impossible row was decided, and which classes are left out."""
    if explanation.counted_zeros(0):
        yield "the row is impossible under every class: the least n / P(class) decided, n columns excluding a class"
    elif (explanation.scores[0] == -math.inf).all():
        yield "the row is impossible under every class: the rule for such rows decided"
    if n_shown < len(explanation.classes):
        n = len(explanation.classes) - n_shown
        less = "one less probable class is" if n == 1 else f"{n} less probable classes are"
        yield f"{less} not shown; --all-classes shows {'it' if n == 1 else 'them'}"
