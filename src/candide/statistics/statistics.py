"""All statistics of a table under one schema, as one value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from candide.frozen import frozen
from candide.schema.schema import Schema
from candide.statistics.base import Part, layout

Array = np.ndarray[Any, Any]


@frozen
class Statistics:
    """Arrays whose axes have names, by part: zero, `+`, `−`, scaling. A part that is not there is zero.

    Examples
    --------
    >>> from candide import NaiveBayes
    >>> nb = NaiveBayes(distributions="normal").fit([[1.0], [3.0], [8.0]], ["a", "a", "b"])
    >>> nb.statistics_["classes"].table, nb.statistics_["moments"].mean.tolist()
    (array([2, 1]), [[2.0], [8.0]])
    """

    parts: Mapping[str, Any]

    @classmethod
    def zero(cls, schema: Schema) -> Statistics:
        """Return the statistics of no rows."""
        return cls.of(schema, {})

    @classmethod
    def of(cls, schema: Schema, parts: Mapping[str, Any]) -> Statistics:
        """Return the statistics of some parts; all others that a schema has are zero."""
        laid_out = {
            name: parts[name] if name in parts else part.type.zero(*part.shape(schema))
            for name, part in layout(schema)
            if not part.optional
        }
        return cls({**laid_out, **parts})

    def __getitem__(self, part: str) -> Any:
        return self.parts[part]

    def __contains__(self, part: str) -> bool:
        return part in self.parts

    def map(self, function: Callable[[Any], Any]) -> Statistics:
        """Apply a function to every part."""
        return Statistics({name: function(part) for name, part in self.parts.items()})

    def __add__(self, other: Statistics) -> Statistics:
        return Statistics(
            {
                name: self[name] + other[name]
                if name in self and name in other
                else (self if name in self else other)[name]
                for name in {**self.parts, **other.parts}
            }
        )

    def __sub__(self, other: Statistics) -> Statistics:
        mine = {name: part - other[name] if name in other else part for name, part in self.parts.items()}
        rest = {name: part.scale(0) - part for name, part in other.parts.items() if name not in self}
        return Statistics({**mine, **rest})

    def scale(self, factor: float) -> Statistics:
        """Multiply every weight by a number."""
        return self.map(lambda part: part.scale(factor))

    def _each(self, schema: Schema, function: Callable[[Any, int, str], Any]) -> Statistics:
        """Apply a function of (part, axis number, axis name) to every axis of every part, in turn."""
        out = dict(self.parts)
        for name, part in layout(schema):
            for number, axis in enumerate(part.axes) if name in out else ():
                out[name] = function(out[name], number, axis)
        return Statistics(out)

    def align(self, old: Schema, new: Schema) -> Statistics:
        """Rewrite statistics made under `old` as statistics under `new`, which holds all of `old`."""
        if old is new:
            return self
        index = {axis: new.axes[axis].index(old.axes[axis]) for axis in new.axes}

        def move(part: Any, number: int, axis: str) -> Any:
            moved = index[axis]
            return part if moved is None else part.move(number, moved, new.axes[axis].size)

        return self._each(new, move)

    def prune(self, schema: Schema) -> tuple[Schema, Statistics]:
        """Leave out undeclared entries in which nothing is counted, so that forgetting is exact."""
        keep = self._left(schema)
        left_out = {axis for axis, mask in keep.items() if not mask.all()}
        if not left_out and not schema.has_blank:
            return schema, self

        def take(part: Any, number: int, axis: str) -> Any:
            return part.take(number, keep[axis]) if axis in left_out else part

        return schema.take(keep), self._each(schema, take)

    def _left(self, schema: Schema) -> dict[str, Array]:
        """Return which entries of axes are left; all are of those that are not named."""
        keep: dict[str, Array] = {}
        for name, part in layout(schema):
            for number, axis in enumerate(part.axes):
                if axis not in keep and name in self:
                    left = schema.axes[axis].left(partial(self[name].used, number), keep)
                    keep |= {} if left is None else {axis: left}
        return keep

    def check(self, schema: Schema) -> None:
        """Refuse statistics that are not of a schema's axes."""
        wanted: dict[str, Part] = dict(layout(schema))
        for name in self.parts:
            if name not in wanted:
                raise ValueError(f"the statistics hold {name!r}, which the schema does not ask for")
        for name, part in wanted.items():
            if name not in self and not part.optional:
                raise ValueError(f"the statistics do not hold {name!r}, which the schema asks for")
            if name in self and self[name].shape != part.shape(schema):
                shape = part.shape(schema)
                raise ValueError(f"the statistics hold {name} of shape {self[name].shape}, and the schema says {shape}")
