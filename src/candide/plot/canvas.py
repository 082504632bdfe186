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


def beside_of(ax: Any) -> Any:
    """Return axes in the right part of some, which keep the left."""
    from mpl_toolkits.axes_grid1 import make_axes_locatable  # type: ignore[import-untyped]

    return make_axes_locatable(ax).append_axes("right", size="65%", pad=0.2)
