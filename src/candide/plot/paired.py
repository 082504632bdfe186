"""Paired scatter: two models' scores against each other, one point per data set."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.evaluate.comparison import differences, pairs
from candide.evaluate.metrics import greater_is_better
from candide.plot.canvas import axes_or_new

WORDS = {"log_score": "LogScore", "log_loss": "log-loss", "brier": "Brier score"}
# scores that grow with the test fold are drawn on logarithmic axes
LOGARITHMIC = ("log_score",)


def paired_scatter(results: Any, a: str, b: str, metric: str = "accuracy", ax: Any = None) -> Any:
    """Draw model `a` (upwards) against model `b` (to the right); the diagonal is "equal".

    Parameters
    ----------
    results : pandas.DataFrame
        From `candide.evaluate.cross_validate`. With a column `dataset` every data set is one named point, its
        mean over folds; otherwise every fold is one.
    a, b : str
        Names of models.
    metric : str
        Infinite scores are drawn as triangles on the border.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib.axes.Axes
    """
    ax = axes_or_new(ax, (4.5, 4.5))
    table = pairs(results, a, b, metric)
    named = "dataset" in table.columns
    if named:
        table = table.groupby("dataset", sort=False)[["a", "b"]].mean()
    points = np.column_stack([table["b"], table["a"]])
    low, high = _limits(points, metric in LOGARITHMIC)
    if metric in LOGARITHMIC:
        ax.set_xscale("log")
        ax.set_yscale("log")
    ax.plot([low, high], [low, high], color="0.6", linewidth=1, zorder=1)
    sign = 1 if greater_is_better(metric) else -1
    better = sign * differences(points[:, 1], points[:, 0]) > 0
    for wins, color, label in ((True, "tab:blue", f"{a} better"), (False, "tab:orange", f"{a} not better")):
        _scatter(ax, points[better == wins], high, color, f"{label} ({(better == wins).sum()})")
    word = WORDS.get(metric, metric.replace("_", " "))
    ax.set(xlim=(low, high), ylim=(low, high), xlabel=f"{word} of {b}", ylabel=f"{word} of {a}")
    ax.set_aspect("equal")
    if named:
        _name_points(ax, table.index, np.minimum(points, high))
    ax.legend(fontsize=7, loc="lower right" if greater_is_better(metric) else "upper left")
    return ax


def _limits(points: np.ndarray, logarithmic: bool) -> tuple[float, float]:
    finite = points[np.isfinite(points)]
    if not len(finite):
        return 0.1, 1.0
    low, high = float(finite.min()), float(finite.max())
    if logarithmic:
        return low / 1.5, high * 1.5
    margin = 0.04 * ((high - low) or 1.0)
    return low - margin, high + margin


def _scatter(ax: Any, points: np.ndarray, high: float, color: str, label: str) -> None:
    finite = np.isfinite(points).all(axis=1)
    ax.scatter(*points[finite].T, s=18, color=color, label=label, zorder=3)
    border = np.minimum(points[~finite], high)
    if len(border):
        ax.scatter(*border.T, s=30, marker="^", color=color, clip_on=False, label="infinite", zorder=3)


def _name_points(ax: Any, names: Any, points: np.ndarray) -> None:
    """Write each name beside its point, on the side away from the right border."""
    for name, (x, y) in zip(names, points, strict=True):
        at_border = ax.transData.transform((x, y))[0] > ax.transAxes.transform((0.8, 0))[0]
        offset, align = ((-4, -2), "right") if at_border else ((4, -2), "left")
        ax.annotate(name, (x, y), xytext=offset, textcoords="offset points", ha=align, fontsize=5, color="0.3")
