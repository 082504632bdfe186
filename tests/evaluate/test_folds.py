"""Folds are a fair partition; parts of a fold keep every class's share."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide.evaluate.folds import folds, part

labels = st.lists(st.integers(0, 4), min_size=2, max_size=80).map(np.array)


@given(labels, st.integers(2, 10), st.booleans(), st.integers(0, 99))
def test_every_row_is_tested_once_and_learnt_from_otherwise(codes, n, stratified, seed):
    n = min(n, len(codes))
    tested = np.zeros(len(codes), dtype=int)
    for train, test in folds(codes, n, stratified, np.random.default_rng(seed)):
        assert sorted([*train, *test]) == list(range(len(codes)))
        tested[test] += 1
        assert len(codes) // n <= len(test) <= -(-len(codes) // n)
        if stratified:
            for c in np.unique(codes):
                total = (codes == c).sum()
                assert total // n <= (codes[test] == c).sum() <= -(-total // n)
    assert (tested == 1).all()


@given(labels, st.floats(0.01, 1.0), st.integers(0, 99))
def test_a_stratified_part_keeps_each_class_to_within_one_row(codes, share, seed):
    rows = np.arange(len(codes))[::2]
    taken = part(rows, codes, share, True, np.random.default_rng(seed))
    wanted = max(1, round(share * len(rows)))
    assert len(taken) == len(np.unique(taken)) == wanted
    assert set(taken) <= set(rows)
    for c in np.unique(codes):
        even = (codes[rows] == c).sum() * wanted / len(rows)
        assert abs((codes[taken] == c).sum() - even) < 1 + 1e-9


def test_a_part_may_be_a_number_of_rows_and_smaller_parts_are_drawn_alike():
    rows, codes = np.arange(40), np.repeat([0, 1], 20)
    assert len(part(rows, codes, 7, False, np.random.default_rng(0))) == 7
    assert (part(rows, codes, 1.0, True, np.random.default_rng(0)) == rows).all()
    assert len(part(rows, codes, 1, True, np.random.default_rng(0))) == 1


def test_different_seeds_draw_different_folds():
    codes = np.zeros(50, dtype=int)
    first, second = (next(folds(codes, 5, True, np.random.default_rng(s)))[1] for s in (0, 1))
    assert first.tolist() != second.tolist()


@pytest.mark.parametrize("n", [1, 6])
def test_a_wrong_number_of_folds_is_refused(n):
    with pytest.raises(ValueError, match=rf"between 2 and the number of rows \(5\), got {n}"):
        list(folds(np.zeros(5, dtype=int), n, True, np.random.default_rng(0)))


@pytest.mark.parametrize("size", [0.0, 1.5, 0, 9])
def test_a_wrong_size_is_refused(size):
    with pytest.raises(ValueError, match=r"share|cannot learn"):
        part(np.arange(5), np.zeros(5, dtype=int), size, True, np.random.default_rng(0))
