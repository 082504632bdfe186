"""The import contracts hold every folder: none can be left out of a list by an oversight."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent

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
    source = ROOT / "src" / "candide"
    modules = {path.stem for path in source.glob("*.py")} | {path.parent.name for path in source.glob("*/__init__.py")}
    return modules - {"__init__"}


def test_everything_below_the_estimators_is_free_of_scikit_learn() -> None:
    assert contract("scikit-learn begins at the estimator") == folders() - ABOVE


def test_everything_but_the_edge_is_free_of_frames_plots_and_screens() -> None:
    wanted = folders() - ABOVE - AT_THE_EDGE | {"estimator"}
    assert contract("Frames, plots and screens are imported where they are used") == wanted
