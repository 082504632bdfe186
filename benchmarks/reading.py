"""What reading costs: looking at text before it is learnt, NDJSON beside CSV, and lines answered as they arrive.

python -m benchmarks.reading [--out benchmarks/results/reading.md]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.json

from candide import NaiveBayes
from candide.reading import look
from candide.table import read

LINES = 10_000
"""Lines that are streamed."""
SHORT, LONG = 25, 9
"""How often files are learnt from, of 200,000 rows and of ten times as many."""


def best(work: Callable[[], Any], times: int) -> float:
    """Return the seconds of the quickest of several runs."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return min(found)


def texts(n: int) -> dict[str, list[str]]:
    """Return five columns of text with fifty levels each."""
    rng = np.random.default_rng(0)
    levels = np.array([f"level {i} of it" for i in range(50)], dtype=object)
    return {f"t{j}": levels[rng.integers(0, 50, n)].tolist() for j in range(5)}


FRAMES = {
    "pandas": pd.DataFrame,
    "pandas, objects": lambda columns: pd.DataFrame(columns, dtype=object),
    "polars": pl.DataFrame,
    "arrow": pa.table,
}


def looking(n: int, times: int) -> list[str]:
    """Measure how much longer a fit takes that looks at its text; columns are coded in any case."""
    columns, y = texts(n), np.array(["p", "q"])[np.random.default_rng(1).integers(0, 2, n)]
    out = []
    for name, make in FRAMES.items():
        frame = make(columns)
        plain = best(lambda frame=frame: NaiveBayes(reading="plain").fit(frame, y), times)
        tables = [read(frame) for _ in range(times)]
        for table in tables:
            for j in range(5):
                table.column(j)
        looked = best(lambda tables=tables: look(tables.pop()), times)
        out.append(f"| {name} | {n:,} | {1e3 * plain:.1f} | {1e3 * looked:.2f} | {100 * looked / plain:.1f} |")
    return out


def files(n: int, turns: int) -> list[str]:
    """Measure a fit from CSV and from NDJSON of the same rows, spelt alike, in turns."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=n), "k": rng.integers(0, 9, n), "s": rng.choice(list("abc"), n)})
    frame["y"] = rng.choice(["p", "q"], n)
    taken: dict[str, list[tuple[float, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        paths = {ending: Path(folder, f"t.{ending}") for ending in ("csv", "ndjson")}
        frame.to_csv(paths["csv"], index=False)
        with paths["ndjson"].open("w", encoding="utf-8") as lines:
            lines.writelines(json.dumps(row) + "\n" for row in frame.to_dict("records"))
        work = {ending: (path, lambda path=path: NaiveBayes().fit(path, "y")) for ending, path in paths.items()}
        work["ndjson, PyArrow's reader alone"] = paths["ndjson"], lambda: pyarrow.json.read_json(paths["ndjson"])
        for _ in range(turns):
            for name, (_, run) in work.items():
                wall, processor = time.perf_counter(), time.process_time()
                run()
                spent = time.perf_counter() - wall, time.process_time() - processor
                taken.setdefault(name, []).append(spent)
        size = {name: path.stat().st_size / 1e6 for name, (path, _) in work.items()}
    out = []
    for name, of in taken.items():
        walls, processors = 1e3 * np.array(of).T
        least = walls.min()
        out.append(
            f"| {name} | {n:,} | {size[name]:.1f} | {least:.0f} | {np.median(walls):.0f} | {processors.min():.0f} "
            f"| {1e3 * size[name] / least:.0f} | {n / least / 1e3:.1f} |"
        )
    return out


def streaming() -> str:
    """Measure how long the answer to each of many lines takes, sent one by one to the command."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"x": rng.normal(size=2000), "s": rng.choice(list("abc"), 2000), "y": rng.choice(["p", "q"], 2000)}
    )
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder, "model.json")
        NaiveBayes().fit(frame, "y").save(model)
        command = [
            sys.executable,
            "-c",
            "from candide.cli import main; main()",
            "predict",
            str(model),
            "-",
            "--to",
            "ndjson",
        ]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            waits = []
            for i in range(LINES):
                line = json.dumps({"x": float(rng.normal()), "s": "abc"[i % 3]})
                start = time.perf_counter()
                process.stdin.write(line.encode() + b"\n")
                process.stdin.flush()
                process.stdout.readline()
                waits.append(1e3 * (time.perf_counter() - start))
            process.stdin.close()
    middle, late = np.percentile(waits[1:], [50, 99])
    return f"| {LINES:,} | {middle:.2f} | {late:.2f} | {waits[0]:.0f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    lines = [
        "# What reading costs", "",
        "Five columns of text with fifty levels, two classes; look is what `reading=\"auto\"` adds to a fit.", "",
        "| frame | rows | fit, plain (ms) | look (ms) | share (%) |", "|---|---|---|---|---|",
        *looking(10_000, 20), *looking(1_000_000, 3), "",
        f"The same rows in two files, learnt in turns: the least of {SHORT} and of {LONG}, and the median.", "",
        "| file | rows | MB | fit (ms) | median (ms) | processor (ms) | MB/s | million rows/s |",
        "|---|---|---|---|---|---|---|---|",
        *files(200_000, SHORT), *files(2_000_000, LONG), "",
        "`candide predict model.json -`, one line of NDJSON sent when the answer to the last one is there.", "",
        "| lines | median (ms) | 99 % (ms) | first (ms) |", "|---|---|---|---|", streaming(), "",
    ]  # fmt: skip
    text = "\n".join(lines)
    print(text)
    if given.out is not None:
        given.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
