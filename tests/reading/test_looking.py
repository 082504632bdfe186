"""Looking at a table: what is said of its columns is what is done with them."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from candide import NaiveBayes
from candide.reading.table_reading import ReadingWarning


def codes(folder: Path) -> str:
    lines = [f"{i % 12 + 1:02d},{'ab'[i % 2]}" for i in range(60)]
    (folder / "codes.csv").write_text("\n".join(["month,y", *lines]), encoding="utf-8")
    return str(folder / "codes.csv")


def test_codes_that_are_declared_to_be_numbers_are_not_said_to_be_text(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nb = NaiveBayes({"month": "normal"}).fit(codes(tmp_path), "y")
    assert nb.schema_.reading.lines() == ["month: codes such as '01', taken as numbers"]
    assert nb.learnt_.schema.columns[0].kind == "numbers"


@pytest.mark.parametrize("reading", ["auto", {"month": "auto"}])
def test_codes_that_are_text_are_said_to_be(tmp_path: Path, reading: object) -> None:
    with pytest.warns(ReadingWarning, match="codes such as '01', taken as text"):
        nb = NaiveBayes(reading=reading).fit(codes(tmp_path), "y")
    assert nb.learnt_.schema.columns[0].kind == "symbols"
    assert "taken as text" in str(nb.schema_.reading)
