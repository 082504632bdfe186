"""Levels of columns of symbols, and the cells of all counted columns laid out flat."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from tests.schema.strategies import flat_cells

from candide.schema.axes import ABSENT
from candide.schema.cells import Cells, Levels, UnlikeAxesError
from candide.schema.lattice import Grid, Lattice


def levels(*seen: Any, declared: tuple[Any, ...] = ()) -> Levels:
    return Levels.of(list(declared), seen)


def test_declared_levels_come_first_in_their_order_and_the_others_sorted_behind() -> None:
    axis = levels("b", "a", "z", 2, declared=("small", "large", "b"))
    assert axis.levels.tolist() == ["small", "large", "b", 2, "a", "z"]
    assert axis.stays.tolist() == [True] * 4 + [False] * 3
    assert axis.tell(1) == "'small'"


def test_an_order_that_continues_another_is_kept_and_two_that_contradict_each_other_are_sorted() -> None:
    first, longer, other = (levels(declared=d) for d in (("s", "m"), ("s", "m", "l"), ("m", "s")))
    assert first.union(longer).levels.tolist() == longer.union(first).levels.tolist() == ["s", "m", "l"]
    assert first.union(other).levels.tolist() == other.union(first).levels.tolist() == ["m", "s"]
    assert first.union(other).declared == 2


def test_a_level_declared_on_one_side_is_declared_in_the_union() -> None:
    seen, declared = levels("a", "b"), levels(declared=("b", "c"))
    for both in (seen.union(declared), declared.union(seen)):
        assert both.levels.tolist() == ["b", "c", "a"]
        assert both.stays.tolist() == [True, True, True, False]


def test_a_level_that_is_nowhere_is_absent() -> None:
    assert levels("a", "b").index(levels("a", "c")).tolist() == [0, 1, ABSENT]


def test_levels_that_are_their_own_codes_are_known() -> None:
    assert levels(0, 1, 2).coded
    assert not levels(0, 2).coded
    assert not levels("0", "1").coded


BLANK = [levels(), Lattice.empty()]
KNOWN = [levels("a"), Lattice.of(np.array([1.0])), Grid(np.array([0.5]))]


@pytest.mark.parametrize("known", KNOWN, ids=lambda axis: type(axis).__name__)
@pytest.mark.parametrize("blank", BLANK, ids=lambda axis: type(axis).__name__)
def test_a_column_of_missing_cells_unites_with_symbols_and_with_numbers(blank: Any, known: Any) -> None:
    for both in (blank.union(known), known.union(blank)):
        assert type(both) is type(known)
        assert both.levels.tolist() == known.levels.tolist()
    assert known.index(blank).tolist() == [0]


@pytest.mark.parametrize(("one", "other"), [(a, b) for a, b in permutations(KNOWN, 2) if Levels in (type(a), type(b))])
def test_symbols_and_numbers_do_not_unite(one: Any, other: Any) -> None:
    with pytest.raises(UnlikeAxesError):
        one.union(other)


@given(flat_cells())
def test_cells_lie_behind_each_other_column_by_column(cells: Cells) -> None:
    assert cells.size == sum(axis.size for axis in cells.axes)
    flat = [cells.tell(i) for i in range(cells.size)]
    stays: list[bool] = []
    for i, (name, axis) in enumerate(zip(cells.names, cells.axes, strict=True)):
        assert flat[cells.slice(i)] == [f"{axis.tell(v)} in column {name!r}" for v in range(axis.size)]
        stays += axis.stays.tolist()
    assert cells.stays.tolist() == stays


def test_no_columns_have_no_cells() -> None:
    nothing = Cells((), ())
    assert nothing.size == 0
    assert nothing.index(nothing.union(nothing)) is None
