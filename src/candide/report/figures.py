"""Figures as SVG that is the same, byte for byte, on every run."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from candide.messages import need

SETTINGS: dict[Any, Any] = {"svg.hashsalt": "candide", "svg.fonttype": "path", "font.size": 9}
"""Letters are drawn as outlines, so that a picture looks the same wherever it is opened and printed."""
NO_METADATA = {"Date": None, "Creator": None}


def draw(plot: Callable[[Any], Any], size: tuple[float, float], panels: tuple[int, int] = (1, 1)) -> bytes:
    """Return the SVG of what `plot(axes)` draws.

    Parameters
    ----------
    plot : callable
        Takes the axes: one, or an array of them when there are several panels.
    size : (width, height) in inches
    panels : (rows, columns)
    """
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError(need("reports", "plot")) from error
    out = io.BytesIO()
    with rc_context(SETTINGS):
        figure = Figure(figsize=size, layout="constrained")
        plot(figure.subplots(*panels))
        figure.savefig(out, format="svg", metadata=NO_METADATA)
    return out.getvalue()
