"""Facts: all that is told of a model, collected into one plain dict that every renderer reads and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from candide.combination import Combination
from candide.estimator.classifier import Classifier
from candide.evaluate.held_out import weighed_on
from candide.messages import unknown
from candide.model.model import Model
from candide.report.columns import ByColumn, tell_columns
from candide.report.drift import tell_drift
from candide.report.evidence import by_counts
from candide.report.joint import tell_joint
from candide.report.origin import origin
from candide.report.plain import plain
from candide.report.rows import judged
from candide.report.scored_rows import attach_worths, score_rows, tell_performance
from candide.report.sentences import rules

Array = np.ndarray[Any, Any]
Facts = dict[str, Any]

FORMAT = 1
"""Version of the dict; a renderer that reads one reads all of it."""
MANY = 12
"""Columns of more levels may name persons or things: there the rare levels are not named."""
RARE = 5
"""A level of fewer rows is rare."""


def facts(
    model: Classifier,
    table: Any = None,
    older: Classifier | None = None,
    *,
    learnt: bool | None = None,
    label: Any = None,
    title: str = "",
    min_count: int | None = None,
) -> Facts:
    """Return what a model has learnt, how far to trust it and what has moved, as one plain dict.

    Parameters
    ----------
    model : fitted classifier
    table : frame or source with the target column, (X, y), (X, y, sample_weight) or None
        Rows to judge the model by: those it has learnt, each then left out, or new ones.
    older : fitted classifier or None
        An older model of the same columns, to say what has moved since.
    learnt : bool or None
        Whether the rows were learnt; None finds out, by taking them away from the model.
    label : class label or None
        The class asked about; None takes the rarer one of two, and the likeliest of more.
    title : str
    min_count : int or None
        Levels of fewer rows are not named; None takes 5 where a column has more than 12 levels.

    Returns
    -------
    dict
        Of strings, numbers, booleans, lists and dicts. None in a table of logarithms is minus infinity.

    Examples
    --------
    >>> from candide import NaiveBayes
    >>> frame = {"wind": ["weak", "weak", "strong", "strong"], "play": ["yes", "yes", "no", "yes"]}
    >>> import pandas as pd
    >>> told = facts(NaiveBayes().fit(pd.DataFrame(frame), "play"))
    >>> told["classes"], told["columns"][0]["levels"], told["columns"][0]["weights"]
    (['no', 'yes'], ['strong', 'weak'], [[2, 1], [2, 3]])
    """
    told = collect(model, table, older, learnt, label, title, min_count)
    return {**told, **origin(model)}


def collect(
    model: Classifier,
    table: Any = None,
    older: Classifier | None = None,
    learnt: bool | None = None,
    label: Any = None,
    title: str = "",
    min_count: int | None = None,
) -> Facts:
    """Return the facts without the hashes, which take as long as writing the model's file does."""
    check_is_fitted(model)
    state, made = model._modelled()
    rule = made.plan.combination
    attributes = ByColumn.of(made.model, state.evidence, rule.link(made.model.log_prior))
    rows = None if table is None else judged(model, table, learnt)
    out: Facts = {
        "format": FORMAT,
        **about(model, made.model, rule, title),
        "asked": asked_class(made.model, label),
        **{entry: tell(attributes, rule) for entry, tell in ENTRIES.items()},
    }
    columns, joint = out["columns"], out["joint"]
    scores = None if rows is None else score_rows(model, attributes, rule, rows)
    if rows is not None and scores is not None:
        out["performance"] = tell_performance(model, attributes, rows, scores)
        attach_worths(columns, joint, attributes, rows, scores, out["performance"]["accuracy"])
    else:
        for j, mean in by_counts(attributes, rule).items():
            columns[j]["alone"] = mean.facts()
    if older is not None:
        out["drift"] = tell_drift(model, older, rows, None if scores is None else scores.log_proba)
    shorten(columns, RARE if min_count is None else min_count, MANY if min_count is None else 0)
    told: Facts = plain({**out, "rules": rules(out)})
    return told


def about(model: Classifier, made: Model, rule: Combination, title: str) -> Facts:
    """Return what the model is: its rules, target, classes and size."""
    from importlib.metadata import version

    params = {name: value for name, value in model.get_params(deep=False).items() if name != "schema"}
    target = model.learnt_.schema.target
    return {
        "candide": version("candide"),
        "title": title or (f"{type(model).__name__} of {target}" if target else type(model).__name__),
        "estimator": type(model).__name__,
        "parameters": {name: repr(value) for name, value in params.items() if value is not None},
        "smoothing": repr(made.smoothing),
        "combination": rule.name,
        "missing": getattr(model, "missing", "ignore"),
        "unseen": model.unseen,
        "target": target,
        "rows": float(np.sum(model.class_counts_)),
        "classes": [str(label) for label in made.classes.tolist()],
        "counts": model.class_counts_,
        **({"weighed_on": rows} if (rows := weighed_on(made)) else {}),
        **({} if model.privacy_ is None else {"privacy": promised(model.privacy_)}),
    }


def promised(told: Facts) -> Facts:
    """Return what was promised to the rows of a private model, without what is public of its columns."""
    releases = [{name: release[name] for name in ("epsilon", "seeded")} for release in told["releases"]]
    return {**{name: value for name, value in told.items() if name != "bounds"}, "releases": releases}


def asked_class(model: Model, label: Any) -> int | None:
    """Return the class asked about: the one given, the rarer of two, and None for the likeliest of more."""
    labels = model.classes.tolist()
    if label is not None:
        named = {str(known): c for c, known in enumerate(labels)}
        if str(label) not in named:
            raise ValueError(unknown("class", label, labels))
        return named[str(label)]
    return int(np.argmin(model.prior.counts)) if len(labels) == 2 else None


def tell_prior(model: Model) -> Facts:
    """Return P(c): the weights N + a that it is the share of, or as it was given."""
    prior = model.prior
    out: Facts = {"log": prior.log, "sd": np.sqrt(prior.variance)}
    counted = prior.given is None and np.allclose(np.exp(prior.log), prior.alpha)
    return {**out, "weights": prior.counts + prior.pseudo} if counted else out


def left_out(attributes: ByColumn, rule: Combination) -> list[str]:
    """Say what the facts leave out, and why."""
    out = []
    if rule.additive != "log":
        out.append(f"The rule '{rule.name}' adds probabilities, which have no points: no row can be asked here.")
    model = attributes.model
    documents = [str(model.names[j]) for j, asked in enumerate(attributes.inputs) if asked.kind == "words"]
    if documents:
        out.append(f"Column {', '.join(documents)} holds documents: its words are told; ask it with candide serve.")
    whys: dict[str, list[str]] = {}
    for a, why in attributes.untold.items():
        block, i = model.attributes[a]
        if attributes.inputs[block.columns(i)[0]].kind != "words":
            whys.setdefault(why, []).append(str(block.names[i]))
    for why, which in whys.items():
        if len(which) == len(model.attributes):
            out.append(f"No column speaks for itself here: {why}.")
        else:
            out.append(f"{', '.join(which)}: {why}; it counts as unknown here.")
    return out


ENTRIES: dict[str, Callable[[ByColumn, Combination], Any]] = {
    "prior": lambda attributes, _: tell_prior(attributes.model),
    "columns": lambda attributes, _: tell_columns(attributes),
    "joint": lambda attributes, _: tell_joint(attributes),
    "additive": lambda _, rule: rule.additive == "log",
    "left_out": left_out,
}
"""What is told of every model, of its attributes and of how they add up."""


def shorten(columns: list[Facts], rare: int, many: int) -> None:
    """Take the names of rare levels away: what identifies a person may stand in few rows."""
    for column in columns:
        if column["kind"] != "levels" or len(column.get("levels", ())) <= many:
            continue
        counts = np.asarray(column["counts"] if "counts" in column else column["weights"]).sum(axis=0)
        hidden = [n < rare and not (column["absent"] and v == len(counts) - 1) for v, n in enumerate(counts)]
        names = iter(range(1, len(hidden) + 1))
        column["levels"] = [
            f"other {next(names)}" if gone else name for name, gone in zip(column["levels"], hidden, strict=True)
        ]
