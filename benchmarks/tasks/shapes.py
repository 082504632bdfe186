"""`NaiveBayes()` as it comes on tables of other shapes, and its other answers."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import sklearn.naive_bayes as scikit_learn

from benchmarks import tables
from benchmarks.tasks.task import Call, Prepare, Targets, Task
from candide import NaiveBayes

SECTION = "NaiveBayes() on tables of other shapes"
ANSWERS = "NaiveBayes(), other answers"

Data = tuple[np.ndarray, np.ndarray]


def shape_tasks() -> Iterator[Task]:
    """Few rows, many columns, many classes; intervals and explanations."""
    for n, most in ((10_000, 25), (100_000, 80)):
        data = partial(shifted, columns=20)
        yield fitted(f"fit {n:,} × 20", data, n, Targets(milliseconds=most))
    yield fitted("fit 2,000 × 2,000, all tell", partial(shifted, columns=2000), 2000, Targets(milliseconds=1000))
    wide = partial(shifted, columns=10_000, telling=500)
    yield fitted("fit 2,000 × 10,000, 5 % tell", wide, 2000, Targets(milliseconds=4000, megabytes=300))
    many = partial(shifted, columns=20, n_classes=200)
    yield fitted("fit 20,000 × 20, 200 classes", many, 20_000, Targets(milliseconds=500, megabytes=100))
    yield asked("predict 20,000 × 20, 200 classes", many, 20_000, "predict", Targets(milliseconds=60), SECTION)
    few = partial(shifted, columns=20)
    for name, method, rows, most in (
        ("predict_interval, one row", "predict_interval", 1, 2),
        ("explain, 10,000 rows", "explain", 10_000, 60),
    ):
        yield asked(name, few, 10_000, method, Targets(milliseconds=most), ANSWERS, rows)


def shifted(n: int, columns: int, telling: int | None = None, n_classes: int = 2) -> Data:
    """Normal columns, of which some have means that depend on the class."""
    rng = np.random.default_rng(4)
    y = tables.labels(n, n_classes)
    X = rng.standard_normal((n, columns))
    tell = columns if telling is None else telling
    X[:, :tell] += 0.3 * rng.normal(size=(n_classes, tell))[y]
    return X, y


def fitted(name: str, data: Callable[[int], Data], rows: int, targets: Targets) -> Task:
    """Return the task of fitting a table, beside scikit-learn's normal columns."""

    def prepare(kind: Callable[[], Any]) -> Prepare:
        def prepared(n: int) -> Call:
            X, y = data(n)
            return lambda: kind().fit(X, y)

        return prepared

    return Task(
        name, prepare(NaiveBayes), prepare(scikit_learn.GaussianNB), targets=targets, section=SECTION, rows=rows
    )


def asked(
    name: str,
    data: Callable[[int], Data],
    rows: int,
    method: str,
    targets: Targets,
    section: str,
    about: int | None = None,
) -> Task:
    """Return the task of asking a fitted model about some of its rows."""

    def prepare(n: int) -> Call:
        X, y = data(n)
        model = NaiveBayes().fit(X, y)
        some = X if about is None else X[:about]
        return lambda: getattr(model, method)(some)

    return Task(name, prepare, targets=targets, section=section, rows=rows)
