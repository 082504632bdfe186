"""What `fit` holds of a source does not grow with its rows: each batch is counted and dropped."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("resource", reason="this system does not count resident memory")

ROWS = 20_000
FEW, MANY = 10, 60
"""Batches. Statistics have their full size after a few: a column of more than 10,000 values is a lattice by then."""

WHOLE_MEGABYTES = ROWS * (MANY - FEW) * 7 * 8 / 2**20
"""What the batches between FEW and MANY take in memory, as numbers: 53 MB."""

LEARN = """
import resource, sys
import numpy as np, pandas as pd
from pyarrow import Table, csv
from candide import NaiveBayes
from candide.sources import files, text

# constants: what is kept of a first pass over text, and what is read ahead; small, they are reached by few batches
files.KEPT_BYTES, text.BLOCK_BYTES = 0, 1 << 18

def frames(n, rows):
    for seed in range(n):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=(rows, 6))
        frame = pd.DataFrame(x.round(4), columns=[f"x{j}" for j in range(6)])
        yield frame.assign(c=rng.choice(["u", "v", "w"], rows), y=(x[:, 0] > rng.normal(size=rows)).astype(int))

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)

def source(path, n):
    return frames(n, rows) if path == "frames" else f"{path}/{n}.csv"

path, few, many, rows = sys.argv[1], *map(int, sys.argv[2:])
if path != "frames":
    for n in (few, many):
        with open(source(path, n), "wb") as file:
            for i, frame in enumerate(frames(n, rows)):
                csv.write_csv(Table.from_pandas(frame), file, csv.WriteOptions(include_header=i == 0))
nb = NaiveBayes({f"x{j}": "normal" for j in range(4)})
nb.fit(source(path, few), "y")
before = peak()
nb.fit(source(path, many), "y")
assert nb.class_counts_.sum() == many * rows
print(peak() - before)
"""


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the address checks keep freed memory")
@pytest.mark.parametrize("kind", ["frames", "files"])
def test_ten_times_the_rows_take_no_more_memory(kind: str, tmp_path: Path) -> None:
    path = "frames" if kind == "frames" else str(tmp_path)
    arguments = [path, str(FEW), str(MANY), str(ROWS)]
    run = subprocess.run([sys.executable, "-c", LEARN, *arguments], capture_output=True, text=True, check=True)
    assert float(run.stdout) < WHOLE_MEGABYTES / 4
