"""What foretells bits: contexts, whose forecasts are mixed by weights that learn."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, floor, log

from candide.native.reference.bits import CHANCES, BitCoder

WIDEST = 2047
"""Of log-odds, in steps of 1 / 256."""
SLOTS, REMEMBERED = 20, 30
"""Bits of the places of what was seen in a context, and how many bits it is made of before the oldest are forgotten."""
PACE, WHOLE = 6, 85000
"""Of the weights: how fast they learn, and their sum at first in steps of 1 / 65536."""
LONGEST = 32
"""Bits of a number."""
CONTEXTS = 6
"""Of a bit."""
SETS = 21
"""Of weights, by the place of a bit in a number."""


def _rounded(x: float, low: int, high: int) -> int:
    return min(max(floor(x + 0.5), low), high)


CHANCE = [_rounded(CHANCES / (1 + exp(-x / 256)), 1, CHANCES - 1) for x in range(-WIDEST, WIDEST + 1)]
ODDS = [_rounded(256 * log((p + 0.5) / (CHANCES - p - 0.5)), -WIDEST, WIDEST) for p in range(CHANCES)]
RATE = [655360 // (10 * n + 16) for n in range(REMEMBERED + 1)]


class Mixer:
    """Foretells bits by several contexts each."""

    def __init__(self) -> None:
        self.weights = [[WHOLE // CONTEXTS] * CONTEXTS for _ in range(SETS)]
        self.slots: dict[int, tuple[int, int]] = {}  # a chance less a half, in steps of 1 / 65536, and of how many bits

    def __call__(self, coder: BitCoder | None, contexts: Sequence[int], node: int, set_: int, bit: int) -> int:
        """Code a bit, or decode it, and learn; without a coder learn only. Bits of a symbol are nodes of a tree."""
        weights = self.weights[set_]
        at = [_place(context, i) ^ node for i, context in enumerate(contexts)]
        seen_at = [self.slots.get(place, (0, 0)) for place in at]
        odds = [ODDS[(beyond + 32768) >> 4] if seen else 0 for beyond, seen in seen_at]
        total = sum(w * x for w, x in zip(weights, odds, strict=True)) >> 16
        chance = CHANCE[min(max(total, -WIDEST), WIDEST) + WIDEST]
        if coder is not None:
            bit = coder(chance, bit)
        missed = bit * CHANCES - chance
        for i, (place, x) in enumerate(zip(at, odds, strict=True)):
            weights[i] += (x * missed * PACE + (1 << 13)) >> 14
            beyond, seen = self.slots.get(place, (0, 0))
            beyond += ((32767 if bit else -32768) - beyond) * RATE[seen] >> 16
            self.slots[place] = beyond, min(seen + 1, REMEMBERED)
        return bit


def _place(context: int, i: int) -> int:
    """Where what was seen in a context begins."""
    hashed = (context + 1) * 0x9E3779B97F4A7C15 ^ (i + 1) * 0xD6E8FEB86659FD93
    return hashed * 0xA24BAED4963EE407 % 2**64 >> (64 - SLOTS)


def number(mixer: Mixer, coder: BitCoder, contexts: Sequence[int], z: int) -> int:
    """Count it 1 for 0, 2 for −1, 3 for 1 ...: code how many bits that has behind the first, then these."""

    def coded(node: int, bit: int) -> int:
        return mixer(coder, contexts, node, min(node, SETS - 1), bit)

    given = counted(z) + 1
    bits = 0
    # ends: at the longest
    while coded(bits, int(bits < given.bit_length() - 1)):
        bits += 1
        if bits > LONGEST:
            raise ValueError("a number is too large")
    n = 1
    for k in range(bits - 1, -1, -1):
        node = bits << 8 | (n if k >= bits - 2 else 8 + k)
        n = n << 1 | coded(64 + node, given >> k & 1)
    return uncounted(n - 1)


def counted(z: int) -> int:
    """Return 0 for 0, 1 for −1, 2 for 1 ..."""
    return -2 * z - 1 if z < 0 else 2 * z


def uncounted(x: int) -> int:
    """Return what was counted so."""
    return -(x >> 1) - 1 if x & 1 else x >> 1
