"""Cross-validation of a source that does not fit into memory: models of the folds add up, and so do their scores."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from candide.datasets.frames import import_pandas
from candide.evaluate.answers import impossible, is_candide, log_proba
from candide.evaluate.evaluation import Evaluation
from candide.evaluate.held_out import weighed_on
from candide.evaluate.models import by_name
from candide.evaluate.tables import separate
from candide.evaluate.validation import COLUMNS
from candide.sources.base import Source, open_source

Array = np.ndarray[Any, Any]

BINS = 10
"""Equally wide bins of the error of calibration."""


def cross_validate_source(models: Mapping[str, Any] | Any, source: Any, y: str, folds: int = 10, seed: int = 0) -> Any:
    """Cross-validate models on a source, in constant memory: it is read once to learn and once to be predicted.

    The fold of a row is a hash of its number. One model is taught each fold; what is tested on a fold is the sum of the
    models of all others, which is what learning their rows together gives.

    Parameters
    ----------
    models : Candide's classifier, or a mapping of names to such
    source : path, pattern, dataset, lazy frame ...
        What can be read twice.
    y : str
        The column of the labels.
    folds : int
    seed : int
        Decides the folds.

    Returns
    -------
    pandas.DataFrame
        The columns of `cross_validate`; the seconds of learning and of predicting are those of all folds, shared out.
    """
    if folds < 2:
        raise ValueError(f"folds must be at least 2, got {folds}")
    asked, opened = opened_twice(models, source)
    read = opened.learning(y, None)
    learnt = {name: FoldModels(model, folds) for name, model in asked.items()}
    for fold, rows in split(read.batches(), folds, seed):
        for model in learnt.values():
            model.learn(fold, rows, y)
    for model in learnt.values():
        model.sum_up()
    for fold, rows in split(read.batches(), folds, seed):
        X, labels = separate(rows, y)
        for model in learnt.values():
            model.test(fold, X, labels)
    return import_pandas().DataFrame([line for name, model in learnt.items() for line in model.lines(name)])[[*COLUMNS]]


def leave_one_out_source(models: Mapping[str, Any] | Any, source: Any, y: str) -> Evaluation:
    """Score models on a source by leaving out one row at a time; see `leave_one_out`."""
    from sklearn.base import clone

    asked, opened = opened_twice(models, source)
    read, lines, classes, flattered = opened.learning(y, None), [], np.zeros(0), []
    for name, model in asked.items():
        fitted, tally = clone(model).fit(read, y), ScoreSums()
        classes = fitted.classes_
        flattered += [name] if weighed_on(fitted.model_) else []
        for truth, log_p in fitted._left_out_batches(read, y):
            tally.add(truth, log_p.argmax(axis=1), log_p, np.zeros(len(truth), dtype=bool))
        lines.append({"model": name, "n": tally.n, **tally.scores()})
    names = [str(label) for label in classes.tolist()]
    return Evaluation(import_pandas().DataFrame(lines), {}, names, flattered=flattered)


def opened_twice(models: Mapping[str, Any] | Any, source: Any) -> tuple[dict[str, Any], Source]:
    """Return models by name and a source that can be read twice, or say what cannot be evaluated so."""
    opened = open_source(source)
    if opened is None or not opened.repeatable:
        raise ValueError("a source is read twice, to learn and to be predicted: give files, or what can be read again")
    asked = dict(by_name(models))
    strange = next((name for name, model in asked.items() if not is_candide(model)), None)
    if strange is not None:
        raise ValueError(f"model {strange!r} does not add up: a source is evaluated by Candide's classifiers alone")
    return asked, opened


def split(frames: Iterator[Any], folds: int, seed: int) -> Iterator[tuple[int, Any]]:
    """Yield the rows of each batch that belong to each fold."""
    from sklearn.utils import _safe_indexing

    start = 0
    for frame in frames:
        fold = fold_of(start + np.arange(len(frame), dtype=np.uint64), folds, seed)
        for k in range(folds):
            rows = np.flatnonzero(fold == k)
            if len(rows):
                yield k, _safe_indexing(frame, rows)
        start += len(frame)


def fold_of(rows: Array, folds: int, seed: int) -> Array:
    """Return the fold of each row: a hash of its number (the finish of MurmurHash3), the same however rows are read.

    Examples
    --------
    >>> fold_of(np.arange(6, dtype=np.uint64), 3, seed=0).tolist()
    [0, 2, 0, 2, 2, 1]
    """
    h = rows + np.uint64(seed * 0x9E3779B97F4A7C15 % 2**64)
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        h = (h ^ (h >> np.uint64(33))) * np.uint64(factor)
    return ((h ^ (h >> np.uint64(33))) % np.uint64(folds)).astype(np.int64)


@dataclass(eq=False)
class ScoreSums:
    """Sums over rows that were tested, from which all scores follow."""

    n: int = 0
    right: int = 0
    loss: float = 0.0
    brier: float = 0.0
    bins: Array = field(default_factory=lambda: np.zeros((3, BINS)))

    def add(self, truth: Array, decided: Array, log_p: Array, lost: Array) -> None:
        """Take some rows into account; see `candide.evaluate.metrics.scores` for what the sums are of."""
        p = np.exp(log_p)
        confidence = p.max(axis=1)
        event = (p.argmax(axis=1) == truth) & ~lost
        at = np.clip(np.ceil(confidence * BINS).astype(int) - 1, 0, BINS - 1)
        self.n += len(truth)
        self.right += int(((decided == truth) & ~lost).sum())
        self.loss += float(np.where(lost, np.inf, -log_p[np.arange(len(truth)), truth]).sum())
        self.brier += float(((p - np.eye(p.shape[1])[truth]) ** 2).sum())
        self.bins += np.stack([np.bincount(at, w, BINS) for w in (None, confidence, event.astype(float))])

    def scores(self) -> dict[str, float]:
        """Return the scores of all rows; the error of calibration is Σ_b |Σ event − Σ confidence| / N."""
        n = max(self.n, 1)
        return {
            "accuracy": self.right / n,
            "log_score": self.loss,
            "log_loss": self.loss / n,
            "brier": self.brier / n,
            "calibration_error": float(np.abs(self.bins[2] - self.bins[1]).sum() / n),
        }


class FoldModels:
    """A model of each fold, then of all others, and the sums of what it answered.

    Parameters
    ----------
    model : Classifier
    folds : int
    """

    def __init__(self, model: Any, folds: int) -> None:
        from sklearn.base import clone

        self.parts = [clone(model) for _ in range(folds)]
        self.tallies = [ScoreSums() for _ in range(folds)]
        self.seen = np.zeros(folds, dtype=np.int64)
        self.tested: list[Any] = []
        self.classes: Array = np.zeros(0)
        self.fit_seconds = self.predict_seconds = 0.0

    def learn(self, fold: int, rows: Any, y: str) -> None:
        """Teach the model of a fold some of its rows."""
        start = time.perf_counter()
        self.parts[fold].partial_fit(rows, y)
        self.seen[fold] += len(rows)
        self.fit_seconds += time.perf_counter() - start

    def sum_up(self) -> None:
        """Make the model of all other folds, for each; every one knows the classes of all."""
        start = time.perf_counter()
        there = [part for part, n in zip(self.parts, self.seen, strict=True) if n]
        if len(there) < len(self.parts):
            raise ValueError(f"there are too few rows for {len(self.parts)} folds: some have none")
        self.classes = sum(there).classes_
        for k in range(len(there)):
            others: Any = sum(there[:k] + there[k + 1 :])
            model = others._with(others.learnt_.with_classes(self.classes))
            _ = model.model_
            self.tested.append(model)
        self.fit_seconds += time.perf_counter() - start

    def test(self, fold: int, X: Any, labels: Array) -> None:
        """Let the model of the other folds answer some rows of a fold."""
        model, start = self.tested[fold], time.perf_counter()
        decided = np.searchsorted(self.classes, np.asarray(model.predict(X)))
        self.predict_seconds += time.perf_counter() - start
        truth = np.searchsorted(self.classes, labels)
        self.tallies[fold].add(truth, decided, log_proba(model, X, self.classes), impossible(model, X))

    def lines(self, name: str) -> list[dict[str, Any]]:
        """Return the results of every fold."""
        share = 1 / len(self.parts)
        seconds = {"fit_seconds": self.fit_seconds * share, "predict_seconds": self.predict_seconds * share}
        return [
            {"model": name, "repeat": 0, "fold": k, "n_train": int(self.seen.sum() - self.seen[k])}
            | {"n_test": tally.n, **tally.scores(), **seconds}
            for k, tally in enumerate(self.tallies)
        ]
