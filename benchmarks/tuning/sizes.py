"""What tuning costs: a temperature beside a plain fit, and large tables beside LightGBM and beside the input.

    python -m benchmarks.tuning.sizes

Processor seconds, all threads together, LightGBM on one; the models take turns, and of each the least counts: of
fifteen turns on the papers' sets, of three on large tables. Memory is how far the resident set rises during a first
fit, as a multiple of the input's arrays. Accuracy is on every fifth row, which is not learnt then.
"""

import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.automatic_choice import PAPERS
from benchmarks.memory import watch
from benchmarks.tuning.models import BOOSTED, PLAIN, TEMPERATURE, TUNED, made
from candide import NaiveBayes
from candide.datasets import load

RESULTS = Path(__file__).parent.parent / "results"
MODELS = (PLAIN, TEMPERATURE, TUNED, BOOSTED)
TURNS, SHORT_TURNS = 3, 15
"""Fits of a large table, and of a small one, which take milliseconds."""


def mixed(rows: int = 100_000) -> tuple[pd.DataFrame, np.ndarray]:
    """Ten numbers, one with holes, and ten columns of eight levels, with a pair that tells something together."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, rows)
    columns: dict[str, Any] = {f"x{i}": rng.normal(size=rows) + 0.3 * y * (i % 3) for i in range(10)}
    levels = np.array(list("abcdefgh"))
    for i in range(10):
        columns[f"c{i}"] = pd.Categorical(levels[np.minimum(rng.poisson(2 + 0.4 * y * (i % 2)), 7)])
    columns["x0"][rng.random(rows) < 0.05] = np.nan
    together = (columns["x1"] > 0) & (columns["c0"] == "b")
    return pd.DataFrame(columns), np.where(y ^ together, "p", "q")


def wide(columns: int = 10_000, rows: int = 2000) -> tuple[pd.DataFrame, np.ndarray]:
    """Numbers, of which one in twenty tells the class a little."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, rows)
    x = rng.normal(size=(rows, columns))
    x[:, ::20] += 0.15 * y[:, None]
    return pd.DataFrame(x, columns=[f"x{i}" for i in range(columns)]), np.where(y == 1, "p", "q")


TABLES = {"100,000 × 20, mixed": (mixed, MODELS), "2,000 × 10,000 numbers": (wide, MODELS[:-1])}
"""What is fitted by whom: LightGBM takes two minutes for the wide one, which nobody asks for."""


def bytes_of(X: pd.DataFrame) -> int:
    """Return how large a frame is."""
    return int(X.memory_usage(deep=True, index=False).sum())


def as_table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> list[str]:
    """Return lines as Markdown."""
    return ["| " + " | ".join(line) + " |" for line in [head, ["---", *["---:"] * (len(head) - 1)], *lines]]


def large(X: pd.DataFrame, y: np.ndarray, models: Sequence[str]) -> list[list[str]]:
    """Return a line for each model: seconds to fit and to predict, how far memory rises, and accuracy."""
    memory, fits, predicts = {}, dict.fromkeys(models, np.inf), dict.fromkeys(models, np.inf)
    for name in models:
        risen = watch()
        made(name).fit(X, y)
        memory[name] = risen()
    for _ in range(TURNS):
        for name in models:
            began = time.process_time()
            model = made(name).fit(X, y)
            fitted = time.process_time()
            model.predict_proba(X)
            fits[name] = min(fits[name], fitted - began)
            predicts[name] = min(predicts[name], time.process_time() - fitted)
    lines, judging = [], np.arange(len(y)) % 5 == 0
    for name in models:
        apart = made(name).fit(X[~judging], y[~judging])
        right = float((apart.classes_[apart.predict_proba(X[judging]).argmax(axis=1)] == y[judging]).mean())
        rise = "" if memory[name] is None else f"{memory[name] / bytes_of(X):.2f}"
        lines.append([name, f"{fits[name]:.2f}", f"{predicts[name]:.3f}", rise, f"{right:.3f}"])
    return lines


def small(name: str) -> list[str]:
    """Return a line: how many plain fits a temperature takes on a set."""
    data = load(name)
    X, y = data.X, np.asarray(data.y)
    plain = warm = np.inf
    for _ in range(SHORT_TURNS):
        began = time.process_time()
        NaiveBayes().fit(X, y)
        fitted = time.process_time()
        NaiveBayes(weights="temperature").fit(X, y)
        plain, warm = min(plain, fitted - began), min(warm, time.process_time() - fitted)
    return [name, f"{1000 * plain:.2f}", f"{1000 * warm:.2f}", f"{warm / plain:.2f}"]


def main() -> None:
    """Measure, and write the results."""
    parts = ["# What tuning costs", "", (__doc__ or "").split("\n\n")[2].strip(), ""]
    for title, (table, models) in TABLES.items():
        X, y = table()
        head = ["model", "fit, s", "predict, s", "memory / input", "accuracy"]
        parts += [f"## {title} ({bytes_of(X) / 1e6:.0f} MB)", "", *as_table(head, large(X, y, models)), ""]
        print("\n".join(parts[-7:]), flush=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lines = [small(name) for name in PAPERS]
    most = max(lines, key=lambda line: float(line[-1]))
    parts += ['## `weights="temperature"` beside a plain fit, whole sets', ""]
    parts += [f"At the most {most[-1]} plain fits ({most[0]}).", ""]
    parts += [*as_table(["set", "plain, ms", "temperature, ms", "times"], lines), ""]
    (RESULTS / "tuning_sizes.md").write_text("\n".join(parts))


if __name__ == "__main__":
    main()
