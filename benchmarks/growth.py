"""How the default fit and prediction grow with rows, columns, classes and levels.

Every axis is walked alone, the others kept; the slope between two sizes is log(time ratio) / log(size ratio), so that 1
is growth in proportion. Memory is the rise of the peak while fitting.
"""

import argparse
import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.about import about
from benchmarks.clock import turn
from benchmarks.memory import watch
from candide import NaiveBayes

Array = np.ndarray[Any, Any]
RESULTS = Path(__file__).parent / "results"
STEEPEST = 1.05
"""The slope that is aimed at: no more than in proportion, but for noise."""


class Axis(NamedTuple):
    """A size that grows, and how a table of that size is made: the estimator, X and y."""

    sizes: tuple[int, ...]
    make: Callable[[int], tuple[NaiveBayes, Array, Array]]
    says: str


class Point(NamedTuple):
    """What was measured at one size: seconds, and bytes where the system tells."""

    size: int
    fit: float
    predict: float
    memory: int | None


def numbers(rows: int, columns: int, classes: int = 2) -> tuple[NaiveBayes, Array, Array]:
    """Return continuous columns of which every second tells the class."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, classes, rows)
    X = rng.normal(size=(rows, columns))
    X[:, ::2] += 0.5 * (y % 7)[:, None]
    return NaiveBayes(), X, y


def levels(n: int) -> tuple[NaiveBayes, Array, Array]:
    """Return five columns of so many levels, a million rows."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, n, (1_000_000, 5))
    return NaiveBayes(distributions="categorical"), X, (X[:, 0] + rng.integers(0, 3, len(X))) % 2


AXES = {
    "rows": Axis((10**4, 10**5, 10**6, 10**7), lambda n: numbers(n, 10), "10 columns, 2 classes"),
    "columns": Axis((10, 100, 1_000, 10_000), lambda n: numbers(1_000, n), "1,000 rows, 2 classes"),
    "classes": Axis((2, 20, 200, 2_000), lambda n: numbers(20_000, 10, n), "20,000 rows, 10 columns"),
    "levels": Axis((2, 20, 200, 2_000, 20_000, 100_000), levels, "1,000,000 rows, 5 columns, 2 classes"),
}


def measure(axis: Axis, seconds: float) -> Iterator[Point]:
    """Fit and predict at every size."""
    for size in axis.sizes:
        nb, X, y = axis.make(size)
        risen = watch()
        nb.fit(X, y)
        memory = risen()
        fit = turn(lambda nb=nb, X=X, y=y: nb.fit(X, y), seconds).best  # type: ignore[misc]
        predict = turn(lambda nb=nb, X=X: nb.predict(X), seconds).best  # type: ignore[misc]
        yield Point(size, fit, predict, memory)


def slope(before: Point, after: Point, what: str) -> float:
    """Return the slope of a time between two sizes."""
    return math.log(getattr(after, what) / getattr(before, what)) / math.log(after.size / before.size)


def told(name: str, axis: Axis, points: list[Point]) -> list[str]:
    """Return the table of an axis in Markdown."""
    lines = [f"## {name} ({axis.says})", "", "| " + name + " | fit, ms | slope | predict, ms | slope | memory, MB |"]
    lines.append("| ---: " * 6 + "|")
    for before, point in pairwise([None, *points]):
        assert point is not None
        slopes = ["", ""] if before is None else [f"{slope(before, point, what):.2f}" for what in ("fit", "predict")]
        memory = "" if point.memory is None else f"{point.memory / 2**20:,.0f}"
        fit, predict = (f"{seconds * 1e3:,.1f}" for seconds in (point.fit, point.predict))
        lines.append("| " + " | ".join([f"{point.size:,}", fit, slopes[0], predict, slopes[1], memory]) + " |")
    return [*lines, ""]


def main() -> None:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("axes", nargs="*", default=list(AXES), help=f"among {', '.join(AXES)}; all unless named")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each call is repeated")
    parser.add_argument("--output", type=Path, default=RESULTS / "growth.md")
    asked = parser.parse_args()
    unknown = set(asked.axes) - set(AXES)
    if unknown:
        parser.error(f"{', '.join(sorted(unknown))}: the axes are {', '.join(AXES)}")
    page = ["# Growth of the default fit and prediction", ""]
    page += [
        "Slope 1 is growth in proportion to the size; "
        + ", ".join(f"{k} {v}" for k, v in about().items() if k != "home")
        + ".",
        "",
    ]
    steep = []
    for name in asked.axes:
        points = list(measure(AXES[name], asked.seconds))
        page += told(name, AXES[name], points)
        print("\n".join(told(name, AXES[name], points)), flush=True)
        for before, after in pairwise(points):
            steep += [
                f"{what} from {before.size:,} to {after.size:,} {name}: {found:.2f}"
                for what in ("fit", "predict")
                if (found := slope(before, after, what)) > STEEPEST
            ]
    page.append(f"Steeper than {STEEPEST}: " + ("; ".join(steep) or "none") + ".")
    print(page[-1])
    asked.output.write_text("\n".join(page) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
