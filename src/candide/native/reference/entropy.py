"""Cuts of ascending values by class entropy, with the description-length stop of Fayyad and Irani."""

import math
from dataclasses import dataclass

import numpy as np

from candide.native.reference.rows import Array, Floats, Ints

__all__ = ["entropy_cuts"]

#: Gains closer than this share of the whole description are rounding, not evidence.
EQUAL_GAINS = 1e-12


def entropy_cuts(counts: Floats, once: bool = False) -> Ints:
    """The values behind which cuts lie, ascending, of counts (K, V): every value and every class has weight.

    A segment S of weight N is cut into S1, S2 at its greatest information gain if

        Gain > (log2(N − 1) + log2(3^k − 2) − [k H(S) − k1 H(S1) − k2 H(S2)]) / N,

    k, k1, k2 being the numbers of classes present; the lowest of equally good cuts is taken. With `once` the best cut
    of all is taken, whatever it costs to describe.
    """
    blocks = _Blocks(counts)
    cuts, segments = [], [(0, blocks.size)]
    while segments:  # ends: a cut leaves two shorter ones
        start, stop = segments.pop()
        best = blocks.best(start, stop)
        if best is not None and (once or blocks.worthwhile(start, best, stop)):
            cuts.append(int(blocks.starts[best.at]) - 1)
            segments += [] if once else [(start, best.at), (best.at, stop)]
    return np.array(sorted(cuts), dtype=np.int64)


@dataclass(frozen=True)
class _Best:
    """The best cut of a segment: before block `at`, and its gain times the segment's weight (in nats)."""

    at: int
    gain: float


class _Blocks:
    """Neighbouring values of one and the same pure class, joined: the units between which cuts may lie."""

    def __init__(self, counts: Floats) -> None:
        present = counts > 0
        pure = np.where(present.sum(axis=0) == 1, present.argmax(axis=0), -1)
        starts = np.flatnonzero(np.r_[True, (pure[1:] != pure[:-1]) | (pure[1:] < 0)])
        blocks = np.add.reduceat(counts, starts, axis=1)
        self.size = starts.size
        self.starts = starts
        self.present = blocks > 0
        self.cumulative = np.concatenate([np.zeros((counts.shape[0], 1)), np.cumsum(blocks, axis=1)], axis=1)

    def best(self, start: int, stop: int) -> _Best | None:
        """Return the cut of greatest gain of blocks start .. stop − 1; None where no cut says anything."""
        if stop - start < 2:
            return None
        whole = self._weights(start, stop)
        left = self.cumulative[:, start + 1 : stop] - self.cumulative[:, start, None]
        parts = np.stack([left, whole[:, None] - left], axis=1)
        gains = self._surprise(whole) - self._surprise(parts).sum(axis=0)
        slack = EQUAL_GAINS * whole.sum()
        at = int(np.argmax(gains >= gains.max() - slack))
        return _Best(start + 1 + at, float(gains[at])) if gains[at] > slack else None

    def worthwhile(self, start: int, best: _Best, stop: int) -> bool:
        """Tell whether the cut shortens the description of the classes."""
        n = float(self._weights(start, stop).sum())
        spans = ((start, stop), (start, best.at), (best.at, stop))
        classes = [int(self.present[:, a:b].any(axis=1).sum()) for a, b in spans]
        entropy = [self._entropy(a, b) for a, b in spans]
        k, (h, h1, h2) = classes, entropy
        # log2(3^k − 2), free of overflow; below a weight of 2 the choice of the cut point costs nothing.
        tables = k[0] * math.log2(3) + math.log2(1 - 2 * 3.0 ** -k[0])
        delta = tables - (k[0] * h - k[1] * h1 - k[2] * h2)
        return best.gain / math.log(2) > math.log2(max(n - 1, 1)) + delta

    def _weights(self, start: int, stop: int) -> Floats:
        weights: Floats = self.cumulative[:, stop] - self.cumulative[:, start]
        return weights

    def _entropy(self, start: int, stop: int) -> float:
        weights = self._weights(start, stop)
        return float(self._surprise(weights) / weights.sum() / math.log(2))

    @staticmethod
    def _surprise(weights: Floats) -> Floats:
        """Return n H, the class entropy times the weight, in nats: n log n − Σ_c n_c log n_c, over axis 0."""
        return np.asarray(_x_log_x(weights.sum(axis=0)) - _x_log_x(weights).sum(axis=0))


def _x_log_x(x: Array) -> Floats:
    """Return x log x, 0 at 0 (and where a difference of sums fell below it)."""
    result: Floats = x * np.log(np.where(x > 0, x, 1.0))
    return result
