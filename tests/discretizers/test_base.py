from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import laws
from tests.discretizers.columns import EXTREME, MODERATE, columns
from tests.strategies import DISCRETIZERS, Case, cases, fitted, merged, partitions, streamed

from candide.discretizers import REGISTRY, Cuts, EqualFrequency, EqualWidth, as_discretizer
from candide.discretizers.base import midpoints
from candide.distributions import Bins

any_rule = pytest.mark.parametrize("rule", DISCRETIZERS, ids=repr)


@any_rule
@given(column=columns(values=MODERATE | EXTREME, weights=st.integers(0, 9) | st.sampled_from([0.25, 1e-9, 1e9])))
def test_cuts_ascend_and_part_the_values_seen(rule, column):
    values, counts = column
    cuts = rule.cuts(values, counts)
    seen = values[counts.sum(axis=0) > 0]
    assert np.isfinite(cuts).all()
    assert (np.diff(cuts) > 0).all()
    if seen.size < 2:
        assert cuts.size == 0
    if cuts.size:
        assert seen[0] <= cuts[0]
        assert cuts[-1] < seen[-1]
    if not isinstance(rule, EqualWidth):
        filled = np.bincount(np.searchsorted(cuts, seen, side="left"), minlength=cuts.size + 1)
        assert filled.all() or seen.size == 0


@any_rule
@given(column=columns(), seed=st.integers(0, 99))
def test_the_order_of_classes_does_not_matter(rule, column, seed):
    values, counts = column
    np.testing.assert_array_equal(
        rule.cuts(values, np.random.default_rng(seed).permutation(counts)), rule.cuts(values, counts)
    )


@any_rule
@given(column=columns())
def test_classes_and_values_without_weight_do_not_matter(rule, column):
    values, counts = column
    here, known = counts.sum(axis=0) > 0, counts.sum(axis=1) > 0
    np.testing.assert_array_equal(rule.cuts(values[here], counts[known][:, here]), rule.cuts(values, counts))


@any_rule
@given(column=columns(), exponent=st.integers(-30, 30), shift=st.integers(-8, 8))
def test_a_change_of_unit_moves_the_cuts_with_it(rule, column, exponent, shift):
    values, counts = column
    cuts = rule.cuts(values, counts)
    # equal widths are those of the decimals as written, which move by a power of two to rounding only
    rounding = 4 * np.finfo(float).eps if isinstance(rule, EqualWidth) else 0.0
    largest = np.ldexp(np.abs(values).max(), exponent)
    moved = rule.cuts(np.ldexp(values, exponent), counts)
    np.testing.assert_allclose(moved, np.ldexp(cuts, exponent), rtol=0, atol=rounding * largest)
    np.testing.assert_allclose(rule.cuts(values + shift, counts), cuts + shift, rtol=0, atol=1e-12)


@any_rule
@given(column=columns())
def test_the_same_weights_as_integers_and_as_floats_give_the_same_cuts(rule, column):
    values, counts = column
    np.testing.assert_array_equal(rule.cuts(values, counts.astype(float)), rule.cuts(values, counts))


@any_rule
@given(data=st.data())
def test_every_discretizer_cuts_merged_rows_as_it_cuts_the_whole(data, rule):
    case = data.draw(cases(("bins",), min_rows=2))
    case = Case(case.X, case.y, case.weight, dict.fromkeys(case.X, Bins(rule)))
    whole, streamed_ = fitted(case), streamed(case, data.draw(partitions(len(case))))
    laws.same_model(whole, streamed_, case.X)
    assert whole.schema_.choices == streamed_.schema_.choices
    assert whole.schema_.choices == merged(case, data.draw(partitions(len(case)))).schema_.choices


@given(st.lists(MODERATE | EXTREME | st.floats(allow_nan=False, allow_infinity=False), min_size=2, unique=True))
def test_midpoints_separate_neighbours(values):
    values = np.unique(values)
    cuts = midpoints(values)
    assert (values[:-1] <= cuts).all()
    assert (cuts < values[1:]).all()


def test_midpoints_are_halfway():
    np.testing.assert_array_equal(midpoints(np.array([-3.0, 1.0, 2.0, 1e308, 1.6e308])), [-1, 1.5, 5e307, 1.3e308])


@pytest.mark.parametrize("rule", REGISTRY)
def test_names_stand_for_the_defaults(rule):
    assert as_discretizer(rule.name) == rule()


@pytest.mark.parametrize(
    ("k", "error"), [(0, ValueError), (10**7, ValueError), (2.5, TypeError), (True, TypeError), ("3", TypeError)]
)
@pytest.mark.parametrize("rule", [EqualWidth, EqualFrequency])
def test_a_number_of_bins_that_is_none_is_refused(rule, k, error):
    with pytest.raises(error, match=rule.__name__):
        rule(k).cuts([0.0, 1.0], [[1, 1]])


def test_what_is_no_discretizer_is_refused():
    with pytest.raises(ValueError, match="known are 'equal-width'"):
        as_discretizer("equal")
    with pytest.raises(TypeError, match="discretizer takes a name"):
        as_discretizer(5)


def test_rules_are_compared_by_content():
    assert Cuts([1, 2]) == Cuts(np.array([1, 2]))
    assert EqualWidth(5) != EqualWidth(6)
