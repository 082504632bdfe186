"""One word, one meaning: a name that a module gives to a class is given to no other class."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import candide

SOURCE = Path(candide.__file__).parent

CODE = re.compile(r"`([\w/.]+)`")
CONSTANTS = {"ABSENT"}

SHARED = {"Array", "Facts", "T", "Floats", "Block"}
"""Types of arrays, plain dicts and generics, spelt where they are used; the blocks of models, and those of reports."""


def defined(tree: ast.Module) -> list[str]:
    """Return the classes and types that a module defines."""
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    named = [node.targets[0] for node in tree.body if isinstance(node, ast.Assign)]
    named += [node.target for node in tree.body if isinstance(node, ast.AnnAssign)]
    names = [target.id for target in named if isinstance(target, ast.Name)]
    return [*classes, *(name for name in names if name[0].isupper() and not name.isupper())]


def test_no_two_classes_have_one_name() -> None:
    places = defaultdict(list)
    for path in SOURCE.rglob("*.py"):
        for name in defined(ast.parse(path.read_text())):
            if name not in SHARED:
                places[name].append(str(path.relative_to(SOURCE)))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_the_words_that_a_glossary_page_puts_in_code_are_there() -> None:
    page = (Path(__file__).parent.parent / "docs" / "glossary.md").read_text()
    rows = [line.split("|")[1:-1] for line in page.splitlines() if line.startswith("| **")]
    known = {name for path in SOURCE.rglob("*.py") for name in defined(ast.parse(path.read_text()))}
    told = {name for row in rows for name in CODE.findall(row[0])}
    assert told - known - CONSTANTS == set()
    places = {place for row in rows for place in CODE.findall(row[-1]) if place.endswith(("/", ".py"))}
    for place in sorted(places):
        assert (SOURCE / place).exists() or list(SOURCE.rglob(place)), place
