"""Overlap: the next batch is read while the one before is counted."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 1
"""Items that wait; with the one that is worked on and the one that is being got, three are in flight."""


def overlapped(work: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
    """Yield `work(item)` for every item, in order: worked on in a thread of its own, while the caller's gets the next.

    Items are got in the thread of the caller, since whoever made their iterator may not use it in another, as with the
    cursor of a data base; and since that is the thread that hears an interruption.

    Examples
    --------
    >>> list(overlapped(abs, iter([-1, 2, -3])))
    [1, 2, 3]
    """
    pool = ThreadPoolExecutor(1, thread_name_prefix="candide")
    waiting: deque[Future[R]] = deque()
    coming = iter(items)
    try:
        while True:
            try:
                item = next(coming)
            except StopIteration:
                break
            except Exception:
                for earlier in waiting:  # what is wrong with earlier items is told first
                    earlier.result()
                raise
            waiting.append(pool.submit(work, item))
            del item  # nothing but the queue holds it any more
            if len(waiting) > 1 + AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
