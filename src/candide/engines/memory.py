"""The engine for tables in memory: one pass per statistic, through the kernels."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from candide import native
from candide.arithmetic import offsets
from candide.schema.rows import Rows
from candide.schema.schema import Schema
from candide.statistics import Counts, Joint, Moments, Statistics
from candide.statistics.arrays import scatter
from candide.statistics.statistics import density_member, discrete_members

Array = np.ndarray[Any, Any]


def summarize(rows: Rows, y: Array, weight: Array | None = None) -> Statistics:
    """Return the statistics of rows with class codes y: the sum of its batches' statistics.

    Parameters
    ----------
    rows : Rows
    y : ndarray of int (rows,)
        Class codes.
    weight : ndarray (rows,) or None
        Integer weights keep counts integers.
    """
    if rows.table.sparse is None or len(rows.schema.stored["totals"]) == rows.table.n_columns:
        return summarize_batch(rows, y, weight)
    parts = (
        summarize_batch(batch, y[part], None if weight is None else weight[part])
        for part, batch in rows.batches(rows.spelt_out)
    )
    return reduce(add, parts)


def summarize_batch(rows: Rows, y: Array, weight: Array | None) -> Statistics:
    """Return the statistics of rows that fit in memory as matrices."""
    schema = rows.schema
    k = len(schema.classes)
    where = schema.stored
    classes = np.bincount(y, weights=weight, minlength=k)
    zero = Statistics.zero(schema)
    w = None if weight is None else np.asarray(weight, dtype=np.float64)
    cells, missing = count_cells(rows, y, k, w)
    stats = replace(zero, classes=Counts(classes), cells=Counts(cells), missing=Counts(missing))
    if len(where["moments"]):
        stats = replace(stats, moments=sum_moments(rows, where["moments"], y, k, w)[0])
    if len(where["log_moments"]):
        x, log_x = sum_moments(rows, where["log_moments"], y, k, w, log=True)
        stats = replace(stats, log_moments=x, log_x=log_x)
    if len(where["totals"]):
        totals, unknown = sum_totals(rows, y, k, w)
        stats = replace(stats, totals=totals, unknown=unknown)
    if schema.groups:
        joints = tuple(count_joint(rows, group, y, k, w) for group in schema.groups)
        stats = replace(stats, joints=joints)
    whole = weight is not None and weight.dtype.kind in "iu"
    return integers(stats) if whole else stats


def integers(stats: Statistics) -> Statistics:
    """Return the statistics of integer weights with integer counts."""

    def whole(part: Any) -> Any:
        if isinstance(part, Counts):
            return Counts(part.table.round().astype(np.int64)) if part.table.dtype.kind == "f" else part
        if isinstance(part, Moments):
            return Moments(part.n.round().astype(np.int64), part.mean, part.m2)
        return Joint(part.codes, whole(part.counts), part.density and whole(part.density))

    totals = stats.totals  # sums of x are not counts of rows
    return replace(stats._map(whole), totals=totals)


def count_cells(rows: Rows, y: Array, k: int, w: Array | None) -> tuple[Array, Array]:
    """Count levels and values: (K, cells) and the missing cells (K, columns), flat in the schema's order."""
    schema = rows.schema
    positions = schema.stored["cells"]
    dtype = np.int64 if w is None else np.float64
    cells = np.zeros((k, int(schema.offsets[-1])), dtype=dtype)
    missing = np.zeros((k, len(positions)), dtype=dtype)
    for storage, count in {"levels": count_levels, "values": count_values}.items():
        stored = np.array([j for j in positions if schema.columns[j].storage == storage], dtype=np.int64)
        parts = parts_of(rows, stored) if storage == "values" else [stored] * bool(len(stored))
        for part in parts:
            counts, absent = count(rows, part, y, k, w)
            place(cells, counts, schema, part)
            missing[:, schema.slot[part]] = absent
    return cells, missing


def parts_of(rows: Rows, positions: Array) -> list[Array]:
    """Part columns for reading: a matrix is read in one pass, the columns of a frame one by one, in place."""
    if rows.table.matrix is None and rows.table.sparse is None:
        return [positions[i : i + 1] for i in range(len(positions))]
    return [positions] if len(positions) else []


def sum_moments(
    rows: Rows, positions: Array, y: Array, k: int, w: Array | None, log: bool = False
) -> tuple[Moments, Moments]:
    """Return the moments of x, and with `log` those of log x, of some columns."""
    parts = []
    for part in parts_of(rows, positions):
        x = rows.numbers(part, finite=False)
        with rows.naming_infinity(x, part):
            parts.append(native.moments(x, y, k, w, log=log))
    n, mean, m2, *logs = (np.concatenate(arrays, axis=1) for arrays in zip(*parts, strict=True))
    return Moments(n, mean, m2), Moments(n, *logs) if log else Moments.zero(k, 0)


def count_levels(rows: Rows, positions: Array, y: Array, k: int, w: Array | None) -> tuple[Array, Array]:
    """Count the levels of columns of symbols."""
    sizes = [rows.schema.columns[j].n_cells for j in positions]
    if rows.table.matrix is not None or rows.table.sparse is not None:
        return native.level_counts(rows.codes(positions), offsets(sizes), y, k, w)
    # a frame's own codes are counted as they are; the counts are then renamed, not the rows
    counts: Array = np.zeros(0)
    absent: Array = np.zeros(0)
    for part, batch in rows.batches():
        codes, levels = batch.own_codes(positions)
        own = offsets([len(level) for level in levels])
        more = native.level_counts(codes, own, y[part], k, None if w is None else w[part])
        counts, absent = (counts + more[0], absent + more[1]) if part.start else more
    meaning = np.concatenate([start + level for start, level in zip(offsets(sizes), levels, strict=False)])
    return scatter(counts, 1, meaning, sum(sizes)), absent


def count_values(rows: Rows, positions: Array, y: Array, k: int, w: Array | None) -> tuple[Array, Array]:
    """Count the values of columns of numbers, or the cells of their grids."""
    columns = [rows.schema.columns[j] for j in positions]
    edges = [c.levels for c in columns if c.levels is not None]
    x = rows.numbers(positions, finite=False)
    with rows.naming_infinity(x, positions):
        counts, absent = native.bin_counts(x, np.concatenate(edges), offsets([len(e) for e in edges]), y, k, w)
    # the kernel counts one cell above the last edge: a grid keeps it, exact values never reach it
    ends = np.cumsum([len(e) + 1 for e in edges]) - 1
    beyond = ends[[not c.frozen for c in columns]]
    return np.delete(counts, beyond, axis=1), absent


def place(cells: Array, counts: Array, schema: Schema, positions: Array) -> None:
    """Write the counts of some columns, flat in their order, where the schema keeps them."""
    if counts.shape[1] == cells.shape[1]:
        cells[:] = counts
        return
    start = 0
    for j in positions:
        size = schema.columns[j].n_cells
        cells[:, schema.cells(j)] = counts[:, start : start + size]
        start += size


def sum_totals(rows: Rows, y: Array, k: int, w: Array | None) -> tuple[Counts, Counts]:
    """Return the sums of x per class and column, and the missing cells."""
    positions = rows.schema.stored["totals"]
    unknown = np.zeros((k, 1), dtype=np.int64 if w is None else np.float64)
    sparse = rows.entries(positions)
    x = rows.numbers(positions) if sparse is None else sparse.data

    def sums(cells: Array) -> Array:
        if sparse is None:
            return native.dense_sums(cells, y, k, w)
        return native.csr_sums(cells, sparse.indices, sparse.indptr, y, k, sparse.shape[1], w)

    missing = np.isnan(x) if x.dtype.kind == "f" else np.zeros(0, dtype=bool)
    if missing.any():
        unknown = sums(missing.astype(np.float64))
        unknown = unknown.round().astype(np.int64) if w is None else unknown
        x = np.where(missing, 0.0, x)
    return Counts(sums(x)), Counts(unknown)


def count_joint(rows: Rows, group: tuple[int, ...], y: Array, k: int, w: Array | None) -> Joint:
    """Count the combinations of a group's levels, and the moments of its density column within each."""
    schema = rows.schema
    members = np.column_stack([cell_codes(rows, j) for j in discrete_members(schema, group)]).astype(np.int64)
    codes, place = np.unique(members, axis=0, return_inverse=True)
    m = len(codes)
    both = y.astype(np.int64) * m + place.ravel()
    counts = Counts(np.bincount(both, weights=w, minlength=k * m).reshape(k, m))
    density = None
    column = density_member(schema, group)
    if column is not None:
        x = rows.numbers(np.array([schema.names.index(column.name)]))
        density = Moments(*native.moments(x, both, k * m, w)).map(lambda a: a.reshape(k, m))
    return Joint(codes, counts, density)


def cell_codes(rows: Rows, j: int) -> Array:
    """Return the cell of one counted column in which each row lies; -1 where missing."""
    column, one = rows.schema.columns[j], np.array([j])
    if column.storage == "levels":
        return np.maximum(rows.codes(one)[:, 0], -1)
    assert column.levels is not None
    codes = native.bin_codes(rows.numbers(one), column.levels, np.array([0, len(column.levels)], dtype=np.int64))
    return codes[:, 0]
