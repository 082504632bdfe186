"""Dataset: a frame, its target, and what kind each column is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from candide.datasets.frames import import_pandas

SYMBOLS = ("categorical", "binary")
NUMBERS = ("numeric", "count")
KINDS = (*SYMBOLS, *NUMBERS, "text")


@dataclass(frozen=True, repr=False)
class Dataset:
    """A classification table with its target and description.

    Parameters
    ----------
    name : str
    frame : pandas.DataFrame
        All columns, the target among them. Symbols have a categorical dtype that declares every level of the
        whole file, so that parts of it keep the same domain; the target is plain strings.
    target : str
        The target's column name.
    description : str
    kinds : dict of str to str
        Kind of every column: "categorical", "binary", "numeric", "count" or "text".
    """

    name: str
    frame: Any
    target: str
    description: str
    kinds: Mapping[str, str]

    @cached_property
    def X(self) -> Any:  # noqa: N802
        """The columns to learn from: the frame without the target."""
        return self.frame.drop(columns=self.target)

    @property
    def y(self) -> Any:
        """The target column, a series of labels."""
        return self.frame[self.target]

    def __repr__(self) -> str:
        rows, columns = self.frame.shape
        return f"Dataset({self.name!r}: {rows} rows, {columns - 1} columns, {self.y.nunique()} classes)"


def declare(frame: Any, kinds: Mapping[str, str], target: str) -> Any:
    """Give each column of a frame of strings (missing: NaN) the dtype of its kind.

    Parameters
    ----------
    frame : pandas.DataFrame
        The characters as they stand in the file.
    kinds : mapping of str to str
        Kind of every column.
    target : str
        The target stays strings.
    """
    columns = {name: _column(frame[name], kinds[name], name == target) for name in frame.columns}
    return import_pandas().DataFrame(columns, index=frame.index)


def _column(values: Any, kind: str, is_target: bool) -> Any:
    pandas = import_pandas()
    if kind not in KINDS:
        raise ValueError(f"column {values.name!r} has the unknown kind {kind!r}; kinds are {', '.join(KINDS)}")
    if is_target:
        return values.astype(str)
    if kind in SYMBOLS:
        return values.astype(pandas.CategoricalDtype(sorted(values.dropna().unique())))
    if kind in NUMBERS:
        return pandas.to_numeric(values)
    return values.fillna("").astype(str)
