from __future__ import annotations

import numpy as np
import pytest

from candide.discretizers import EqualFrequency, Proportional


@pytest.mark.parametrize("n", [1, 2, 99, 100, 1000])
def test_makes_root_n_bins_of_root_n_rows(n):
    cuts = Proportional().cuts(np.arange(n), np.ones((1, n), dtype=int))
    sizes = np.bincount(np.searchsorted(cuts, np.arange(n), side="left"))
    assert sizes.size == int(np.sqrt(n))
    assert abs(sizes - n / sizes.size).max() <= 1


def test_counts_weight_and_not_values():
    values, counts = np.arange(30.0), np.full((2, 30), 50)
    np.testing.assert_array_equal(Proportional().cuts(values, counts), EqualFrequency(54).cuts(values, counts))


def test_a_huge_weight_does_not_make_huge_arrays():
    values, counts = np.arange(30.0), np.full((1, 30), 2**50)
    np.testing.assert_array_equal(Proportional().cuts(values, counts), values[:-1])
