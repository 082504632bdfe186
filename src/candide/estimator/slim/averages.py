"""Averages as sums: a mean of models by what columns say alone and in pairs, weighed so that they answer alike.

The score of a mean is no sum of tables, but nearly one: log Σ_j exp(s_j) moves with each s_j by its share. So weights
are settled by which the sum answers rows that the mean draws as the mean itself does, and pairs are taken one by one,
those first that bring its answers nearest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import takewhile
from typing import Any

import numpy as np

from candide.arithmetic import log_sum_exp
from candide.distributions.forms import Form
from candide.distributions.in_pairs import Beyond, InPairs
from candide.estimator.slim.coarsening import COARSEST
from candide.estimator.slim.format.conditional import Conditional
from candide.estimator.slim.roads import (
    FARTHEST,
    LARGEST_STEPS,
    Compared,
    Finish,
    finest_roots,
    finest_steps,
    is_small,
    nearest,
)
from candide.estimator.slim.rounding import STEPS
from candide.estimator.slim.slim import Slim
from candide.frozen import frozen
from candide.schema.rows import Rows
from candide.table import Table

Array = np.ndarray[Any, Any]

DRAWN = 2000
"""Rows that the weights are settled by."""
MOST_NUMBERS = 1 << 22
"""Terms of pairs in all rows and classes that are held at a time: of more pairs those that say most, of fewer rows."""
HELD = 150
"""Pairs for which there is room in any case."""
LEAST_DRAWN = 500
"""Rows by which they are settled at least."""
RIDGE = 0.2
"""Rows for which the weights stand that were expected, against one weight more or less."""
DAMPED = 1e-3
"""By which the second derivative of a pair's gain is larger: one that says next to nothing does not say most."""
LOWEST = -30.0
"""Nats that a term counts for while weights are settled where it is minus infinity."""
PAIRS = (0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144)
"""Numbers of pairs that are tried."""
ALL_STEPS = (*LARGEST_STEPS, *(step for step in STEPS if step >= 0.01))
"""Steps in nats that are tried, the largest first."""

ALL_UNITS = (4.0, 3.0, 2.3, COARSEST, 1.3, 0.9, 0.6, 0.4, 0.25)
"""Units of the roots of counts that are tried, the largest first."""
FEWEST = 8
"""Pairs from which on chances are told by roots: of fewer, steps are as small."""
PATIENCE = 2
"""Numbers of pairs in a row that bring nothing nearer, after which no more are told by roots, which takes time."""

TOLD_AS_SUM = "the mean of models"
"""How the sentence begins which says that an average is told by a sum."""


@frozen
class Average:
    """A mean of models that becomes a sum.

    Parameters
    ----------
    base : Slim
        Whose forms say what columns say alone, and at last what stands beside the mean.
    beyond : tuple of Beyond
    rows : Table
        That the mean draws.
    theirs : ndarray (rows, K)
        What it answers.
    n_alone : int
        Forms of the base that say what columns say alone.
    """

    base: Slim
    beyond: tuple[Beyond, ...]
    rows: Table
    theirs: Array
    n_alone: int

    @classmethod
    def of(cls, base: Slim, mean: InPairs, rows: Table, theirs: Array) -> Average:
        """Return an average of which no more pairs are looked at than can be held: those that move classes most."""
        n, k = theirs.shape
        held = max(MOST_NUMBERS // (n * k), len(mean.alone) + 1) - len(mean.alone)
        average = cls(base, mean.beyond, rows, theirs, len(mean.alone))
        if len(mean.beyond) <= held:
            return average
        moved = [float(np.var(average.terms(of.form), axis=1).mean()) for of in mean.beyond]
        most = np.sort(np.argsort(moved)[::-1][:held])
        return replace(average, beyond=tuple(mean.beyond[i] for i in most.tolist()))

    def terms(self, form: Form) -> Array:
        """Return what a form adds to the rows (rows, K)."""
        log_prior = self.base.log_prior - log_sum_exp(self.base.log_prior[None])
        return np.maximum(self.base._terms(Rows(self.rows, self.base.schema), form, log_prior), LOWEST)

    @cached_property
    def of_alone(self) -> Array:
        """What columns say alone (rows, K, columns)."""
        return np.stack([self.terms(form) for form in self.base.forms[: self.n_alone]], axis=2)

    @cached_property
    def of_pairs(self) -> Array:
        """What pairs say beyond that (rows, K, pairs)."""
        empty = np.zeros((*self.theirs.shape, 0))
        return np.concatenate([empty, *(self.terms(of.form)[:, :, None] for of in self.beyond)], axis=2)

    @cached_property
    def plain(self) -> Array:
        """The scores (rows, K) by the prior and what columns say alone."""
        scores = self.of_alone.sum(axis=2) + np.maximum(self.base.log_prior, LOWEST)
        for form in self.base.forms[self.n_alone :]:
            scores = scores + self.terms(form)
        return np.asarray(scores)

    def first(self, n: int) -> list[int]:
        """Return so many pairs, in the order in which they bring answers nearer: each by Newton's step after others."""
        flat = self._flat
        cells = np.array([max(np.count_nonzero(of.form.table), 1) for of in self.beyond])
        for _ in range(n - len(self._order)):
            ours = np.exp(self._scores[-1] - log_sum_exp(self._scores[-1])[:, None])
            slope = (self.theirs - ours).ravel() @ flat / len(ours)
            mean = (ours[:, None, :] @ self.of_pairs)[:, 0]
            bend = (ours.ravel() @ self._squares - np.einsum("np,np->p", mean, mean)) / len(ours) + DAMPED
            gain = slope**2 / bend / np.sqrt(cells)
            gain[self._order] = -1.0
            best = int(np.argmax(gain))
            self._scores.append(self._scores.pop() + slope[best] / bend[best] * self.of_pairs[:, :, best])
            self._order.append(best)
        return self._order[:n]

    @cached_property
    def _flat(self) -> Array:
        """What pairs say (rows × K, pairs)."""
        return self.of_pairs.reshape(self.theirs.size, -1)

    @cached_property
    def _squares(self) -> Array:
        return self._flat**2

    @cached_property
    def _order(self) -> list[int]:
        """The pairs that were taken so far."""
        return []

    @cached_property
    def _scores(self) -> list[Array]:
        """The scores with these."""
        return [self.plain]

    @cached_property
    def _weighed(self) -> dict[int, tuple[Array, Array]]:
        """The weights that were settled, by how many pairs there are."""
        return {}

    def weighed(self, n: int) -> tuple[Array, Array]:
        """Return the weights of what columns say alone, and of n pairs, and the bias of each class."""
        if n not in self._weighed:
            some = self.first(n)
            terms = np.concatenate([self.of_alone, self.of_pairs[:, :, some]], axis=2)
            expected = np.array([1.0] * self.n_alone + [self.beyond[i].weight for i in some])
            self._weighed[n] = settled(terms, self.plain - self.of_alone.sum(axis=2), self.theirs, expected)
        return self._weighed[n]

    def as_sum(self, n: int, by_chances: bool = False) -> Slim:
        """Return the sum of n pairs, and what columns say alone, that answers most alike.

        By chances, what pairs say is told by the chances of both columns together.
        """
        weights, bias = self.weighed(n)
        alone, rest = self.base.forms[: self.n_alone], self.base.forms[self.n_alone :]
        w = weights.tolist()
        forms = [form.scaled(by) for form, by in zip(alone, w, strict=False)]
        pairs = [self._pair(i, by, by_chances) for i, by in zip(self.first(n), w[self.n_alone :], strict=True)]
        pairs_said = f"{n} of {len(self.beyond)} pairs"
        said = f"{TOLD_AS_SUM}, of which there is a sum instead: what columns say alone, and {pairs_said}"
        return replace(self.base, log_prior=self.base.log_prior + bias, forms=(*forms, *rest, *pairs), left_out=(said,))

    def _pair(self, i: int, weight: float, by_chances: bool) -> Form:
        """Return what a pair adds."""
        of = self.beyond[i]
        told = Conditional.of(of.chances, float(f"{weight:.3g}"), of.pseudo) if by_chances else None
        return told or of.form.scaled(weight)

    @property
    def has_chances(self) -> bool:
        """Whether all pairs can be told by chances."""
        return all(Conditional.of(of.chances) is not None for of in self.beyond)


def most_drawn(n_classes: int) -> int:
    """Return by how many rows weights are settled: of many classes by fewer, so that many pairs can be held."""
    return int(np.clip(MOST_NUMBERS / (HELD * n_classes), LEAST_DRAWN, DRAWN))


def settled(terms: Array, fixed: Array, theirs: Array, expected: Array) -> tuple[Array, Array]:
    """Return weights of terms (rows, K, T), and a bias (K,), by which scores answer rows most alike.

    The mean of −Σ_c p_c log q_c is least, with q in proportion to exp(fixed + Σ_t w_t terms_t + b), and `RIDGE` for
    weights other than were expected.
    """
    from scipy.optimize import minimize

    n, k, t = terms.shape
    flat = terms.reshape(-1, t)
    start = fixed + (flat @ expected).reshape(n, k)

    def loss(moved: Array) -> tuple[float, Array]:
        scores = start + (flat @ moved[:t]).reshape(n, k) + moved[t:]
        log_q = scores - log_sum_exp(scores)[:, None]
        off = np.exp(log_q) - theirs
        value = -float((theirs * log_q).sum()) / n + RIDGE / n * float(moved[:t] @ moved[:t])
        slope = np.concatenate([off.ravel() @ flat, off.sum(axis=0)]) / n
        slope[:t] += 2 * RIDGE / n * moved[:t]
        return value, slope

    found = minimize(loss, np.zeros(t + fixed.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 200}).x
    return expected + found[:t], found[t:]


def in_fewer_pairs(average: Average, n_rows: float, finished: Finish) -> tuple[Slim | None, list[Compared]]:
    """Return the nearest sum that is small, or that there is none, and what was tried.

    Chances of n rows are told by their roots where steps are not near.
    """

    def in_steps_of(n: int) -> list[Compared]:
        return finest_steps(average.as_sum(n), finished, ALL_STEPS)

    def in_roots_of(n: int) -> list[Compared]:
        return finest_roots(average.as_sum(n, by_chances=True), n_rows, finished, ALL_UNITS)

    tried: list[Compared] = []
    most = min(len(average.beyond), PAIRS[-1])
    counts = [*takewhile(lambda n: n < most, PAIRS), most]
    tried += until_farther(in_steps_of, counts, len(counts))
    if nearest(tried) is None and average.has_chances:
        tried += until_farther(in_roots_of, [n for n in counts if n >= FEWEST], PATIENCE)
    return nearest(tried, FARTHEST), tried


def until_farther(road: Callable[[int], list[Compared]], counts: Sequence[int], patience: int) -> list[Compared]:
    """Return what was tried of more and more pairs, until none is small, or none nearer for some numbers of them."""
    tried: list[Compared] = []
    least, since = np.inf, 0
    for n in counts:
        found = road(n)
        tried += found
        nats = min((off.nats for small, off in found if is_small(small)), default=None)
        if nats is None:
            break  # nor is one of more pairs small
        since = 0 if nats < least else since + 1
        least = min(least, nats)
        if since == patience:
            break
    return tried
