"""Chances, shares and p-values in one spelling."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from candide.shares import chance, p_value, share


@given(st.floats(0, 1))
def test_a_chance_is_never_certain(p):
    assert chance(p) not in ("0 %", "100 %", "0.0 %", "100.0 %")


@given(st.floats(0, 1, exclude_min=True, exclude_max=True), st.integers(0, 3))
def test_a_share_is_all_or_nothing_only_where_it_is(p, digits):
    assert not share(p, digits).startswith(("100", f"{0:.{digits}f} "))
    assert share(0.0, digits) == f"{0:.{digits}f} %"
    assert share(1.0, digits) == f"{100:.{digits}f} %"


@given(st.floats(0.0011, 0.9989))
def test_what_is_told_lies_within_half_a_step(p):
    for told, step in ((chance(p), 1 if 0.1 <= p <= 0.9 else 0.1), (share(p), 0.1)):
        assert abs(float(told.removesuffix(" %")) - 100 * p) <= step / 2 + 1e-9


def test_what_is_not_known_is_told_as_such():
    assert [told(math.nan) for told in (chance, share, p_value)] == ["–"] * 3
    assert p_value(0.00099) == "< 0.001"
