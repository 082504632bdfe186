"""Forms: an attribute told in tables, for those who score without this library (SQL, ONNX, PMML) and for pictures.

A form gives log P(x | c) up to a term that is the same for every class; minus infinity where x is impossible.
`missing` is what a missing cell adds; a level that a form does not list adds nothing, unless it says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from candide.frozen import frozen
from candide.table.objects import is_missing

Array = np.ndarray[Any, Any]


@frozen(kw_only=True)
class Form:
    """One attribute in tables.

    Parameters
    ----------
    columns : tuple of int
        The positions of the columns that it is read from.
    missing : ndarray (K,)
        What a missing cell adds.
    """

    columns: tuple[int, ...]
    missing: Array
    low: float = -np.inf
    """Smaller numbers count as this one."""
    high: float = np.inf
    """Larger numbers count as this one."""
    outliers: float = 0.0
    """Share of the cells that are outliers, drawn by any class: whoever scores mixes the terms so, by the prior."""

    def within(self, low: float, high: float) -> Form:
        """Return the form of numbers that are cut off below and above."""
        return replace(self, low=low, high=high)

    def clipped(self, cells: Array) -> Array:
        """Return numbers, cut off."""
        return np.asarray(np.clip(cells.astype(float), self.low, self.high))

    def at(self, cells: Array) -> Array:
        """Return the terms (rows, K) of known cells."""
        raise NotImplementedError

    def lifted(self, by: Array) -> Form:
        """Return the form with a number (K,) added to every known cell."""
        raise NotImplementedError

    def scaled(self, by: float) -> Form:
        """Return the form with its terms multiplied; what is impossible stays so, unless it is not to count at all."""
        raise NotImplementedError

    def __call__(self, cells: Array) -> Array:
        """Return the terms (rows, K) of cells, missing ones among them (None or NaN)."""
        numbers = cells.dtype.kind in "fiu"
        absent = np.isnan(cells) if numbers else np.array([is_missing(cell) for cell in cells.tolist()], dtype=bool)
        out = np.tile(np.asarray(self.missing, dtype=float), (len(cells), 1))
        if not absent.all():
            out[~absent] = self.at(cells[~absent])
        return out


@frozen(kw_only=True)
class Lookup(Form):
    """A term for every level: table (K, levels).

    The levels of a joined attribute are tuples: None stands for a missing cell, and the number of its interval (a, b]
    for a number of a column that has cuts.
    """

    levels: Array
    table: Array
    unseen: float = 0.0
    """What a level adds that is not listed."""
    cuts: tuple[Array | None, ...] = ()
    """The cuts of each column of a joined attribute; None for a column of symbols."""
    domains: tuple[Array | None, ...] = ()
    """The levels of each column of a joined attribute: a level outside of them counts as missing; None: any."""
    partly: tuple[Array, Array] | None = None
    """Levels of a joined attribute that is known in part, and their table: what is unknown is summed out."""

    def lifted(self, by: Array) -> Form:
        """Add to every entry."""
        partly = None if self.partly is None else (self.partly[0], self.partly[1] + by[:, None])
        return replace(self, table=self.table + by[:, None], partly=partly)

    @property
    def entries(self) -> tuple[list[Any], Array]:
        """All levels, those known in part among them, and their terms (K, levels)."""
        if self.partly is None:
            return self.levels.tolist(), self.table
        levels, table = self.partly
        return [*self.levels.tolist(), *levels.tolist()], np.concatenate([self.table, table], axis=1)

    def scaled(self, by: float) -> Form:
        """Multiply every entry."""
        missing, table = times(self.missing, by), times(self.table, by)
        return replace(self, missing=missing, table=table, unseen=float(times(np.array(self.unseen), by)))

    def at(self, cells: Array) -> Array:
        """Look the levels up."""
        levels, table = self.entries
        place = {level: v for v, level in enumerate(levels)}
        wanted = joined_levels(cells.tolist(), self.cuts, self.domains) if self.cuts else cells.tolist()
        codes = np.array([place.get(level, -1) for level in wanted], dtype=np.int64)
        rows = np.vstack([table.T, np.full(len(table), self.unseen)])  # -1 finds the last
        return np.asarray(rows[codes])


Domains = tuple[Array | None, ...]


def joined_levels(cells: Sequence[Sequence[Any]], cuts: Domains, domains: Domains = ()) -> list[tuple[Any, ...]]:
    """Return the levels of a joined attribute that cells make: tuples, as those of a `Lookup`."""
    known = domains or (None,) * len(cuts)
    parts = zip(*cells, strict=True)  # column by column
    columns = [part_levels(part, *of) for part, *of in zip(parts, cuts, known, strict=True)]
    return list(zip(*columns, strict=True))


def part_levels(cells: Sequence[Any], cuts: Array | None, domain: Array | None) -> list[Any]:
    """Return the levels of one column's cells in a joined attribute: None where missing or outside of the domain."""
    if domain is not None:
        levels = set(domain.tolist())
        cells = [cell if cell in levels else None for cell in cells]
    absent = [is_missing(cell) for cell in cells]
    if cuts is not None:
        numbers = [np.nan if gone else cell for cell, gone in zip(cells, absent, strict=True)]
        cells = np.searchsorted(cuts, np.array(numbers, dtype=float), side="left").tolist()
    return [None if gone else cell for cell, gone in zip(cells, absent, strict=True)]


@frozen(kw_only=True)
class Steps(Form):
    """A term for every interval (a, b] between cuts, open at both ends: table (K, cuts + 1)."""

    cuts: Array
    table: Array

    def lifted(self, by: Array) -> Form:
        """Add to every entry."""
        return replace(self, table=self.table + by[:, None])

    def scaled(self, by: float) -> Form:
        """Multiply every entry."""
        return replace(self, missing=times(self.missing, by), table=times(self.table, by))

    def at(self, cells: Array) -> Array:
        """Find the intervals; where there is one, any cell is in it."""
        if not len(self.cuts):
            return np.repeat(self.table.T, len(cells), axis=0)
        out: Array = self.table.T[np.searchsorted(self.cuts, cells.astype(float), side="left")]
        return out


@frozen(kw_only=True)
class Quadratic(Form):
    """height − (t − mean)² / (2 var) with t = x, or t = log x for positive x."""

    height: Array
    mean: Array
    var: Array
    logarithm: bool = False

    def lifted(self, by: Array) -> Form:
        """Add to every entry."""
        return replace(self, height=self.height + by)

    def scaled(self, by: float) -> Form:
        """Multiply the parabola."""
        if by == 0:
            return nothing(self.columns, len(self.missing))
        return replace(self, missing=times(self.missing, by), height=self.height * by, var=self.var / by)

    def at(self, cells: Array) -> Array:
        """Return the parabolas; minus infinity where there is no logarithm."""
        x = self.clipped(cells)[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.log(x) if self.logarithm else x
            out = self.height - (t - self.mean) ** 2 / (2 * self.var)
        return np.where(np.isnan(out), -np.inf, out)


@frozen(kw_only=True)
class Linear(Form):
    """intercept + slope x + log_slope log x for x of at least `least`; minus infinity below, and 0 · infinity = 0."""

    intercept: Array
    slope: Array
    log_slope: Array | None = None
    least: float = -np.inf
    open: bool = False
    """Whether `least` itself lies outside."""
    whole: bool = False
    """Whether numbers that are not whole lie outside."""

    def lifted(self, by: Array) -> Form:
        """Add to every entry."""
        return replace(self, intercept=self.intercept + by)

    def scaled(self, by: float) -> Form:
        """Multiply the line."""
        if by == 0:
            return nothing(self.columns, len(self.missing))
        log_slope = None if self.log_slope is None else self.log_slope * by
        missing, slope = times(self.missing, by), times(self.slope, by)
        return replace(self, missing=missing, intercept=self.intercept * by, slope=slope, log_slope=log_slope)

    def at(self, cells: Array) -> Array:
        """Return the lines."""
        x = self.clipped(cells)[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            out = self.intercept + np.where(x == 0, 0.0, x * self.slope)
            if self.log_slope is not None:
                out = out + self.log_slope * np.log(x)
        outside = x <= self.least if self.open else x < self.least
        return np.where(outside | (self.whole & (x != np.floor(x))), -np.inf, out)


@frozen(kw_only=True)
class Curve(Form):
    """Straight lines between knots (P,) with terms (K, P), and level beyond the last: a sampled density."""

    knots: Array
    table: Array

    def lifted(self, by: Array) -> Form:
        """Add to every entry."""
        return replace(self, table=self.table + by[:, None])

    def scaled(self, by: float) -> Form:
        """Multiply every knot."""
        return replace(self, missing=times(self.missing, by), table=times(self.table, by))

    def at(self, cells: Array) -> Array:
        """Interpolate."""
        x = self.clipped(cells)
        return np.column_stack([np.interp(x, self.knots, row) for row in self.table])


@frozen(kw_only=True)
class Cases(Form):
    """A form of one number for every combination of other columns: cells are tuples, the number at its position.

    Combinations that are not listed, and partly known ones, say nothing here. The levels are as in a `Lookup`.
    """

    levels: Array
    cuts: tuple[Array | None, ...]
    number: int
    forms: tuple[Form, ...]

    def lifted(self, by: Array) -> Form:
        """Add to every case."""
        return replace(self, forms=tuple(form.lifted(by) for form in self.forms))

    def scaled(self, by: float) -> Form:
        """Multiply every case."""
        forms = tuple(form.scaled(by) for form in self.forms)
        return replace(self, missing=times(self.missing, by), forms=forms)

    def at(self, cells: Array) -> Array:
        """Find the case, and ask its form; a missing number leaves what the combination says."""
        place = {level: m for m, level in enumerate(self.levels.tolist())}
        given = cells.tolist()
        others = joined_levels([(*cell[: self.number], *cell[self.number + 1 :]) for cell in given], self.cuts)
        numbers = [cell[self.number] for cell in given]
        h = np.array([np.nan if is_missing(x) else x for x in numbers], dtype=float)
        case = np.array([place.get(level, -1) for level in others], dtype=np.int64)
        out = np.zeros((len(cells), len(self.missing)))
        for m in np.unique(case[case >= 0]).tolist():
            out[case == m] = self.forms[m](h[case == m])
        return out


def times(terms: Array, by: Array | float) -> Array:
    """Return terms multiplied: minus infinity stays what it is, and times zero it is nothing."""
    with np.errstate(invalid="ignore"):
        out = np.where(np.isneginf(terms), -np.inf, terms * by)
    return np.where(np.equal(by, 0), np.where(np.isnan(terms), np.nan, 0.0), out)


def nothing(columns: tuple[int, ...], n_classes: int) -> Form:
    """Return the form of an attribute that says nothing."""
    zero = np.zeros(n_classes)
    return Steps(columns=columns, missing=zero, cuts=np.zeros(0), table=zero[:, None])


CURVE_ERROR = 1e-4
"""How far a sampled curve may lie from the density, in nats, halfway between knots."""
COARSE, MOST_KNOTS = 65, 4097
"""Knots to begin with, and at the most."""


def sample_curve(density: Callable[[Array], Array], low: float, high: float) -> tuple[Array, Array]:
    """Return knots (P,) and terms (K, P) of a log-density given as a function of (rows,) to (rows, K).

    What all classes share is taken off; intervals are halved while the middle lies off the line.
    """
    knots = np.linspace(low, high, COARSE)
    terms = centred(density(knots))
    wanting = np.ones(len(knots) - 1, dtype=bool)
    while wanting.any() and len(knots) + wanting.sum() <= MOST_KNOTS:  # ends: knots come to it, or none is wanting
        left = np.flatnonzero(wanting)
        middle = knots[left] / 2 + knots[left + 1] / 2
        inside = (middle > knots[left]) & (middle < knots[left + 1])
        left, middle = left[inside], middle[inside]
        exact = centred(density(middle))
        off = np.abs(exact - (terms[left] + terms[left + 1]) / 2).max(axis=1, initial=0.0) > CURVE_ERROR
        knots, terms = np.insert(knots, left + 1, middle), np.insert(terms, left + 1, exact, axis=0)
        # both halves of an interval whose middle lay off are looked at again
        wanting = np.zeros(len(knots) - 1, dtype=bool)
        at = left[off] + np.arange(len(left))[off]
        wanting[at] = wanting[at + 1] = True
    return knots, terms.T


def centred(log_density: Array) -> Array:
    """Return log-densities (rows, K) less their largest; 0 where they say nothing."""
    known = np.where(np.isnan(log_density), 0.0, log_density)
    top = known.max(axis=1, keepdims=True)
    return known - np.where(np.isfinite(top), top, 0.0)
