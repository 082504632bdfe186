"""Naive distributions: probability distributions over naive Bayes models, which average over all of them.

A naive distribution over the models M of a discrete domain has hyperparameters N'_ivc that add up to the same N'_c for
every attribute. Its density in the parameters φ_ivc = α_c θ_ivc is

    P(M | ξ) = K Π_c α_c^N'_c Π_i Π_v (φ_ivc / α_c)^N'_ivc.

Each class has Σ_i (#A_i − 1) free φ, and φ = α_c θ stretches each of them by α_c: in the parameters α and θ the same
distribution is α ~ Dirichlet(N'_c + 1 + Σ_i (#A_i − 1)) and θ_i·c ~ Dirichlet(N'_i·c + 1). So the average over all
models is the naive Bayes classifier whose pseudo-counts these are, and learning adds the counts of the data to N'.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from scipy.special import gammaln, xlogy
from sklearn.base import clone

from candide.distributions import Categorical
from candide.distributions.discrete import Discrete
from candide.estimator import Classifier, NaiveBayes
from candide.messages import few_of
from candide.model.model import Model
from candide.schema.axes import Classes
from candide.schema.cells import Levels
from candide.schema.column import Column
from candide.schema.domain import Domain
from candide.schema.schema import Schema
from candide.smoothing import Indifferent, NaiveDistribution
from candide.statistics.learnt import Learnt
from candide.statistics.statistics import Statistics
from candide.table.labels import read_labels

__all__ = ["ModelDistribution"]

Array = np.ndarray[Any, Any]


class ModelDistribution:
    """P(M | ξ), a naive distribution over the naive Bayes models of a discrete domain.

    Parameters
    ----------
    levels : {attribute: levels}
        The domain.
    classes : sequence of labels
    counts : number or {attribute: hyperparameters of its levels}
        N', as in `NaiveDistribution`; with 0, the principle of indifference, every model is equally probable.

    Examples
    --------
    >>> import pandas as pd
    >>> levels = {"wind": ["strong", "weak"], "outlook": ["overcast", "rain", "sunny"]}
    >>> indifferent = ModelDistribution(levels, ["no", "yes"])
    >>> indifferent
    ModelDistribution(2 classes, 2 attributes, N' of 0)
    >>> days = pd.DataFrame({"wind": ["weak", "weak"], "outlook": ["sunny", "rain"]})
    >>> indifferent.predict_proba(days[:1])
    array([[0.5, 0.5]])
    >>> after = indifferent.posterior(days, ["no", "yes"])
    >>> after
    ModelDistribution(2 classes, 2 attributes, N' of 2)
    >>> after.counts["outlook"]
    array([[0., 0., 1.],
           [0., 1., 0.]])
    >>> after.predict_proba(days[:1]).round(3)
    array([[0.667, 0.333]])
    """

    def __init__(self, levels: Mapping[Any, Sequence[Any]], classes: Sequence[Any], counts: Any = 0.0) -> None:
        if not levels or not all(len(values) for values in levels.values()):
            raise ValueError(f"a domain has attributes, and each of them levels: {dict(levels)}")
        columns = tuple(
            Column(name, "symbols", ("cells",), Levels.of(list(values), ())) for name, values in levels.items()
        )
        labels = read_labels(classes, len(classes)).classes
        schema = Schema(columns, Classes(labels, np.ones(len(labels), dtype=bool)))
        rules = {name: Categorical(list(values)) for name, values in levels.items()}
        classifier = NaiveBayes(rules, smoothing=NaiveDistribution(counts))
        self._set(classifier._with(Learnt(schema, Statistics.zero(schema))))

    @classmethod
    def learnt(cls, classifier: Classifier) -> Self:
        """Return the posterior P(M | D, ξ) of a classifier fitted with smoothing "indifferent" or `NaiveDistribution`.

        Parameters
        ----------
        classifier : Classifier
            All of its attributes are discrete (bins are), and no cell of what it learnt was missing.
        """
        new = cls.__new__(cls)
        new._set(classifier)
        return new

    def _set(self, classifier: Classifier) -> None:
        model = classifier.model_
        check_naive(model)
        self._classifier = classifier
        self.model: Model = model
        """The average model, whose α and θ are the expected ones: naive Bayes, softened."""
        self.classes: Array = model.classes
        self._tables: list[Discrete] = [table for block in model.blocks for table in block.tables]
        self._counts: list[Array] = [hyperparameters(table) for table in self._tables]

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({len(self.classes)} classes, {len(self.model.attributes)} attributes, "
            f"N' of {self.class_counts.sum():g})"
        )

    @property
    def counts(self) -> dict[Any, Array]:
        """The hyperparameters N'_ivc of each attribute: (classes, levels)."""
        return {
            name: counts[:, table.domain.offsets[i] : table.domain.offsets[i + 1]]
            for table, counts in zip(self._tables, self._counts, strict=True)
            for i, name in enumerate(table.domain.names)
        }

    @property
    def class_counts(self) -> Array:
        """N'_c, which is Σ_v N'_ivc for every attribute."""
        return np.asarray(next(iter(self.counts.values())).sum(axis=1))

    def posterior(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Return P(M | D, ξ), the naive distribution of N'_ivc + N_ivc; the prior stays as it is.

        Parameters
        ----------
        X, y, sample_weight
            As in `NaiveBayes.fit`: complete observations of the domain.
        """
        learner = clone(self._classifier)
        learner._state = self._classifier._state
        learner.partial_fit(X, y, sample_weight=sample_weight)
        check_inside(self._classifier._state.learnt.schema, learner._state.learnt.schema)
        after = self.learnt(learner)
        check_domain(self.model, after.model, "the data change the domain of the distribution")
        return after

    def predict_joint_log_proba(self, X: Any) -> Array:
        """Return log P(x, c | ξ) = log ∫ P(x, c | M) P(M | ξ) dM: (rows, classes)."""
        return self._classifier.predict_joint_log_proba(X)

    def predict_proba(self, X: Any) -> Array:
        """Return P(c | x, ξ), averaged over all models; before any data, from the prior alone."""
        return self._classifier.predict_proba(X)

    def draw(self, random_state: Any = None) -> Model:
        """Return a model drawn from the distribution."""
        return self.model.draw(np.random.default_rng(random_state))

    def point(self, alpha: Sequence[float], theta: Mapping[Any, Any]) -> Model:
        """Return the model with given parameters.

        Parameters
        ----------
        alpha : sequence of float (classes,)
            P(c), in the order of the sorted labels.
        theta : {attribute: array (classes, levels)}
            P(A_i = v | c).
        """
        blocks = tuple(
            replace(table, theta=np.concatenate([np.asarray(theta[n], dtype=float) for n in table.names], axis=1))
            for table in self._tables
        )
        model = replace(
            self.model, prior=replace(self.model.prior, given=np.asarray(alpha, dtype=float)), blocks=blocks
        )
        check_probabilities(model)
        return model

    @property
    def log_constant(self) -> float:
        """Log K, which makes the density integrate to one over α and the free φ_ivc of every attribute and class."""
        a = self.class_counts + 1.0 + sum(table.domain.freedom for table in self._tables)
        total = gammaln(a.sum()) - gammaln(a).sum()
        for table, counts in zip(self._tables, self._counts, strict=True):
            total += gammaln(self.class_counts[:, None] + table.domain.sizes).sum() - gammaln(counts + 1.0).sum()
        return float(total)

    def log_density(self, model: Model) -> float:
        """Return log P(M | ξ) of a model of the same domain: `model_` of a classifier, a draw, or a `point`."""
        check_domain(self.model, model, "the model is of another domain")
        thetas = [table.theta for block in model.blocks for table in block.tables]
        told = sum(xlogy(counts, theta).sum() for counts, theta in zip(self._counts, thetas, strict=True))
        return float(self.log_constant + xlogy(self.class_counts, model.prior.alpha).sum() + told)


def hyperparameters(table: Discrete) -> Array:
    """Return N'_ivc + N_ivc of a block of attributes: (classes, cells)."""
    rule = table.smoothing
    prior = 0.0 if isinstance(rule, Indifferent) else NaiveDistribution.table(rule, table.domain).T - 1.0  # type: ignore[arg-type]  # checked
    return np.asarray(table.counts + prior, dtype=float)


def check_naive(model: Model) -> None:
    """Refuse a model that no naive distribution gives: other pseudo-counts, densities, missing cells."""
    if not isinstance(model.smoothing, (Indifferent, NaiveDistribution)):
        raise ValueError(
            f"a naive distribution has the pseudo-counts of smoothing='indifferent' or NaiveDistribution(counts), not "
            f"of {model.smoothing!r}"
        )
    for block in model.blocks:
        if not isinstance(block, Discrete):
            raise ValueError(
                f"{block.names[0]!r} is no discrete attribute of its own: a naive distribution is over those"
            )
        known = block.domain.total(block.counts)
        gone = np.flatnonzero((known != model.prior.counts[:, None]).any(axis=0))
        if len(gone):
            raise ValueError(
                f"column {block.names[gone[0]]!r} has missing cells: a naive distribution learns from complete "
                "observations; give missing cells a level, missing='level', or leave these rows out"
            )


def check_inside(here: Schema, there: Schema) -> None:
    """Refuse classes and levels that the domain does not have."""
    new = [label for label in there.classes.tolist() if label not in here.classes.tolist()]
    if new:
        raise ValueError(
            f"the class {new[0]!r} is outside the domain, whose classes are {few_of(here.classes.tolist())}"
        )
    for one, other in zip(here.columns, there.columns, strict=True):
        if one.kind == "symbols" and one.axis is not None and other.axis is not None:
            levels = one.axis.levels.tolist()
            new = [level for level in other.axis.levels.tolist() if level not in levels]
            if new:
                raise ValueError(f"column {one.name!r}: {new[0]!r} is outside the domain, which has {levels}")


def check_domain(here: Model, there: Model, what: str) -> None:
    """Refuse a model whose classes, attributes or levels are others."""

    def told(model: Model) -> list[Any]:
        domains: list[Domain] = [table.domain for block in model.blocks for table in block.tables]
        return [model.classes.tolist(), *((d.names, [v.tolist() for v in d.levels]) for d in domains)]

    if told(here) != told(there):
        raise ValueError(f"{what}: {told(there)} in the place of {told(here)}")


def check_probabilities(model: Model) -> None:
    """Refuse parameters that are no probabilities of the classes and levels."""
    shapes = [(model.prior.alpha, (len(model.classes),), "alpha", np.sum(model.prior.alpha, keepdims=True))]
    for block in model.blocks:
        assert isinstance(block, Discrete)
        shapes.append((block.theta, block.counts.shape, "theta", block.domain.total(block.theta)))
    for p, shape, name, sums in shapes:
        if p.shape != shape or (p < 0).any() or not np.allclose(sums, 1.0):
            raise ValueError(f"{name} does not hold probabilities of shape {shape} that add up to one")
