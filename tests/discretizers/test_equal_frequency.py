from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.preprocessing import KBinsDiscretizer
from tests.discretizers.columns import columns

from candide.discretizers import EqualFrequency


@given(columns(), st.integers(1, 8))
def test_agrees_with_the_definition_in_fractions(column, k):
    values, counts = column
    weight = {v: int(w) for v, w in zip(values, counts.sum(axis=0), strict=True) if w}
    total, cumulative, up_to = sum(weight.values()), 0, {}
    for v, w in weight.items():
        cumulative += w
        up_to[v] = cumulative
    inner = list(up_to)[:-1]
    expected = {min(inner, key=lambda v: abs(up_to[v] - Fraction(j * total, k))) for j in range(1, k) if inner}
    np.testing.assert_array_equal(EqualFrequency(k).cuts(values, counts), sorted(expected))


@pytest.mark.parametrize("k", [2, 5, 10])
def test_parts_rows_without_ties_as_scikit_learn_does(k):
    x = np.sort(np.random.default_rng(0).normal(size=40 * k))
    theirs = KBinsDiscretizer(k, encode="ordinal", strategy="quantile", quantile_method="linear").fit_transform(
        x[:, None]
    )
    cuts = EqualFrequency(k).cuts(x, np.ones((1, x.size)))
    np.testing.assert_array_equal(np.searchsorted(cuts, x, side="left"), theirs[:, 0])


@given(columns(weights=st.integers(0, 1)), st.integers(1, 5), st.integers(1, 6))
def test_weights_are_repetitions(column, times, k):
    values, counts = column
    cuts = EqualFrequency(k).cuts(values, counts)
    np.testing.assert_array_equal(EqualFrequency(k).cuts(values, counts * times), cuts)


def test_a_heavy_value_keeps_a_bin_of_its_own():
    cuts = EqualFrequency(5).cuts([0.0, 1.0, 2.0, 3.0, 4.0], [[60, 10, 10, 10, 10]])
    np.testing.assert_array_equal(cuts, [0, 2])


def test_a_heavy_last_value_does_not_swallow_the_rest():
    np.testing.assert_array_equal(EqualFrequency(5).cuts([0.0, 1.0], [[1, 99]]), [0])
