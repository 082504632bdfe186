"""The drop-in classes on plain arrays and on sparse counts, each beside its namesake."""

from collections.abc import Iterator
from functools import partial
from itertools import product

import sklearn.naive_bayes as scikit_learn

import candide.naive_bayes as drop_ins
from benchmarks import tables
from benchmarks.tasks.task import Targets, Task
from benchmarks.tasks.ways import Table, fits, predicts


def array_tasks() -> Iterator[Task]:
    """Numbers and codes."""
    for k in (2, 10):
        for dtype, order in product(("f8", "f4"), "CF"):
            name = f"numeric fit, {k} classes, float{int(dtype[1]) * 8} {order}"
            table = partial(tables.numbers, n_classes=k, dtype=dtype, order=order)
            yield fit_task(name, "GaussianNB", table, k, Targets(15, 3, allowance=True), 10**7)
    for k, faster in ((2, 8), (10, 10)):
        table = partial(tables.numbers, n_classes=k)
        name = f"numeric predict_log_proba, {k} classes"
        yield predict_task(name, "GaussianNB", table, k, Targets(faster, allowance=True), 10**7)
    for k, faster in ((2, 20), (10, 40)):
        for dtype, times, floors in (("int64", 1, 4), ("uint8", 2, None)):
            targets = Targets(faster * times, floors, allowance=True)
            table = partial(tables.codes, n_classes=k, dtype=dtype)
            yield fit_task(f"codes fit, {k} classes, {dtype}", "CategoricalNB", table, k, targets, 10**7)
    for k in (2, 10):
        table = partial(tables.codes, n_classes=k)
        name = f"codes predict_log_proba, {k} classes"
        yield predict_task(name, "CategoricalNB", table, k, Targets(8, allowance=True), 10**7)


def text_tasks() -> Iterator[Task]:
    """Sparse counts of words; a tenth as many documents as rows elsewhere."""
    few, many = partial(tables.documents, vocabulary=20_000), partial(tables.documents, vocabulary=2_000)
    targets = Targets(2, allowance=True)
    yield fit_task("text fit, 20 classes", "MultinomialNB", few, 20, targets)
    yield predict_task("text predict_log_proba, 20 classes", "MultinomialNB", few, 20, targets)
    yield fit_task("text fit, 2,000 classes", "MultinomialNB", many, 2000, Targets(20, memory=1 / 20))
    yield predict_task("text predict, 2,000 classes", "MultinomialNB", many, 2000, Targets(2), method="predict")


def fit_task(name: str, kind: str, table: Table, n_classes: int, targets: Targets, largest: int = 10**6) -> Task:
    """Return the task of fitting a class of both libraries."""
    ours, theirs = (fits(getattr(module, kind), table, n_classes) for module in (drop_ins, scikit_learn))
    return Task(name, ours, theirs, cells=table, targets=targets, largest=largest)


def predict_task(
    name: str,
    kind: str,
    table: Table,
    n_classes: int,
    targets: Targets,
    largest: int = 10**6,
    method: str = "predict_log_proba",
) -> Task:
    """Return the task of asking a fitted class of both libraries."""
    ours, theirs = (predicts(getattr(module, kind), table, n_classes, method) for module in (drop_ins, scikit_learn))
    return Task(name, ours, theirs, cells=table, targets=targets, largest=largest)
