"""Averages as sums: a mean of models by what columns say alone and in pairs, weighed so that they answer alike.

The score of a mean is no sum of tables, but nearly one: log Σ_j exp(s_j) moves with each s_j by its share. So weights
are settled by which the sum answers rows that the mean draws as the mean itself does, and pairs are taken one by one,
those first that bring its answers nearest.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from itertools import takewhile
from typing import Any

import numpy as np

from candide.arithmetic import log_sum_exp
from candide.distributions.forms import Form
from candide.distributions.in_pairs import Beyond, InPairs
from candide.estimator.roads import FARTHEST, LARGEST_STEPS, Compared, Finish, in_steps, is_small, nearest
from candide.estimator.rounding import STEPS
from candide.estimator.slim import Slim
from candide.frozen import frozen
from candide.schema.rows import Rows
from candide.table import Table

Array = np.ndarray[Any, Any]

DRAWN = 2000
"""Rows that the weights are settled by."""
MOST_NUMBERS = 1 << 23
"""Terms of pairs in all rows and classes that are held at a time: of more pairs those that say most, of fewer rows."""
HUNDRED = 100
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

    @cached_property
    def order(self) -> list[int]:
        """The pairs in the order in which they bring answers nearer, each by a step of Newton's after the others."""
        scores, left, out = self.plain, list(range(len(self.beyond))), []
        for _ in range(min(len(left), PAIRS[-1])):
            ours = np.exp(scores - log_sum_exp(scores)[:, None])
            terms = self.of_pairs[:, :, left]
            slope = np.einsum("nkp,nk->p", terms, self.theirs - ours) / len(ours)
            mean = np.einsum("nkp,nk->np", terms, ours)
            bend = (np.einsum("nkp,nk->np", terms**2, ours) - mean**2).mean(axis=0) + DAMPED
            cells = np.array([np.count_nonzero(self.beyond[i].form.table) for i in left])
            best = int(np.argmax(slope**2 / bend / np.sqrt(np.maximum(cells, 1))))
            scores = scores + slope[best] / bend[best] * terms[:, :, best]
            out.append(left.pop(best))
        return out

    def as_sum(self, n: int) -> Slim:
        """Return the sum of n pairs, and what columns say alone, that answers most alike."""
        some = self.order[:n]
        terms = np.concatenate([self.of_alone, self.of_pairs[:, :, some]], axis=2)
        expected = np.array([1.0] * self.n_alone + [self.beyond[i].weight for i in some])
        weights, bias = settled(terms, self.plain - self.of_alone.sum(axis=2), self.theirs, expected)
        alone, rest = self.base.forms[: self.n_alone], self.base.forms[self.n_alone :]
        w = weights.tolist()
        forms = [form.scaled(by) for form, by in zip(alone, w, strict=False)]
        pairs = [self.beyond[i].form.scaled(by) for i, by in zip(some, w[self.n_alone :], strict=True)]
        pairs_said = f"{n} of {len(self.beyond)} pairs"
        said = f"{TOLD_AS_SUM}, of which there is a sum instead: what columns say alone, and {pairs_said}"
        return replace(self.base, log_prior=self.base.log_prior + bias, forms=(*forms, *rest, *pairs), left_out=(said,))


def most_drawn(n_classes: int) -> int:
    """Return by how many rows weights are settled: of many classes by fewer, so that a hundred pairs can be held."""
    return int(np.clip(MOST_NUMBERS / (HUNDRED * n_classes), LEAST_DRAWN, DRAWN))


def settled(terms: Array, fixed: Array, theirs: Array, expected: Array) -> tuple[Array, Array]:
    """Return weights of terms (rows, K, T), and a bias (K,), by which scores answer rows most alike.

    The mean of −Σ_c p_c log q_c is least, with q in proportion to exp(fixed + Σ_t w_t terms_t + b), and `RIDGE` for
    weights other than were expected.
    """
    from scipy.optimize import minimize

    n, _, t = terms.shape
    start = fixed + terms @ expected

    def loss(moved: Array) -> tuple[float, Array]:
        scores = start + terms @ moved[:t] + moved[t:]
        log_q = scores - log_sum_exp(scores)[:, None]
        off = np.exp(log_q) - theirs
        value = -float((theirs * log_q).sum()) / n + RIDGE / n * float(moved[:t] @ moved[:t])
        slope = np.concatenate([np.einsum("nkt,nk->t", terms, off), off.sum(axis=0)]) / n
        slope[:t] += 2 * RIDGE / n * moved[:t]
        return value, slope

    found = minimize(loss, np.zeros(t + fixed.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 200}).x
    return expected + found[:t], found[t:]


def in_fewer_pairs(average: Average, finished: Finish) -> tuple[Slim | None, list[Compared]]:
    """Return the nearest sum that is small, or that there is none; and what was tried."""
    tried: list[Compared] = []
    counts = [*takewhile(lambda n: n < len(average.beyond), PAIRS), min(len(average.beyond), PAIRS[-1])]
    for n in counts:
        found = in_steps(average.as_sum(n), finished, ALL_STEPS)
        tried += found
        if not any(is_small(small) for small, _ in found):
            break  # nor is one of more pairs
    return nearest(tried, FARTHEST), tried
