"""Inputs: how a column is asked for, by its levels, by intervals of numbers or by a number, from the model's forms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any, Literal

import numpy as np

from candide.distributions.discrete import told_apart
from candide.distributions.forms import Form, Lookup, Steps
from candide.frozen import frozen
from candide.report.numbers import interval_names, number
from candide.statistics.evidence import Evidence

Array = np.ndarray[Any, Any]
AskedAs = Literal["levels", "bins", "density", "words", "untold"]

FINE = 20
"""Intervals from which on a column is asked for by its number, and drawn as a density is."""
GRID = 129
"""Points at which a density is drawn."""
DEVIATIONS = 3.0
"""How far a density is drawn where only moments are known, in standard deviations."""


@frozen
class Input:
    """One column as it is asked for.

    Parameters
    ----------
    kind : "levels", "bins", "density", "words" or "untold"
        "untold": no table tells what it says.
    cells : list
        A cell for each level or interval, or the numbers at which a density is drawn.
    levels : list of str
        What levels and intervals are called.
    cuts : ndarray or None
        The cuts of a column of numbers in intervals.
    forms : list of Form
        Those that read this column alone; what it says is their sum.
    missing : bool
        Whether the last cell is the missing one, as a level of its own.
    reach : (float, float)
        From where to where a column of numbers goes.
    measure : str
        What the numbers are, where it is more than a number: a day, a month.
    """

    kind: AskedAs
    cells: list[Any]
    levels: list[str] = field(default_factory=list)
    cuts: Array | None = None
    forms: list[Form] = field(default_factory=list)
    missing: bool = False
    reach: tuple[float, float] = (0.0, 0.0)
    measure: str = ""

    @property
    def stepped(self) -> bool:
        """Whether it is drawn as a density and is a table by intervals."""
        return self.kind == "density" and self.cuts is not None


def make_input(
    evidence: Evidence, position: int, own: list[Form], joint: Sequence[Array | None], measure: str = ""
) -> Input:
    """Return how a column is asked for.

    Parameters
    ----------
    evidence : Evidence
    position : int
    own : list of Form
        The forms that read this column alone.
    joint : sequence of cuts or None
        How forms of several columns read it: by cuts, or by levels.
    measure : str
        What its numbers are.
    """
    column = evidence.schema.columns[position]
    if column.kind == "bags":
        return Input("words", [])
    if not own and not joint:
        return Input("untold", [])
    level = any(np.any(form.missing) for form in own)
    cut = [form.cuts for form in own if isinstance(form, Steps)] + [cuts for cuts in joint if cuts is not None]
    if any(not isinstance(form, (Lookup, Steps)) for form in own):
        low, high = reach(evidence, position, own)
        return Input("density", np.linspace(low, high, GRID).tolist(), forms=own, reach=(low, high), measure=measure)
    if cut:
        cuts = np.unique(np.concatenate(cut))
        if len(cuts) < FINE:
            cells, names = between(cuts), interval_names(cuts, whole_numbers(evidence, position), measure)
            return Input("bins", *with_missing(cells, names, level), cuts, own, level, measure=measure)
        low, high = reach(evidence, position, own)
        edges = np.concatenate([[min(low, cuts[0])], cuts, [max(high, cuts[-1])]])
        ends = (float(edges[0]), float(edges[-1]))
        return Input("density", ((edges[:-1] + edges[1:]) / 2).tolist(), [], cuts, own, reach=ends, measure=measure)
    levels = next((form.levels for form in own if isinstance(form, Lookup)), column.levels)
    cells = [] if levels is None else levels.tolist()
    return Input(
        "levels", *with_missing(cells, told_apart([number(cell, 6) for cell in cells]), level), None, own, level
    )


def whole_numbers(evidence: Evidence, position: int) -> bool:
    """Whether all numbers that were seen of a column are whole; not so where their values were not kept."""
    seen = evidence.seen(position)
    return len(seen) > 0 and bool((seen == np.floor(seen)).all())


def with_missing(cells: list[Any], names: list[str], level: bool) -> tuple[list[Any], list[str]]:
    """Return cells and their names, with the missing cell where it is a level of its own."""
    return ([*cells, None], told_apart([*names, "missing"])) if level else (cells, names)


def between(cuts: Array) -> list[float]:
    """Return a number of each interval (a, b] between cuts."""
    return [*cuts.tolist(), float(np.nextafter(cuts[-1], np.inf))] if len(cuts) else [0.0]


def reach(evidence: Evidence, position: int, forms: Sequence[Form]) -> tuple[float, float]:
    """Return from where to where a column of numbers was seen; about, where only moments were kept."""
    column = evidence.schema.columns[position]
    if column.axis is not None:
        seen = evidence.seen(position)
        if len(seen):
            return float(seen[0]), float(seen[-1]) if seen[-1] > seen[0] else float(seen[0]) + 1.0
        return 0.0, 1.0
    if "moments" in column.keeps:
        x = evidence.moments(np.array([position])).pooled()
        middle, spread = float(x.mean[0]), DEVIATIONS * float(np.sqrt(x.var[0])) or 1.0
    else:
        total, known = evidence.totals(np.array([position]))
        middle = float(total.sum() / max(float(known.sum()), 1.0))
        spread = DEVIATIONS * float(np.sqrt(middle)) + 1.0
    low, high = middle - spread, middle + spread
    impossible = all(not np.isfinite(form.at(np.array([low], dtype=object))).any() for form in forms) and bool(forms)
    return (min(0.0, middle) if low < 0 else low) if impossible else low, high
