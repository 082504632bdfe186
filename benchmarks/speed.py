"""Speed and memory: every task at every size, before and now, scikit-learn's and the floor in turns."""

import argparse
import sys
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path

from benchmarks import plot, record, report
from benchmarks.checkouts import NOW, checkouts
from benchmarks.imports import STATEMENTS, measure_import
from benchmarks.others import Others, warning
from benchmarks.participants import Cast
from benchmarks.results import Result, result_of
from benchmarks.tasks import tasks
from benchmarks.tasks.task import Task
from benchmarks.turns import take_turns

RESULTS = Path(__file__).parent / "results"


def arguments() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--against",
        type=Path,
        metavar="PATH",
        help="another checkout, set up by `make setup`: what it takes is the column 'before'",
    )
    parser.add_argument("--rows", type=int, nargs="+", default=[10**4, 10**5, 10**6], help="sizes of the tables")
    parser.add_argument("--large", action="store_true", help="10,000,000 rows as well, where it takes no frames")
    parser.add_argument("--only", default="", help="only tasks whose name contains this")
    parser.add_argument("--without", nargs="*", default=[], metavar="WORDS", help="no tasks whose name contains these")
    parser.add_argument("--seconds", type=float, default=0.4, help="time for each measurement")
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder for speed.md, speed.json and speed.png")
    return parser.parse_args()


def measured(options: argparse.Namespace, cast: Cast, others: Others) -> Iterator[Result]:
    """Yield every result: the smallest tables first, imports last."""
    asked = sorted({*options.rows, *([10**7] if options.large else [])})
    named = [task for task in tasks().values() if options.only in task.name]
    left = [task for task in named if not any(words in task.name for words in options.without)]
    chosen = [(n, task) for task in left for n in task.sizes(asked)]
    for n, task in sorted(chosen, key=itemgetter(0)):
        yield measure(task, n, cast, others, options.seconds)
    for statement in STATEMENTS:
        if options.only in statement:
            yield measure_import(statement, cast.checkouts, others, options.seconds)


def measure(task: Task, n: int, cast: Cast, others: Others, budget: float) -> Result:
    """Measure one task at one size."""
    participants = cast.of(task)
    others.lap()  # what was started belongs to no task
    for participant in participants.values():
        participant.begin(task.name, n)
    seen = take_turns(participants, budget)
    return result_of(task, n, seen, others.lap())


def say(result: Result, before: bool) -> None:
    """Print a result, and at once what makes it doubtful."""
    print(report.table([result], before).splitlines()[-1], flush=True)
    for (checkout, way), error in result.failures().items():
        print(f"FAILED: {checkout}, {way}: {error}", file=sys.stderr, flush=True)
    if result.disturbed:
        print(f"DISTURBED: other processes used {result.others:.2f} cores", file=sys.stderr, flush=True)


def write(folder: Path, run: record.Run, results: list[Result]) -> None:
    """Write table, record and plot."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "speed.md").write_text(report.markdown(run, results))
    record.write(folder / "speed.json", run, [result.record() for result in results])
    plot.draw(results, folder / "speed.png")
    print(f"\nwritten to {folder}")


def main() -> None:
    """Measure, print, write; fail when a task of this checkout failed."""
    options = arguments()
    begun = record.now()
    cast = Cast(checkouts(options.against))
    others = Others(cast.processes)
    results: list[Result] = []
    try:
        about = cast.about()
        for result in measured(options, cast, others):
            say(result, options.against is not None)
            results.append(result)
    finally:
        cast.close()
    run = record.run_of(begun, about, others)
    write(options.out, run, results)
    if loud := warning(run.other_processes):
        print(f"\n{'!' * len(loud)}\n{loud}\n{'!' * len(loud)}", file=sys.stderr)
    if failed := [result.name for result in results for checkout, _ in result.failures() if checkout == NOW]:
        raise SystemExit(f"failed: {', '.join(failed)}")
