"""Answers: the cells that an unknown column may turn out to hold, few enough to score each of them.

The levels of a column of symbols; a number of every interval of a column that is cut; whole numbers where only those
occur; and for a density points along it, each with the width it stands for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.distributions.base import Distribution
from candide.distributions.blocks import Block
from candide.distributions.clamped import Clamped
from candide.distributions.forms import Form, Lookup, Steps
from candide.frozen import frozen
from candide.model.model import Model
from candide.schema.cells import Levels
from candide.schema.lattice import Grid
from candide.schema.schema import Schema
from candide.statistics.request import BINARY, WHOLE

Array = np.ndarray[Any, Any]

POINTS = 2048
"""Points along a density, shared by the classes."""
TAIL = 2.0 ** np.arange(-20, 5)
"""How far the points reach beyond the numbers drawn, in widths of these: close by at first."""


@frozen
class AnswerCells:
    """The cells that a column may turn out to hold.

    Parameters
    ----------
    cells : ndarray (V,)
        Levels (objects), or numbers.
    width : ndarray (V,) or None
        What each number stands for of a density; None where the cells have probabilities themselves.
    """

    cells: Array
    width: Array | None = None

    def __len__(self) -> int:
        return len(self.cells)


def answers(model: Model, schema: Schema) -> dict[int, AnswerCells]:
    """Return the answers of every column that can be asked for, by position.

    Documents cannot, and counts of an urn cannot either: how many there are of one thing says nothing of the class
    before it is known how many there are of all.
    """
    cuts = cuts_by_column(model)
    out: dict[int, AnswerCells] = {}
    for j, (column, rule) in enumerate(zip(schema.columns, model.settled.distributions, strict=True)):
        if column.blank or column.kind == "bags" or ("totals" in rule.needs and not rule.discrete):
            continue
        if rule.support == BINARY:
            found = AnswerCells(np.array([0.0, 1.0]))
        elif isinstance(column.axis, Levels):
            found = AnswerCells(column.axis.levels)
        elif isinstance(column.axis, Grid) or j in cuts:
            found = AnswerCells(one_of_each(column.axis.edges if isinstance(column.axis, Grid) else cuts[j]))
        else:
            found = along(model, j, rule)
        if len(found):
            out[j] = found
    return out


def cuts_by_column(model: Model) -> dict[int, Array]:
    """Return where columns of numbers are cut, by position, of those that are told in steps alone."""
    found: dict[int, list[Array | None]] = {}
    for form in model.forms_told:
        for j, cut in zip(form.columns, cuts_of(form), strict=True):
            found.setdefault(j, []).append(cut)
    return {
        j: np.unique(np.concatenate(parts))  # type: ignore[arg-type]  # none of them is None here
        for j, parts in found.items()
        if all(part is not None for part in parts)
    }


def cuts_of(form: Form) -> tuple[Array | None, ...]:
    """Return the cuts of each column of a form; None where it is not told in steps."""
    if isinstance(form, Steps):
        return (form.cuts,)
    if isinstance(form, Lookup) and form.cuts:
        return form.cuts
    return (None,) * len(form.columns)


def one_of_each(cuts: Array) -> Array:
    """Return a number of each interval (a, b] between cuts.

    Examples
    --------
    >>> one_of_each(np.array([1.0, 3.0])).tolist()
    [1.0, 3.0, 6.0]
    """
    return np.append(cuts, cuts[-1] + max(1.0, abs(cuts[-1]))) if len(cuts) else np.zeros(1)


def along(model: Model, j: int, rule: Distribution) -> AnswerCells:
    """Return points along a density, close together where its classes have their numbers.

    They are drawn from each class, always in the same way, and a few lie beyond them, where the density is asked there:
    each stands for half of the way to its neighbours (the trapezoidal rule).
    """
    whole = rule.support == WHOLE
    k = len(model.classes)
    each = max(1, POINTS // k)
    rng = np.random.default_rng(0)
    drawn = [block.sample(rng, np.repeat(np.arange(k), each))[j] for block in blocks_of(model, j)]
    x = np.unique(np.concatenate([np.zeros(0), *drawn]).astype(float))
    x = x[np.isfinite(x)]
    if len(x) < 2:
        return AnswerCells(x if whole else np.zeros(0))
    if whole:
        return AnswerCells(np.arange(0.0, x[-1] + 1) if x[-1] < POINTS else x)
    if isinstance(rule, Clamped):
        x = np.unique(np.clip(x, rule.low, rule.high))
    else:
        reach = (x[-1] - x[0]) * TAIL
        x = np.concatenate([x[0] - reach[::-1], x, x[-1] + reach])
    width = np.diff(x, prepend=x[0], append=x[-1])
    return AnswerCells(x, (width[:-1] + width[1:]) / 2.0)


def blocks_of(model: Model, j: int) -> list[Block]:
    """Return the block that a column belongs to."""
    return [block for block in model.blocks if any(j in block.columns(i) for i in range(len(block.names)))][:1]
