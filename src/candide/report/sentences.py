"""Sentences: what the facts say, in words. The page, the notebook and the terminal use the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from candide.report.numbers import amount, nats
from candide.shares import chance, share

Facts = Mapping[str, Any]

NORMAL = 1.959963984540054
"""Standard errors to both sides of a 95 per cent interval."""

SCORED = {
    "learnt": "Every row is scored by the model that did not learn it (leave-one-out; cuts and choices are kept), so "
    "nothing had to be set aside for testing.",
    "new": "The rows are new to the model: they are scored as test data.",
    "unclear": "These rows may be part of what the model has learnt, so each is scored by the model without it; say so "
    "if they are new.",
}
"""How rows were scored, by whether they were learnt."""

FLATTERED = (
    "Every row is scored by the model that did not learn it (leave-one-out), but the weights of the evidence were "
    "settled on such rows and are kept, which flatters it: candide evaluate settles them anew in folds, and tells what "
    "to expect of new rows."
)
"""How rows were scored that weights were settled on, where they are too few to be held out."""

HELD_OUT = (
    "What evidence weighs was settled on these rows, so they are held out in {} folds: each is scored by the model "
    "without its part of them, of which the distributions were chosen and the weights settled anew on the others."
)
"""How rows were scored that weights were settled on."""


def scored(p: Facts) -> str:
    """Say how the rows were scored, and of how many they are a sample."""
    among = f" They are a sample, evenly spaced, of {amount(p['among'])} rows." if "among" in p else ""
    if "folds" in p:
        return HELD_OUT.format(p["folds"]) + among
    return (FLATTERED if p.get("flattered") else SCORED[p["how"]]) + among


def method(p: Facts) -> str:
    """Return how the rows were scored, in a word or two."""
    if "folds" in p:
        return f"in {p['folds']} folds"
    if p["how"] == "new":
        return "new rows"
    return "leave-one-out, weights kept, which flatters" if p.get("flattered") else "leave-one-out"


def subtitle(facts: Facts) -> str:
    """Say what the model is, in a line.

    Examples
    --------
    >>> subtitle(
    ...     {"target": "play", "classes": ["no", "yes"], "estimator": "NaiveBayes", "rows": 14, "columns": [1] * 4}
    ... )
    'play: no or yes · NaiveBayes · 14 rows · 4 columns'
    """
    classes = facts["classes"]
    which = " or ".join(classes) if len(classes) <= 3 else f"one of {len(classes)} classes"
    target = f"{facts['target']}: " if facts["target"] else ""
    n = len(facts["columns"])
    return f"{target}{which} · {facts['estimator']} · {amount(facts['rows'])} rows · {n} column{'s' * (n != 1)}"


def ranked(facts: Facts) -> list[Facts]:
    """Return the columns and joint attributes that have a worth, most evidence first."""
    items = [item for item in [*facts["columns"], *facts["joint"]] if "alone" in item]
    return sorted(items, key=lambda item: -item["alone"]["mean"])


def clear(mean: Facts) -> bool:
    """Whether a mean is clearly not zero."""
    return bool(abs(mean["mean"]) > NORMAL * mean["error"])


def verdict(facts: Facts, strong: Callable[[str], str] = str) -> list[str]:
    """Say how good the model is, what it knows most from, and whether it is surer than it should be.

    What matters most of it goes through `strong`.
    """
    out = []
    p = facts.get("performance")
    if p is not None:
        right, guessing = in_hundred(p["accuracy"]), in_hundred(p["guessing"])
        rows = "rows" if p["how"] == "unclear" else "rows that it has not seen"
        rows = "of the rows that its weights were settled on" if p.get("flattered") else rows
        guess = facts["classes"][p["guess"]]
        out.append(
            f"It names the right class for {strong(f'{right} in 100')} {rows}; always saying “{guess}” would get "
            f"{guessing}."
        )
    telling = [item for item in ranked(facts) if clear(item["alone"]) and item["alone"]["mean"] > 0][:2]
    if telling:
        out.append(f"Most of what it knows comes from {' and '.join(strong(item['name']) for item in telling)}.")
    if p is not None:
        out.append(honesty(p, strong))
    if not out:
        out.append(
            f"It has learnt {amount(facts['rows'])} rows of {len(facts['classes'])} classes. How far to trust it shows "
            "on rows: give it a table."
        )
    return out


def in_hundred(p: float) -> str:
    """Return how many of a hundred rows; not all of them where some are missing."""
    return "more than 99" if 0.995 <= p < 1 else f"{100 * p:.0f}"


def honesty(p: Facts, strong: Callable[[str], str] = str) -> str:
    """Say whether what the model claims comes true."""
    claimed, right = chance(p["confidence"]), chance(p["accuracy"])
    low, high = p["interval"]
    if p.get("flattered") and p["confidence"] < high:
        return f"It claims {claimed}, and on new rows it is right less often than here: check it in folds."
    if p["confidence"] > high:
        return f"It is {strong('surer than it should be')}: it claims {claimed} and is right in {right}."
    if p["confidence"] < low:
        return f"It is {strong('less sure than it could be')}: it claims {claimed} and is right in {right}."
    return f"Its chances are honest on the whole: it claims {claimed} and is right in {right}."


def tiles(facts: Facts) -> list[tuple[str, str, str]]:
    """Return the figures that matter most: what, how much, and beside what."""
    p = facts.get("performance")
    if p is None:
        return []
    low, high = (chance(end) for end in p["interval"])
    out = [("Right", share(p["accuracy"]), f"{low} to {high} · guessing {share(p['guessing'], 0)}")]
    if p["log_loss"] is not None:
        removed = f"log-loss {nats(p['log_loss'])} of {nats(p['doubt'])} nats"
        out.append(("Doubt removed", share(p["doubt_removed"], 0), removed))
    if p["area"] is not None:
        asked = facts["classes"][facts["asked"]] if facts["asked"] is not None else "mean over the classes"
        area = min(p["area"], 0.999) if p["area"] < 1 else 1.0  # nearly all is not all
        out.append(("Tells them apart", f"{area:.3f}", f"area under the ROC curve, {asked}"))
    out.append(("Calibration error", share(p["calibration_error"]), "mean gap of claim and outcome"))
    return out


def worth_trying(facts: Facts) -> list[str]:
    """Return at most two pieces of advice, each where a 95 per cent interval excludes that it is chance."""
    p = facts.get("performance")
    if p is None:
        return []
    out = []
    hurting = [
        c for c in facts["columns"] if "beyond" in c and clear(c["beyond"]) and c["beyond"]["mean"] < 0
    ]  # a column that hurts beyond chance
    if hurting and len(facts["columns"]) > 1:
        worst = min(hurting, key=lambda c: c["beyond"]["mean"])
        without = worst["without"]
        out.append(
            f"leave out {worst['name']}. It repeats what other columns say; without it {share(without['accuracy'])} "
            f"are right and log-loss falls from {nats(p['log_loss'])} to {nats(without['log_loss'])}. Check it in "
            "folds: candide evaluate."
        )
    if p["confidence"] > p["interval"][1] and facts["estimator"] == "NaiveBayes":
        out.append("TunedNB: columns that repeat each other make it too sure, and weighing them mends most of that.")
    return out


STRUCTURES = {
    "TreeAugmentedNB": "Each column depends on the class and on at most one other column; given these, columns are "
    "taken as independent.",
    "AveragedOneDependence": "The mean of models in each of which all columns depend on the class and on one and the "
    "same other column.",
    "BayesNetwork": "Each column depends on its parents in the network alone.",
}
"""What is multiplied, where it is not each column's own evidence."""


def rules(facts: Facts) -> list[str]:
    """Say by what rules the model was made."""
    how = {
        "product": "Each cell multiplies the odds by how much more often it occurs in one class than in the other; "
        "columns are taken as independent given the class.",
        "sum": "The probabilities of the cells are added up, and weighed by how frequent the class is.",
        "robust": "The probabilities of the cells are multiplied; where every class is impossible, the one with the "
        "fewest impossible cells for its size is taken.",
        "outlier": "The probabilities of the cells are multiplied, each mixed with what the cell looks like in all.",
    }
    what = STRUCTURES.get(facts["estimator"], how.get(facts["combination"], f"Combination: {facts['combination']}."))
    out = [what, f"Smoothing: {facts['smoothing']}."]
    if "weighed_on" in facts:
        what = "A column's" if any(column["kind"] != "words" for column in facts["columns"]) else "A word's"
        out.insert(1, f"{what} evidence counts by its weight, settled on {amount(facts['weighed_on'])} rows.")
    missing = "A missing cell is a level of its own" if facts["missing"] == "level" else "A missing cell says nothing"
    unseen = "a level never seen is an error" if facts["unseen"] == "error" else "a level never seen says nothing"
    return [*out, f"{missing}; {unseen}.", *([private(facts["privacy"])] if "privacy" in facts else [])]


def private(told: Facts) -> str:
    """Say what was promised to the rows of a private model."""
    releases = f", {len(told['releases'])} releases" if len(told["releases"]) > 1 else ""
    more = " Rows were added to it without noise, to which nothing is promised." if told["rows_without_noise"] else ""
    return f"Private with epsilon {told['epsilon']:g} ({told['neighbours']}{releases}): its counts have noise.{more}"


def moved(facts: Facts) -> str:
    """Say what has moved since the older model: the classes, and the answers."""
    drift = facts["drift"]
    before, after = drift["prior"]["before"], drift["prior"]["after"]
    asked = facts["asked"]
    name = facts["classes"][asked] if asked is not None else None
    place = drift["classes"].index(name) if name in drift["classes"] else None
    if place is None:
        place = max(range(len(after)), key=lambda c: abs(after[c] - before[c]))
    out = f"“{drift['classes'][place]}” went from {chance(before[place])} to {chance(after[place])} of rows."
    answers = drift.get("answers")
    if answers is not None:
        older, newer = answers["older"], answers["newer"]
        out += (
            f" On the newer {amount(answers['rows'])} rows the older model is right in {share(older['accuracy'])} and "
            f"the newer in {share(newer['accuracy'])} (log-loss {nats(older['log_loss'])} against "
            f"{nats(newer['log_loss'])}); they disagree on {100 * answers['disagree']:.0f} of 100 rows."
        )
        if answers["left_out"]:
            out += " Each row is left out of the newer model alone: what the older has learnt of them flatters it."
    return out


GLOSSARY = {
    "chance": "how probable a class is, given what is known; 95 % would be right in 95 of 100 such rows, if honest",
    "odds": "the chance of a class against that of its rival: 75 % against 25 % is odds of 3",
    "factor": "what a cell does to the odds: ×2 doubles them, ÷2 halves them",
    "points": "the same as a sum: ten points double the odds, twenty make them four times as large",
    "doubt": "how uncertain the class is, in nats (the entropy, or log-loss); a column settles a share of it",
    "alone": "what a column settles by itself",
    "beyond": "what is settled less when a column is taken away from the others; below zero it repeats them",
    "left out": "a row is scored by the model without it, exactly, since the model is a sum of rows",
    "rival": "the likeliest class besides the one asked about",
    "credible": "where the chance lies with 95 %, as far as the number of rows tells; it does not doubt the rules",
}
"""Ten words of the page."""
