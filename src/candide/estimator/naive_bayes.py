"""NaiveBayes: parameters, and the plan that they mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from candide.combination import as_combination
from candide.estimator.classifier import Classifier
from candide.estimator.learner import check_option
from candide.model.plan import Plan, make_plan
from candide.schema.column import Kind
from candide.schema.schema import Schema
from candide.smoothing import as_smoothing
from candide.tuning import as_weighing


class NaiveBayes(Classifier):
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
    costs : None, array (classes, classes), {decided: {true: cost}} or Costs
        What a decision costs; `predict` then takes the least risk.
    groups : None or list of lists of columns
        Columns joined into one attribute.
    missing : "ignore" or "level"
        Whether a missing cell says nothing or is a level of its own.
    unseen : "ignore" or "error"
        What a level outside the domain does.
    schema : None or Schema
        Another model's `schema_`: the same levels and cut points, and the same reading.
    weights : None, "tuned", "temperature", Tuned or {column: number}
        How much the evidence of each column counts. None: once. The others are settled on the rows that are learnt, or
        given; they need the product.
    reading : "auto", "plain", or {column: reader, "plain" or "auto"}
        Whether text is looked at for what it means: numbers in disguise, dates, spellings of missing cells,
        identifiers, free text; `schema_.reading` tells what was found. "plain" takes every column as it is; "auto" of
        one column, as it asks for, and never ignores it.
    strict : bool
        Whether frames to predict must have just the columns that were learnt, in their order; otherwise their columns
        are found by name, those not there are missing and others are ignored, as in rows that are dicts.

    Examples
    --------
    >>> import pandas as pd
    >>> from candide import NaiveBayes
    >>> frame = pd.DataFrame({"wheels": [2, 4, 4, 6] * 5, "energy": ["petrol", "petrol", "diesel", "diesel"] * 5})
    >>> nb = NaiveBayes().fit(frame, ["bike", "car", "car", "truck"] * 5)
    >>> nb.predict(pd.DataFrame({"wheels": [2], "energy": [None]}))
    array(['bike'], dtype='<U5')
    """

    PLANNED = ("distributions", "smoothing", "prior", "combination", "groups", "missing", "schema", "weights")

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
        weights: Any = None,
        reading: Any = "auto",
        strict: bool = True,
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
        self.weights = weights
        self.reading = reading
        self.strict = strict

    def _plan(
        self, names: Sequence[str | int], kinds: Sequence[Kind], known: Schema | None, target: str | None, asked: Any
    ) -> Plan:
        check_option("missing", self.missing, ("ignore", "level"))
        check_option("unseen", self.unseen, ("ignore", "error"))
        return make_plan(
            names,
            kinds,
            distributions=self.distributions,
            groups=self.groups,
            smoothing=as_smoothing(self.smoothing),
            combination=as_combination(self.combination),
            prior=self.prior,
            missing=self.missing,
            given=self.schema,
            known=known,
            target=target,
            asked=asked,
            weights=as_weighing(self.weights),
        )
