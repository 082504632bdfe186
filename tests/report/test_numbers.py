"""Numbers as a person reads them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide.report import numbers


@given(st.floats(-30, 30))
def test_a_factor_and_its_opposite_are_one_number(nats):
    up, down = numbers.factor(nats), numbers.factor(-nats)
    assert up == down == "×1" or {up[0], down[0]} == {"×", "÷"}
    assert up[1:] == down[1:]


@given(st.lists(st.floats(-1e6, 1e6, allow_nan=False), min_size=1, max_size=12, unique=True))
def test_intervals_have_names_of_their_own_that_say_where_the_cuts_are(cuts):
    cuts = sorted(cuts)
    names = numbers.interval_names(cuts)
    assert len(set(names)) == len(cuts) + 1
    told = [float(name.replace("−", "-")) for name in numbers.cut_names(cuts)]
    gap = min(np.diff(cuts), default=abs(cuts[0]) or 1.0)
    assert told == pytest.approx(cuts, abs=max(0.06 * gap, 1e-12), rel=1e-5)


def test_points_double_the_odds():
    assert numbers.points(math.log(2)) == "+10"
    assert numbers.points(-math.log(4)) == "−20"


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=8, unique=True), st.sampled_from([0.0, 0.5]))
def test_intervals_of_whole_numbers_are_named_by_the_numbers_in_them(ends, beside):
    cuts = np.sort(np.array(ends)) + beside  # a cut half a step higher parts the same numbers
    names = numbers.interval_names(cuts, whole=True)
    assert len(set(names)) == len(cuts) + 1
    for x in range(-52, 53):
        name = names[np.searchsorted(cuts, x)].replace("−", "-")
        if name[0] in "≤>":
            assert (x <= int(name[2:])) == (name[0] == "≤")
        else:
            low, _, high = name.partition("–" if "–" in name else " to ")
            assert int(low) <= x <= int(high or low)


def test_where_an_interval_holds_no_whole_number_the_cuts_are_told():
    assert numbers.interval_names([0.2, 0.6, 3.0], whole=True) == numbers.interval_names([0.2, 0.6, 3.0])
