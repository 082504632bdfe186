"""Cuts in units are the cuts, to the last bit."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from candide.estimator.slim.format.units import from_units, in_units


@given(st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=20, unique=True), st.integers(0, 9))
def test_cuts_come_back(whole, decimals):
    cuts = [n / 10**decimals for n in sorted(whole)]
    found = in_units(np.array(cuts))
    assert found is not None
    unit, between = found
    assert from_units(unit, between) == cuts
    assert (between[:, 1:] > 0).all()


@given(st.lists(st.floats(allow_nan=False), max_size=5, unique=True).map(sorted))
def test_cuts_of_many_digits_come_back_or_are_left_as_they_are(cuts):
    found = in_units(np.array(cuts))
    assert found is None or from_units(*found) == cuts


def test_the_unit_is_the_largest():
    assert in_units(np.array([1000.0, 3000.0, 4000.0]))[0] == [1000, 0]
    assert in_units(np.array([0.25, 0.5]))[0] == [25, 2]
    assert in_units(np.array([0.0]))[0] == [1, 0]
    assert in_units(np.array([1 / 3])) is None
    assert in_units(np.array([])) is None
