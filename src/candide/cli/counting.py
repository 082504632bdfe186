"""Counting: rows through all batches, in messages that count them from the batch's first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def counted_from(start: int) -> Iterator[None]:
    """Say of a refusal which row its counting begins at."""
    try:
        yield
    except (ValueError, TypeError) as error:
        if start:
            error.add_note(f"rows counted from row {start}")
        raise


def amount(n: float) -> str:
    """Return a weight of rows as a person writes it.

    Examples
    --------
    >>> amount(1500.0), amount(2.5)
    ('1500', '2.5')
    """
    return f"{n:.0f}" if n == round(n) else f"{n:.6g}"
