"""Compiled kernels, or their NumPy twins where the package was installed without a compiler.

``reference`` names them and says what each computes. All of them read arrays of any strides without copying, release
the interpreter lock, and use threads only where the input is large, and none in a forked process.
"""

import os
import sys
from typing import Literal

# A thread that is done soon sleeps: awake, it takes a core from others, and four milliseconds become eight where the
# machine is busy. The runtimes of GCC and Clang look for this once, when they are loaded with the kernels.
_ASLEEP = {"GOMP_SPINCOUNT": "10000", "KMP_BLOCKTIME": "0"}
_ASKED = {} if "OMP_WAIT_POLICY" in os.environ else {n: v for n, v in _ASLEEP.items() if n not in os.environ}
os.environ |= _ASKED

# Only a module that is not there is replaced: one that does not load is a broken installation, and should say so.
try:
    from candide.native import _kernels
    from candide.native._kernels import *  # noqa: F403

    _KERNELS: Literal["native", "numpy"] = "native"
    _NAMES = [name for name in vars(_kernels) if not name.startswith("_")]  # those of reference, as the tests make sure
except ModuleNotFoundError:
    from candide.native import reference
    from candide.native.reference import *  # noqa: F403

    _KERNELS = "numpy"
    _NAMES = reference.__all__
finally:
    for _name in _ASKED:
        del os.environ[_name]

__all__ = ["kernels", *_NAMES]  # noqa: PLE0604  # they are names

if sys.platform != "win32":
    # OpenMP's threads do not survive a fork, and a child that wants them waits for ever
    os.register_at_fork(after_in_child=after_fork)  # noqa: F405


def kernels() -> Literal["native", "numpy"]:
    """Which kernels are in use: ``"native"`` (compiled) or ``"numpy"`` (no compiler at installation).

    Examples
    --------
    >>> from candide import native
    >>> native.kernels() in ("native", "numpy")
    True
    """
    return _KERNELS
