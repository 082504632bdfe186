"""Retained documents: some of those that small batches have taught, until they are enough to settle numbers on.

They are held in memory alone: no file has them, no copy that is sent elsewhere, no sum or difference of models.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from candide.engines.base import Given
from candide.engines.sample import Kept, Sample
from candide.frozen import frozen
from candide.table import Bags
from candide.table.labels import Labels

Array = np.ndarray[Any, Any]

MOST_RETAINED = 8_000
"""Rows that are retained at the most: of more, every second one is given up."""
MOST_CHARACTERS = 1 << 22
"""Characters of all their documents together, likewise."""
LONGEST = 1 << 15
"""Characters of a row that may be retained: there is room for a hundred of the longest."""


class RetainedRow(NamedTuple):
    """The documents of a row, its label and its weight."""

    texts: tuple[str | None, ...]
    label: Any
    weight: float

    @property
    def characters(self) -> int:
        """How long its documents are."""
        return sum(len(text) for text in self.texts if text is not None)


@frozen
class Retained:
    """Evenly spaced rows of the batches that went by, as a value: learning that fails changes nothing.

    Parameters
    ----------
    columns : tuple of int
        The columns of documents.
    rows : tuple of RetainedRow
    characters : int
        How long all documents are together.
    stride : int
        Every so manyth row is retained, a power of two.
    seen : int
        How many rows went by that might have been.
    tried : float
        The weight of all rows that were learnt when it was last asked whether these settle numbers.

    Examples
    --------
    >>> from candide import table
    >>> claims = table.read([{"claim": "my car was hit"}, {"claim": None}])
    >>> given = Given(claims, Labels(np.array([0, 0]), np.array(["car"])))
    >>> Retained((0,)).taking(given).rows
    (RetainedRow(texts=('my car was hit',), label='car', weight=1.0),)
    """

    columns: tuple[int, ...]
    rows: tuple[RetainedRow, ...] = ()
    characters: int = 0
    stride: int = 1
    seen: int = 0
    tried: float = 0.0

    def taking(self, given: Given) -> Retained:
        """Return the same with every so manyth row of a batch that has a document, and weighs something."""
        weight = np.ones(given.table.n_rows) if given.weight is None else np.asarray(given.weight, dtype=float)
        return self.taking_documents([given.table.bags(j) for j in self.columns], given.labels, weight)

    def taking_sample(self, sample: Sample) -> Retained:
        """Return the same with rows of a source that were kept as its tables went by."""
        found = self
        for part in sample.parts:
            found = found.taking_documents([part.bags[j] for j in self.columns], part.labels, part.weight)
        return found

    def taking_documents(self, bags: Sequence[Bags], given: Labels, weight: Array) -> Retained:
        """Return the same with every so manyth of some rows, whose documents are told column by column."""
        missing, sizes = (np.stack(parts) for parts in zip(*((b.missing, b.sizes) for b in bags), strict=True))
        at = np.flatnonzero(~missing.all(axis=0) & (sizes.sum(axis=0) <= LONGEST) & (weight > 0))
        kept = at[(self.seen + np.arange(len(at))) % self.stride == 0]
        texts = zip(*(b.take(kept).texts() for b in bags), strict=True)
        labels = given.classes[given.codes[kept]].tolist()
        new = [RetainedRow(*row) for row in zip(texts, labels, weight[kept].tolist(), strict=True)]
        rows, stride = (*self.rows, *new) if new else self.rows, self.stride
        characters = self.characters + sum(row.characters for row in new)
        while len(rows) > MOST_RETAINED or characters > MOST_CHARACTERS:  # ends: one row is short enough
            rows, stride = rows[::2], 2 * stride
            characters = sum(row.characters for row in rows)
        return replace(self, rows=rows, characters=characters, stride=stride, seen=self.seen + len(at))

    def without(self, given: Given) -> Retained:
        """Return the same without rows of the same documents, which are forgotten."""
        gone = set(zip(*(given.table.bags(j).texts() for j in self.columns), strict=True))
        rows = tuple(row for row in self.rows if row.texts not in gone)
        return replace(self, rows=rows, characters=sum(row.characters for row in rows))

    def scale(self, factor: float) -> Retained:
        """Return the same rows with every weight multiplied, as those of all that was learnt are."""
        rows = tuple(row._replace(weight=row.weight * factor) for row in self.rows)
        return replace(self, rows=rows, tried=self.tried * factor)

    def sample(self, classes: Array) -> Sample:
        """Return the rows as a sample to settle numbers on."""
        place = {label: c for c, label in enumerate(classes.tolist())}
        rows = [row for row in self.rows if row.label in place]
        bags = {j: Bags([row.texts[i] for row in rows]) for i, j in enumerate(self.columns)}
        labels = Labels(np.array([place[row.label] for row in rows], dtype=np.int64), classes)
        weight = np.array([row.weight for row in rows], dtype=float)
        sample = Sample(self.columns)
        sample.parts.append(Kept(0, np.arange(len(rows)), bags, labels, weight, None))
        return sample
