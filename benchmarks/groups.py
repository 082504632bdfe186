"""What a group costs beside the same columns apart: fit and log-probabilities, with and without gaps.

Both are called in turns in one process, and the shortest time of each counts. No row may take more than three times as
long. Numbers are cut into ten bins; "by default" nothing is said of them, and "weighed" every row has a weight besides.
By default only fits are compared: columns that tell nothing alone are not read when rows are scored. "With a density"
the one column of numbers of a group is not cut, but normal in every combination of the others.
"""

import argparse
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from benchmarks.about import about
from benchmarks.clock import once
from candide import NaiveBayes

Array = np.ndarray[Any, Any]
RESULTS = Path(__file__).parent / "results"
MOST = 3.0
"""Times the columns apart that a group may take."""
GAPS = 0.1
"""The share of cells that are missing where some are."""
BINS = "equal-width(10)"

Column = Callable[[np.random.Generator, Array], Any]


def normal(rng: np.random.Generator, y: Array) -> Array:
    """Return numbers that are all different."""
    return rng.normal(size=len(y)) + 0.3 * y


def rounded(rng: np.random.Generator, y: Array) -> Array:
    """Return numbers of two decimals."""
    return rng.normal(size=len(y)).round(2) + 0.2 * y


def categories(rng: np.random.Generator, y: Array) -> Any:
    """Return six declared levels."""
    return pd.Categorical(rng.choice(list("abcdef"), len(y)))


def text(rng: np.random.Generator, y: Array) -> Array:
    """Return twelve levels of text."""
    return rng.choice([f"level {i}" for i in range(12)], len(y)).astype(object)


def names(rng: np.random.Generator, y: Array) -> Array:
    """Return a thousand levels of text."""
    return rng.integers(0, 1_000, len(y)).astype(str).astype(object)


def codes(rng: np.random.Generator, y: Array) -> Array:
    """Return whole numbers below eight, joined as bins."""
    return rng.integers(0, 8, len(y))


NUMBERS = (normal, rounded)
GROUPS: dict[str, tuple[Column, ...]] = {
    "categories × categories": (categories, categories),
    "text × text": (text, text),
    "1,000 levels of text × 1,000": (names, names),
    "whole numbers × whole numbers": (codes, codes),
    "numbers × categories": (normal, categories),
    "numbers × numbers of two decimals": (normal, rounded),
    "numbers × numbers": (normal, normal),
    "numbers × numbers × numbers": (normal, rounded, normal),
}


class Cost(NamedTuple):
    """The seconds of the columns apart, and of the group."""

    apart: float
    joined: float

    @property
    def ratio(self) -> float:
        """How many times as long the group takes."""
        return self.joined / self.apart


def in_turns(apart: Callable[[], Any], joined: Callable[[], Any], seconds: float) -> Cost:
    """Return the shortest time of each of two calls, made in turns for about so long, three times at least."""
    best, spent, rounds = [math.inf, math.inf], 0.0, 0
    while spent < seconds or rounds < 3:
        for i, call in enumerate((apart, joined)):
            took = once(call)
            best[i], spent = min(best[i], took), spent + took
        rounds += 1
    return Cost(*best)


def measure(columns: tuple[Column, ...], n: int, gaps: bool, seconds: float) -> Iterator[tuple[str, Cost]]:
    """Yield what fit and predict_log_proba of some columns cost, and fits by default and with weights."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    X = pd.DataFrame({f"x{i}": column(rng, y) for i, column in enumerate(columns)})
    if gaps:
        X = X.mask(rng.random(X.shape) < GAPS)
    apart = NaiveBayes(distributions=BINS).fit(X, y)
    joined = NaiveBayes(distributions=BINS, groups=[list(X.columns)]).fit(X, y)
    yield "fit", in_turns(lambda: apart.fit(X, y), lambda: joined.fit(X, y), seconds)
    yield "predict", in_turns(lambda: apart.predict_log_proba(X), lambda: joined.predict_log_proba(X), seconds)
    if sum(column in NUMBERS for column in columns) == 1:
        dense = {X.columns[0]: "normal"}
        flat = NaiveBayes(distributions=dense).fit(X, y)
        deep = NaiveBayes(distributions=dense, groups=[list(X.columns)]).fit(X, y)
        yield "fit with a density", in_turns(lambda: flat.fit(X, y), lambda: deep.fit(X, y), seconds)
        asked = in_turns(lambda: flat.predict_log_proba(X), lambda: deep.predict_log_proba(X), seconds)
        yield "predict with a density", asked
    alone, together = NaiveBayes(), NaiveBayes(groups=[list(X.columns)])
    yield "fit by default", in_turns(lambda: alone.fit(X, y), lambda: together.fit(X, y), seconds)
    w = rng.random(n)
    yield "fit by default, weighed", in_turns(lambda: alone.fit(X, y, w), lambda: together.fit(X, y, w), seconds)


def main() -> None:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.groups", description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[10**4, 10**5, 10**6], help="sizes of the tables")
    parser.add_argument("--only", default="", help="only groups whose name contains this")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each pair of calls is repeated")
    parser.add_argument("--output", type=Path, default=RESULTS / "groups.md")
    asked = parser.parse_args()
    versions = ", ".join(f"{k} {v}" for k, v in about().items() if k != "home")
    page = [
        "# Groups beside the same columns apart",
        "",
        f"Milliseconds, wall time, the best of turns; {versions}.",
        "",
    ]
    page += ["| group | rows | gaps | what | apart | joined | times |", "|---|---:|---|---|---:|---:|---:|"]
    print("\n".join(page), flush=True)
    slow, most = 0, 0.0
    for n in asked.rows:
        for name, columns in GROUPS.items():
            for gaps in (False, True) if asked.only in name else ():
                for what, cost in measure(columns, n, gaps, asked.seconds):
                    said = f"| {name} | {n:,} | {f'{GAPS:.0%}' if gaps else 'none'} | {what} "
                    page.append(said + f"| {cost.apart * 1e3:,.2f} | {cost.joined * 1e3:,.2f} | {cost.ratio:.2f} |")
                    print(page[-1], flush=True)
                    slow, most = slow + (cost.ratio > MOST), max(most, cost.ratio)
    page += ["", f"More than {MOST:g} times the columns apart: {slow or 'none'}; the most: {most:.2f}."]
    print(page[-1])
    asked.output.write_text("\n".join(page) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
