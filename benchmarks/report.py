"""Tables of ratios and how cost grows with rows, as text, Markdown and a plot."""

import os
import platform
from dataclasses import dataclass

import numpy as np
import sklearn

import candide
from benchmarks.tasks import Task

MEGABYTE = 2**20


@dataclass(frozen=True)
class Result:
    """One task at one size, in seconds and bytes; None where it was not measured."""

    task: Task
    n: int
    ours: float
    theirs: float
    floor: float | None
    our_memory: int | None
    their_memory: int | None
    allowed: float | None

    @property
    def faster(self):
        return self.theirs / self.ours

    @property
    def floors(self):
        return None if self.floor is None else self.ours / self.floor

    def verdict(self):
        """Say whether the targets are met."""
        task = self.task
        if task.faster is None or not (task.single or self.n == PROMISED):
            return ""
        checks = [
            task.faster is None or self.faster >= task.faster,
            task.floors is None or self.floors is None or self.floors <= task.floors,
            self.allowed is None or self.our_memory is None or self.our_memory <= self.allowed,
            task.memory is None or not self.their_memory or self.our_memory <= task.memory * self.their_memory,
        ]
        return "yes" if all(checks) else "no"


PROMISED = 10**6
"""Rows that the targets speak of."""

LEGEND = f"""\
Best of several runs, taken in turns. A floor is one pass of `numpy.sum` over the same bytes. Extra memory is what one
call adds at its peak to what was there before, its result included. The last column says whether the targets, which
speak of {PROMISED:,} rows, are met; that of memory too: a drop-in may use a tenth of its input besides its output.
"""

HEADER = [
    "task",
    "rows",
    "ours",
    "scikit-learn",
    "times as fast",
    "target",
    "floors",
    "target",
    "extra memory, ours",
    "scikit-learn's",
    "met",
]


def cells(result):
    """Return one line of the table."""
    task = result.task
    return [
        task.name,
        f"{result.n:,}",
        seconds(result.ours),
        seconds(result.theirs),
        f"{result.faster:.1f}",
        "" if task.faster is None else f"{task.faster:g}",
        "" if result.floors is None else f"{result.floors:.1f}",
        "" if task.floors is None else f"{task.floors:g}",
        size(result.our_memory),
        size(result.their_memory),
        result.verdict(),
    ]


def seconds(t):
    return f"{t:.2f} s" if t >= 1 else f"{t * 1e3:.3g} ms" if t >= 1e-3 else f"{t * 1e6:.3g} µs"


def size(memory):
    return "" if memory is None else f"{memory / MEGABYTE:.0f} MB"


def machine():
    """Say on what the numbers were measured."""
    return (
        f"candide {candide.__version__} ({candide.kernels()} kernels), scikit-learn {sklearn.__version__}, "
        f"numpy {np.__version__}, Python {platform.python_version()}, {platform.machine()}, "
        f"{os.cpu_count()} cores"
    )


def table(lines):
    """Return Markdown."""
    rule = ["---", *["---:"] * (len(HEADER) - 1)]
    return "\n".join(f"| {' | '.join(line)} |" for line in [HEADER, rule, *lines]) + "\n"


def markdown(results, imports):
    """Return the whole report."""
    ours, theirs = imports
    ratio = ours / theirs
    import_line = (
        f"`import candide` takes {seconds(ours)}, `import sklearn.naive_bayes` {seconds(theirs)}: "
        f"{ratio:.2f} times as long (target: at most 1.2; {'met' if ratio <= 1.2 else 'missed'}).\n"
    )
    parts = ["# Speed and memory\n", f"{machine()}.\n", LEGEND, import_line]
    for n in sorted({r.n for r in results}, reverse=True):
        parts += [f"## {n:,} rows\n", table([cells(r) for r in results if r.n == n])]
    return "\n".join(parts)


def plot(results, path):
    """Draw time against rows, ours and scikit-learn's, one panel per task."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    names = list(dict.fromkeys(r.task.name for r in results if not r.task.single))
    wide = 4
    figure, axes = plt.subplots(-(-len(names) // wide), wide, figsize=(16, 2.6 * -(-len(names) // wide)), squeeze=False)
    for ax in axes.flat[len(names) :]:
        ax.set_visible(False)
    for ax, name in zip(axes.flat, names, strict=False):
        own = sorted((r for r in results if r.task.name == name), key=lambda r: r.n)
        rows = [r.n for r in own]
        ax.loglog(rows, [r.theirs for r in own], "o-", color="tab:gray", label="scikit-learn")
        ax.loglog(rows, [r.ours for r in own], "o-", color="tab:blue", label="candide")
        if own[0].floor is not None:
            ax.loglog(rows, [r.floor for r in own], ":", color="black", label="floor")
        ax.set_title(name, fontsize=9)
    axes.flat[0].legend(fontsize=8)
    figure.supxlabel("rows")
    figure.supylabel("seconds")
    figure.tight_layout()
    figure.savefig(path, dpi=100)
    plt.close(figure)
