"""The axis of columns counted together follows the cells of its columns."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.schema.strategies import flat_cells, masks

from candide.schema.axes import ABSENT
from candide.schema.cells import Cells
from candide.schema.tuples import Tuples, check_memory, entries

every_order = pytest.mark.parametrize("order", [2, 3])


def called(axis: Tuples) -> list[str]:
    return [axis.tell(entry) for entry in range(axis.size)]


@every_order
@given(cells=flat_cells())
def test_entries_are_all_cells_of_all_tuples_in_order(order: int, cells: Cells) -> None:
    wanted = [
        " together with ".join(
            f"{cells.axes[i].tell(c)} in column {cells.names[i]!r}" for i, c in zip(columns, at, strict=True)
        )
        for columns in combinations(range(3), order)
        for at in product(*(range(cells.axes[i].size) for i in columns))
    ]
    axis = Tuples(cells, order)
    assert called(axis) == wanted
    assert axis.size == entries([a.size for a in cells.axes], order)


@every_order
@given(one=flat_cells(), other=flat_cells())
def test_the_union_holds_the_entries_of_both_by_the_same_names(order: int, one: Cells, other: Cells) -> None:
    a, b = Tuples(one, order), Tuples(other, order)
    both = a.union(b)
    for part in (a, b):
        index = both.index(part)
        places = np.arange(part.size) if index is None else index
        assert [both.tell(int(entry)) for entry in places] == called(part)


@every_order
@given(data=st.data(), cells=flat_cells())
def test_entries_leave_with_their_cells(order: int, data: st.DataObject, cells: Cells) -> None:
    axis = Tuples(cells, order)
    keep = cells.stays | data.draw(masks(cells.size))
    left = axis.following(keep)
    after = axis.take(left)
    assert called(after) == [name for name, kept in zip(called(axis), left, strict=True) if kept]
    assert called(after) == called(Tuples(cells.take(keep), order))
    index = after.index(axis)
    found = np.arange(axis.size) if index is None else index
    np.testing.assert_array_equal(found, np.where(left, np.cumsum(left) - 1, ABSENT))


@given(cells=flat_cells())
def test_tables_come_in_any_order_of_their_columns(cells: Cells) -> None:
    axis = Tuples(cells, 3)
    counts = np.arange(2 * axis.size).reshape(2, -1)
    table = axis.table(counts, 0, 1, 2)
    assert table.shape == (2, *(a.size for a in cells.axes))
    np.testing.assert_array_equal(axis.table(counts, 2, 0, 1), table.transpose(0, 3, 1, 2))


def test_the_limit_counts_bytes() -> None:
    check_memory([100] * 10, 3, 2)
    with pytest.raises(ValueError, match=r"in triples, by 50 classes, takes 48,000,000,000 bytes, more than the limit"):
        check_memory([100] * 10, 50, 3)
