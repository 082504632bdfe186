"""The speed benchmark: every task at every size, ours and scikit-learn's in turns, and the floor."""

import argparse
import warnings
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks import measure, report, tables
from benchmarks.report import Result
from benchmarks.tasks import tasks

RESULTS = Path(__file__).parent / "results"


def arguments():
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[10**4, 10**5, 10**6], help="sizes of the tables")
    parser.add_argument("--large", action="store_true", help="10,000,000 rows as well, where it takes no frames")
    parser.add_argument("--only", default="", help="only tasks whose name contains this")
    parser.add_argument("--seconds", type=float, default=2.0, help="time for each measurement")
    parser.add_argument("--no-memory", action="store_true", help="do not measure memory")
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder for speed.md and speed.png")
    return parser.parse_args()


def run(task, n, options, memory):
    """Measure one task at one size."""
    case = task.build(n)
    functions = [case.ours, case.theirs]
    if isinstance(case.cells, np.ndarray):
        functions.append(partial(np.sum, case.cells))
    times = measure.best(functions, options.seconds)
    ours = theirs = allowed = None
    if memory:
        if task.drop_in:
            allowed = 0.1 * size_of(case.cells) + size_of(case.ours())
        del case, functions
        forget_tables()
        ours, theirs = (measure.extra_memory(task.name, n, who) for who in ("ours", "theirs"))
    floor = times[2] if len(times) > 2 else None
    return Result(task, n, times[0], times[1], floor, ours, theirs, allowed)


def size_of(thing):
    """Return the bytes of an array or sparse matrix, or of the arrays that a fitted classifier holds."""
    if isinstance(thing, np.ndarray):
        return thing.nbytes
    if hasattr(thing, "indptr"):
        return thing.data.nbytes + thing.indices.nbytes + thing.indptr.nbytes
    if isinstance(thing, list):
        return sum(map(size_of, thing))
    return sum(size_of(v) for v in vars(thing).values()) if hasattr(thing, "__dict__") else 0


def forget_tables():
    for function in vars(tables).values():
        if hasattr(function, "cache_clear"):
            function.cache_clear()


def main():
    """Measure, print, and write the report."""
    options = arguments()
    warnings.simplefilter("ignore")  # scikit-learn's advice on its own steps is not the subject
    chosen = [task for task in tasks() if options.only in task.name]
    sizes = sorted({*options.rows, *([10**7] if options.large else [])})
    results = []
    print(report.table([]), end="")
    for n in sizes:
        for task in chosen:
            if n > task.largest or (task.single and n != sizes[0]):
                continue
            memory = not options.no_memory and not task.single and n == max(options.rows)
            results.append(run(task, n, options, memory))
            print(f"| {' | '.join(report.cells(results[-1]))} |", flush=True)
        forget_tables()
    options.out.mkdir(parents=True, exist_ok=True)
    imports = measure.import_seconds("candide"), measure.import_seconds("sklearn.naive_bayes")
    (options.out / "speed.md").write_text(report.markdown(results, imports))
    report.plot(results, options.out / "speed.png")
    print(f"\nwritten to {options.out}")
