"""Rules with hyperparameters of the user's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from candide.messages import few_of
from candide.schema.domain import Domain
from candide.smoothing.base import Smoothing, nonnegative, per_class

Array = np.ndarray[Any, Any]


class Dirichlet(Smoothing):
    """Any hyperparameters: a_c = classes, s_ivc = values.

    Parameters
    ----------
    classes : number, sequence in the order of the sorted labels, or {label: number}
    values : number or {column: hyperparameters of its values}
        Those of a column are a number, a sequence over its levels, an array (classes, levels), or
        {level: number or {label: number}}.

    Examples
    --------
    >>> Dirichlet(classes=2, values={"wind": {"weak": 2, "strong": 1}})
    Dirichlet(classes=2, values={'wind': {'weak': 2, 'strong': 1}})
    """

    name = "dirichlet"

    def __init__(self, classes: Any = 1.0, values: Any = 1.0) -> None:
        self.classes = classes
        self.values = values

    def class_pseudo(self, domain: Domain) -> Array:
        """Return μ_c."""
        return per_class(self.classes, domain.classes, "classes")

    def table(self, domain: Domain) -> Array:
        """Return σ_ivc, flat (cells, K)."""
        if isinstance(self.values, Mapping):
            return hyperparameters(self.values, domain, "values")
        return np.full((int(domain.offsets[-1]), len(domain.classes)), nonnegative(self.values, "values"))

    def value_pseudo(self, domain: Domain, cells: Array, marginal: Array, total: Array) -> Array:
        """Return σ_ivc."""
        return self.table(domain)[cells]

    def value_mass(self, domain: Domain, attributes: Array, total: Array) -> Array:
        """Return Σ_v σ_ivc."""
        return domain.total(self.table(domain).T).T[attributes]


class NaiveDistribution(Dirichlet):
    """A naive distribution over models with hyperparameters N': a = N'_c + 1 + Σ_i (#A_i − 1), s = N'_ivc + 1.

    Every attribute must tell the same N'_c = Σ_v N'_ivc; with N' = 0 this is `Indifferent`.

    Parameters
    ----------
    counts : number or {column: hyperparameters of its values}
        As the `values` of `Dirichlet`; a number stands for every N'_ivc.
    """

    name = "naive-distribution"

    def __init__(self, counts: Any = 0.0) -> None:
        self.counts = counts

    def _prior(self, domain: Domain) -> Array:
        if isinstance(self.counts, Mapping):
            return hyperparameters(self.counts, domain, "counts")
        return np.full((int(domain.offsets[-1]), len(domain.classes)), nonnegative(self.counts, "counts"))

    def class_pseudo(self, domain: Domain) -> Array:
        """Return N'_c + 1 + Σ_i (#A_i − 1); attributes that disagree on N'_c are an error."""
        sums = domain.total(self._prior(domain).T)
        for i, name in enumerate(domain.names):
            if not np.allclose(sums[:, i], sums[:, 0], rtol=1e-9, atol=1e-12):
                raise ValueError(
                    f"the counts of a naive distribution must add up to the same N'_c for every attribute: "
                    f"{domain.names[0]!r} gives {sums[:, 0].tolist()} and {name!r} gives {sums[:, i].tolist()}"
                )
        base = sums[:, 0] if len(domain.names) else np.zeros(len(domain.classes))
        return base + 1.0 + domain.freedom

    def table(self, domain: Domain) -> Array:
        """Return N'_ivc + 1."""
        return self._prior(domain) + 1.0


def hyperparameters(given: Mapping[Any, Any], domain: Domain, what: str) -> Array:
    """Return a flat (cells, K) table from {column: number, sequence, array or {level: ...}}."""
    out = np.empty((int(domain.offsets[-1]), len(domain.classes)))
    for i, (name, levels) in enumerate(zip(domain.names, domain.levels, strict=True)):
        if name not in given:
            raise ValueError(f"{what} says nothing of column {name!r}; it knows {few_of(list(given))}")
        cells = slice(int(domain.offsets[i]), int(domain.offsets[i + 1]))
        out[cells] = of_attribute(given[name], levels, domain.classes, f"{what}[{name!r}]")
    return out


def of_attribute(given: Any, levels: Array, classes: Array, what: str) -> Array:
    """Return the (levels, K) hyperparameters of one attribute."""
    if isinstance(given, Mapping):
        absent = [level for level in levels.tolist() if level not in given]
        if absent:
            raise ValueError(f"{what} says nothing of level {absent[0]!r}; it knows {few_of(list(given))}")
        return np.array([per_class(given[v], classes, f"{what}[{v!r}]") for v in levels.tolist()])
    array = np.asarray(given, dtype=float)
    if array.ndim and array.shape[-1] != len(levels):
        raise ValueError(f"{what} has {array.shape[-1]} entries for the levels {few_of(levels.tolist())}")
    if not np.isfinite(array).all() or (array < 0).any():
        raise ValueError(f"{what}: a pseudo-count is a number that is not negative")
    return np.broadcast_to(array, (len(classes), len(levels))).T
