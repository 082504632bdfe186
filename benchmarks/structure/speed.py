"""Structures beside other libraries: seconds to fit and to predict.

On letter (20,000 rows, 16 columns of 16 levels, 26 classes; `CANDIDE_DATA` names the folder of the data): pyagrum and
scikit-bayes where they are installed, and Weka where `WEKA_CLASSPATH` names its jar; the best of several runs. On a
wide table (500 columns of 5 levels, 10 classes): 100,000 rows to fit, and 10,000 to predict.
"""

import argparse
import importlib
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.automatic_choice import RESULTS
from benchmarks.structure.weka import weka
from candide.datasets import load
from candide.native import _kernels
from candide.structure import AveragedOneDependence, TreeAugmentedNB

OURS, PYTHON, JAVA = 5, 5, 20
"""Runs of which the best counts: Java compiles what it runs often, and the first runs are slow."""

LETTER = "letter: 20,000 rows to fit and to predict, 16 columns, 26 classes"

Clock = Callable[[], float]
Measured = list[tuple[str, tuple[float, float, float]]]


def seconds(work: Callable[[], object], times: int, clock: Clock) -> float:
    """Return the least time that a piece of work takes."""
    taken = []
    for _ in range(times):
        begun = clock()
        work()
        taken.append(clock() - begun)
    return min(taken)


def measured(model, X, y, X_new, times: int, clock: Clock = time.perf_counter) -> tuple[float, float, float]:
    """Return seconds to fit and to predict, and the accuracy on the rows learnt."""
    fit = seconds(lambda: model.fit(X, y), times, clock)
    predict = seconds(lambda: model.predict(X_new), times, clock)
    return fit, predict, float((np.asarray(model.predict(X_new)).astype(str) == y[: len(X_new)].astype(str)).mean())


def pyagrum_tan(module: object) -> object:
    """Return pyagrum's tree, every column a category, one row added to each cell."""
    types = importlib.import_module("pyagrum.lib.discreteTypeProcessor")
    kinds = types.DiscreteTypeProcessor()
    return module.BNClassifier(type_processor=kinds, learningMethod="TAN", prior="Smoothing", priorWeight=1)


def skbn_aode(module: object) -> object:
    """Return scikit-bayes's average, one row added to each cell."""
    return module.AnDE(n_dependence=1)


def others() -> dict[str, Callable[[], object]]:
    """Return what other libraries call the same, where they are installed."""
    found = {}
    for name, module, make in (("pyagrum TAN", "pyagrum.skbn", pyagrum_tan), ("scikit-bayes AODE", "skbn", skbn_aode)):
        try:
            found[name] = partial(make, importlib.import_module(module))
        except ImportError:
            print(f"{name} is not installed")
    return found


def letter(clock: Clock) -> Measured:
    """Measure on letter, every column a category."""
    data = load("letter")
    X, y = data.X.to_numpy().astype(np.int64), np.asarray(data.y).astype(str)
    ours = {
        "candide TAN": TreeAugmentedNB(distributions="categorical"),
        "candide TAN, back-off": TreeAugmentedNB(distributions="categorical", smoothing="backoff"),
        "candide AODE": AveragedOneDependence(distributions="categorical"),
        "candide A2DE": AveragedOneDependence(2, distributions="categorical"),
    }
    found = [(name, measured(model, X, y, X, OURS, clock)) for name, model in ours.items()]
    found += [(name, measured(make(), X, y, X, PYTHON, clock)) for name, make in others().items()]
    return found + [(name, measured(model, X, y, X, JAVA, clock)) for name, model in weka(X, y).items()]


def beside(found: Measured) -> str:
    """Return how many times as long as ours the others take."""
    lines = ["| beside | candide | fit, times as long | predict, times as long |", "|---|---|---|---|"]
    for name, (fit, predict, _) in found:
        if not name.startswith("candide"):
            ours = f"candide {name.split()[-1]}"
            own = dict(found)[ours]
            lines.append(f"| {name} | {ours} | {fit / own[0]:.1f} | {predict / own[1]:.1f} |")
    return "\n".join(lines)


def wide(rows: int = 100_000, columns: int = 500) -> Measured:
    """Measure on many columns."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 10, rows)
    X = rng.integers(0, 5, (rows, columns), dtype=np.int8)
    X[:, ::7] = (X[:, ::7] + y[:, None] * (rng.random((rows, len(range(0, columns, 7)))) < 0.2)) % 5
    ours = {"candide TAN": TreeAugmentedNB(distributions="categorical")}
    ours["candide AODE"] = AveragedOneDependence(distributions="categorical")
    return [(name, measured(model, X, y, X[:10_000], 1)) for name, model in ours.items()]


def markdown(title: str, found: Measured) -> str:
    """Return a table."""
    lines = [f"## {title}", "", "| | fit, s | predict, s | accuracy on these rows |", "|---|---|---|---|"]
    lines += [f"| {name} | {fit:.3g} | {predict:.3g} | {100 * right:.1f} % |" for name, (fit, predict, right) in found]
    return "\n".join(lines)


def on_the_clock() -> list[str]:
    """Return what all cores take."""
    found = letter(time.perf_counter)
    return [
        "# Structures: speed",
        f"`python -m benchmarks.structure.speed`, {os.cpu_count()} cores.",
        markdown(LETTER, found),
        beside(found),
        markdown("wide: 100,000 rows to fit, 10,000 to predict, 500 columns of 5 levels, 10 classes", wide()),
    ]


def of_the_processor() -> list[str]:
    """Return processor time on letter, ours on one thread: others who use the machine disturb it less."""
    _kernels.set_threads(1)
    found = letter(time.process_time)
    return [
        "# Structures: processor time",
        "`python -m benchmarks.structure.speed --processor`: processor seconds; ours uses one thread.",
        markdown(LETTER, found),
        beside(found),
    ]


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.structure.speed", description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder for the results")
    parser.add_argument("--processor", action="store_true", help="processor time, ours on one thread, on letter alone")
    options = parser.parse_args()
    text = "\n\n".join(of_the_processor() if options.processor else on_the_clock()) + "\n"
    print(text)
    (options.out / f"structure_{'processor' if options.processor else 'speed'}.md").write_text(text)


if __name__ == "__main__":
    main()
