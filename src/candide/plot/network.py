"""Networks: nodes in layers, parents above their children, and an arrow from each to each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from candide.plot.canvas import axes_or_new

WIDE, HIGH = 1.9, 1.3
"""Inches that a node and a layer take."""


def network(model: Any, *, ax: Any = None) -> Any:
    """Draw what depends on what in a `BayesNetwork` or a `TreeAugmentedNB`, parents above their children.

    Of a tree, on all of whose columns the class has arrows, only the arrows between columns are drawn.

    Parameters
    ----------
    model : BayesNetwork or TreeAugmentedNB, fitted
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib.axes.Axes
    """
    parents = {node: tuple_of(found) for node, found in model.parents_.items()}
    target = model.schema_.class_name
    layers = in_layers(parents)
    place = {node: (x - (len(layer) - 1) / 2, -y) for y, layer in enumerate(layers) for x, node in enumerate(layer)}
    widest = max(map(len, layers), default=1)
    ax = axes_or_new(ax, (max(3.0, WIDE * widest), max(1.5, HIGH * len(layers))))
    boxes = {}
    for node, (x, y) in place.items():
        face = "#fde0c5" if node == target else "#e3edf7"
        box = {"boxstyle": "round,pad=0.35", "facecolor": face, "edgecolor": "0.35"}
        boxes[node] = ax.text(x, y, str(node), ha="center", va="center", fontsize=9, bbox=box).get_bbox_patch()
    for node, found in parents.items():
        for parent in found:
            between = {"patchA": boxes[parent], "patchB": boxes[node], "shrinkA": 1, "shrinkB": 1}
            ax.annotate("", place[node], place[parent], arrowprops={"arrowstyle": "-|>", "color": "0.35", **between})
    ax.set(xlim=(-widest / 2 - 0.3, widest / 2 + 0.3), ylim=(-len(layers) + 0.4, 0.6))
    ax.axis("off")
    return ax


def tuple_of(found: Any) -> tuple[Any, ...]:
    """Return the parents of a node: one, several or none."""
    if found is None:
        return ()
    return tuple(found) if isinstance(found, (list, tuple)) else (found,)


def in_layers(parents: Mapping[Any, Sequence[Any]]) -> list[list[Any]]:
    """Return the nodes in layers: each one below all of its parents, and near the middle of them.

    Examples
    --------
    >>> in_layers({"age": (), "buy": ("age", "income"), "income": (), "insurance": ("buy",)})
    [['age', 'income'], ['buy'], ['insurance']]
    """
    depth: dict[Any, int] = {}

    def of(node: Any) -> int:
        if node not in depth:
            depth[node] = 1 + max((of(parent) for parent in parents[node]), default=-1)
        return depth[node]

    layers: list[list[Any]] = [[] for _ in range(1 + max(map(of, parents), default=0))]
    for node in parents:
        layers[depth[node]].append(node)
    at: dict[Any, float] = {}
    for layer in layers:
        layer.sort(key=lambda node: sum(at[p] for p in parents[node]) / max(len(parents[node]), 1))
        at |= {node: x - (len(layer) - 1) / 2 for x, node in enumerate(layer)}
    return layers
