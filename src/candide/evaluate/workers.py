"""Run independent pieces of work on all cores, in order, with the same result for any number of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from candide.progress import watched

# starting other processes costs about this long: less work than that is done here
WORTH_SECONDS = 2.0


def run(
    function: Callable[..., Any],
    pieces: Sequence[tuple[Any, ...]],
    label: str,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> list[Any]:
    """Return [function(*piece) for piece in pieces].

    The first pieces are done in this process; what remains goes to others once it is seen to take long. Every
    piece runs with one thread of native code, so that results do not depend on `n_jobs`.

    Parameters
    ----------
    function : callable
    pieces : sequence of tuples
    label : str
        What the progress bar says.
    n_jobs : int, optional
        Number of processes, by default all cores; 1 stays in this process.
    progress : bool, optional
        As in `watched`.
    """
    results = _results(function, pieces, n_jobs)
    return list(watched(results, label, lambda done: done / len(pieces), progress))


def _results(function: Callable[..., Any], pieces: Sequence[tuple[Any, ...]], n_jobs: int | None) -> Iterator[Any]:
    from joblib import Parallel, delayed, effective_n_jobs

    jobs = effective_n_jobs(-1 if n_jobs is None else n_jobs)
    start = time.perf_counter()
    for done, piece in enumerate(pieces):
        taken = time.perf_counter() - start
        remaining = len(pieces) - done
        if done and jobs > 1 and taken / done * remaining > WORTH_SECONDS and remaining > 1:
            later = (delayed(_alone)(function, piece) for piece in pieces[done:])
            yield from Parallel(n_jobs=jobs, return_as="generator")(later)
            return
        yield _alone(function, piece)


def _alone(function: Callable[..., Any], piece: tuple[Any, ...]) -> Any:
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        return function(*piece)
