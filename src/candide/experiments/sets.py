"""Cross-validate models over many named data sets, one piece of work per set."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from candide.datasets import load
from candide.datasets.frames import import_pandas
from candide.evaluate import cross_validate
from candide.evaluate.workers import run

TIMES = ["fit_seconds", "predict_seconds"]


@dataclass(frozen=True)
class Settings:
    """How an experiment runs: where the data are, which seed, how many processes, whether a bar shows.

    A partial run goes without the data sets that cannot be had; otherwise one that is missing is an error.
    """

    data: str | Path | None = None
    seed: int = 0
    n_jobs: int | None = None
    progress: bool | None = None
    partial: bool = False


class PartialRunWarning(UserWarning):
    """An experiment goes without some of its data sets."""


def over_sets(
    sets: Mapping[str, str],
    models: Mapping[str, Any],
    fractions: Sequence[float],
    settings: Settings,
    leave_out: Mapping[str, Sequence[str]] | None = None,
) -> tuple[Any, dict[str, str]]:
    """Ten-fold results on every set, and the sets that could not be had, with the reason.

    Times are left out of the results: they are the only numbers a second run would change.

    Parameters
    ----------
    sets : mapping of the paper's name to ours
    models : mapping of str to classifier
    fractions : sequence of float
        Parts of the learning fold.
    settings : Settings
    leave_out : mapping of our name to columns, optional
    """
    tables, missing = {}, {}
    for paper, ours in sets.items():
        try:
            tables[paper] = load(ours, settings.data)
        except (ValueError, ConnectionError) as error:
            missing[paper] = str(error)
    check_missing(missing, len(sets), settings.partial)
    leave_out = leave_out or {}
    pieces = [
        (paper, d.X.drop(columns=list(leave_out.get(d.name, ()))), d.y, models, fraction, settings.seed)
        for paper, d in tables.items()
        for fraction in fractions
    ]  # fmt: skip
    found = run(_one_set, pieces, "data sets", settings.n_jobs, settings.progress)
    return import_pandas().concat(found, ignore_index=True), missing


def _one_set(paper: str, X: Any, y: Any, models: Mapping[str, Any], fraction: float, seed: int) -> Any:
    results = cross_validate(models, X, y, train_fraction=fraction, seed=seed, n_jobs=1, progress=False)
    results.insert(0, "dataset", paper)
    results.insert(1, "train_fraction", fraction)
    return results.drop(columns=TIMES)


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


def titled(title: str, missing: Mapping[str, str], total: int) -> str:
    """Return the title of a report, which says if some of the data sets are missing.

    Examples
    --------
    >>> titled("The experiment, reproduced", {"CAR": "no such file"}, 15)
    'The experiment, reproduced on 14 of 15 data sets'
    """
    return title if not missing else f"{title} on {total - len(missing)} of {total} data sets"


def missing_note(missing: Mapping[str, str]) -> list[str]:
    """Sentences that name the sets left out."""
    return [f"{paper} is left out: {reason}" for paper, reason in missing.items()]
