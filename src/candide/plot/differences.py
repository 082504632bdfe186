"""Differences with intervals: one line per name, one colour per series."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from candide.plot.canvas import axes_or_new

COLOURS = ("#0b5fa5", "#c8590a", "#3a7d34", "#7a3e9d")
"""Blue, orange, green, violet: apart in grey as well, and for eyes that do not see red from green."""

SHIFT = 0.26
"""How far apart the series of one name lie, in lines."""


def differences(
    series: Mapping[str, Any], ax: Any = None, *, unit: str = "percentage points", legend: bool = True
) -> Any:
    """Draw differences from zero, a point with its interval for each name and series.

    Parameters
    ----------
    series : mapping of a series' name to a frame
        Indexed by name, with the columns difference, low and high; an end that is infinite is drawn to the border.
    ax : matplotlib axes, optional
    unit : str
        What the differences are measured in.
    legend : bool

    Returns
    -------
    matplotlib.axes.Axes
        The names go downwards in the order of the first series.

    Examples
    --------
    >>> import pandas as pd
    >>> from matplotlib.figure import Figure
    >>> table = pd.DataFrame({"difference": [1.0, -2.0], "low": [0.5, -3.0], "high": [1.5, -1.0]}, ["iris", "wine"])
    >>> ax = differences({"ours": table}, Figure().subplots())
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['iris', 'wine']
    """
    names = list(next(iter(series.values())).index)
    ax = axes_or_new(ax, (5.0, 0.6 + 0.3 * len(names)))
    ax.axvline(0, color="0.4", linewidth=0.8, zorder=1)
    middle = (len(series) - 1) / 2
    for k, (label, table) in enumerate(series.items()):
        y = np.array([names.index(name) for name in table.index]) + SHIFT * (k - middle)
        colour = COLOURS[k % len(COLOURS)]
        finite = [table[c].clip(-1e300, 1e300) for c in ("low", "high")]
        ax.hlines(y, *finite, color=colour, linewidth=1.6, alpha=0.55, zorder=2)
        ax.plot(table["difference"], y, "osD^"[k % 4], color=colour, markersize=4, label=label, zorder=3)
    ax.set_xlim(*_limits(series))
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlabel(unit)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", color="0.92", linewidth=0.6, zorder=0)
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    if legend and len(series) > 1:
        ax.legend(fontsize=8, loc="best", frameon=False)
    return ax


def _limits(series: Mapping[str, Any]) -> tuple[float, float]:
    """Room for every finite end, and for zero."""
    ends = np.concatenate(
        [np.zeros(1), *(table[["difference", "low", "high"]].to_numpy().ravel() for table in series.values())]
    )
    ends = ends[np.isfinite(ends)]
    margin = 0.06 * (float(np.ptp(ends)) or 1.0)
    return float(ends.min()) - margin, float(ends.max()) + margin
