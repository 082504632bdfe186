"""Looking up: the scores of a few rows that are mappings, cell by cell, from the tables that a model tells itself in.

Reading one row as a table costs more than scoring it: a dictionary for every column of levels, and a search among the
cuts of every column of numbers, answer at once. What these tables do not hold is left to the usual way.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from math import floor, log
from typing import Any, TypeGuard

import numpy as np

from candide.distributions.forms import Form, Linear, Lookup, Quadratic, Steps
from candide.distributions.pair_tables import PairTables
from candide.model.model import Model
from candide.schema.alignment import warn_absent

Array = np.ndarray[Any, Any]
Term = Callable[[float], Array]
"""From a number to its terms (K,)."""

UNSEEN, KNOWN = 1, 2
"""Places in the table of a column, counted from its missing cell: of a level that was never seen, and of the others."""

MOST = sys.float_info.max
"""The largest number that a float holds."""

FEW = 16
"""So many rows at the most are looked up one by one."""


class LookUp:
    """The score of rows under the product.

    The tables of all columns of levels and of intervals are one, (cells, K), so that a row is added up by one gather;
    other columns are evaluated one by one.

    Parameters
    ----------
    model : Model
    """

    def __init__(self, model: Model) -> None:
        self.names = set(model.names)
        self.told = False  # that columns are missing is told once
        self.levels: list[tuple[Any, int, dict[Any, int], type]] = []
        self.folded: dict[Any, set[str]] = {}
        self.steps: list[tuple[Any, int, list[float]]] = []
        self.terms: list[tuple[Any, Array, Term]] = []
        tables = [model.log_prior[None, :]]
        together = [isinstance(block, PairTables) for block, _ in model.attributes]
        one_by_one = all(pair or len(columns) == 1 for pair, columns in zip(together, model.columns, strict=True))
        forms = told(model) if one_by_one else []  # the form of a large group takes long, and is not looked up
        told_so = list(zip(forms, together, strict=True)) if forms else []
        alone = [form for form, pair in told_so if not pair]
        pairs = [form for form, pair in told_so if pair]
        self.tells = bool(alone)
        self.pairs = [of_pair(form, model) for form in pairs if isinstance(form, Lookup)]
        for form in alone if self.tells else ():
            name, start = model.names[form.columns[0]], sum(map(len, tables))
            if isinstance(form, Lookup) and one_type(form) is not None:
                places = {level: v for v, level in enumerate(form.levels.tolist(), start + KNOWN)}
                self.folded[name] = {str(level).strip().casefold() for level in places}
                self.levels.append((name, start, places, one_type(form)))  # type: ignore[arg-type]  # looked above
                tables.append(np.vstack([form.missing, np.full(len(form.missing), form.unseen), form.table.T]))
            elif isinstance(form, Steps):
                self.steps.append((name, start, form.cuts.tolist()))
                tables.append(np.vstack([form.missing, form.missing, form.table.T]))
            elif (found := term(form)) is not None:
                self.terms.append((name, form.missing, found))
            else:
                self.tells = False
        self.table = np.concatenate(tables)

    def __call__(self, rows: Sequence[Mapping[str, Any]]) -> Array | None:
        """Return the scores (rows, classes), or None where the usual way has to be gone, as for cells that are NaN."""
        if not self.tells or len(rows) > FEW:
            return None
        if not self.told and not all(row.keys() >= self.names for row in rows):
            self.told = True
            absent = [name for name in self.names if any(name not in row for row in rows)]
            warn_absent(absent, [name for row in rows for name in row if name not in self.names], "the model")
        scores = [self._score(row) for row in rows]
        return None if any(score is None for score in scores) else np.array(scores)

    def _places(self, row: Mapping[str, Any]) -> list[int] | None:
        """Return the places of a row's levels and intervals in the table, the prior's first; None: a cell is odd."""
        at = [0]
        for name, start, places, kind in self.levels:
            cell = row.get(name)
            if type(cell) is kind:
                place = places.get(cell)
                if place is None and isinstance(cell, str) and cell.strip().casefold() in self.folded[name]:
                    return None  # the usual way tells of a level in another case
                at.append(start + UNSEEN if place is None else place)
            elif cell is None:
                at.append(start)
            else:
                return None
        for name, start, cuts in self.steps:
            cell = row.get(name)
            if is_number(cell):
                at.append(start + KNOWN + bisect_left(cuts, cell))
            elif cell is None:
                at.append(start)
            else:
                return None
        return at

    def _score(self, row: Mapping[str, Any]) -> Array | None:
        at = self._places(row)
        if at is None:
            return None
        total: Array = np.add.reduce(self.table.take(at, axis=0), axis=0)
        for name, missing, found in self.terms:
            cell = row.get(name)
            if is_number(cell):
                total += found(cell)
            elif cell is None:
                total += missing
            else:
                return None
        for pair in self.pairs:  # cells that are no numbers or text were left to the usual way above
            total += pair(row)
        return total


def told(model: Model) -> list[Form]:
    """Return the model's forms; none where it is not told column by column, as an average or a network is not."""
    try:
        return model.forms
    except ValueError:
        return []


def of_pair(form: Lookup, model: Model) -> Callable[[Mapping[str, Any]], Array | float]:
    """Look the cells of two columns up together; levels that are not listed add nothing."""
    (one, other), (of_one, of_other) = (model.names[j] for j in form.columns), map(cell_in, form.cuts)
    place = dict(zip(form.levels.tolist(), np.ascontiguousarray(form.table.T), strict=True))
    return lambda row: place.get((of_one(row.get(one)), of_other(row.get(other))), 0.0)


def cell_in(cuts: Array | None) -> Callable[[Any], Any]:
    """Return how a cell of one of two columns is told: by its level or interval, None where it is missing."""
    points = None if cuts is None else cuts.tolist()
    return lambda cell: None if cell is None else cell if points is None else bisect_left(points, cell)


def one_type(form: Lookup) -> type | None:
    """Return the type of levels that are all of one in which equal is the same; None where they are not."""
    types = {type(level) for level in form.levels.tolist()}
    return next(iter(types)) if len(types) == 1 and types <= {str, bool, int} and not form.cuts else None


def term(form: Form) -> Term | None:
    """Return how the numbers of an attribute are evaluated, or None where its form is another."""
    if isinstance(form, Quadratic):
        return of_parabola(form)
    return of_line(form) if isinstance(form, Linear) else None


def of_parabola(form: Quadratic) -> Term:
    """Evaluate the parabola at a number, or at its logarithm, cut off at its ends."""
    low, high, height, mean, scale = form.low, form.high, form.height, form.mean, -0.5 / form.var
    nowhere = np.full(len(height), -np.inf)

    def at(cell: float) -> Array:
        return height + scale * (min(max(cell, low), high) - mean) ** 2

    def at_logarithm(cell: float) -> Array:
        x = min(max(cell, low), high)
        return height + scale * (log(x) - mean) ** 2 if x > 0 else nowhere

    return at_logarithm if form.logarithm else at


def of_line(form: Linear) -> Term | None:
    """Evaluate the line at a number, and the logarithm where it has one, cut off at its ends."""
    slope, more, nowhere = form.slope, form.log_slope, np.full(len(form.intercept), -np.inf)
    if not np.isfinite(slope).all() or (more is not None and not form.open):
        return None  # where 0 · infinity would have to be told

    def at(cell: float) -> Array:
        x = min(max(cell, form.low), form.high)
        if x < form.least or (form.open and x == form.least) or (form.whole and x != floor(x)):
            return nowhere
        out: Array = form.intercept + slope * x
        return out if more is None else out + more * log(x)

    return at


def is_number(cell: Any) -> TypeGuard[float]:
    """Whether a cell is an ordinary number."""
    return (type(cell) is float or type(cell) is int) and -MOST <= cell <= MOST
