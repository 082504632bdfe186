"""Looking up: the scores of a few rows that are mappings, cell by cell, from the tables that a model tells itself in.

Reading one row as a table costs more than scoring it: a dictionary for every column of levels, and a search among the
cuts of every column of numbers, answer at once. What these tables do not hold is left to the usual way.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from math import isfinite, isnan
from typing import Any

import numpy as np

from candide.distributions.forms import Form, Lookup, Quadratic, Steps
from candide.distributions.pair_tables import PairTables
from candide.model.model import Model
from candide.schema.alignment import warn_absent

Array = np.ndarray[Any, Any]
Term = Callable[[Any], "Array | None"]
"""From a cell that is not missing to its terms (K,), or None where the tables do not tell."""

FEW = 16
"""So many rows at the most are looked up one by one."""


class LookUp:
    """The score of rows under the product.

    Parameters
    ----------
    model : Model
    """

    def __init__(self, model: Model) -> None:
        self.names = set(model.names)
        self.told = False  # that columns are missing is told once
        self.log_prior = model.log_prior
        forms = told(model)
        together = [isinstance(block, PairTables) for block, _ in model.attributes] if forms else []
        alone = [(form, term(form)) for form, pair in zip(forms, together, strict=True) if not pair]
        self.tells = bool(alone) and all(found is not None and len(form.columns) == 1 for form, found in alone)
        speaking = [(form, found) for form, found in alone if not silent(form)] if self.tells else []
        self.parts = [(model.names[form.columns[0]], found, form.missing) for form, found in speaking]
        pairs = [form for form, pair in zip(forms, together, strict=True) if pair] if self.tells else []
        self.pairs = [of_pair(form, model) for form in pairs if isinstance(form, Lookup)]

    def __call__(self, rows: Sequence[Mapping[str, Any]]) -> Array | None:
        """Return the scores (rows, classes), or None where the usual way has to be gone."""
        if not self.tells or len(rows) > FEW:
            return None
        if not self.told and not all(row.keys() >= self.names for row in rows):
            self.told = True
            absent = [name for name in self.names if any(name not in row for row in rows)]
            warn_absent(absent, [name for row in rows for name in row if name not in self.names], "the model")
        out = np.empty((len(rows), len(self.log_prior)))
        for i, row in enumerate(rows):
            total = out[i]
            total[:] = self.log_prior
            for name, found, missing in self.parts:
                cell = row.get(name)
                terms = missing if cell is None or (type(cell) is float and isnan(cell)) else found(cell)
                if terms is None:
                    return None
                total += terms
            for pair in self.pairs:  # cells that are no numbers or text were left to the usual way above
                total += pair(row)
        return out


def told(model: Model) -> list[Form]:
    """Return the model's forms; none where it is not told column by column, as an average or a network is not."""
    try:
        return model.forms
    except ValueError:
        return []


def term(form: Form) -> Any:
    """Return how the cells of an attribute are looked up, or None where its form is another."""
    if isinstance(form, Lookup) and not form.cuts:
        return of_levels(form)
    if isinstance(form, Steps):
        return of_steps(form)
    return of_parabola(form) if isinstance(form, Quadratic) else None


def of_pair(form: Lookup, model: Model) -> Callable[[Mapping[str, Any]], Array | float]:
    """Look the cells of two columns up together; levels that are not listed add nothing."""
    (one, other), (of_one, of_other) = (model.names[j] for j in form.columns), map(cell_in, form.cuts)
    place = dict(zip(form.levels.tolist(), np.ascontiguousarray(form.table.T), strict=True))
    return lambda row: place.get((of_one(row.get(one)), of_other(row.get(other))), 0.0)


def cell_in(cuts: Array | None) -> Callable[[Any], Any]:
    """Return how a cell of one of two columns is told: by its level or interval, None where it is missing."""
    points = None if cuts is None else cuts.tolist()

    def found(cell: Any) -> Any:
        if cell is None or (type(cell) is float and isnan(cell)):
            return None
        return cell if points is None else bisect_left(points, cell)

    return found


def silent(form: Form) -> bool:
    """Whether an attribute adds nothing, whatever its cell."""
    return isinstance(form, Steps) and not form.table.any() and not np.any(form.missing)


def of_levels(form: Lookup) -> Term | None:
    """Look text up; a level that is not listed adds what the form says."""
    levels = form.levels.tolist()
    if not all(type(level) is str for level in levels):
        return None
    place = dict(zip(levels, np.ascontiguousarray(form.table.T), strict=True))
    unseen = np.full(len(form.table), form.unseen)
    variants = {level.strip().casefold() for level in levels}

    def terms(cell: Any) -> Array | None:
        found = place.get(cell) if type(cell) is str else None
        if found is not None or type(cell) is not str:
            return found
        return None if cell.strip().casefold() in variants else unseen  # the usual way tells of a variant

    return terms


def of_steps(form: Steps) -> Term:
    """Find the interval of a number."""
    cuts, terms = form.cuts.tolist(), list(np.ascontiguousarray(form.table.T))
    return lambda cell: terms[bisect_left(cuts, cell)] if is_number(cell) else None


def of_parabola(form: Quadratic) -> Term | None:
    """Evaluate the parabola at a number, cut off at its ends."""
    if form.logarithm:
        return None
    low, high, scale = form.low, form.high, -0.5 / form.var
    return lambda cell: form.height + scale * (min(max(cell, low), high) - form.mean) ** 2 if is_number(cell) else None


def is_number(cell: Any) -> bool:
    """Whether a cell is an ordinary number."""
    return type(cell) in (float, int) and isfinite(cell)
