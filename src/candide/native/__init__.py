"""Compiled kernels, or their NumPy twins where the package was installed without a compiler."""


def kernels() -> str:
    """Which kernels are in use: ``"native"`` (compiled) or ``"numpy"``."""
    try:
        from candide.native import _kernels  # noqa: F401
    except ImportError:
        return "numpy"
    return "native"
