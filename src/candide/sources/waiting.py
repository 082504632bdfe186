"""Waiting: for more of a pipe, or for the process to be asked to stop, whichever comes first.

PyArrow reads in threads of its own; while they wait for a pipe that stalls, Python hears no signal.
"""

from __future__ import annotations

import errno
import select
from typing import IO

STOP: int | None = None
"""A descriptor that can be read once this process is asked to stop; the command sets it."""


def wait(raw: IO[bytes]) -> None:
    """Return when a file can be read; fail when the process is asked to stop before."""
    if STOP is None:
        return
    try:
        ready, _, _ = select.select([raw.fileno(), STOP], [], [])
    except ValueError:  # no descriptor, or one beyond what can be waited for
        return
    if STOP in ready:  # not by EINTR, which buffers take for "try again"
        raise OSError(errno.ECANCELED, "interrupted while waiting for more of the table")
