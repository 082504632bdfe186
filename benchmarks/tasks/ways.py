"""The ways in which most tasks are done: fitting a table, asking about it, asking about one row of it."""

from collections.abc import Callable
from typing import Any

from benchmarks import tables
from benchmarks.tasks.task import Call, Prepare

Table = Callable[[int], Any]
Kind = Callable[[], Any]
"""Makes a classifier."""


def fits(kind: Kind, table: Table, n_classes: int = 2) -> Prepare:
    """Prepare to fit."""

    def prepare(n: int) -> Call:
        X, model = table(n), kind()
        y = tables.labels(X.shape[0], n_classes)
        return lambda: model.fit(X, y)

    return prepare


def predicts(kind: Kind, table: Table, n_classes: int = 2, method: str = "predict_log_proba") -> Prepare:
    """Prepare to ask a fitted model about the rows that it learnt."""

    def prepare(n: int) -> Call:
        X = table(n)
        ask = getattr(kind().fit(X, tables.labels(X.shape[0], n_classes)), method)
        return lambda: ask(X)

    return prepare


def predicts_row(kind: Kind, table: Table) -> Prepare:
    """Prepare to ask a fitted model about one row, of which no cell is missing."""

    def prepare(n: int) -> Call:
        X = table(n)
        row = X.dropna().iloc[:1] if hasattr(X, "dropna") else X[:1].copy()
        model = kind().fit(X, tables.labels(n, 2))
        return lambda: model.predict(row)

    return prepare
