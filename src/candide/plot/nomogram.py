"""The nomogram: every column on one scale of points; ten points double the odds."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.plot.canvas import axes_or_new
from candide.plot.palette import INK, LINE, MUTED, REST
from candide.plot.told import clamped, facts_of, pair, shares, telling
from candide.report.extremes import evidence
from candide.report.numbers import POINTS, factor, short, signed, value_name

Facts = dict[str, Any]

ONE_LINE = 7
"""Levels of a column that may share a line."""
MOST_LEVELS = 9
"""Levels that are drawn of a column of many: those that move most rows."""
MOST_NAMED = 3
"""Columns taken together that are named, of those that are not drawn."""
CHARACTER = 1.5
"""Points that a character of a label takes, about."""
DENSITY = 3.0
"""Lines that a density takes."""


def nomogram(model: Any, ax: Any = None, *, label: Any = None, top: int = 8) -> Any:
    """Draw how many points every value of the columns is worth for a class, against its rival.

    Parameters
    ----------
    model : fitted classifier, or facts of `candide.report.facts`
    ax : matplotlib axes, optional
    label : class label, optional
        The class asked about; by default the rarer one of two, or the likeliest.
    top : int
        How many columns to draw, those that move most rows.

    Returns
    -------
    matplotlib.axes.Axes
        Points run across; add those of a row's values up, and ten points double the odds that the prior gives. What
        columns say together has no place on the scale of either; the label below names what is left out.
    """
    facts = facts_of(model)
    asked, rival = pair(facts, label)
    columns = sorted(telling(facts), key=lambda c: -strength(c, asked, rival))[:top]
    rows = [lines_of(column, asked, rival) for column in columns]
    height = sum(rows) + 0.6
    ax = axes_or_new(ax, (7.0, 0.8 + 0.26 * height))
    ax.axvline(0, color=MUTED, linewidth=0.8, linestyle=":")
    y, ticks = 0.0, []
    for column, lines in zip(columns, rows, strict=True):
        draw(ax, column, asked, rival, y, lines)
        ticks.append((y + lines / 2, short(column["name"])))
        y += lines
        ax.axhline(y, color=LINE, linewidth=0.6)
    ax.set_ylim(y, 0)
    ax.margins(x=0.16)
    ax.set_yticks([at for at, _ in ticks], [name for _, name in ticks])
    ax.tick_params(axis="y", length=0)
    ax.xaxis.set_major_formatter(lambda x, _: signed(round(x)))
    ax.set_xlabel("points" + without(facts))
    odds = ax.secondary_xaxis("top")
    odds.xaxis.set_major_formatter(lambda x, _: factor(x / POINTS))
    odds.set_xlabel(f"odds of {facts['classes'][asked]}" + against(facts, rival))
    for side in ("left", "right"):
        ax.spines[side].set_visible(False)
    return ax


def without(facts: Facts) -> str:
    """Say what is not drawn: columns that are taken together."""
    names = [together["name"] for together in facts["joint"]]
    more = [] if len(names) <= MOST_NAMED else [f"{len(names) - MOST_NAMED} more"]
    named = [short(name) for name in names[:MOST_NAMED]]
    return f", without {', '.join([*named, *more])}" if names else ""


def against(facts: Facts, rival: int) -> str:
    """Say which class is the rival, where there are several."""
    return f" against {facts['classes'][rival]}" if len(facts["classes"]) > 2 else ""


def strength(column: Facts, asked: int, rival: int) -> float:
    """Return the mean of |points| over the rows."""
    return float(shares(column) @ np.abs(clamped(evidence(column, asked, rival))))


def lines_of(column: Facts, asked: int, rival: int) -> float:
    """Return how many lines a column takes: one where its levels lie apart, else one for each."""
    if column["kind"] == "density":
        return DENSITY
    x = clamped(evidence(column, asked, rival))
    order = np.argsort(x, kind="stable")
    wide = np.array([len(short(column["levels"][v], 14)) for v in order]) * CHARACTER
    apart = bool((np.diff(x[order]) > (wide[:-1] + wide[1:]) / 2 + CHARACTER).all())
    return 1.6 if len(x) <= ONE_LINE and apart else float(min(len(x), MOST_LEVELS)) + 0.6


def draw(ax: Any, column: Facts, asked: int, rival: int, y: float, lines: float) -> None:
    """Draw one column between y and y + lines."""
    x = clamped(evidence(column, asked, rival))
    if column["kind"] == "density":
        draw_density(ax, column, x, asked, rival, y, lines)
        return
    size = 12 + 60 * shares(column)
    if lines == 1.6:
        at = y + 1.1
        ax.plot([x.min(), x.max()], [at, at], color=INK, linewidth=0.8)
        ax.scatter(x, np.full(len(x), at), s=size, color=REST, zorder=3)
        for v, name in enumerate(column["levels"]):
            ax.annotate(short(name, 14), (x[v], at), (0, 5), textcoords="offset points", ha="center", fontsize=7)
        return
    most = np.argsort(-shares(column) * np.abs(x), kind="stable")[:MOST_LEVELS]
    for line, v in enumerate(np.sort(most).tolist()):
        at = y + line + 0.8
        side = 1 if x[v] >= 0 else -1
        ax.plot([0, x[v]], [at, at], color=LINE, linewidth=0.9, zorder=1)
        ax.scatter([x[v]], [at], s=size[v], color=REST, zorder=3)
        ax.annotate(short(column["levels"][v], 18), (x[v], at), (6 * side, 0), textcoords="offset points", va="center",
                    ha="left" if side > 0 else "right", fontsize=7)  # fmt: skip


def draw_density(ax: Any, column: Facts, x: Any, asked: int, rival: int, y: float, lines: float) -> None:
    """Draw a density: its values run down, its points across, dashed where fewer than ten rows are near."""
    grid = np.asarray(column["grid"], dtype=float)
    low, high = column["range"]
    # a table by cells of about equal mass goes down by rank, other densities by value
    place = (np.arange(len(grid)) + 0.5) / len(grid) if "cuts" in column else (grid - low) / (high - low)
    down = y + 0.3 + place * (lines - 0.6)
    sd = np.hypot(*(np.asarray(column["sd"][c], dtype=float) for c in (asked, rival)))
    said = evidence(column, asked, rival)
    ax.fill_betweenx(down, clamped(said - 1.96 * sd), clamped(said + 1.96 * sd), color=REST, alpha=0.15, linewidth=0)
    few = np.asarray(column.get("near", np.full(len(grid), 10))) < 10
    ax.plot(np.where(few, np.nan, x), down, color=INK, linewidth=1.3)
    ax.plot(np.where(few, x, np.nan), down, color=INK, linewidth=0.8, linestyle=":")
    for at in (0.1, 0.5, 0.9):
        i = int(np.abs(place - at).argmin())
        name = value_name(column, grid[i], 3)
        ax.annotate(name, (x[i], down[i]), (5, -2), textcoords="offset points", fontsize=6.5, color=MUTED)
