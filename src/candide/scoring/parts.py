"""Parts: attributes that are sums themselves, told by what they are made of. A document is told by its words."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.frozen import frozen
from candide.model.model import Model
from candide.schema.rows import Rows

Array = np.ndarray[Any, Any]


@frozen
class Attributes:
    """What is told of attributes.

    Parameters
    ----------
    names : list
    terms : ndarray (rows, classes, attributes)
    cells : list of list
        (rows, attributes)
    chosen : list of str
    parts : frozenset of int
        Which of them are parts of one that is a sum.
    """

    names: list[Any]
    terms: Array
    cells: list[list[Any]]
    chosen: list[str]
    parts: frozenset[int] = frozenset()


def spelt_out(told: Attributes, model: Model, rows: Rows) -> Attributes:
    """Return the same with every attribute that is a sum in the place of which its parts stand."""
    parts = [block.spelt_out(rows) for block, _ in model.attributes]
    if all(part is None for part in parts):
        return told
    alone = len(parts) == 1
    names: list[Any] = []
    terms: list[Array] = []
    cells: list[list[Any]] = [[] for _ in range(len(rows))]
    chosen: list[str] = []
    of_sums: list[int] = []
    for i, part in enumerate(parts):
        here = ([told.names[i]], told.terms[:, :, [i]], [[row[i]] for row in told.cells]) if part is None else part
        of_sums += [] if part is None else range(len(names), len(names) + len(here[0]))
        names += here[0] if part is None or alone else [f"{told.names[i]}: {name}" for name in here[0]]
        terms.append(here[1])
        cells = [[*row, *more] for row, more in zip(cells, here[2], strict=True)]
        chosen += [told.chosen[i]] * len(here[0]) if part is None else [""] * len(here[0])
    return Attributes(names, np.concatenate(terms, axis=2), cells, chosen, frozenset(of_sums))
