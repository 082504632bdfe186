"""Cells of several columns together: counted by class, and scored by averages of models with super-parents."""

from itertools import combinations
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.native import strategies as some
from tests.native.same import assert_same
from threadpoolctl import threadpool_limits

from candide import native
from candide.native import reference

ORDERS = st.sampled_from([2, 3])


@pytest.fixture(params=[native, reference], ids=lambda kernels: kernels.__name__.rpartition(".")[2])
def kernels(request) -> Any:
    return request.param


@st.composite
def shapes(draw: Any) -> tuple[int, int]:
    return draw(st.sampled_from([(0, 3), (1, 1), (1, 5), (7, 4), (40, 1), (130, 8), (9, 12)]))


@given(st.data(), shapes(), some.seeds(), ORDERS)
def test_compiled_counts_are_the_twins(data, shape, rng, order):
    codes, offsets = data.draw(some.codes(shape, rng))
    rows = data.draw(some.rows(shape[0], rng))
    arguments = (codes, np.diff(offsets), rows.y, rows.n_classes, order, rows.w)
    assert_same(native.tuple_counts(*arguments), reference.tuple_counts(*arguments))


@pytest.mark.parametrize("order", [2, 3])
def test_counts_are_those_of_every_tuple_by_hand(kernels, order):
    rng = np.random.default_rng(0)
    sizes = np.array([2, 3, 1, 2])
    codes, y = np.stack([rng.integers(-1, n, 60) for n in sizes], axis=1), rng.integers(-1, 2, 60)
    counts, at = kernels.tuple_counts(codes, sizes, y, 2, order), 0
    for columns in combinations(range(4), order):
        for cells in np.ndindex(*(sizes[j] + 1 for j in columns)):
            here = ((codes[:, columns] + 1) == cells).all(axis=1)
            assert counts[:, at].tolist() == [int((here & (y == k)).sum()) for k in range(2)]
            at += 1
    assert counts.shape == (2, at)


def test_more_rows_are_counted_than_two_bytes_hold():
    rng = np.random.default_rng(0)
    n, sizes = 70_000, np.array([1, 2, 3])
    codes, y = np.stack([rng.integers(0, size, n) for size in sizes], axis=1), np.zeros(n, dtype=np.int64)
    counts = native.tuple_counts(codes, sizes, y, 1, 2)
    assert counts.sum() == 3 * n
    assert_same(counts, reference.tuple_counts(codes, sizes, y, 1, 2))


def tables(rng: np.random.Generator, n: int, sizes: np.ndarray, k: int, order: int) -> tuple[Any, ...]:
    """Return the arguments of a score: cells of rows, counts of others, pseudo-counts and super-parents."""
    codes = np.stack([rng.integers(-1, size, 50) for size in sizes], axis=1)
    counts = reference.tuple_counts(codes, sizes, rng.integers(0, k, 50), k, order).T
    flat = [prod(sizes[list(J)] + 1) for J in combinations(range(len(sizes)), order - 1)]
    parents = np.log(rng.uniform(size=(sum(flat), k)))
    parents[rng.uniform(size=len(parents)) < 0.3] = np.nan
    pseudo = rng.choice([0.0, 0.5, 1.0], ((sizes + 1).sum(), k))
    mass, first = rng.choice([0.0, 2.0], (len(sizes), k)), rng.integers(0, 2, len(sizes))
    cells = np.stack([rng.integers(-1, size + 1, n) for size in sizes], axis=1)
    return cells, sizes, order, counts, pseudo, mass, first, parents


@given(some.seeds(), st.sampled_from([(1, 1), (3, 2), (40, 5)]), st.sampled_from([1, 2, 5]), ORDERS, st.booleans())
def test_compiled_averages_are_the_twins(rng, shape, k, order, weighted):
    cells, sizes, order, counts, *rest = tables(rng, shape[0], rng.integers(0, 4, shape[1]), k, order)
    counts = np.ascontiguousarray(counts * 0.75 if weighted else counts)
    found = rng.normal(size=(shape[0], k))
    wanted = found.copy()
    assert_same(
        native.add_averaged(cells, sizes, order, counts, *rest, found),
        reference.add_averaged(cells, sizes, order, counts, *rest, wanted),
    )
    assert_same(found, wanted)


def test_an_average_by_hand(kernels):
    # two columns of two values, one class; N(a, x) = 3, N(a, y) = 1, N(b, x) = 0, N(b, y) = 2; one is added to each
    counts = np.array([0, 0, 0, 0, 3, 1, 0, 0, 2])[:, None]
    parents = np.log([[0.5], [0.6], [0.4], [0.5], [0.3], [0.7]])
    out = np.zeros((3, 1))
    cells = np.array([[1, 2], [-1, 1], [-1, -1]])
    n = kernels.add_averaged(
        cells, np.array([2, 2]), 2, counts, np.ones((6, 1)), np.full((2, 1), 2.0), np.ones(2, np.int64), parents, out
    )
    # the first as parent of the second, and the second of the first
    first, second = 0.6 * (1 + 1) / (4 + 2), 0.7 * (1 + 1) / (3 + 2)
    np.testing.assert_allclose(np.exp(out[:, 0]), [(first + second) / 2, 0.3, 1.0])
    assert n.tolist() == [2, 1, 0]


@pytest.mark.parametrize("order", [2, 3])
def test_threads_change_no_count_and_scores_only_by_rounding(order):
    rng = np.random.default_rng(1)
    sizes = np.full(9, 4)
    codes, y = rng.integers(-1, 4, (60_000, 9)), rng.integers(0, 3, 60_000)
    cells, _, _, _, *rest = tables(rng, 30_000, sizes, 3, order)
    results = []
    for threads in (1, 2, 3):
        with threadpool_limits(threads, user_api="openmp"):
            counts = native.tuple_counts(codes, sizes, y, 3, order)
            out = np.zeros((len(cells), 3))
            native.add_averaged(cells, sizes, order, np.ascontiguousarray(counts.T), *rest, out)
            results.append((counts, out))
    for counts, out in results[1:]:
        assert_same(counts, results[0][0])
        assert_same(out, results[0][1], rtol=1e-12, atol=1e-12)


def test_bad_arguments_are_named(kernels):
    codes, y = np.array([[0, 0], [5, 9], [1, 2]]), np.array([0, -1, 0])
    with pytest.raises(ValueError, match="code beyond the column's levels in row 2, column 1"):
        kernels.tuple_counts(codes, np.array([2, 2]), y, 1, 2)
    with pytest.raises(ValueError, match="sizes has shape"):
        kernels.tuple_counts(codes, np.array([2]), y, 1, 2)
    with pytest.raises(ValueError, match=r"sizes must .* at 1"):
        kernels.tuple_counts(codes, np.array([2, -1]), y, 1, 2)
    with pytest.raises(ValueError, match="order must be 2 or 3, not 4"):
        kernels.tuple_counts(codes, np.array([2, 3]), y, 1, 4)
    with pytest.raises(ValueError, match=r"\by\b"):
        kernels.tuple_counts(codes, np.array([2, 3]), y[:2], 1, 2)
    cells, sizes, order, *rest = tables(np.random.default_rng(0), 3, np.array([2, 2]), 1, 2)
    with pytest.raises(ValueError, match="code beyond the column's levels in row 0, column 0"):
        kernels.add_averaged(cells + 9, sizes, order, *rest, np.zeros((3, 1)))
