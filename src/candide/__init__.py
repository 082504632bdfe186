"""Candide: naive Bayes for mixed tables, on statistics that add up."""

from typing import TYPE_CHECKING, Any

from candide import process
from candide.release import RELEASE

if TYPE_CHECKING:
    from candide.estimator import NaiveBayes
    from candide.loading import load
    from candide.native import kernels
    from candide.presets import TunedNB

__all__ = ["NaiveBayes", "TunedNB", "__version__", "kernels", "load"]

__version__ = RELEASE

HOMES = {
    "NaiveBayes": "candide.estimator",
    "TunedNB": "candide.presets",
    "load": "candide.loading",
    "kernels": "candide.native",
}
"""Where the public names live; they are imported when first asked for, so that `candide --help` is quick."""

ESTIMATORS = ("NaiveBayes", "TunedNB")
"""Those of them that keep scikit-learn's contract."""

ROOMS = (
    "analysis",
    "averaging",
    "combination",
    "datasets",
    "discretizers",
    "distributions",
    "evaluate",
    "experiments",
    "naive_bayes",
    "plot",
    "presets",
    "reading",
    "report",
    "smoothing",
    "sources",
    "structure",
    "text",
    "tuning",
)
"""The public modules, which `import candide` makes reachable without importing them."""


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in ESTIMATORS and not process.alone:
        # before our modules, which would import it from deep within each other: where frames fill a piece of memory to
        # its end, Python 3.11 takes the next piece and gives it back with every call
        import sklearn.base  # noqa: F401
    if name in HOMES:
        return getattr(import_module(HOMES[name]), name)
    if name in ROOMS:
        return import_module(f"candide.{name}")
    raise AttributeError(f"module 'candide' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *ROOMS])
