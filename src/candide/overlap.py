"""Overlap: the next batch is read while the one before is looked at or counted; or several are, at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from candide.native import threads, work_alone

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 1
"""Items that wait; with those that are worked on and the one that is being got, two more than workers are in flight."""
MOST_WORKERS = 4
"""Threads that read and count at once, however many cores there are: each holds a batch."""


def workers() -> int:
    """Return how many threads may work at once: as many as the kernels may use, up to a bound."""
    return min(threads(), MOST_WORKERS)


def overlapped(work: Callable[[T], R], items: Iterable[T], at_once: int = 1) -> Iterator[R]:
    """Yield `work(item)` for every item, in order: worked on in other threads, while the caller's gets the next.

    Items are got in the thread of the caller, since whoever made their iterator may not use it in another, as with the
    cursor of a data base; and since that is the thread that hears an interruption.

    Examples
    --------
    >>> list(overlapped(abs, iter([-1, 2, -3])))
    [1, 2, 3]
    """
    from concurrent.futures import ThreadPoolExecutor

    # of several threads none wakes the kernels' own, which would wait for each other
    alone = None if at_once == 1 else work_alone
    pool = ThreadPoolExecutor(at_once, thread_name_prefix="candide", initializer=alone)
    waiting: deque[Future[R]] = deque()
    coming = iter(items)
    try:
        while True:  # ends: with the items
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
            if len(waiting) > at_once + AHEAD:
                yield waiting.popleft().result()
        while waiting:  # ends: one is taken each time
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def begun(items: Iterator[T]) -> Iterator[T]:
    """Return the same items, the first of which another thread gets from now on; whoever made them lets any get them.

    Examples
    --------
    >>> list(begun(iter([1, 2, 3])))
    [1, 2, 3]
    """
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(1, thread_name_prefix="candide", initializer=work_alone)
    first = pool.submit(lambda: list(islice(items, 1)))
    pool.shutdown(wait=False)

    def every() -> Iterator[T]:
        yield from first.result()
        yield from items

    return every()
