"""Leaving a row out of a density by moments is refitting without it, every class and floor included."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import laws
from tests.discretizers.columns import columns

from candide import NaiveBayes
from candide.distributions.gamma import Exponential, Gamma, Poisson
from candide.distributions.normal import LogNormal, Normal
from candide.distributions.softened import Softened
from candide.distributions.student import Student

positive = columns(values=st.integers(1, 30).map(float))


def left_out_and_refitted(rule, values, counts, weight=1.0):
    """Yield what is said of each value with a weight of it left out, and by a density that never saw that weight."""
    density = rule.density(values, counts)
    for c, at in zip(*np.nonzero(counts), strict=True):
        without = counts.astype(float)
        without[c, at] = 0.0 if without[c, at] <= weight else without[c, at] - weight
        w = np.minimum(counts[c, at], [weight])
        left = density.leave_one_out(values[[at]], np.array([c]), w)[0]
        yield left, rule.density(values, without).log_density(values[[at]])[0]


@pytest.mark.parametrize("inner", [Normal(), LogNormal(), Gamma(), Poisson(), Student(), Exponential()], ids=repr)
@given(positive)
def test_leaving_a_row_out_refits_every_class(inner, column):
    values, counts = column
    for left, refitted in left_out_and_refitted(Softened(inner), values, counts):
        np.testing.assert_allclose(left, refitted, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("inner", [Normal(), Gamma(), Student()], ids=repr)
@given(columns(values=st.integers(1, 9).map(float), weights=st.sampled_from([0.0, 0.1, 0.3, 0.7, 1.3, 9.0])))
def test_leaving_a_row_of_any_weight_out_refits_every_class(inner, column):
    values, counts = column
    for left, refitted in left_out_and_refitted(Softened(inner), values, counts, weight=10.0):
        np.testing.assert_allclose(left, refitted, rtol=1e-6, atol=1e-6)


def test_leaving_a_row_out_takes_it_out_of_the_floor_of_the_other_classes():
    X, y = np.array([[3.8], [2.8], [4.7], [2.7]]), np.array([0, 1, 1, 1])
    laws.leaves_one_out(NaiveBayes(distributions=Softened(Normal())).fit(X, y), X, y)


@pytest.mark.parametrize("inner", [Normal(), LogNormal(), Gamma(), Student()], ids=repr)
def test_leaving_an_outlier_out_keeps_the_digits_of_the_rest(inner):
    values = np.array([1.0, 1e8, 1e8 + 1e-3, 1e8 + 4e-3, 1e30])
    counts = np.array([[1, 1, 1, 0, 0], [0, 0, 1, 1, 1]])
    for left, refitted in left_out_and_refitted(Softened(inner), values, counts):
        np.testing.assert_allclose(left, refitted, rtol=1e-3, atol=1e-3)
