"""The block of averaged dependence: the mean of models in which all attributes depend on the same super-parents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from math import prod
from typing import Any

import numpy as np

from candide import native
from candide.arithmetic import difference, log
from candide.distributions.blocks import Block, LeftOut, narrow
from candide.distributions.discrete import Discrete
from candide.distributions.drawing import draw_positions
from candide.distributions.forms import Form
from candide.distributions.links import LOG, Link
from candide.schema.domain import Domain
from candide.schema.rows import MISSING, Rows
from candide.schema.tuples import Tuples
from candide.statistics.evidence import Evidence
from candide.structure.attributes import (
    cells_of_values,
    draw_within,
    rows_within,
    table_within,
    value_codes,
    values_of,
    variance_within,
)

Array = np.ndarray[Any, Any]
Positions = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class SuperParents(Block):
    """P(x | c) = mean over J of P(x_J | c) Π_i P(x_i | x_J, c), J being one or two columns: the super-parents.

    A row has those super-parents whose values it knows, and which at least `min_frequency` rows have; where there are
    none, one super-parent less is tried, and at last P(x | c) is the product of P(x_i | c). Of two super-parents j < k,
    P(x_j, x_k | c) = P(x_j | c) P(x_k | x_j, c).

    Parameters
    ----------
    plain : Discrete
        P(x_i | c).
    fewer : SuperParents or None
        The block of one super-parent less; None where there is one.
    axis, counts : Tuples, ndarray (K, entries)
        The counts of one column more than there are super-parents.
    min_frequency : float
    drawn : dict or None
        P(x_i | x_J, c) (K, values of J, values of i) of every J and i, where they were drawn.
    """

    plain: Discrete
    fewer: SuperParents | None
    axis: Tuples
    counts: Array
    min_frequency: float
    drawn: dict[tuple[Positions, int], Array] | None = field(default=None)

    @classmethod
    def estimate(cls, plain: Discrete, evidence: Evidence, n: int, min_frequency: float) -> SuperParents:
        """Return the block of n super-parents."""
        fewer = cls.estimate(plain, evidence, n - 1, min_frequency) if n > 1 else None
        return cls(plain, fewer, *evidence.together(n + 1), min_frequency)

    @property
    def n(self) -> int:
        """How many super-parents there are at a time."""
        return self.axis.order - 1

    @property
    def names(self) -> tuple[Any, ...]:  # type: ignore[override]  # a block's names are its domain's
        """The columns."""
        return self.plain.names

    @property
    def domain(self) -> Domain:  # type: ignore[override]  # always discrete
        """The values of the columns."""
        return self.plain.domain

    @property
    def places(self) -> Array:
        """The columns."""
        return self.plain.places

    @property
    def n_classes(self) -> int:
        """K."""
        return self.plain.n_classes

    # -- tables ------------------------------------------------------------------------------------------------------

    @cached_property
    def _cells(self) -> list[Array]:
        return cells_of_values(self.plain)

    def choices(self) -> Iterator[Positions]:
        """Yield all choices of super-parents."""
        yield from combinations(range(len(self.names)), self.n)

    def table(self, J: Positions, i: int) -> Array:
        """Return the counts (K, values of J, values of i)."""
        table = values_of(self.axis.table(self.counts, *J, i), [self._cells[j] for j in (*J, i)])
        return table.reshape(len(table), prod(table.shape[1:-1]), table.shape[-1])

    def at(self, codes: Array, J: Positions) -> Array:
        """Return the value of J (rows,), -1 where it is not known."""
        out = np.zeros(len(codes), dtype=np.int64)
        for j in J:
            out = np.where((out < 0) | (codes[:, j] < 0), -1, out * self.domain.sizes[j] + codes[:, j])
        return out

    # -- one row at a time, with or without itself -------------------------------------------------------------------

    def frequent(self, codes: Array, J: Positions, without: LeftOut | None) -> Array:
        """Return which rows (rows,) can have these super-parents."""
        at = self.at(codes, J)
        if self.fewer is None:
            table = self.plain.counts[:, self.domain.offsets[J[0]] : self.domain.offsets[J[0] + 1]]
        else:
            before, last = self.fewer.table(J[:-1], J[-1]).shape[1:]
            table = self.fewer.table(J[:-1], J[-1]).reshape(self.n_classes, before * last)
        n = np.append(table.sum(axis=0).astype(float), -1.0)[at]
        if without is not None:
            n = np.where(at < 0, n, difference(n, np.where(without.y < 0, 0.0, without.weight)))
        return (at >= 0) & (n >= self.min_frequency)

    def within(self, codes: Array, J: Positions, i: int, without: LeftOut | None) -> Array:
        """Return log P(x_i | x_J, c) (rows, K); NaN where x_i says nothing. J must be known."""
        out = np.full((len(codes), self.n_classes), np.nan)
        at, known = self.at(codes, J), np.flatnonzero(codes[:, i] >= 0)
        v = codes[known, i]
        if self.drawn is not None:
            theta = self.drawn[J, i][:, at[known], v].T
        elif without is None:
            theta = self._theta(J, i)[:, at[known], v].T
        else:
            theta = rows_within(self.plain, i, v, self.table(J, i), at[known], without[known])
        out[known] = log(theta)
        return out

    def _theta(self, J: Positions, i: int) -> Array:
        return table_within(self.plain, i, self.table(J, i))

    def model(self, codes: Array, alone: Array, J: Positions, without: LeftOut | None) -> Array:
        """Return log P(x_i | parents, c) (rows, K, attributes) of the model of J; NaN where a cell says nothing.

        The first of J depends on the class alone, the second on the first, all others on J.

        Parameters
        ----------
        codes : ndarray (rows, attributes)
        alone : ndarray (rows, K, attributes)
            log P(x_i | c).
        J : tuple of int
        without : LeftOut or None
        """
        out = np.empty_like(alone)
        for i in range(len(self.names)):
            if i == J[0]:
                out[:, :, i] = alone[:, :, i]
            elif i in J:
                assert self.fewer is not None
                out[:, :, i] = self.fewer.within(codes, J[:-1], i, without)
            else:
                out[:, :, i] = self.within(codes, J, i, without)
        return out

    def log_terms(self, rows: Rows, without: LeftOut | None = None) -> Array:
        """Return what each attribute adds to log P(x | c): the mean of its terms over the models, by their shares.

        With w_J the share of model J in the sum, log of the mean of exp(s_J) is Σ_J w_J s_J − Σ_J w_J log(n w_J); the
        second sum is shared out to the super-parents.
        """
        codes, alone = value_codes(self.plain, rows), self.plain.terms(rows, LOG, without)
        return self._terms(codes, alone, without)

    def _terms(self, codes: Array, alone: Array, without: LeftOut | None) -> Array:
        scores, used = self._scores(codes, alone, without)
        n = used.sum(axis=1)
        out = alone.copy()
        some = np.flatnonzero(n > 0)
        none = np.flatnonzero(n == 0)
        if self.fewer is not None and len(none):
            left = None if without is None else without[none]
            out[none] = self.fewer._terms(codes[none], alone[none], left)
        share = shares(scores[some])
        total = np.where(np.isnan(alone[some]), np.nan, 0.0)
        left = None if without is None else without[some]
        for choice, J in enumerate(self.choices()):
            here = np.flatnonzero(used[some, choice])
            w = share[here, choice]
            terms = self.model(codes[some[here]], alone[some[here]], J, None if left is None else left[here])
            total[here] += w[:, :, None] * np.where(w[:, :, None] > 0, terms, 0.0)
            added = -w * log(np.where(w > 0, w * n[some[here], None], 1.0)) / self.n
            for j in J:
                total[here, :, j] += added
        out[some] = total
        return out

    def _scores(self, codes: Array, alone: Array, without: LeftOut | None) -> tuple[Array, Array]:
        """Return log P(x | c) (rows, choices, K) of every model, and which of them (rows, choices) a row has."""
        choices = list(self.choices())
        scores = np.full((len(codes), len(choices), self.n_classes), -np.inf)
        used = np.zeros((len(codes), len(choices)), dtype=bool)
        for choice, J in enumerate(choices):
            here = np.flatnonzero(self.frequent(codes, J, without))
            left = None if without is None else without[here]
            scores[here, choice] = np.nansum(self.model(codes[here], alone[here], J, left), axis=2)
            used[here, choice] = True
        return scores, used

    # -- all rows at once --------------------------------------------------------------------------------------------

    @cached_property
    def _fixed(self) -> tuple[Array, Array] | None:
        """The pseudo-counts s (cells, K) and Σ_v s (attributes, K); None where more than the value decides them."""
        rule, domain = self.plain.smoothing, self.domain
        if not isinstance(rule.scale(np.ones((1, 1))), float):
            return None
        values = np.arange(self.plain.counts.shape[1])
        marginal, total = self.plain.marginals_without(values, np.zeros(len(values)))
        known = domain.total(self.plain.counts)[:, domain.attribute].T
        pseudo, mass = rule.pseudo_counts(domain, values, marginal, total, known)
        one, two = (rule.within(pseudo, mass, self.plain.theta.T, contexts) for contexts in (1, 2))
        if (one[1] != two[1]).any():
            return None
        pseudo, mass = one
        s = np.zeros((self.axis.cells.size, self.n_classes))
        s[self._flat_cells] = pseudo
        sums = np.zeros((len(domain.sizes), self.n_classes))
        sums[domain.attribute] = mass  # that of every value of an attribute is the same
        return s, sums

    @cached_property
    def _flat_cells(self) -> Array:
        """The flat cell of the schema of every value."""
        starts = self.axis.cells.offsets.tolist()
        return np.concatenate(
            [np.zeros(0, dtype=np.int64), *(a + c for a, c in zip(starts, self._cells, strict=False))]
        )

    @cached_property
    def _of_parents(self) -> Array:
        """Log P(x_J | c) (cells of J, K), NaN where fewer rows than `min_frequency` have them."""
        if self.fewer is None:
            out = np.full((self.axis.cells.size, self.n_classes), np.nan)
            out[self._flat_cells] = log(self.plain.theta.T)
            rare = self.plain.counts.sum(axis=0) < self.min_frequency
            out[self._flat_cells[rare]] = np.nan
            return out
        axis = self.fewer.axis
        parts = [np.zeros((0, self.n_classes))]
        for j, k in axis.columns:
            counts = self.fewer.table((j,), k)
            joint = log(self.plain.theta_of(j))[:, :, None] + log(table_within(self.plain, k, counts))
            joint = np.where(counts.sum(axis=0) < self.min_frequency, np.nan, joint)
            table = np.full((*axis.shape((j, k)), self.n_classes), np.nan)
            table[np.ix_(self._cells[j], self._cells[k])] = joint.transpose(1, 2, 0)
            parts.append(table.reshape(-1, self.n_classes))
        return np.concatenate(parts)

    def _add_at_once(self, rows: Rows, out: Array, fixed: tuple[Array, Array]) -> None:
        codes = self.plain.codes(rows)
        last = self.plain.absent & (codes == self.domain.sizes - 1)
        cells = np.where(codes < 0, -1, np.where(last, 0, codes + 1)).astype(np.int32)
        sizes = np.array([axis.size - 1 for axis in self.axis.cells.axes], dtype=np.int64)
        first = np.where(self.plain.absent, 0, 1).astype(np.int64)
        counts = np.ascontiguousarray(self.counts.T)
        n = native.add_averaged(cells, sizes, self.n + 1, counts, *fixed, first, self._of_parents, out)
        none = np.flatnonzero(n == 0)
        if len(none):
            for start, stop in runs(none):
                rest: Block = self.plain if self.fewer is None else self.fewer
                rest.add(rows.slice(start, stop), LOG, out[start:stop])

    def add(self, rows: Rows, link: Link, out: Array, without: LeftOut | None = None) -> None:
        """Add log P(x | c)."""
        if without is None and self.drawn is None and self._fixed is not None:
            self._add_at_once(rows, out, self._fixed)
            return
        width = len(self.names) + sum(1 for _ in self.choices())
        for part, batch in rows.batches(narrow(out.shape[1], width)):
            left = None if without is None else without[part]
            codes, alone = value_codes(self.plain, batch), self.plain.terms(batch, LOG, left)
            out[part] += self._mean(codes, alone, left)

    def _mean(self, codes: Array, alone: Array, without: LeftOut | None) -> Array:
        """Return log P(x | c) (rows, K)."""
        scores, used = self._scores(codes, alone, without)
        n = used.sum(axis=1)
        out = np.logaddexp.reduce(scores, axis=1, initial=-np.inf) - log(np.maximum(n, 1))[:, None]
        none = np.flatnonzero(n == 0)
        if len(none):
            left = None if without is None else without[none]
            rest = self.fewer
            out[none] = np.nansum(alone[none], axis=2) if rest is None else rest._mean(codes[none], alone[none], left)
        return np.asarray(out)

    def add_variance(self, rows: Rows, out: Array, rng: np.random.Generator) -> None:
        """Add the posterior variance of log P(x | c): of models with shares w_J, Σ_J w_J² times that of each.

        The tables of different super-parents are taken as independent; d log Σ exp(s_J) = Σ w_J d s_J.
        """
        for part, batch in rows.batches(narrow(out.shape[1], len(self.names) + sum(1 for _ in self.choices()))):
            codes, alone = value_codes(self.plain, batch), self.plain.terms(batch, LOG)
            out[part] += self._variance(codes, alone)

    def _variance(self, codes: Array, alone: Array) -> Array:
        scores, used = self._scores(codes, alone, None)
        share = shares(scores)
        out = np.zeros(alone.shape[:2])
        for choice, J in enumerate(self.choices()):
            here = np.flatnonzero(used[:, choice])
            total = np.zeros((len(here), self.n_classes))
            for i in range(len(self.names)):
                block, given = (self, J) if i not in J else (self.fewer, J[:-1])
                known = np.flatnonzero(codes[here, i] >= 0)
                v = codes[here[known], i]
                if i == J[0] or block is None:
                    total[known] += self.plain.variances[self.domain.offsets[i] + v]
                else:
                    table = block._variances(given, i)
                    total[known] += table[:, block.at(codes[here[known]], given), v].T
            out[here] += share[here, choice] ** 2 * total
        none = np.flatnonzero(~used.any(axis=1))
        if len(none) and self.fewer is not None:
            out[none] = self.fewer._variance(codes[none], alone[none])
        elif len(none):
            heard = codes[none] >= 0
            found = self.plain.variances[np.where(heard, self.domain.offsets[:-1] + codes[none], 0)]
            out[none] = np.where(heard[:, :, None], found, 0.0).sum(axis=1)
        return out

    def _variances(self, J: Positions, i: int) -> Array:
        return variance_within(self.plain, i, self.table(J, i))

    # -- drawing and telling -----------------------------------------------------------------------------------------

    def draw(self, rng: np.random.Generator) -> SuperParents:
        """Draw every table."""
        drawn = {
            (J, i): draw_within(self.plain, i, self.table(J, i), rng)
            for J in self.choices()
            for i in range(len(self.names))
            if i not in J
        }
        fewer = None if self.fewer is None else self.fewer.draw(rng)
        plain = self.plain.draw(rng)
        if fewer is not None:
            fewer = replace(fewer, plain=plain)
        return replace(self, plain=plain, fewer=fewer, drawn=drawn)

    def sample(self, rng: np.random.Generator, y: Array) -> dict[int, Array]:
        """Draw super-parents for each row, their values, and those of all other columns given these."""
        choices = list(self.choices())
        codes = np.full((len(y), len(self.names)), MISSING, dtype=np.int64)
        if not choices or not self.domain.sizes.all():
            return self.plain.sample(rng, y)
        of_row = rng.integers(0, len(choices), len(y))
        for choice in np.unique(of_row):
            rows, J = np.flatnonzero(of_row == choice), choices[choice]
            codes[rows, J[0]] = draw_positions(rng, self.plain.theta_of(J[0]), y[rows])
            for i in (*J[1:], *(i for i in range(len(self.names)) if i not in J)):
                block, given = (self, J) if i not in J else (self.fewer, J[:-1])
                assert block is not None
                theta = block._theta(given, i) if block.drawn is None else block.drawn[given, i]
                at = y[rows] * theta.shape[1] + block.at(codes[rows], given)
                codes[rows, i] = draw_positions(rng, theta.reshape(-1, theta.shape[2]), at)
        last = self.plain.absent & (codes == self.domain.sizes - 1)
        return self.plain.coder.sample(rng, np.where(last, MISSING, codes))

    def describe(self, attribute: int) -> dict[Any, Array]:
        """Return P(x_i | c) by value."""
        return self.plain.describe(attribute)

    def form(self, attribute: int) -> Form:
        """Refuse: no column tells anything by itself."""
        raise ValueError("an average of models is no sum of tables, and cannot be told in them")


def shares(scores: Array) -> Array:
    """Return exp(s_J) / Σ exp(s_J) (rows, choices, K); even where all are zero, among all of them."""
    top = scores.max(axis=1, keepdims=True, initial=-np.inf)
    with np.errstate(invalid="ignore"):
        weights = np.exp(np.where(np.isfinite(top), scores - top, 0.0))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def runs(rows: Array) -> Iterator[tuple[int, int]]:
    """Yield ranges of ascending rows that follow each other.

    Examples
    --------
    >>> list(runs(np.array([0, 1, 2, 5, 7, 8])))
    [(0, 3), (5, 6), (7, 9)]
    """
    cuts = np.flatnonzero(np.diff(rows) > 1) + 1
    for part in np.split(rows, cuts):
        yield int(part[0]), int(part[-1]) + 1
