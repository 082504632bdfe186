"""Drawn rows: what a model draws itself, by which slim models are made and compared with it."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.distributions.forms import Curve
from candide.estimator.slim.format.units import in_units
from candide.scoring.sampling import as_frame
from candide.statistics.evidence import Evidence
from candide.table import Numbers, Symbols, Table, read

Array = np.ndarray[Any, Any]


def drawn_rows(model: Any, n: int, seed: int) -> Table:
    """Return rows that a model draws, of the columns that were learnt; of curves as fine numbers as were seen.

    A curve of whole numbers draws what lies between them, too: whoever is compared there is judged by what never comes.
    """
    cells, _ = model._drawn(n, seed)
    names = model.learnt_.schema.names
    table = read(as_frame({name: cells[j] for j, name in enumerate(names)}))
    state, made = model._modelled()
    curved = {form.columns[0] for form in made.model.forms_told if isinstance(form, Curve)}
    units = {j: unit_of(state.evidence, j) for j in curved}

    def column(j: int) -> Numbers | Symbols:
        given, unit = table.column(j), units.get(j)
        return given if unit is None or not isinstance(given, Numbers) else Numbers(in_multiples_of(unit, given.values))

    return table.recoded(column)


def unit_of(evidence: Evidence, j: int) -> list[int] | None:
    """Return the decimal fraction of which all numbers of a column are multiples, as `in_units` does, where known."""
    found = in_units(evidence.seen(j))
    return None if found is None else found[0]


def in_multiples_of(unit: list[int], x: Array) -> Array:
    """Return the multiples of a unit that are nearest to numbers.

    Examples
    --------
    >>> in_multiples_of([2, 1], np.array([0.31, 1.0, np.nan])).tolist()
    [0.4, 1.0, nan]
    """
    numerator, decimals = unit
    out: Array = np.rint(x * 10.0**decimals / numerator) * numerator / 10.0**decimals
    return out
