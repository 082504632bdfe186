"""Bundled sets need neither folder nor network, and say which copy they are."""

import pytest

from candide.datasets import load


@pytest.mark.parametrize(("name", "shape", "classes"), [("iris", (150, 4), 3), ("wdbc", (569, 30), 2)])
def test_bundled_sets_need_no_folder(name, shape, classes, monkeypatch):
    monkeypatch.delenv("CANDIDE_DATA", raising=False)
    bundled = load(name)
    assert bundled.X.shape == shape
    assert bundled.y.nunique() == classes
    assert isinstance(bundled.y.iloc[0], str)


def test_the_bundled_digits_say_that_they_are_a_part(monkeypatch):
    monkeypatch.delenv("CANDIDE_DATA", raising=False)
    digits = load("optdigits")
    assert len(digits.frame) == 1797
    assert "only the 1797 rows" in digits.description
    assert set(digits.kinds.values()) == {"count", "categorical"}
