"""Omitted columns: identifiers, which tell rows apart and nothing about them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from candide.reading.base import ColumnReader, ReadAs, ReadColumn
from candide.reading.nearly import nearly_numbers
from candide.table.columns import Numbers

FEWEST = 30
"""Cells without which nothing is told to be an identifier."""

DISTINCT = 0.95
"""Share of the cells that differ from all others in a column of identifiers."""

LONGEST = 64
"""Characters that an identifier has at the most; longer text is something else."""


SAMPLE = 100_000
"""Numbers by which a column of identifiers is told."""

IDENTIFIER = re.compile(r"(?i:(?:.*[\W_])?(?:id|guid|uuid|key)|identifier|index|row ?id|unnamed: 0|)|.*[a-z]I[dD]")
"""What columns of whole numbers are called that count rows: id, customer_id, orderId, an index of pandas, nothing."""

INDEX = re.compile(r"__index_level_\d+__")
"""What pandas calls an index without a name that it writes as a column, in Parquet and wherever that is read."""


class Omitted(ColumnReader):
    """A column that no model is made from.

    Parameters
    ----------
    why : str
    """

    says = "nothing"

    def __init__(self, why: str = "identifiers") -> None:
        self.why = why

    def parts(self, name: str) -> tuple[str, ...]:
        return ()

    def read(self, cells: ReadColumn, where: str) -> tuple[ReadColumn, ...]:
        return ()

    def cells(self, cell: Any) -> tuple[Any, ...] | None:
        return ()


AS_INDEX = ReadAs(Omitted("index"), "the index of a pandas frame, ignored")


def find_identifiers(counts: Mapping[str, int]) -> ReadAs | None:
    """Return how a column is read in which nearly every cell is written once."""
    total = sum(counts.values())
    if total < FEWEST or len(counts) < DISTINCT * total:
        return None
    if sum(map(len, counts)) > LONGEST * len(counts) or nearly_numbers(counts) is not None:
        return None  # numbers differ because numbers do, and a word among them is odd, which is told
    return ReadAs(Omitted(), f"{len(counts)} different texts in {total} rows: identifiers, ignored")


def find_numbered(column: ReadColumn) -> ReadAs | None:
    """Return how whole numbers are read of which nearly every one is there once, in a column called `IDENTIFIER`.

    Numbers differ because numbers do: it takes the name as well to tell that these count rows.
    """
    if not isinstance(column, Numbers) or column.measure:
        return None
    values = column.values[:SAMPLE]
    known = values[np.isfinite(values)] if values.dtype.kind == "f" else values
    if len(known) < FEWEST or (known.dtype.kind == "f" and (known != np.floor(known)).any()):
        return None
    different = len(np.unique(known))
    if different < DISTINCT * len(known):
        return None
    return ReadAs(Omitted(), f"{different} different whole numbers in {len(known)} rows: identifiers, ignored")
