"""Moments: exact where the values are equal."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from tests import laws

from candide.statistics.moments import Moments

decimals = st.integers(-10_000, 10_000).map(lambda v: v / 100)
weights = st.lists(st.sampled_from([1.0, 2.0, 3.0, 0.1, 0.3, 0.7]), min_size=1, max_size=9)


@given(decimals, weights)
def test_one_value_repeated_is_its_own_mean(value: float, weight: list[float]) -> None:
    w = np.array(weight)[:, None]
    x = np.full(w.shape, value)
    for m in (Moments.of(x), Moments.of(x, w), Moments.of(x, w.round())):
        if m.n[0] > 0:
            assert m.mean.tolist() == [value]
        assert m.m2.tolist() == [0.0]


@given(decimals, weights)
def test_equal_means_that_meet_stay_what_they_are(value: float, weight: list[float]) -> None:
    w = np.array(weight)
    parts = Moments(w[:, None], np.full((len(w), 1), value), np.zeros((len(w), 1)))
    together = parts.move(0, np.zeros(len(w), dtype=int), 1)
    for m in (parts.pooled(), together):
        assert m.mean.ravel().tolist() == [value]
        assert m.m2.ravel().tolist() == [0.0]


@given(hnp.arrays(float, (5, 2, 3), elements=decimals), st.lists(st.integers(0, 2), min_size=3, max_size=3))
def test_entries_that_meet_are_added(x: np.ndarray, index: list[int]) -> None:
    parts = Moments.of(x)
    moved = parts.move(1, np.array(index), 3)
    for at in range(3):
        mine = [parts.map(lambda a, j=j: a[:, j]) for j in range(3) if index[j] == at]
        whole = sum(mine[1:], mine[0]) if mine else Moments.zero(2)
        laws.same_moments(moved.map(lambda a, at=at: a[:, at]), whole)


def test_values_of_no_weight_are_no_part_of_the_mean() -> None:
    m = Moments.of(np.array([[1e9, 1.0], [0.1, 2.0], [0.1, 3.0]]), np.array([[0, 0], [3, 0], [4, 0]]))
    assert m.mean.tolist() == [0.1, 0.0]
    assert m.m2.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("size", [0, 1])
def test_no_rows_have_the_zero_moments(size: int) -> None:
    laws.same_moments(Moments.of(np.zeros((0, size))), Moments.zero(size))


@given(st.lists(st.integers(0, 10**6) | st.integers(0, 3), min_size=1, max_size=30), st.integers(0, 10**6))
def test_whole_numbers_are_never_taken_for_fractions(x: list[int], shift: int) -> None:
    moments = Moments.of(np.array(x, dtype=float)[:, None] + shift)
    assert not moments.not_whole().any()
    assert not (moments + moments).not_whole().any()


@given(st.lists(st.floats(0, 50), min_size=1, max_size=3))
def test_few_fractions_are_told_from_whole_numbers(x: list[float]) -> None:
    assume(max(abs(v - round(v)) for v in x) > 1e-3)
    total, squares = sum(x), sum(v * v for v in x)
    odd = abs(squares - total - 2 * round((squares - total) / 2))
    assume(max(abs(total - round(total)), odd) > 1e-9)
    assert Moments.of(np.array(x)[:, None]).not_whole().all()
