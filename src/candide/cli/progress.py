"""A progress bar on standard error, for work that takes over a second on a terminal."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from candide.cli.reading import Batch, Source

PATIENCE_SECONDS = 1.0


def terminal() -> bool:
    """Whether standard error is a terminal."""
    return sys.stderr.isatty()


@contextmanager
def working(label: str) -> Iterator[Callable[[float | None], None]]:
    """Show a bar once the work has taken a second; the function yielded tells how much is done (0 .. 1).

    Examples
    --------
    >>> with working("counting") as done:
    ...     done(0.5)
    """
    if not terminal():
        yield lambda _: None
        return
    bar, task = _bar(label)
    timer = threading.Timer(PATIENCE_SECONDS, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda part: bar.update(task, total=None if part is None else 1.0, completed=part or 0.0)
    finally:
        timer.cancel()
        timer.join()
        bar.stop()


def _bar(label: str) -> tuple[Any, Any]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    return bar, bar.add_task(label, total=None)


def watched(source: Source, label: str) -> Iterator[Batch]:
    """Yield a table's batches behind a bar."""
    with working(label) as done:
        for batch in source:
            yield batch
            done(source.fraction())
