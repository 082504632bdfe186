"""The kernels written plainly in NumPy: the oracle of the compiled ones, and what serves without a compiler.

Shapes: ``x`` and ``codes`` are (N, D), ``y`` is (N,) with class codes below ``n_classes`` (a negative one
skips the row, as does a weight of zero), ``w`` is None or (N,), ``offsets`` is (D + 1,) and says where each
column's levels or cuts begin in a flat axis. A NaN cell or a negative code is missing. Arrays named ``out``
and ``scores`` are changed in place.

Each file is a family of kernels, and its ``__all__`` the one list of their names.
"""

# ruff: noqa: F403  # the families' names are the kernels' names
from candide.native.reference import (
    calibration,
    counting,
    csv_text,
    entropy,
    json_row,
    labels,
    mappings,
    mixing,
    objects,
    pages,
    records,
    scoring,
    smoothed,
    sparse,
    text,
    text_forms,
    text_scores,
    tuning,
    tuples,
    values,
    views,
    word_lists,
)
from candide.native.reference.calibration import *
from candide.native.reference.counting import *
from candide.native.reference.csv_text import *
from candide.native.reference.entropy import *
from candide.native.reference.json_row import *
from candide.native.reference.labels import *
from candide.native.reference.mappings import *
from candide.native.reference.mixing import *
from candide.native.reference.objects import *
from candide.native.reference.pages import *
from candide.native.reference.records import *
from candide.native.reference.scoring import *
from candide.native.reference.smoothed import *
from candide.native.reference.sparse import *
from candide.native.reference.text import *
from candide.native.reference.text_forms import *
from candide.native.reference.text_scores import *
from candide.native.reference.tuning import *
from candide.native.reference.tuples import *
from candide.native.reference.values import *
from candide.native.reference.views import *
from candide.native.reference.word_lists import *

__all__ = ["after_fork", "give_back", "set_threads", "threads", "useful_threads", "work_alone"]
_columns = (counting, entropy, values, scoring, mappings, json_row, sparse, labels, smoothed, tuples, tuning)
_texts = (calibration, csv_text, mixing, objects, pages, records, text, text_forms, text_scores, views, word_lists)
for _family in (*_columns, *_texts):
    __all__ += _family.__all__


def after_fork() -> None:
    """Go on with one thread in a forked child, where threads were woken before the fork; here none ever is."""


def work_alone() -> None:
    """Wake no others from the calling thread from now on: it is one of several at work already; here none ever is."""


def threads() -> int:
    """How many threads a kernel called from here may use, itself included: one, in plain NumPy."""
    return 1


def useful_threads(cells: int) -> int:  # noqa: ARG001
    """How many threads a kernel called from here would use for so many cells: one, in plain NumPy."""
    return 1


def give_back() -> None:
    """Give freed memory back to the system, where the C library keeps it."""


def set_threads(n: int) -> None:
    """Use at most n threads from now on, in this process; those of NumPy are NumPy's own."""
    if n < 1:
        raise ValueError("n must be at least 1: the calling thread works, too")
