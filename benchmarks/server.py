"""A process of one checkout and one way of doing things; every task runs in a child of its own.

The libraries are imported once, here, and nothing is computed: the children begin with no threads, no cached table and
the same memory. `python -m benchmarks.server` with the interpreter of the checkout; orders come on standard input.
"""

import gc
import os
import tempfile
import time
import warnings

from benchmarks.about import about
from benchmarks.channel import Channel, Message
from benchmarks.clock import Timing, turn
from benchmarks.memory import size_of, watch
from benchmarks.tasks import tasks
from benchmarks.tasks.task import Call

WARM = 1000
"""Rows of a first, small run: what libraries load when first used is there before anything is measured."""


def main() -> None:
    """Serve until the benchmark has gone."""
    channel = Channel.of_this_process()
    warnings.simplefilter("ignore")  # scikit-learn's advice on its own steps is not the subject
    import pandas as pd  # noqa: F401  frames are half of the tasks; Polars may not be imported before a fork
    import pyarrow as pa  # noqa: F401

    tasks()
    gc.collect()
    gc.freeze()  # what is imported is not searched for garbage before every turn
    channel.send(about())
    with tempfile.TemporaryDirectory(prefix="candide-benchmark-") as folder:
        tempfile.tempdir = folder
        serve(channel)


def serve(channel: Channel) -> None:
    """Take orders, each in a child, and say how it ended."""
    for order in channel.messages():
        child = os.fork()
        if child == 0:
            attend(channel, order)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        channel.send({"ended": os.waitstatus_to_exitcode(status)})


def attend(channel: Channel, order: Message) -> None:
    """Do one task in one way; what fails is told, and is the end of it."""
    try:
        task, way, n = tasks()[order["task"]], order["way"], order["rows"]
        prepare = task.prepares()[way]
        prepare(min(n, WARM))()
        call = prepare(n)
        channel.send({"ready": os.getpid()})
        while (order := channel.receive())["do"] != "end":
            if order["do"] == "turn":
                channel.send(turn(call, order["seconds"])._asdict())
            else:
                channel.send(first(call) | {"input": size_of(task.cells(n)) if task.cells else None})
    except Exception as error:
        channel.send({"error": f"{type(error).__name__}: {error}"})


def first(call: Call) -> Message:
    """Make the first call of this size: its time, the memory it took, the bytes it gave."""
    risen = watch()
    start = time.perf_counter()
    result = call()
    seconds = time.perf_counter() - start
    return Timing(seconds, 1, seconds)._asdict() | {"extra": risen(), "output": size_of(result)}


if __name__ == "__main__":
    main()
