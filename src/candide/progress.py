"""Progress: one bar on standard error, for work that takes over a second on a terminal."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, TypeVar

from candide.messages import need, visible

T = TypeVar("T")
Done = Callable[[float | None], None]

PATIENCE_SECONDS = 1.0


@contextmanager
def working(label: str, show: bool | None = None) -> Iterator[Done]:
    """Show a bar while something is done.

    Parameters
    ----------
    label : str
    show : bool, optional
        True shows a bar at once, False none; by default it appears on a terminal after one second, if rich is
        installed.

    Yields
    ------
    function
        To be told how much is done, 0 .. 1, or None where that cannot be known.

    Examples
    --------
    >>> with working("counting") as done:
    ...     done(0.5)
    """
    if not _wanted(show):
        yield lambda _: None
        return
    bar, task = _bar(label)
    timer = threading.Timer(0.0 if show else PATIENCE_SECONDS, bar.start)
    timer.daemon = True
    timer.start()
    if show:
        timer.join()
    try:
        yield lambda part: bar.update(task, total=None if part is None else 1.0, completed=part or 0.0)
    finally:
        timer.cancel()
        timer.join()
        bar.stop()


def watched(
    items: Iterable[T], label: str, fraction: Callable[[int], float | None], show: bool | None = None
) -> Iterator[T]:
    """Yield items as they come, behind a bar.

    Parameters
    ----------
    items : iterable
    label : str
    fraction : function
        How much is done after so many items, 0 .. 1; None where that cannot be known.
    show : bool, optional
        As in `working`.
    """
    with working(label, show) as done:
        for n, item in enumerate(items, start=1):
            yield item
            done(fraction(n))


def _wanted(show: bool | None) -> bool:
    if show is False:
        return False
    here = find_spec("rich") is not None
    if show and not here:
        raise ImportError(need("progress bars", "cli"))
    return here and (sys.stderr.isatty() or show is True)


def _bar(label: str) -> tuple[Any, Any]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=sys.stderr.isatty())
    return bar, bar.add_task(visible(label), total=None)
