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


def files(n: int, turns: int = 9) -> list[str]:
    """Measure a fit from CSV and from NDJSON of the same rows, spelt alike, in turns."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=n), "k": rng.integers(0, 9, n), "s": rng.choice(list("abc"), n)})
    frame["y"] = rng.choice(["p", "q"], n)
    taken: dict[str, list[tuple[float, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        paths = {ending: Path(folder, f"t.{ending}") for ending in ("csv", "ndjson")}
        frame.to_csv(paths["csv"], index=False)
        rows = frame.to_dict("records")
        paths["ndjson"].write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        work = {ending: (path, lambda path=path: NaiveBayes().fit(path, "y")) for ending, path in paths.items()}
        work["ndjson, PyArrow's reader alone"] = paths["ndjson"], lambda: pyarrow.json.read_json(paths["ndjson"])
        for _ in range(turns):
            for name, (_, run) in work.items():
                wall, processor = time.perf_counter(), time.process_time()
                run()
                spent = time.perf_counter() - wall, time.process_time() - processor
                taken.setdefault(name, []).append(spent)
        size = {name: path.stat().st_size / 1e6 for name, (path, _) in work.items()}
    least = {name: [1e3 * min(t) for t in zip(*of, strict=True)] for name, of in taken.items()}
    return [
        f"| {name} | {n:,} | {size[name]:.1f} | {wall:.0f} | {processor:.0f} | {1e3 * size[name] / wall:.0f} |"
        for name, (wall, processor) in least.items()
    ]


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
        "The same rows in two files, learnt in turns, the least of nine.", "",
        "| file | rows | MB | fit (ms) | processor (ms) | MB/s |", "|---|---|---|---|---|---|",
        *files(200_000), "",
        "`candide predict model.json -`, one line of NDJSON sent when the answer to the last one is there.", "",
        "| lines | median (ms) | 99 % (ms) | first (ms) |", "|---|---|---|---|", streaming(), "",
    ]  # fmt: skip
    text = "\n".join(lines)
    print(text)
    if given.out is not None:
        given.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
