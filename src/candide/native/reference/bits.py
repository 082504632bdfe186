"""Bits as bytes, and back: a bit that was foretold with chance p costs log2 of 1 / p bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

CHANCES = 1 << 12
"""Chances are multiples of 1 / 4096."""

BitCoder: TypeAlias = Callable[[int, int], int]
"""From the chance of a one and a bit to the bit, which is the one that was decoded where it decodes."""


class Interval:
    """[low, high], 32 bits each, which the chance of each bit narrows; a byte in which both ends agree goes out."""

    def __init__(self) -> None:
        self.low, self.high = 0, 0xFFFFFFFF

    def middle(self, chance: int) -> int:
        """Return the last place of a one."""
        return self.low + ((self.high - self.low) // CHANCES) * chance

    def narrow(self, middle: int, bit: int) -> None:
        """Leave the part of a bit."""
        if bit:
            self.high = middle
        else:
            self.low = middle + 1
        # ends: a byte is shifted out each time, and two ends that are equal differ by the next
        while self.low >> 24 == self.high >> 24:
            self.shift(self.high >> 24)
            self.low, self.high = self.low << 8 & 0xFFFFFFFF, self.high << 8 & 0xFFFFFFFF | 255

    def shift(self, byte: int) -> None:
        """Let a byte go out."""
        raise NotImplementedError

    @property
    def last(self) -> bytes:
        """What ends the bytes, such that zeros behind it lie within the interval."""
        return bytes([(self.low >> 24) + 1]) if self.low else b""


class Encoder(Interval):
    """Bits become bytes."""

    def __init__(self) -> None:
        super().__init__()
        self.out = bytearray()

    def __call__(self, chance: int, bit: int) -> int:
        self.narrow(self.middle(chance), bit)
        return bit

    def shift(self, byte: int) -> None:
        self.out.append(byte)

    def ended(self) -> bytes:
        """Return the bytes."""
        return bytes(self.out) + self.last


class Decoder(Interval):
    """Bytes become bits."""

    def __init__(self, coded: bytes) -> None:
        super().__init__()
        self.coded, self.shifted = coded, 0
        self.at = int.from_bytes(coded[:4].ljust(4, b"\0"), "big")

    def __call__(self, chance: int, bit: int) -> int:
        middle = self.middle(chance)
        bit = int(self.at <= middle)
        self.narrow(middle, bit)
        return bit

    def shift(self, byte: int) -> None:
        following = self.coded[self.shifted + 4 : self.shifted + 5] or b"\0"
        self.shifted += 1
        if self.shifted > len(self.coded):
            raise ValueError("it was cut short")
        self.at = (self.at << 8 & 0xFFFFFFFF) | following[0]

    def end(self) -> None:
        """Refuse bytes that no encoder would have written last."""
        if self.coded[self.shifted :] != self.last:
            raise ValueError("it was cut short, or has something behind it")
