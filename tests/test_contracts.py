"""The contracts of the source hold for every file of it: none can be left out by an oversight."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import candide.structure.tree_block  # noqa: F401  # so that its blocks are there
from candide.distributions.blocks import Block
from candide.schema.axes import Entries
from candide.statistics import Counts, Moments
from candide.statistics.words import Mistakes, Sparse, Words

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "candide"

ABOVE = {
    "averaging",
    "cli",
    "datasets",
    "estimator",
    "evaluate",
    "experiments",
    "loading",
    "naive_bayes",
    "plot",
    "presets",
    "report",
    "serve",
    "structure",
    "text",
}
"""The estimators and what stands on them, which may import scikit-learn."""

AT_THE_EDGE = {"messages", "progress", "scoring", "sources", "table"}
"""What meets other libraries and the screen, and so imports them where it does."""


def contract(name: str) -> set[str]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (found,) = [c for c in settings if c["name"] == name]
    return {module.removeprefix("candide.") for module in found["source_modules"]}


def folders() -> set[str]:
    modules = {path.stem for path in PACKAGE.glob("*.py")} | {
        path.parent.name for path in PACKAGE.glob("*/__init__.py")
    }
    return modules - {"__init__"}


def test_everything_below_the_estimators_is_free_of_scikit_learn() -> None:
    assert contract("scikit-learn begins at the estimator") == folders() - ABOVE


def test_everything_but_the_edge_is_free_of_frames_plots_and_screens() -> None:
    wanted = folders() - ABOVE - AT_THE_EDGE | {"estimator"}
    assert contract("Frames, plots and screens are imported where they are used") == wanted


def block_types(base: type = Block) -> set[str]:
    """Return the names of the library's blocks."""
    return {base.__name__}.union(*map(block_types, base.__subclasses__()))


def types_asked_for(path: Path) -> Iterator[str]:
    """Yield the names of the types that a module asks objects and types for, by `isinstance` and `issubclass`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"isinstance", "issubclass"}:
            yield from (part.id for part in ast.walk(node.args[1]) if isinstance(part, ast.Name))


def test_whoever_scores_does_not_ask_which_block_it_has() -> None:
    blocks = block_types()
    assert {"Discrete", "Density", "Known", "PairTables", "TreeBlock"} <= blocks
    modules = [*(PACKAGE / "scoring").rglob("*.py"), *(PACKAGE / "model").rglob("*.py"), PACKAGE / "combination.py"]
    found = {(path.name, name) for path in modules for name in types_asked_for(path)}
    assert ("plan.py", "Mapping") in found  # such calls are seen
    assert not {(path, name) for path, name in found if name in blocks}


def test_whoever_loops_over_parts_and_axes_does_not_ask_which_it_has() -> None:
    kinds = {kind.__name__ for kind in (Entries, *Entries.__subclasses__(), Counts, Moments, Sparse, Words, Mistakes)}
    assert {"Classes", "Columns", "Cells", "Combinations", "Tuples", "Vocabulary"} <= kinds
    modules = [PACKAGE / "statistics" / name for name in ("statistics.py", "forgetting.py", "learnt.py")]
    modules.append(PACKAGE / "estimator" / "format" / "parts.py")
    assert "Words" in types_asked_for(PACKAGE / "estimator" / "format" / "words.py")  # such calls are seen
    assert not {(path.name, name) for path in modules for name in types_asked_for(path) if name in kinds}


def loops_of(path: Path) -> Iterator[int]:
    """Yield the lines, from 0, of the loops of a file whose head does not count their steps."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        yield from (node.lineno - 1 for node in ast.walk(ast.parse(text)) if isinstance(node, ast.While))
    else:
        endless = re.compile(r"^[^/]*(\bwhile \(|\bfor \([^;]*; *;)")
        yield from (n for n, line in enumerate(text.splitlines()) if endless.match(line))


def test_every_loop_whose_head_does_not_count_says_why_it_ends() -> None:
    files = [path for kind in ("*.py", "*.hpp", "*.cpp") for path in PACKAGE.rglob(kind)]
    found = [(path, n) for path in files for n in loops_of(path)]
    assert {path.suffix for path, _ in found} == {".py", ".hpp", ".cpp"}
    lines = {path: path.read_text(encoding="utf-8").splitlines() for path, _ in found}
    silent = [
        (path, n + 1) for path, n in found if not re.search(r"(#|//) ends: ", "\n".join(lines[path][n - 1 : n + 1]))
    ]
    assert silent == []
