"""Trees, averages and back-off give what exact fractions give."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from tests.structure.cases import made, table
from tests.structure.exact import Exact

from candide import NaiveBayes
from candide.smoothing import Backoff
from candide.structure import AveragedOneDependence, BayesNetwork, TreeAugmentedNB

CASE = table(40, seed=3)
RULES = [("laplace", None), (Backoff(2), Fraction(2)), (Backoff(0.5), Fraction(1, 2))]
every_rule = pytest.mark.parametrize(("smoothing", "m"), RULES, ids=["laplace", "m=2", "m=1/2"])


@every_rule
def test_a_tree(smoothing: object, m: Fraction | None) -> None:
    tan, exact = made(TreeAugmentedNB(smoothing=smoothing), CASE), Exact(CASE, m)
    wanted = [{c: exact.tree(row, c, tan.parents_) for c in exact.classes} for row in exact.rows]
    np.testing.assert_allclose(tan.predict_proba(CASE.X), [exact.posterior(joint) for joint in wanted], rtol=1e-12)
    scores = tan.predict_joint_log_proba(CASE.X)
    np.testing.assert_allclose(
        np.exp(scores), [[float(joint[c]) for c in exact.classes] for joint in wanted], rtol=1e-10
    )


@every_rule
@pytest.mark.parametrize("n", [1, 2])
@pytest.mark.parametrize("least", [1, 3, 12, 30])
def test_averages(n: int, least: int, smoothing: object, m: Fraction | None) -> None:
    aode = made(AveragedOneDependence(n=n, min_frequency=least, smoothing=smoothing), CASE)
    exact = Exact(CASE, m)
    wanted = [{c: exact.averaged(row, c, n, least) for c in exact.classes} for row in exact.rows]
    np.testing.assert_allclose(aode.predict_proba(CASE.X), [exact.posterior(joint) for joint in wanted], rtol=1e-10)
    scores = aode.predict_joint_log_proba(CASE.X)
    np.testing.assert_allclose(
        np.exp(scores), [[float(joint[c]) for c in exact.classes] for joint in wanted], rtol=1e-10
    )


@pytest.mark.parametrize("smoothing", ["laplace", Backoff(2), "m-estimate"], ids=str)
def test_averages_left_to_numpy_are_those_of_the_kernel(smoothing: object) -> None:
    aode = made(AveragedOneDependence(smoothing=smoothing), CASE)
    np.testing.assert_allclose(aode.explain(CASE.X).scores, aode.predict_joint_log_proba(CASE.X), rtol=1e-12)


@pytest.mark.parametrize("smoothing", ["none", "laplace", "m-estimate", "marginal", "indifferent", "backoff"])
def test_a_network_of_arcs_from_the_class_alone_is_naive_bayes(smoothing: str) -> None:
    nb = made(NaiveBayes(smoothing=smoothing), CASE)
    for network in (BayesNetwork(), BayesNetwork(edges=[("class", name) for name in CASE.X])):
        found = made(network, CASE, smoothing=smoothing).predict_joint_log_proba(CASE.X)
        np.testing.assert_allclose(found, nb.predict_joint_log_proba(CASE.X), rtol=1e-12)


@pytest.mark.parametrize("smoothing", ["none", "laplace", "m-estimate", "marginal", "backoff"])
def test_a_tree_of_one_column_is_naive_bayes(smoothing: str) -> None:
    X = CASE.X[["s1"]]
    nb = NaiveBayes(smoothing=smoothing).fit(X, CASE.y)
    for model in (TreeAugmentedNB(smoothing=smoothing), AveragedOneDependence(smoothing=smoothing)):
        found = model.fit(X, CASE.y).predict_joint_log_proba(X)
        np.testing.assert_allclose(found, nb.predict_joint_log_proba(X), rtol=1e-12)


def test_a_network_of_a_tree_is_the_tree() -> None:
    tan = made(TreeAugmentedNB(), table(60, missing=0.0))
    parents = {name: ["class"] if p is None else ["class", p] for name, p in tan.parents_.items()}
    network = made(BayesNetwork(parents=parents), table(60, missing=0.0))
    np.testing.assert_allclose(
        network.predict_joint_log_proba(CASE.X.dropna()), tan.predict_joint_log_proba(CASE.X.dropna()), rtol=1e-12
    )
