"""Signals: the command ends quietly when it is asked to, wherever it is: loading, waiting for a pipe, writing.

A library that is interrupted while it loads may turn the interruption into an error of its own, and a reader of
another language hears nothing while it waits. So what was heard is written down, and told to whoever waits for bytes.
"""

from __future__ import annotations

import os
import signal
from types import FrameType

HEARD: list[int] = []
"""The signals that asked the command to end."""

ASKING = ("SIGINT", "SIGTERM", "SIGHUP")


def listen() -> None:
    """Turn every signal that asks for an end into an interruption, so that temporary files are removed."""
    from candide.sources import waiting

    for name in ASKING:
        number = getattr(signal, name, None)
        # what the shell has told us to ignore (nohup, background jobs) stays ignored
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _interrupt)
    if os.name != "nt":  # where only sockets can be waited for
        waiting.STOP, told = os.pipe()
        os.set_blocking(told, False)
        signal.set_wakeup_fd(told, warn_on_full_buffer=False)


def _interrupt(number: int, _: FrameType | None) -> None:
    HEARD.append(number)
    raise KeyboardInterrupt


def code() -> int:
    """Return the exit code of an interruption: 128 and the number of the signal."""
    return 128 + (HEARD[0] if HEARD else signal.SIGINT)
