"""Columns: ranked by what they are worth, and one column in full."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.plot.canvas import axes_or_new
from candide.plot.palette import ASKED, BEWARE, INK, LINE, REST, RIVAL
from candide.plot.told import column_of, facts_of, pair
from candide.report.extremes import evidence, occurrence
from candide.report.numbers import factor, short
from candide.report.sentences import NORMAL, ranked

Facts = dict[str, Any]


def columns(model: Any, table: Any = None, ax: Any = None, *, top: int = 20) -> Any:
    """Draw what each column is worth: alone, and beyond the others where there are rows to tell it by.

    Parameters
    ----------
    model : fitted classifier, or facts of `candide.report.facts`
    table : frame with the target column, (X, y) or None
        Rows to weigh the columns by, those that the model has learnt or new ones.
    ax : matplotlib axes, optional
    top : int
        How many columns to draw.

    Returns
    -------
    matplotlib.axes.Axes
        In per cent of the doubt about the class; whiskers are 95 per cent intervals.
    """
    facts = facts_of(model, table)
    items = ranked(facts)[:top]
    doubt = doubt_of(facts)
    ax = axes_or_new(ax, (5.5, 0.9 + 0.34 * len(items)))
    ax.axvline(0, color=INK, linewidth=0.8)
    for y, item in enumerate(items):
        if "beyond" in item:
            mean, error = 100 * item["beyond"]["mean"] / doubt, 100 * NORMAL * item["beyond"]["error"] / doubt
            ax.barh(y + 0.14, mean, height=0.4, color=REST if mean >= 0 else BEWARE)
            ax.plot([mean - error, mean + error], [y + 0.14] * 2, color=INK, linewidth=1)
        at = y - 0.22 if "beyond" in item else y
        mean, error = 100 * item["alone"]["mean"] / doubt, 100 * NORMAL * item["alone"]["error"] / doubt
        ax.plot([mean - error, mean + error], [at] * 2, color=REST, linewidth=1)
        ax.plot([mean], [at], "o", markersize=5, markerfacecolor="white", markeredgecolor=INK)
    ax.set_yticks(range(len(items)), [short(item["name"]) for item in items])
    ax.set_ylim(len(items) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x", color=LINE)
    ax.set_axisbelow(True)
    told = "alone (rings) and beyond the others (bars)" if any("beyond" in item for item in items) else "alone"
    ax.set_xlabel(f"% of the doubt settled, {told}", fontsize=9)
    return ax


def doubt_of(facts: Facts) -> float:
    """Return how uncertain the class is before anything is known, in nats."""
    p = facts.get("performance")
    if p is not None:
        return float(p["doubt"]) or 1.0
    log = np.array([x for x in facts["prior"]["log"] if x is not None], dtype=float)
    return float(-(np.exp(log) * log).sum()) or 1.0


def column(model: Any, name: Any, ax: Any = None, *, label: Any = None) -> Any:
    """Draw one column: how often each level occurs in a class and in its rival, or both densities.

    Parameters
    ----------
    model : fitted classifier, or facts of `candide.report.facts`
    name : str or int
        The column.
    ax : matplotlib axes, optional
    label : class label, optional
        The class asked about; by default the rarer one of two, or the likeliest.

    Returns
    -------
    matplotlib.axes.Axes
    """
    facts = facts_of(model)
    asked, rival = pair(facts, label)
    one = column_of(facts, name)
    if one["kind"] not in ("levels", "bins", "density"):
        raise ValueError(f"column {name!r} is not told in tables, and cannot be drawn")
    names = [facts["classes"][c] for c in (asked, rival)]
    if one["kind"] == "density":
        return draw_density(one, asked, rival, names, ax)
    p = occurrence(one)[[asked, rival]]
    ax = axes_or_new(ax, (5.5, 0.9 + 0.42 * len(one["levels"])))
    y = np.arange(len(one["levels"]))
    ax.barh(y - 0.19, 100 * p[0], height=0.36, color=ASKED, label=names[0])
    ax.barh(y + 0.19, 100 * p[1], height=0.36, color=RIVAL, label=names[1], hatch="///", edgecolor="white", linewidth=0)
    for v, nats in enumerate(evidence(one, asked, rival) if facts["additive"] else ()):  # added probabilities have none
        ax.annotate(
            factor(float(nats)), (100 * p[:, v].max(), v), (5, 0), textcoords="offset points", va="center", fontsize=8
        )
    ax.set_yticks(y, [short(level) for level in one["levels"]])
    ax.set_ylim(len(y) - 0.4, -0.6)
    ax.margins(x=0.14)
    ax.set_xlabel(f"% of rows; {one['name']}")
    ax.legend(fontsize=8)
    return ax


def draw_density(one: Facts, asked: int, rival: int, names: list[str], ax: Any) -> Any:
    """Draw both densities over the histograms of the rows that were learnt."""
    ax = axes_or_new(ax, (5.5, 3.4))
    grid = np.asarray(one["grid"], dtype=float)
    density = occurrence(one)
    bars = one.get("histogram")
    most = 0.0
    for c, colour, style, name in ((asked, ASKED, "-", names[0]), (rival, RIVAL, "--", names[1])):
        if bars is not None:
            edges, counts = np.asarray(bars["edges"]), np.asarray(bars["counts"][c], dtype=float)
            heights = counts / max(counts.sum(), 1.0) / np.diff(edges)
            ax.stairs(heights, edges, fill=True, color=colour, alpha=0.2)
            most = max(most, float(heights.max()))
        if "cuts" in one:
            ax.stairs(*steps(one, density[c]), linestyle=style, color=colour, label=name, baseline=None)
        else:
            ax.plot(grid, density[c], style, color=colour, label=name)
    ax.set_ylim(0, min(ax.get_ylim()[1], HIGHEST * most) if most else None)
    low, high = one["view"] if "view" in one else one["range"]
    ax.set_xlim(low, high)
    ax.set(xlabel=one["name"], ylabel="density")
    ax.legend(fontsize=8)
    return ax


HIGHEST = 1.6
"""How far above the highest bar a density is drawn: what is narrower and higher is cut off, or nothing else is seen."""
STEPS = 16
"""Steps in which a table of many intervals is drawn: those of equal mass are narrow where rows are many."""


def steps(one: Facts, density: Any) -> tuple[Any, Any]:
    """Return the heights and ends of steps, each of a few neighbouring intervals."""
    low, high = one["range"]
    edges = np.concatenate([[low], one["cuts"], [high]])
    n = len(edges) - 1
    ends = np.unique(np.append(np.arange(0, n, -(-n // STEPS)), n))
    mass = np.add.reduceat(density * np.diff(edges), ends[:-1])
    return mass / np.maximum(np.diff(edges[ends]), 1e-300), edges[ends]
