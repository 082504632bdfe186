"""NaiveBayes: scikit-learn's contract around schema, statistics, model, scoring and decision."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from candide import table as tables
from candide.combination import Combination, Product, as_combination, impossible, log_posterior
from candide.distributions import Rules
from candide.estimator import files as persistence
from candide.model.learning import learn, match_storage
from candide.model.model import Model, estimate
from candide.model.plan import check_discrete, group_positions, plan
from candide.rules import Rule, freeze
from candide.schema.alignment import align, symbolic
from candide.schema.rows import Rows, cell_at, readable
from candide.schema.schema import Schema
from candide.scoring import sampling, scoring
from candide.scoring.decision import cost_matrix, decide
from candide.scoring.explanation import Explanation, together
from candide.smoothing import as_smoothing
from candide.statistics import Statistics
from candide.statistics.evidence import Evidence
from candide.statistics.learnt import Learnt, adopt, with_classes
from candide.table import Symbols, Table
from candide.table.labels import Labels, code_labels, read_labels
from candide.table.weights import read_weights

Array = np.ndarray[Any, Any]

LEARNT_RULES = ("distributions", "smoothing", "prior", "combination", "groups", "missing", "schema")
"""The parameters that a model is estimated with."""


class NaiveBayes(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Naive Bayes on tables of mixed columns: log P(c) + Σ_i log P(x_i | c), from statistics that add up.

    Parameters
    ----------
    distributions : "auto", a name, an object, or {column: name or object}
        The form of P(x | c); columns not named stay automatic.
    smoothing : str or Smoothing
        Pseudo-counts: "none", "laplace", "lidstone", "m-estimate", "marginal", "indifferent", or an object.
    prior : None, "uniform", sequence or {label: probability}
        None takes the class counts, softened by the smoothing rule.
    combination : str or Combination
        "product", "sum", "robust", "outlier", or an object.
    costs : None, array (classes, classes) or {decided: {true: cost}}
        What a decision costs; `predict` then takes the least risk.
    groups : None or list of lists of columns
        Columns joined into one attribute.
    missing : "ignore" or "level"
        Whether a missing cell says nothing or is a level of its own.
    unseen : "ignore" or "error"
        What a level outside the domain does.
    schema : None or Schema
        Another model's `schema_`: the same levels, grids and cut points.

    Attributes
    ----------
    classes_ : ndarray (n_classes,)
        Sorted labels.
    class_counts_ : ndarray (n_classes,)
        Weight of the rows of each class.
    schema_ : Schema
        Columns, levels, and the distribution of each column with its cut points.
    statistics_ : Statistics
        What was learnt.
    model_ : Model
        What is estimated from it under the present rules.

    Examples
    --------
    >>> import pandas as pd
    >>> from candide import NaiveBayes
    >>> frame = pd.DataFrame({"wheels": [2, 4, 4, 6], "energy": ["petrol", "petrol", "diesel", "diesel"]})
    >>> nb = NaiveBayes().fit(frame, ["bike", "car", "car", "truck"])
    >>> nb.predict(pd.DataFrame({"wheels": [2], "energy": [None]}))
    array(['bike'], dtype='<U5')
    """

    def __init__(
        self,
        distributions: Any = "auto",
        smoothing: Any = "laplace",
        prior: Any = None,
        combination: Any = "product",
        costs: Any = None,
        groups: Any = None,
        missing: str = "ignore",
        unseen: str = "ignore",
        schema: Schema | None = None,
    ) -> None:
        self.distributions = distributions
        self.smoothing = smoothing
        self.prior = prior
        self.combination = combination
        self.costs = costs
        self.groups = groups
        self.missing = missing
        self.unseen = unseen
        self.schema = schema

    # -- learning ------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from a table, forgetting everything learnt before.

        Parameters
        ----------
        X : array, sparse matrix or data frame (rows, columns)
        y : labels (rows,), or the name of X's target column
        sample_weight : weights (rows,) or None
        """
        learnt, names = self._learn(X, y, sample_weight, None)
        model = self._estimate(learnt)
        self._become(learnt, names)
        self._cache.update(model=model, key=self._key())
        return self

    def partial_fit(self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn more rows; new classes and levels may appear in any batch. A failure changes nothing.

        Parameters
        ----------
        X : array, sparse matrix or data frame (rows, columns)
        y : labels (rows,), or the name of X's target column
        classes : labels or None
            Classes that are there even if no row shows them.
        sample_weight : weights (rows,) or None
        """
        fitted = self.__sklearn_is_fitted__()
        learnt, names = self._learn(X, y, sample_weight, self._learnt.schema if fitted else None)
        if fitted:
            learnt = self._learnt + learnt
        if classes is not None:
            learnt = with_classes(learnt, classes)
        self._become(learnt, names)
        return self

    def forget(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Unlearn rows learnt before, exactly: the model is as if they had never been seen."""
        check_is_fitted(self)
        learnt, names = self._learn(X, y, sample_weight, self._learnt.schema)
        self._become(self._learnt - learnt, names)
        return self

    def _learn(self, X: Any, y: Any, sample_weight: Any, known: Schema | None) -> tuple[Learnt, Array | None]:
        self._check_rules()
        table, labels, target = self._read(X, y, known)
        weight = read_weights(sample_weight, table.n_rows)
        names = list(table.names) if table.names is not None else list(range(table.n_columns))
        base = known if known is not None else self.schema
        plans = plan(self.distributions, names, symbolic(table, known), self.schema)
        plans = match_storage(plans, known)
        if self._combination().discrete:
            check_discrete(plans, names, self._combination().name)
        groups = group_positions(self.groups, names, plans)
        learnt = learn(table, labels, weight, plans, groups, base, target)
        if known is None and self.schema is not None:
            learnt = adopt(self.schema, learnt)
        return learnt, None if table.names is None else np.array(table.names, dtype=object)

    def _read(self, X: Any, y: Any, known: Schema | None) -> tuple[Table, Labels, str | None]:
        table = tables.read(X)
        target = None
        if isinstance(y, str):
            target = y
            if table.names is None or y not in table.names:
                raise ValueError(f"X has no column {y!r} to be the target; give y as labels or as the name of a column")
            position = table.index(y)
            y = table.column(position)
            y = y.levels[y.codes] if isinstance(y, Symbols) and (y.codes >= 0).all() else column_labels(y)
        if known is not None:
            table = align(table, known, type(self).__name__)
        elif target is not None:
            table = table.select([j for j in range(table.n_columns) if j != position])
            if not table.n_columns:
                raise ValueError(f"X has no column besides the target {target!r}: at least one feature is required")
        return table, read_labels(y, table.n_rows), target

    def _become(self, learnt: Learnt, names: Array | None) -> None:
        """Take over a state; nothing can fail from here on."""
        self._learnt = learnt
        self._cache: dict[str, Any] = {}
        self.classes_ = learnt.schema.classes
        self.n_features_in_ = len(learnt.schema.columns)
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_") and not isinstance(learnt.schema.columns[0].name, str):
            del self.feature_names_in_

    # -- what was learnt -----------------------------------------------------------------------------------------

    def __sklearn_is_fitted__(self) -> bool:
        return "_learnt" in self.__dict__

    @property
    def class_counts_(self) -> Array:
        """Weight of the rows of each class."""
        check_is_fitted(self)
        return self._learnt.statistics.classes.table

    @property
    def statistics_(self) -> Statistics:
        """The statistics: what is stored, sent and merged."""
        check_is_fitted(self)
        return self._learnt.statistics

    @property
    def model_(self) -> Model:
        """The model under the present rules."""
        check_is_fitted(self)
        return self._model()

    @property
    def schema_(self) -> Schema:
        """Columns, levels and class labels, with the distribution and cut points that the model uses."""
        check_is_fitted(self)
        model = self._model()
        evidence = self._evidence(self._learnt)
        return replace(
            evidence.schema,
            choices=model.choices,
            scores=model.scores,
            absent=tuple(evidence.missing_occurs(j) for j in range(self.n_features_in_)),
            combinations=model.combinations,
        )

    def _evidence(self, learnt: Learnt) -> Evidence:
        return Evidence(learnt.schema, learnt.statistics, self.schema)

    def _combination(self) -> Combination:
        return as_combination(self.combination)

    def _check_rules(self) -> None:
        as_smoothing(self.smoothing)
        self._combination()
        check_option("missing", self.missing, ("ignore", "level"))
        check_option("unseen", self.unseen, ("ignore", "error"))
        if self.schema is not None and not isinstance(self.schema, Schema):
            raise TypeError(f"schema takes another model's schema_, not {self.schema!r}")

    def _model(self) -> Model:
        """Return the model of the present rules; estimated again only when a rule has changed."""
        key = self._key()
        cached = self._cache.get("key")
        if cached is None or not same_rules(cached, key):
            self._cache.update(model=self._estimate(self._learnt), key=key)
        model: Model = self._cache["model"]
        return model

    def _key(self) -> list[tuple[Any, Any]]:
        values = [getattr(self, name) for name in LEARNT_RULES]
        return [(value, snapshot(value)) for value in values]

    def _estimate(self, learnt: Learnt) -> Model:
        self._check_rules()
        schema = learnt.schema
        if not len(schema.classes):
            raise ValueError("the model has forgotten every row: teach it again with partial_fit")
        symbols = [c.kind == "symbols" for c in schema.columns]
        plans = plan(self.distributions, schema.names, symbols, self.schema)
        combination = self._combination()
        if combination.discrete:
            check_discrete(plans, schema.names, combination.name)
        groups = group_positions(self.groups, schema.names, plans)
        if groups != schema.groups:
            raise ValueError("groups changed since fit, and joint counts are made from data: refit")
        rules = Rules(as_smoothing(self.smoothing), self.missing)  # type: ignore[arg-type]  # checked above
        return estimate(self._evidence(learnt), plans, rules, self.prior, combination.discrete)

    # -- predicting ----------------------------------------------------------------------------------------------

    def _rows(self, X: Any) -> Rows:
        check_is_fitted(self)
        check_option("unseen", self.unseen, ("ignore", "error"))  # no part of a model's rules, so checked where used
        schema = self._learnt.schema
        return Rows(align(tables.read(X), schema, type(self).__name__), schema, self.unseen)

    def predict_joint_log_proba(self, X: Any) -> Array:
        """Return the scores (rows, classes): log P(c) + Σ_i log P(x_i | c) under the product."""
        return self._score(X)[0]

    def _score(self, X: Any) -> tuple[Array, Model]:
        rows = self._rows(X)
        model = self._model()
        return scoring.score(model, self._combination(), rows), model

    def predict_log_proba(self, X: Any) -> Array:
        """Return log P(c | x); a row impossible under every class gets the prior."""
        scores, model = self._score(X)
        return log_posterior(scores, model.log_prior)

    def predict_proba(self, X: Any) -> Array:
        """Return P(c | x)."""
        out: Array = np.exp(self.predict_log_proba(X))
        return out

    def predict(self, X: Any) -> Array:
        """Return the labels of the largest posterior, or of the least risk where there are costs."""
        check_is_fitted(self)
        return self._decide(self.predict_log_proba(X))

    def _decide(self, log_proba: Array) -> Array:
        costs = None if self.costs is None else cost_matrix(self.costs, self.classes_)
        labels: Array = self.classes_[decide(log_proba, costs)]
        return labels

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Return the accuracy; y may be the name of X's target column."""
        if isinstance(y, str):
            table = tables.read(X)
            y = column_labels(table.column(table.index(y)))
        return float(super().score(X, y, sample_weight))

    def impossible(self, X: Any) -> Array:
        """Return which rows have probability zero under every class (product)."""
        rows = self._rows(X)
        return impossible(scoring.score(self._model(), Product(), rows))

    def leave_one_out(self, X: Any, y: Any = None, sample_weight: Any = None) -> Array:
        """Return log P(c | x) of rows learnt before, each scored by the model without it, under the same schema.

        Parameters
        ----------
        X, y, sample_weight
            As they were learnt.
        """
        check_is_fitted(self)
        schema = self._learnt.schema
        table, labels, _ = self._read(X, y, schema)
        weight = read_weights(sample_weight, table.n_rows)
        w = np.ones(table.n_rows) if weight is None else weight.astype(float)
        codes = code_labels(labels.classes, schema.classes)[labels.codes]
        strange = np.flatnonzero((codes < 0) & (w > 0))
        if len(strange):
            label = labels.classes.tolist()[labels.codes[strange[0]]]
            raise ValueError(f"row {strange[0]}: the class {label!r} was never learnt")
        rows = Rows(table, schema, self.unseen)
        return scoring.leave_one_out(self._model(), self._combination(), rows, codes, w)

    def predict_interval(self, X: Any, level: float = 0.95, draws: int = 1000, random_state: Any = 0) -> Array:
        """Return equal-tailed credible intervals of P(c | x): (rows, classes, 2).

        Parameters
        ----------
        X : array, sparse matrix or data frame
        level : float
            Probability that the interval holds.
        draws : int
            Models drawn from the posterior of the parameters.
        random_state : int, Generator or None
        """
        if not 0 < level < 1:
            raise ValueError(f"level={level!r}: a probability between 0 and 1")
        if draws < 1:
            raise ValueError(f"draws={draws!r}: at least one model must be drawn")
        rows = self._rows(X)
        rng = np.random.default_rng(random_state)
        return sampling.intervals(self._model(), self._combination(), rows, level, draws, rng)

    def sample(self, n: int, random_state: Any = None) -> tuple[Any, Array]:
        """Draw n rows and their labels from the model.

        Returns
        -------
        X : data frame, or ndarray if the model was fitted on an array
        y : ndarray (n,)
        """
        check_is_fitted(self)
        if n < 0:
            raise ValueError(f"n={n!r}: the number of rows is not negative")
        cells, codes = sampling.sample(self._model(), n, np.random.default_rng(random_state))
        return sampling.as_frame(cells, self._learnt.schema), self.classes_[codes]

    def explain(self, X: Any) -> Explanation:
        """Return what the prior and each column add to the score of each class."""
        rows = self._rows(X)
        model, rule = self._model(), self._combination()
        prior, contributions = scoring.contributions(model, rule, rows)
        posterior = log_posterior(scoring.score(model, rule, rows), model.log_prior)
        members = {group[0]: group for group in rows.schema.groups}
        places = [int(block.places[i]) for block, i in model.attributes]
        columns = [[rows.table.column(j) for j in members.get(place, (place,))] for place in places]
        return Explanation(
            classes=self.classes_,
            names=model.attribute_names,
            prior=prior,
            contributions=contributions,
            cells=[[together([readable(cell_at(c, r)) for c in cs]) for cs in columns] for r in range(len(rows))],
            posterior=np.exp(posterior),
            decisions=self._decide(posterior),
            additive="probability" if rule.name == "sum" else "log",
            chosen=model.chosen,
        )

    # -- algebra -------------------------------------------------------------------------------------------------

    def _with(self, learnt: Learnt) -> Self:
        new: Self = clone(self)
        new._become(learnt, getattr(self, "feature_names_in_", None))
        return new

    def merge(self, other: NaiveBayes) -> Self:
        """Return a model of both models' rows; the operands stay as they are. Same as `+`."""
        if not isinstance(other, NaiveBayes):
            raise TypeError(f"only a model can be merged with a model, not {other!r}")
        check_is_fitted(self)
        check_is_fitted(other)
        return self._with(self._learnt + other._learnt)

    def __add__(self, other: Any) -> Self:
        return self.merge(other) if isinstance(other, NaiveBayes) else NotImplemented

    def __radd__(self, other: Any) -> Self:
        return self._with(self._learnt) if other == 0 else NotImplemented  # so that sum(models) works

    def __sub__(self, other: Any) -> Self:
        if not isinstance(other, NaiveBayes):
            return NotImplemented
        check_is_fitted(self)
        check_is_fitted(other)
        return self._with(self._learnt - other._learnt)

    def __mul__(self, factor: Any) -> Self:
        if not isinstance(factor, (int, float, np.integer, np.floating)):
            return NotImplemented
        check_is_fitted(self)
        return self._with(self._learnt.scale(float(factor)))

    __rmul__ = __mul__

    # -- files and contracts -------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model as versioned, checksummed JSON, atomically; it keeps learning after `candide.load`."""
        check_is_fitted(self)
        params = {
            name: persistence.encode(value) for name, value in self.get_params(deep=False).items() if name != "schema"
        }
        if "schema" in self.get_params(deep=False):
            params["schema"] = None if self.schema is None else persistence.schema_to_dict(self.schema)
        persistence.write(
            path,
            {
                "estimator": type(self).__name__,
                "params": params,
                "schema": persistence.schema_to_dict(self._learnt.schema),
                "statistics": self._learnt.statistics.to_dict(),
            },
        )

    @classmethod
    def _restore(cls, payload: dict[str, Any]) -> Self:
        params = {name: persistence.decode(v) for name, v in payload["params"].items() if name != "schema"}
        given = payload["params"].get("schema")
        if given is not None:
            params["schema"] = persistence.schema_from_dict(given)
        new = cls(**params)
        learnt = Learnt(persistence.schema_from_dict(payload["schema"]), Statistics.from_dict(payload["statistics"]))
        learnt.statistics.check(learnt.schema)
        names = learnt.schema.names
        new._become(learnt, np.array(names, dtype=object) if isinstance(names[0], str) else None)
        return new

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        return {**state, "_cache": {}} if "_cache" in state else state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def snapshot(value: Any) -> Any:
    """Return what a rule or a mapping holds now, so that a change inside it is noticed."""
    if isinstance(value, Rule):
        return {name: freeze(inner) for name, inner in vars(value).items()}
    return freeze(value) if isinstance(value, (dict, list)) else None


def same_rules(a: list[Any], b: list[Any]) -> bool:
    """Whether two keys stand for the same rules: the same objects unchanged, or equal values."""
    return all(inside == now if x is y else freeze(x) == freeze(y) for (x, inside), (y, now) in zip(a, b, strict=True))


def check_option(name: str, value: Any, known: tuple[str, str]) -> None:
    """Refuse a word that is not one of the two known."""
    if value not in known:
        raise ValueError(f"{name}={value!r} is not known; use {known[0]!r} or {known[1]!r}")


def column_labels(column: Any) -> Array:
    """Return a target column's cells as labels, None where missing."""
    if isinstance(column, Symbols):
        out = np.full(len(column.codes), None, dtype=object)
        known = column.codes >= 0
        out[known] = column.levels[column.codes[known]]
        return out
    values: Array = column.values
    return values
