"""Compiled kernels, or their NumPy twins where the package was installed without a compiler.

``reference.py`` says what each kernel computes. All of them read arrays of any strides without copying,
release the interpreter lock, and use threads only where the input is large.
"""

from typing import Literal

try:
    from candide.native._kernels import (
        add_bin_gather,
        add_csr,
        add_gather,
        add_gather_left_out,
        add_normal,
        add_normal_left_out,
        argmax,
        bin_codes,
        bin_counts,
        check_finite,
        csr_nonzero,
        csr_sums,
        dense_sums,
        distinct,
        first_below,
        label_codes,
        level_counts,
        log_normalize,
        moments,
    )

    _KERNELS: Literal["native", "numpy"] = "native"
except ImportError:
    from candide.native.reference import (
        add_bin_gather,
        add_csr,
        add_gather,
        add_gather_left_out,
        add_normal,
        add_normal_left_out,
        argmax,
        bin_codes,
        bin_counts,
        check_finite,
        csr_nonzero,
        csr_sums,
        dense_sums,
        distinct,
        first_below,
        label_codes,
        level_counts,
        log_normalize,
        moments,
    )

    _KERNELS = "numpy"

__all__ = [
    "add_bin_gather",
    "add_csr",
    "add_gather",
    "add_gather_left_out",
    "add_normal",
    "add_normal_left_out",
    "argmax",
    "bin_codes",
    "bin_counts",
    "check_finite",
    "csr_nonzero",
    "csr_sums",
    "dense_sums",
    "distinct",
    "first_below",
    "kernels",
    "label_codes",
    "level_counts",
    "log_normalize",
    "moments",
]


def kernels() -> Literal["native", "numpy"]:
    """Which kernels are in use: ``"native"`` (compiled) or ``"numpy"`` (no compiler at installation).

    Examples
    --------
    >>> from candide import native
    >>> native.kernels() in ("native", "numpy")
    True
    """
    return _KERNELS
