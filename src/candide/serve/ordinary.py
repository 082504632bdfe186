"""Ordinary rows: each from its bytes to the bytes of the answer, by one kernel.

Ordinary is a row that tells each column once, by a level that was learnt or a number. Making a Python object for every
cell costs more than scoring the row; whatever is not ordinary is read, answered and refused the usual way.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from candide import native
from candide.combination import TIE
from candide.native.agreed import KNOWN
from candide.native.reference.json_row import JsonColumn
from candide.scoring.look_up import LookUp
from candide.serve.metrics import Metrics

encode = msgspec.json.Encoder().encode


class OrdinaryRows:
    """The columns of a model as JSON writes their names and levels.

    Parameters
    ----------
    look_up : LookUp
    metrics : Metrics
        Where cells are counted.
    names : list of str
        The columns of a request.
    labels : list
        The class labels, in the order of the tables.
    """

    def __init__(self, look_up: LookUp, metrics: Metrics, names: list[str], labels: list[Any]) -> None:
        self.table, self.curves, self.counts = look_up.table, look_up.curves, metrics.cells
        found = dict(columns(look_up, metrics))
        together = look_up.terms or look_up.pairs or look_up.reading
        whole = not together and found.keys() == set(names) and len(metrics.counted) == len(names)
        self.columns = [found[name] for name in names] if whole else []
        self.index = {column[0]: j for j, column in enumerate(self.columns)}
        self.labels, self.texts = [encode(label) for label in labels], [encode(str(label)) for label in labels]

    def __call__(self, body: bytes) -> tuple[bytes, int] | None:
        """Return the answer to the row that a body is, as `Prediction` is written, and its class; count its cells.

        None where the row is not ordinary.
        """
        if not self.columns:
            return None
        return native.json_row_answer(
            body, self.columns, self.index, self.table, self.curves, self.counts, self.labels, self.texts, TIE
        )


def columns(look_up: LookUp, metrics: Metrics) -> Iterator[tuple[Any, JsonColumn]]:
    """Tell each column by its name as the kernel reads it."""
    levels = {name: places for name, _, places, _ in metrics.counted if places is not None}
    numbers = {name: (start + KNOWN, cuts) for name, start, places, cuts in metrics.counted if places is None}
    for name, _, places, *_ in look_up.levels:
        if name in levels:
            yield name, (encode(name), {encode(v): (places[v], levels[name][v]) for v in places if v in levels[name]})
    for name, start, cuts in look_up.steps:
        if name in numbers:
            yield name, (encode(name), *numbers[name], start + KNOWN, cuts)
    for n, (name, _, low, high, logarithm) in enumerate(look_up.parabolas):
        if name in numbers:
            yield name, (encode(name), *numbers[name], 3 * n, low, high, logarithm)
