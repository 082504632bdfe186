"""Axes to draw on: the caller's, or new ones. matplotlib is imported here and nowhere else."""

from __future__ import annotations

from typing import Any

from candide.messages import need


def axes_or_new(ax: Any, size: tuple[float, float] = (5.0, 4.0)) -> Any:
    """Return `ax`, or the axes of a new figure of this size in inches."""
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(need("plots", "plot")) from error
    return plt.subplots(figsize=size, layout="constrained")[1]
