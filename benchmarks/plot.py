"""Time against rows, one panel a task."""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.checkouts import BEFORE, NOW
from benchmarks.results import Result
from benchmarks.tasks.task import FLOOR, OURS, THEIRS

WIDE = 4
"""Panels beside one another."""

LINES = {
    (NOW, THEIRS): ("scikit-learn", "tab:gray", "o-"),
    (BEFORE, OURS): ("candide before", "tab:orange", "o-"),
    (NOW, OURS): ("candide", "tab:blue", "o-"),
    (NOW, FLOOR): ("floor", "black", ":"),
}


def draw(results: Sequence[Result], path: Path) -> None:
    """Draw the tasks that were measured for several numbers of rows."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    names = list(dict.fromkeys(r.name for r in results if not r.section))
    if not names:
        return
    tall = -(-len(names) // WIDE)
    figure, axes = plt.subplots(tall, WIDE, figsize=(16, 2.6 * tall), squeeze=False)
    for ax in axes.flat[len(names) :]:
        ax.set_visible(False)
    for ax, name in zip(axes.flat, names, strict=False):
        own = sorted((r for r in results if r.name == name), key=lambda r: r.rows or 0)
        for key, (label, color, style) in LINES.items():
            points = [(r.rows, t) for r in own if (t := r.seconds(*key)) is not None]
            if points:
                ax.loglog(*zip(*points, strict=True), style, color=color, label=label)
        ax.set_title(name, fontsize=9)
    axes.flat[0].legend(fontsize=8)
    figure.supxlabel("rows")
    figure.supylabel("seconds")
    figure.tight_layout()
    figure.savefig(path, dpi=100)
    plt.close(figure)
