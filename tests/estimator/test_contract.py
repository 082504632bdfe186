"""scikit-learn's own checks, all of them, for the classifier and every preset."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone, is_classifier
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

from candide import NaiveBayes, presets, structure
from candide.combination import Outlier
from candide.discretizers import EqualFrequency, EqualWidth
from candide.distributions import Bins
from candide.smoothing import Laplace, Lidstone, MEstimate

ESTIMATORS = [
    NaiveBayes(),
    *(getattr(presets, name)() for name in presets.__all__),
    *(getattr(structure, name)() for name in structure.__all__),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learns_checks(estimator: NaiveBayes, check: object) -> None:
    check(estimator)


@parametrize_with_checks(
    [
        NaiveBayes(distributions="normal"),
        NaiveBayes(combination="outlier", smoothing="indifferent"),
        NaiveBayes(missing="level", smoothing=MEstimate(1.0)),
        structure.AveragedOneDependence(n=2, smoothing="backoff"),
        structure.TreeAugmentedNB(smoothing="indifferent", average_trees=True),
        structure.BayesNetwork(learn="chow-liu", missing="level"),
    ]
)
def test_scikit_learns_checks_of_other_rules(estimator: NaiveBayes, check: object) -> None:
    check(estimator)


ARRAY_API = """
from sklearn.utils.estimator_checks import estimator_checks_generator
from candide import NaiveBayes, presets, structure

ran = 0
own = [*(getattr(presets, name) for name in presets.__all__), *(getattr(structure, name) for name in structure.__all__)]
for estimator in (NaiveBayes, *own):
    for estimator, check in estimator_checks_generator(estimator()):
        if "array_api" in str(check):
            check(estimator)
            ran += 1
assert ran >= 7, ran
"""


def test_scikit_learns_checks_of_the_array_api() -> None:
    """They are skipped unless SciPy was told before it is imported: another process runs them."""
    environment = {**os.environ, "SCIPY_ARRAY_API": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", ARRAY_API], env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr


def test_tags_are_honest() -> None:
    for estimator in ESTIMATORS:
        tags = get_tags(estimator)
        assert is_classifier(estimator)
        assert tags.input_tags.allow_nan
        assert tags.input_tags.sparse
        assert tags.input_tags.string
        assert tags.input_tags.categorical
        assert not tags.non_deterministic
        assert not tags.no_validation
        assert not tags._skip_test
        assert tags.target_tags.required


@pytest.fixture
def data() -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(0)
    y = rng.choice(["no", "yes"], 120)
    X = pd.DataFrame(
        {"x": rng.normal(size=120) + (y == "yes"), "z": rng.gamma(2, size=120), "k": rng.choice(["a", "b"], 120)}
    )
    return X, y


def test_clone_copies_rules_by_value(data: tuple) -> None:
    nb = NaiveBayes(
        distributions={"x": Bins(EqualWidth(3))}, smoothing=Lidstone(0.5), combination=Outlier(0.1), groups=[["x", "k"]]
    )
    again = clone(nb)
    assert again.get_params() == nb.get_params()
    assert again.smoothing is not nb.smoothing
    assert again.smoothing == nb.smoothing
    nb.fit(*data)
    assert not hasattr(clone(nb), "classes_")


def test_grid_search_over_rules_and_their_parameters(data: tuple) -> None:
    X, y = data
    grid = [
        {"smoothing": [Laplace(), Lidstone(0.1), "indifferent"], "combination": ["product", Outlier(0.05)]},
        {"smoothing": [Lidstone()], "smoothing__alpha": [0.01, 1.0, 10.0], "smoothing__class_alpha": [0, 1]},
        {"distributions": [Bins(EqualFrequency(5))], "distributions__discretizer__k": [2, 8]},
    ]
    search = GridSearchCV(NaiveBayes(), grid, cv=3, error_score="raise").fit(X, y)
    assert len(search.cv_results_["params"]) == 6 + 6 + 2
    by_k = {
        p["distributions__discretizer__k"]: s
        for p, s in zip(search.cv_results_["params"], search.cv_results_["mean_test_score"], strict=True)
        if len(p) == 2 and "distributions" in p
    }
    for k, score in by_k.items():
        alone = cross_val_score(NaiveBayes(distributions=Bins(EqualFrequency(k))), X, y, cv=3).mean()
        assert score == pytest.approx(alone)


def test_parameters_of_rules_are_reached_by_name() -> None:
    nb = NaiveBayes(smoothing=Lidstone(0.5), distributions=Bins(EqualWidth(4)))
    params = nb.get_params()
    assert params["smoothing__alpha"] == 0.5
    assert params["distributions__discretizer__k"] == 4
    with pytest.raises(ValueError, match="beta"):
        nb.set_params(smoothing__beta=1)
    with pytest.raises(ValueError, match="smooth"):
        nb.set_params(smooth=1)


def test_a_pipeline_that_hands_frames_on(data: tuple) -> None:
    X, y = data
    scale = ColumnTransformer(
        [("scale", StandardScaler(), ["x", "z"])], remainder="passthrough", verbose_feature_names_out=False
    )
    pipe = make_pipeline(scale, NaiveBayes(distributions={"x": "normal"})).set_output(transform="pandas")
    pipe.fit(X, y)
    assert pipe[-1].feature_names_in_.tolist() == ["x", "z", "k"]
    assert pipe.score(X, y) > 0.6
    alone = NaiveBayes(distributions={"x": "normal"}).fit(X, y)
    np.testing.assert_allclose(pipe.predict_proba(X), alone.predict_proba(X), rtol=1e-8)  # units do not matter


def test_cross_val_predict(data: tuple) -> None:
    p = cross_val_predict(NaiveBayes(), *data, cv=4, method="predict_proba")
    np.testing.assert_allclose(p.sum(axis=1), 1)


def test_sample_weight_is_routed(data: tuple) -> None:
    X, y = data
    weight = np.random.default_rng(1).integers(0, 3, len(y))
    with sklearn.config_context(enable_metadata_routing=True):
        nb = NaiveBayes().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        assert nb.get_metadata_routing().fit.requests == {"sample_weight": True}
        pipe = make_pipeline(ColumnTransformer([], remainder="passthrough").set_output(transform="pandas"), nb)
        pipe.fit(X, y, sample_weight=weight)
        search = GridSearchCV(nb, {"smoothing": ["laplace", "none"]}, cv=2).fit(X, y, sample_weight=weight)
        assert search.best_estimator_.class_counts_.sum() == weight.sum()
    assert pipe[-1].class_counts_.sum() == weight.sum()


def test_the_html_representation_names_the_rules() -> None:
    html = NaiveBayes(smoothing=Lidstone(0.25), combination="outlier")._repr_html_()
    assert "NaiveBayes" in html
    assert "Lidstone(alpha=0.25)" in html
    assert repr(NaiveBayes(smoothing=Lidstone(0.25))) == "NaiveBayes(smoothing=Lidstone(alpha=0.25))"


def test_rules_are_printed_and_compared_by_value() -> None:
    assert Lidstone(0.25) == Lidstone(0.25) != Lidstone(0.5)
    assert hash(Lidstone(0.25)) == hash(Lidstone(0.25))
    assert repr(Bins(EqualWidth(3))) == "Bins(discretizer=EqualWidth(k=3))"
    assert repr(Outlier()) == "Outlier()"
