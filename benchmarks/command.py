"""What the command costs as a person starts it: imports, one row, and a million rows of CSV beside those who read it.

python -m benchmarks.command [--rows 1000000] [--turns 5]

Every participant is a process of its own, from its start to its end, and all take turns; the best of them is told.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.about import about

RESULTS = Path(__file__).parent / "results"
COMPILED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""The environment, less what would have every interpreter compile every module anew."""


def table(rows: int) -> pd.DataFrame:
    """Return ten columns of numbers and ten of levels, a twentieth of the cells missing, and two classes."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, rows)
    columns: dict[str, object] = {}
    for j in range(10):
        x = (rng.normal(size=rows) + (j % 3) * 0.3 * y).round(5)
        x[rng.random(rows) < 0.05] = np.nan
        columns[f"x{j}"] = x
    for j in range(10):
        levels = np.array([f"v{k}" for k in range(5 + 3 * j)], dtype=object)
        codes = (rng.integers(0, len(levels), rows) + (j % 2) * y) % len(levels)
        columns[f"s{j}"] = np.where(rng.random(rows) < 0.05, None, levels[codes])
    return pd.DataFrame({**columns, "y": np.where(y, "yes", "no")})


def participants(folder: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Yield what is measured, its target and its command."""
    python, candide = sys.executable, str(Path(sys.executable).with_name("candide"))
    csv, one, model = (str(folder / name) for name in ("table.csv", "one.csv", "model.json"))
    scan = f"import duckdb; duckdb.sql(\"select count(columns(*)) from read_csv('{csv}')\").fetchall()"
    yield "DuckDB reads the CSV and counts every column", "", [python, "-c", scan]
    yield "PyArrow reads the CSV", "", [python, "-c", f"import pyarrow.csv as c; c.read_csv({csv!r})"]
    yield "candide fit --plain", "1.5", [candide, "fit", csv, "--target", "y", "--plain", "-o", str(folder / "p.json")]
    yield "candide fit (tuned)", "1.5", [candide, "fit", csv, "--target", "y", "-o", model]
    yield "candide predict of the CSV", "", [candide, "predict", model, csv, "-o", str(folder / "out.csv")]
    yield "candide predict of one row", "0.4", [candide, "predict", model, one]
    yield "import sklearn.naive_bayes", "", [python, "-c", "import sklearn.naive_bayes"]
    yield "from candide import NaiveBayes", "", [python, "-c", "from candide import NaiveBayes"]


def seconds(command: list[str]) -> float:
    """Return how long a command runs."""
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=COMPILED)
    return time.perf_counter() - start


def main() -> None:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.command", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--turns", type=int, default=5)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        frame = table(asked.rows)
        frame.to_csv(folder / "table.csv", index=False)
        frame.head(1).drop(columns="y").to_csv(folder / "one.csv", index=False)
        megabytes = (folder / "table.csv").stat().st_size / 1e6
        all_of_them = list(participants(folder))
        times: dict[str, list[float]] = {says: [] for says, *_ in all_of_them}
        for _ in range(asked.turns):
            for says, _, command in all_of_them:
                times[says].append(seconds(command))
    page = ["# The command", "", ", ".join(f"{k} {v}" for k, v in about().items() if k != "home") + ".", ""]
    page += [f"{asked.rows:,} rows, 20 mixed columns and a target: {megabytes:.0f} MB of CSV. Whole processes in turn,"]
    page += [f"{asked.turns} times each.", "", "| | best, s | median, s | at most, s |", "|---|---:|---:|---:|"]
    page += [f"| {s} | {min(times[s]):.2f} | {np.median(times[s]):.2f} | {most} |" for s, most, _ in all_of_them]
    ours, theirs = (min(times[s]) for s in ("from candide import NaiveBayes", "import sklearn.naive_bayes"))
    page += ["", f"Our import takes {100 * (ours / theirs - 1):.1f} % more than scikit-learn's (5 % are aimed at)."]
    print("\n".join(page))
    (RESULTS / "command.md").write_text("\n".join(page) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
