"""Schema: the columns' kinds, levels and grids, and the class labels. Levels belong here, never to a statistic."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

Array = np.ndarray[Any, Any]
Storage = Literal["levels", "values", "moments", "log_moments", "totals"]

SERVES: dict[str, tuple[Storage, ...]] = {
    "values": ("values", "moments", "log_moments", "totals"),
    "log_moments": ("log_moments", "moments"),
}
"""What can be read from a statistic besides itself."""

EXACT_VALUES = 10_000
"""Distinct values of a numeric column that are counted one by one; beyond, a grid of as many cells is frozen."""

WIDEST = EXACT_VALUES // 2
"""Gaps between values that a frozen grid never closes."""


@dataclass(frozen=True, eq=False)
class Column:
    """One column: its name, what is read from it, and the domain of what is counted.

    Parameters
    ----------
    name : str or int
        Name in a frame, position in an array.
    kind : "symbols" or "numbers"
        What the cells are.
    storage : str
        Which statistic is kept: levels, values (distinct numbers), moments, log_moments (of x and log x), totals.
    levels : ndarray or None
        The levels counted; for values ascending numbers, or the upper edges of a frozen grid's cells.
    declared : int
        How many of the first levels are a declared domain: they stay even when their count is zero.
    frozen : bool
        Whether the levels are the edges of a grid; then one cell more lies above the last edge.
    """

    name: str | int
    kind: Literal["symbols", "numbers"]
    storage: Storage
    levels: Array | None = None
    declared: int = 0
    frozen: bool = False

    @property
    def n_cells(self) -> int:
        """How many cells the column's counts have."""
        return 0 if self.levels is None else len(self.levels) + self.frozen

    @property
    def blank(self) -> bool:
        """Whether nothing but missing cells was seen, which tells neither numbers nor symbols."""
        return self.levels is not None and not len(self.levels)

    @cached_property
    def index(self) -> dict[Any, int]:
        """Position of each level."""
        return {} if self.levels is None else {level: j for j, level in enumerate(self.levels.tolist())}

    @cached_property
    def coded(self) -> bool:
        """Whether the levels are 0, 1, 2, ...: then a cell is its own code."""
        return self.levels is not None and self.levels.tolist() == list(range(len(self.levels)))

    @property
    def cell_values(self) -> Array:
        """A number that stands for each cell: the value itself, or the upper edge of a grid's cell.

        What lies above a grid stands just above its last edge, so that a cut can part the two.
        """
        assert self.levels is not None
        return np.append(self.levels, np.nextafter(self.levels[-1], np.inf)) if self.frozen else self.levels

    def same_domain(self, other: Column) -> bool:
        """Whether both count the same cells."""
        if (self.frozen, self.declared) != (other.frozen, other.declared):
            return False
        if self.levels is other.levels:
            return True
        assert self.levels is not None
        assert other.levels is not None
        return len(self.levels) == len(other.levels) and bool((self.levels == other.levels).all())

    def cells_of(self, other: Column) -> Array:
        """Return, for each cell of `other`, the cell of this column that holds it."""
        assert self.levels is not None
        assert other.levels is not None
        if self.storage == "values":
            return np.searchsorted(self.levels, other.cell_values, side="left")
        return np.array([self.index[level] for level in other.levels.tolist()], dtype=np.int64)

    def union(self, other: Column) -> Column:
        """Return the column whose domain holds both domains."""
        if self.blank != other.blank and {self.storage, other.storage} == {"levels", "values"}:
            return other if self.blank else self
        if (self.name, self.kind, self.storage) != (other.name, other.kind, other.storage):
            raise ValueError(
                f"column {self.name!r} is kept as {self.storage} of {self.kind} on one side and as {other.storage} of "
                f"{other.kind} on the other: fit both with the same distributions, or give one the other's schema="
            )
        if self.levels is None or other.levels is None or self.same_domain(other) or self.holds(other):
            return self
        if self.storage == "values":
            return self._union_values(other)
        declared = declared_levels(self.levels[: self.declared], other.levels[: other.declared])
        return self.with_levels(declared, [*self.levels.tolist(), *other.levels.tolist()])

    def holds(self, other: Column) -> bool:
        """Whether every level of `other` is here already, and nothing more is declared there."""
        assert other.levels is not None
        if self.frozen or other.frozen or other.declared > 0 or len(other.levels) > len(self.index):
            return False
        return all(level in self.index for level in other.levels.tolist())

    def _union_values(self, other: Column) -> Column:
        assert self.levels is not None
        assert other.levels is not None
        if self.frozen and other.frozen:
            raise ValueError(
                f"column {self.name!r} was counted on two different grids of more than {EXACT_VALUES} values, which do "
                "not add: fit one of the models with schema=other.schema_"
            )
        if self.frozen or other.frozen:
            return self if self.frozen else other
        return with_values(self, np.union1d(self.levels, other.levels))

    def with_levels(self, declared: Sequence[Any], seen: Iterable[Any]) -> Column:
        """Return this column with a declared domain and, behind it, the other levels seen, in order."""
        rest = sorted(set(seen).difference(declared), key=sort_key)
        return replace(self, levels=object_array([*declared, *rest]), declared=len(declared))


def declared_levels(a: Array, b: Array) -> list[Any]:
    """Unite two declared domains; their order is kept where one continues the other."""
    pair: list[list[Any]] = sorted((a.tolist(), b.tolist()), key=len, reverse=True)
    first, second = pair
    if first[: len(second)] == second:
        return first
    return sorted({*first, *second}, key=sort_key)


def sort_key(level: Any) -> tuple[str, Any]:
    """Order levels of mixed kinds: numbers first, then text, then everything else by its text."""
    if isinstance(level, (bool, int, float)):
        return ("", level)
    return ("t", level) if isinstance(level, str) else ("x" + type(level).__name__, repr(level))


def object_array(items: Sequence[Any]) -> Array:
    """Return a one-dimensional array of Python objects, tuples included."""
    out = np.empty(len(items), dtype=object)
    out[:] = items
    return out


def with_values(column: Column, values: Array) -> Column:
    """Return the column counting these ascending values, on a frozen grid where they are too many.

    The edges of the grid are values seen: those below the widest gaps, so that no row is counted far from where it is
    (at the next outlier it would move the moments and the tails), and others evenly spaced in rank.
    """
    if len(values) <= EXACT_VALUES:
        return replace(column, levels=values, frozen=False)
    last = len(values) - 1
    gaps = values[1:] / 2 - values[:-1] / 2  # halves, which cannot overflow
    below_gaps = np.argpartition(gaps, last - WIDEST)[last - WIDEST :]
    even = np.linspace(0, last, EXACT_VALUES - 1 - WIDEST).round().astype(np.int64)
    rank = np.union1d(below_gaps, even)
    return replace(column, levels=values[rank], frozen=True)


@dataclass(frozen=True, eq=False)
class Schema:
    """The columns in order, the class labels, and what was chosen for each column.

    Parameters
    ----------
    columns : tuple of Column
    classes : ndarray
        Sorted labels.
    declared : ndarray of bool
        Which classes stay even when their count returns to zero.
    target : str or None
        Name of the target column in a frame.
    groups : tuple of tuple of int
        Positions of the columns joined into one attribute.
    choices : tuple
        The distribution of each column with its cut points, as the model uses it; empty before a model is made.
    scores : tuple of mapping
        How well every candidate did where the distribution was chosen automatically.
    absent : tuple of bool
        In which columns a missing cell was seen, and so may be a level; empty before a model is made.
    combinations : tuple of tuple
        The values of each group's attribute, as the model uses it; empty before a model is made.
    """

    columns: tuple[Column, ...]
    classes: Array
    declared: Array
    target: str | None = None
    groups: tuple[tuple[int, ...], ...] = ()
    choices: tuple[Any, ...] = field(default=(), repr=False)
    scores: tuple[Any, ...] = field(default=(), repr=False)
    absent: tuple[bool, ...] = field(default=(), repr=False)
    combinations: tuple[tuple[Any, ...], ...] = field(default=(), repr=False)

    def __repr__(self) -> str:
        columns = ", ".join(
            f"{c.name}: {c.storage if not self.choices else self.choice(c.name)}" for c in self.columns[:20]
        )
        more = f", and {len(self.columns) - 20} more" if len(self.columns) > 20 else ""
        return f"Schema(classes={self.classes.tolist()}, {columns}{more})"

    def choice(self, name: str | int) -> Any:
        """Return the distribution that the model uses for a column, with its cut points."""
        return self.choices[self._position(name)]

    def score(self, name: str | int) -> dict[str, float]:
        """Return the leave-one-out score of every candidate for a column; empty where nothing was chosen."""
        return dict(self.scores[self._position(name)])

    def _position(self, name: str | int) -> int:
        if name not in self.names:
            raise ValueError(f"there is no column {name!r}; there are {self.names[:20]}")
        return self.names.index(name)

    @property
    def names(self) -> list[str | int]:
        """Names of the columns, in order."""
        return [c.name for c in self.columns]

    @cached_property
    def stored(self) -> dict[str, Array]:
        """Positions of the columns that each statistic is kept for."""
        kinds = np.array([c.storage for c in self.columns])
        where = {s: np.flatnonzero(kinds == s) for s in ("moments", "log_moments", "totals")}
        where["cells"] = np.flatnonzero((kinds == "levels") | (kinds == "values"))
        return where

    @cached_property
    def slot(self) -> Array:
        """Position of each column among the columns of its own statistic."""
        out = np.zeros(len(self.columns), dtype=np.int64)
        for positions in self.stored.values():
            out[positions] = np.arange(len(positions))
        return out

    @cached_property
    def offsets(self) -> Array:
        """Where the cells of each counted column begin, flat over columns."""
        sizes = [self.columns[j].n_cells for j in self.stored["cells"]]
        return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)

    def cells(self, position: int) -> slice:
        """Return the flat range of a counted column's cells."""
        j = self.slot[position]
        return slice(int(self.offsets[j]), int(self.offsets[j + 1]))

    def check_names(self, names: Sequence[str | int]) -> None:
        """Refuse a table whose columns are not these, in this order."""
        if self.names != names:
            missing = [n for n in self.names if n not in names] + [n for n in names if n not in self.names]
            raise ValueError(f"the two tables do not have the same columns in the same order: {missing or names}")

    def union(self, other: Schema) -> Schema:
        """Return the schema that holds both: levels and classes united."""
        if self is other:
            return self
        self.check_names(other.names)
        if self.groups != other.groups:
            raise ValueError("the two models join different groups of columns")
        classes, declared = union_classes(self, other)
        columns = tuple(a if a is b else a.union(b) for a, b in zip(self.columns, other.columns, strict=True))
        return Schema(columns, classes, declared, self.target or other.target, self.groups)

    def class_index(self, other: Schema) -> Array:
        """Return the position here of each class of `other`."""
        position = {label: j for j, label in enumerate(self.classes.tolist())}
        return np.array([position[label] for label in other.classes.tolist()], dtype=np.int64)


def union_classes(a: Schema, b: Schema) -> tuple[Array, Array]:
    """Unite two sorted arrays of labels of one type, and what is declared of them."""
    if len(a.classes) and len(b.classes) and label_kind(a.classes) != label_kind(b.classes):
        one, other = a.classes.tolist()[0], b.classes.tolist()[0]
        raise TypeError(f"class labels are of two types: {one!r} and {other!r}; convert them to one type")
    if len(a.classes) == len(b.classes) and bool((a.classes == b.classes).all()):
        return a.classes, a.declared | b.declared
    labels = [*a.classes.tolist(), *b.classes.tolist()]
    declared = set(a.classes[a.declared].tolist()) | set(b.classes[b.declared].tolist())
    classes = sorted(set(labels))
    dtype = object if object in (a.classes.dtype, b.classes.dtype) else np.result_type(a.classes, b.classes)
    return np.array(classes, dtype=dtype), np.array([c in declared for c in classes], dtype=bool)


def label_kind(classes: Array) -> str:
    """Name the type of labels: numbers, booleans, text or other."""
    if classes.dtype == object:
        return type(classes[0]).__name__
    return {"i": "number", "u": "number", "f": "number", "b": "bool", "U": "str"}.get(classes.dtype.kind, "other")
