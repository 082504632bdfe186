"""A progress bar for work that takes long enough to be watched."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")
PATIENCE_SECONDS = 1.0


def watched(results: Iterable[T], total: int, label: str, progress: bool | None = None) -> Iterator[T]:
    """Yield the results as they come, behind a bar on standard error.

    Parameters
    ----------
    results : iterable
    total : int
        Number of results to come.
    label : str
    progress : bool, optional
        True shows a bar, False none; by default it appears on a terminal after one second, if rich is
        installed.
    """
    bar, start = None, time.monotonic()
    try:
        for done, result in enumerate(results, start=1):
            patient = progress is None and time.monotonic() - start < PATIENCE_SECONDS
            if bar is None and not patient and _wanted(progress):
                bar = _bar(total, label)
            if bar is not None:
                bar.update(bar.task_ids[0], completed=done)
            yield result
    finally:
        if bar is not None:
            bar.stop()


def _wanted(progress: bool | None) -> bool:
    from importlib.util import find_spec

    here = find_spec("rich") is not None
    if progress and not here:
        raise ImportError("a progress bar needs rich: pip install 'candide[cli]'")
    return here and (sys.stderr.isatty() if progress is None else progress)


def _bar(total: int, label: str) -> Any:
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=sys.stderr.isatty())
    bar.add_task(label, total=total)
    bar.start()
    return bar
