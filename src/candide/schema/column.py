"""A column: its name, what is read from it, what is kept of it, and the cells it is counted in."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np

from candide.frozen import frozen
from candide.schema.cells import CellAxis, Levels, UnlikeAxesError
from candide.schema.cells import blank as blank_axis
from candide.schema.lattice import Lattice, UnlikeGridsError
from candide.table.table import Kind

__all__ = ["Column", "Kind"]

Array = np.ndarray[Any, Any]


@frozen
class Column:
    """One column.

    Parameters
    ----------
    name : str or int
        Name in a frame, position in an array.
    kind : "symbols", "numbers" or "bags"
        What the cells are.
    keeps : tuple of str
        The parts of the statistics that are kept of it, such as ("cells",) or ("moments", "log_x").
    axis : CellAxis or None
        The cells it is counted in, or the words of its documents; None where it is not counted.
    missing : bool
        Whether a missing cell is in the domain though none may have been seen.
    """

    name: str | int
    kind: Kind
    keeps: tuple[str, ...]
    axis: CellAxis | None = None
    missing: bool = False

    @property
    def levels(self) -> Array | None:
        """What stands for each cell but the missing one; None where the column is not counted."""
        return self.axis.levels if self.counted and self.axis is not None else None

    @property
    def counted(self) -> bool:
        """Whether every row falls into one of the column's cells; a document falls into many words."""
        return self.axis is not None and self.kind != "bags"

    @property
    def declared(self) -> int:
        """How many levels are a declared domain."""
        return self.axis.declared if isinstance(self.axis, Levels) else 0

    @property
    def own_kind(self) -> Kind:
        """What the cells are where no rule says: undeclared levels that are numbers were made so by one."""
        made = isinstance(self.axis, Levels) and not self.declared and self.axis.are_numbers
        return "numbers" if made else self.kind

    @property
    def closed(self) -> bool:
        """Whether its levels are a declared domain, and nothing but."""
        return self.axis is not None and 0 < self.declared == self.axis.size - 1

    @property
    def blank(self) -> bool:
        """Whether nothing but missing cells was seen, which tells neither numbers nor symbols."""
        return self.counted and self.axis is not None and blank_axis(self.axis)

    @property
    def counted_as(self) -> str:
        """What is kept of the column, in a word for a message."""
        return "+".join(self.keeps) if self.axis is None else type(self.axis).__name__.lower()

    def serves(self, kind: Kind, needs: Collection[str]) -> bool:
        """Whether what is kept serves a distribution of a kind that reads these parts: counted numbers serve all."""
        if self.axis is not None and self.kind == "numbers":
            return kind == "numbers"
        return kind == self.kind and set(needs) <= set(self.keeps)

    def cleared(self) -> Column:
        """Return a blank column in the one form that such a column has, whatever it held before."""
        if not self.blank or isinstance(self.axis, Lattice):
            return self
        return replace(self, kind="numbers", axis=Lattice.empty())

    def union(self, other: Column) -> Column:
        """Return the column that holds the cells of both."""
        if self is other:
            return self
        missing = self.missing or other.missing
        if self.axis is not None and other.axis is not None:
            return self._united(other, missing)
        if (self.name, self.kind, self.keeps) != (other.name, other.kind, other.keeps):
            raise ValueError(self._unlike(other))
        return self if missing == self.missing else replace(self, missing=missing)

    def _united(self, other: Column, missing: bool) -> Column:
        assert self.axis is not None
        assert other.axis is not None
        try:
            axis = self.axis.union(other.axis)
        except UnlikeGridsError:
            raise ValueError(
                f"column {self.name!r} was counted on a grid of its own (structures cut numbers where their first rows "
                "tell; so did release 0.1 beyond 10,000 values, and edges are given by schema=), which does not add to "
                "other cells: fit both models with the same schema=, or teach one the rows of the other by partial_fit"
            ) from None
        except UnlikeAxesError:
            raise ValueError(self._unlike(other)) from None
        if axis is self.axis and missing == self.missing:
            return self
        kind = other.kind if self.blank else self.kind
        return Column(self.name, kind, self.keeps, axis, missing)

    def _unlike(self, other: Column) -> str:
        if self.kind == other.kind == "bags":
            return (
                f"column {self.name!r} has words of two kinds: {self.axis.analyzer!r} on one side and "  # type: ignore[union-attr]
                f"{other.axis.analyzer!r} on the other; fit both with the same preprocessing"  # type: ignore[union-attr]
            )
        return (
            f"column {self.name!r} is kept as {self.counted_as} of {self.kind} on one side and as {other.counted_as} "
            f"of {other.kind} on the other: fit both with the same distributions, or give one the other's schema="
        )
