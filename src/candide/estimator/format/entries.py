"""Entries: the values of a model file with their places in it, read by checks that say what is wrong and where."""

from __future__ import annotations

import math
from collections.abc import Collection
from reprlib import Repr
from typing import Any

import numpy as np

from candide.statistics.arrays import TYPES, Shape, array_from_json

Array = np.ndarray[Any, Any]

SHOWN = Repr()
SHOWN.maxstring = SHOWN.maxother = SHOWN.maxlong = 60

ALL = "all"
"""Stands for every position, where some positions of a list are told."""


class ModelFileError(ValueError):
    """A file that is not a whole, readable Candide model."""


class Entry:
    """A value of a model file, and where it stands.

    Parameters
    ----------
    value : JSON value
    key : str or int
        Its key or position in the entry that holds it.
    holder : Entry or None

    Examples
    --------
    >>> Entry({"columns": [{"name": 3.5}]}, "schema")["columns"].items()[0]["name"].text()
    Traceback (most recent call last):
    candide.estimator.format.entries.ModelFileError: schema.columns[0].name is 3.5, which is no text
    """

    __slots__ = ("holder", "key", "value")

    def __init__(self, value: Any, key: str | int = "model", holder: Entry | None = None) -> None:
        self.value = value
        self.key = key
        self.holder = holder

    @property
    def where(self) -> str:
        """The place of the value, such as model.schema.columns[3].levels."""
        if self.holder is None:
            return str(self.key)
        return self.holder.where + (f"[{self.key}]" if isinstance(self.key, int) else f".{self.key}")

    def wrong(self, why: str) -> ModelFileError:
        """Return the error of this entry."""
        return ModelFileError(f"{self.where} {why}")

    def unlike(self, what: str) -> ModelFileError:
        """Return the error of an entry that is not what it should be."""
        return self.wrong(f"is {SHOWN.repr(self.value)}, which is no {what}")

    # -- what holds others -------------------------------------------------------------------------------------------

    def __getitem__(self, key: str) -> Entry:
        if not isinstance(self.value, dict):
            raise self.unlike("object")
        if key not in self.value:
            raise self.wrong(f"has no {key!r}")
        return Entry(self.value[key], key, self)

    def get(self, key: str) -> Entry | None:
        """Return what stands under a key, None where nothing does."""
        if not isinstance(self.value, dict):
            raise self.unlike("object")
        return Entry(self.value[key], key, self) if key in self.value else None

    def check_keys(self, known: Collection[str]) -> None:
        """Refuse an entry that is no object, or has other keys than these."""
        if not isinstance(self.value, dict):
            raise self.unlike("object")
        for key in self.value:
            if key not in known:
                raise self.wrong(f"has a {SHOWN.repr(key)}, which is not known here; known are {', '.join(known)}")

    def fields(self) -> dict[str, Entry]:
        """Return what stands under each key."""
        if not isinstance(self.value, dict):
            raise self.unlike("object")
        return {key: Entry(value, key, self) for key, value in self.value.items()}

    def items(self) -> list[Entry]:
        """Return what a list holds."""
        if not isinstance(self.value, list):
            raise self.unlike("list")
        return [Entry(value, i, self) for i, value in enumerate(self.value)]

    # -- what holds nothing else -------------------------------------------------------------------------------------

    def text(self) -> str:
        """Return text."""
        if not isinstance(self.value, str):
            raise self.unlike("text")
        return self.value

    def word(self, known: Collection[str]) -> str:
        """Return one of the words that are known."""
        if not isinstance(self.value, str) or self.value not in known:
            raise self.wrong(f"is {SHOWN.repr(self.value)}; known are {', '.join(known)}")
        return self.value

    def flag(self) -> bool:
        """Return true or false."""
        if not isinstance(self.value, bool):
            raise self.unlike("true or false")
        return self.value

    def whole(self, most: int) -> int:
        """Return a whole number from 0 to the most that is possible."""
        if type(self.value) is not int or not 0 <= self.value <= most:
            raise self.unlike(f"whole number from 0 to {most}")
        return self.value

    def number(self) -> float:
        """Return a finite number."""
        if type(self.value) not in {int, float} or not finite(self.value):
            raise self.unlike("finite number")
        return float(self.value)

    def array(self, shape: Shape, dtypes: tuple[str, ...] = tuple(TYPES), packed: bool = False) -> Array:
        """Return an array of a shape, None for any number of entries; `packed` in a narrow type, where it has one."""
        try:
            return array_from_json(self.value, shape, dtypes, packed)
        except ValueError as error:
            raise self.wrong(str(error)) from None

    def mask(self, size: int) -> Array:
        """Return which of so many positions are told: all of them, or those of an ascending list."""
        if self.value == ALL:
            return np.ones(size, dtype=bool)
        positions = self.array((None,), ("int64",))
        if len(positions) and (positions[0] < 0 or positions[-1] >= size or (np.diff(positions) <= 0).any()):
            raise self.wrong(f"does not hold ascending positions below {size}")
        out = np.zeros(size, dtype=bool)
        out[positions] = True
        return out


def finite(number: float) -> bool:
    """Tell whether a number is a float, or can be one."""
    try:
        return math.isfinite(number)
    except OverflowError:
        return False
