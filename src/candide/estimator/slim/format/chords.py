"""Chords: lines that are told by their terms at two points, or three where they have a logarithm, as tables are."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np

from candide.distributions.forms import Form, Linear, times
from candide.frozen import frozen

Array = np.ndarray[Any, Any]

FINER = 4
"""Times that terms of lines are told finer than those of tables: all numbers near a point are off as it is."""
DIGITS = 2
"""Of the outer points, which lie about where the numbers do."""


@frozen(kw_only=True)
class Chord(Form):
    """The line a + b x, or a + b x + c log x, with terms (K, P) at points (P,), P being 2 or 3.

    Terms that are off by something at the points are off by no more than 2 P − 3 times as much between them.
    """

    points: Array
    table: Array
    least: float = -np.inf
    open: bool = False
    whole: bool = False

    @property
    def line(self) -> Linear:
        """The line, solved for its numbers."""
        numbers = np.linalg.solve(basis(self.points), self.table.T)
        shared = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in {"points", "table"}}
        return Linear(
            **shared, intercept=numbers[0], slope=numbers[1], log_slope=numbers[2] if len(numbers) > 2 else None
        )

    def lifted(self, by: Array) -> Form:
        """Add to every point."""
        return replace(self, table=self.table + by[:, None])

    def scaled(self, by: float) -> Form:
        """Multiply every point."""
        return replace(self, missing=times(self.missing, by), table=times(self.table, by))

    def at(self, cells: Array) -> Array:
        """Return the lines."""
        return self.line.at(cells)

    def check(self) -> None:
        """Refuse points and terms through which there is no line."""
        if len(self.points) not in {2, 3} or not (np.diff(self.points) > 0).all():
            raise ValueError("its points are not two or three that ascend")
        if len(self.points) == 3 and not self.points[0] > 0:
            raise ValueError("its points have no logarithm")
        if not np.isfinite(self.table).all():
            raise ValueError("its terms are not finite")


def basis(points: Array) -> Array:
    """Return 1, x and log x at points (P,), as many of them as there are points."""
    return np.column_stack([np.ones(len(points)), points, *([np.log(points)] if len(points) > 2 else [])])


def chord(form: Linear, x: Array) -> Chord | None:
    """Return a line by its terms where numbers lie, and where its support begins; None where it has none of its own.

    Between the ends a and b of the numbers stands (b − a) / (log b − log a), where log x lies farthest above its chord:
    none of the three terms then counts for more than it says anywhere between, as the determinant is the largest.
    """
    numbers = [form.intercept, form.slope, *([] if form.log_slope is None else [form.log_slope])]
    x = np.clip(x[np.isfinite(x)], form.low, form.high)
    x = x[x > form.least] if form.open else x
    if not len(x) or not np.isfinite(numbers).all():
        return None
    first = x.min() if form.open or not np.isfinite(form.least) else max(form.least, form.low)
    low, high = (float(f"{end:.{DIGITS}g}") for end in (first, x.max()))
    if not low < high or (len(numbers) == 3 and not low > 0):
        return None
    middle = [(high - low) / (np.log(high) - np.log(low))] if len(numbers) == 3 else []
    points = np.array([low, *(float(f"{of:.{DIGITS + 1}g}") for of in middle), high])
    if not (np.diff(points) > 0).all():
        return None
    shared = {f.name: getattr(form, f.name) for f in fields(form) if f.name not in {"intercept", "slope", "log_slope"}}
    return Chord(**shared, points=points, table=(basis(points) @ np.array(numbers)).T)
