"""Decision: from posterior probabilities to class labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from candide import native
from candide.combination import TIE
from candide.messages import few_of, shortened, unknown
from candide.rules import Rule

Array = np.ndarray[Any, Any]


class Costs(Rule):
    """A decision rule: what each decision costs, whatever the classes are; that of the least risk is taken."""

    def matrix(self, classes: Array) -> Array:
        """Return costs[decided, true]: (classes, classes)."""
        raise NotImplementedError


def cost_matrix(costs: Any, classes: Array) -> Array:
    """Return costs[decided][true] as an array in the order of the classes.

    Parameters
    ----------
    costs : array (classes, classes), {decided: {true: cost}} or Costs
        In a dict of dicts, a right decision costs nothing unless said otherwise; every wrong one must be named.
    classes : ndarray
    """
    labels = classes.tolist()
    if isinstance(costs, Costs):
        costs = costs.matrix(classes)
    if isinstance(costs, Mapping):
        check_named(costs, labels)
        out = np.zeros((len(labels), len(labels)))
        for d, decided in enumerate(labels):
            for t, true in enumerate(labels):
                out[d, t] = named_cost(costs, decided, true)
    else:
        try:
            out = np.asarray(costs, dtype=float)
        except (TypeError, ValueError):
            raise ValueError(
                f"costs={shortened(costs)}: what decisions cost is {{decided: {{true: cost}}}}, or an array of numbers "
                "in the order of the classes"
            ) from None
    if out.shape != (len(labels), len(labels)):
        raise ValueError(f"costs has the shape {out.shape}; there are {len(labels)} classes: {few_of(labels)}")
    if not np.isfinite(out).all():
        raise ValueError("costs must be finite numbers")
    return out


def check_named(costs: Mapping[Any, Any], labels: list[Any]) -> None:
    """Refuse costs of classes that there are not, decided or true."""
    for decided, of in costs.items():
        if not isinstance(of, Mapping):
            raise ValueError(
                f"costs[{decided!r}] is {of!r}, which does not say of which true class: costs are "
                f"{{decided: {{true: cost}}}}, or an array in the order of the classes"
            )
        for label in (decided, *of):
            if label not in labels:
                raise ValueError(f"costs: {unknown('class', label, labels)}")


def named_cost(costs: Mapping[Any, Any], decided: Any, true: Any) -> float:
    """Return the cost of one decision from a dict of dicts."""
    if decided in costs and true in costs[decided]:
        return float(costs[decided][true])
    if decided == true:
        return 0.0
    raise ValueError(f"costs does not say what deciding {decided!r} costs when {true!r} is true")


def risk(log_proba: Array, costs: Array | None) -> Array:
    """Return R(d | x) = Σ_true costs[d, true] P(true | x) of every decision d: (rows, classes).

    Without costs a wrong decision costs one and a right one nothing: R(d | x) = Σ_{true ≠ d} P(true | x).
    """
    if costs is None:
        costs = 1.0 - np.eye(log_proba.shape[1])
    return np.asarray(np.exp(log_proba) @ costs.T)


def decide(log_proba: Array, costs: Array | None) -> Array:
    """Return class codes: the largest posterior, or the least risk.

    Ties go to the first class; posteriors that tie are equal, risks are so up to rounding.
    """
    if costs is None:
        return native.argmax(log_proba)
    r = risk(log_proba, costs)
    equal = r <= r.min(axis=1, keepdims=True) + TIE * risk(log_proba, np.abs(costs))
    return np.asarray(equal.argmax(axis=1))
