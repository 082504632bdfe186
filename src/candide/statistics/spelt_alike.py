"""Sums of models that spell levels otherwise: "1.0" adds to "1", and "YES" to "yes", as later rows do.

`known_numbers` and `known_truths` find the level that a cell of a later row is. Here the same is asked of the levels of
another model, and its statistics are moved: counts of spellings that mean one level are added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import Any

from candide.frozen import frozen
from candide.reading.looking import as_reading
from candide.reading.table_reading import TableReading
from candide.schema.cells import MISSING, Levels
from candide.schema.known_numbers import known_level
from candide.schema.known_truths import known_truths
from candide.schema.schema import Schema, axes_of
from candide.statistics.learnt import Learnt


@frozen
class SpelledLevels(Levels):
    """Levels that are found by other spellings, too: by their positions among the levels, −1 for a missing cell."""

    others: Mapping[Any, int] = field(default_factory=dict)

    @cached_property
    def place(self) -> dict[Any, int]:
        """Position of each level, and of the level that each of the other spellings is."""
        return {**{level: v for v, level in enumerate(self.levels.tolist())}, **self.others}


def spelt_alike(learnt: Learnt, known: Schema, reading: Any, forgetting: bool = False) -> Learnt:
    """Return what was learnt with its levels spelt as a schema has them.

    Parameters
    ----------
    learnt : Learnt
    known : Schema
        That of the model which it is added to, or taken from.
    reading : "auto", "plain", a mapping or a TableReading
        As that model reads columns: texts of one that is taken as it is written stay apart.
    forgetting : bool
        Whether it is taken away.
    """
    schema = learnt.schema
    if schema.names != known.names:
        return learnt  # which the sum refuses
    respelt = dict(_respelt(schema, known, reading, forgetting))
    if not respelt:
        return learnt
    found = _with_axes(schema, respelt)
    statistics = learnt.statistics.align(schema, found)
    plain = {j: Levels(axis.levels, axis.declared, axis.kept) for j, axis in respelt.items()}
    return replace(learnt, schema=_with_axes(found, plain), statistics=statistics)


def _respelt(schema: Schema, known: Schema, reading: Any, forgetting: bool) -> Iterator[tuple[int, Levels]]:
    """Yield the positions of columns some of whose levels another model spells otherwise, and all of its own so."""
    strange = [j for j, axis in schema.level_axes.items() if _is_strange(schema, j, axis, known.level_axes.get(j))]
    truths = known_truths(known, reading, forgetting) if strange else {}
    asked = as_reading(reading, known.given_names) if strange and not isinstance(reading, TableReading) else {}
    for j in strange:
        axis = schema.level_axes[j]
        written = known.reading.origin(known.columns[j].name) in asked
        as_number = known_level(known.level_axes[j], written)
        as_truth: Callable[[Any], Any] = truths[j].level if j in truths else lambda level: level
        meant = {level: as_number(as_truth(level)) for level in axis.levels.tolist()}
        if all(type(level) is type(other) and level == other for level, other in meant.items()):
            continue
        kept = frozenset(meant[level] for level in axis.kept if meant[level] is not None)
        levels = Levels.of([], [level for level in meant.values() if level is not None], kept)
        others = {level: levels.place.get(other, MISSING) for level, other in meant.items()}
        yield j, SpelledLevels(levels.levels, 0, levels.kept, others)


def _is_strange(schema: Schema, j: int, axis: Levels, known: Levels | None) -> bool:
    """Whether a column has levels that another model's does not have, and that nobody declared."""
    return known is not None and not schema.columns[j].declared and not known.place.keys() >= axis.place.keys()


def _with_axes(schema: Schema, axes: Mapping[int, Levels]) -> Schema:
    """Return a schema some of whose columns have other axes, and its combinations over these."""
    columns = tuple(replace(column, axis=axes.get(j, column.axis)) for j, column in enumerate(schema.columns))
    combinations = tuple(
        c.moved(axes_of(columns, schema.members(group)))
        for c, group in zip(schema.combinations, schema.groups, strict=True)
    )
    return replace(schema, columns=columns, combinations=combinations)
