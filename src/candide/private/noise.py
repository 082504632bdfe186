"""Noise: whole numbers drawn from the two-sided geometric distribution, exactly.

P(z) = (1 − α) / (1 + α) · α^|z| with α = e^−a. A count that changes by one changes the probability of every outcome by
a factor of e^a at the most, which is the guarantee. Floating-point logarithms of random numbers would give other
probabilities than these, and a way to undo the noise; so everything here is whole numbers below other whole numbers, by
the method of Canonne, Kamath and Steinke (2020, "The discrete Gaussian for differential privacy", algorithms 1 and 2).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
RandomBytes = Callable[[int], bytes]
"""Where randomness comes from: so many random bytes."""

DENOMINATOR = 1 << 40
"""What the rate a is a fraction of: it is rounded down to one, and noise is never less than was asked for."""

MOST_TRIES = 256
"""How often a number is tried at the most. Each try fails with a probability below one half, so that this is not enough
with one below 2^−256: up to then the probabilities are exact, and beyond it random bytes are not random."""


def random_bytes(random_state: Any = None) -> RandomBytes:
    """Return a source of random bytes: the system's, or for tests that of a seed, which whoever knows it can undo."""
    return os.urandom if random_state is None else np.random.default_rng(random_state).bytes


def two_sided_geometric(rate: Fraction, size: int, source: RandomBytes) -> Array:
    """Draw whole numbers z with P(z) ∝ e^(−rate · |z|).

    Parameters
    ----------
    rate : Fraction
        a, between 2^−40 and 2^20.
    size : int
    source : function
        As `random_bytes` returns it.

    Examples
    --------
    >>> noise = two_sided_geometric(Fraction(1, 2), 10_000, random_bytes(0))
    >>> bool(abs((noise == 0).mean() - np.tanh(1 / 4)) < 0.01)
    True
    """
    s = rate.numerator * DENOMINATOR // rate.denominator
    if not 1 <= s <= DENOMINATOR << 20:
        raise ValueError(f"noise of rate {float(rate):.3g} is not drawn: the rate is between 2^-40 and 2^20")
    return geometric(s, size, source) - geometric(s, size, source)


def geometric(s: int, size: int, source: RandomBytes) -> Array:
    """Draw whole numbers y ≥ 0 with P(y) ∝ e^(−y s / t), t being the DENOMINATOR.

    x = u + t v with P(u) ∝ e^(−u/t) on 0 .. t − 1 and P(v) ∝ e^−v has P(x) ∝ e^(−x/t); and y = ⌊x / s⌋.
    """
    t = DENOMINATOR
    u = np.zeros(size, dtype=np.int64)
    waiting = np.arange(size)
    for _ in tries():
        u[waiting] = below(t, len(waiting), source)
        waiting = waiting[~with_probability_exp(u[waiting], source)]
        if not len(waiting):
            break
    v = np.zeros(size, dtype=np.int64)
    going = np.arange(size)
    for _ in tries():
        going = going[with_probability_exp(np.full(len(going), t), source)]
        v[going] += 1
        if not len(going):
            break
    return (u + t * v) // s


def with_probability_exp(u: Array, source: RandomBytes) -> Array:
    """Return booleans that are true with probability e^(−γ) each, γ = u / t between 0 and 1.

    Events of probability γ, γ/2, γ/3 ... are tried until one fails; that it is one of odd number has the probability
    1 − γ + γ²/2 − γ³/6 + ... = e^−γ.
    """
    odd = np.zeros(len(u), dtype=bool)
    trying = np.arange(len(u))
    for k in tries():
        odd[trying] = k % 2 == 1
        trying = trying[below(DENOMINATOR * k, len(trying), source) < u[trying]]
        if not len(trying):
            break
    return odd


def below(n: int, size: int, source: RandomBytes) -> Array:
    """Draw whole numbers from 0 to n − 1, all equally likely: of 63 random bits, those beyond a multiple of n again."""
    most = (1 << 63) // n * n
    out = np.frombuffer(source(8 * size), dtype=np.uint64) >> np.uint64(1)
    for _ in tries():
        over = np.flatnonzero(out >= most)
        if not len(over):
            break
        out[over] = np.frombuffer(source(8 * len(over)), dtype=np.uint64) >> np.uint64(1)
    drawn: Array = (out % np.uint64(n)).astype(np.int64)
    return drawn


def tries() -> Iterator[int]:
    """Count tries: 1, 2, ..., until the source is at fault."""
    yield from range(1, MOST_TRIES + 1)
    raise ValueError(f"the random bytes are not random: a number was tried {MOST_TRIES} times, and not drawn")
