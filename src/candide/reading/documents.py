"""Documents: columns of free text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

from candide.reading.base import ColumnReader, ReadAs
from candide.reading.calendar import orders_of
from candide.table.pandas import in_arrow

FIRST = 50
"""Cells that are looked at first: few words among them settle that a column holds levels."""

SAMPLE = 1000
"""Cells by which free text is told."""

FEWEST = 10
"""Cells without which nothing is told."""

WORDS = 5
"""Words that a cell of free text has on average at the least."""


class Documents(ColumnReader):
    """Free text, of which an analyzer makes bags of words."""

    says = "documents"
    free = True


FREE_TEXT = ReadAs(Documents(), "free text: its words are counted")


def are_documents(values: Any) -> bool:
    """Whether the cells of a column, as a library holds them, are free text; a few of them are looked at first."""
    first = first_texts(values, FIRST)
    if not first or not wordy(first):
        return False
    return is_free(first if len(first) < FIRST else first_texts(values, SAMPLE))


def first_texts(values: Any, n: int) -> list[Any]:
    """Return the first cells of a column; none of one that is declared to hold levels, or holds no text."""
    dtype = getattr(values, "dtype", getattr(values, "type", None))
    if type(dtype).__name__ in DECLARED or holds_no_text(dtype):
        return []
    if in_arrow(dtype):  # pandas makes more of a few cells than Arrow does
        values = values.__arrow_array__()
    head = values[:n]
    cells = next((getattr(head, to)() for to in ("to_pylist", "tolist", "to_list") if hasattr(head, to)), head)
    return cells if any(isinstance(cell, str) for cell in cells) else []


@lru_cache(maxsize=256)
def holds_no_text(dtype: Any) -> bool:
    """Whether the cells of a type are no text, or declared levels that the library calls by another class."""
    return getattr(dtype, "kind", "O") in "iufcbmM" or any(word in str(dtype).lower() for word in NO_TEXT)


DECLARED = frozenset({"CategoricalDtype", "Categorical", "Enum", "DictionaryType"})
"""Classes of the types of columns of declared levels: comparing two such types compares all of their levels."""

NO_TEXT = ("categor", "enum", "dictionary", "int", "float", "double", "bool", "date", "time", "decimal")
"""What the types of columns are called that hold no text, or declared levels."""


def wordy(texts: Sequence[Any]) -> bool:
    """Whether cells have words enough to be free text."""
    cells = [text for text in texts if isinstance(text, str)]
    return " ".join(cells).count(" ") + 1 >= WORDS * len(cells)  # words end at spaces, and at the end of a cell


def is_free(texts: Sequence[Any]) -> bool:
    """Whether cells are free text and no levels: sentences, hardly any of which comes twice.

    Examples
    --------
    >>> is_free(["red", "blue", "red"])
    False
    >>> is_free([f"Please send number {n} of the forms to me" for n in range(20)])
    True
    """
    return find_documents(Counter(text for text in texts if isinstance(text, str))) is not None


def find_documents(counts: Mapping[str, int]) -> ReadAs | None:
    """Return how cells are read that are sentences, more than half of them different."""
    total = sum(counts.values())
    if total < FEWEST or 2 * len(counts) <= total:
        return None
    few = dict(islice(counts.items(), SAMPLE))
    if sum(n * len(text.split()) for text, n in few.items()) < WORDS * sum(few.values()):
        return None
    if orders_of(list(islice(few, FIRST))):  # Sun, 01 Jan 2023 00:00:00 +0000
        return None
    return FREE_TEXT
