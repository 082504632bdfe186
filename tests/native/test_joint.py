"""Counts of the combinations in which columns are seen together."""

from itertools import product
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


@pytest.fixture(params=[native, reference], ids=lambda kernels: kernels.__name__.rpartition(".")[2])
def kernels(request) -> Any:
    return request.param


@given(st.data(), some.shapes(), some.seeds())
def test_compiled_counts_are_the_twins(data, shape, rng):
    codes, offsets = data.draw(some.codes(shape, rng))
    rows = data.draw(some.rows(shape[0], rng))
    for w, placed in product((rows.w, None), (True, False)):
        arguments = (codes, np.diff(offsets), rows.y, rows.n_classes, w, placed)
        expected = reference.joint_counts(*arguments)
        assert_same(native.joint_counts(*arguments), expected)
        if shape[1]:
            assert_same(native.joint_counts(list(codes.T), *arguments[1:]), expected)


@pytest.mark.parametrize(
    "sizes", [[], [6, 6], [200, 300], [0, 3, 0], [2**20] * 9, [10**6, 5] * 6, [3] * 60, [2**29] * 3]
)
def test_any_number_of_combinations_can_be_counted(sizes):
    # products beyond 64 bits, too; few of the cells, so that combinations come again
    rng = np.random.default_rng(len(sizes))
    few = [np.unique(rng.integers(-1, size, 3)) for size in sizes]
    codes = np.stack([np.zeros(5_000, np.int64), *(rng.choice(of_column, 5_000) for of_column in few)], axis=1)[:, 1:]
    y, weights = rng.integers(-1, 4, 5_000), rng.integers(0, 5, 5_000) / 4
    for w, placed in product((weights, None), (True, False)):
        arguments = (codes, np.array(sizes, np.int64), y, 4, w, placed)
        assert_same(native.joint_counts(*arguments), reference.joint_counts(*arguments))


@pytest.mark.parametrize("alike", [127, 128, 32_767, 32_768, 40_000])
def test_counts_are_as_narrow_as_the_rows_of_one_combination_allow(alike):
    rng = np.random.default_rng(alike)
    codes = np.concatenate([rng.integers(0, 1_000, (5_000, 2)), np.full((alike, 2), 1_000)])
    arguments = (codes, np.array([1_001, 1_001]), np.zeros(len(codes), np.int64), 1, None, False)
    combinations, counts, _ = native.joint_counts(*arguments)
    assert_same((combinations, counts, None), reference.joint_counts(*arguments))
    assert counts.max() == alike
    assert counts.dtype == (np.int8 if alike < 2**7 else np.int16 if alike < 2**15 else np.int32)


def test_combinations_come_in_lexicographic_order_and_each_row_has_its_own(kernels):
    codes = np.array([[1, -1], [0, 2], [1, -7], [0, 0], [-1, 1], [0, 2], [0, 1]], np.int8)
    y = np.array([0, 1, 1, 0, 1, 1, -1])
    combinations, counts, place = kernels.joint_counts(codes, np.array([2, 3]), y, 2)
    assert combinations.tolist() == [[0, 2], [1, 1], [1, 3], [2, 0]]
    assert counts.tolist() == [[0, 1, 0, 1], [1, 0, 2, 1]]
    assert place.tolist() == [3, 2, 3, 1, 0, 2, -1]


def test_counts_are_those_of_every_combination_by_hand(kernels):
    rng = np.random.default_rng(0)
    codes, y, w = rng.integers(-1, 3, (500, 3)), rng.integers(0, 2, 500), rng.integers(0, 5, 500) / 4
    combinations, counts, place = kernels.joint_counts(codes, np.array([3, 3, 3]), y, 2, w)
    seen = {tuple(row): m for m, row in enumerate(combinations.tolist())}
    for cells in product(range(4), repeat=3):
        here = ((codes + 1) == cells).all(axis=1) & (w > 0)
        assert here.any() == (cells in seen)
        if here.any():
            assert (place[here] == seen[cells]).all()
            assert counts[:, seen[cells]].tolist() == [w[here & (y == k)].sum() for k in range(2)]
    assert (place[w == 0] == -1).all()


def test_rows_that_cancel_out_have_been_seen(kernels):
    codes, y, w = np.array([[0], [0], [1]]), np.zeros(3, np.int64), np.array([1.0, -1.0, 0.0])
    combinations, counts, place = kernels.joint_counts(codes, np.array([2]), y, 1, w)
    assert (combinations.tolist(), counts.tolist(), place.tolist()) == ([[1]], [[0.0]], [0, 0, -1])
    combinations, counts, place = kernels.joint_counts(codes, np.array([2]), y, 1, w, placed=False)
    assert (combinations.tolist(), counts.tolist(), place) == ([[1]], [[0.0]], None)


def test_no_rows_and_no_columns(kernels):
    combinations, counts, place = kernels.joint_counts(
        np.zeros((0, 2), np.int64), np.array([3, 3]), np.zeros(0, int), 2
    )
    assert (combinations.shape, counts.shape, place.shape) == ((0, 2), (2, 0), (0,))
    combinations, counts, place = kernels.joint_counts(
        np.zeros((3, 0), np.int64), np.zeros(0, int), np.array([0, 1, 1]), 2
    )
    assert (combinations.shape, counts.tolist(), place.tolist()) == ((1, 0), [[1], [2]], [0, 0, 0])
    for n, d in ((0, 2), (3, 0)):
        found = kernels.joint_counts(np.zeros((n, d), int), np.full(d, 3), np.zeros(n, int), 2, placed=False)
        assert [part.shape for part in found[:2]] == [(int(n > 0), d), (2, int(n > 0))]


@pytest.mark.parametrize("crowded", [False, True])
@pytest.mark.parametrize("sizes", [[6, 6], [90, 90, 90], [4000, 4000], [4000, 4000, 4000], [2**20, 2**20]])
def test_threads_change_nothing(sizes, crowded):
    # rows in numbers of 16, 32 and 64 bits; a combination of more rows than a byte counts
    rng = np.random.default_rng(1)
    codes = np.stack([rng.integers(-1, size, 400_000) for size in sizes], axis=1)
    codes[: 100_000 * crowded] = 3
    y = rng.integers(-1, 2, len(codes))
    *wanted, place = reference.joint_counts(codes, np.array(sizes), y, 2)
    for threads in (1, 2, 3):
        with threadpool_limits(threads, user_api="openmp"):
            assert_same(native.joint_counts(codes, np.array(sizes), y, 2), (*wanted, place))
            assert_same(native.joint_counts(codes, np.array(sizes), y, 2, placed=False), (*wanted, None))


def test_the_first_code_beyond_is_named_row_by_row(kernels):
    codes, y = np.array([[0, 0], [0, 7], [5, 0], [0, 0]]), np.array([0, 0, 0, 0])
    for placed in (True, False):
        with pytest.raises(ValueError, match="code beyond the column's levels in row 1, column 1"):
            kernels.joint_counts(codes, np.array([2, 2]), y, 1, None, placed)


def test_bad_arguments_are_named(kernels):
    codes, y = np.array([[0, 0], [5, 9], [1, 2]]), np.array([0, -1, 0])
    for placed in (True, False):
        with pytest.raises(ValueError, match="code beyond the column's levels in row 2, column 1"):
            kernels.joint_counts(codes, np.array([2, 2]), y, 1, None, placed)
    with pytest.raises(ValueError, match="sizes has shape"):
        kernels.joint_counts(codes, np.array([2]), y, 1)
    with pytest.raises(ValueError, match=r"sizes must .* at 1"):
        kernels.joint_counts(codes, np.array([2, -1]), y, 1)
    with pytest.raises(ValueError, match=r"class code .* row 2"):
        kernels.joint_counts(codes, np.array([2, 3]), np.array([0, 0, 1]) - np.array([0, 1, 0]), 1)
    with pytest.raises(ValueError, match=r"\by\b"):
        kernels.joint_counts(codes, np.array([2, 3]), y[:2], 1)


@given(st.data(), st.lists(st.integers(1, 5), max_size=4), st.integers(0, 30), some.seeds())
def test_compiled_places_are_the_twins_and_those_of_numpy(data, sizes, n, rng):
    n_cells = [data.draw(st.integers(1, 6)) for _ in sizes]
    values = [rng.integers(-1, size, cells) for size, cells in zip(sizes, n_cells, strict=True)]
    cells = np.array([rng.integers(0, c, n) for c in n_cells], np.int64).reshape(len(sizes), n).T.copy()
    ends = np.concatenate([[0], np.cumsum(n_cells)]).astype(np.int64)
    arguments = (cells, np.concatenate([np.zeros(0, np.int64), *values]), ends, np.array(sizes, np.int64))
    found = native.joint_places(*arguments)
    assert_same(found, reference.joint_places(*arguments))
    assert_same(native.joint_places(cells.astype(np.int32), *arguments[1:]), found)
    for row, place in zip(cells, found.tolist(), strict=True):
        of_row = [values[g][cell] for g, cell in enumerate(row)]
        whole = np.ravel_multi_index(of_row, sizes) if sizes and min(of_row) >= 0 else 0
        assert place == (whole if not sizes or min(of_row) >= 0 else np.prod(sizes))


@pytest.mark.parametrize("size", [3, 1024, 5000])
@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64, np.float64])
def test_compiled_columns_move_as_the_twins(dtype, size):
    rng = np.random.default_rng(size)
    for n in (0, 7, 4096, 20_001):
        table, index = rng.integers(-9, 99, (3, n)).astype(dtype), rng.integers(0, size, n)
        for places in (index, np.sort(index).astype(np.int32)):
            assert_same(native.move_columns(table, places, size), reference.move_columns(table, places, size))


def test_columns_have_places_to_move_to(kernels):
    assert kernels.move_columns(np.array([[100, 100, 1]], np.int8), np.array([1, 1, 0]), 2).tolist() == [[1, 200]]
    for index in ([0, 2], [-1, 0]):
        with pytest.raises(IndexError, match="no place"):
            kernels.move_columns(np.ones((2, 2)), np.array(index), 2)


def test_places_beyond_their_member_are_refused(kernels):
    values, ends, sizes = np.array([-1, 0, 1, 0]), np.array([0, 3, 4]), np.array([2, 1])
    assert kernels.joint_places(np.array([[2, 0], [0, 0]]), values, ends, sizes).tolist() == [1, 2]
    for cell in ([3, 0], [-1, 0], [0, 1]):
        with pytest.raises(IndexError, match="beyond those of its member"):
            kernels.joint_places(np.array([[1, 0], cell]), values, ends, sizes)
    with pytest.raises(IndexError, match="beyond those of its member"):
        kernels.joint_places(np.array([[2, 0]]), values, ends, np.array([1, 1]))
    with pytest.raises(ValueError, match="sizes must be of less than"):
        kernels.joint_places(np.array([[2, 0]]), values, ends, np.array([2**40, 2**40]))
