"""Bad rows: what a batch answers before one that cannot be read, and where that one stands."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from candide.schema.rows import UnseenLevelError
from candide.sources.batch import Batch

ROW = re.compile(r"\brow \d+")
"""How messages of the library say which row of a batch is meant."""


def until_bad(
    answer: Callable[[Batch], Any], batch: Batch, place: Callable[[int], str]
) -> tuple[list[Any], Exception | None]:
    """Return the answers of a batch, or those of the rows before a bad one, and what is wrong with that one.

    A batch that cannot be answered is answered in halves, down to the row that is bad.

    Parameters
    ----------
    answer : function
    batch : Batch
    place : function
        Where a row stands, by its number.
    """
    try:
        return [answer(batch)], None
    except (ValueError, TypeError) as error:
        if batch.n_rows <= 1:
            return [], located(error, batch.name, place(batch.start))
    half = batch.n_rows // 2
    before, wrong = until_bad(answer, batch.rows(0, half), place)
    if wrong is not None:
        return before, wrong
    after, wrong = until_bad(answer, batch.rows(half, batch.n_rows - half), place)
    return before + after, wrong


def located(error: Exception, name: str, place: str) -> Exception:
    """Return the error of a row that was looked at alone, with its input and its place in its words.

    Examples
    --------
    >>> located(ValueError("column 'amount', row 0: 'n/k' is none of the numbers"), "standard input", "line 4")
    ValueError("standard input: column 'amount', line 4: 'n/k' is none of the numbers")
    """
    said = str(error).removeprefix(f"{name}: ")
    told = ROW.sub(place, said, count=1) if ROW.search(said) else f"{place}: {said}"
    error.args = (f"{name}: {told}",)
    if isinstance(error, UnseenLevelError):
        error.told = f"{name}: {ROW.sub(place, error.told, count=1)}"
    return error
