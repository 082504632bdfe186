"""The combinations of a group: tuples of cells, whichever axes the members have in the end."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.schema.strategies import combinations, masks

from candide import NaiveBayes
from candide.schema.cells import Levels
from candide.schema.combinations import Combinations, distinct
from candide.schema.lattice import Grid, Lattice


def told(axis: Combinations) -> list[str]:
    return [axis.tell(i) for i in range(axis.size)]


def test_a_combination_is_told_member_by_member() -> None:
    members = (Levels.of([], ["u", "v"]), Lattice.of(np.array([0.5, 2.0])))
    axis = Combinations(("a", "x"), members, np.array([[0, 1], [2, 2]]), np.zeros(2, dtype=bool))
    assert axis.tell(0) == "the combination of a missing cell in 'a', 0.5 in 'x'"
    assert axis.tell(1) == "the combination of 'v' in 'a', 2.0 in 'x'"


@given(combinations(), combinations())
def test_combinations_are_the_same_over_wider_axes_and_in_order(a: Combinations, b: Combinations) -> None:
    wide = tuple(one.union(other) for one, other in zip(a.members, b.members, strict=True))
    moved = a.moved(wide)
    assert set(told(moved)) == set(told(a))
    assert moved.cells.tolist() == sorted(moved.cells.tolist())
    staying = {name for name, stays in zip(told(a), a.stays, strict=True) if stays}
    assert {name for name, stays in zip(told(moved), moved.stays, strict=True) if stays} == staying


@given(combinations(), st.data())
def test_cells_that_no_combination_needs_may_go(a: Combinations, data: st.DataObject) -> None:
    narrow = []
    for g, axis in enumerate(a.members):
        keep = axis.stays | data.draw(masks(axis.size))
        keep[a.cells[:, g]] = True
        narrow.append(axis.take(keep))
    assert told(a.moved(tuple(narrow))) == told(a)


def test_combinations_that_meet_on_coarser_axes_become_one() -> None:
    values = Lattice.of(np.array([0.1, 0.2, 0.9]))
    fine = Combinations(("x",), (values,), np.array([[1], [2], [3]]), np.array([False, True, False]))
    coarse = fine.moved((Grid(np.array([0.5])),))
    assert coarse.cells.tolist() == [[1], [2]]
    assert coarse.stays.tolist() == [True, False]
    assert coarse.index(fine).tolist() == [0, 0, 1]


@pytest.mark.parametrize("columns", [5, 9, 33])
def test_no_product_of_sizes_overflows(columns: int) -> None:
    # 3 levels and a missing cell: 4^33 is beyond 64 bits; both differ in the last column only
    members = tuple(Levels.of([], range(3)) for _ in range(columns))
    cells = np.ones((2, columns), dtype=np.int64)
    cells[1, -1] = 2
    axis = Combinations(tuple(range(columns)), members, cells, np.zeros(2, dtype=bool))
    for i in range(2):
        other = Combinations(tuple(range(columns)), members, cells[[i]], np.zeros(1, dtype=bool))
        assert axis.index(other).tolist() == [i]
        assert other.union(axis).size == 2


@pytest.mark.parametrize("columns", [5, 33])
def test_rows_that_differ_in_the_last_of_many_joined_columns_are_told_apart(columns: int) -> None:
    X = np.zeros((6, columns), dtype=int)
    X[:, -1] = [0, 1, 2, 0, 1, 2]
    X[3:, 0] = 1
    y = [0, 1, 0, 1, 0, 1]
    nb = NaiveBayes("categorical", smoothing="none", groups=[list(range(columns))]).fit(X, y)
    assert nb.predict(X).tolist() == y
    np.testing.assert_array_equal(nb.predict_proba(X).max(axis=1), 1.0)


@pytest.mark.parametrize("sizes", [[3, 4], [2**31, 2**31, 2**31], [5], []])
def test_distinct_rows_are_numpys(sizes: list[int]) -> None:
    rng = np.random.default_rng(0)
    few = [rng.integers(0, size, 3) for size in sizes]
    for n in (0, 1, 200):
        cells = np.array([rng.choice(levels, n) for levels in few], dtype=np.int64).reshape(len(sizes), n).T
        found, which = distinct(cells)
        wanted, inverse = np.unique(cells, axis=0, return_inverse=True)
        np.testing.assert_array_equal(found, wanted)
        np.testing.assert_array_equal(which, inverse.ravel())
        again, which = distinct(found)
        np.testing.assert_array_equal(again, found)
        assert which.tolist() == list(range(len(found)))
