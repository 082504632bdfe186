"""Threads and processes: a forked child has none of OpenMP's threads, and waiting for them would never end."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from candide import native

# In a process of its own, so that a child that waits for ever is killed and hangs nothing else.
FORK = """
import multiprocessing
import warnings

import numpy as np

from candide import NaiveBayes, native

rng = np.random.default_rng(0)
x, y = rng.normal(size=(200_000, 8)), rng.integers(0, 3, 200_000)


def answers() -> np.ndarray:
    return NaiveBayes(distributions="normal").fit(x, y).predict_proba(x)


def work(results) -> None:
    results.put(float(np.abs(answers() - of_parent).max()))


of_parent = answers()
warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of every fork beside threads
context = multiprocessing.get_context("fork")
results = context.Queue()
child = context.Process(target=work, args=(results,), daemon=True)
child.start()
print(results.get(timeout=60) < 1e-9)
child.join(timeout=60)
"""


THREADS = """
from pathlib import Path

import numpy as np

from candide import native


def tasks() -> int:
    return len(list(Path("/proc/self/task").iterdir()))


x, y = np.ones((500_000, 8)), np.zeros(500_000, np.int64)
before = tasks()
native.set_threads(1)
native.moments(x, y, 1)
print(tasks() - before, native.threads())
native.set_threads(2)
native.moments(x, y, 1)
print(tasks() - before, native.threads())
native.work_alone()
print(native.threads())
"""


# In turns below the bound and at it, each in a process whose threads are counted: none is ever ended.
BOUND = """
import sys
from pathlib import Path

import numpy as np

from candide import native


def tasks() -> int:
    return len(list(Path("/proc/self/task").iterdir()))


name, rows, columns = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
y = np.zeros(rows, np.int64)
x = np.broadcast_to(np.float64(1.5), (rows, columns))
codes = np.broadcast_to(np.int32(1), (rows, columns))
calls = {
    "moments": lambda: native.moments(x, y, 1),
    "level_counts": lambda: native.level_counts(codes, np.arange(0, 3 * columns + 1, 3), y, 1),
    "bin_codes": lambda: native.bin_codes(x, np.ones(columns), np.arange(columns + 1)),
    "check_finite": lambda: native.check_finite(x),
}
before = tasks()
calls[name]()
print(tasks() - before, native.useful_threads(rows * columns))
"""

AT_ONCE = {"moments": 20, "level_counts": 20, "bin_codes": 20, "check_finite": 20}
"""Kernels that read each cell once, and how many columns they are given."""


def printed(script: str, *arguments: object) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        env={**os.environ, "OMP_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_child_fits_and_predicts_a_large_table():
    assert printed(FORK) == "True\n"


@pytest.mark.skipif(native.kernels() != "native", reason="the kernels were not compiled")
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="this system does not list threads in /proc")
def test_no_more_threads_are_used_than_were_set():
    assert printed(THREADS) == "0 1\n1 2\n1\n"


@pytest.mark.skipif(native.kernels() != "native", reason="the kernels were not compiled")
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="this system does not list threads in /proc")
@pytest.mark.parametrize(("kernel", "columns"), AT_ONCE.items())
def test_no_thread_is_woken_for_fewer_than_two_million_cells(kernel, columns):
    assert printed(BOUND, kernel, 2_000_000 // columns - 1, columns) == "0 1\n"
    assert printed(BOUND, kernel, 2_000_000 // columns, columns) == "1 2\n"


@pytest.mark.parametrize("given", [{}, {"OMP_WAIT_POLICY": "active"}, {"GOMP_SPINCOUNT": "7"}])
def test_the_environment_is_left_as_it_was(given):
    code = "import os; before = dict(os.environ); import candide.native; assert dict(os.environ) == before"
    asked = {name: value for name, value in os.environ.items() if name not in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")}
    subprocess.run([sys.executable, "-c", code], check=True, env=asked | given)
