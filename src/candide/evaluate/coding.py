"""Coding: tables for classifiers that take nothing but whole rows of numbers.

Which ones these are only they know: a classifier gets the table as it is, and coded where it refuses that.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.datasets.frames import import_pandas
from candide.evaluate.answers import Answers, hear, is_candide
from candide.evaluate.tables import as_pandas


def hear_coded(model: Any, train: tuple[Any, np.ndarray], test: Any, classes: np.ndarray) -> tuple[Answers, list[str]]:
    """Let a model answer, as `hear` does; another library's that refuses the table gets a column for every level.

    Missing numbers are then the means of their columns.
    """
    try:
        return hear(model, train, test, classes)
    except (ValueError, TypeError) as error:
        if is_candide(model) or (frames := told_apart(train[0], test)) is None:
            raise
        try:
            return hear(coded(model, frames[0]), (frames[0], train[1]), frames[1], classes)
        except (ValueError, TypeError):
            raise error from None  # it was not for the columns


def told_apart(*tables: Any) -> list[Any] | None:
    """Return tables as frames of numbers and of text; None where all cells are numbers, and none is missing."""
    pandas = import_pandas()
    frames = [pandas.DataFrame(as_pandas(table)).infer_objects() for table in tables]
    numeric = {name: pandas.api.types.is_numeric_dtype(cells) for name, cells in frames[0].items()}
    if all(numeric.values()) and not any(frame.isna().any(axis=None) for frame in frames):
        return None
    return [
        pandas.DataFrame({str(n): cells.astype(float) if numeric[n] else spelt(cells) for n, cells in frame.items()})
        for frame in frames
    ]


def spelt(cells: Any) -> Any:
    """Return a column as text, None where a cell is missing."""
    return cells.astype(object).where(cells.notna(), None).map(str, na_action="ignore")


def coded(classifier: Any, frame: Any) -> Any:
    """Return a classifier behind what it needs: means for missing numbers, a column per level."""
    from sklearn.compose import make_column_selector, make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    number = make_column_selector(dtype_include="number")
    other = make_column_selector(dtype_exclude="number")
    code = make_column_transformer(
        (SimpleImputer(keep_empty_features=True), number(frame)),
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), other(frame)),
    )
    return make_pipeline(code, classifier)
