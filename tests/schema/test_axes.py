"""Axes of every kind obey the laws that make statistics add up: one loop aligns, prunes and refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.schema.strategies import AXES, COARSE, COUNTED, masks

from candide.schema.axes import ABSENT, Classes, Columns
from candide.schema.lattice import Lattice

EXACT = [kind for kind in AXES if kind not in COARSE]
GROWING = [kind for kind in AXES if kind != "intervals of a grid"]
"""Axes that hold what was seen; all cells of a grid are there, and stay, from the start (test_lattice)."""
every_kind = pytest.mark.parametrize("kind", AXES)


def called(axis: Any) -> list[Any]:
    """Return what the entries of an axis are called; thousands of cells go by the bits that they leave out."""
    if isinstance(axis, Lattice) and not axis.exact:
        return [axis.tell(0), *zip(axis.values.tolist(), axis.dropped.tolist(), strict=True)]
    return [axis.tell(i) for i in range(axis.size)]


def told(axis: Any) -> list[tuple[Any, bool]]:
    """Return what the entries of an axis are called, and whether they stay."""
    return list(zip(called(axis), axis.stays.tolist(), strict=True))


def found(here: Any, other: Any) -> np.ndarray:
    """Return where the entries of another axis are: None stands for the same entries in the same order."""
    index = here.index(other)
    return np.arange(other.size) if index is None else index


@every_kind
@given(data=st.data())
def test_union_is_idempotent_and_associative_and_its_order_does_not_matter(kind: str, data: st.DataObject) -> None:
    a, b, c = (data.draw(AXES[kind]) for _ in range(3))
    assert told(a.union(a)) == told(a)
    assert told(a.union(b).union(b)) == told(a.union(b))
    assert set(told(a.union(b))) == set(told(b.union(a)))
    assert set(told(a.union(b).union(c))) == set(told(a.union(b.union(c))))


@pytest.mark.parametrize("kind", [kind for kind in AXES if kind not in ("levels", "cells")])
@given(data=st.data())
def test_entries_that_have_an_order_of_their_own_come_in_it(kind: str, data: st.DataObject) -> None:
    # the order of declared levels is the user's: two that contradict each other come sorted
    a, b, c = (data.draw(AXES[kind]) for _ in range(3))
    assert told(a.union(b)) == told(b.union(a))
    assert told(a.union(b).union(c)) == told(a.union(b.union(c)))


@every_kind
@given(data=st.data())
def test_the_union_holds_every_entry_of_both(kind: str, data: st.DataObject) -> None:
    a, b = data.draw(AXES[kind]), data.draw(AXES[kind])
    both = a.union(b)
    for part in (a, b):
        index = found(both, part)
        assert index.shape == (part.size,)
        assert (index >= 0).all()
        assert (index < both.size).all()


@pytest.mark.parametrize("kind", GROWING)
@given(data=st.data())
def test_the_union_holds_no_other_entry(kind: str, data: st.DataObject) -> None:
    a, b = data.draw(AXES[kind]), data.draw(AXES[kind])
    both = a.union(b)
    assert {*found(both, a).tolist(), *found(both, b).tolist()} == set(range(both.size))


@pytest.mark.parametrize("kind", EXACT)
@given(data=st.data())
def test_an_entry_is_called_the_same_in_the_union(kind: str, data: st.DataObject) -> None:
    a, b = data.draw(AXES[kind]), data.draw(AXES[kind])
    both = a.union(b)
    for part in (a, b):
        index = found(both, part)
        assert [both.tell(int(i)) for i in index] == called(part)
        assert len(set(index.tolist())) == part.size


@pytest.mark.parametrize("kind", GROWING)
@given(data=st.data())
def test_what_stays_in_one_stays_in_the_union_and_nothing_else_does(kind: str, data: st.DataObject) -> None:
    a, b = data.draw(AXES[kind]), data.draw(AXES[kind])
    both = a.union(b)
    stays = np.zeros(both.size, dtype=bool)
    for part in (a, b):
        stays[found(both, part)[part.stays]] = True
    np.testing.assert_array_equal(both.stays, stays)


@every_kind
@given(data=st.data())
def test_entries_taken_are_found_again_and_the_others_are_absent(kind: str, data: st.DataObject) -> None:
    axis = data.draw(AXES[kind])
    keep = axis.stays | data.draw(masks(axis.size))
    taken = axis.take(keep)
    assert taken.size == keep.sum()
    assert called(taken) == [name for name, kept in zip(called(axis), keep, strict=True) if kept]
    np.testing.assert_array_equal(found(axis, taken), np.flatnonzero(keep))
    np.testing.assert_array_equal(found(taken, axis), np.where(keep, np.cumsum(keep) - 1, ABSENT))
    np.testing.assert_array_equal(taken.stays, axis.stays[keep])


@pytest.mark.parametrize("kind", COUNTED)
@given(data=st.data())
def test_the_missing_cell_is_the_first_stays_and_is_found_first(kind: str, data: st.DataObject) -> None:
    a, b = data.draw(AXES[kind]), data.draw(AXES[kind])
    for axis in (a, a.union(b), a.keep()):
        assert axis.tell(0) == "a missing cell"
        assert axis.stays[0]
        assert len(axis.levels) == axis.size - 1
    assert found(a.union(b), a)[0] == found(a.union(b), b)[0] == 0


@pytest.mark.parametrize("kind", COUNTED)
@given(data=st.data())
def test_a_kept_axis_has_the_same_cells_and_all_of_them_stay(kind: str, data: st.DataObject) -> None:
    axis = data.draw(AXES[kind])
    kept = axis.keep()
    assert kept.stays.all()
    assert axis.index(kept) is None
    assert kept.take(kept.stays).size == axis.size
    assert axis.union(kept).stays.all()


def some_classes(*labels: object, declared: bool = False) -> Classes:
    return Classes(np.array(sorted(labels)), np.full(len(labels), declared))


def test_labels_of_two_types_do_not_unite() -> None:
    with pytest.raises(TypeError, match="class labels are of two types: 'p' and 1; convert them to one type"):
        some_classes("p").union(some_classes(1))
    assert some_classes("p").union(Classes(np.array([]), np.zeros(0, dtype=bool))).labels.tolist() == ["p"]


def test_classes_and_columns_have_names() -> None:
    assert some_classes("p", "q").tell(1) == "class 'q'"
    assert Columns(("x", 2)).tell(1) == "column 2"


def test_other_columns_do_not_unite() -> None:
    with pytest.raises(ValueError, match="different statistics are kept"):
        Columns(("x",)).union(Columns(("y",)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (np.array([1, 2**53 + 1], dtype=np.uint64), np.array([-1, 2**53], dtype=np.int64)),
        (np.array([1, 2], dtype=np.uint8), np.array([-3, 300])),
        (np.array([True]), np.array([False])),
        (np.array(["a"]), np.array(["longer than before"])),
        (np.array([1, 2]), np.array([2**70, 5], dtype=object)),
    ],
    ids=["64 bits", "8 bits", "booleans", "text", "objects"],
)
def test_labels_are_themselves_after_a_union(one: np.ndarray, other: np.ndarray) -> None:
    both = Classes(one, np.zeros(len(one), dtype=bool)).union(Classes(other, np.ones(len(other), dtype=bool)))
    assert both.labels.tolist() == sorted({*one.tolist(), *other.tolist()})
    assert {type(label) for label in both.labels.tolist()} == {type(one.tolist()[0])}
    assert both.labels[both.stays].tolist() == sorted(other.tolist())


OF_STATISTICS = [kind for kind in AXES if kind not in COUNTED]
"""Axes that a part of the statistics has; those of counted columns are laid out flat in one."""


@pytest.mark.parametrize("whole", OF_STATISTICS)
@given(data=st.data())
def test_an_entry_is_left_where_it_is_used_or_stays(whole: str, data: st.DataObject) -> None:
    axis = data.draw(AXES[whole])
    used = data.draw(masks(axis.size))
    every = np.ones(axis.size, dtype=bool)
    left, all_left = axis.left(used.copy, {}), axis.left(every.copy, {})
    assert (every if left is None else left).tolist() == (used | axis.stays).tolist()
    assert all_left is None or all_left.all()


@pytest.mark.parametrize("whole", OF_STATISTICS)
@given(data=st.data())
def test_divisions_and_columns_part_the_entries(whole: str, data: st.DataObject) -> None:
    axis = data.draw(AXES[whole])
    entries = np.arange(axis.size)
    if axis.divisions is not None:
        assert (axis.divisions[0], axis.divisions[-1]) == (0, axis.size)
        assert (np.diff(axis.divisions) >= 0).all()
    if axis.by_column:
        assert np.concatenate([np.atleast_1d(entries[at]) for _, at in axis.by_column]).tolist() == entries.tolist()
        for name, at in axis.by_column:
            assert all(f"column {name!r}" in axis.tell_counted(int(i)) for i in np.atleast_1d(entries[at]))
