"""Counting: the cells of columns and the combinations of groups, found and counted in one pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from candide import native
from candide.arithmetic import offsets
from candide.engines.base import Given
from candide.schema.axes import Classes
from candide.schema.cells import CellAxis
from candide.schema.column import Column
from candide.schema.combinations import Combinations, distinct
from candide.schema.infer import infer_levels
from candide.schema.lattice import Lattice
from candide.schema.rows import Rows
from candide.schema.schema import Schema, axes_of
from candide.schema.tuples import check_memory
from candide.statistics.arrays import scatter
from candide.statistics.counts import MANY, narrow
from candide.statistics.request import Request

Array = np.ndarray[Any, Any]


def count_columns(
    given: Given, request: Request, y: Array, k: int, w: Array | None, known: Schema | None = None
) -> tuple[tuple[Column, ...], Array]:
    """Return every column with the cells that this table shows, and the counts (K, cells), flat.

    Parameters
    ----------
    given : Given
        The table.
    request : Request
    y : ndarray of int (rows,)
        Class codes.
    k : int
        How many classes.
    w : ndarray of float64 (rows,) or None
    known : Schema or None
        The cells of rows that these are added to.
    """
    table = given.table
    counts: dict[int, Array] = {}
    counted = [j for j, want in enumerate(request.columns) if "cells" in want.keeps]
    symbols = [j for j in counted if request.columns[j].kind == "symbols"]
    axes: dict[int, CellAxis | None] = {j: request.columns[j].grid for j in counted}
    for j in symbols:
        axes[j] = infer_levels(table.column(j), request.columns[j].levels, given.names[j])
    columns = [
        Column(name, want.kind, want.keeps, axes.get(j))
        for j, (name, want) in enumerate(zip(given.names, request.columns, strict=True))
    ]
    if not counted:
        return tuple(columns), np.empty((k, 0), dtype=np.int64)
    check_size(columns, k)
    found = Schema(tuple(columns), Classes(np.arange(k), np.zeros(k, dtype=bool)))
    rows = Rows(table, found, start=given.start, complete=True)
    counts.update(count_levels(rows, symbols, y, k, w))
    lattices = [j for j in counted if columns[j].axis is None]
    check_values(rows, lattices, k)
    cells = None if known is None else [column.axis for column in known.columns]
    for j, (lattice, table_) in count_values(rows, np.array(lattices, dtype=np.int64), y, k, w, cells).items():
        columns[j], counts[j] = replace(columns[j], axis=lattice), table_
    for j in counted:
        if j not in counts:
            counts[j] = count_grid(rows, j, y, k, w)
    return tuple(columns), side_by_side([counts.pop(j) for j in counted], k)


def side_by_side(tables: list[Array], k: int) -> Array:
    """Return the counts (K, cells) of all columns; a few whole numbers as int64, many in the narrowest type.

    The list is emptied on the way, so that no more than one column is there twice.
    """
    ends = offsets(table.shape[1] for table in tables)
    few = k * int(ends[-1]) <= MANY
    out = np.empty((k, int(ends[-1])), dtype=np.result_type(*(np.int64 for _ in range(few)), *tables))
    tables.reverse()
    for start, end in pairwise(ends.tolist()):
        out[:, start:end] = tables.pop()
    return out


LARGEST_TABLE = 1 << 29
"""Counts of levels by class that are kept at the most: four gigabytes."""


def check_size(columns: Sequence[Column], k: int) -> None:
    """Refuse levels and classes that are too many to be counted together, naming the column of most levels."""
    sizes = [0 if c.axis is None else c.axis.size for c in columns]
    if k * sum(sizes) > LARGEST_TABLE:
        widest = columns[int(np.argmax(sizes))]
        raise ValueError(
            f"{k:,} classes times {sum(sizes):,} levels are more counts than the {LARGEST_TABLE:,} that are kept: "
            f"column {widest.name!r} has {max(sizes) - 1:,} levels; leave it out, or join its rare levels"
        )


def check_values(rows: Rows, positions: Sequence[int], k: int) -> None:
    """Refuse a column of more values than can be counted in so many classes, before it is counted."""
    most = LARGEST_TABLE // k
    if most >= min(len(rows), native.EXACT):
        return
    for j in positions:
        if native.distinct(np.asarray(rows.number(j), dtype=np.float64), most) is None:
            raise ValueError(
                f"{k:,} classes times the more than {most:,} values of column {rows.schema.columns[j].name!r} are more "
                f"counts than the {LARGEST_TABLE:,} that are kept: give it a density such as 'normal', or fewer classes"
            )


FEW_ROWS = 1 << 16
"""Rows that are counted sooner than cells that are known are read."""


def count_values(
    rows: Rows, positions: Array, y: Array, k: int, w: Array | None, known: Sequence[CellAxis | None] | None = None
) -> dict[int, tuple[Lattice, Array]]:
    """Return the lattice of each numeric column and its counts (K, cells), the missing one first.

    Many rows are counted in the cells that are known, which their sum would put them in, from the first on.
    """
    out = {}
    for part, x in rows.in_place(positions):
        axes = [None if known is None or len(rows) <= FEW_ROWS else known[j] for j in part]
        cells = [(axis.values, axis.dropped) if isinstance(axis, Lattice) else None for axis in axes]
        with rows.naming_infinity(x, part):
            found = native.count_values(x, y, k, w, cells)
        for j, (values, counts, dropped) in zip(part, found, strict=True):
            out[int(j)] = (Lattice(values, dropped), counts)
    return out


def count_grid(rows: Rows, j: int, y: Array, k: int, w: Array | None) -> Array:
    """Count the intervals of a grid (K, cells), the missing one first."""
    edges = rows.schema.columns[j].axis.edges  # type: ignore[union-attr]  # the caller looked
    one = np.array([j])
    x = rows.numbers(one, finite=False)
    with rows.naming_infinity(x, one):
        counts, missing = native.bin_counts(x, edges, offsets([len(edges)]), y, k, w)
    return np.concatenate([missing, counts], axis=1)


def count_levels(rows: Rows, positions: Sequence[int], y: Array, k: int, w: Array | None) -> dict[int, Array]:
    """Count the levels of columns of symbols: (K, cells) each, the missing one first."""
    if not positions:
        return {}
    ends = offsets(axis.size for axis in axes_of(rows.schema.columns, positions))
    starts = dict(zip(positions, ends.tolist(), strict=False))
    counts: list[Array] = []
    cells: list[Any] = []
    for part, codes, sizes, levels in own_codes(rows, positions, k):
        of_levels, missing = native.level_counts(codes, offsets(sizes), y, k, w)
        counts += [missing, of_levels]
        first = np.array([starts[j] for j in part])
        cells += [first, np.repeat(first + 1, sizes) + levels]
    flat = scatter(np.concatenate(counts, axis=1), 1, np.concatenate(cells), int(ends[-1]))
    return {j: flat[:, start:end] for j, (start, end) in zip(positions, pairwise(ends.tolist()), strict=True)}


NEAR = 1 << 16
"""Counts of several columns that are kept at a time: they stay near the processor."""


def own_codes(
    rows: Rows, positions: Sequence[int], k: int
) -> Iterator[tuple[list[int], Array | list[Array], list[int], Array]]:
    """Yield columns that are counted together: positions, codes, how many codes each has, and the levels they mean.

    A frame's own codes are counted as they are, where they are; the counts are then renamed, not the rows.
    """
    if rows.table.matrix is not None or rows.table.sparse is not None:
        sizes = [axis.size - 1 for axis in axes_of(rows.schema.columns, positions)]
        levels = np.concatenate([np.arange(n) for n in sizes])
        yield list(positions), rows.codes(np.array(positions, dtype=np.int64)), sizes, levels
        return
    alike: dict[Any, list[tuple[int, Array, Array]]] = {}
    for j in positions:
        codes, level = rows.own_code(j)
        alike.setdefault((codes.dtype, codes.strides, k * len(level) > NEAR and j), []).append((j, codes, level))
    for columns in alike.values():
        many = NEAR // (1 + k * max(len(level) for *_, level in columns)) + 1
        for some in (columns[i : i + many] for i in range(0, len(columns), many)):
            part, codes_, levels_ = zip(*some, strict=True)
            yield list(part), list(codes_), list(map(len, levels_)), np.concatenate(levels_)


def count_together(rows: Rows, order: int, y: Array, w: Array | None) -> Array:
    """Count the cells of all ascending tuples of counted columns: (K, entries), as `Tuples` lays them out."""
    k, positions = len(rows.schema.classes), rows.schema.keeping("cells")
    sizes = np.array([axis.size - 1 for axis in rows.schema.cells.axes], dtype=np.int64)
    check_memory((sizes + 1).tolist(), k, order)
    counts: Array = np.zeros(0)
    holds_all = np.min_scalar_type(-len(rows) - 1) if w is None else np.float64
    for part, batch in rows.batches():
        more = native.tuple_counts(batch.codes(positions), sizes, y[part], k, order, None if w is None else w[part])
        counts = np.add(counts, more, dtype=np.promote_types(holds_all, more.dtype)) if part.start else more
    return counts


def count_groups(
    rows: Rows, groups: Sequence[Sequence[int]], y: Array, w: Array | None
) -> tuple[tuple[Combinations, ...], dict[str, Any]]:
    """Return the combinations of each group, their counts, and the moments of its density column within each."""
    combinations: list[Combinations] = []
    parts: dict[str, Any] = {}
    for g, group in enumerate(groups):
        densities = rows.schema.densities(group)
        found, parts[f"joint {g}"], place = count_combinations(
            rows, rows.schema.members(group), y, w, placed=bool(densities)
        )
        combinations.append(found)
        for j in densities:
            assert place is not None
            n, mean, m2, *logs = moments_within(rows, j, place, found.size, y, w)
            parts[f"within {g}"] = n, mean, m2
            if logs:
                parts[f"log within {g}"] = n, *logs
    return tuple(combinations), parts


SORTING = 16
"""Rows that are renamed in the time in which a combination is sorted."""


def count_combinations(
    rows: Rows, members: Sequence[int], y: Array, w: Array | None, placed: bool = False
) -> tuple[Combinations, Array, Array | None]:
    """Return the combinations of the members' cells, their counts (K, M) and, where asked for, that of every row.

    A frame's own codes are counted as they are; the combinations are then renamed, not the rows, unless they are many:
    those that are renamed are sorted again.
    """
    codes, meanings = rows.own_codes(np.array(members, dtype=np.int64))
    if SORTING * prod(map(len, meanings)) > len(rows):
        codes, meanings = named_in_order(codes, meanings)
    sizes = np.array([len(meaning) for meaning in meanings], dtype=np.int64)
    own, counts, place = native.joint_counts(codes, sizes, y, len(rows.schema.classes), w, placed)
    cells = own
    if not all(np.array_equal(meaning, np.arange(len(meaning))) for meaning in meanings):
        cell_of = [np.append(0, meaning + 1).astype(np.int32) for meaning in meanings]
        cells = np.column_stack([cell[own[:, g]] for g, cell in enumerate(cell_of)])
        if not all((np.diff(meaning) > 0).all() for meaning in meanings):  # else they are in order as they are
            cells, which = distinct(cells)
            counts = scatter(counts, 1, which, len(cells))
            place = None if place is None else np.append(which, -1)[place]
    columns = [rows.schema.columns[j] for j in members]
    found = Combinations(
        tuple(c.name for c in columns), axes_of(columns, range(len(columns))), cells, np.zeros(len(cells), dtype=bool)
    )
    return found, narrow(counts), place


def named_in_order(codes: Array | list[Array], meanings: list[Array]) -> tuple[Array | list[Array], list[Array]]:
    """Return codes whose meanings ascend: others become what they mean."""
    if isinstance(codes, np.ndarray) or all((np.diff(meaning) > 0).all() for meaning in meanings):
        return codes, meanings
    renamed = [np.append(meaning, -1).astype(np.int32)[own] for own, meaning in zip(codes, meanings, strict=True)]
    return renamed, [np.arange(meaning.max(initial=-1) + 1) for meaning in meanings]


def moments_within(rows: Rows, j: int, place: Array, m: int, y: Array, w: Array | None) -> tuple[Array, ...]:
    """Return n, mean and m2 (K, M) of a column within each combination; mean and m2 of log x where they are kept."""
    k = len(rows.schema.classes)
    cell = np.where(place < 0, -1, y.astype(np.int64) * m + place)
    log = "log_x" in rows.schema.columns[j].keeps
    found = native.moments(rows.numbers(np.array([j])), cell, k * m, w, log=log)
    return tuple(array.reshape(k, m) for array in found)
