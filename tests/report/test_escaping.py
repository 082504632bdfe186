"""Text as HTML."""

from __future__ import annotations

import pytest

from candide.report.escaping import unbroken


@pytest.mark.parametrize("text", ["5 % and < 0.1 %", "a > 3 b", "100 %"])
def test_numbers_keep_their_signs_beside_them_and_words_do_not(text):
    assert unbroken(text).replace("\u202f", " ") == text
    assert unbroken("5 percent of 3 < x") == "5 percent of 3 < x"
