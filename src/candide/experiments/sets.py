"""Cross-validate models over many named data sets, under a reading and several times over."""

from __future__ import annotations

import hashlib
import math
import os
import warnings
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field
from pathlib import Path
from typing import Any

import numpy as np

from candide.datasets import load
from candide.datasets.frames import import_pandas
from candide.evaluate import cross_validate
from candide.evaluate.workers import run
from candide.frozen import frozen

TIMES = ["fit_seconds", "predict_seconds"]
FOLDS = 10

AT_ONCE = 8
"""Data sets that are loaded at once."""


@frozen(eq=True)
class Settings:
    """How an experiment runs: where the data are, which seed and readings, how often, in how many processes.

    A partial run goes without the data sets that cannot be had; otherwise one that is missing is an error.
    """

    data: str | Path | None = None
    seed: int = 0
    readings: tuple[str, ...] = ()
    repeats: int | None = None
    n_jobs: int | None = None
    progress: bool | None = None
    partial: bool = False


@frozen(eq=True)
class Validation:
    """How a reading cross-validates.

    Parameters
    ----------
    stratified : bool
        Whether folds and parts of them keep the shares of the classes.
    random : bool
        Ten random test sets of a tenth of the rows, in the place of ten folds.
    cuts : "fold" or "all"
        Whether cut points come from the learning rows or from all rows of the file.
    symbols : bool
        Whether numbers are taken as symbols, each distinct number a level.
    impossible, floor
        As in `cross_validate`; the first class is the first in the file.
    left_out : mapping of a data set to columns
    complete : tuple of data sets
        Those whose rows with missing cells are left out.
    """

    stratified: bool = True
    random: bool = False
    cuts: str = "fold"
    symbols: bool = False
    impossible: str = "error"
    floor: float = 0.0
    left_out: Mapping[str, Sequence[str]] = field(default_factory=dict)
    complete: tuple[str, ...] = ()

    def table(self, dataset: Any) -> tuple[Any, np.ndarray]:
        """Return the columns and the labels of a data set, labels as numbers in the order of the file."""
        X, y = dataset.X, import_pandas().factorize(np.asarray(dataset.y))[0]
        X = X.drop(columns=list(self.left_out.get(dataset.name, ())))
        if dataset.name in self.complete:
            kept = X.notna().all(axis=1).to_numpy()
            X, y = X[kept].reset_index(drop=True), y[kept]
        if self.symbols:
            X = X.assign(**{name: _as_symbols(X[name]) for name in X.columns if X[name].dtype.kind in "iuf"})
        return X, y

    def model(self, model: Any, X: Any, y: np.ndarray) -> Any:
        """Return a model that takes its cut points from where this reading does."""
        return model if self.cuts == "fold" else model.set_params(schema=model.fit(X, y).schema_)

    def splits(self, n: int, seed: int, repeats: int) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return ten random test sets of a tenth of n rows, `repeats` times over."""
        rng = np.random.default_rng([seed, n])
        orders = [rng.permutation(n) for _ in range(FOLDS * repeats)]
        size = tenth(n)
        return [(np.sort(order[size:]), np.sort(order[:size])) for order in orders]


def _as_symbols(column: Any) -> Any:
    """Return a column of numbers as symbols, whose domain is all numbers of the file."""
    return column.astype(str).where(column.notna()).astype("category")


def tenth(n: int) -> int:
    """Return the whole number nearest to n / 10, halves down.

    Examples
    --------
    >>> [tenth(n) for n in (194, 208, 345, 569)]
    [19, 21, 34, 57]
    """
    return math.ceil(n / 10 - 0.5)


class PartialRunWarning(UserWarning):
    """An experiment goes without some of its data sets."""


@frozen(eq=True)
class Sets:
    """The data sets of an experiment: those that could be had, by the paper's name, and those that could not."""

    tables: Mapping[str, Any]
    missing: Mapping[str, str]

    @classmethod
    def load(cls, names: Mapping[str, str], settings: Settings) -> Sets:
        """Load the data sets of a mapping of the paper's names to ours."""
        with ThreadPoolExecutor(AT_ONCE) as threads:  # what waits for a network that is not there waits together
            found = list(threads.map(lambda ours: _loaded(ours, settings.data), names.values()))
        tables = {paper: table for paper, table in zip(names, found, strict=True) if not isinstance(table, Exception)}
        missing = {
            paper: why_not_there(error)
            for paper, error in zip(names, found, strict=True)
            if isinstance(error, Exception)
        }
        check_missing(missing, len(names), settings.partial)
        return cls(tables, missing)

    @property
    def digest(self) -> str:
        """A hash of the cells and labels of all tables: the same data have the same."""
        hashed = hashlib.sha256()
        for name, dataset in self.tables.items():
            hashed.update(f"{name}\n{dataset.frame.to_csv(index=False)}".encode())
        return hashed.hexdigest()[:16]

    def titled(self, title: str) -> str:
        """Return the title of a report, which says if some of the data sets are missing."""
        total = len(self.tables) + len(self.missing)
        return title if not self.missing else f"{title} on {len(self.tables)} of {total} data sets"

    @property
    def notes(self) -> list[str]:
        """Sentences that name the sets left out."""
        return [f"{paper} is left out: {reason}" for paper, reason in self.missing.items()]


def over_sets(
    sets: Sets,
    models: Mapping[str, Any],
    fractions: Sequence[float],
    validations: Mapping[str, Validation],
    settings: Settings,
    repeats: int,
) -> Any:
    """Ten-fold results of every reading on every set, `repeats` times over.

    Times are left out of the results: they are the only numbers a second run would change.

    Parameters
    ----------
    sets : Sets
    models : mapping of str to classifier
    fractions : sequence of float
        Parts of the learning fold.
    validations : mapping of a reading's name to its validation
    settings : Settings
    repeats : int
    """
    if repeats < 2:
        raise ValueError(f"repeats={repeats}: how far draws of folds differ is only seen from two draws on")
    pieces = [
        (reading, paper, dataset, models, fraction, validation, settings.seed, repeats)
        for reading, validation in validations.items()
        for paper, dataset in sets.tables.items()
        for fraction in fractions
    ]
    found = run(_one_set, pieces, "data sets", settings.n_jobs, settings.progress)
    return import_pandas().concat(found, ignore_index=True)


def _one_set(
    reading: str,
    paper: str,
    dataset: Any,
    models: Mapping[str, Any],
    fraction: float,
    validation: Validation,
    seed: int,
    repeats: int,
) -> Any:
    from sklearn.base import clone

    X, y = validation.table(dataset)
    results = cross_validate(
        {name: validation.model(clone(model), X, y) for name, model in models.items()},
        X,
        y,
        folds=validation.splits(len(y), seed, repeats) if validation.random else FOLDS,
        repeats=1 if validation.random else repeats,
        train_fraction=fraction,
        stratified=validation.stratified,
        impossible=validation.impossible,
        floor=validation.floor,
        seed=seed,
        n_jobs=1,
        progress=False,
    )
    if validation.random:
        results = results.assign(repeat=results["fold"] // FOLDS, fold=results["fold"] % FOLDS)
    results.insert(0, "reading", reading)
    results.insert(1, "dataset", paper)
    results.insert(2, "train_fraction", fraction)
    return results.drop(columns=TIMES)


def _loaded(name: str, folder: Any) -> Any:
    """Return a data set, or why it cannot be had."""
    try:
        return load(name, folder)
    except (ValueError, OSError) as error:
        return error


def why_not_there(error: Exception) -> str:
    """Return why a data set cannot be had; of a file, what is wrong with it."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"{os.fsdecode(error.filename)}: {error.strerror}"
    return str(error)


def check_missing(missing: Mapping[str, str], total: int, partial: bool) -> None:
    """Refuse to go without data sets, or say which a partial run goes without."""
    if not missing:
        return
    lost = f"{len(missing)} of {total} data sets cannot be had: {', '.join(missing)}"
    if partial and len(missing) < total:
        warnings.warn(lost, PartialRunWarning, stacklevel=3)
        return
    paper, reason = next(iter(missing.items()))
    rest = "" if len(missing) == total else "; partial=True (--partial) goes without them"
    raise ValueError(f"{lost} ({paper}: {reason}); give their folder by data= (--data) or CANDIDE_DATA{rest}")
