"""Signals: the command ends quietly when it is asked to, wherever it is: loading, waiting for a pipe, writing.

A library that is interrupted while it loads may turn the interruption into an error of its own, and a reader of
another language hears nothing while it waits. So what was heard is written down, and told to whoever waits for bytes.
Where nothing can be raised, as in what is called when an object goes, the interruption comes again a moment later.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from _thread import interrupt_main
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

HEARD: list[int] = []
"""The signals that asked the command to end."""

ASKING = ("SIGINT", "SIGTERM", "SIGHUP")
AGAIN = 0.01
"""Seconds until an interruption that could not be raised comes again."""


def listen() -> None:
    """Turn every signal that asks for an end into an interruption, so that temporary files are removed."""
    from candide.sources import waiting

    for name in ASKING:
        number = getattr(signal, name, None)
        # what the shell has told us to ignore (nohup, background jobs) stays ignored
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _interrupt)
    sys.unraisablehook = _not_raised
    if os.name != "nt":  # where only sockets can be waited for
        waiting.STOP, told = os.pipe()
        os.set_blocking(told, False)
        signal.set_wakeup_fd(told, warn_on_full_buffer=False)


def _interrupt(number: int, _: FrameType | None) -> None:
    HEARD.append(number)
    raise KeyboardInterrupt


def _not_raised(what: UnraisableHookArgs) -> None:
    if HEARD and isinstance(what.exc_value, KeyboardInterrupt):
        again = threading.Timer(AGAIN, interrupt_main, [HEARD[0]])
        again.daemon = True
        again.start()
    else:
        sys.__unraisablehook__(what)


def code() -> int:
    """Return the exit code of an interruption: 128 and the number of the signal."""
    return 128 + (HEARD[0] if HEARD else signal.SIGINT)
