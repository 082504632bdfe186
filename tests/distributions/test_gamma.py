"""The gamma's shape: maximum likelihood in every range, and an end in bounded steps whatever the gap."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import digamma

from candide import NaiveBayes
from candide.distributions import gamma
from candide.distributions.gamma import gamma_shape

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

    monkeypatch.setattr(gamma, "digamma", guarded(gamma.digamma, 0))
    monkeypatch.setattr(gamma, "polygamma", guarded(gamma.polygamma, 1))


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
