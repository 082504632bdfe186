"""Silent cells, which say nothing: missing ones, and levels that were never learnt, column by column."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from candide.messages import shortened
from candide.schema.alignment import absent_told, align
from candide.schema.cells import UNSEEN, Levels
from candide.schema.column import Column
from candide.schema.rows import Rows
from candide.schema.same_level import near, near_told
from candide.schema.schema import Schema
from candide.table import Symbols, read

FEWEST = 20
"""Rows without which nothing is said."""

MANY = 0.1
"""Share of a column's cells that is called many: of missing ones, beyond those of the rows that were learnt."""

BEYOND_CHANCE = 2.0
"""Standard errors by which missing cells must be more than they were."""

SHOWN = 3
"""Levels, and columns of missing cells, that are shown."""


class SilentCells:
    """Counts the missing and the unseen cells of tables that a model scores.

    Parameters
    ----------
    schema : Schema
        What the model has learnt.
    usual : sequence of float, optional
        The share of missing cells of each column in the rows that were learnt; none where it is not known.
    ignored : collection of int
        The columns that the model ignores: what they hold need not be read to tell whether it is there.
    """

    def __init__(
        self, schema: Schema, usual: Sequence[float] | None = None, ignored: Collection[int] = frozenset()
    ) -> None:
        self.schema = schema
        self.ignored = ignored
        self.usual = [0.0] * len(schema.columns) if usual is None else usual
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
        schema = self.schema
        for j, column in enumerate(schema.columns):
            if column.kind == "bags" or (j in self.ignored and schema.reading.origin(column.name) in schema.reading):
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
        """Say which columns no row has, and in which others many cells say nothing; many with gaps in one line."""
        absent = [name for name in self.schema.used_names if name not in self.named] if self.rows else []
        out = [absent_told(absent)] if absent and self.objects else []
        if self.rows < FEWEST:
            return out
        here = [j for j, name in enumerate(self.schema.names) if self.schema.reading.origin(name) not in absent]
        names = [repr(name) for name in self.schema.names]
        out += [f"column {names[j]}: {self._unseen(j)}" for j in here if self.unseen[j] > MANY * self.rows]
        missing = [j for j in here if self._many_missing(j)]
        if len(missing) <= SHOWN:
            return out + [f"column {names[j]}: {self.missing[j]} of {self.rows} cells are missing" for j in missing]
        missing.sort(key=lambda j: -int(self.missing[j]))
        shown = ", ".join(f"{names[j]} ({self.missing[j]})" for j in missing[:SHOWN])
        more = len(missing) - SHOWN
        return [*out, f"{len(missing)} columns have many missing cells of {self.rows}: {shown} and {more} more"]

    def near_lines(self) -> list[str]:
        """Say of which levels that were never learnt a variant was, where `lines` does not say so."""
        few = [j for j in sorted(self.levels) if self.rows < FEWEST or self.unseen[j] <= MANY * self.rows]
        columns = [(self.schema.columns[j], self.levels[j]) for j in few]
        return [line for column, found in columns for line in near_told(column.name, found, known_levels(column))]

    def _many_missing(self, j: int) -> bool:
        """Whether many more cells of a column are missing than were when it was learnt, and more than by chance."""
        usual, more = self.usual[j], self.missing[j] / self.rows - self.usual[j]
        chance = BEYOND_CHANCE * (usual * (1 - usual) / self.rows) ** 0.5
        return bool(more > max(MANY, chance)) and not self.schema.columns[j].blank

    def _unseen(self, j: int) -> str:
        levels, column = list(self.levels.get(j, {})), self.schema.columns[j]
        known = known_levels(column)
        shown = ", ".join(
            shortened(level) + ("" if near(level, known) is None else f" ({shortened(near(level, known))} was)")
            for level in levels[:SHOWN]
        )
        more = f" and {len(levels) - SHOWN} more" if len(levels) > SHOWN else ""
        return f"{self.unseen[j]} of {self.rows} cells were never seen in training, and say nothing: {shown}{more}"


def known_levels(column: Column) -> list[Any]:
    """Return the levels that were learnt of a column."""
    return [] if column.levels is None else list(column.levels.tolist())
