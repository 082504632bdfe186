"""Drift: by how many points the meaning of columns has moved, beside what chance alone would move."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.plot.canvas import axes_or_new
from candide.plot.palette import INK, LINE
from candide.plot.told import MOST_POINTS, facts_of, pair
from candide.report.numbers import POINTS, short

Array = np.ndarray[Any, Any]
Facts = dict[str, Any]

MEAN_OF_NORMAL = float(np.sqrt(2 / np.pi))
"""The mean of |x| of a standard normal x."""


def drift(model: Any, older: Any = None, ax: Any = None, *, label: Any = None, top: int = 16) -> Any:
    """Draw how far the evidence of each column has moved since an older model.

    Parameters
    ----------
    model : fitted classifier, or facts of `candide.report.facts` with an older model
    older : fitted classifier
        An older model of the same columns.
    ax : matplotlib axes, optional
    label : class label, optional
        The class asked about; by default the rarer one of two, or the likeliest.
    top : int
        How many columns to draw.

    Returns
    -------
    matplotlib.axes.Axes
        The mean change of a row's points; grey is what chance alone would move.
    """
    facts = facts_of(model, None, older)
    if "drift" not in facts:
        raise ValueError("drift is told beside an older model: give older=")
    asked, rival = (facts["drift"]["classes"].index(facts["classes"][c]) for c in pair(facts, label))
    found = [(column["name"], *moved(column, asked, rival)) for column in facts["drift"]["columns"]]
    found = sorted(found, key=lambda one: -one[1])[:top]
    ax = axes_or_new(ax, (5.5, 0.9 + 0.3 * len(found)))
    y = np.arange(len(found))
    ax.barh(y, [chance for _, _, chance in found], height=0.6, color=LINE, label="what chance alone would move")
    ax.hlines(y, 0, [by for _, by, _ in found], color=INK, linewidth=1)
    ax.plot([by for _, by, _ in found], y, "o", color=INK, markersize=5)
    ax.set_yticks(y, [short(name) for name, _, _ in found])
    ax.set_ylim(len(found) - 0.4, -0.6)
    ax.set_xlim(left=0)
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel(f"mean change of a row's points for {facts['drift']['classes'][asked]}")
    ax.legend(fontsize=8, loc="lower right")
    return ax


def moved(column: Facts, asked: int, rival: int) -> tuple[float, float]:
    """Return the mean change of a row's points, and what chance alone would move: σ √(2 / π), level by level."""
    before, after = (column[when] for when in ("before", "after"))
    share = np.asarray(after["counts"], dtype=float)
    share = share / max(float(share.sum()), 1e-300)
    change = np.abs(points_of(after, asked, rival) - points_of(before, asked, rival))
    spread = POINTS * np.sqrt(
        sum(np.asarray(t["sd"][c], dtype=float) ** 2 for t in (before, after) for c in (asked, rival))
    )
    return float(share @ change), float(share @ (MEAN_OF_NORMAL * spread))


def points_of(table: Facts, asked: int, rival: int) -> Array:
    """Return the points of each level, cut off where they would leave the picture."""
    log = np.array([[-np.inf if x is None else x for x in table["log"][c]] for c in (asked, rival)], dtype=float)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.clip(np.nan_to_num(POINTS * (log[0] - log[1]), nan=0.0), -MOST_POINTS, MOST_POINTS))
