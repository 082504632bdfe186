"""Marks: levels that are told by a number made of their names, where the names would be most of a file."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from candide.distributions.forms import Form, Lookup, times
from candide.frozen import frozen

Array = np.ndarray[Any, Any]

BITS = 24
"""Of a mark: a name that is not known has that of one of a hundred others once in 168,000 times."""


def mark(name: str) -> int:
    """Return the number of a name: its lowest bits of CRC-32.

    Examples
    --------
    >>> mark("black"), mark("Black")
    (8763944, 4494636)
    """
    return zlib.crc32(name.encode("utf-8", "surrogatepass")) & ((1 << BITS) - 1)


@frozen(kw_only=True)
class Marked(Form):
    """A term for every level: table (K, levels), of levels with these marks, which ascend."""

    marks: Array
    table: Array
    unseen: float = 0.0
    """What a level adds whose mark is not listed."""

    def lifted(self, by: Array) -> Form:
        """Add to every entry."""
        return replace(self, table=self.table + by[:, None])

    def scaled(self, by: float) -> Form:
        """Multiply every entry."""
        missing, table = times(self.missing, by), times(self.table, by)
        return replace(self, missing=missing, table=table, unseen=float(times(np.array(self.unseen), by)))

    def at(self, cells: Array) -> Array:
        """Look the marks of cells up."""
        of = np.array([mark(str(cell)) for cell in cells.tolist()], dtype=float)
        place = np.minimum(np.searchsorted(self.marks, of), max(len(self.marks) - 1, 0))
        out = np.full((len(cells), len(self.missing)), self.unseen)
        known = self.marks[place] == of if len(self.marks) else np.zeros(len(cells), dtype=bool)
        out[known] = self.table.T[place[known]]
        return out

    def check(self) -> None:
        """Refuse marks that are none, or not those of the table."""
        if self.table.shape != (len(self.missing), len(self.marks)):
            raise ValueError("its table is not of its marks")
        if not ((self.marks >= 0) & (self.marks < 1 << BITS)).all() or not (np.diff(self.marks) > 0).all():
            raise ValueError("its marks do not ascend, or have too many bits")


def marked(form: Form) -> Marked | None:
    """Return a look-up of the texts of one column by their marks; None where it is another form, or two are alike."""
    if not isinstance(form, Lookup) or len(form.columns) > 1 or not len(form.levels):
        return None
    names: Sequence[Any] = form.levels.tolist()
    if not all(isinstance(name, str) for name in names):
        return None
    marks = np.array([mark(name) for name in names], dtype=float)
    order = np.argsort(marks)
    if not (np.diff(marks[order]) > 0).all():
        return None
    return Marked(
        columns=form.columns,
        missing=form.missing,
        marks=marks[order],
        table=form.table[:, order],
        unseen=form.unseen,
    )
