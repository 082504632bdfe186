"""Curves: scores over the number of learning rows, and how often confidence is justified."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from candide.evaluate.performance import jeffreys
from candide.evaluate.reliability import reliability as reliability_of
from candide.plot.canvas import axes_or_new


def learning_curves(
    curve: Any,
    metric: str = "accuracy",
    ax: Any = None,
    *,
    styles: Mapping[str, Mapping[str, Any]] | None = None,
    percent: bool = False,
    legend: bool = True,
) -> Any:
    """Draw each model's mean score over the number of learning rows, with a band of one standard error.

    Where the mean is infinite, as a log-loss may be, no line can show it: the legend says where.

    Parameters
    ----------
    curve : pandas.DataFrame
        From `candide.evaluate.learning_curve`: columns model, n_train and the metric.
    metric : str
    ax : matplotlib axes, optional
    styles : mapping of a model's name to how its line is drawn, optional
        Such as {"NB20": {"color": "tab:blue", "linestyle": "--"}}: models that belong together share a colour.
    percent : bool
        Show shares in per cent.
    legend : bool

    Returns
    -------
    matplotlib.axes.Axes
    """
    ax = axes_or_new(ax)
    times = 100 if percent else 1
    for model, lines in curve.groupby("model", sort=False):
        found = lines.groupby("n_train")[metric].agg(["mean", "std", "count"])
        found[["mean", "std"]] *= times
        error = (found["std"] / np.sqrt(found["count"])).fillna(0.0)
        style = {"marker": "o", "markersize": 3, "linewidth": 1.2} | dict((styles or {}).get(str(model), {}))
        beyond = found.index[np.isinf(found["mean"])]
        found.loc[beyond, "mean"] = np.nan
        label = str(model) if beyond.empty else f"{model} (infinite at {', '.join(map(str, beyond))})"
        (line,) = ax.plot(found.index, found["mean"], label=label, **style)
        low, high = found["mean"] - error, found["mean"] + error
        ax.fill_between(found.index, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
    sizes = sorted(curve["n_train"].unique())
    ax.set_xscale("log")
    ax.set_xticks(sizes, [str(size) for size in sizes])
    ax.set_xticks([], minor=True)
    ax.set(xlabel="learning rows", ylabel=metric.replace("_", " ") + (" (%)" if percent else ""))
    if legend:
        ax.legend(fontsize=7)
    return ax


def reliability(
    y: Any,
    proba: Any,
    bins: int = 10,
    *,
    equal_mass: bool = False,
    classes: Any = None,
    label: str = "",
    ax: Any = None,
    intervals: bool = True,
) -> Any:
    """Draw the frequency of an event against the probability given to it; the diagonal is calibrated.

    Parameters
    ----------
    y, proba, bins, equal_mass, classes
        As in `candide.evaluate.reliability`.
    label : str
        Name for the legend.
    ax : matplotlib axes, optional
    intervals : bool
        Whether to draw the 95 per cent interval of each frequency; a point whose interval misses the diagonal is a
        diamond.

    Returns
    -------
    matplotlib.axes.Axes
        The area of a point is its share of the rows.
    """
    ax = axes_or_new(ax, (4.5, 4.5))
    table = reliability_of(y, proba, bins, equal_mass=equal_mass, classes=classes)
    if not ax.lines:
        ax.plot([0, 1], [0, 1], color="0.6", linewidth=1)
    (line,) = ax.plot(table["confidence"], table["frequency"], linewidth=1.2, label=label or None)
    share = table["count"] / table["count"].sum()
    ends = np.array([jeffreys(f * n, n) for f, n in zip(table["frequency"], table["count"], strict=True)]).reshape(
        -1, 2
    )
    honest = (ends[:, 0] <= table["confidence"]) & (table["confidence"] <= ends[:, 1]) | (not intervals)
    if intervals:
        ax.vlines(table["confidence"], *ends.T, color=line.get_color(), linewidth=1)
    for some, marker in ((honest, "o"), (~honest, "D")):
        ax.scatter(table["confidence"][some], table["frequency"][some], s=10 + 200 * share[some], marker=marker,
                   color=line.get_color(), alpha=0.6)  # fmt: skip
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel="probability given", ylabel="frequency")
    ax.set_aspect("equal")
    if label:
        ax.legend(fontsize=8, loc="upper left")
    return ax
