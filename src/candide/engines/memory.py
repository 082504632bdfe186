"""The engine for a table in memory: one pass per statistic, through the kernels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from candide import native
from candide.engines.base import Given
from candide.engines.documents import MOST_TEXT, count_documents
from candide.engines.support import check_overflow, check_support, warn_vanishing
from candide.engines.tabulation import count_columns, count_groups, count_together
from candide.frozen import frozen
from candide.schema.axes import Classes
from candide.schema.column import Kind
from candide.schema.rows import Rows
from candide.schema.schema import Schema
from candide.schema.tuples import TOGETHER
from candide.statistics.counts import ColumnSums, Counts
from candide.statistics.learnt import Learnt
from candide.statistics.moments import Moments
from candide.statistics.request import Request
from candide.statistics.statistics import Statistics

Array = np.ndarray[Any, Any]


@frozen
class Memory:
    """Counts a table that is in memory: `Given`, a table with its labels and weights."""

    def columns(self, source: Given) -> tuple[Sequence[str | int], Sequence[Kind]]:
        """Return names and kinds; the columns of a frame are read for it, once."""
        table = source.table
        return source.names, [table.kind(j) for j in range(table.n_columns)]

    def learn(self, source: Given, request: Request, known: Schema | None = None) -> Iterator[Learnt]:
        """Yield what the table teaches: all at once, but a sparse one in parts that fit in memory spelt out, and
        documents in parts whose words do. Where its sum with what is known has coarser cells, it has these as well.
        """
        texts = [j for j, want in enumerate(request.columns) if want.kind == "bags"]
        if texts:
            abundance = max(want.analyzer.abundance for want in request.columns if want.analyzer is not None)
            for part in source.table.bags(texts[0]).parts(MOST_TEXT // abundance):
                yield learn_table(source.rows(part.start, part.stop), request)
            return
        sparse = source.table.sparse is not None and any("totals" not in c.keeps for c in request.columns)
        size = Rows.spelt_out_of(source.table) if sparse else max(source.table.n_rows, 1)
        for start in range(0, source.table.n_rows, size):
            some = source if size >= source.table.n_rows else source.rows(start, start + size)
            yield learn_table(some, request, known)


@frozen
class Counting:
    """Rows with their class codes and weights, about to be summed.

    Parameters
    ----------
    rows : Rows
    y : ndarray of int (rows,)
    weight : ndarray of float64 (rows,) or None
    whole : bool
        Whether weights are counted in integers.
    first : ndarray (K, cells) or None
        The counts of one column, where rows are not weighed: each row is in one of its cells.
    """

    rows: Rows
    y: Array
    weight: Array | None
    whole: bool
    first: Array | None = None

    @property
    def n_classes(self) -> int:
        """K."""
        return len(self.rows.schema.classes)

    def counts(self, table: Array) -> Counts:
        """Return counts, as integers where the weights are whole."""
        return Counts(np.rint(table).astype(np.int64) if self.whole and table.dtype.kind == "f" else table)

    def moments(self, n: Array, mean: Array, m2: Array) -> Moments:
        """Return moments, their weights as integers where those are whole."""
        return Moments(self.counts(n).table, mean, m2)


def learn_table(given: Given, request: Request, known: Schema | None = None) -> Learnt:
    """Return what the rows of a table teach: domains, then every part of the statistics that is asked for."""
    y, weight = given.labels.codes, given.weight
    whole = weight is None or weight.dtype.kind in "iu"
    w = None if weight is None else np.asarray(weight, dtype=np.float64)
    k = len(given.labels.classes)
    columns, cells = count_columns(given, request, y, k, w, known)
    labels = Classes(given.labels.classes, np.zeros(k, dtype=bool))
    found = Schema(columns, labels, request.target, reading=given.reading)
    rows = Rows(given.table, found, start=given.start, complete=True)
    check_support(rows, request)
    first = cells[:, : found.cells.axes[0].size] if w is None and cells.size else None
    counting = Counting(rows, y, w, whole, first)
    combinations, parts = count_groups(rows, request.groups, y, w)
    for order in range(2, request.together + 1):
        parts[TOGETHER[order]] = count_together(rows, order, y, w)
    columns, words = count_documents(rows, request, y, w)
    schema = replace(
        rows.schema, columns=columns, groups=request.groups, combinations=combinations, together=request.together
    )
    parts = {
        name: counting.moments(*part) if isinstance(part, tuple) else counting.counts(part)
        for name, part in {**({"cells": cells} if cells.size else {}), **parts}.items()
    }
    for reduce in REDUCTIONS:
        parts.update(reduce(counting))
    parts |= {name: sums.whole() if whole else sums for name, sums in words.items()}
    statistics = Statistics.of(schema, parts)
    check_overflow(statistics, schema)
    warn_vanishing(statistics, schema)
    learnt = Learnt(schema, statistics)
    # words of documents that all count occur, as their classes do
    return learnt if w is None and all(column.kind == "bags" for column in columns) else learnt.pruned()


FEW = 1 << 16
"""Rows whose classes are counted before a kernel is asked."""


def class_counts(counting: Counting) -> Mapping[str, Any]:
    """Weigh the rows of each class."""
    if counting.first is not None:
        return {"classes": Counts(counting.first.sum(axis=1, dtype=np.int64))}
    if counting.weight is None and len(counting.y) <= FEW:
        return {"classes": Counts(np.bincount(counting.y, minlength=counting.n_classes))}
    # as a column of one level, which the kernels count without copying the codes
    level: Array = np.ndarray((len(counting.y), 1), np.int8, b"\0", strides=(0, 0))
    counts, _ = native.level_counts(level, np.array([0, 1]), counting.y, counting.n_classes, counting.weight)
    return {"classes": counting.counts(counts[:, 0])}


def moments(counting: Counting) -> Mapping[str, Any]:
    """Return the moments of x, and those of log x of the columns that ask for both, in one pass each."""
    schema = counting.rows.schema
    log = schema.keeping("log_x")
    plain = schema.keeping("moments")
    plain = plain[~np.isin(plain, log)] if len(log) else plain
    out: dict[str, Any] = {}
    if len(plain):
        out["moments"] = counting.moments(*sum_moments(counting, plain))
    if len(log):
        n, mean, m2, *logs = sum_moments(counting, log, log=True)
        out["log_x"] = counting.moments(n, *logs)
        of_x = counting.moments(n, mean, m2)
        out["moments"] = of_x if not len(plain) else interleaved([(plain, out["moments"]), (log, of_x)])
    return out


def interleaved(parts: Sequence[tuple[Array, Moments]]) -> Moments:
    """Return moments of some columns and of others in the order of their positions."""
    order = np.argsort(np.concatenate([at for at, _ in parts]))
    arrays = (np.concatenate([getattr(m, a) for _, m in parts], axis=1) for a in ("n", "mean", "m2"))
    return Moments(*(array[:, order] for array in arrays))


def sum_moments(counting: Counting, positions: Array, log: bool = False) -> tuple[Array, ...]:
    """Return n, mean and m2 of some columns, and with `log` mean and m2 of log x."""
    rows, parts, read = counting.rows, [], []
    for part, x in rows.in_place(positions):
        with rows.naming_infinity(x, part):
            parts.append(native.moments(x, counting.y, counting.n_classes, counting.weight, log=log))
        read.append(part)
    order = np.argsort(np.concatenate(read))
    return tuple(np.concatenate(arrays, axis=1)[:, order] for arrays in zip(*parts, strict=True))


def totals(counting: Counting) -> Mapping[str, Any]:
    """Return the sums of x per class and column, and the missing cells where there are any."""
    rows, y, k, w = counting.rows, counting.y, counting.n_classes, counting.weight
    positions = rows.schema.keeping("totals")
    if not len(positions):
        return {}
    sparse = rows.entries(positions)
    x = rows.numbers(positions) if sparse is None else sparse.data

    def sums(cells: Array) -> Array:
        if sparse is None:
            return native.dense_sums(cells, y, k, w)
        return native.csr_sums(cells, sparse.indices, sparse.indptr, y, k, sparse.shape[1], w)

    missing = np.isnan(x) if x.dtype.kind == "f" else np.zeros(0, dtype=bool)
    if not missing.any():
        return {"totals": ColumnSums(sums(x))}
    return {
        "totals": ColumnSums(sums(np.where(missing, 0.0, x))),
        "unknown": counting.counts(sums(missing.astype(np.float64))),
    }


REDUCTIONS: list[Callable[[Counting], Mapping[str, Any]]] = [class_counts, moments, totals]
"""From rows to parts of the statistics; cells and combinations are counted while their axes are found."""
