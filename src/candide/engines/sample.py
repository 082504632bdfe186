"""A sample of the documents that are learnt, on which weights are settled afterwards: evenly spaced ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from candide.engines.base import Given
from candide.table import Bags

Array = np.ndarray[Any, Any]

MOST = 20_000
"""Documents that a sample has at the least where there are as many, and half of what it has at the most."""


class Sample:
    """Documents of some columns with their labels and weights, kept as tables go by.

    Parameters
    ----------
    columns : sequence of int
        The columns of documents.
    """

    def __init__(self, columns: Sequence[int]) -> None:
        self.columns = list(columns)
        self.stride, self.seen = 1, 0
        self.parts: list[tuple[Array, dict[int, Bags], Array, Array]] = []

    def take(self, given: Given) -> None:
        """Keep every so manyth row."""
        n = given.table.n_rows
        rows = np.arange(-self.seen % self.stride, n, self.stride)
        labels = given.labels.classes[given.labels.codes]
        weight = np.ones(n) if given.weight is None else np.asarray(given.weight, dtype=float)
        bags = {j: given.table.bags(j) for j in self.columns}
        self.parts.append((self.seen + np.arange(n), bags, labels, weight))
        self.parts[-1] = chosen(self.parts[-1], rows)
        self.seen += n
        while sum(len(numbers) for numbers, *_ in self.parts) > 2 * MOST:
            self.stride *= 2
            self.parts = [chosen(part, np.flatnonzero(part[0] % self.stride == 0)) for part in self.parts]

    def documents(self, column: int) -> tuple[list[Bags], Array, Array]:
        """Return the documents of a column that are there and weigh something, their labels and their weights."""
        parts = []
        for part in self.parts:
            there = ~part[1][column].missing & (part[3] > 0)
            parts.append(chosen(part, np.flatnonzero(there)))
        labels = np.concatenate([part[2] for part in parts])
        return [part[1][column] for part in parts], labels, np.concatenate([part[3] for part in parts])


def chosen(
    part: tuple[Array, dict[int, Bags], Array, Array], rows: Array
) -> tuple[Array, dict[int, Bags], Array, Array]:
    """Return some rows of a part."""
    numbers, bags, labels, weight = part
    if len(rows) == len(numbers):
        return part
    return numbers[rows], {j: b.take(rows) for j, b in bags.items()}, labels[rows], weight[rows]
