"""Tables that are evaluated on: sources as one frame, its columns read once for all models, and labels apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from candide.datasets.frames import import_pandas
from candide.evaluate.answers import n_rows
from candide.messages import did_you_mean, unknown


def separate(X: Any, y: Any) -> tuple[Any, np.ndarray]:
    """Return X without the target, and the labels: y is an array, or the name of a column of X.

    A source, such as a path, is read whole, as `candide evaluate` reads it.
    """
    if not isinstance(y, str):
        labels = np.asarray(y)
        if labels.shape != (n_rows(X),):
            raise ValueError(f"y has shape {labels.shape} for {n_rows(X)} rows of X")
        return X, labels
    if not hasattr(X, "columns") and not hasattr(X, "column_names"):
        from candide.sources.base import open_source

        source = open_source(X)
        if source is not None:
            frame, labels = whole_frame(source.learning(y, None).batches(), source.name, y)
            return read_columns(frame)[0], labels
    if y not in getattr(X, "column_names", getattr(X, "columns", ())):
        here = [str(name) for name in getattr(X, "column_names", getattr(X, "columns", ()))]
        raise ValueError(f"X has no column {y!r} to take the labels from{did_you_mean(y, here)}")
    if hasattr(X, "drop_columns"):
        return X.drop_columns([y]), np.asarray(X[y])
    return X.drop(columns=y) if hasattr(X, "iloc") else X.drop(y), np.asarray(X[y])


def whole_frame(batches: Iterable[Any], name: str, target: str) -> tuple[Any, np.ndarray]:
    """Return the batches of a source as one pandas frame without the target, and the labels.

    Parameters
    ----------
    batches : iterable of frames
    name : str
        What to call the source in a message.
    target : str
    """
    frames = [as_pandas(frame) for frame in batches]
    if not frames:
        raise ValueError(f"{name} has no rows")
    frame = frames[0] if len(frames) == 1 else import_pandas().concat(frames, ignore_index=True)
    if target not in frame.columns:
        raise ValueError(f"{name}: {unknown('column', target, list(frame.columns))}")
    labels = frame.pop(target)
    return frame, labels.to_numpy() if labels.dtype.kind in "iub" else labels.astype(object).to_numpy()


def read_columns(frame: Any, reading: Any = "auto") -> tuple[Any, list[str]]:
    """Return a frame with its columns read, the same for all models, and what is to be said of it.

    Parameters
    ----------
    frame : pandas.DataFrame
    reading : "auto", "plain" or mapping of columns to how each is read

    Examples
    --------
    >>> import pandas as pd
    >>> frame, said = read_columns(pd.DataFrame({"price": ["$ 1", "$ 2", "$ 4", "$ 3"]}))
    >>> frame["price"].tolist()
    [1.0, 2.0, 4.0, 3.0]
    """
    from candide.reading import look
    from candide.scoring.explanation import readable
    from candide.table import Numbers, read

    table = read(frame)
    found = look(table, reading)
    if not found:
        return frame, []
    columns: dict[str, Any] = {}
    told = found.apply(table)
    for j, name in enumerate(told.names or ()):
        if found.origin(name) not in found or told.kind(j) == "bags":
            columns[name] = frame[found.origin(name)].to_numpy()
        else:
            column = told.column(j)
            columns[name] = column.values if isinstance(column, Numbers) else readable(column)
    return import_pandas().DataFrame(columns), found.lines()


def as_pandas(frame: Any) -> Any:
    """Return a frame of any library as one of pandas; text that is stored as codes is text, and declares no levels."""
    if not hasattr(frame, "to_pandas"):
        return frame
    if hasattr(frame, "column_names"):
        from candide.table.arrow import stored_columns

        for i in stored_columns(frame.schema):
            frame = frame.set_column(i, frame.column_names[i], frame.column(i).cast("string"))
    return frame.to_pandas()
