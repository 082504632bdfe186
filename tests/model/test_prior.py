"""The prior: softened class counts, or as given; and without each row."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from candide import NaiveBayes
from candide.distributions.blocks import LeftOut
from candide.model.prior import Prior, make_prior
from candide.smoothing import Lidstone

F = Fraction
COUNTS = np.array([3, 0, 5])
PSEUDO = np.array([1.0, 0.5, 2.0])
CLASSES = np.array(["a", "b", "c"])


def test_alpha_by_hand() -> None:
    total = F(3) + 1 + F(1, 2) + 5 + 2
    wanted = [float((F(3) + 1) / total), float(F(1, 2) / total), float(F(7) / total)]
    np.testing.assert_allclose(Prior(COUNTS, PSEUDO).alpha, wanted, rtol=1e-15)
    np.testing.assert_allclose(Prior(COUNTS, PSEUDO).log, np.log(wanted), rtol=1e-15)


def test_no_rows_and_no_pseudo_counts_prefer_no_class() -> None:
    np.testing.assert_array_equal(Prior(np.zeros(4), np.zeros(4)).alpha, [0.25] * 4)
    assert Prior(COUNTS, np.zeros(3)).log[1] == -np.inf


@pytest.mark.parametrize("given", ["uniform", [1 / 3, 1 / 3, 1 / 3], {"c": 1 / 3, "a": 1 / 3, "b": 1 / 3}])
def test_forms_of_a_given_prior(given: Any) -> None:
    prior = make_prior(given, CLASSES, COUNTS, PSEUDO)
    np.testing.assert_allclose(prior.alpha, [1 / 3] * 3)
    left = LeftOut(np.array([0, 2]), np.ones(2))
    np.testing.assert_allclose(prior.without(left), np.log(np.full((2, 3), 1 / 3)))
    assert prior.draw(np.random.default_rng(0)) is prior


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ("flat", ValueError, "prior='flat' is not known; use None, 'uniform'"),
        ("uniformm", ValueError, "did you mean 'uniform'?"),
        ({"a": 0.5, "d": 0.5}, ValueError, "prior: there is no class 'd'; there are 'a'"),
        ({"a": 0.5, "b": 0.5}, ValueError, "says nothing of class 'c'"),
        ([0.5, 0.5], ValueError, "2 entries for 3 classes"),
        ([0.5, 0.6, -0.1], ValueError, "-0.1 is not a probability"),
        ([0.5, 0.5, float("nan")], ValueError, "nan is not a probability"),
        ([0.2, 0.2, 0.2], ValueError, r"add up to 0\.6, not to 1"),
        (3, TypeError, "prior=3: use None, 'uniform'"),
    ],
)
def test_what_is_no_prior_is_refused(given: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make_prior(given, CLASSES, COUNTS, PSEUDO)


@pytest.mark.parametrize("weights", [[1.0] * 6, [0.5, 1.0, 2.0, 0.5, 1.0, 2.0], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]])
def test_without_each_row_by_hand(weights: list[float]) -> None:
    y = np.array([0, 2, 2, 0, 2, 0])
    counts = np.array([3.0, 0.0, 5.0])
    got = Prior(counts, PSEUDO).without(LeftOut(y, np.array(weights)))
    for row, (c, w) in enumerate(zip(y, weights, strict=True)):
        left = counts + PSEUDO
        left[c] -= w
        np.testing.assert_allclose(np.exp(got[row]), left / left.sum(), rtol=1e-14)


def test_a_row_of_a_class_never_learnt_weighs_nothing_and_rounding_leaves_no_row() -> None:
    prior = Prior(COUNTS, PSEUDO)
    np.testing.assert_array_equal(prior.without(LeftOut(np.array([-1]), np.zeros(1)))[0], prior.log)
    last = Prior(np.array([0.1 + 0.2, 1.0]), np.zeros(2)).without(LeftOut(np.array([0]), np.array([0.3])))
    np.testing.assert_array_equal(np.exp(last), [[0, 1]])


def test_draws_follow_the_dirichlet() -> None:
    rng = np.random.default_rng(0)
    prior = Prior(np.array([30, 10]), np.ones(2))
    drawn = np.array([prior.draw(rng).alpha[0] for _ in range(4_000)])
    n, p = 42, 31 / 42
    assert drawn.mean() == pytest.approx(p, abs=0.005)
    assert drawn.var() == pytest.approx(p * (1 - p) / (n + 1), rel=0.1)


@pytest.mark.parametrize("make", [list, np.array, lambda p: dict(enumerate(p))], ids=["list", "array", "dict"])
def test_a_prior_changed_in_place_takes_effect(make: Any) -> None:
    prior = make([0.5, 0.5])
    nb = NaiveBayes("normal", prior=prior, smoothing=Lidstone()).fit([[1.0], [2.0]], [0, 1])
    np.testing.assert_allclose(np.exp(nb.model_.log_prior), [0.5, 0.5])
    nb.predict([[1.0]])
    prior[0], prior[1] = 0.9, 0.1
    np.testing.assert_allclose(np.exp(nb.model_.log_prior), [0.9, 0.1])
    np.testing.assert_allclose(nb.predict_proba([[np.nan]]), [[0.9, 0.1]])


@pytest.mark.parametrize("given", [["x", 1.0], ["0.5", "0.5"], [None, 1.0], {"p": "x", "q": 1.0}, [[0.5], 0.5]])
def test_a_prior_that_is_no_number_is_named(given: object) -> None:
    nb = NaiveBayes(prior=given)
    with pytest.raises((ValueError, TypeError), match=r"prior.*(is not a probability|use None)"):
        nb.fit([[0.0], [1.0]], ["p", "q"])
