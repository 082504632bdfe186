"""Critical-difference diagram: mean ranks on a line, bars under models that do not differ (Demšar 2006)."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.evaluate.ranks import critical_difference as critical_distance
from candide.evaluate.ranks import mean_ranks
from candide.plot.canvas import axes_or_new

# heights of a line of text and of a bar, in units of the y axis
LINE, BAR = 0.25, 0.13


def critical_difference(results: Any, metric: str = "accuracy", *, alpha: float = 0.05, ax: Any = None) -> Any:
    """Draw the mean ranks of models over data sets, best at the left, and Nemenyi's critical difference.

    Models joined by a bar do not differ significantly.

    Parameters
    ----------
    results : pandas.DataFrame
        Results of `cross_validate`, stacked with a column `dataset`.
    metric : str
    alpha : float
        Level of the test.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib.axes.Axes
    """
    ranks = mean_ranks(results, metric)
    distance = critical_distance(len(ranks), results["dataset"].nunique(), alpha)
    bars = cliques(ranks.to_numpy(), distance)
    below = BAR * (len(bars) + 1)
    depth = below + LINE * ((len(ranks) + 1) // 2)
    ax = axes_or_new(ax, (6.0, 1.2 + 1.4 * depth))
    _draw_axis(ax, len(ranks), distance)
    for place, (first, last) in enumerate(bars, start=1):
        ends = [ranks.iloc[first] - 0.03, ranks.iloc[last] + 0.03]
        ax.plot(ends, [-BAR * place] * 2, color="tab:red", linewidth=3, solid_capstyle="butt")
    _draw_names(ax, ranks, below)
    width = 0.5 * len(ranks)
    ax.set(xlim=(1 - width, max(len(ranks), 1 + distance) + width), ylim=(-depth - LINE, 0.7))
    ax.axis("off")
    return ax


def _draw_axis(ax: Any, n_models: int, distance: float) -> None:
    ax.plot([1, n_models], [0, 0], color="black", linewidth=1)
    for rank in range(1, n_models + 1):
        ax.plot([rank, rank], [0, 0.06], color="black", linewidth=1)
        ax.text(rank, 0.09, str(rank), ha="center", va="bottom", fontsize=8)
    ax.plot([1, 1 + distance], [0.42, 0.42], color="tab:red", linewidth=2)
    words = f"critical difference {distance:.2f}"
    ax.text(1 + distance / 2, 0.46, words, ha="center", va="bottom", fontsize=7)


def _draw_names(ax: Any, ranks: Any, below: float) -> None:
    """The better half to the left, the others to the right, the outermost ranks highest."""
    half = (len(ranks) + 1) // 2
    for place, (name, rank) in enumerate(ranks.items()):
        at_left = place < half
        y = -below - LINE * (place if at_left else len(ranks) - 1 - place)
        edge, align = (0.85, "right") if at_left else (len(ranks) + 0.15, "left")
        ax.plot([rank, rank, edge], [0, y, y], color="0.3", linewidth=0.8)
        ax.text(edge, y, f" {name} ({rank:.2f}) ", ha=align, va="center", fontsize=8)


def cliques(ranks: np.ndarray, distance: float) -> list[tuple[int, int]]:
    """Longest runs (first, last) of two or more ascending ranks whose ends are less than `distance` apart."""
    runs = [(i, int(np.searchsorted(ranks, ranks[i] + distance, side="left")) - 1) for i in range(len(ranks))]
    longest = [run for i, run in enumerate(runs) if i == 0 or run[1] > runs[i - 1][1]]
    return [(first, last) for first, last in longest if last > first]
