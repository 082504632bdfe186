"""Looking up: the scores of a few rows that are mappings, cell by cell, from the tables that a model tells itself in.

Reading one row as a table costs more than scoring it: a dictionary for every column of levels, and a search among the
cuts of every column of numbers, answer at once. What these tables do not hold is left to the usual way.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import floor, isfinite, log
from typing import Any

import numpy as np

from candide.distributions.forms import Form, Linear, Lookup, Quadratic, Steps
from candide.model.model import Model

Array = np.ndarray[Any, Any]
Term = Callable[[Any], "Array | None"]
"""From a cell that is not missing to its terms (K,), or None where the tables do not tell."""

FEW = 16
"""So many rows at the most are looked up one by one."""


@dataclass(frozen=True, eq=False)
class Places:
    """Where the cells of a column are in the table of all columns; None where a cell is of another kind.

    Parameters
    ----------
    name : str or int
    missing : int
        The place of a missing cell.
    of : function of a known cell
    """

    name: Any
    missing: int
    of: Callable[[Any], int | None]


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
        self.places: list[Places] = []
        self.terms: list[tuple[Any, Term, Array]] = []
        tables = [model.log_prior[None, :]]
        forms = told(model)
        self.tells = bool(forms) and all(len(form.columns) == 1 for form in forms)
        for form in forms if self.tells else ():
            name, start = model.names[form.columns[0]], sum(map(len, tables))
            found = places(form, start)
            if isinstance(form, (Lookup, Steps)) and found is not None:
                self.places.append(Places(name, start, found))
                tables.append(np.vstack([form.missing, unseen_terms(form), form.table.T]))
            elif term(form) is not None:
                self.terms.append((name, term(form), form.missing))
            else:
                self.tells = False
        self.table = np.concatenate(tables)

    def __call__(self, rows: Sequence[Mapping[str, Any]]) -> Array | None:
        """Return the scores (rows, classes), or None where the usual way has to be gone, as for cells that are NaN."""
        if not self.tells or len(rows) > FEW or not all(self.names.issuperset(row) for row in rows):
            return None
        scores = [self._score(row) for row in rows]
        return None if any(score is None for score in scores) else np.array(scores)

    def _score(self, row: Mapping[str, Any]) -> Array | None:
        at = [0]  # the prior
        for column in self.places:
            cell = row.get(column.name)
            place = column.missing if cell is None else column.of(cell)
            if place is None:
                return None
            at.append(place)
        total: Array = np.add.reduce(self.table[at], axis=0)
        for name, found, missing in self.terms:
            cell = row.get(name)
            terms = missing if cell is None else found(cell)
            if terms is None:
                return None
            total += terms
        return total


def unseen_terms(form: Form) -> Array:
    """Return what a level adds that is not listed."""
    return np.full(len(form.missing), form.unseen if isinstance(form, Lookup) else 0.0)


def told(model: Model) -> list[Form]:
    """Return the model's forms; none where it is not told column by column, as an average or a network is not."""
    try:
        return model.forms
    except ValueError:
        return []


def places(form: Form, start: int) -> Callable[[Any], int | None] | None:
    """Return how cells find their places in a table: from `start`, missing and unseen ones before the others."""
    if isinstance(form, Steps):
        cuts, first = form.cuts.tolist(), start + 2
        return lambda cell: first + bisect_left(cuts, cell) if is_number(cell) else None
    return of_levels(form, start) if isinstance(form, Lookup) and not form.cuts else None


def of_levels(form: Lookup, start: int) -> Callable[[Any], int | None] | None:
    """Look levels up that are of one type, in which equal is the same."""
    levels = form.levels.tolist()
    types = {type(level) for level in levels}
    if len(types) != 1 or not types <= {str, bool, int}:
        return None
    (kind,) = types
    place, unseen = {level: v for v, level in enumerate(levels, start + 2)}, start + 1
    return lambda cell: place.get(cell, unseen) if type(cell) is kind else None


def term(form: Form) -> Any:
    """Return how the numbers of an attribute are evaluated, or None where its form is another."""
    if isinstance(form, Quadratic):
        return of_parabola(form)
    return of_line(form) if isinstance(form, Linear) else None


def of_parabola(form: Quadratic) -> Term:
    """Evaluate the parabola at a number, or at its logarithm, cut off at its ends."""
    low, high, scale = form.low, form.high, -0.5 / form.var
    nowhere = np.full(len(form.height), -np.inf)

    def at(cell: Any) -> Array | None:
        if not is_number(cell):
            return None
        x = min(max(cell, low), high)
        if form.logarithm:
            if x <= 0:
                return nowhere
            x = log(x)
        out: Array = form.height + scale * (x - form.mean) ** 2
        return out

    return at


def of_line(form: Linear) -> Term | None:
    """Evaluate the line at a number, and the logarithm where it has one, cut off at its ends."""
    slope, more = form.slope, form.log_slope
    if not (np.isfinite(slope).all() and (more is None or np.isfinite(more).all())):
        return None
    nowhere = np.full(len(form.intercept), -np.inf)

    def at(cell: Any) -> Array | None:
        if not is_number(cell):
            return None
        x = min(max(cell, form.low), form.high)
        if x < form.least or (form.open and x == form.least) or (form.whole and x != floor(x)):
            return nowhere
        out: Array = form.intercept + slope * x
        if more is not None:
            if x <= 0:
                return None
            out += more * log(x)
        return out

    return at


def is_number(cell: Any) -> bool:
    """Whether a cell is an ordinary number."""
    return type(cell) in (float, int) and isfinite(cell)
