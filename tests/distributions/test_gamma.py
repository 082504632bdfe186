"""The gamma's shape: maximum likelihood in every range, and an end in bounded steps whatever the gap."""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np
import pytest
from scipy import special, stats
from scipy.special import digamma

from candide import NaiveBayes
from candide.distributions.gamma import Gamma, gamma_shape, log_less_rest

CONSTANT = [0.2] * 12
SPREAD = [3.1, 6.4, 6.1, 2.4, 1.2, 6.0, 2.5, 2.5, 4.9, 0.8, 3.8, 1.4, 2.7, 4.4, 8.9, 5.1, 1.7, 3.4, 9.6, 1.2]


def test_the_shape_solves_its_equation_in_every_range() -> None:
    k = np.logspace(-3, 3, 200)
    np.testing.assert_allclose(gamma_shape(np.log(k) - digamma(k)), k, rtol=1e-9)
    large = np.logspace(4, 15, 50)
    np.testing.assert_allclose(gamma_shape(1 / (2 * large) + 1 / (12 * large**2)), large, rtol=1e-12)


@pytest.fixture
def only_positive_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let ψ and its slope take finite positive numbers only: at −1e15 SciPy counts up to zero, for months."""

    def guarded(function: object, argument: int) -> object:
        def call(*args: np.ndarray) -> np.ndarray:
            assert (np.isfinite(args[argument]) & (args[argument] > 0)).all()
            return function(*args)

        return call

    monkeypatch.setattr(special, "digamma", guarded(special.digamma, 0))
    monkeypatch.setattr(special, "polygamma", guarded(special.polygamma, 1))


@pytest.mark.usefixtures("only_positive_numbers")
@pytest.mark.parametrize("gap", [0.0, -1e-15, 8.9e-16, 4.4e-16, 1e-300, 1e-4, 700.0, 1e300, np.inf, -np.inf, np.nan])
def test_no_gap_takes_a_step_out_of_the_positive_numbers(gap: float) -> None:
    k = gamma_shape(np.array([gap]))[0]
    assert np.isnan(k) if np.isnan(gap) else k > 0


@pytest.mark.usefixtures("only_positive_numbers")
@pytest.mark.parametrize("rule", ["auto", "gamma"])
def test_a_class_of_one_positive_value_is_fitted_scored_and_left_out(rule: str) -> None:
    X, y = np.array(CONSTANT + SPREAD)[:, None], [0] * len(CONSTANT) + [1] * len(SPREAD)
    nb = NaiveBayes(distributions=rule).fit(X, y)
    assert nb.predict([[0.2], [5.0]]).tolist() == [0, 1]
    assert np.isfinite(nb.leave_one_out(X, y)).all()


def test_the_logarithm_less_its_first_term_keeps_its_digits() -> None:
    x = np.array([5e-324, 1e-9, 0.5, 0.9, 0.999, 1.0, 1 + 2**-40, 1.001, 1.0999, 1.1001, 6.0, 1e300])
    with localcontext(prec=60):
        wanted = [float(Decimal(float(v)).ln() - (Decimal(float(v)) - 1)) for v in x]
    np.testing.assert_allclose(log_less_rest(x, np.array(1.0)), wanted, rtol=1e-14)


@pytest.mark.parametrize("shape", [0.3, 1.0, 40.0, 9e3, 1.1e4, 1e9])
def test_the_density_is_scipys_for_every_shape(shape: float) -> None:
    law = stats.gamma(shape, scale=2.0 / shape)
    x = law.ppf([1e-6, 0.2, 0.5, 0.9, 1 - 1e-6])
    got = Gamma().log_density(x, {"shape": np.array(shape), "scale": np.array(2.0 / shape)})
    # SciPy's own terms cancel as the shape grows
    lost = 4 * np.finfo(float).eps * shape * np.log(shape + 2)
    np.testing.assert_allclose(got, law.logpdf(x), rtol=1e-11, atol=lost)


@pytest.mark.parametrize(("centre", "spread"), [(1e8, 1e-3), (1e4, 1e-2), (1.0, 1e-9)])
def test_narrow_classes_far_from_zero_are_told_apart_as_by_the_normal_density(centre: float, spread: float) -> None:
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 200)
    X = (centre + spread * (rng.normal(size=400) + 3 * y))[:, None]
    gamma, normal = (NaiveBayes(distributions=rule).fit(X, y) for rule in ("gamma", "normal"))
    assert gamma.score(X, y) > 0.9
    np.testing.assert_allclose(gamma.predict_proba(X), normal.predict_proba(X), atol=0.01)
