"""Tables larger than memory: a fit under a gigabyte beside the readers of the same columns, from 10^5 to 10^8 rows.

Every measurement is a process of its own, whose private memory the system limits; it says its seconds, its seconds of
processor time and the most memory that it held. Readers and counters take turns, and of each the best turn counts.

    python -m benchmarks.beyond_memory make FOLDER          # 100,000,000 rows in ten files, 3.5 GB
    python -m benchmarks.beyond_memory measure FOLDER
"""

import argparse
import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.about import about
from candide.sources.batch import batch_rows
from candide.sources.binary import WHOLE

RESULTS = Path(__file__).parent / "results"
LIMIT = 1 << 30
"""Bytes of private memory that a fit may have."""
FILES, GROUPS, GROUP_ROWS = 10, 10, 1_000_000
LEVELS = {"energy": 5, "region": 40, "post": 1_000}
NUMBERS = ("power", "weight", "price", "speed", "temperature", "age")
SYMBOLS = (*LEVELS, "electric")
TARGET = "desk"


# -- the table -------------------------------------------------------------------------------------------------------


def group(seed: tuple[int, int], rows: int = GROUP_ROWS) -> Any:
    """Return some rows of six columns of numbers, three of text, one of booleans, and the labels of three classes."""
    import pyarrow as pa

    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, rows)
    x = {name: rng.standard_normal(rows) + 0.3 * (j + 1) * y for j, name in enumerate(NUMBERS[:4])}
    x["price"] = np.exp(x["price"])
    columns: dict[str, Any] = {name: pa.array(values) for name, values in x.items()}
    columns["power"] = pa.array(x["power"], mask=rng.random(rows) < 0.03)
    columns["temperature"] = pa.array(np.round(10 * rng.standard_normal(rows) + y, 1))
    columns["age"] = pa.array(rng.gamma(3.0 + y, 8.0).astype(np.int32))
    for name, n in LEVELS.items():
        codes = np.minimum((rng.random(rows) ** (1 + 0.3 * y) * n).astype(np.int32), n - 1)
        columns[name] = words(codes, [f"{name}-{i:04d}" for i in range(n)], rng.random(rows) < 0.02)
    columns["electric"] = pa.array(rng.random(rows) < 0.2 + 0.2 * y)
    columns[TARGET] = words(y.astype(np.int32), ["bike", "car", "truck"], np.zeros(rows, dtype=bool))
    return pa.table(columns)


def words(codes: Any, levels: list[str], missing: Any) -> Any:
    """Return a column of text."""
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(pa.array(codes, mask=missing), pa.array(levels)).cast(pa.string())


def make(folder: Path) -> None:
    """Write the files, and two small ones."""
    from pyarrow import parquet

    coded = [*LEVELS, TARGET, "age", "temperature"]
    folder.mkdir(parents=True, exist_ok=True)
    for rows in (10**5, 10**6):
        table = group((FILES, 0), rows)
        parquet.write_table(table, folder / f"rows-{rows}.parquet", compression="zstd", use_dictionary=coded)
    for n in range(FILES):
        first = group((n, 0))
        with parquet.ParquetWriter(
            folder / f"part-{n}.parquet", first.schema, compression="zstd", use_dictionary=coded
        ) as writer:
            for g in range(GROUPS):
                writer.write_table(group((n, g)), row_group_size=GROUP_ROWS)


def files(folder: Path, rows: int) -> list[str]:
    """Return the files of so many rows."""
    if rows < FILES * GROUP_ROWS:
        return [str(folder / f"rows-{rows}.parquet")]
    return [str(folder / f"part-{n}.parquet") for n in range(rows // (GROUPS * GROUP_ROWS))]


# -- who takes part --------------------------------------------------------------------------------------------------


def fit(paths: list[str]) -> str:
    """candide: NaiveBayes().fit(paths, "desk")"""
    from candide import NaiveBayes

    nb = NaiveBayes().fit(paths, TARGET)
    return f"{int(nb.class_counts_.sum())} rows"


def read_by_pyarrow(paths: list[str]) -> str:
    """PyArrow: row groups on two threads, text as codes"""
    from concurrent.futures import ThreadPoolExecutor

    from pyarrow import parquet

    def read(place: tuple[str, int]) -> int:
        file = parquet.ParquetFile(place[0], pre_buffer=False, read_dictionary=[*LEVELS, TARGET])
        return int(file.read_row_group(place[1], use_threads=False).num_rows)

    places = [(path, g) for path in paths for g in range(parquet.ParquetFile(path).num_row_groups)]
    with ThreadPoolExecutor(2) as pool:
        return f"{sum(pool.map(read, places))} rows"


def read_batches(paths: list[str]) -> str:
    """PyArrow: batches of all columns, text as text"""
    from pyarrow import parquet

    rows = 0
    for path in paths:
        rows += sum(b.num_rows for b in parquet.ParquetFile(path, pre_buffer=False).iter_batches(1 << 18))
    return f"{rows} rows"


def scan_by_duckdb(paths: list[str]) -> str:
    """DuckDB: a hash of every cell of every column"""
    cells = ", ".join(f"bit_xor(hash({c}))" for c in (*NUMBERS, *SYMBOLS, TARGET))
    return str(duck(paths, f"select {cells} from rows"))[:20]


def scan_by_polars(paths: list[str]) -> str:
    """Polars: the largest of every column, streamed"""
    import polars as pl

    return str(pl.scan_parquet(paths).select(pl.all().max()).collect(engine="streaming").height)


def group_by_duckdb(paths: list[str]) -> str:
    """DuckDB: GROUP BY, counts of every level, moments of every number, by class"""
    counted = (f"select '{c}', {c}::varchar v, {TARGET}, count(*) from rows group by all" for c in SYMBOLS)
    moments = ", ".join(f"count({c}), avg({c}), var_pop({c})" for c in NUMBERS)
    found = duck(paths, f"select {TARGET}, count(*), {moments} from rows group by {TARGET}")
    return f"{len(found) + len(duck(paths, ' union all '.join(counted)))} groups"


def learn_by_scikit_learn(paths: list[str]) -> str:
    """scikit-learn: partial_fit of GaussianNB and CategoricalNB, batch by batch"""
    from pyarrow import parquet
    from sklearn.naive_bayes import CategoricalNB, GaussianNB

    normal, levels = GaussianNB(), CategoricalNB(min_categories=[n + 1 for n in (*LEVELS.values(), 1)])
    classes = np.arange(3)
    for path in paths:
        file = parquet.ParquetFile(path, pre_buffer=False, read_dictionary=[*LEVELS, TARGET])
        for batch in file.iter_batches(1 << 18):
            y = batch[TARGET].indices.to_numpy()
            X = np.column_stack([np.nan_to_num(batch[c].to_numpy(zero_copy_only=False)) for c in NUMBERS])
            codes = [batch[c].indices.fill_null(LEVELS[c]).to_numpy(zero_copy_only=False) for c in LEVELS]
            normal.partial_fit(X, y, classes)
            levels.partial_fit(np.column_stack([*codes, batch["electric"].to_numpy(zero_copy_only=False)]), y, classes)
    return f"{int(normal.class_count_.sum())} rows"


def duck(paths: list[str], query: str) -> list[Any]:
    import duckdb

    connection = duckdb.connect(config={"threads": 2, "memory_limit": "800MB", "preserve_insertion_order": False})
    connection.execute(f"create view rows as from read_parquet({paths!r})")
    return connection.execute(query).fetchall()


READERS: tuple[Callable[[list[str]], str], ...] = (read_by_pyarrow, read_batches, scan_by_duckdb, scan_by_polars)
COUNTERS: tuple[Callable[[list[str]], str], ...] = (group_by_duckdb, learn_by_scikit_learn)
PARTS = {part.__name__: part for part in (fit, *READERS, *COUNTERS)}


# -- measuring -------------------------------------------------------------------------------------------------------


def one(name: str, paths: list[str], limit: int) -> None:
    """Measure a part in this process: the import of libraries is not counted, a fit of few rows warms up."""
    import resource

    warm = str(Path(paths[0]).parent / f"rows-{10**5}.parquet")
    PARTS[name]([warm])
    if limit:
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    start, busy = time.perf_counter(), time.process_time()
    said = PARTS[name](paths)
    seconds, processor = time.perf_counter() - start, time.process_time() - busy
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"seconds": seconds, "processor": processor, "peak": peak, "said": said}))


def measured(name: str, paths: list[str], turns: int, threads: int | None = None) -> dict[str, Any]:
    """Return the best of some turns, each in a process of its own."""
    limit = LIMIT if name == "fit" else 0
    command = [sys.executable, "-m", "benchmarks.beyond_memory", "one", name, str(limit), *paths]
    # PyArrow's own pool would reserve a gigabyte at once, used or not, and the limit counts what is reserved to be used
    environment = os.environ | ({"MIMALLOC_ARENA_EAGER_COMMIT": "0"} if limit else {})
    environment |= {} if threads is None else {"OMP_NUM_THREADS": str(threads)}
    found = []
    for _ in range(turns):
        run = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        found.append(json.loads(run.stdout.splitlines()[-1]))
    return min(found, key=lambda turn: turn["seconds"])


def measure(folder: Path, most: int, turns: int) -> dict[str, Any]:
    """Measure the fit at every size, and all others at the largest, in as many turns; scikit-learn at a tenth of it."""
    rows = {n: measured("fit", files(folder, n), turns) for n in (10**5, 10**6, 10**7) if n < most}
    others: dict[str, dict[str, Any]] = {}
    for _ in range(turns):
        for name in ("fit", *(part.__name__ for part in (*READERS, *COUNTERS))):
            n = most // 10 if name == learn_by_scikit_learn.__name__ else most
            found = {"rows": n, **measured(name, files(folder, n), 1)}
            print(name, found, flush=True)
            others[name] = min(others.get(name, found), found, key=lambda turn: turn["seconds"])
    rows[most] = others.pop("fit")
    threads = {n: measured("fit", files(folder, min(most, 10**7)), 1, n) for n in (1, 2)}
    return {"about": about(), "rows": rows, "others": others, "threads": threads, **statistic(folder)}


def statistic(folder: Path) -> dict[str, Any]:
    """Return how large what one partition teaches is, as it is sent, and how long adding two takes."""
    import pickle

    from candide import NaiveBayes

    one, other = (NaiveBayes().fit(path, TARGET).learnt_ for path in files(folder, 10**6) + files(folder, 10**5))
    start = time.perf_counter()
    for _ in range(20):
        _ = one + other
    return {"bytes": len(pickle.dumps(one)), "add_seconds": (time.perf_counter() - start) / 20}


# -- telling ---------------------------------------------------------------------------------------------------------


def page(found: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of the page."""
    rows = {int(n): turn for n, turn in found["rows"].items()}
    most = max(rows)
    readers = {part.__name__: found["others"][part.__name__] for part in READERS}
    fastest = min(turn["seconds"] for turn in readers.values())
    yield "# Beyond memory"
    yield ""
    yield (
        "Ten columns (six of numbers, three of text, one of booleans) and three classes in Parquet files; a fit by the "
        f"defaults, in a process whose private memory is limited to {LIMIT >> 20:,} MB. "
        + ", ".join(f"{k} {v}" for k, v in found["about"].items() if k != "home")
        + f"; {os.cpu_count()} cores. Written by `python -m benchmarks.beyond_memory`."
    )
    yield ""
    yield "| rows | seconds | slope | processor seconds | most memory, MB | rows a second | batches a second |"
    yield "| ---: " * 7 + "|"
    size = min(GROUP_ROWS, WHOLE * batch_rows(len(NUMBERS) + len(SYMBOLS) + 1))
    for before, n in pairwise([None, *rows]):
        turn = rows[n]
        slope = "" if before is None else f"{math.log(turn['seconds'] / rows[before]['seconds'], n / before):.2f}"
        yield (
            f"| {n:,} | {turn['seconds']:.2f} | {slope} | {turn['processor']:.2f} | {turn['peak'] / 2**20:,.0f} | "
            f"{n / turn['seconds']:,.0f} | {max(1, n // size) / turn['seconds']:.1f} |"
        )
    yield ""
    yield f"A batch is a row group of {size:,} rows at the most; as many are in flight as threads read and count."
    yield ""
    one_thread, two = (found["threads"][str(n)]["seconds"] for n in (1, 2))
    yield (
        f"Kernels of one thread: {one_thread:.2f} s for {min(most, 10**7):,} rows, of two: {two:.2f} s: row groups are "
        "read and counted by a thread each, which wakes no others."
    )
    yield ""
    yield f"## Beside those who only read, and those who count ({most:,} rows)"
    yield ""
    yield "| | rows | seconds | processor seconds | most memory, MB | the fit takes |"
    yield "| --- " + "| ---: " * 5 + "|"
    for name, turn in found["others"].items():
        ours = rows[turn["rows"]]["seconds"]
        yield (
            f"| {PARTS[name].__doc__} | {turn['rows']:,} | {turn['seconds']:.2f} | {turn['processor']:.2f} | "
            f"{turn['peak'] / 2**20:,.0f} | {ours / turn['seconds']:.2f} of it |"
        )
    yield ""
    yield f"The fit takes {rows[most]['seconds'] / fastest:.2f} times what the fastest reader takes."
    yield ""
    yield from cluster(found, rows[most], most)


def cluster(found: dict[str, Any], turn: dict[str, Any], most: int) -> Iterator[str]:
    """Yield what a cluster of a hundred nodes would need for 10^11 rows, on paper."""
    nodes, cores, total, partition = 100, 16, 10**11, 10**7
    partitions = total // partition
    level = round(math.sqrt(partitions))
    counting = turn["processor"] / most * total / (nodes * cores)
    sent = found["bytes"] * (partitions + level)
    adding = found["add_seconds"] * (partitions / level + level)
    yield "## On paper: 10^11 rows on 100 nodes"
    yield ""
    yield (
        f"What a partition teaches is {found['bytes'] / 2**20:.1f} MB as it is sent (four columns of more values than "
        "are counted as they are: thousands of cells times three classes each), however many rows it has, and adding "
        f"two takes {1e3 * found['add_seconds']:.1f} ms. {total:.0e} rows in {partitions:,} partitions of "
        f"{partition:,} rows, on {nodes} nodes of {cores} cores: counting takes {counting / 60:,.1f} minutes of all "
        f"cores at the speed above; {partitions:,} statistics are sent to {level} tasks that add {partitions // level} "
        f"each, and {level} to the driver: {sent / 2**30:,.1f} GB over the network in all "
        f"({sent / nodes / 2**20:,.0f} MB a node), {adding:,.1f} s of adding one after the other, a tree of two levels."
    )
    yield ""


def main() -> None:
    """Make, measure, or be measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.beyond_memory", description=__doc__)
    parser.add_argument("act", choices=["make", "measure", "one"])
    parser.add_argument("given", nargs="+")
    parser.add_argument("--most", type=int, default=10**8)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--output", type=Path, default=RESULTS / "beyond_memory.md")
    asked = parser.parse_args()
    if asked.act == "one":
        one(asked.given[0], asked.given[2:], int(asked.given[1]))
    elif asked.act == "make":
        make(Path(asked.given[0]))
    else:
        found = json.loads(json.dumps(measure(Path(asked.given[0]), asked.most, asked.turns)))
        asked.output.with_suffix(".json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        asked.output.write_text("\n".join(page(found)), encoding="utf-8")
        print(asked.output.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
