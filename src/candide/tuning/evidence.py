"""Evidence: what a model's attributes say of rows that it has learnt, each left out, as codes into views."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from candide.arithmetic import offsets
from candide.distributions.bag import Bag
from candide.distributions.blocks import Block, LeftOut, narrow
from candide.distributions.discrete import Discrete
from candide.distributions.known import Known
from candide.distributions.links import LOG
from candide.frozen import frozen
from candide.model.model import Model
from candide.schema.rows import Rows
from candide.tuning.views import LEAST, View, prior_view, telling, views_of

Array = np.ndarray[Any, Any]

MIXING = np.uint64(0x9E3779B97F4A7C15)
"""Odd, with its bits well mixed: rows are told apart by 64 bits."""
FOLD = np.uint64(29)
"""By how much upper bits are brought down to the lower ones, which a product does not."""
CODED = 1 << 13
"""Rows whose cells are found at a time, at the most: these take eight bytes each until they are kept in one."""


@frozen
class DistinctRows:
    """Rows of which no two are equal.

    Parameters
    ----------
    rows : ndarray of int
        Which they are, of those that are equal the first.
    starts : ndarray (K + 1,)
        Where those of each class begin.
    weight : ndarray (rows,)
        How much all that are equal weigh together.
    """

    rows: Array
    starts: Array
    weight: Array


@frozen
class LeftOutEvidence:
    """What attributes say of rows, sorted by class.

    Parameters
    ----------
    views : list of View
        The attributes with cells; the first is the prior, whose one cell all rows are in.
    codes : ndarray (rows, views)
    loose : list
        The names of attributes without cells.
    silent : list
        The names of attributes that are not weighed, since alone they tell less than nothing: they do not count.
    dense : ndarray (rows, loose, K)
        What those say.
    starts : ndarray (K + 1,)
        Where the rows of each class begin.
    weight : ndarray (rows,)
    order : ndarray (rows,)
        Which of the rows given each is; nothing where equal ones are gathered.
    texts : ndarray of uint64 (rows, columns of documents)
        Keys of documents, by which these are told apart.
    rounded : ndarray of bool (loose,) or None
        Which attributes are such columns: what they say of a row that is left out is rounded, otherwise in every batch.
    """

    views: list[View]
    codes: Array
    loose: list[Any]
    dense: Array
    starts: Array
    weight: Array
    order: Array
    silent: list[Any]
    texts: Array | None = None
    rounded: Array | None = None

    @property
    def n_classes(self) -> int:
        """K."""
        return len(self.starts) - 1

    @property
    def y(self) -> Array:
        """The class of each row."""
        return np.repeat(np.arange(self.n_classes), np.diff(self.starts))

    def equal(self, more: Array) -> DistinctRows:
        """Gather equal rows as one; `more` (rows, any) must be equal, too.

        So a weight of two is a row given twice, and the order in which rows were given does not matter.
        """
        key = self._keys(more)
        order, new = np.empty(len(key), dtype=np.int64), np.ones(len(key), dtype=bool)
        for a, b in pairwise(self.starts.tolist()):
            order[a:b] = np.argsort(key[a:b])
            order[a:b] += a
            ordered = key[order[a:b]]
            new[a + 1 : b] = ordered[1:] != ordered[:-1]
        del key
        first = np.flatnonzero(new)
        starts = np.searchsorted(first, self.starts).astype(np.int64)
        return DistinctRows(order[first], starts, np.add.reduceat(self.weight[order], first))

    def gathered(self, equal: DistinctRows) -> LeftOutEvidence:
        """Return the evidence with equal rows as one."""
        codes, dense = self.codes[equal.rows], np.ascontiguousarray(self.dense[equal.rows])
        alone = replace(self, starts=equal.starts, weight=equal.weight, order=self.order[:0], texts=None)
        return replace(alone, codes=codes, dense=dense)

    def _keys(self, more: Array) -> Array:
        """Return numbers that are equal where rows are, a batch of rows at a time: they stay near, column by column."""
        key = np.zeros(len(self.codes), dtype=np.uint64)
        exact = self.dense if self.rounded is None else np.ascontiguousarray(self.dense[:, ~self.rounded])
        said = exact.reshape(len(key), -1).view(np.uint64)
        texts = () if self.texts is None else (self.texts,)
        for a in range(0, len(key), CODED):
            part, folded = key[a : a + CODED], np.empty(min(CODED, len(key) - a), dtype=np.uint64)
            for table in (self.codes, more, said, *texts):
                for column in table[a : a + CODED].T:
                    np.right_shift(part, FOLD, out=folded)
                    part ^= folded
                    part ^= column.astype(np.uint64)
                    part *= MIXING
        return key


def evidence_of(model: Model, parts: Sequence[Rows], y: Array, weight: Array, unit: float) -> LeftOutEvidence:
    """Return what a model's attributes say of rows that it has learnt, each left out.

    Parameters
    ----------
    model : Model
    parts : sequence of Rows
    y : ndarray (rows,)
        Class codes.
    weight : ndarray (rows,)
    unit : float
        The weight that is left out.
    """
    order, starts = by_class(y, len(model.classes))
    views, coded, loose, dense, silent = [prior_view(model, unit)], [], [], [], []
    texts: list[Array] = []
    rounded: list[bool] = []
    by_block = [views_of(block, unit) for block in model.blocks]
    weighed = telling([view for found in by_block for view in found or ()], np.maximum(model.log_prior, LEAST))
    for block, found in zip(model.blocks, by_block, strict=True):
        if found is None:
            terms = np.concatenate([terms_of(block, rows, LeftOut(*left)) for rows, left in of_parts(parts, y, weight)])
            said = np.isfinite(terms).any(axis=(0, 1))
            loose += [name for name, some in zip(block.names, said, strict=True) if some]
            dense.append(terms[:, :, said])
            rounded += [isinstance(block.bare, Bag)] * int(said.sum())
            if isinstance(block.bare, Bag):
                texts.append(np.concatenate([rows.table.bags(block.bare.position).keys for rows in parts]))
            continue
        kept = [i for i, view in enumerate(found) if view.name in weighed]
        silent += [view.name for view in found if view.name not in weighed]
        coded.append((block, kept, len(views)))
        views += [found[i] if len(kept) == len(found) else found[i].alone() for i in kept]
        found.clear()  # of very many attributes the others are large
    codes = np.zeros((len(y), len(views)), dtype=code_type(max(len(view.others) for view in views)))
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    for block, kept, first in coded:
        begin = 0
        for rows in parts:
            fill_codes(block, rows, kept, codes[:, first : first + len(kept)], place[begin : begin + len(rows)])
            begin += len(rows)
    said = np.concatenate([np.zeros((len(y), len(model.classes), 0)), *dense], axis=2)
    said = np.maximum(np.nan_to_num(said, nan=0.0, neginf=LEAST), LEAST)
    said = np.ascontiguousarray(np.moveaxis(said - said.mean(axis=1, keepdims=True), 2, 1)[order])
    evidence = LeftOutEvidence(views, codes, loose, said, starts, weight[order], order, silent)
    if not texts:
        return evidence
    return replace(evidence, texts=np.stack(texts, axis=1)[order], rounded=np.array(rounded, dtype=bool))


def evenly(parts: Sequence[Rows], y: Array, weight: Array, most: int) -> tuple[Sequence[Rows], Array, Array]:
    """Return rows with their classes and weights; of more than so many, evenly spaced ones of each class.

    So classes that come in turns are all there; the first row of a class is, however rare it is.
    """
    every = -(-len(y) // max(most, 1))
    if every < 2:
        return parts, y, weight
    order, starts = by_class(y, int(y.max()) + 1)
    kept = np.zeros(len(y), dtype=bool)
    kept[order[::every]] = True
    kept[order[starts[:-1][np.diff(starts) > 0]]] = True
    kept = np.flatnonzero(kept)
    ends = offsets(len(rows) for rows in parts)
    some = []
    for rows, (a, b) in zip(parts, pairwise(ends.tolist()), strict=True):
        at = kept[np.searchsorted(kept, a) : np.searchsorted(kept, b)] - a
        some.append(Rows(rows.table.take(at), rows.schema, rows.unseen))
    return some, y[kept], weight[kept]


def by_class(y: Array, n_classes: int) -> tuple[Array, Array]:
    """Return the order of rows by class, within a class as they are, and where the rows of each class begin."""
    narrow_codes = y.astype(np.uint16) if n_classes < 1 << 16 else y  # such are sorted in one pass over them
    return np.argsort(narrow_codes, kind="stable"), offsets(np.bincount(y, minlength=n_classes))


def of_parts(parts: Sequence[Rows], y: Array, weight: Array) -> list[tuple[Rows, tuple[Array, Array]]]:
    """Return parts of rows with their classes and weights."""
    ends = offsets(len(rows) for rows in parts)
    return [(rows, (y[a:b], weight[a:b])) for rows, (a, b) in zip(parts, pairwise(ends.tolist()), strict=True)]


def terms_of(block: Block, rows: Rows, without: LeftOut) -> Array:
    """Return what the attributes of a block say of rows, (rows, K, attributes), each left out."""
    size = narrow(block.n_classes, len(block.names))
    return np.concatenate([block.terms(batch, LOG, without[part]) for part, batch in rows.batches(size)])


def fill_codes(block: Block, rows: Rows, kept: Sequence[int], out: Array, place: Array) -> None:
    """Write the cells of some attributes of a block, of each row at its place; what says nothing is beyond the last.

    Rows are read in batches, since the cells of one take eight bytes each before they are kept in one.
    """
    bare = block.bare
    assert isinstance(bare, Discrete)
    beyond = np.full(len(kept), np.iinfo(out.dtype).max, dtype=np.int64)
    if isinstance(block, Known):
        beyond = np.where(block.heard[list(kept)], bare.domain.sizes[list(kept)], beyond)
    for part, batch in rows.batches(min(CODED, narrow(1, len(block.names)))):
        codes = bare.codes(batch)[:, list(kept)]
        out[place[part]] = np.where(codes < 0, beyond, codes)


def code_type(size: int) -> type[np.integer[Any]]:
    """Return the smallest type that holds the codes of so many cells and one beyond."""
    return np.uint8 if size < 256 else np.uint16 if size < 65536 else np.int32
