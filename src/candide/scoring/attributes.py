"""Attributes as they are told, row by row: one that is a sum by its summands, as a document by its words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from candide.arithmetic import offsets
from candide.combination import Combination
from candide.distributions.links import LOG
from candide.distributions.summands import Summands
from candide.frozen import frozen
from candide.model.model import Model
from candide.schema.rows import Rows

Array = np.ndarray[Any, Any]


@frozen
class RowTerms:
    """What is told of some rows, one after the other, entry by entry.

    Parameters
    ----------
    row : ndarray (entries,)
        Counted from the first of them.
    at : ndarray (entries,)
        Which of the names it is, ascending in a row.
    terms : ndarray (entries, classes)
    cells : ndarray of object (entries,)
    """

    row: Array
    at: Array
    terms: Array
    cells: Array

    @classmethod
    def joined(cls, parts: Sequence[RowTerms]) -> RowTerms:
        """Return what is told of the same rows in several parts, of which the first is in order."""
        if len(parts) == 1:
            return parts[0]
        fields = zip(*((part.row, part.at, part.terms, part.cells) for part in parts), strict=True)
        row, at, terms, cells = map(np.concatenate, fields)
        order = np.lexsort((at, row))
        return cls(row[order], at[order], terms[order], cells[order])


@frozen
class Attributes:
    """What attributes add to the scores of rows, and what is read there.

    Most summands are in few rows, so that they are kept by the rows that hold them: an array of rows, classes and names
    is made only of what is asked for.

    Parameters
    ----------
    whole : list
        What the attributes of the model are called.
    terms : ndarray (rows, classes, attributes)
    columns : list of list
        The cells of each attribute, by row; of a sum none.
    choices : list of str
        What was chosen for each attribute.
    sums : dict of int to Summands
        The attributes that are told by their summands.
    """

    whole: list[Any]
    terms: Array
    columns: list[list[Any]]
    choices: list[str]
    sums: dict[int, Summands]

    @cached_property
    def starts(self) -> Array:
        """Where the names of each attribute begin, and the end of the last."""
        sizes = np.ones(len(self.whole), dtype=np.int64)
        for i, told in self.sums.items():
            sizes[i] = len(told.names)
        return offsets(sizes)

    @cached_property
    def plain(self) -> Array:
        """The attributes that are no sums."""
        return np.array([i for i in range(len(self.whole)) if i not in self.sums], dtype=np.int64)

    @cached_property
    def names(self) -> list[Any]:
        """What is told: attributes, and all summands in the place of their sums, behind its name if it is not alone."""
        names: list[Any] = []
        for i, name in enumerate(self.whole):
            if i not in self.sums:
                names.append(name)
            elif len(self.whole) == 1:
                names += self.sums[i].names
            else:
                names += [f"{name}: {summand}" for summand in self.sums[i].names]
        return names

    @cached_property
    def chosen(self) -> list[str]:
        """What was chosen, by name; nothing for summands."""
        chosen = np.array(["" if i in self.sums else said for i, said in enumerate(self.choices)], dtype=object)
        return list(np.repeat(chosen, np.diff(self.starts)))

    def after(self, name: str, terms: Array) -> Attributes:
        """Return the same after an attribute that adds terms (classes,) to every row, and has no cells."""
        n, k, _ = self.terms.shape
        return Attributes(
            [name, *self.whole],
            np.concatenate([np.broadcast_to(terms[None, :, None], (n, k, 1)), self.terms], axis=2),
            [[None] * n, *self.columns],
            ["", *self.choices],
            {i + 1: told for i, told in self.sums.items()},
        )

    def is_summand(self, j: int) -> bool:
        """Whether a name is one of a summand."""
        return int(np.searchsorted(self.starts, j, side="right")) - 1 in self.sums

    def of_rows(self, start: int, stop: int) -> RowTerms:
        """Return what is told of a range of rows: all attributes, but of a sum the summands that a row holds."""
        return RowTerms.joined([self._plain_rows(start, stop), *self._summands_of_rows(start, stop)])

    def _plain_rows(self, start: int, stop: int) -> RowTerms:
        n, width, k = stop - start, len(self.plain), self.terms.shape[1]
        return RowTerms(
            np.repeat(np.arange(n), width),
            np.tile(self.starts[self.plain], n),
            self.terms[start:stop][:, :, self.plain].transpose(0, 2, 1).reshape(n * width, k),
            self._plain_cells(start, stop).ravel(),
        )

    def _plain_cells(self, start: int, stop: int) -> Array:
        columns = (self.columns[i][start:stop] for i in self.plain.tolist())
        size = stop - start, len(self.plain)
        return np.fromiter(chain.from_iterable(zip(*columns, strict=True)), object, size[0] * size[1]).reshape(size)

    def _summands_of_rows(self, start: int, stop: int) -> Iterator[RowTerms]:
        for i, whole in self.sums.items():
            told = whole.slice(start, stop)
            yield RowTerms(told.rows.of_document, self.starts[i] + told.rows.words, told.terms, told.cells)

    @cached_property
    def contributions(self) -> Array:
        """The terms (rows, classes, names), 0 for a summand that a row does not hold."""
        if not self.sums:
            return self.terms
        n, k, _ = self.terms.shape
        out = np.zeros((n, k, len(self.names)))
        out[:, :, self.starts[self.plain]] = self.terms[:, :, self.plain]
        for told in self._summands_of_rows(0, n):
            out[told.row, :, told.at] = told.terms
        return out

    @cached_property
    def cells(self) -> list[list[Any]]:
        """The cells of rows, by name; None for a summand that a row does not hold."""
        n = len(self.terms)
        out = np.full((n, len(self.names)), None, dtype=object)
        out[:, self.starts[self.plain]] = self._plain_cells(0, n)
        for told in self._summands_of_rows(0, n):
            out[told.row, told.at] = told.cells
        return list(out.tolist())


def sums_of(model: Model, rule: Combination, rows: Rows) -> dict[int, Summands]:
    """Return the attributes of a model that are sums, by position, with what a rule has of their summands.

    A sum under another link than the logarithm is the link of a sum, and is told as a whole.
    """
    if rule.link(model.log_prior) is not LOG:
        return {}
    found = {i: block.spelt_out(rows) for i, (block, _) in enumerate(model.attributes)}
    return {
        i: replace(told, f=rule.contributions(told.f.T[None], model.log_prior)[1][0].T)
        for i, told in found.items()
        if told is not None
    }
