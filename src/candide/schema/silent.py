"""Silent cells, which say nothing: missing ones, and levels that were never learnt, column by column."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from candide.messages import shortened
from candide.schema.alignment import absent_told, align
from candide.schema.cells import UNSEEN, Levels
from candide.schema.rows import Rows
from candide.schema.same_level import near
from candide.schema.schema import Schema
from candide.table import Symbols, read

FEWEST = 20
"""Rows without which nothing is said."""

MANY = 0.1
"""Share of a column's cells that is called many."""

SHOWN = 3
"""Levels that are shown."""


class SilentCells:
    """Counts the missing and the unseen cells of tables that a model scores.

    Parameters
    ----------
    schema : Schema
        What the model has learnt.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.rows = 0
        self.missing = np.zeros(len(schema.columns), dtype=np.int64)
        self.unseen = np.zeros(len(schema.columns), dtype=np.int64)
        self.levels: dict[int, dict[Any, None]] = {}
        self.named: set[Any] = set()
        self.objects = False

    def see(self, X: Any, named: Collection[Any] | None = None, objects: bool = False) -> None:
        """Take some more rows into account.

        Parameters
        ----------
        X : table
        named : collection, optional
            The columns that the rows have; all that the model has learnt where it is not said.
        objects : bool
            Whether the rows name their cells themselves, and no first line tells which are not there.
        """
        self.named.update(self.schema.used_names if named is None else named)
        self.objects |= objects
        rows = Rows(align(read(X), self.schema, "the model"), self.schema)
        self.rows += len(rows)
        for j, column in enumerate(self.schema.columns):
            if column.kind == "bags":
                continue
            self.missing[j] += int(rows.missing(j).sum())
            if isinstance(column.axis, Levels) and not column.blank:
                self._see_levels(j, rows)

    def _see_levels(self, j: int, rows: Rows) -> None:
        unseen = rows.codes(np.array([j]))[:, 0] == UNSEEN
        if unseen.any():
            self.unseen[j] += int(unseen.sum())
            cells = rows.table.column(j)
            if isinstance(cells, Symbols):
                found = cells.levels[np.unique(cells.codes[unseen])].tolist()
                self.levels.setdefault(j, {}).update(dict.fromkeys(found))

    def lines(self) -> list[str]:
        """Say which columns no row has, and in which others many cells say nothing, a line for each."""
        absent = [name for name in self.schema.used_names if name not in self.named] if self.rows else []
        out = [absent_told(absent)] if absent and self.objects else []
        if self.rows < FEWEST:
            return out
        for j, column in enumerate(self.schema.columns):
            if self.schema.reading.origin(column.name) in absent:
                continue
            if self.unseen[j] > MANY * self.rows:
                out.append(f"column {column.name!r}: {self._unseen(j)}")
            if self.missing[j] > MANY * self.rows and not self._always_missing(j):
                out.append(f"column {column.name!r}: {self.missing[j]} of {self.rows} cells are missing")
        return out

    def _unseen(self, j: int) -> str:
        levels, column = list(self.levels.get(j, {})), self.schema.columns[j]
        known = [] if column.levels is None else column.levels.tolist()
        shown = ", ".join(
            shortened(level) + ("" if near(level, known) is None else f" ({shortened(near(level, known))} was)")
            for level in levels[:SHOWN]
        )
        more = f" and {len(levels) - SHOWN} more" if len(levels) > SHOWN else ""
        return f"{self.unseen[j]} of {self.rows} cells were never seen in training, and say nothing: {shown}{more}"

    def _always_missing(self, j: int) -> bool:
        return self.schema.columns[j].blank
