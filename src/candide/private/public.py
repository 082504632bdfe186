"""What is public of a column: the cells that its rows are counted in, whatever the rows are.

Levels that were seen, and numbers as they occurred, tell of rows already. So a column of symbols has the levels that
were declared or are given, and a level outside is counted as missing; a column of numbers has cells between bounds that
are given, and a number outside is counted in the first or the last. Which cell a row falls into depends on that row
alone: one row more or less changes one count, by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from candide.messages import unknown
from candide.schema.cells import CellAxis, Levels
from candide.schema.column import Column
from candide.schema.lattice import Grid, Lattice
from candide.schema.schema import Schema

Array = np.ndarray[Any, Any]
Ends = tuple[float, float]


def public_bounds(schema: Schema, bounds: Any) -> dict[Any, Any]:
    """Return what is public of each column: a pair of numbers, or levels; a column of which nothing is is an error.

    Parameters
    ----------
    schema : Schema
    bounds : mapping of columns to (least, most) or levels, or one pair for all columns of numbers
    """
    given = bounds if isinstance(bounds, Mapping) else {}
    for name in given:
        if name not in schema.names:
            raise ValueError(f"bounds: {unknown('column', name, schema.names)}")
    for_all = None if isinstance(bounds, Mapping) or bounds is None else pair("bounds", bounds)
    out: dict[Any, Any] = {}
    for column in schema.columns:
        if column.kind == "bags":
            raise ValueError(
                f"column {column.name!r} holds documents: a row changes the counts of all its words, and no noise is "
                "made for that; leave the column out"
            )
        if is_symbols(column, given.get(column.name)):
            out[column.name] = public_levels(column, given.get(column.name))
        elif column.name in given:
            out[column.name] = pair(f"bounds of column {column.name!r}", given[column.name])
        elif for_all is not None:
            out[column.name] = for_all
        else:
            raise NoBoundsError(column.name)
    return out


class NoBoundsError(ValueError):
    """A column of numbers of which nothing public is told.

    Parameters
    ----------
    name : str or int
        The column.
    do : str or None
        How its bounds are told; None: as Python does.
    """

    def __init__(self, name: Any, do: str | None = None) -> None:
        self.name = name
        super().__init__(
            f"column {name!r} has no bounds, and its least and most number tell of rows: give them from what is known "
            f"without the table, as in {do or f'bounds={{{name!r}: (0, 100)}}'}"
        )


def is_symbols(column: Column, given: Any) -> bool:
    """Whether a column is one of symbols; one of which nothing was seen is what is given of it."""
    if column.blank:
        return given is not None and not (isinstance(given, tuple) and len(given) == 2)
    return column.kind == "symbols"


def pair(what: str, given: Any) -> Ends:
    """Return two numbers in order, or say what is wrong with them."""
    try:
        low, high = (float(end) for end in given)
    except (TypeError, ValueError):
        raise ValueError(f"{what} are two numbers, the least and the most, not {given!r}") from None
    if not (np.isfinite([low, high]).all() and low < high):
        raise ValueError(f"{what} are the least and the most number, and {low:g} is not below {high:g}")
    return low, high


def public_levels(column: Column, given: Any) -> list[Any]:
    """Return the levels that are public: those given, those declared, both truths of a column of truths."""
    assert isinstance(column.axis, Levels | Lattice)
    seen = column.axis.levels.tolist()
    if given is not None:
        if isinstance(given, (str, Mapping)) or not isinstance(given, Sequence) or not given:
            raise ValueError(f"bounds of column {column.name!r} are its levels, as a list, not {given!r}")
        return list(dict.fromkeys(given))
    if column.declared:
        return list(seen[: column.declared])
    if seen and all(isinstance(level, bool) for level in seen):
        return [False, True]
    raise ValueError(
        f"column {column.name!r} has no declared levels, and those that were seen tell of rows: declare them, as in "
        f"bounds={{{column.name!r}: ['one', 'two']}}, or fit a categorical dtype"
    )


# -- cells -------------------------------------------------------------------------------------------------------------


def regrouped(column: Column, public: Any, cells: int) -> tuple[Column, Array]:
    """Return a counted column with its public cells, and the public cell of each cell that it has."""
    assert column.axis is not None
    if isinstance(public, list):
        axis: CellAxis = Levels.of(public, ())
        place = {level: v + 1 for v, level in enumerate(public)}
        index = np.array([0, *(place.get(level, 0) for level in column.axis.levels.tolist())], dtype=np.int64)
        return replace(column, kind="symbols", axis=axis, missing=False), index
    edges, middles = public_cells(public, cells)
    index = np.zeros(column.axis.size, dtype=np.int64)
    index[1:] = 1 + places(column, edges)
    return replace(column, axis=Lattice.of(middles), missing=False), index


def public_cells(bounds: Ends, cells: int) -> tuple[Array, Array]:
    """Return the inner edges of public cells, and the number that stands for each cell, its middle.

    Edges are multiples of the largest power of two that makes at least so many cells: numbers of few bits, on which the
    cells of the lattice end as well.

    Examples
    --------
    >>> public_cells((0.0, 10.0), 4)
    (array([2., 4., 6., 8.]), array([1., 3., 5., 7., 9.]))
    """
    low, high = bounds
    step = 2.0 ** np.floor(np.log2((high - low) / cells))
    edges = step * np.arange(np.floor(low / step) + 1, np.ceil(high / step))
    ends = np.concatenate([[low], edges, [high]])
    if not (np.diff(ends) > 0).all():
        raise ValueError(f"bounds {low:g} and {high:g} cannot be told apart in {cells} cells: give fewer")
    return edges, (ends[:-1] + ends[1:]) / 2


def places(column: Column, edges: Array) -> Array:
    """Return the public cell of each number, or cell of numbers, that a column is counted in.

    An edge belongs to the cell away from zero, as the leading bits of a number have it. A cell of the lattice, where
    there are too many numbers to be counted exactly, must lie within one public cell: otherwise rows next to an edge
    would be counted on this side or on that, depending on other rows.
    """
    if isinstance(column.axis, Grid):
        raise ValueError(f"column {column.name!r} was counted on edges of another schema: fit without schema=")
    assert isinstance(column.axis, Lattice)
    bits = column.axis.values.view(np.int64)
    below = np.where(edges < 0, np.nextafter(edges, np.inf), edges)  # x belongs above an edge from here on
    dropped = (np.int64(1) << column.axis.dropped.astype(np.int64)) - 1
    first, last = (
        np.searchsorted(below, end.view(np.float64), side="right") for end in (bits & ~dropped, bits | dropped)
    )
    wide = np.flatnonzero(first != last)
    if len(wide):
        raise ValueError(
            f"column {column.name!r} has more different numbers than are counted exactly, and around "
            f"{column.axis.values[wide[0]]:g} they are counted in wider cells than the public ones: give fewer cells"
        )
    return first


def moved(table: Array, index: Array, size: int) -> Array:
    """Return counts (K, cells) in public cells; those that meet are added."""
    out = np.zeros((size, len(table)), dtype=np.int64)
    np.add.at(out, index, table.T)
    return out.T
