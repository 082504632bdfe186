"""Moments: weight, mean and sum of squared deviations, which merge without losing digits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from candide.arithmetic import difference, ratio
from candide.frozen import frozen
from candide.statistics.arrays import Array, first_below, impossible_weights, scatter, used_along

ROUNDING = 1024 * np.finfo(float).eps
"""A difference of sums of squares below this share of the larger one is rounding: the values left are equal."""

PROOF = 1e-6
"""A sum of squares that falls below zero by more than this share of itself does not do so by rounding."""

FEWEST_DIGITS = 6
"""Decimal digits of a difference below which somebody is told."""

MOST_SQUARES = 1e4
"""Squares of the largest number that a sum of squares may hold; that of one table holds less than one."""


@frozen
class Moments:
    """Weight n, mean and m2 = Σ w (x − mean)², of any shape whose first axis is the class.

    With δ = mean_b − mean_a, two statistics merge by Chan's rule:
    n = n_a + n_b, mean = mean_a + δ n_b / n, m2 = m2_a + m2_b + δ² n_a n_b / n.

    Examples
    --------
    >>> import numpy as np
    >>> a = Moments.of(np.array([[1.0], [2.0]]))
    >>> b = Moments.of(np.array([[6.0]]))
    >>> (a + b).mean, (a + b).m2
    (array([3.]), array([14.]))
    """

    n: Array
    mean: Array
    m2: Array

    @classmethod
    def zero(cls, *shape: int) -> Moments:
        """Return the neutral element of a shape."""
        return cls(np.zeros(shape, dtype=np.int64), np.zeros(shape), np.zeros(shape))

    @classmethod
    def of(cls, x: Array, weight: Array | None = None) -> Moments:
        """Summarize values along the first axis, weighted where asked."""
        w = np.ones(x.shape, dtype=np.int64) if weight is None else np.broadcast_to(weight, x.shape)
        n = w.sum(axis=0)
        mean = weighted_mean(x, w, n)
        return cls(n, mean, (w * (x - mean) ** 2).sum(axis=0))

    def __add__(self, other: Moments) -> Moments:
        n = self.n + other.n
        share: Array = np.divide(other.n, n, out=np.zeros(np.shape(n)), where=n != 0)
        delta = other.mean - self.mean
        # where one side is empty its mean means nothing: the other side is taken as it is
        mean = np.where(self.n == 0, other.mean, np.where(other.n == 0, self.mean, self.mean + delta * share))
        return Moments(n, mean, self.m2 + other.m2 + delta**2 * (self.n * share))

    def __sub__(self, other: Moments) -> Moments:
        n, mean, m2 = self._less(other)
        return Moments(n, mean, np.where(equal_rows(n) | (m2 <= ROUNDING * self.m2), 0.0, m2))

    def _less(self, other: Moments) -> tuple[Array, Array, Array]:
        """Return n, mean and m2 without `other`, m2 as it comes: below zero by rounding, or since other was no part."""
        n = difference(self.n, other.n, self.n if self.n.dtype.kind == "f" else None)
        left = np.divide(self.n, n, out=np.zeros(np.shape(n)), where=n != 0)
        # mean_a = mean + (mean − mean_b) n_b / n_a, and Chan's rule read backwards for m2
        back = (self.mean - other.mean) * (left - 1.0)
        mean = np.where(n == 0, 0.0, difference(self.mean, -back))
        correction = (other.mean - mean) ** 2 * np.divide(
            n * other.n, self.n, out=np.zeros(np.shape(n)), where=self.n != 0
        )
        return n, mean, self.m2 - other.m2 - correction

    def cannot_hold(self, other: Moments) -> Array:
        """Mark where `other` is no part of these moments, as far as they can tell.

        Without a part, m2 is not negative; where nothing or one row is left, it is zero; and where nothing is left,
        both have one mean. Each up to rounding: means are known to ROUNDING of their size, m2 to PROOF.
        """
        n, _, m2 = self._less(other)
        slip = ROUNDING * np.maximum(np.abs(self.mean), np.abs(other.mean))
        spread = np.sqrt(np.maximum(self.m2, other.m2))
        weight = np.maximum(self.n, other.n)
        error = PROOF * spread**2 + slip * spread * np.sqrt(weight) + slip**2 * weight
        wrong = np.where(equal_rows(n), np.abs(m2), -m2) > error
        apart = np.abs(self.mean - other.mean) > slip + PROOF * spread / np.sqrt(np.where(weight > 0, weight, 1.0))
        out: Array = (other.n > 0) & (wrong | ((n == 0) & apart))
        return out

    def not_whole(self) -> Array:
        """Mark the moments that no whole numbers have, as far as rounding lets it be told.

        Where weights are whole, Σ x and Σ x² are whole and both even or both odd, since x² − x is even; and numbers
        with the mean k + f between two whole ones have m2 ≥ n f (1 − f).
        """
        n = self.n.astype(float)
        total, squares = n * self.mean, self.m2 + n * self.mean**2
        error = 64 * np.finfo(float).eps * (1.0 + squares + np.abs(total))
        f = self.mean - np.floor(self.mean)
        odd = np.abs(squares - total - 2 * np.rint((squares - total) / 2)) > error
        broken = (np.abs(total - np.rint(total)) > error) | odd | (self.m2 < n * f * (1 - f) - error)
        out: Array = broken & (error < 0.25) & (self.n.dtype.kind == "i")
        return out

    def lost(self, before: Moments) -> Array:
        """Mark where subtracting from `before` left fewer than `FEWEST_DIGITS` decimal digits of m2.

        Where the values left are all equal, as far as can be told, the sum of squares over all classes is the measure.
        """
        error = np.finfo(float).eps * (before.m2 + before.n * before.mean**2 * np.finfo(float).eps)
        left = np.where(self.m2 > 0, self.m2, (self.m2 + self.n * self.mean**2).sum(axis=0))
        out: Array = (self.n > 1) & (error > 10.0**-FEWEST_DIGITS * left) & (left > 0) & (self.m2 < before.m2)
        return out

    def scale(self, factor: float) -> Moments:
        """Multiply every weight, as time decay does; means stay."""
        return Moments(self.n * factor, self.mean, self.m2 * factor)

    def pooled(self) -> Moments:
        """Merge over the class axis: the same `+`, in one step."""
        n = self.n.sum(axis=0)
        mean = weighted_mean(self.mean, self.n, n)
        return Moments(n, mean, (self.m2 + self.n * (self.mean - mean) ** 2).sum(axis=0))

    @property
    def shape(self) -> tuple[int, ...]:
        """How many entries each axis has."""
        return np.shape(self.mean)

    @property
    def weight(self) -> Array:
        """The weights n."""
        return self.n

    def used(self, axis: int) -> Array:
        """Return which entries of an axis something is counted in."""
        return used_along(self.weight, axis)

    def first_below(self) -> tuple[int, ...] | None:
        """Return the first entry whose weight is below zero."""
        return first_below(self.weight)

    def impossible(self, largest: float) -> Iterator[tuple[Array, str]]:
        """Yield marks of moments that no rows have, of numbers of a largest size: their squares add up."""
        yield from impossible_weights(self.weight, largest)
        yield self.m2 < 0, "a sum of squares below zero"
        yield (self.n == 0) & (self.m2 > 0), "a sum of squares of no rows"
        yield (np.abs(self.mean) > largest) | (self.m2 > MOST_SQUARES * largest**2), "squares that overflow"

    def whole(self) -> Moments:
        """Return the moments of whole weights, which are counted in integers."""
        return Moments(np.rint(self.n).astype(np.int64), self.mean, self.m2)

    @property
    def var(self) -> Array:
        """Variance m2 / n; zero where nothing was seen."""
        return ratio(self.m2, self.n)

    def map(self, function: Any) -> Moments:
        """Apply a reshaping function to each of the three arrays."""
        return Moments(function(self.n), function(self.mean), function(self.m2))

    def move(self, axis: int, index: Array, size: int) -> Moments:
        """Rename the entries along an axis; entries that meet are merged."""
        if len(np.unique(index)) == len(index):
            return self.map(lambda array: scatter(array, axis, index, size))
        n = scatter(self.n, axis, index, size)
        # as in `weighted_mean`: measured from one of the means that meet, equal means stay what they are
        first = np.zeros(n.shape)
        held = np.nonzero(self.n)
        place = list(held)
        place[axis] = np.asarray(index)[held[axis]]
        first[tuple(place)] = self.mean[held]
        away = self.n * (self.mean - np.take(first, index, axis=axis))
        mean = first + np.divide(scatter(away, axis, index, size), n, out=np.zeros(n.shape), where=n != 0)
        delta = self.mean - np.take(mean, index, axis=axis)
        return Moments(n, mean, scatter(self.m2 + self.n * delta**2, axis, index, size))

    def take(self, axis: int, keep: Array) -> Moments:
        """Keep the entries of a mask along an axis."""
        return self.map(lambda array: np.compress(keep, array, axis=axis))


def equal_rows(n: Array) -> Array:
    """Mark the weights of rows that cannot differ: none, or a single one of weight one."""
    out: Array = n <= 1 if n.dtype.kind == "i" else n == 0
    return out


def weighted_mean(x: Array, w: Array, n: Array) -> Array:
    """Return Σ w x / n along the first axis, n = Σ w; 0 where nothing has weight.

    Taken as x₀ + Σ w (x − x₀) / n with x₀ the first number of some weight: one number repeated is its own mean to the
    last digit, and so deviates from it by nothing, where Σ w x / n may round to a neighbour.
    """
    if not len(x):
        return np.zeros(np.shape(n))
    first = x[0] if w[0].all() else np.take_along_axis(x, (w != 0).argmax(axis=0)[None], axis=0)[0]
    away, held = (w * (x - first)).sum(axis=0), n != 0
    if held.all():
        return np.asarray(first + away / n)
    return np.where(held, first + np.divide(away, n, out=np.zeros(np.shape(n)), where=held), 0.0)
