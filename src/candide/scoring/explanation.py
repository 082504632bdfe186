"""Explanation: the same numbers as the score, before they were added."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class Explanation:
    """What the prior and each attribute add to the score of each class.

    Attributes
    ----------
    classes : ndarray (classes,)
    names : list
        The attributes.
    prior : ndarray (classes,)
        log P(c) under the product; 0 under the sum, whose contributions hold it.
    contributions : ndarray (rows, classes, attributes)
        log P(x_i | c) under the product, P(c) · P(x_i | c) under the sum; 0 where a cell says nothing.
    cells : list of list
        The cells of each row, for reading.
    posterior : ndarray (rows, classes)
    decisions : ndarray (rows,)
        The predicted labels.
    additive : "log" or "probability"
        What the contributions are, and so what they add up to.
    chosen : dict
        What was chosen automatically for a column, and by how much it told the class better than nothing.
    """

    classes: Array
    names: list[Any]
    prior: Array
    contributions: Array
    cells: list[list[Any]]
    posterior: Array
    decisions: Array
    additive: str = "log"
    chosen: dict[Any, str] = field(default_factory=dict)

    @property
    def scores(self) -> Array:
        """Prior plus contributions: the scores (rows, classes) before normalisation."""
        out: Array = self.prior + self.contributions.sum(axis=2)
        return out

    def __len__(self) -> int:
        return len(self.contributions)

    def weights(self, row: int = 0, label: Any = None) -> list[tuple[Any, Any, float]]:
        """Return (name, cell, weight of evidence) of a row, strongest first.

        The weight compares the class with the strongest other class: the difference of their contributions.

        Parameters
        ----------
        row : int
        label : class label or None
            None takes the decision.
        """
        c = self._class(row, label)
        rival = self._rival(row, c)
        mine = self.contributions[row, c]
        theirs = self.contributions[row, rival] if rival is not None else np.zeros_like(mine)
        with np.errstate(invalid="ignore"):
            difference = np.nan_to_num(mine - theirs, nan=0.0)
        order = np.argsort(-np.abs(difference), kind="stable")
        return [(self.names[j], self.cells[row][j], float(difference[j])) for j in order]

    def _class(self, row: int, label: Any) -> int:
        wanted = self.decisions[row] if label is None else label
        where = np.flatnonzero(self.classes == wanted)
        if not len(where):
            raise ValueError(f"{label!r} is not a class; the classes are {self.classes.tolist()}")
        return int(where[0])

    def _rival(self, row: int, c: int) -> int | None:
        if len(self.classes) < 2:
            return None
        scores = np.where(np.arange(len(self.classes)) == c, -np.inf, self.posterior[row])
        return int(scores.argmax()) if scores.max() > -np.inf else int(c == 0)

    def to_text(self, row: int = 0, top: int = 10) -> str:
        """Return the explanation of one row as text.

        Parameters
        ----------
        row : int
        top : int
            How many attributes to show, the ones that tell the classes apart most.
        """
        c = self._class(row, None)
        rival = self._rival(row, c)
        label = self.classes[c]
        lines = [f"row {row}: {label} (probability {self.posterior[row, c]:.3g})"]
        shown = [c] if rival is None else [c, rival]
        heads = [str(self.classes[k]) for k in shown]
        width = max([12, *(len(h) + 2 for h in heads)])
        names = self.weights(row)[:top]
        left = max([12, *(len(describe(name, cell)) for name, cell, _ in names)]) + 2
        unit = "log-probabilities" if self.additive == "log" else "probabilities"
        lines.append(f"{unit:<{left}}" + "".join(f"{h:>{width}}" for h in heads))
        if self.additive == "log":
            lines.append(f"{'prior':<{left}}" + "".join(f"{self.prior[k]:>{width}.3f}" for k in shown))
        position = {name: j for j, name in enumerate(self.names)}
        for name, cell, _ in names:
            parts = "".join(f"{self.contributions[row, k, position[name]]:>{width}.3f}" for k in shown)
            lines.append(f"{describe(name, cell):<{left}}{parts}")
        rest = [position[name] for name, _, _ in self.weights(row)[top:]]
        if rest:
            parts = "".join(f"{self.contributions[row, k, rest].sum():>{width}.3f}" for k in shown)
            lines.append(f"{f'{len(rest)} more':<{left}}{parts}")
        lines.append(f"{'score':<{left}}" + "".join(f"{self.scores[row, k]:>{width}.3f}" for k in shown))
        told = [f"{name}: {self.chosen[name]}" for name, _, _ in names if name in self.chosen]
        return "\n".join([*lines, *(["chosen: " + "; ".join(told)] if told else [])])

    def to_frame(self) -> Any:
        """Return the contributions as a pandas frame: one row per row, class and attribute, the prior included."""
        import pandas as pd

        rows, classes, _ = self.contributions.shape
        names = ["(prior)", *self.names]
        parts = np.concatenate(
            [np.broadcast_to(self.prior[None, :, None], (rows, classes, 1)), self.contributions], axis=2
        )
        index = pd.MultiIndex.from_product(
            [range(rows), self.classes.tolist(), names], names=["row", "class", "attribute"]
        )
        frame = pd.DataFrame({"contribution": parts.ravel()}, index=index).reset_index()
        cells = [[None, *row] for row in self.cells for _ in range(classes)]
        return frame.assign(cell=[cell for row in cells for cell in row])

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        shown = "\n\n".join(self.to_text(row) for row in range(min(len(self), 3)))
        return shown if len(self) <= 3 else f"{shown}\n\n({len(self) - 3} more rows)"


def together(cells: list[Any]) -> Any:
    """Return the cell of a column as it is, those of a group of columns as one text."""
    if len(cells) == 1:
        return cells[0]
    return " & ".join("missing" if c is None else f"{c:.6g}" if isinstance(c, float) else str(c) for c in cells)


def describe(name: Any, cell: Any) -> str:
    """Return 'name = cell' as a person would write it."""
    if cell is None:
        return f"{name} missing"
    return f"{name} = {cell:.6g}" if isinstance(cell, float) else f"{name} = {cell}"
