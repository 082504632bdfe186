"""cross_validate and learning_curve: several models, the same folds, one tidy frame."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from candide.datasets.frames import import_pandas
from candide.evaluate.by_class import AVERAGES, areas, averages, class_scores, confusion
from candide.evaluate.coding import hear_coded
from candide.evaluate.folds import folds as split
from candide.evaluate.folds import part
from candide.evaluate.metrics import SCORES, Judge
from candide.evaluate.models import by_name
from candide.evaluate.tables import separate
from candide.evaluate.workers import run
from candide.evaluate.worth import judged
from candide.frozen import frozen
from candide.reading.base import times

Splits = Sequence[tuple[np.ndarray, np.ndarray]]
COLUMNS = ["model", "repeat", "fold", "n_train", "n_test", *SCORES, "fit_seconds", "predict_seconds"]


def cross_validate(
    models: Mapping[str, Any] | Sequence[Any] | Any,
    X: Any,
    y: Any,
    folds: int | Splits = 10,
    repeats: int = 1,
    *,
    train_fraction: float = 1.0,
    stratified: bool = True,
    impossible: str = "error",
    floor: float = 0.0,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: bool | None = None,
    by_class: bool = False,
) -> Any:
    """Score several models over the same folds.

    Every choice (cuts, levels, distributions) is learnt inside the fold. Each of Candide's models knows all
    classes; for others a class missing from the learning fold has probability zero. Rows that are impossible
    under a product model count as errors with LogScore +inf, unless said otherwise; other combinations classify
    them.

    Parameters
    ----------
    models : dict of str to classifier, or one or a list of them
        Candide's or any of scikit-learn's, also by their module and name: "lightgbm.LGBMClassifier,n_estimators=50".
        One of another library that refuses the table as it is gets a column for every level, and means for missing
        numbers. Models without probabilities have NaN where these are scored.
    X : array or frame, or a source: a path, an Arrow reader ...
        A source is read whole, and its columns once for all models.
    y : array, or name of a column of X
    folds : int, or sequence of (learning rows, test rows)
    repeats : int
    train_fraction : float
        Part of each learning fold that is learnt from.
    stratified : bool
        Keep the shares of the classes in folds and parts.
    impossible : "error", "prior" or "first"
        What a row that is impossible under every class of a product model is: an error with LogScore +inf, decided
        by the class prior, or decided for the first class with LogScore +inf.
    floor : float
        The least probability of the true class that LogScore and log-loss know; 0 lets them be infinite.
    seed : int
        Decides the folds and parts.
    n_jobs : int, optional
        Processes, by default all cores. The scores are the same for any number.
    progress : bool, optional
        Show a progress bar; by default on a terminal after one second.
    by_class : bool
        Also balanced_accuracy, precision, f1, matthews and auc of each fold, and in the frame's `attrs` "confusion"
        ({true: {decided: rows}}, all folds together), "classes" ({class: recall, precision, F1 and AUC}) and "worth"
        (what `ModelWorth` says: whether it is better than always answering the commonest class; None for few rows),
        by model.

    Returns
    -------
    pandas.DataFrame
        One row per model, repeat and fold: model, repeat, fold, n_train, n_test, accuracy (0..1), log_score,
        log_loss, brier, calibration_error, fit_seconds, predict_seconds. What other libraries warned of is said in one
        warning, `OthersWarning`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> results = cross_validate({"normal": GaussianNB()}, X, y, folds=5)
    >>> len(results), round(float(results["accuracy"].mean()), 2)
    (5, 0.95)
    """
    plan = _Plan([float(train_fraction)], folds, repeats, stratified, seed)
    judge = Judge(impossible, floor)
    X, y = separate(X, y)
    results = _validate(models, X, y, plan, judge, n_jobs=n_jobs, progress=progress)
    if not by_class:
        return results[COLUMNS]
    detailed = results[[*COLUMNS, *AVERAGES]]
    detailed.attrs = by_model(results, np.unique(y))
    return detailed


def learning_curve(
    models: Mapping[str, Any] | Any,
    X: Any,
    y: Any,
    sizes: Sequence[float],
    folds: int = 10,
    *,
    repeats: int = 1,
    stratified: bool = True,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Any:
    """Score several models after learning from more and more rows of each learning fold.

    Parameters
    ----------
    sizes : sequence of int or float
        Whole numbers of rows, or shares of the learning fold (floats up to 1.0).
    models, X, y, folds, repeats, stratified, seed, n_jobs, progress
        As in `cross_validate`.

    Returns
    -------
    pandas.DataFrame
        The columns of `cross_validate` after the column size.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> curve = learning_curve({"normal": GaussianNB()}, X, y, sizes=[15, 60], folds=3)
    >>> curve.groupby("size")["n_train"].unique().tolist()
    [array([15]), array([60])]
    """
    plan = _Plan(list(sizes), folds, repeats, stratified, seed)
    return _validate(models, X, y, plan, Judge(), n_jobs=n_jobs, progress=progress)[["size", *COLUMNS]]


class OthersWarning(UserWarning):
    """What the models, or libraries behind them, warned of or printed while they were evaluated."""


def tell_others(texts: Sequence[str]) -> None:
    """Say in one warning what was warned of, or printed, in all folds."""
    if texts:
        (first, n), *more = Counter(" ".join(text.split()) for text in texts).most_common()
        rest = f", and {len(more)} other{'s' * (len(more) > 1)}" if more else ""
        short = first if len(first) <= SHORT else f"{first[: SHORT - 3]}..."
        warned = f"{len(texts)} warning{'s' * (len(texts) > 1)} in the folds"
        warnings.warn(f"{warned}, {times(n)} {short!r}{rest}", OthersWarning, stacklevel=4)


def by_model(results: Any, classes: np.ndarray) -> dict[str, dict[str, Any]]:
    """Return the confusion, the scores of the classes and the worth of each model, all folds together."""
    pandas = import_pandas()
    out: dict[str, dict[str, Any]] = {"confusion": {}, "classes": {}, "worth": {}}
    for name in results["model"].unique():
        mine = results[results["model"] == name]
        counts = np.sum(mine["confusion"].tolist(), axis=0)
        found = {"rows": counts.sum(axis=1), **class_scores(counts)}
        areas_of = np.array(mine["areas"].tolist())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # a class that is in no fold has no area
            found["auc"] = np.nanmean(areas_of, axis=0)
        once = zip(*mine.loc[mine["repeat"] == 0, "rows"], strict=True)  # so that every row is judged once
        truth, right, told = map(np.concatenate, once)
        worth = judged(truth, right, told, classes)
        out["worth"][name] = None if worth is None else asdict(worth)
        out["confusion"][name] = Shared(pandas.DataFrame(counts, index=classes, columns=classes).to_dict("index"))
        out["classes"][name] = Shared(pandas.DataFrame(found, index=classes).to_dict("index"))
    return out


class Shared(dict[Any, Any]):
    """A dict that all copies of a frame share: pandas copies `attrs` in every step, and a confusion has K² entries."""

    def __deepcopy__(self, _: dict[int, Any]) -> Shared:
        return self


SHORT = 120
"""Characters of a warning that are shown."""


@frozen(eq=True)
class _Plan:
    """Which rows learn and which are tested, for all models alike."""

    sizes: Sequence[float]
    folds: int | Splits
    repeats: int
    stratified: bool
    seed: int

    def places(self, codes: np.ndarray) -> Iterator[_Place]:
        numbers: list[tuple[str, Any, int]] = [("repeats", self.repeats, 1), ("seed", self.seed, 0)]
        for name, value, least in numbers:
            if not isinstance(value, (int, np.integer)) or value < least:
                raise ValueError(f"{name}={value!r:.60}: a whole number of at least {least}")
        given = None if isinstance(self.folds, (int, np.integer)) else given_splits(self.folds, len(codes))
        for repeat in range(self.repeats):
            for fold, (train, test) in enumerate(given or self._drawn(codes, repeat)):
                for size in self.sizes:
                    draw = np.random.default_rng([self.seed, repeat, fold])
                    yield _Place(size, repeat, fold, part(train, codes, size, self.stratified, draw), test)

    def _drawn(self, codes: np.ndarray, repeat: int) -> Splits:
        rng = np.random.default_rng([self.seed, repeat])
        return list(split(codes, int(self.folds), self.stratified, rng))  # type: ignore[arg-type]  # a number


def given_splits(folds: Any, n_rows: int) -> Splits:
    """Return folds as they were given: rows that learn and rows that are tested, by their places."""
    told = ValueError(f"folds={folds!r:.60}: a whole number, or a list of (learning rows, test rows)")
    if not isinstance(folds, Iterable) or isinstance(folds, (str, Mapping)):
        raise told
    out = []
    for fold in folds:
        if not isinstance(fold, (tuple, list)) or len(fold) != 2:
            raise ValueError(f"folds: {fold!r:.60} is no pair of learning rows and test rows")
        both = [np.asarray(rows) for rows in fold]
        for rows in both:
            if rows.ndim != 1 or rows.dtype.kind not in "iu" or not ((rows >= 0) & (rows < n_rows)).all():
                raise ValueError(f"folds: {rows!r:.60}: places of rows, from 0 to {n_rows - 1}")
        out.append((both[0], both[1]))
    if not out:
        raise told
    return out


@frozen(eq=True)
class _Place:
    """One fold: where it stands in the table, its learning rows and its test rows."""

    size: float
    repeat: int
    fold: int
    train: np.ndarray
    test: np.ndarray

    def columns(self) -> dict[str, Any]:
        numbers = {"size": self.size, "repeat": self.repeat, "fold": self.fold}
        return numbers | {"n_train": len(self.train), "n_test": len(self.test)}


def _validate(
    models: Any, X: Any, y: Any, plan: _Plan, judge: Judge, *, n_jobs: int | None, progress: bool | None
) -> Any:
    X, labels = separate(X, y)
    models = by_name(models)
    classes, codes = np.unique(labels, return_inverse=True)
    pieces = [(models, X, codes, classes, place, judge) for place in plan.places(codes)]
    found = run(_score_place, pieces, "cross-validation", n_jobs, progress)
    tell_others([text for piece in found for line in piece for text in line.pop("warned")])
    # every model's folds stand together, in the order the models were given
    lines = [line for name in models for piece in found for line in piece if line["model"] == name]
    return import_pandas().DataFrame(lines)


def _score_place(
    models: dict[str, Any], X: Any, codes: np.ndarray, classes: np.ndarray, place: _Place, judge: Judge
) -> list[dict[str, Any]]:
    from sklearn.utils import _safe_indexing

    train = _safe_indexing(X, place.train), classes[codes[place.train]]
    test = _safe_indexing(X, place.test)
    lines = []
    for name, model in models.items():
        try:
            answers, warned = hear_coded(model, train, test, classes)
        except Exception as error:
            error.add_note(f"while scoring model {name!r}, repeat {place.repeat}, fold {place.fold}")
            raise
        truth = codes[place.test]
        counts = confusion(truth, np.minimum(answers.decided, len(classes) - 1), len(classes))
        auc = areas(truth, np.exp(answers.log_proba))
        lines.append(
            {"model": name, **place.columns()}
            | judge.scores(truth, answers)
            | {"fit_seconds": answers.fit_seconds, "predict_seconds": answers.predict_seconds}
            | {**averages(counts, auc), "confusion": counts, "areas": auc}
            | {"rows": (truth, *judge.by_row(truth, answers))}
            | {"warned": warned}
        )
    return lines
