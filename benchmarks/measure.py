"""Clocks and memory: the best of several runs, taken in turns; peak memory in a process of its own."""

import gc
import os
import subprocess
import sys
import time
from pathlib import Path

SHORT = 1e-3
"""Calls shorter than this (seconds) are timed many at once."""


def best(functions, budget):
    """Return the shortest time of each function; they take turns until each had its share of the budget."""
    times = [[once(f)] for f in functions]
    for f, seen in zip(functions, times, strict=True):
        seen[0] = min(seen[0], once(f))  # the first call may have loaded something
    end = time.perf_counter() + budget * len(functions)
    while time.perf_counter() < end:
        for f, seen in zip(functions, times, strict=True):
            if sum(seen) < budget:
                seen.append(once(f, max(1, int(SHORT / seen[0]))))
        if all(sum(seen) >= budget or len(seen) > 200 for seen in times):
            break
    return [min(seen) for seen in times]


def once(function, number=1):
    if number == 1:
        gc.collect()
    start = time.perf_counter()
    for _ in range(number):
        function()
    return (time.perf_counter() - start) / number


def import_seconds(module, runs=7):
    """Return the shortest time that importing a module took a fresh interpreter."""
    code = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    return min(float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(runs))


def extra_memory(task, n, who):
    """Return bytes of memory that one call used at its peak beyond what was there, in a process of its own."""
    # large blocks go back to the system when freed, so that the peak is that of live memory
    environment = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}
    command = [sys.executable, "-m", "benchmarks.measure", task, str(n), who]
    return int(subprocess.check_output(command, env=environment).split()[-1])


def status(field):
    """Return a size from Linux's account of this process, in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) * 1024
    raise LookupError(field)


def peak_of(function):
    """Return how far memory rose while a function ran; also memory that Python did not allocate."""
    gc.collect()
    before = status("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the high-water mark begins again here
    result = function()
    peak = status("VmHWM") - before
    del result
    return max(peak, 0)


def main():
    from benchmarks.tasks import tasks

    name, n, who = sys.argv[1:]
    task = next(task for task in tasks() if task.name == name)
    getattr(task.build(1000), who)()  # libraries, threads and their buffers are there before we measure
    print(peak_of(getattr(task.build(int(n)), who)))


if __name__ == "__main__":
    main()
