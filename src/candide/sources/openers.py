"""Openers: what may be given beside paths, and what reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from candide.sources.base import Reading, Source, is_frame
from candide.sources.databases import Cursor, Relation, is_cursor, is_relation
from candide.sources.streams import ArrowDataset, ArrowStream, Frames, LazyFrames
from candide.table.encode import library


def _is_dataset(X: Any) -> bool:
    return library(X) == "pyarrow" and hasattr(X, "to_batches") and hasattr(X, "scanner")


def _is_lazy(X: Any) -> bool:
    return library(X) == "polars" and hasattr(X, "collect")


def _are_frames(X: Any) -> bool:
    return isinstance(X, (list, tuple)) and len(X) > 0 and is_frame(X[0])


def _hands_out_arrow(X: Any) -> bool:
    ours = is_frame(X) or type(X).__module__.startswith("narwhals")
    return hasattr(X, "__arrow_c_stream__") and not ours and not isinstance(X, type)


def _is_iterator(X: Any) -> bool:
    return isinstance(X, Iterator)


OPENERS: tuple[tuple[Callable[[Any], bool], Callable[[Any, Reading], Source]], ...] = (
    (_is_dataset, ArrowDataset),
    (_is_lazy, LazyFrames),
    (is_relation, Relation),
    (is_cursor, Cursor),
    (_hands_out_arrow, ArrowStream),
    (_are_frames, Frames),
    (_is_iterator, Frames),
)
"""What may be given, and what reads it; the first that fits counts."""
