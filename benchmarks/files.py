"""Model files: a million levels of twenty classes saved and loaded, and three hundred files of sites merged.

    python -m benchmarks.files

Every step takes turns with the others; of each the best turn counts, by the clock and by processor time.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.about import about

RESULTS = Path(__file__).parent / "results"
LEVELS, CLASSES, SITES = 10**6, 20, 300


def model() -> Any:
    """Return a model of a column of a million levels, each seen at least once, and twenty classes."""
    import pyarrow as pa

    from candide import NaiveBayes

    rng = np.random.default_rng(0)
    codes = np.concatenate([rng.permutation(LEVELS), rng.integers(0, LEVELS, LEVELS)]).astype(np.int32)
    column = pa.DictionaryArray.from_arrays(pa.array(codes), pa.array([f"level-{i:07d}" for i in range(LEVELS)]))
    label = np.char.add("class ", rng.integers(0, CLASSES, len(codes)).astype(str))
    return NaiveBayes().fit(pa.table({"x": column, "y": label}), "y")


def sites(folder: Path) -> list[str]:
    """Write the files of sites: a thousand rows of ten columns each."""
    from candide import NaiveBayes

    rng = np.random.default_rng(0)
    paths = [str(folder / f"site-{n:03d}.json") for n in range(SITES)]
    for path in paths:
        y = rng.integers(0, 3, 1_000)
        NaiveBayes().fit(rng.standard_normal((1_000, 10)).round(2) + y[:, None], y).save(path)
    return paths


def timed(work: Callable[[], Any]) -> tuple[float, float]:
    """Return the seconds of the clock and of the processor."""
    start, busy = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - start, time.process_time() - busy


def main() -> None:
    """Measure and write the page."""
    from click.testing import CliRunner

    import candide
    from candide.cli.app import app

    parser = argparse.ArgumentParser(prog="python -m benchmarks.files", description=__doc__)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--output", type=Path, default=RESULTS / "files.md")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        nb, path, paths = model(), Path(folder) / "model.json", sites(Path(folder))
        together = str(Path(folder) / "together.json")
        nb.save(path)
        steps: dict[str, Callable[[], Any]] = {
            f"save {LEVELS:,} levels × {CLASSES} classes": lambda: nb.save(path),
            "load it": lambda: candide.load(path),
            f"`candide merge` of {SITES} files of sites": lambda: CliRunner().invoke(
                app, ["merge", *paths, "-o", together]
            ),
        }
        turns = [{name: timed(work) for name, work in steps.items()} for _ in range(asked.turns)]
        size = path.stat().st_size
    lines = [
        "# Model files",
        "",
        f"The best of {asked.turns} turns of each, in one process; the file has {size / 2**20:.0f} MB. "
        + ", ".join(f"{k} {v}" for k, v in about().items() if k != "home")
        + f"; {os.cpu_count()} cores. Written by `python -m benchmarks.files`.",
        "",
        "| | seconds | processor seconds |",
        "| --- | ---: | ---: |",
        *(
            f"| {name} | {min(t[name][0] for t in turns):.2f} | {min(t[name][1] for t in turns):.2f} |"
            for name in steps
        ),
        "",
    ]
    asked.output.write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
