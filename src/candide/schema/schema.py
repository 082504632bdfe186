"""Schema: the columns and class labels, and so the axes of the statistics. Levels belong here, never to a statistic."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any

import numpy as np

from candide.frozen import frozen
from candide.messages import few_of, unknown
from candide.reading import ReadAs, TableReading
from candide.reading.table_reading import AS_GIVEN
from candide.schema.axes import Axis, Classes, Columns
from candide.schema.cells import CellAxis, Cells, Levels
from candide.schema.column import Column
from candide.schema.combinations import Combinations
from candide.schema.same_level import truths
from candide.schema.tuples import TOGETHER, Tuples, check_memory

Array = np.ndarray[Any, Any]


@frozen
class Schema:
    """The columns in order, the class labels, the groups, and what was settled for each column.

    Parameters
    ----------
    columns : tuple of Column
    labels : Classes
        The class labels, and which of them are declared.
    target : str or None
        Name of the target column in a frame.
    groups : tuple of tuple of int
        Positions of the columns joined into one attribute.
    combinations : tuple of Combinations
        The combinations seen in each group.
    settled : Settled or None
        What was chosen for these columns; None before a model is made.
    together : 1, 2 or 3
        How many counted columns at the most are counted together, in all tuples of so many.
    reading : TableReading
        How the columns that are given are read; `columns` are what is made of them.
    """

    columns: tuple[Column, ...]
    labels: Classes
    target: str | None = None
    groups: tuple[tuple[int, ...], ...] = ()
    combinations: tuple[Combinations, ...] = ()
    settled: Any = field(default=None, repr=False)
    together: int = 1
    reading: TableReading = field(default_factory=TableReading, repr=False)

    def __repr__(self) -> str:
        shown = [f"{c.name}: {self.choice(c.name) if self.settled else c.counted_as}" for c in self.columns[:20]]
        more = f", and {len(self.columns) - 20} more" if len(self.columns) > 20 else ""
        return f"Schema(classes=[{few_of(self.classes.tolist())}], {', '.join(shown)}{more})"

    @property
    def classes(self) -> Array:
        """The class labels, sorted."""
        return self.labels.labels

    @cached_property
    def names(self) -> list[str | int]:
        """Names of the columns, in order."""
        return [c.name for c in self.columns]

    @property
    def given_names(self) -> list[str | int]:
        """Names of the columns as they are given, in order; those of `names`, where each is one of them."""
        return list(self.reading.names) if self.reading else self.names

    @property
    def reading_as_taken(self) -> TableReading:
        """How columns are read, in words that fit what the model takes them for."""
        return self.reading.as_taken({column.name for column in self.columns if column.kind == "numbers"})

    @property
    def used_names(self) -> list[str | int]:
        """The given columns that something is learnt from."""
        left_out = set(self.reading.left_out)
        return [name for name in self.given_names if name not in left_out]

    def without_types(self, positions: Collection[int]) -> Schema:
        """Return the schema by which cells of these columns are taken as they are written, whatever they are."""
        given = self.given_names
        alone = {self.names[j] for j in positions}.intersection(given).difference(self.reading)
        if not alone:
            return self
        columns = {**self.reading.columns, **dict.fromkeys(alone, ReadAs(AS_GIVEN))}
        return replace(self, reading=TableReading(tuple(given), columns))

    @property
    def class_name(self) -> str:
        """What the class is called among the columns: the target's name, or "class" where it has none."""
        return self.target or ("class" if "class" not in self.names else "(class)")

    @cached_property
    def has_blank(self) -> bool:
        """Whether there is a column of which nothing but missing cells was seen."""
        return any(column.blank for column in self.columns)

    @cached_property
    def truths(self) -> dict[int, dict[Any, int]]:
        """The columns whose levels are no and yes, and nothing else, with the codes 0 and 1 of these."""
        symbols = {
            j: c.levels.tolist() for j, c in enumerate(self.columns) if c.kind == "symbols" and c.levels is not None
        }
        found = ((j, truths(levels)) for j, levels in symbols.items() if len(levels) == 2)
        return {j: {level: int(means) for means, level in told.items()} for j, told in found if told}

    @cached_property
    def level_axes(self) -> dict[int, Levels]:
        """The axes of the columns of levels that have some, by position."""
        axes = {j: column.axis for j, column in enumerate(self.columns) if column.kind == "symbols"}
        return {j: axis for j, axis in axes.items() if isinstance(axis, Levels) and len(axis.levels)}

    # -- what was settled ------------------------------------------------------------------------------------------

    @property
    def choices(self) -> tuple[Any, ...]:
        """The distribution of each column with its cut points, as the model uses it; empty before a model is made."""
        return () if self.settled is None else self.settled.distributions

    def choice(self, name: str | int) -> Any:
        """Return the distribution that the model uses for a column, with its cut points."""
        return self._settled("choice").distributions[self.position(name)]

    def score(self, name: str | int) -> dict[str, float]:
        """Return the leave-one-out score of every candidate for a column; empty where nothing was chosen."""
        return dict(self._settled("score").scores[self.position(name)])

    def _settled(self, what: str) -> Any:
        if self.settled is None:
            raise ValueError(f"nothing was settled yet: ask the {what} of a fitted model's schema_")
        return self.settled

    def position(self, name: str | int) -> int:
        """Return the position of a column."""
        if name not in self.names:
            raise ValueError(unknown("column", name, self.names))
        return self.names.index(name)

    # -- axes --------------------------------------------------------------------------------------------------------

    @cached_property
    def kept(self) -> dict[str, Array]:
        """Positions of the columns that each part of the statistics is kept of."""
        parts: dict[str, list[int]] = {}
        for j, column in enumerate(self.columns):
            for part in column.keeps:
                parts.setdefault(part, []).append(j)
        return {part: np.array(positions, dtype=np.int64) for part, positions in parts.items()}

    def keeping(self, part: str) -> Array:
        """Return the positions of the columns that a part is kept of."""
        return self.kept.get(part, np.zeros(0, dtype=np.int64))

    @cached_property
    def slots(self) -> dict[str, Array]:
        """Position of each column among the columns of a part, by part."""
        out = {}
        for part, positions in self.kept.items():
            out[part] = np.full(len(self.columns), -1, dtype=np.int64)
            out[part][positions] = np.arange(len(positions))
        return out

    @cached_property
    def cells(self) -> Cells:
        """The cells of the counted columns, flat."""
        counted = [self.columns[j] for j in self.keeping("cells")]
        return Cells(tuple(c.name for c in counted), tuple(c.axis for c in counted if c.axis is not None))

    def cells_of(self, position: int) -> slice:
        """Return the flat range of a counted column's cells, the missing one first."""
        return self.cells.slice(int(self.slots["cells"][position]))

    @cached_property
    def axes(self) -> dict[str, Axis]:
        """Every axis by name: classes, cells, tuples of them, words, columns of other parts, combinations of groups."""
        axes: dict[str, Any] = {"classes": self.labels, "cells": self.cells}
        for part, positions in self.kept.items():
            if part == "words":
                axes |= {f"words {j}": self.columns[j].axis for j in positions}
            elif part != "cells":
                axes[f"columns of {part}"] = Columns(tuple(self.columns[j].name for j in positions))
        for g, combinations in enumerate(self.combinations):
            axes[f"combinations {g}"] = combinations
        for order in range(2, self.together + 1):
            axes[TOGETHER[order]] = Tuples(self.cells, order)
        return axes

    def members(self, group: Sequence[int]) -> list[int]:
        """Return the counted columns of a group."""
        return [j for j in group if self.columns[j].axis is not None]

    def densities(self, group: Sequence[int]) -> list[int]:
        """Return the columns of a group that are not counted: its density column, where it has one."""
        return [j for j in group if self.columns[j].axis is None]

    # -- algebra -----------------------------------------------------------------------------------------------------

    def check_names(self, names: Sequence[str | int]) -> None:
        """Refuse a table whose columns are not these, in this order."""
        own, others = self.names, list(names)
        if own != others:
            odd = set(own) ^ set(others)
            told = few_of([name for name in [*own, *others] if name in odd] or others)
            raise ValueError(f"the two tables do not have the same columns in the same order: {told}")

    def union(self, other: Schema) -> Schema:
        """Return the schema that holds both: levels, values, combinations and classes united."""
        if self is other:
            return self
        self.check_names(other.names)
        if self.groups != other.groups:
            raise ValueError("the two models join different groups of columns")
        if self.together != other.together:
            raise ValueError("the two models count different numbers of columns together: fit both with one estimator")
        columns = tuple(a.union(b) for a, b in zip(self.columns, other.columns, strict=True))
        combinations = tuple(
            a.united(b, axes_of(columns, self.members(group)))
            for a, b, group in zip(self.combinations, other.combinations, self.groups, strict=True)
        )
        labels = self.labels.union(other.labels)
        for order in range(2, self.together + 1):
            check_memory([c.axis.size for c in columns if c.axis is not None], labels.size, order)
        reading = self.reading.union(other.reading)
        target = self.target or other.target
        return Schema(columns, labels, target, self.groups, combinations, together=self.together, reading=reading)

    def take(self, keep: Mapping[str, Array]) -> Schema:
        """Return the schema of the entries of masks, by axis; a column left blank has the form of any blank column."""
        columns = list(self.columns)
        for i, j in enumerate(self.keeping("cells")):
            axis = self.cells.axes[i].take(keep["cells"][self.cells.slice(i)])
            if axis is not columns[j].axis:
                columns[j] = replace(columns[j], axis=axis)
            columns[j] = columns[j].cleared()
        for j in self.keeping("words"):
            axis = columns[j].axis
            assert axis is not None
            if f"words {j}" in keep:  # all buckets are left, and no mask says so
                columns[j] = replace(columns[j], axis=axis.take(keep[f"words {j}"]))
        combinations = tuple(
            c.take(keep[f"combinations {g}"]).moved(axes_of(columns, self.members(self.groups[g])))
            for g, c in enumerate(self.combinations)
        )
        return replace(
            self, columns=tuple(columns), labels=self.labels.take(keep["classes"]), combinations=combinations
        )


def axes_of(columns: Sequence[Column], positions: Sequence[int]) -> tuple[CellAxis, ...]:
    """Return the axes of counted columns."""
    axes = (columns[j].axis for j in positions)
    return tuple(axis for axis in axes if axis is not None)
