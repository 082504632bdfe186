"""`NaiveBayes()` as it comes, on continuous columns: whole tables, one row, learning on."""

from collections.abc import Iterator
from functools import partial
from itertools import count

import sklearn.naive_bayes as scikit_learn

import candide.naive_bayes as drop_ins
from benchmarks import tables
from benchmarks.tasks import pipelines
from benchmarks.tasks.frames import binned
from benchmarks.tasks.task import Call, Prepare, Targets, Task
from benchmarks.tasks.ways import Kind, fits, predicts, predicts_row
from candide import NaiveBayes

NUMBERS, CODES = partial(tables.numbers, n_classes=2), partial(tables.codes, n_classes=2)
ONE_ROW = "One row at a time"
LEARNING_ON = "Learning on, after 10,000 rows"


def default_tasks() -> Iterator[Task]:
    """Twenty continuous columns, each of whose distributions is chosen."""
    for verb, way, most in (("fit", fits, 250), ("predict_log_proba", predicts, 80)):
        ours, theirs = (way(kind, NUMBERS) for kind in (NaiveBayes, scikit_learn.GaussianNB))
        targets = Targets(milliseconds=most)
        yield Task(f"NaiveBayes() {verb}, continuous columns", ours, theirs, cells=NUMBERS, targets=targets)


def one_row_tasks() -> Iterator[Task]:
    """How long one row waits for its label."""
    for name in ("GaussianNB", "CategoricalNB"):
        table = NUMBERS if name == "GaussianNB" else CODES
        ours, theirs = (predicts_row(getattr(module, name), table) for module in (drop_ins, scikit_learn))
        yield Task(f"NumPy row, {name}", ours, theirs, targets=Targets(3), section=ONE_ROW, rows=1000)
    ours, theirs = predicts_row(NaiveBayes, NUMBERS), predicts_row(scikit_learn.GaussianNB, NUMBERS)
    yield Task("NumPy row, NaiveBayes()", ours, theirs, section=ONE_ROW, rows=10_000)
    for name, kind, targets in (
        ("ten bins", binned, Targets(10)),
        ("NaiveBayes()", NaiveBayes, Targets(milliseconds=0.15)),
    ):
        ours, theirs = (predicts_row(way, tables.mixed) for way in (kind, pipelines.mixed))
        yield Task(f"pandas mixed row, {name}", ours, theirs, targets=targets, section=ONE_ROW, rows=1000)


def learning_tasks() -> Iterator[Task]:
    """A few rows more, and what is said of the next."""
    for rows, ask, most in ((1, False, 0.15), (1, True, None), (100, True, 10)):
        ours, theirs = (learns_on(kind, rows, ask) for kind in (NaiveBayes, scikit_learn.GaussianNB))
        name = f"partial_fit of {'one row' if rows == 1 else f'{rows} rows'}{', then predict one' if ask else ''}"
        yield Task(name, ours, theirs, targets=Targets(milliseconds=most), section=LEARNING_ON, rows=10_000)


def learns_on(kind: Kind, rows: int, ask: bool) -> Prepare:
    """Prepare to teach a fitted model a few rows that it has not seen, others at every call."""

    def prepare(n: int) -> Call:
        X, y = NUMBERS(2 * n), tables.labels(2 * n, 2)
        model, turn = kind().fit(X[:n], y[:n]), count()

        def call() -> None:
            begin = n + next(turn) * rows % n
            end = min(begin + rows, 2 * n)
            model.partial_fit(X[begin:end], y[begin:end])
            if ask:
                model.predict(X[:1])

        return call

    return prepare
