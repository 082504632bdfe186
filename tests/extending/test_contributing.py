"""CONTRIBUTING's table of where to add things is true: its files are there, and a test adds a thing of every row."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CONTRIBUTING = HERE.parents[1] / "CONTRIBUTING.md"
TABLE = CONTRIBUTING.read_text(encoding="utf-8").split("## Where to add things")[1].split("\n\n")[1]
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in TABLE.splitlines()[2:]]


def named_after(added: str) -> str:
    """Return the name of the test that adds what a row is of.

    Examples
    --------
    >>> named_after("a **kind of axis** (rare)")
    'test_a_kind_of_axis'
    """
    return "_".join(["test", *re.findall(r"[a-z]+", re.sub(r"\(.*?\)", "", added))])


def those_here() -> set[str]:
    """Return the names of the tests of this folder."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in HERE.glob("test_*.py")]
    return {node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("added", [row[0] for row in ROWS])
def test_every_row_has_the_test_that_adds_such_a_thing(added: str) -> None:
    assert named_after(added) in those_here()


def test_the_files_that_the_table_names_are_there() -> None:
    named = {path for row in ROWS for cell in row for path in re.findall(r"`((?:[\w*]+/)*[\w*]+(?:\.\w+|/))`", cell)}
    assert len(named) > 20
    root = CONTRIBUTING.parent
    absent = [path for path in named if not any([*root.glob(path), *root.glob(f"src/candide/{path}")])]
    assert absent == []


def test_the_lists_that_the_table_names_are_where_it_says() -> None:
    for row in ROWS:
        for name, path in re.findall(r"`([A-Z_]{3,})` of `([\w/]+\.py)`", row[1]):
            (file,) = [*CONTRIBUTING.parent.glob(path), *CONTRIBUTING.parent.glob(f"src/candide/{path}")]
            assert re.search(rf"^{name}\b.* = ", file.read_text(encoding="utf-8"), re.MULTILINE), (name, path)
