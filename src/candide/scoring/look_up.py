"""Looking up: the scores of a few rows that are mappings, cell by cell, from the tables that a model tells itself in.

Reading one row as a table costs more than scoring it: a dictionary for every column of levels, and a search among the
cuts of every column of numbers, answer at once. What these tables do not hold is left to the usual way.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from math import floor, log
from typing import Any

import numpy as np

from candide import native
from candide.combination import TIE
from candide.distributions.bell import Bell
from candide.distributions.forms import Form, Linear, Lookup, Quadratic, Steps
from candide.model.model import Model
from candide.native.agreed import KNOWN, LevelColumn, ParabolaColumn, StepColumn, is_number
from candide.reading.table_reading import NOTHING, TableReading
from candide.schema.alignment import warn_absent
from candide.schema.same_level import odd

Array = np.ndarray[Any, Any]
Term = Callable[[float], Array]
"""From a number to its terms (K,)."""

FEW = 16
"""So many rows at the most are looked up one by one."""


class LookUp:
    """The posterior of rows under the product.

    The tables of all columns of levels and of intervals are one, (cells, K), and all parabolas are one array, so that a
    row is added up by one kernel; other columns are evaluated one by one.

    Parameters
    ----------
    model : Model
    reading : TableReading
        How the cells of rows are read.
    """

    def __init__(self, model: Model, reading: TableReading = NOTHING) -> None:
        self.reading = reading
        self.names = dict.fromkeys(reading.origin(name) for name in model.names)
        self.untold = dict(self.names)  # that a column is missing is told once
        self.levels: list[LevelColumn] = []
        self.steps: list[StepColumn] = []
        self.parabolas: list[ParabolaColumn] = []
        self.terms: list[tuple[Any, Array, Term]] = []
        tables = [model.log_prior[None, :]]  # at the place PRIOR
        curves = [np.zeros((0, len(model.log_prior)))]
        together = [block.adds_pairs for block, _ in model.attributes]
        one_by_one = all(pair or len(columns) == 1 for pair, columns in zip(together, model.columns, strict=True))
        forms = forms_of(model) if one_by_one else []  # the form of a large group takes long, and is not looked up
        told_so = list(zip(forms, together, strict=True)) if forms else []
        alone = [form for form, pair in told_so if not pair]
        pairs = [form for form, pair in told_so if pair]
        self.tells = bool(alone)
        self.pairs = [of_pair(form, model) for form in pairs if isinstance(form, Lookup)]
        for form in alone if self.tells else ():
            name, start = model.names[form.columns[0]], sum(map(len, tables))
            if isinstance(form, Lookup) and (kind := one_type(form)) is not None:
                places = {level: v for v, level in enumerate(form.levels.tolist(), start + KNOWN)}
                self.levels.append((name, start, places, kind, odd(places)))  # the usual way finds another spelling
                tables.append(np.vstack([form.missing, np.full(len(form.missing), form.unseen), form.table.T]))
            elif isinstance(form, Steps):
                self.steps.append((name, start, form.cuts.tolist()))
                tables.append(np.vstack([form.missing, form.missing, form.table.T]))
            elif isinstance(form, Quadratic):
                self.parabolas.append((name, start, float(form.low), float(form.high), form.logarithm))
                tables.append(form.missing[None, :])
                curves.append(np.stack([form.height, form.mean, -0.5 / form.var]))
            elif isinstance(form, Linear) and (found := of_line(form)) is not None:
                self.terms.append((name, np.ascontiguousarray(form.missing, dtype=float), found))
            elif isinstance(form, Bell):
                self.terms.append((name, np.ascontiguousarray(form.missing, dtype=float), of_bell(form)))
            else:
                self.tells = False
        self.table, self.curves = np.ascontiguousarray(np.concatenate(tables)), np.concatenate(curves)

    def __call__(self, rows: Sequence[Mapping[str, Any]]) -> Array | None:
        """Return log P(c | x) of rows, or None where the usual way has to be gone, as for cells that are NaN."""
        if not self.tells or len(rows) > FEW:
            return None
        found = [self.row(row) for row in rows]
        if None in found:
            return None
        if not all(row.keys() >= self.untold.keys() for row in rows):
            absent = [name for name in self.untold if any(name not in row for row in rows)]
            self.untold = {name: None for name in self.untold if name not in absent}
            warn_absent(absent, [name for row in rows for name in row if name not in self.names], len(rows) > 1)
        return np.array([log_p for log_p, *_ in filter(None, found)])

    def row(self, given: Mapping[str, Any]) -> tuple[list[float], list[Any], int] | None:
        """Return log P(c | x) of one row, the columns whose level was never seen, and how many cells were looked up.

        Columns that the row does not name are unknown, and not told of. None: the usual way has to be gone.
        """
        row = self.reading.row(given)
        more = None if row is None else self._other_terms(row) if self.terms or self.pairs else []
        if row is None or more is None:
            return None
        cells = row if type(row) is dict else dict(row)
        return native.row_log_posterior(
            cells, self.levels, self.steps, self.parabolas, self.table, self.curves, more, TIE
        )

    def _other_terms(self, row: Mapping[str, Any]) -> list[Array] | None:
        """Return what lines and pairs of columns say; None: a cell is odd."""
        out = []
        for name, missing, found in self.terms:
            cell = row.get(name)
            if cell is not None and not is_number(cell):
                return None
            out.append(missing if cell is None else found(cell))
        try:
            return out + [pair(row) for pair in self.pairs]
        except TypeError:  # what is no number between cuts, or no level at all
            return None


def forms_of(model: Model) -> list[Form]:
    """Return the model's forms; none where it is not told column by column, as an average or a network is not."""
    try:
        return model.forms
    except ValueError:
        return []


def of_pair(form: Lookup, model: Model) -> Callable[[Mapping[str, Any]], Array]:
    """Look the cells of two columns up together; levels that are not listed add nothing."""
    (one, other), (of_one, of_other) = (model.names[j] for j in form.columns), map(cell_in, form.cuts)
    place = dict(zip(form.levels.tolist(), np.ascontiguousarray(form.table.T), strict=True))
    nothing = np.zeros(len(model.log_prior))
    return lambda row: place.get((of_one(row.get(one)), of_other(row.get(other))), nothing)


def cell_in(cuts: Array | None) -> Callable[[Any], Any]:
    """Return how a cell of one of two columns is told: by its level or interval, None where it is missing."""
    points = None if cuts is None else cuts.tolist()
    return lambda cell: None if cell is None else cell if points is None else bisect_left(points, cell)


def one_type(form: Lookup) -> type | None:
    """Return the type of levels that are all of one in which equal is the same; None where they are not."""
    types = {type(level) for level in form.levels.tolist()}
    return next(iter(types)) if len(types) == 1 and types <= {str, bool, int} and not form.cuts else None


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


def of_bell(form: Bell) -> Term:
    """Evaluate Student's bells at a number, cut off at its ends."""
    return lambda cell: form.at(np.array([cell], dtype=float))[0]
