"""The report of a run in Markdown: one table a section."""

from collections.abc import Callable, Sequence

from benchmarks import record
from benchmarks.checkouts import BEFORE, NOW
from benchmarks.others import QUIET, warning
from benchmarks.results import PROMISED, Result
from benchmarks.tasks.task import APART, OURS, THEIRS
from benchmarks.turns import FEWEST, PATIENCE

MEGABYTE = 2**20

LEGEND = f"""\
Every task runs in a process of its own for each column, and the processes take turns; times are the best of at least
{FEWEST} calls, or of as many as {PATIENCE:g} seconds hold. A floor is one pass of `numpy.sum` over the bytes of the
input. Extra memory is what the first call adds at its peak to what was resident before, its result included. *Met* says
whether the targets, which speak of {PROMISED:,} rows where a task has no number of its own, are met; one of which
something was not measured is not. A drop-in may use a tenth of its input besides its output (*allowed*). † marks tasks
during which other processes used more than {QUIET:g} cores.
"""

Column = tuple[str, Callable[[Result], str]]


def columns(before: bool) -> list[Column]:
    """Return the heading of each column, and what stands in it."""
    return [
        ("task", name),
        ("rows", lambda r: "" if r.rows is None else f"{r.rows:,}"),
        *([("before", lambda r: time(r, BEFORE, OURS))] if before else []),
        ("now", lambda r: time(r, NOW, OURS)),
        ("at most", promised),
        *([("times as fast as before", lambda r: number(r.gain))] if before else []),
        ("scikit-learn", lambda r: time(r, NOW, THEIRS)),
        ("times as fast", lambda r: number(r.faster)),
        ("target", lambda r: target(r.targets.faster)),
        ("floors", lambda r: number(r.floors)),
        ("target", lambda r: target(r.targets.floors)),
        *([("extra memory before", lambda r: size(r.extra(BEFORE, OURS)))] if before else []),
        ("extra memory now", lambda r: size(r.extra(NOW, OURS))),
        ("allowed", lambda r: size(r.allowed)),
        ("scikit-learn's", lambda r: size(r.extra(NOW, THEIRS))),
        ("met", Result.verdict),
    ]


def promised(result: Result) -> str:
    """Return the time and the memory that were promised."""
    targets = result.targets
    at_most = [
        *([] if targets.milliseconds is None else [f"{targets.milliseconds:g} ms"]),
        *([] if targets.megabytes is None else [f"{targets.megabytes:g} MB"]),
    ]
    return ", ".join(at_most)


def apart_columns(before: bool) -> list[Column]:
    """Return the columns of tasks that join columns: how long the same ones take apart, in each checkout."""

    def of(checkout: str) -> list[Column]:
        return [
            (f"joined, {checkout}", lambda r: time(r, checkout, OURS)),
            (f"apart, {checkout}", lambda r: time(r, checkout, APART)),
            ("times as long", lambda r: number(r.apart(checkout))),
            (f"extra memory {checkout}", lambda r: size(r.extra(checkout, OURS))),
        ]

    return [
        ("task", name),
        ("rows", lambda r: f"{r.rows:,}"),
        *(of(BEFORE) if before else []),
        *of(NOW),
        *([("times as fast as before", lambda r: number(r.gain))] if before else []),
        ("target", lambda r: target(r.targets.apart)),
        ("met", Result.verdict),
    ]


def markdown(run: record.Run, results: Sequence[Result]) -> str:
    """Return the whole report."""
    loud = warning(run.other_processes)
    parts = ["# Speed and memory\n", *([f"**{loud}**\n"] if loud else []), record.sentence(run), LEGEND]
    for title, part in sections(results).items():
        parts += [f"## {title}\n", table(part, BEFORE in run.checkouts)]
    parts += failures(results)
    return "\n".join(parts)


def sections(results: Sequence[Result]) -> dict[str, list[Result]]:
    """Return results under their headings: most rows first, then the sections with a heading of their own."""
    largest_first = sorted(results, key=lambda r: (r.section != "", -(r.rows or 0) if not r.section else 0))
    found: dict[str, list[Result]] = {}
    for result in largest_first:
        found.setdefault(result.section or f"{result.rows:,} rows", []).append(result)
    return found


def table(results: Sequence[Result], before: bool) -> str:
    """Return the table of one section."""
    chosen = (apart_columns if any(r.targets.apart for r in results) else columns)(before)
    lines = [[heading for heading, _ in chosen], ["---", *["---:"] * (len(chosen) - 1)]]
    lines += [[text(result) for _, text in chosen] for result in results]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def failures(results: Sequence[Result]) -> list[str]:
    """Return what went wrong, as a section."""
    lines = [
        f"- {r.name}, {checkout}, {way}: {error}\n" for r in results for (checkout, way), error in r.failures().items()
    ]
    return ["## Failures\n", "".join(lines)] if lines else []


def name(result: Result) -> str:
    """Return the name of a task, marked where it was disturbed."""
    return f"{result.name} †" if result.disturbed else result.name


def time(result: Result, checkout: str, way: str) -> str:
    """Return a time, or that there is none because it failed."""
    return "failed" if (checkout, way) in result.failures() else seconds(result.seconds(checkout, way))


def seconds(t: float | None) -> str:
    """Return a time in the unit that suits it."""
    if t is None:
        return ""
    return f"{t:.2f} s" if t >= 1 else f"{t * 1e3:.3g} ms" if t >= 1e-3 else f"{t * 1e6:.3g} µs"


def size(memory: float | None) -> str:
    """Return bytes in megabytes."""
    return (
        ""
        if memory is None
        else f"{memory / MEGABYTE:.0f} MB"
        if memory >= 10 * MEGABYTE
        else f"{memory / MEGABYTE:.1f} MB"
    )


def number(value: float | None) -> str:
    """Return a ratio."""
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 1 else f"{value:.2g}"


def target(value: float | None) -> str:
    """Return a target."""
    return "" if value is None else f"{value:.3g}"
