"""Densities: where they are drawn, how many rows are near, and the formulas or curves that tell them everywhere."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.distributions.bell import Bell
from candide.distributions.bins import add_up
from candide.distributions.forms import Curve, Form, Linear, Lookup, Quadratic, Steps
from candide.report.inputs import Input
from candide.statistics.evidence import Evidence

Array = np.ndarray[Any, Any]
Facts = dict[str, Any]

BARS = 40
"""Bars of a histogram."""
NEAR = 40.0
"""Rows are near a number within this part of the column's range."""
TAIL, STRETCHED = 0.01, 3.0
"""Share of the rows at each end that may be left out of a picture, where they would make it this much wider."""

CLOCKS: dict[str, Facts] = {
    "day": {"clock": [0, 10]},
    "moment": {"clock": [0, 16]},
    "time of day": {"clock": [11, 16]},
    "duration": {"unit": " s"},
    "hour": {"unit": " h"},
}
"""Which part of a moment as ISO writes it shows a number, or what stands behind it."""


def density(
    evidence: Evidence, j: int, asked: Input, log: Array, variance: Array, occurs: Array | None = None
) -> Facts:
    """Return a density at the points where it is drawn, and the forms that tell it everywhere.

    Parameters
    ----------
    evidence : Evidence
    j : int
        The column.
    asked : Input
    log, variance : ndarray (K, points)
        The logarithm at those points, and its posterior variance.
    occurs : ndarray (K, points) or None
        The logarithm of the density itself, where what it says is weighed.
    """
    low, high = asked.reach
    out: Facts = {**CLOCKS.get(asked.measure, {}), "range": [low, high], "grid": asked.cells, "sd": np.sqrt(variance)}
    if asked.stepped and asked.cuts is not None:
        widths = np.diff(np.concatenate([[low], asked.cuts, [high]]))
        widths = np.maximum(widths, np.finfo(float).tiny)
        log, occurs = log - np.log(widths), None if occurs is None else occurs - np.log(widths)
        out["cuts"] = asked.cuts
    out["log"] = log
    if occurs is not None:
        out["occurs"] = np.exp(occurs)
    out["forms"] = [written(form) for form in asked.forms]
    column = evidence.schema.columns[j]
    if column.axis is not None:
        values, counts = evidence.values(j)
        start, end = view(values, counts.sum(axis=0), low, high)
        out["view"] = [start, end]
        edges = np.linspace(start, end, BARS + 1)
        out["histogram"] = {"edges": edges, "counts": add_up(values, counts, edges[1:-1])}
        seen = np.concatenate([[0.0], np.cumsum(counts.sum(axis=0, dtype=float))])
        within = (high - low) / NEAR
        grid = np.array(asked.cells)
        out["near"] = (
            seen[np.searchsorted(values, grid + within, side="right")] - seen[np.searchsorted(values, grid - within)]
        )
        out["whole"] = bool((values == np.floor(values)).all())
    return out


def view(values: Array, counts: Array, low: float, high: float) -> tuple[float, float]:
    """Return from where to where numbers are drawn: nearly all of them, where a few would stretch the picture."""
    share = np.cumsum(counts) / max(float(counts.sum()), 1.0)
    if not len(values):
        return low, high
    start, end = (float(values[np.searchsorted(share, q)]) for q in (TAIL, 1.0 - TAIL))
    return (start, end) if 0 < (end - start) * STRETCHED < high - low else (low, high)


def written(form: Form) -> Facts:
    """Return a form as plain arrays."""
    ends = {name: end for name, end in (("low", form.low), ("high", form.high)) if np.isfinite(end)}
    if isinstance(form, Steps):
        return {"form": "steps", "cuts": form.cuts, "log": form.table, **ends}
    if isinstance(form, Curve):
        return {"form": "curve", "knots": form.knots, "log": form.table, **ends}
    if isinstance(form, Quadratic):
        return {"form": "quadratic", "height": form.height, "mean": form.mean, "var": form.var,
                "logarithm": form.logarithm, **ends}  # fmt: skip
    if isinstance(form, Bell):
        constants = dict(zip(("height", "square", "power", "width"), form.constants, strict=True))
        return {"form": "bell", "mean": form.mean, **constants, **ends}
    if isinstance(form, Lookup):
        return {"form": "lookup", "values": form.levels.tolist(), "log": form.table, "unseen": form.unseen}
    assert isinstance(form, Linear)
    out = {"form": "linear", "intercept": form.intercept, "slope": form.slope, "open": form.open, "whole": form.whole}
    if form.log_slope is not None:
        out["log_slope"] = form.log_slope
    return {**out, **({"least": form.least} if np.isfinite(form.least) else {}), **ends}
