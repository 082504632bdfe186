"""What the command costs as a person starts it: imports, one row, and a million rows of CSV beside those who read it.

python -m benchmarks.command [--rows 1000000] [--turns 5] [--imports 15]

Every participant is a process of its own, from its start to its end, and all take turns; the best of them is told. Two
imports that differ by a few hundredths are told apart by their processor time, of more turns: what the machine does
besides disturbs that least.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

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


THEIRS, OURS = "import sklearn.naive_bayes", "from candide import NaiveBayes"


class Run(NamedTuple):
    """How long a process ran, and how long processors worked for it."""

    seconds: float
    processor: float


def run(command: Sequence[str]) -> Run:
    """Run a command to its end."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=COMPILED)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Run(time.perf_counter() - start, used.ru_utime + used.ru_stime)


def in_turns(commands: dict[str, list[str]], turns: int) -> dict[str, list[Run]]:
    """Run all commands so many times, every other turn backwards."""
    runs: dict[str, list[Run]] = {says: [] for says in commands}
    for turn in range(turns):
        for says in list(commands)[:: 1 if turn % 2 == 0 else -1]:
            runs[says].append(run(commands[says]))
    return runs


def imports(turns: int) -> list[str]:
    """Measure our import beside scikit-learn's, and tell of both."""
    runs = in_turns({says: [sys.executable, "-c", says] for says in (THEIRS, OURS)}, turns)
    used = {says: sorted(each.processor for each in of) for says, of in runs.items()}
    page = ["| import | least processor time, s | median | least time, s |", "|---|---:|---:|---:|"]
    page += [
        f"| `{s}` | {u[0]:.3f} | {np.median(u):.3f} | {min(r.seconds for r in runs[s]):.3f} |" for s, u in used.items()
    ]
    least, middle = used[OURS][0] / used[THEIRS][0] - 1, np.median(used[OURS]) / np.median(used[THEIRS]) - 1
    told = (
        f"Our import takes {100 * least:+.1f} % more processor time than scikit-learn's in the best of {turns} turns,"
    )
    return [*page, "", told, f"{100 * middle:+.1f} % in the median (5 % are allowed)."]


def main() -> None:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.command", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--imports", type=int, default=15)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        frame = table(asked.rows)
        frame.to_csv(folder / "table.csv", index=False)
        frame.head(1).drop(columns="y").to_csv(folder / "one.csv", index=False)
        megabytes = (folder / "table.csv").stat().st_size / 1e6
        all_of_them = list(participants(folder))
        commands = {says: command for says, _, command in all_of_them}
        for command in commands.values():  # what the predictions need is made, and byte code written
            run(command)
        runs = in_turns(commands, asked.turns)
    page = ["# The command", "", ", ".join(f"{k} {v}" for k, v in about().items() if k != "home") + ".", ""]
    page += [f"{asked.rows:,} rows, 20 mixed columns and a target: {megabytes:.0f} MB of CSV. Whole processes in turn,"]
    page += [f"{asked.turns} times each.", "", "| | best, s | median, s | processor, s | at most, s |"]
    page += ["|---|---:|---:|---:|---:|"]
    for says, most, _ in all_of_them:
        times, used = zip(*runs[says], strict=True)
        page.append(f"| {says} | {min(times):.2f} | {np.median(times):.2f} | {min(used):.2f} | {most} |")
    page += ["", *imports(asked.imports)]
    print("\n".join(page))
    (RESULTS / "command.md").write_text("\n".join(page) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
