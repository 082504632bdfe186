"""What was learnt: statistics, and the schema that says what they are of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from candide.frozen import frozen
from candide.schema.axes import Classes
from candide.schema.schema import Schema, axes_of
from candide.statistics.forgetting import check_difference, check_known, warn_lost
from candide.statistics.guarantee import Guarantee, composed
from candide.statistics.statistics import Statistics
from candide.table.weights import LARGEST_TOTAL

Array = np.ndarray[Any, Any]


LARGEST_WEIGHT = 2.0**62
"""The weight of all rows that whole numbers can count."""


@frozen
class Learnt:
    """Statistics under a schema: a value with `+`, `−` and scaling.

    Parameters
    ----------
    schema : Schema
    statistics : Statistics
    guarantee : Guarantee or None
        The noise in the statistics, and what it promises to their rows; None where they are exact.
    """

    schema: Schema
    statistics: Statistics
    guarantee: Guarantee | None = None

    @classmethod
    def zero(cls, schema: Schema) -> Learnt:
        """Return what no rows teach, under a schema."""
        return cls(schema, Statistics.zero(schema))

    @property
    def weight(self) -> float:
        """The weight of all rows."""
        return float(self.statistics["classes"].table.sum(dtype=np.float64))

    @property
    def is_whole(self) -> bool:
        """Whether rows are counted in whole numbers."""
        return bool(self.statistics["classes"].table.dtype.kind == "i")

    def under(self, schema: Schema) -> Statistics:
        """Return the statistics under a schema that holds this one."""
        return self.statistics.align(self.schema, schema)

    def __add__(self, other: Learnt) -> Learnt:
        if self.weight + other.weight > LARGEST_WEIGHT and self.is_whole and other.is_whole:
            raise ValueError(
                f"rows that weigh {self.weight:g} and {other.weight:g} are together more than can be counted: scale "
                "them down first, as in 0.5 * model"
            )
        schema = self.schema.union(other.schema)
        guarantee = composed(self.guarantee, other.guarantee, self.has_exact_rows or other.has_exact_rows)
        return Learnt(schema, self.under(schema) + other.under(schema), guarantee).pruned()

    @property
    def has_exact_rows(self) -> bool:
        """Whether there are rows, and none of them has noise."""
        return self.guarantee is None and bool(self.statistics["classes"].table.any())

    def with_exact_rows(self) -> Learnt:
        """Return the same, after something was settled on rows without noise: nothing is promised to those."""
        if self.guarantee is None or self.guarantee.exact:
            return self
        return replace(self, guarantee=replace(self.guarantee, exact=True))

    def __sub__(self, other: Learnt) -> Learnt:
        if self.guarantee is not None or other.guarantee is not None:
            raise ValueError(
                "rows cannot be taken back from a private model, whose noise hides them: forget them in the model that "
                "it was made of, and make a new one private, which spends its budget again"
            )
        schema = self.schema.union(other.schema)
        check_known(self.schema, other.schema)
        before, gone = self.under(schema), other.under(schema)
        after = before - gone
        check_difference(before, gone, after, schema)
        warn_lost(before, after, schema)
        return Learnt(schema, after).pruned()

    def scale(self, factor: float) -> Learnt:
        """Multiply every weight."""
        if not np.isfinite(factor) or factor < 0:
            raise ValueError(f"statistics are scaled by a number that is not negative, not by {factor!r}")
        if self.weight * factor > LARGEST_TOTAL["f"]:
            raise ValueError(f"rows that weigh {self.weight:g} are more than can be counted times {factor:g}")
        return replace(self, statistics=self.statistics.scale(factor)).pruned()

    def pruned(self) -> Learnt:
        """Leave out undeclared entries without weight."""
        schema, statistics = self.statistics.prune(self.schema)
        return self if schema is self.schema else replace(self, schema=schema, statistics=statistics)

    def adopting(self, schema: Schema) -> Learnt:
        """Return what was learnt under a given schema: its domains are there even where none occurred."""
        return Learnt.zero(replace(kept(schema), together=self.schema.together)) + self

    def with_classes(self, labels: Array) -> Learnt:
        """Declare classes: they are there even if no row shows them."""
        known = self.schema.labels
        if known.stays.any():
            strange = [label for label in labels.tolist() if label not in known.labels.tolist()]
            if strange:
                raise ValueError(
                    f"`classes={labels.tolist()!r}` is not the same as on last call to partial_fit, was: "
                    f"{known.labels.tolist()!r}"
                )
        base = replace(self.schema, labels=Classes(labels, np.ones(len(labels), dtype=bool)))
        return Learnt.zero(base) + self


def kept(schema: Schema) -> Schema:
    """Return a schema whose classes, levels and combinations stay, with the values that combinations need."""
    grouped = {j for group in schema.groups for j in group}
    columns = tuple(
        c if c.axis is None or (c.kind == "numbers" and j not in grouped) else replace(c, axis=c.axis.keep())
        for j, c in enumerate(schema.columns)
    )
    combinations = tuple(
        replace(c, members=axes_of(columns, schema.members(group)), stays=np.ones(c.size, dtype=bool))
        for c, group in zip(schema.combinations, schema.groups, strict=True)
    )
    labels = Classes(schema.classes, np.ones(len(schema.classes), dtype=bool))
    return replace(schema, columns=columns, labels=labels, combinations=combinations, settled=None)
