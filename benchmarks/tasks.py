"""What is measured, against what, and what was promised."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import sklearn.naive_bayes as scikit_learn

import candide.naive_bayes as drop_ins
from benchmarks import tables
from candide import NaiveBayes


@dataclass(frozen=True)
class Case:
    """One task at one size: two ways to do it, and the bytes that must be read."""

    ours: Callable[[], Any]
    theirs: Callable[[], Any]
    cells: Any = None


@dataclass(frozen=True)
class Task:
    """A task; `faster`, `floors` and `memory` are its targets: times as fast as scikit-learn, passes of numpy.sum at
    most, and the share of scikit-learn's extra memory at most. `drop_in` tasks may use a tenth of their input
    besides their output."""

    name: str
    build: Callable[[int], Case]
    faster: float | None = None
    floors: float | None = None
    memory: float | None = None
    drop_in: bool = False
    single: bool = False
    largest: int = 10**6


def fits(name, table, n_classes):
    def build(n):
        X = table(n)
        y = tables.labels(X.shape[0], n_classes)
        ours, theirs = getattr(drop_ins, name)(), getattr(scikit_learn, name)()
        return Case(lambda: ours.fit(X, y), lambda: theirs.fit(X, y), X)

    return build


def predicts(name, table, n_classes, method="predict_log_proba"):
    def build(n):
        X = table(n)
        y = tables.labels(X.shape[0], n_classes)
        ours, theirs = (getattr(module, name)().fit(X, y) for module in (drop_ins, scikit_learn))
        return Case(lambda: getattr(ours, method)(X), lambda: getattr(theirs, method)(X), X)

    return build


def encoded():
    """Scikit-learn's way from words to CategoricalNB."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OrdinalEncoder

    return make_pipeline(OrdinalEncoder(), scikit_learn.CategoricalNB())


def words(table, theirs=None):
    def build(n):
        ours, frame, y = NaiveBayes(), table(n), tables.labels(n, 2)
        other = frame if theirs is None else theirs(n)
        pipeline = encoded()
        return Case(lambda: ours.fit(frame, y), lambda: pipeline.fit(other, y))

    return build


def words_predict(table):
    def build(n):
        frame, y = table(n), tables.labels(n, 2)
        ours, pipeline = NaiveBayes().fit(frame, y), encoded().fit(frame, y)
        return Case(lambda: ours.predict_log_proba(frame), lambda: pipeline.predict_log_proba(frame))

    return build


def mixed_pair():
    """Our classifier for mixed frames, and the usual pipeline."""
    from sklearn.compose import make_column_selector, make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import KBinsDiscretizer, OrdinalEncoder

    from candide.discretizers import EqualFrequency
    from candide.distributions import Bins

    bins = KBinsDiscretizer(10, encode="ordinal", strategy="quantile", quantile_method="averaged_inverted_cdf")
    columns = make_column_transformer(
        (make_pipeline(SimpleImputer(strategy="median"), bins), make_column_selector(dtype_include="number")),
        (
            make_pipeline(SimpleImputer(strategy="most_frequent", missing_values=None), OrdinalEncoder()),
            make_column_selector(dtype_exclude="number"),
        ),
    )
    return NaiveBayes(distributions=Bins(EqualFrequency(10))), make_pipeline(columns, scikit_learn.CategoricalNB())


def mixed(n):
    (ours, theirs), frame, y = mixed_pair(), tables.mixed(n), tables.labels(n, 2)
    return Case(lambda: ours.fit(frame, y).predict(frame), lambda: theirs.fit(frame, y).predict(frame))


def one_row(name, table):
    def build(_):
        X, y = table(1000), tables.labels(1000, 2)
        ours, theirs = (getattr(module, name)().fit(X, y) for module in (drop_ins, scikit_learn))
        row = X[:1].copy()
        return Case(lambda: ours.predict(row), lambda: theirs.predict(row))

    return build


def one_mixed_row(_):
    frame, y = tables.mixed(1000), tables.labels(1000, 2)
    ours, theirs = (model.fit(frame, y) for model in mixed_pair())
    row = frame.dropna().iloc[:1]
    return Case(lambda: ours.predict(row), lambda: theirs.predict(row))


def drop_in_tasks():
    """The five classes on plain arrays."""
    for k in (2, 10):
        for dtype, order in product(("f8", "f4"), "CF"):
            name = f"numeric fit, {k} classes, float{int(dtype[1]) * 8} {order}"
            table = partial(tables.numbers, n_classes=k, dtype=dtype, order=order)
            yield Task(name, fits("GaussianNB", table, k), 15, 3, drop_in=True, largest=10**7)
    for k, faster in ((2, 8), (10, 10)):
        build = predicts("GaussianNB", partial(tables.numbers, n_classes=k), k)
        yield Task(f"numeric predict_log_proba, {k} classes", build, faster, drop_in=True, largest=10**7)
    for k, faster in ((2, 20), (10, 40)):
        for dtype, times, floors in (("int64", 1, 4), ("uint8", 2, None)):
            build = fits("CategoricalNB", partial(tables.codes, n_classes=k, dtype=dtype), k)
            name = f"codes fit, {k} classes, {dtype}"
            yield Task(name, build, faster * times, floors, drop_in=True, largest=10**7)
    for k in (2, 10):
        build = predicts("CategoricalNB", partial(tables.codes, n_classes=k), k)
        yield Task(f"codes predict_log_proba, {k} classes", build, 8, drop_in=True, largest=10**7)


def frame_tasks():
    """Words in frames, and mixed frames."""
    yield Task("pandas strings (object) fit", words(tables.strings), 5)
    yield Task("pandas strings (Arrow) fit", words(tables.arrow_strings), 15)
    yield Task("pandas categorical fit", words(tables.categories), 60)
    yield Task("Arrow dictionary fit", words(tables.arrow_dictionary, tables.categories), 60)
    yield Task("Polars strings fit", words(tables.polars_strings, tables.strings))
    yield Task("Polars Enum fit", words(tables.polars_enums, tables.strings), 60)
    yield Task("pandas strings (object) predict_log_proba", words_predict(tables.strings))
    yield Task("pandas categorical predict_log_proba", words_predict(tables.categories))
    yield Task("mixed frame, 5 % missing, fit and predict", mixed, 12)


def text_tasks():
    """Sparse counts of words; a tenth as many documents as rows elsewhere."""
    few, many = partial(tables.documents, vocabulary=20_000), partial(tables.documents, vocabulary=2_000)
    yield Task("text fit, 20 classes", fits("MultinomialNB", few, 20), 2, drop_in=True)
    yield Task("text predict_log_proba, 20 classes", predicts("MultinomialNB", few, 20), 2, drop_in=True)
    yield Task("text fit, 2,000 classes", fits("MultinomialNB", many, 2000), 20, memory=1 / 20)
    yield Task("text predict, 2,000 classes", predicts("MultinomialNB", many, 2000, "predict"), 2)


def single_row_tasks():
    """One row at a time."""
    numbers, codes = partial(tables.numbers, n_classes=2), partial(tables.codes, n_classes=2)
    yield Task("one row, GaussianNB", one_row("GaussianNB", numbers), 3, single=True)
    yield Task("one row, CategoricalNB", one_row("CategoricalNB", codes), 3, single=True)
    yield Task("one row, mixed frame", one_mixed_row, 10, single=True)


def tasks():
    """Return every task in the order of the report."""
    return [*drop_in_tasks(), *frame_tasks(), *text_tasks(), *single_row_tasks()]
