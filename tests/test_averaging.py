"""Naive distributions: equations 8 to 13 against fractions, SciPy, integrals and draws."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from candide import NaiveBayes
from candide.averaging import ModelDistribution
from candide.model.model import Model
from candide.presets import IndifferentNB
from candide.smoothing import NaiveDistribution

LEVELS = {"a": ["u", "v"], "b": ["x", "y", "z"]}
CLASSES = ["p", "q"]
COUNTS = {"a": [[1, 2], [0, 2]], "b": [[2, 1, 0], [0, 0, 2]]}  # N'_p = 3, N'_q = 2 for both
EVERY = pd.DataFrame(list(product(*LEVELS.values())), columns=list(LEVELS))


def arrays(counts: object = COUNTS) -> dict[str, np.ndarray]:
    return {name: np.array(table) for name, table in counts.items()}


PRIOR = ModelDistribution(LEVELS, CLASSES, arrays())


def rows(n: int, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    return pd.DataFrame({name: rng.choice(v, n) for name, v in LEVELS.items()}), rng.choice(CLASSES, n)


def parameters(model: Model) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    return model.prior.alpha, {n: np.array(list(model.describe(n).values())).T for n in LEVELS}


def likelihood(model: Model, X: pd.DataFrame, y: np.ndarray) -> float:
    """log P(D | M), eq. 3 multiplied over the rows."""
    alpha, theta = parameters(model)
    total = 0.0
    for cells, label in zip(X.itertuples(index=False), y, strict=True):
        c = CLASSES.index(label)
        total += np.log(alpha[c])
        total += sum(np.log(theta[n][c, LEVELS[n].index(v)]) for n, v in zip(LEVELS, cells, strict=True))
    return total


# -- prediction from the prior alone, eq. 12 ---------------------------------------------------------------------------


def equation_12(cells: tuple[str, ...]) -> list[float]:
    freedom = sum(len(v) for v in LEVELS.values()) - len(LEVELS)
    scores = []
    for c in range(2):
        n_c = sum(COUNTS["a"][c])
        parts = [
            Fraction(COUNTS[i][c][LEVELS[i].index(v)] + 1, n_c + len(LEVELS[i]))
            for i, v in zip(LEVELS, cells, strict=True)
        ]
        scores.append((n_c + 1 + freedom) * prod(parts))
    return [float(s / sum(scores)) for s in scores]


def test_the_prior_alone_predicts_by_equation_12() -> None:
    exact = [equation_12(cells) for cells in EVERY.itertuples(index=False, name=None)]
    np.testing.assert_allclose(PRIOR.predict_proba(EVERY), exact, rtol=1e-13)


def test_the_joint_probabilities_of_all_observations_add_up_to_one() -> None:
    assert np.exp(PRIOR.predict_joint_log_proba(EVERY)).sum() == pytest.approx(1.0, rel=1e-13)


def test_equation_11_is_the_mean_over_drawn_models() -> None:
    rng = np.random.default_rng(3)
    n = 4_000
    drawn = [parameters(PRIOR.draw(rng)) for _ in range(n)]
    for k, (a, b) in enumerate(EVERY.itertuples(index=False)):
        at = LEVELS["a"].index(a), LEVELS["b"].index(b)
        joint = np.array([alpha * theta["a"][:, at[0]] * theta["b"][:, at[1]] for alpha, theta in drawn])
        error = joint.std(axis=0, ddof=1) / np.sqrt(n)
        averaged = np.exp(PRIOR.predict_joint_log_proba(EVERY.iloc[[k]]))[0]
        assert (np.abs(joint.mean(axis=0) - averaged) < 5 * error).all()


# -- density, eq. 10 ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("counts", [0, {"a": np.array([[1, 2], [0, 1]])}], ids=["indifferent", "counts"])
def test_the_density_integrates_to_one_over_phi(counts: object) -> None:
    one = ModelDistribution({"a": ["u", "v"]}, CLASSES, counts)

    def density(phi_q: float, phi_p: float, alpha_p: float) -> float:
        alpha = np.array([alpha_p, 1 - alpha_p])
        share = np.array([phi_p, phi_q]) / alpha
        return float(np.exp(one.log_density(one.point(alpha, {"a": np.column_stack([share, 1 - share])}))))

    # Gauss-Legendre is exact for these polynomials, once α is drawn out of the triangle's sides
    nodes, weights = np.polynomial.legendre.leggauss(6)
    nodes, weights = (nodes + 1) / 2, weights / 2
    total = sum(
        wa * wp * wq * a * (1 - a) * density(q * (1 - a), p * a, a)
        for (a, wa), (p, wp), (q, wq) in product(zip(nodes, weights, strict=True), repeat=3)
    )
    assert total == pytest.approx(1.0, rel=1e-10)


def test_the_density_is_that_of_dirichlets_less_the_stretching_of_phi() -> None:
    rng = np.random.default_rng(1)
    a = np.array([3, 2]) + 1 + 1 + 2  # N'_c + 1 + Σ (#A_i − 1)
    for _ in range(20):
        model = PRIOR.draw(rng)
        alpha, theta = parameters(model)
        expected = stats.dirichlet(a).logpdf(alpha) - 3 * np.log(alpha).sum()  # |dφ / dθ| = Π_c α_c^Σ(#A_i − 1)
        for name, table in arrays().items():
            expected += sum(stats.dirichlet(table[c] + 1).logpdf(theta[name][c]) for c in range(2))
        assert PRIOR.log_density(model) == pytest.approx(expected, rel=1e-10)


def test_indifference_is_its_zero() -> None:
    indifferent = ModelDistribution(LEVELS, CLASSES)
    rng = np.random.default_rng(0)
    density = [indifferent.log_density(PRIOR.draw(rng)) for _ in range(5)]
    np.testing.assert_allclose(density, density[0])  # eq. 14: p(M | I) = Q
    np.testing.assert_array_equal(indifferent.class_counts, [0, 0])
    X, y = rows(30)
    after, learnt = indifferent.posterior(X, y), IndifferentNB().fit(X, y)
    np.testing.assert_allclose(after.predict_proba(EVERY), learnt.predict_proba(EVERY), rtol=1e-13)
    of = ModelDistribution.learnt(learnt)
    assert of.log_density(learnt.model_) == pytest.approx(after.log_density(learnt.model_), rel=1e-12)


# -- posterior, eq. 13 -------------------------------------------------------------------------------------------------


def test_the_posterior_has_the_counts_of_both() -> None:
    X, y = rows(40)
    after = PRIOR.posterior(X, y)
    for name, levels in LEVELS.items():
        for c, label in enumerate(CLASSES):
            counted = [int(((X[name] == v) & (y == label)).sum()) for v in levels]
            assert after.counts[name][c].tolist() == [n + m for n, m in zip(counted, COUNTS[name][c], strict=True)]
    assert after.class_counts.tolist() == [3 + (y == "p").sum(), 2 + (y == "q").sum()]
    assert PRIOR.class_counts.tolist() == [3, 2]  # the prior stays
    np.testing.assert_allclose(
        after.predict_proba(EVERY),
        NaiveBayes(smoothing=NaiveDistribution(arrays())).fit(X, y).predict_proba(EVERY),
        rtol=1e-13,
    )


def test_the_posterior_is_prior_times_likelihood() -> None:
    X, y = rows(15, seed=5)
    after = PRIOR.posterior(X[:7], y[:7]).posterior(X[7:], y[7:])
    rng = np.random.default_rng(2)
    models = [PRIOR.draw(rng) for _ in range(6)]
    evidence = [PRIOR.log_density(m) + likelihood(m, X, y) - after.log_density(m) for m in models]
    np.testing.assert_allclose(evidence, evidence[0], rtol=1e-10)  # log P(D | ξ), the same at every model


def test_the_average_model_has_the_expected_parameters() -> None:
    X, y = rows(25, seed=7)
    after = PRIOR.posterior(X, y)
    alpha, theta = parameters(after.model)
    a = after.class_counts + 1 + 3
    np.testing.assert_allclose(alpha, stats.dirichlet(a).mean(), rtol=1e-13)
    for name in LEVELS:
        for c in range(2):
            np.testing.assert_allclose(theta[name][c], stats.dirichlet(after.counts[name][c] + 1).mean(), rtol=1e-13)


# -- what it refuses ---------------------------------------------------------------------------------------------------


def test_counts_that_break_equation_9_are_refused() -> None:
    with pytest.raises(ValueError, match="same N'_c for every attribute"):
        ModelDistribution(LEVELS, CLASSES, {"a": 1, "b": 1})


def test_what_no_naive_distribution_gives_is_refused() -> None:
    X, y = rows(20)
    with pytest.raises(ValueError, match=r"not of Laplace\(\)"):
        ModelDistribution.learnt(NaiveBayes().fit(X, y))
    with pytest.raises(ValueError, match="'h' is no discrete attribute"):
        ModelDistribution.learnt(
            NaiveBayes({"h": "normal"}, smoothing="indifferent").fit(X.assign(h=np.arange(20.0)), y)
        )
    gaps = X.assign(b=X["b"].where(X.index != 3))
    with pytest.raises(ValueError, match="column 'b' has missing cells"):
        ModelDistribution.learnt(IndifferentNB().fit(gaps, y))
    assert ModelDistribution.learnt(IndifferentNB(missing="level").fit(gaps, y)).class_counts.sum() == 20
    with pytest.raises(ValueError, match="column 'a': 'w' is outside the domain"):
        PRIOR.posterior(X.assign(a="w"), y)
    with pytest.raises(ValueError, match="the class 'r' is outside the domain"):
        ModelDistribution(LEVELS, CLASSES).posterior(X, np.where(y == "p", "r", "q"))
    with pytest.raises(ValueError, match=r"the class 'r' is outside the domain, .* and .* more") as told:
        ModelDistribution(LEVELS, ["q", *map(str, range(500))]).posterior(X, np.where(y == "p", "r", "q"))
    assert len(str(told.value)) < 250
    with pytest.raises(ValueError, match="another domain"):
        PRIOR.log_density(IndifferentNB().fit(X[["a"]], y).model_)
    with pytest.raises(ValueError, match="alpha does not hold probabilities"):
        PRIOR.point([0.5, 0.6], {"a": [[0.5, 0.5]] * 2, "b": [[0.2, 0.3, 0.5]] * 2})
    with pytest.raises(ValueError, match="theta does not hold probabilities"):
        PRIOR.point([0.5, 0.5], {"a": [[0.5, 0.5]] * 2, "b": [[0.2, 0.3, 0.6]] * 2})
    with pytest.raises(ValueError, match="a domain has attributes"):
        ModelDistribution({}, CLASSES)
