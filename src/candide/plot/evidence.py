"""The evidence of one row: from the prior to the answer, what each cell does to the odds."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.plot.canvas import axes_or_new
from candide.plot.palette import ASKED, INK, MUTED, RIVAL
from candide.report.notebook import cell
from candide.report.numbers import factor, short
from candide.shares import chance

CHANCES = (0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999)
"""Where the axis is labelled."""
FAR = 12.0
"""Nats that one cell moves the picture at the most."""


def evidence(explanation: Any, row: int = 0, ax: Any = None, *, label: Any = None, top: int = 12) -> Any:
    """Draw what each cell of a row does to the chance of a class: lengths add up, the axis is in chances.

    Parameters
    ----------
    explanation : Explanation
        Of `nb.explain(X)`.
    row : int
    ax : matplotlib axes, optional
    label : class label, optional
        The class asked about; by default the decision.
    top : int
        How many columns to draw, those that say most; the others are added up.

    Returns
    -------
    matplotlib.axes.Axes
    """
    if explanation.additive != "log":
        raise ValueError("the evidence adds up under the product; this model adds probabilities")
    c, rival = explanation.pair(row, label)
    if rival is None:
        raise ValueError("a model of one class has no evidence to draw")
    speaks = [told for told in explanation.weights(row, label) if told[2] != 0]
    steps = [(f"{short(name)} {short(cell(value), 16)}", by) for name, value, by in speaks[:top]]
    if speaks[top:]:
        steps.append((f"{len(speaks) - top} more", sum(by for *_, by in speaks[top:])))
    start = float(explanation.prior[c] - explanation.prior[rival])
    ends = start + np.cumsum([0.0, *(float(np.clip(by, -FAR, FAR)) for _, by in steps)])
    ax = axes_or_new(ax, (6.5, 0.9 + 0.3 * (len(steps) + 2)))
    names = ["before anything", *(name for name, _ in steps), "with all of it"]
    for i, (_, by) in enumerate(steps, 1):
        ax.barh(i, ends[i] - ends[i - 1], left=ends[i - 1], height=0.6, color=ASKED if by > 0 else RIVAL)
        ax.plot([ends[i - 1]] * 2, [i - 1, i], color=MUTED, linewidth=0.6)
        ax.annotate(
            factor(by), (max(ends[i], ends[i - 1]), i), (4, 0), textcoords="offset points", va="center", fontsize=8
        )
    for at, i in ((start, 0), (float(ends[-1]), len(steps) + 1)):
        ax.plot([at, at], [i - 0.32, i + 0.32], color=INK, linewidth=4, solid_capstyle="butt")
        ax.annotate(chance(1 / (1 + np.exp(-at))), (at, i), (6, 0), textcoords="offset points", va="center", fontsize=9,
                    fontweight="bold")  # fmt: skip
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    label_chances(
        ax, min(float(ends.min()), -1.2) - 0.4, max(float(ends.max()), 1.2) + 0.18 * float(np.ptp(ends)) + 0.4
    )
    ax.set_title(f"{explanation.classes[c]} against {explanation.classes[rival]}", fontsize=10)
    return ax


def label_chances(ax: Any, low: float, high: float) -> None:
    """Let an axis of log-odds say chances."""
    shown = [p for p in CHANCES if low < np.log(p / (1 - p)) < high]
    ax.set_xlim(low, high)
    room = (high - low) / 14  # labels that would touch are left out
    kept: list[float] = []
    for p in sorted(shown, key=lambda p: abs(p - 0.5)):
        if all(abs(np.log(p / (1 - p)) - np.log(q / (1 - q))) > room for q in kept):
            kept.append(p)
    ax.set_xticks([float(np.log(p / (1 - p))) for p in kept], [f"{100 * p:g} %" for p in kept], fontsize=8)
    ax.axvline(0, color=MUTED, linewidth=0.8, linestyle=":", zorder=0)
