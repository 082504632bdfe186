"""Drift: how far the meaning of columns and what comes in have moved, beside what chance alone would move."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.plot.canvas import axes_or_new, beside_of
from candide.plot.palette import INK, LINE
from candide.plot.told import MOST_POINTS, facts_of, pair
from candide.report.numbers import POINTS, short

Array = np.ndarray[Any, Any]
Facts = dict[str, Any]

MEAN_OF_NORMAL = float(np.sqrt(2 / np.pi))
"""The mean of |x| of a standard normal x."""


def drift(model: Any, older: Any = None, ax: Any = None, *, label: Any = None, top: int = 16) -> Any:
    """Draw how far the evidence of each column has moved since an older model, and how far what comes in.

    Parameters
    ----------
    model : fitted classifier, or facts of `candide.report.facts` with an older model
    older : fitted classifier
        An older model of the same columns.
    ax : matplotlib axes, optional
        The right two fifths of it become axes of their own.
    label : class label, optional
        The class asked about; by default the rarer one of two, or the likeliest.
    top : int
        How many columns to draw.

    Returns
    -------
    matplotlib.axes.Axes
        The mean change of a row's points; the axes beside them, the last of their figure, have the share of rows that
        went to another level. Grey is what chance alone would move.
    """
    facts = facts_of(model, None, older)
    if "drift" not in facts:
        raise ValueError("drift is told beside an older model: give older=")
    asked, rival = (facts["drift"]["classes"].index(facts["classes"][c]) for c in pair(facts, label))
    columns = [(moved(column, asked, rival), column) for column in facts["drift"]["columns"]]
    columns = sorted(columns, key=lambda one: -one[0][0])[:top]
    ax = axes_or_new(ax, (6.5, 0.9 + 0.3 * len(columns)))
    beside = beside_of(ax)
    against_chance(ax, [found for found, _ in columns])
    against_chance(beside, [came_in(column) for _, column in columns])
    ax.set_yticks(range(len(columns)), [short(column["name"]) for _, column in columns])
    beside.set_yticks([])
    beside.xaxis.set_major_formatter(lambda share, _: f"{100 * share:.3g} %")
    ax.set_xlabel(f"mean change of a row's points\nfor {facts['drift']['classes'][asked]}")
    beside.set_xlabel("rows that went\nto another level")
    ax.legend(fontsize=8, loc="lower right")
    return ax


def against_chance(ax: Any, found: list[tuple[float, float]]) -> None:
    """Draw how far things moved, and in grey what chance alone would move."""
    y = np.arange(len(found))
    ax.barh(y, [chance for _, chance in found], height=0.6, color=LINE, label="what chance alone would move")
    ax.hlines(y, 0, [by for by, _ in found], color=INK, linewidth=1)
    ax.plot([by for by, _ in found], y, "o", color=INK, markersize=5)
    ax.set_ylim(len(found) - 0.4, -0.6)
    ax.set_xlim(left=0)
    ax.tick_params(axis="y", length=0)


def came_in(column: Facts) -> tuple[float, float]:
    """Return the share of rows that went to another level, and what chance alone would move: σ √(2 / π) / 2 of each."""
    before, after = (np.asarray(column[when]["counts"], dtype=float) for when in ("before", "after"))
    n, m = max(float(before.sum()), 1e-300), max(float(after.sum()), 1e-300)
    p = (before + after) / (n + m)
    chance = MEAN_OF_NORMAL * np.sqrt(p * (1 - p) * (1 / n + 1 / m)) / 2
    return float(np.abs(after / m - before / n).sum() / 2), float(chance.sum())


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
