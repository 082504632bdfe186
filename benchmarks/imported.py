"""Run one import in a fresh interpreter: `python -P imported.py STATEMENT` prints its seconds and its extra bytes.

Built-in names only: what this file imported would be missing from the time of the statement.
"""

import sys
import time


def resident(field: str) -> int | None:
    """Return a size from Linux's account of this process, in bytes; None on other systems."""
    try:
        with open("/proc/self/status") as status:  # noqa: PTH123  pathlib is one of the modules to be imported
            return next(1024 * int(line.split()[1]) for line in status if line.startswith(field))
    except OSError:
        return None


if __name__ == "__main__":
    before = resident("VmRSS")
    start = time.perf_counter()
    exec(sys.argv[1])
    seconds = time.perf_counter() - start
    peak = resident("VmHWM")
    print(seconds, -1 if before is None or peak is None else peak - before)
