"""Evaluations on the screen: scores of models and of classes, what their tables do not say, and comparisons."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from candide.cli.screens import show_table
from candide.evaluate.by_class import AVERAGES
from candide.evaluate.models import MAJORITY
from candide.evaluate.worth import ModelWorth
from candide.messages import few_of

MOST_CLASSES = 12
"""Classes up to which a confusion fits a screen."""

UNDEFINED = "–"
"""What stands for a score that has nothing to divide by; a remark says why."""


def shown(score: float, form: str = ".4f") -> str:
    """Return a score for showing.

    Examples
    --------
    >>> shown(0.5), shown(-0.25, "+.2f"), shown(math.nan)
    ('0.5000', '-0.25', '–')
    """
    return UNDEFINED if math.isnan(score) else f"{score:{form}}"


def show_scores(results: Any, names: list[str], said: str) -> None:
    """Show each model's mean scores with their spread over the folds."""
    rows = []
    for name in names:
        found = results[results["model"] == name]
        accuracy = found["accuracy"]
        losses = [shown(found[score].mean()) for score in ("log_loss", "brier", "calibration_error")]
        times = [f"{1000 * found[part].mean():.1f}" for part in ("fit_seconds", "predict_seconds")]
        rows.append([name, f"{100 * accuracy.mean():.2f} ± {100 * accuracy.std():.2f}", *losses, *times])
    heads = ["model", "accuracy %", "log-loss", "Brier", "calibration", "fit ms", "predict ms"]
    show_table(f"{said}; means over folds, ± one standard deviation", heads, rows)
    if not set(AVERAGES) <= set(results):  # of a stream there are only sums over rows
        return
    rows = [[name, *(shown(results.loc[results["model"] == name, a].mean()) for a in AVERAGES)] for name in names]
    heads = ["model", "balanced accuracy", "precision", "F1", "Matthews", "AUC"]
    show_table("means over the classes, and over folds", heads, rows)


def show_classes(results: Any, name: str) -> None:
    """Show how well each class was told by a model, and what was decided for it."""
    found, counts = results.attrs["classes"][name], results.attrs["confusion"][name]
    rows = [
        [str(label), int(line["rows"]), *(shown(line[score]) for score in ("recall", "precision", "f1", "auc"))]
        for label, line in found.items()
    ]
    show_table(
        f"{name}, class by class, all folds together", ["class", "rows", "recall", "precision", "F1", "AUC"], rows
    )
    if len(counts) <= MOST_CLASSES:
        lines = [[str(label), *map(int, row.values())] for label, row in counts.items()]
        show_table(f"{name}: rows of each true class by what was decided", ["true", *map(str, counts)], lines)


SOFTEN = "; smoothing (laplace) avoids that"


def ours(model: Any) -> bool:
    """Whether a model is of the library, and takes a rule of smoothing."""
    return hasattr(model, "smoothing")


def remarks(results: Any, models: Mapping[str, Any], y: Any) -> Iterator[str]:
    """Yield what the tables do not say: one class, infinite or undefined scores, a model that is no better."""
    import numpy as np

    commonest, share = y.value_counts().index[0], float(y.value_counts(normalize=True).iloc[0])
    if share == 1.0:
        yield f"every row is {str(commonest)!r}: with one class there is nothing to tell apart, and AUC is not defined"
        return
    for name in models:
        found = results[results["model"] == name]
        if found["log_loss"].isna().all():
            yield f"{name} gives no probabilities, so that log-loss, Brier, calibration and AUC are not defined"
        infinite = int(np.isinf(found["log_loss"]).sum())
        if infinite:
            yield (
                f"{name}: the log-loss is infinite in {infinite} of {len(found)} folds, since a row's true class had "
                f"probability zero{SOFTEN if ours(models[name]) else ''}"
            )
        worth = results.attrs["worth"][name]
        if name != MAJORITY and worth is not None and not worth["better"]:
            yield ModelWorth(**worth).no_better(name)
    first = next(iter(models))
    never = [str(label) for label, line in results.attrs["classes"][first].items() if math.isnan(line["precision"])]
    if never:
        yield f"{first} never answers {few_of(never)}, so that precision is not defined there"


def show_comparisons(results: Any, names: list[str], metric: str) -> None:
    """Show the paired tests of the first model against each other one."""
    from candide.evaluate import compare
    from candide.shares import p_value

    rows = []
    for other in names[1:]:
        found = compare(results, names[0], other, metric=metric)
        rows.append(
            [
                other,
                shown(found["difference"], "+.4f"),
                shown(found["t"], ".2f"),
                *(p_value(found[p]) for p in ("p_value", "corrected_p_value")),
                f"{found['wins']} / {found['ties']} / {found['losses']}",
            ]
        )
    heads = ["against", "difference", "t", "p", "corrected p", "wins / ties / losses"]
    show_table(f"{metric} of {names[0]}, in pairs over the folds", heads, rows)
