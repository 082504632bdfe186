"""Numerals: what a number is, told of many by few."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from candide.reading.numerals import STYLES, fitting, is_code, pattern, shape, unit_of

PARTS = [
    "0",
    "01",
    "2",
    "34",
    "567",
    "9000",
    ".",
    ",",
    " ",
    "'",
    "-",
    "+",
    "(",
    ")",
    "$",
    "€",
    "%",
    "kg",
    "m2",
    "e3",
    "?",
]
TEXTS = st.lists(st.sampled_from(PARTS), max_size=7).map("".join)


def unit(text: str, style: tuple[str, str]) -> set[str] | None:
    """Return the units before and behind a number, None where it is none."""
    found = pattern(*style).fullmatch(text)
    return None if found is None else {found["before"], found["after"]} - {None}


@given(TEXTS)
def test_a_shape_is_a_number_of_a_style_with_a_unit_where_its_texts_are(text: str) -> None:
    for style in STYLES:
        assert unit(shape(text), style) == unit(text, style)


@given(st.lists(TEXTS, max_size=100))
def test_styles_and_units_of_many_are_those_of_each(texts: list[str]) -> None:
    assert set(fitting(texts)) == {style for style in STYLES if all(unit(text, style) is not None for text in texts)}
    for style in STYLES:
        units = set().union(*(unit(text, style) or () for text in texts))
        assert unit_of(texts, style) == ("" if not units else units.pop() if len(units) == 1 else None)


def test_few_shapes_stand_for_many_numbers() -> None:
    assert len({shape(f"{x / 7:.2f}") for x in range(10_000)}) < 200


def test_codes_are_told_with_signs_spaces_and_letters() -> None:
    assert [is_code(text) for text in (" +01 ", "-007x", "1234567890123456", "123456789012345", "0x", "00")] == [
        True, True, True, False, False, True,
    ]  # fmt: skip
