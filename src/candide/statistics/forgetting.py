"""Forgetting: what cannot be subtracted is refused, entry by entry, and lost digits are told."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from candide.arithmetic import ROUNDED
from candide.schema.axes import Axis
from candide.schema.schema import Schema
from candide.statistics.base import layout
from candide.statistics.same_rows import of_other_rows
from candide.statistics.statistics import Statistics

Array = np.ndarray[Any, Any]


class PrecisionWarning(UserWarning):
    """Few digits of a moment are left: by a subtraction, or since squares of small numbers vanish."""


def check_known(old: Schema, batch: Schema) -> None:
    """Refuse to forget classes, levels, values or combinations that were never learnt."""
    for name, axis in batch.axes.items():
        index = old.axes[name].index(axis)
        if index is not None and (index < 0).any():
            raise ValueError(f"cannot forget {axis.tell(int((index < 0).argmax()))}: no such row was learnt")


def check_difference(before: Statistics, gone: Statistics, left: Statistics, schema: Schema) -> None:
    """Refuse a difference that proves that rows are forgotten that were never learnt: counts below zero, moments that
    no rows have, and words and numbers of more rows than are left.
    """
    for name, part in layout(schema):
        if name not in left:
            continue
        axes = [schema.axes[axis] for axis in part.axes]
        short = left[name].first_below()
        if short is not None:
            raise ValueError(f"cannot forget {counted_in(axes, short)} more often than it was learnt")
        strange = before[name].cannot_hold(gone[name]) if name in gone else None
        if strange is not None and strange.any():
            raise ValueError(f"cannot forget these numbers in {first_of(axes, strange)}: no such rows were learnt")
    for _, of, wrong in of_other_rows(left, schema, ROUNDED * before["classes"].table):
        if wrong.any():
            label = schema.labels.tell(int(wrong.argmax()))
            raise ValueError(
                f"cannot forget these rows of {label}: more rows{of} would be left than there are; no such rows were "
                "learnt"
            )


def first_of(axes: list[Axis], where: Array) -> str:
    """Name the first entry of a mask by its axes, the class last."""
    return entry_of(axes, [int(i[0]) for i in np.nonzero(where)])


def entry_of(axes: list[Axis], entry: Sequence[int]) -> str:
    """Name an entry by its axes, the class last."""
    return of_class([axis.tell(i) for axis, i in zip(axes, entry, strict=True)])


def counted_in(axes: list[Axis], entry: Sequence[int]) -> str:
    """Name what is counted in an entry, the class last."""
    return of_class([axis.tell_counted(i) for axis, i in zip(axes, entry, strict=True)])


def of_class(names: list[str]) -> str:
    """Put names together, the first of which is that of the class."""
    if len(names) == 1:
        return f"a row of {names[0]}"
    return " and ".join(names[1:]) + f" for {names[0]}"


def warn_lost(before: Statistics, after: Statistics, schema: Schema) -> None:
    """Warn of columns whose moments lost their digits in a subtraction."""
    for name, part in layout(schema):
        by_column = schema.axes[part.axes[-1]].by_column
        lost = after[name].lost(before[name]) if name in after and by_column else None
        if lost is not None and lost.any():
            names = ", ".join(f"column {column!r}" for column, at in by_column if lost[:, at].any())
            warnings.warn(
                f"forgetting left few digits of the variance of {names}: the rows forgotten were far larger than those "
                "that remain; refit on them to regain precision",
                PrecisionWarning,
                stacklevel=5,
            )
