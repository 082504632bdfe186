from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.discretizers.columns import columns

from candide.discretizers import EqualWidth


@given(columns(), st.integers(1, 20))
def test_agrees_with_numpy_histograms(column, k):
    values, counts = column
    seen = values[counts.sum(axis=0) > 0]
    expected = np.histogram_bin_edges(seen, bins=k)[1:-1] if seen.size > 1 else []
    np.testing.assert_allclose(EqualWidth(k).cuts(values, counts), expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize("k", [3, 7, 10, 49])
def test_whole_cuts_are_hit_exactly(k):
    cuts = EqualWidth(k).cuts([-float(k), 2.0 * k], [[1, 1]])
    np.testing.assert_array_equal(cuts, -k + 3.0 * np.arange(1, k))


def test_a_range_wider_than_the_floats():
    cuts = EqualWidth(4).cuts([-1.6e308, 1.6e308], [[1, 1]])
    np.testing.assert_allclose(cuts, [-8e307, 0, 8e307], rtol=1e-15)


def test_denormals_keep_the_cuts_there_are():
    np.testing.assert_array_equal(EqualWidth(10).cuts([0.0, 5e-324], [[1, 1]]), [0.0])


@pytest.mark.parametrize("unit", [1e-6, 0.001, 0.1, 1.0, 3.7, 1e6])
@pytest.mark.parametrize("step", [0.1, 0.01, 1.0])
def test_a_value_on_a_cut_is_below_it_in_any_unit(unit, step):
    # 21 values in ten bins: every second value lies on a cut.
    values = (4.3 + np.arange(21) * step) * unit
    cuts = EqualWidth(10).cuts(values, np.ones((1, 21)))
    bins = np.searchsorted(cuts, values, side="left")
    np.testing.assert_array_equal(bins, np.r_[0, np.arange(20) // 2])


@pytest.mark.parametrize("digits", [1, 2, 3])
@pytest.mark.parametrize("k", [2, 4, 5, 10])
def test_a_number_written_as_a_cut_is_below_it_whether_or_not_it_was_learnt(digits, k):
    for low in range(-3, 4):
        for width in range(1, 31):
            ends = [float(Decimal(end).scaleb(-digits)) for end in (low, low + width)]
            cuts = EqualWidth(k).cuts(ends, [[1, 1]])
            # all of them are finite decimals, since k divides a power of ten
            written = [float((low + Decimal(j * width) / k).scaleb(-digits)) for j in range(1, k)]
            np.testing.assert_array_equal(np.searchsorted(cuts, written, side="left"), np.arange(k - 1))


def test_a_cut_between_decimals_is_the_decimal_between_them():
    assert EqualWidth(10).cuts([0.0, 0.3], [[1, 1]])[8] == 0.27 != 9 * 0.3 / 10
