"""Smoothing: every softening rule is a pair of pseudo-counts, for classes and for the values of attributes.

alpha_c = (N_c + a_c) / Σ_c' (N_c' + a_c') and theta_ivc = (N_ivc + s_ivc) / (N_i.c + Σ_v' s_iv'c).

A rule gives a_c (`class_pseudo`), s_ivc at any cells (`value_pseudo`) and Σ_v s_ivc (`value_mass`). The marginal
counts N_iv. and N_i.. are handed in, so that the same rule serves the whole table and a table with one row left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from candide.domains import Domain
from candide.rules import Rule

Array = np.ndarray[Any, Any]


class Smoothing(Rule):
    """Base of the softening rules."""

    def class_pseudo(self, domain: Domain) -> Array:
        """Return a_c, one per class."""
        raise NotImplementedError

    def value_pseudo(self, domain: Domain, cells: Array, marginal: Array, total: Array) -> Array:
        """Return s_ivc at flat cells (M,), as (M, 1) or (M, K).

        Parameters
        ----------
        domain : Domain
        cells : ndarray of int (M,)
        marginal : ndarray (M,)
            N_iv. of the cells.
        total : ndarray (M,)
            N_i.. of the cells' attributes.
        """
        raise NotImplementedError

    def value_mass(self, domain: Domain, attributes: Array, total: Array) -> Array:
        """Return Σ_v s_ivc for attributes (M,) with N_i.. = total, as (M, 1) or (M, K)."""
        raise NotImplementedError

    def settle(self, domain: Domain, counts: Array, class_counts: Array) -> Smoothing:
        """Return the rule to be used; an automatic one chooses here, from the counts (K, cells)."""
        return self


class Lidstone(Smoothing):
    """Add alpha to every count of a value, and class_alpha to every count of a class.

    Parameters
    ----------
    alpha : float
    class_alpha : float
    """

    name = "lidstone"

    def __init__(self, alpha: float = 1.0, class_alpha: float = 0.0) -> None:
        self.alpha = alpha
        self.class_alpha = class_alpha

    def class_pseudo(self, domain: Domain) -> Array:
        """Return class_alpha."""
        return np.full(len(domain.classes), nonnegative(self.class_alpha, "class_alpha"))

    def value_pseudo(self, domain: Domain, cells: Array, marginal: Array, total: Array) -> Array:
        """Return alpha."""
        return np.full((len(cells), 1), nonnegative(self.alpha, "alpha"))

    def value_mass(self, domain: Domain, attributes: Array, total: Array) -> Array:
        """Return alpha · #A_i."""
        return (self.alpha * domain.sizes[attributes])[:, None]


class Constant(Lidstone):
    """A Lidstone rule whose strengths are fixed."""

    alpha: float = 0.0
    class_alpha: float = 0.0

    def __init__(self) -> None:  # the strengths are the class's own
        pass


class Frequencies(Constant):
    """No softening: relative frequencies (maximum likelihood)."""

    name = "none"


class Laplace(Constant):
    """Add one to every count, of values and of classes: uniform Dirichlet priors."""

    name = "laplace"
    alpha = 1.0
    class_alpha = 1.0


class Indifferent(Constant):
    """Every naive Bayes model is equally probable beforehand: a_c = 1 + Σ_i (#A_i − 1), s = 1."""

    name = "indifferent"
    alpha = 1.0

    def class_pseudo(self, domain: Domain) -> Array:
        """Return 1 + Σ_i (#A_i − 1)."""
        return np.full(len(domain.classes), 1.0 + domain.freedom)


class MEstimate(Smoothing):
    """Spread m observations as the column is spread over all classes: s = m · (N_iv. + 1) / (N_i.. + #A_i), a = 1.

    Parameters
    ----------
    m : float
    """

    name = "m-estimate"

    def __init__(self, m: float = 2.0) -> None:
        self.m = m

    def class_pseudo(self, domain: Domain) -> Array:
        """Return 1."""
        return np.ones(len(domain.classes))

    def value_pseudo(self, domain: Domain, cells: Array, marginal: Array, total: Array) -> Array:
        """Return m · p_iv."""
        size = domain.sizes[domain.attribute[cells]]
        p: Array = (marginal + 1.0) / (total + size)
        return nonnegative(self.m, "m") * p[:, None]

    def value_mass(self, domain: Domain, attributes: Array, total: Array) -> Array:
        """Return m."""
        return np.full((len(attributes), 1), float(self.m))


class Marginal(Smoothing):
    """Add the column's relative frequency to the count: s = N_iv. / N_i.., a = 0."""

    name = "marginal"

    def class_pseudo(self, domain: Domain) -> Array:
        """Return 0."""
        return np.zeros(len(domain.classes))

    def value_pseudo(self, domain: Domain, cells: Array, marginal: Array, total: Array) -> Array:
        """Return p_iv; 0 where the attribute was never known."""
        return np.divide(marginal, total, out=np.zeros(len(cells)), where=total > 0)[:, None]

    def value_mass(self, domain: Domain, attributes: Array, total: Array) -> Array:
        """Return 1; 0 where the attribute was never known."""
        return (total > 0).astype(float)[:, None]


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


def nonnegative(value: Any, what: str) -> float:
    """Return a pseudo-count, or say that it cannot be negative."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{what}={value!r}: a pseudo-count is a number") from None
    if not np.isfinite(number) or number < 0:
        raise ValueError(f"{what}={value!r}: a pseudo-count is a number that is not negative")
    return number


def per_class(given: Any, classes: Array, what: str) -> Array:
    """Return one number per class from a number, a sequence in class order, or {label: number}."""
    labels = classes.tolist()
    if isinstance(given, Mapping):
        absent = [label for label in labels if label not in given]
        if absent:
            raise ValueError(f"{what} says nothing of class {absent[0]!r}; it knows {list(given)}")
        return np.array([nonnegative(given[label], what) for label in labels])
    if np.ndim(given) == 0:
        return np.full(len(labels), nonnegative(given, what))
    if len(given) != len(labels):
        raise ValueError(f"{what} has {len(given)} entries for {len(labels)} classes {labels}")
    return np.array([nonnegative(v, what) for v in given])


def hyperparameters(given: Mapping[Any, Any], domain: Domain, what: str) -> Array:
    """Return a flat (cells, K) table from {column: number, sequence, array or {level: ...}}."""
    out = np.empty((int(domain.offsets[-1]), len(domain.classes)))
    for i, (name, levels) in enumerate(zip(domain.names, domain.levels, strict=True)):
        if name not in given:
            raise ValueError(f"{what} says nothing of column {name!r}; it knows {list(given)}")
        cells = slice(int(domain.offsets[i]), int(domain.offsets[i + 1]))
        out[cells] = of_attribute(given[name], levels, domain.classes, f"{what}[{name!r}]")
    return out


def of_attribute(given: Any, levels: Array, classes: Array, what: str) -> Array:
    """Return the (levels, K) hyperparameters of one attribute."""
    if isinstance(given, Mapping):
        absent = [level for level in levels.tolist() if level not in given]
        if absent:
            raise ValueError(f"{what} says nothing of level {absent[0]!r}; it knows {list(given)}")
        return np.array([per_class(given[v], classes, f"{what}[{v!r}]") for v in levels.tolist()])
    array = np.asarray(given, dtype=float)
    if array.ndim and array.shape[-1] != len(levels):
        raise ValueError(f"{what} has {array.shape[-1]} entries for the levels {levels.tolist()}")
    if not np.isfinite(array).all() or (array < 0).any():
        raise ValueError(f"{what}: a pseudo-count is a number that is not negative")
    return np.broadcast_to(array, (len(classes), len(levels))).T


RULES: list[type[Smoothing]] = [
    Frequencies,
    Laplace,
    Lidstone,
    MEstimate,
    Marginal,
    Indifferent,
    Dirichlet,
    NaiveDistribution,
]
