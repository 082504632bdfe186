"""The page of the documents' sentences: every call returns what is shown, every test named is there."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "papers.md"


def rows() -> list[list[str]]:
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return [row for row in cells if row[0] != "where"]


def code(cell: str) -> str:
    return cell.strip("`")


@pytest.fixture(scope="module")
def names() -> dict[str, object]:
    """What the page's block of Python defines."""
    found: dict[str, object] = {}
    for example in doctest.DocTestParser().get_examples(PAGE.read_text(encoding="utf-8")):
        exec(compile(example.source, str(PAGE), "exec"), found)
    return found


def test_every_document_has_its_rows() -> None:
    assert len(rows()) >= 120
    assert all(len(row) == 5 for row in rows())
    assert len(re.findall(r"^## \[", PAGE.read_text(encoding="utf-8"), re.MULTILINE)) == 5


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row[0]}: {row[1]}"[:70])
def test_every_call_returns_what_is_shown(row: list[str], names: dict[str, object]) -> None:
    assert repr(eval(code(row[2]), names)) == code(row[3])


@pytest.mark.parametrize("test", sorted({code(row[4]) for row in rows()}))
def test_every_test_that_is_named_is_there(test: str) -> None:
    file, name = test.split("::")
    assert re.search(rf"^def {name}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
