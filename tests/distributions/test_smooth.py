"""Smoothed tables: the formula, what is settled, and the laws that the registries do not reach."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests import laws

from candide import NaiveBayes
from candide.distributions import Normal, Smooth
from candide.distributions.clamped import Clamped
from candide.distributions.forms import Steps
from candide.distributions.nothing import Nothing

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, 90)
X = np.column_stack([RNG.normal(size=90) + Y, RNG.integers(0, 5, 90) - Y, RNG.gamma(1.0 + Y)])


def test_the_table_is_the_counts_spread_over_neighbours_and_drawn_towards_nothing() -> None:
    rule = Smooth(width=0.2, strength=3.0, cuts=[0.0, 1.0], masses=[40, 30, 20])
    nb = NaiveBayes({0: rule, 1: Nothing(), 2: Nothing()}).fit(X, Y)
    n = np.array([[((X[:, 0] > a) & (X[:, 0] <= b) & (c == Y)).sum() for a, b in CELLS] for c in range(3)])
    share = np.array([40, 30, 20]) / 90
    u = np.array([20, 55, 80]) / 90
    kernel = share[:, None] * np.exp(-0.5 * ((u[:, None] - u) / 0.2) ** 2)
    kernel /= kernel.sum(axis=0)
    prior = (n.sum(axis=1) + 1) / (n.sum() + 3)
    pull = 3.0 * 3 / (1 / np.diag(kernel)).sum() * prior
    theta = (n @ kernel.T + pull[:, None] + share) / (n.sum(axis=1) + 3 * pull + 1)[:, None]
    form = nb.model_.forms[0]
    assert isinstance(form, Steps)
    np.testing.assert_allclose(np.exp(form.table), theta, rtol=1e-12)
    np.testing.assert_allclose(theta.sum(axis=1), 1.0)


CELLS = [(-np.inf, 0.0), (0.0, 1.0), (1.0, np.inf)]


@pytest.mark.parametrize("missing", ["ignore", "level"])
@pytest.mark.parametrize("rule", [Smooth(), Smooth(cells=4), Smooth(width=0.0), "auto"], ids=repr)
def test_leaving_out_is_refitting_under_the_same_schema(rule: Any, missing: str) -> None:
    holes = X.copy()
    holes[RNG.random(X.shape) < 0.2] = np.nan
    laws.leaves_one_out(NaiveBayes(rule, missing=missing).fit(holes, Y), holes, Y)
    weight = RNG.integers(1, 4, len(Y))
    laws.leaves_one_out(NaiveBayes(rule, missing=missing).fit(holes, Y, weight), holes, Y, weight)


def test_what_was_settled_is_kept_and_taken_over() -> None:
    nb = NaiveBayes("smooth").fit(X, Y)
    for j in range(3):
        choice = nb.schema_.choice(j)
        assert len(choice.masses) == len(choice.cuts) + 1
        assert sum(choice.masses) == 90
    again = NaiveBayes("smooth", schema=nb.schema_).fit(X[:40], Y[:40])
    assert again.schema_.choices == nb.schema_.choices
    assert repr(nb.schema_.choice(0)).startswith("Smooth(64 cells, width=")


def test_few_values_have_a_cell_each() -> None:
    values = np.unique(X[:, 1])
    cuts = np.array(NaiveBayes("smooth").fit(X, Y).schema_.choice(1).cuts)
    assert ((cuts >= values[:-1]) & (cuts < values[1:])).all()


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        (Smooth(cells=0), "1 to 65,536"),
        (Smooth(cuts=[0.0], masses=[1.0]), "1 cuts and 1 masses"),
    ],
)
def test_what_cannot_be_is_refused(rule: Smooth, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        NaiveBayes(rule).fit(X, Y)


def test_a_column_that_says_nothing_adds_nothing_and_is_drawn_from_what_was_seen() -> None:
    nb = NaiveBayes({0: Nothing(), 1: "normal", 2: "normal"}).fit(X, Y)
    rest = NaiveBayes("normal").fit(X[:, 1:], Y)
    np.testing.assert_allclose(nb.predict_log_proba(X), rest.predict_log_proba(X[:, 1:]), rtol=1e-12)
    assert (nb.explain(X).contributions[:, :, 0] == 0).all()
    drawn, _ = nb.sample(50, random_state=0)
    assert set(np.asarray(drawn)[:, 0]) <= set(X[:, 0])


def test_a_clamped_density_says_no_more_beyond_its_ends() -> None:
    rules = {0: Clamped(Normal(), -1.0, 2.0), 1: Nothing(), 2: Nothing()}
    nb, free = NaiveBayes(rules).fit(X, Y), NaiveBayes({**rules, 0: "normal"}).fit(X, Y)
    inside = np.column_stack([np.linspace(-1, 2, 9)] * 3)
    np.testing.assert_allclose(nb.predict_log_proba(inside), free.predict_log_proba(inside), rtol=1e-12)
    far = np.array([[-50.0, 0, 0], [-1.0, 0, 0], [70.0, 0, 0], [2.0, 0, 0]])
    p = nb.predict_log_proba(far)
    np.testing.assert_array_equal(p[0], p[1])
    np.testing.assert_array_equal(p[2], p[3])
    form = nb.model_.forms[0]
    np.testing.assert_allclose(np.diff(form(far[:, 0])), np.diff(form(np.clip(far[:, 0], -1, 2))), rtol=1e-12)
    with pytest.raises(TypeError, match="cannot be clamped"):
        NaiveBayes(Clamped(Smooth(), 0.0, 1.0)).fit(X, Y)
