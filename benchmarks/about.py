"""What a process of the benchmarks says of itself: which package it imports, and on which libraries."""

import platform
from importlib.metadata import PackageNotFoundError, version

import candide
from benchmarks.channel import Message

LIBRARIES = ("numpy", "scipy", "scikit-learn", "pandas", "pyarrow", "polars", "narwhals")


def about() -> Message:
    """Return versions, kernels, and where the package lies."""
    return {
        "candide": candide.__version__,
        "home": candide.__file__,
        "kernels": candide.kernels(),
        "python": platform.python_version(),
        **{name: installed for name in LIBRARIES if (installed := version_of(name))},
    }


def version_of(library: str) -> str | None:
    """Return the version of a library, None if it is not installed."""
    try:
        return version(library)
    except PackageNotFoundError:
        return None
