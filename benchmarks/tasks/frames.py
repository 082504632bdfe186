"""Words in frames of several libraries, mixed frames, and groups of columns."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from benchmarks import tables
from benchmarks.tasks import pipelines
from benchmarks.tasks.task import Call, Prepare, Targets, Task
from benchmarks.tasks.ways import Kind, Table, fits, predicts
from candide import NaiveBayes
from candide.discretizers import EqualFrequency
from candide.distributions import Bins

GROUPED = "Columns joined into one attribute"


def frame_tasks() -> Iterator[Task]:
    """Words, and numbers beside words with gaps."""
    yield words_task("pandas strings (object) fit", tables.strings, 5)
    yield words_task("pandas strings (Arrow) fit", tables.arrow_strings, 15)
    yield words_task("pandas categorical fit", tables.categories, 60)
    yield words_task("Arrow dictionary fit", tables.arrow_dictionary, 60, tables.categories)
    yield words_task("Polars strings fit", tables.polars_strings, None, tables.strings)
    yield words_task("Polars Enum fit", tables.polars_enums, 60, tables.strings)
    for name, table in (("strings (object)", tables.strings), ("categorical", tables.categories)):
        ours, theirs = (predicts(kind, table) for kind in (NaiveBayes, pipelines.encoded))
        yield Task(f"pandas {name} predict_log_proba", ours, theirs)
    ours, theirs = (fits_and_predicts(kind, tables.mixed) for kind in (binned, pipelines.mixed))
    yield Task("mixed frame, 5 % missing, fit and predict", ours, theirs, targets=Targets(12))
    ours = fits_and_predicts(NaiveBayes, tables.mixed)
    yield Task("mixed frame, 5 % missing, NaiveBayes() fit and predict", ours, targets=Targets(milliseconds=500))


def group_tasks() -> Iterator[Task]:
    """Two columns of six levels as one attribute, beside the same columns apart."""
    for dtype in ("category", "object"):
        table = partial(tables.six_levels, dtype=dtype)
        for verb, way in (("fit", fits), ("predict_log_proba", predicts)):
            yield Task(
                f"two columns of six levels ({dtype}) {verb}",
                way(joined, table),
                apart=way(NaiveBayes, table),
                targets=Targets(apart=3),
                section=GROUPED,
                rows=200_000,
            )


def words_task(name: str, table: Table, faster: float | None, their_table: Table | None = None) -> Task:
    """Return the task of fitting words; scikit-learn may need them in a frame that it reads."""
    theirs = fits(pipelines.encoded, their_table or table)
    return Task(name, fits(NaiveBayes, table), theirs, targets=Targets(faster))


def binned() -> Any:
    """Our counterpart of scikit-learn's mixed pipeline: the same number of bins, as frequent."""
    return NaiveBayes(distributions=Bins(EqualFrequency(pipelines.BINS)))


def joined() -> Any:
    """Both columns as one attribute."""
    return NaiveBayes(groups=[["left", "right"]])


def fits_and_predicts(kind: Kind, table: Table) -> Prepare:
    """Prepare to fit a frame and decide its rows."""

    def prepare(n: int) -> Call:
        frame, model, y = table(n), kind(), tables.labels(n, 2)
        return lambda: model.fit(frame, y).predict(frame)

    return prepare
