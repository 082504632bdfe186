"""Colours by arithmetic, where no browser judges them: what is read and what is seen stands out in both themes."""

from __future__ import annotations

import re

import pytest

from candide.report import tags
from candide.report.page.script import part

ROOTS = re.findall(r":root \{(.*?)\}", part("style.css"), re.DOTALL)
THEMES = dict(zip(["light", "dark", "print"], ROOTS, strict=True))
PALETTES = {name: dict(re.findall(r"--(\w+): (#\w+)", text)) for name, text in THEMES.items()}
READ, SEEN = 4.5, 3.0
"""The least contrast of text, and of marks and the borders of controls (WCAG 2.2, 1.4.3 and 1.4.11)."""


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * d for d in colour[1:])
    shares = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def test_the_arithmetic():
    assert contrast("#000000", "#fff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", PALETTES)
def test_text_and_marks_stand_out(theme):
    colours = PALETTES[theme]
    for ground in ("paper", "ground", "soft"):
        for text in ("ink", "muted", "asked", "rival"):
            assert contrast(colours[text], colours[ground]) >= READ, (text, ground)
    for mark in ("asked", "rival", "rest", "beware", "edge"):
        assert contrast(colours[mark], colours["paper"]) >= SEEN, mark
    for ground in ("good", "bad"):  # counts of a confusion
        assert contrast(colours["ink"], colours[ground]) >= READ, ground


def test_paper_sets_every_colour_again():
    assert PALETTES["light"].keys() == PALETTES["dark"].keys() == PALETTES["print"].keys()
    assert luminance(PALETTES["print"]["paper"]) == 1


def test_bars_of_a_notebook_are_seen_on_white_and_on_black():
    for colour in (tags.BLUE, tags.ORANGE, tags.GREY):
        assert contrast(colour, "#ffffff") >= SEEN
        assert contrast(colour, "#111111") >= SEEN
