"""Releasing: what was learnt, with noise, under a budget that is spent in equal shares.

One row more or less changes one class count by one, and of each column one count by one, or a few bounded sums. So with
D columns each of the D + 1 tables gets noise of its share ε / (D + 1), a column's share is parted among its sums, and
shares add up to ε. What is done to noisy counts afterwards (none below zero, those of a column adding up to its class)
reads no row and costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from candide.frozen import frozen
from candide.private.noise import RandomBytes, random_bytes, two_sided_geometric
from candide.private.public import moved, public_bounds, regrouped
from candide.private.sums import PublicBounds, noisy_moments, noisy_totals
from candide.schema.axes import Classes
from candide.schema.column import Column
from candide.schema.schema import Schema
from candide.statistics import ColumnSums, Counts, Learnt, Moments, Statistics
from candide.statistics.guarantee import Guarantee, Release

Array = np.ndarray[Any, Any]

CELLS = 8
"""Public cells of a column of numbers, at least, unless somebody says otherwise: noise is in each, and few bear it."""

CELLS_MOST = 1024
"""Public cells of a column that may be asked for."""

PARTS = {"classes", "cells", "moments", "log_x", "totals", "unknown"}
"""The statistics of which one row changes one entry a column."""


def release(learnt: Learnt, epsilon: float, bounds: Any = None, cells: Any = CELLS, random_state: Any = None) -> Learnt:
    """Return what was learnt with noise; see `Classifier.privatize`."""
    check(learnt, epsilon)
    public = public_bounds(learnt.schema, bounds)
    asked = cells_asked(learnt.schema, cells)
    share = Fraction(float(epsilon)) / (len(public) + 1)
    noisy = Noisy(share, random_bytes(random_state))
    classes = np.maximum(noisy.counts(learnt.statistics["classes"].table), 0)
    columns, cells_table = counted(learnt, public, asked)
    schema = public_schema(learnt.schema, columns)
    noised = noisy.counts(cells_table)
    for j in columns:
        noised[:, schema.cells_of(j)] = adding_up(noised[:, schema.cells_of(j)], classes)
    parts = {"classes": Counts(classes), "cells": Counts(noised), **summed(learnt, public, classes, noisy)}
    of_numbers = {c.name: asked[c.name] for c in columns.values() if not isinstance(public[c.name], list)}
    promised = tuple(c.name for c in learnt.schema.columns if c.axis is None)
    guarantee = Guarantee((Release(float(epsilon), public, of_numbers, promised, random_state is not None),))
    return Learnt(schema, Statistics(parts), guarantee).pruned()


def check(learnt: Learnt, epsilon: Any) -> None:
    """Refuse what no noise is made for, before anything is drawn."""
    if isinstance(epsilon, bool) or not isinstance(epsilon, (int, float, np.number)) or not 0 < epsilon < np.inf:
        raise ValueError(f"epsilon={epsilon!r}: the budget is a number above zero, such as 1.0; less is more private")
    if learnt.guarantee is not None:
        raise ValueError(
            f"the model is private already, with epsilon {learnt.guarantee.epsilon:g}: noise on noise protects nobody "
            "more"
        )
    beyond = next(
        (name for name in learnt.statistics.parts if name.split()[0] not in {*PARTS, "words", "mistakes"}), None
    )
    if beyond is not None:
        raise ValueError(
            "columns that are counted together, in groups or in a structure, cannot be made private: fit a NaiveBayes "
            "without groups"
        )
    if learnt.statistics["classes"].table.dtype.kind != "i":
        raise ValueError("rows of broken weights cannot be made private: a row counts as one; fit without weights")


def cells_asked(schema: Schema, cells: Any) -> dict[Any, int]:
    """Return the number of cells of each column, from one for all or one by column."""
    given: Mapping[Any, Any] = cells if isinstance(cells, Mapping) else dict.fromkeys(schema.names, cells)
    for name, n in given.items():
        if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or not 2 <= n <= CELLS_MOST:
            raise ValueError(f"cells of column {name!r}: a whole number from 2 to {CELLS_MOST}, not {n!r}")
    return {name: int(given.get(name, CELLS)) for name in schema.names}


@frozen(eq=True)
class Noisy:
    """Noise for the tables of one share of the budget each.

    Parameters
    ----------
    share : Fraction
        ε / (D + 1).
    source : function
        Random bytes.
    """

    share: Fraction
    source: RandomBytes

    def counts(self, table: Array, sums: Any = 1, change: int = 1) -> Array:
        """Return whole numbers with noise.

        Parameters
        ----------
        table : ndarray of int (..., columns)
        sums : int, or ndarray (columns,)
            Among how many tables the share of each column is parted.
        change : int
            By how much one row more or less changes one entry at the most.
        """
        out = np.array(table, dtype=np.int64)
        parted = np.broadcast_to(sums, out.shape[-1:])
        for n in np.unique(parted).tolist():
            of = out[..., parted == n]
            noise = two_sided_geometric(self.share / (n * change), of.size, self.source)
            out[..., parted == n] = of + noise.reshape(of.shape)
        return out


def counted(learnt: Learnt, public: Mapping[Any, Any], cells: Mapping[Any, int]) -> tuple[dict[int, Column], Array]:
    """Return the counted columns with their public cells, by position, and the counts of all (K, cells), exact."""
    columns: dict[int, Column] = {}
    tables = [np.zeros((len(learnt.schema.classes), 0), dtype=np.int64)]
    for j in learnt.schema.keeping("cells").tolist():
        column = learnt.schema.columns[j]
        columns[j], index = regrouped(column, public[column.name], cells[column.name])
        axis = columns[j].axis
        assert axis is not None
        tables.append(moved(learnt.statistics["cells"].table[:, learnt.schema.cells_of(j)], index, axis.size))
    return columns, np.concatenate(tables, axis=1)


def summed(learnt: Learnt, public: Mapping[Any, Any], classes: Array, noisy: Noisy) -> dict[str, Counts | Moments]:
    """Return the parts of columns of which sums are kept, with noise."""
    schema, statistics = learnt.schema, learnt.statistics
    out: dict[str, Counts | Moments] = {}
    for part in ("moments", "log_x"):
        columns = [schema.columns[j] for j in schema.keeping(part)]
        if columns:
            sums = np.array([3 * len(column.keeps) for column in columns])  # n, Σ u and Σ u², of x and of log x
            within = PublicBounds.of([column.name for column in columns], public, logarithms=part == "log_x")
            out[part] = noisy_moments(statistics[part], within, sums, classes, noisy.counts)
    columns = [schema.columns[j] for j in schema.keeping("totals")]
    if columns:
        totals = statistics["totals"].table
        unknown = statistics["unknown"].table if "unknown" in statistics else np.zeros(totals.shape, dtype=np.int64)
        known = statistics["classes"].table[:, None] - unknown
        within = PublicBounds.of([column.name for column in columns], public)
        within.check(Moments(known, totals / np.maximum(known, 1), np.zeros(totals.shape)))
        found = noisy_totals(totals, unknown, within, classes, noisy.counts)
        out |= {"totals": ColumnSums(found[0]), "unknown": Counts(found[1])}
    return out


def public_schema(schema: Schema, columns: Mapping[int, Column]) -> Schema:
    """Return a schema of public columns: without what was said of cells, and with all classes kept."""
    return replace(
        schema,
        columns=tuple(columns.get(j, replace(column, missing=False)) for j, column in enumerate(schema.columns)),
        labels=Classes(schema.classes, np.ones(len(schema.classes), dtype=bool)),
        reading=schema.reading.bare,
        settled=None,
    )


def adding_up(table: Array, totals: Array) -> Array:
    """Return whole counts (K, cells) that are not negative and add up to the totals, as near to a table as can be.

    The nearest point of all that add up is max(n − τ, 0) with one τ a class, so that what noise has added to the many
    empty cells is taken off again; what fractions leave over goes to the cells of the largest.

    Examples
    --------
    >>> adding_up(np.array([[0, 10, 7, -3]]), np.array([15]))
    array([[0, 9, 6, 0]])
    """
    ordered = -np.sort(-table, axis=1)
    above = (np.cumsum(ordered, axis=1) - totals[:, None]) / np.arange(1, table.shape[1] + 1)
    n = np.maximum((ordered > above).sum(axis=1), 1)  # the cells that stay above zero
    near = np.maximum(table - above[np.arange(len(table)), n - 1][:, None], 0.0)
    whole = np.floor(near).astype(np.int64)
    left = totals - whole.sum(axis=1)
    rank = np.argsort(np.argsort(whole - near, axis=1, kind="stable"), axis=1)
    out: Array = whole + (rank < left[:, None])
    return out
