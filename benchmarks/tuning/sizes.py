"""What tuning costs on large tables: seconds beside plain naive Bayes and LightGBM, and memory beside the input.

    python -m benchmarks.tuning.sizes

Processor seconds, the least of two runs, all threads together; LightGBM on one. Memory is how far the resident set
rises during a first fit, as a multiple of the input's arrays.
"""

import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.memory import watch
from benchmarks.tuning.models import BOOSTED, PLAIN, TEMPERATURE, TUNED, made

RESULTS = Path(__file__).parent.parent / "results"
RUNS = 2


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


TABLES = {"100,000 × 20, mixed": mixed, "2,000 × 10,000 numbers": wide}


def bytes_of(X: pd.DataFrame) -> int:
    """Return how large a frame is."""
    return int(X.memory_usage(deep=True, index=False).sum())


def measured(name: str, X: pd.DataFrame, y: np.ndarray) -> list[str]:
    """Return a line: seconds to fit and to predict, how far memory rises, and accuracy on every fifth row."""
    judging = np.arange(len(y)) % 5 == 0
    risen = watch()
    made(name).fit(X, y)
    memory = risen()
    fits, predicts = [], []
    for _ in range(RUNS):
        began = time.process_time()
        model = made(name).fit(X, y)
        fitted = time.process_time()
        model.predict_proba(X)
        fits.append(fitted - began), predicts.append(time.process_time() - fitted)
    apart = made(name).fit(X[~judging], y[~judging])
    p = apart.predict_proba(X[judging])
    right = float((apart.classes_[p.argmax(axis=1)] == y[judging]).mean())
    rise = "" if memory is None else f"{memory / bytes_of(X):.1f}"
    return [name, f"{min(fits):.2f}", f"{min(predicts):.3f}", rise, f"{right:.3f}"]


def main() -> None:
    """Measure, and write the results."""
    parts = ["# What tuning costs on large tables", "", (__doc__ or "").split("\n\n")[2].strip(), ""]
    for title, table in TABLES.items():
        X, y = table()
        lines = [["model", "fit, s", "predict, s", "memory / input", "accuracy"], ["---", *["---:"] * 4]]
        lines += [measured(name, X, y) for name in (PLAIN, TEMPERATURE, TUNED, BOOSTED)]
        parts += [
            f"## {title} ({bytes_of(X) / 1e6:.0f} MB)",
            "",
            *("| " + " | ".join(line) + " |" for line in lines),
            "",
        ]
        print("\n".join(parts[-7:]), flush=True)
    (RESULTS / "tuning_sizes.md").write_text("\n".join(parts))


if __name__ == "__main__":
    main()
