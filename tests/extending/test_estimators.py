"""A preset and an estimator that are new: a class each, which inherits the algebra, the files and the answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone
from tests import laws
from tests.extending.cases import X, Y, obeys_the_laws

from candide import NaiveBayes
from candide.combination import Product
from candide.estimator import Classifier
from candide.model.plan import Plan, make_plan
from candide.presets import defaults
from candide.schema.column import Kind
from candide.schema.schema import Schema
from candide.smoothing import Lidstone

# -- a preset ----------------------------------------------------------------------------------------------------------


@defaults(smoothing="m-estimate", distributions="entropy", combination="outlier")
class CautiousNB(NaiveBayes):
    """Bins by entropy, m-estimate, and every cell may be an outlier."""


def test_a_preset(tmp_path: Path) -> None:
    obeys_the_laws(CautiousNB, tmp_path)
    plain = NaiveBayes(smoothing="m-estimate", distributions="entropy", combination="outlier").fit(X, Y)
    np.testing.assert_array_equal(CautiousNB().fit(X, Y).predict_proba(X), plain.predict_proba(X))
    assert CautiousNB(missing="level").get_params()["smoothing"] == "m-estimate"
    assert issubclass(CautiousNB, Classifier)


# -- an estimator ------------------------------------------------------------------------------------------------------


class CoarseNB(Classifier):
    """Naive Bayes with `k` bins a column."""

    PLANNED = ("k", "schema")

    def __init__(self, k: int = 3, schema: Schema | None = None) -> None:
        self.k = k
        self.schema = schema

    def _plan(
        self, names: Sequence[str | int], kinds: Sequence[Kind], known: Schema | None, target: str | None, asked: Any
    ) -> Plan:
        rules = {"smoothing": Lidstone(), "combination": Product(), "prior": None, "missing": "ignore", "groups": None}
        told = {"given": self.schema, "known": known, "target": target, "asked": asked}
        return make_plan(names, kinds, distributions=f"equal-width({self.k})", **rules, **told)


def test_an_estimator(tmp_path: Path) -> None:
    obeys_the_laws(CoarseNB, tmp_path)
    wanted = NaiveBayes("equal-width(5)", smoothing=Lidstone()).fit(X, Y)
    laws.same_model(CoarseNB(5).fit(X, Y), wanted, X)
    laws.same_model(clone(CoarseNB().fit(X, Y)).set_params(k=5).fit(X, Y), wanted, X)
    np.testing.assert_allclose(CoarseNB(5).fit(X, Y).explain(X).contributions, wanted.explain(X).contributions)
