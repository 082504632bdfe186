"""The layout: any JSON, one line a column."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide.estimator.format.layout import Lines, Section, lay_out

LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(Lines)
        | st.dictionaries(st.text(), inner, max_size=3)
        | st.dictionaries(st.text(), inner, max_size=3).map(Section)
    ),
    max_leaves=12,
)


@given(VALUES)
def test_the_text_is_json_of_the_same_value(value: Any) -> None:
    assert json.loads(lay_out(value)) == value


def test_sections_and_lines_are_broken_and_nothing_else() -> None:
    text = lay_out(Section(a=[1, {"b": [2]}], c=Lines([{"d": 3}, {"e": Lines([4])}]), f=Lines()))
    assert text.splitlines() == [
        "{",
        ' "a": [1, {"b": [2]}],',
        ' "c": [',
        '  {"d": 3},',
        '  {"e": [4]}',
        " ],",
        ' "f": []',
        "}",
    ]


def test_what_json_does_not_have_is_an_error() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        lay_out(Section(a=float("nan")))
