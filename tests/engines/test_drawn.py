"""Rows drawn of partitions: no more than the bound, by the sizes of the partitions, the same in whatever order."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from functools import reduce
from itertools import pairwise
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide.engines.drawn import SPREAD, Bound, Drawing, Drawn, first_row

pa = pytest.importorskip("pyarrow", reason="rows of partitions come as Arrow")

ROOM = Bound(rows=40, size=1 << 20, least=1)
SIZES = st.lists(st.integers(1, 200), min_size=1, max_size=12)


def rows(partition: int, n: int, length: int = 0) -> pa.Table:
    """A partition whose rows tell where they are, each with some text."""
    texts = pa.array(["x" * length] * n, type=pa.string())
    return pa.table({"partition": pa.array([partition] * n), "row": pa.array(range(n)), "text": texts})


def drawn_of(partition: int, table: pa.Table, bound: Bound, partitions: int | None, cuts: Iterable[int] = ()) -> Drawn:
    """What is drawn of a partition that goes by in such pieces."""
    drawing = Drawing(bound, partition, partitions)
    ends = sorted({0, table.num_rows, *(cut for cut in cuts if cut < table.num_rows)})
    pieces = [table.slice(a, b - a) for a, b in pairwise(ends)]
    assert [piece.num_rows for piece in drawing.passing(pieces)] == [piece.num_rows for piece in pieces]
    assert drawing.drawn is not None
    return drawing.drawn


def places(drawn: Drawn) -> list[tuple[int, int]]:
    there = list(zip(drawn.partition.tolist(), drawn.number.tolist(), strict=True))
    assert there == list(zip(*(drawn.rows[name].to_pylist() for name in ("partition", "row")), strict=True))
    return there


def by_definition(sizes: list[int], stride: int) -> list[tuple[int, int]]:
    """The rows of a stride: every so manyth of each partition."""
    starts = [first_row(p) % stride for p in range(len(sizes))]
    return [
        (p, n) for p, (size, start) in enumerate(zip(sizes, starts, strict=True)) for n in range(start, size, stride)
    ]


@given(SIZES, st.lists(st.integers(1, 200), max_size=4), st.randoms())
def test_the_rows_of_the_least_stride_within_the_bound_are_drawn_in_whatever_order(sizes, cuts, random):
    parts = [drawn_of(p, rows(p, n), ROOM, 1, cuts) for p, n in enumerate(sizes)]
    while len(parts) > 1:  # ends: two become one
        one, two = (parts.pop(random.randrange(len(parts))) for _ in range(2))
        parts.append(pickle.loads(pickle.dumps(one + two)))
    drawn = parts[0].ordered
    wanted = next(found for k in range(20) if len(found := by_definition(sizes, 2**k)) <= ROOM.rows)
    assert places(drawn) == wanted
    assert drawn.seen == sum(sizes)


@given(SIZES, st.integers(0, 300), st.integers(1, 20), st.randoms())
def test_long_rows_are_drawn_as_far_as_there_is_room(sizes, length, least, random):
    bound = Bound(rows=60, size=4_000, least=least)
    parts = [drawn_of(p, rows(p, n, length), bound, 1) for p, n in enumerate(sizes)]
    drawn = reduce(add, random.sample(parts, len(parts)))
    assert drawn.rows.num_rows <= 60
    assert drawn.rows.nbytes <= 4_000 or drawn.rows.num_rows <= least
    again = reduce(add, random.sample(parts, len(parts)))
    assert places(again.ordered) == places(drawn.ordered)


@given(st.lists(st.integers(1, 40), min_size=50, max_size=200))
def test_partitions_are_drawn_from_by_their_sizes(sizes):
    drawn = reduce(add, (Drawn.of(rows(p, n), p, ROOM) for p, n in enumerate(sizes)))
    found = np.bincount(drawn.partition, minlength=len(sizes))
    assert (np.abs(found - np.array(sizes) / drawn.stride) < 1).all()  # so many or one more, never all of a few
    small = np.array(sizes) < np.median(sizes)
    assert found[small].sum() == pytest.approx(np.array(sizes)[small].sum() / drawn.stride, abs=12)


@pytest.mark.parametrize("partitions", [1, 10, 1000, 100_000])
def test_all_partitions_together_send_a_few_bounds(partitions):
    bound = Bound(rows=100_000, size=1 << 26, least=2_000)
    own = bound.shared(partitions)
    assert own.rows * partitions <= max(SPREAD * bound.rows, partitions)
    assert own.size * partitions <= SPREAD * bound.size
    alike = bound.rows // partitions  # partitions of one size fill the bound, and one of some times that is not cut
    assert own.rows >= min(bound.rows, SPREAD * alike) > 0


def test_a_partition_that_does_not_know_of_others_has_its_number():
    table = rows(0, 300)
    kept = [drawn_of(p, table, ROOM, None).rows.num_rows for p in (0, SPREAD - 1, 4 * SPREAD - 1, 40 * SPREAD - 1)]
    assert kept[0] == kept[1] > kept[2] > kept[3]
    assert drawn_of(3, table, ROOM, 64).bound is ROOM


def test_a_row_that_every_stride_draws_is_kept_though_there_is_no_room():
    assert Drawn.of(rows(0, 1, length=100), 0, Bound(rows=1, size=10, least=0)).rows.num_rows == 1
