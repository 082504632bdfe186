"""Looking up: the scores of a few rows that are mappings, cell by cell, from the tables that a model tells itself in.

Reading one row as a table costs more than scoring it: a dictionary for every column of levels, and a search among the
cuts of every column of numbers, answer at once. What these tables do not hold is left to the usual way.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from math import floor, isfinite, isnan, log
from typing import Any

import numpy as np

from candide.distributions.forms import Form, Linear, Lookup, Quadratic, Steps
from candide.model.model import Model

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
        self.log_prior = model.log_prior
        forms = [(form, term(form)) for form in told(model)]
        self.tells = bool(forms) and all(found is not None and len(form.columns) == 1 for form, found in forms)
        speaking = [(form, found) for form, found in forms if not silent(form)] if self.tells else []
        self.parts = [(model.names[form.columns[0]], found, form.missing) for form, found in speaking]

    def __call__(self, rows: Sequence[Mapping[str, Any]]) -> Array | None:
        """Return the scores (rows, classes), or None where the usual way has to be gone."""
        if not self.tells or len(rows) > FEW or not all(self.names.issuperset(row) for row in rows):
            return None
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
    if isinstance(form, Quadratic):
        return of_parabola(form)
    return of_line(form) if isinstance(form, Linear) else None


def silent(form: Form) -> bool:
    """Whether an attribute adds nothing, whatever its cell."""
    return isinstance(form, Steps) and not form.table.any() and not np.any(form.missing)


def of_levels(form: Lookup) -> Term | None:
    """Look a level up: levels of one type, in which equal is the same."""
    levels = form.levels.tolist()
    types = {type(level) for level in levels}
    if len(types) != 1 or not types <= {str, bool, int}:
        return None
    (kind,) = types
    place = dict(zip(levels, np.ascontiguousarray(form.table.T), strict=True))
    unseen = np.full(len(form.table), form.unseen)
    return lambda cell: place.get(cell, unseen) if type(cell) is kind else None


def of_steps(form: Steps) -> Term:
    """Find the interval of a number."""
    cuts, terms = form.cuts.tolist(), list(np.ascontiguousarray(form.table.T))
    return lambda cell: terms[bisect_left(cuts, cell)] if is_number(cell) else None


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
