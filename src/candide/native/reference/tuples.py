"""Cells of several columns together: counted by class, and scored by averages of models with super-parents."""

from itertools import combinations
from math import prod

import numpy as np

from candide.native.reference.rows import Array, Floats, Ints, refuse, used_rows

__all__ = ["tuple_counts", "add_averaged"]


def tuple_counts(codes: Array, sizes: Ints, y: Array, n_classes: int, order: int, w: Floats | None = None) -> Array:
    """Count (or weigh) the rows of each class at the cells of every ascending tuple of ``order`` columns.

    The cell of a column is its code plus one, from 0 where missing to ``sizes[j]``. The tables of the tuples lie one
    behind the other in (K, entries): in lexicographic order of the columns, and each in that of the cells. Counts are
    kept in the narrowest type, from int16 on, that all rows in one entry fit in.
    """
    check_order(order)
    y, w, rows = used_rows(y, n_classes, w, len(codes))
    check_sizes(sizes, codes.shape[1])
    cells = np.maximum(codes[rows].astype(np.int64), -1) + 1
    refuse(cells > sizes, rows, "code beyond the column's levels")
    dtype = np.promote_types(np.int16, np.min_scalar_type(-len(codes) - 1)) if w is None else np.float64
    parts = [np.zeros((0, n_classes), dtype)]
    for columns in combinations(range(codes.shape[1]), order):
        shape = tuple(int(sizes[j]) + 1 for j in columns)
        flat = np.ravel_multi_index(tuple(cells[:, j] for j in columns), shape) * n_classes + y
        table = np.bincount(flat, w, prod(shape) * n_classes)
        parts.append(table.reshape(-1, n_classes).astype(dtype))
    return np.concatenate(parts).T


def add_averaged(
    cells: Array,
    sizes: Ints,
    order: int,
    counts: Array,
    pseudo: Floats,
    mass: Floats,
    first: Ints,
    parents: Floats,
    out: Floats,
) -> Ints:
    """Add log of the mean over super-parents J of P(x_J | c) Π_i P(x_i | x_J, c), and return how many a row has.

    J are ``order`` - 1 columns, P(x_i = v | x_J, c) = (N_ivJc + s_ivc) / (Σ_v N_ivJc + S_ic) with 0/0 = 0. A negative
    cell says nothing; ``counts`` (entries, K) are laid out as those of `tuple_counts`, ``pseudo`` (cells, K) is s,
    ``mass`` (D, K) is S, and the sum over v begins at the cell ``first``; ``parents`` (cells of J, K) is
    log P(x_J | c), NaN where these cells are no super-parents. A row that has none is left as it is.
    """
    check_order(order)
    d = cells.shape[1]
    check_sizes(sizes, d)
    refuse(cells.astype(np.int64) > sizes, np.arange(len(cells)), "code beyond the column's levels")
    n_cells = [int(n) + 1 for n in sizes]
    starts = np.concatenate([[0], np.cumsum(n_cells)]).astype(np.int64)
    tables = of_tuples(counts, n_cells, order)
    models = []
    of_parents = of_tuples(parents, n_cells, order - 1)
    for J in combinations(range(d), order - 1):
        known = (cells[:, J] >= 0).all(axis=1)
        at = tuple(np.maximum(cells[:, j], 0) for j in J)
        score = of_parents[J][at]
        score[~known] = np.nan
        for i in (i for i in range(d) if i not in J):
            columns = tuple(sorted((i, *J)))
            table = np.moveaxis(tables[columns], columns.index(i), 0).astype(float)
            v = np.maximum(cells[:, i], 0)
            below = table[first[i] :].sum(axis=0)[at] + mass[i]
            above = table[(v, *at)] + pseudo[starts[i] + v]
            with np.errstate(divide="ignore"):
                log_p = np.log(np.divide(above, below, out=np.zeros(above.shape), where=below > 0))
            score += np.where((cells[:, i] >= 0)[:, None], log_p, 0.0)
        models.append(score)
    if not models:
        return np.zeros(len(cells), np.int64)
    stacked = np.stack(models)
    used = ~np.isnan(stacked).any(axis=2)
    n = used.sum(axis=0).astype(np.int64)
    some = np.where(used[:, :, None], stacked, -np.inf)[:, n > 0]
    with np.errstate(divide="ignore"):
        out[n > 0] += np.logaddexp.reduce(some, axis=0, initial=-np.inf) - np.log(n[n > 0])[:, None]
    return np.asarray(n)


def of_tuples(flat: Array, n_cells: list[int], order: int) -> dict[tuple[int, ...], Array]:
    """Return the tables (cells of each column, K) of all ascending tuples of columns, as views of a flat one."""
    out, at = {}, 0
    for columns in combinations(range(len(n_cells)), order):
        shape = tuple(n_cells[j] for j in columns)
        out[columns] = flat[at : at + prod(shape)].reshape(*shape, flat.shape[1])
        at += prod(shape)
    if at != len(flat):
        raise ValueError(f"a table of tuples has {len(flat)} entries, not {at}")
    return out


def check_order(order: int) -> None:
    """Refuse tuples of one column, or of more than three."""
    if order not in {2, 3}:
        raise ValueError(f"order must be 2 or 3, not {order}")


def check_sizes(sizes: Ints, n_columns: int) -> None:
    """Refuse sizes that are not those of the columns."""
    if len(sizes) != n_columns:
        raise ValueError(f"sizes has shape ({len(sizes)}, 1), not ({n_columns}, 1)")
    for j in np.flatnonzero(sizes < 0)[:1]:
        raise ValueError(f"sizes must not be negative, but are at {j}")
