"""Densities against SciPy's own; the variance floor; supports."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from candide import NaiveBayes
from candide.distributions import Exponential, Gamma, LogNormal, Normal, Poisson
from candide.statistics.forgetting import PrecisionWarning

RNG = np.random.default_rng(0)
Y = np.repeat(["p", "q"], [40, 60])
SAMPLES = {
    "normal": RNG.normal(3, 2, 100),
    "lognormal": RNG.lognormal(1, 0.5, 100),
    "gamma": RNG.gamma(2.5, 1.5, 100),
    "exponential": RNG.exponential(3, 100),
    "poisson": RNG.poisson(4, 100).astype(float),
}


def own(kind: str, x: np.ndarray) -> object:
    """Return SciPy's distribution with the maximum-likelihood parameters of x."""
    if kind == "normal":
        return stats.norm(x.mean(), x.std())
    if kind == "lognormal":
        return stats.lognorm(np.log(x).std(), scale=np.exp(np.log(x).mean()))
    if kind == "gamma":
        shape, _, scale = stats.gamma.fit(x, floc=0)
        return stats.gamma(shape, scale=scale)
    if kind == "exponential":
        return stats.expon(scale=x.mean())
    return stats.poisson(x.mean())


@pytest.mark.parametrize("kind", SAMPLES)
def test_log_likelihoods_are_scipys(kind: str) -> None:
    x = SAMPLES[kind]
    nb = NaiveBayes(distributions=kind, prior="uniform").fit(x[:, None], Y)
    new = np.array([0.5, 1.0, 2.0, 7.0, 30.0]) if kind != "poisson" else np.array([0.0, 1.0, 5.0, 20.0])
    got = nb.explain(new[:, None]).contributions[:, :, 0]
    for k, label in enumerate("pq"):
        law = own(kind, x[label == Y])
        wanted = law.logpmf(new) if kind == "poisson" else law.logpdf(new)
        # SciPy solves for the gamma's shape to about 1e-9
        np.testing.assert_allclose(got[:, k], wanted, rtol=1e-12 if kind != "gamma" else 1e-7)


@pytest.mark.parametrize("kind", SAMPLES)
def test_the_formula_itself_to_the_last_digits(kind: str) -> None:
    x = np.array([0.3, 1.0, 2.0, 9.0]) if kind != "poisson" else np.array([0.0, 1.0, 3.0, 12.0])
    rule, p, law = {
        "normal": (Normal(), {"mean": 1.5, "var": 4.0}, stats.norm(1.5, 2.0)),
        "lognormal": (LogNormal(), {"mean": 0.5, "var": 0.25}, stats.lognorm(0.5, scale=np.exp(0.5))),
        "gamma": (Gamma(), {"shape": 2.5, "scale": 0.75}, stats.gamma(2.5, scale=0.75)),
        "exponential": (Exponential(), {"scale": 3.0}, stats.expon(scale=3.0)),
        "poisson": (Poisson(), {"rate": 2.5}, stats.poisson(2.5)),
    }[kind]
    wanted = law.logpmf(x) if kind == "poisson" else law.logpdf(x)
    np.testing.assert_allclose(rule.log_density(x, {k: np.array(v) for k, v in p.items()}), wanted, rtol=1e-12)


@pytest.mark.parametrize("shape", [0.1, 0.7, 3.0, 50.0, 5000.0])
def test_gamma_is_the_maximum_likelihood(shape: float) -> None:
    x = np.random.default_rng(1).gamma(shape, 2.0, 500)
    p = NaiveBayes(distributions="gamma").fit(x[:, None], ["a"] * 500).model_.blocks[0].describe(0)
    k, _, scale = stats.gamma.fit(x, floc=0)
    np.testing.assert_allclose([p["shape"][0], p["scale"][0]], [k, scale], rtol=1e-5)
    # the likelihood has its top there: better than SciPy's to the digits that tell
    ours = stats.gamma(p["shape"][0], scale=p["scale"][0]).logpdf(x).sum()
    assert ours >= stats.gamma(k, scale=scale).logpdf(x).sum() - 1e-9 * abs(ours)


def test_weights_are_repetitions_for_every_density() -> None:
    w = RNG.integers(1, 4, 100)
    for kind, x in SAMPLES.items():
        a = NaiveBayes(distributions=kind).fit(x[:, None], Y, w)
        b = NaiveBayes(distributions=kind).fit(np.repeat(x, w)[:, None], np.repeat(Y, w))
        np.testing.assert_allclose(
            a.predict_joint_log_proba(x[:, None]), b.predict_joint_log_proba(x[:, None]), rtol=1e-9
        )


# -- the variance floor ------------------------------------------------------------------------------------------------


def test_the_floor_is_a_thousandth_of_the_columns_own_variance() -> None:
    X = np.array([[1.0, 1e6], [1.0, 2e6], [2.0, 3e6], [3.0, 9e6]])
    p = NaiveBayes(distributions="normal").fit(X, ["p", "p", "q", "q"]).model_.blocks[0].describe(0)
    np.testing.assert_allclose(p["var"], [1e-3 * X[:, 0].var(), 0.25])


@pytest.mark.parametrize("kind", ["normal", "exponential", "poisson", "gamma", "lognormal"])
def test_a_class_of_equal_values_keeps_the_floor(kind: str) -> None:
    x = np.array([2.0, 2.0, 2.0, 1.0, 4.0, 9.0])
    block = NaiveBayes(distributions=kind).fit(x[:, None], list("pppqqq")).model_.blocks[0]
    p = block.describe(0)
    floor = 1e-3 * (np.log(x).var() if kind == "lognormal" else x.var())
    var = {
        "normal": lambda: p["var"][0],
        "lognormal": lambda: p["var"][0],
        "gamma": lambda: p["shape"][0] * p["scale"][0] ** 2,
        "exponential": lambda: p["scale"][0] ** 2,
        "poisson": lambda: p["rate"][0],
    }[kind]()
    assert var >= floor * (1 - 1e-9)
    if kind in ("normal", "lognormal", "gamma"):
        assert var == pytest.approx(floor, rel=1e-9)


def test_a_class_of_zeros_excludes_nothing_under_poisson_and_exponential() -> None:
    x = np.array([[0.0], [0.0], [3.0], [5.0]])
    for kind in ("poisson", "exponential"):
        nb = NaiveBayes(distributions=kind).fit(x, list("ppqq"))
        assert np.isfinite(nb.predict_joint_log_proba([[4.0]])).all()


@pytest.mark.parametrize("kind", SAMPLES)
@pytest.mark.parametrize("value", [1.0, 0.1, 1 / 3, 3e-7, 1e9 + 0.1])
def test_a_constant_column_says_nothing_however_it_was_summed(kind: str, value: float) -> None:
    if kind == "poisson":
        value = np.ceil(value)
    rng = np.random.default_rng(2)
    y = rng.choice(["p", "q", "r"], 57)
    w = rng.random(57)
    other = rng.normal(size=57)
    X, alone = pd.DataFrame({"c": np.full(57, value), "x": other}), pd.DataFrame({"x": other})
    rules = {"c": kind, "x": "normal"}
    plain = NaiveBayes(distributions="normal")
    streamed = NaiveBayes(distributions=rules)
    for i in range(0, 57, 5):
        streamed.partial_fit(X[i : i + 5], y[i : i + 5], sample_weight=w[i : i + 5])
    served = NaiveBayes(distributions={"c": "bins", "x": "normal"}).fit(X, y, w).set_params(distributions=rules)
    left = NaiveBayes(distributions=rules).fit(X, y, w).forget(X[:20], y[:20], w[:20])
    for nb, keep in (
        (NaiveBayes(distributions=rules).fit(X, y, w), slice(None)),
        (streamed, slice(None)),
        (served, slice(None)),
        (left, slice(20, None)),
        (0.3 * streamed, slice(None)),
    ):
        wanted = plain.fit(alone[keep], y[keep], w[keep] * (0.3 if nb.class_counts_.sum() < w.sum() / 2 else 1))
        np.testing.assert_allclose(nb.predict_proba(X), wanted.predict_proba(alone), rtol=1e-6)


def test_a_class_that_never_saw_the_column_takes_the_moments_of_all() -> None:
    X = np.array([[1.0], [3.0], [np.nan]])
    p = NaiveBayes(distributions="normal").fit(X, ["p", "p", "q"]).model_.blocks[0].describe(0)
    np.testing.assert_allclose(p["mean"], [2.0, 2.0])
    np.testing.assert_allclose(p["var"], [1.0, 1.0])


# -- supports ----------------------------------------------------------------------------------------------------------

OUTSIDE = [
    ("lognormal", 0.0),
    ("lognormal", -1.0),
    ("gamma", 0.0),
    ("gamma", -3.0),
    ("exponential", -0.5),
    ("poisson", -1.0),
    ("poisson", 2.5),
    ("multinomial", -1.0),
    ("bernoulli", 2.0),
    ("bernoulli", -1.0),
    ("bernoulli", 0.5),
]


@pytest.mark.parametrize("how", ["frame", "array", "sparse"])
@pytest.mark.parametrize(("kind", "value"), OUTSIDE)
def test_a_number_outside_the_support_is_an_error_at_fit_that_says_where(kind: str, value: float, how: str) -> None:
    from scipy.sparse import csr_array

    X = np.array([[1.0, 1.0], [1.0, 1.0], [1.0, value], [1.0, value]])
    name: object = 1
    if how == "frame":
        X, name = pd.DataFrame(X, columns=["a", "b"]), "b"
    elif how == "sparse":
        X = csr_array(X)
    with pytest.raises(ValueError, match=f"column {name!r}, row 2: {value:g} is outside the support of '{kind}'"):
        NaiveBayes(distributions=kind).fit(X, [0, 1, 0, 1])


@pytest.mark.parametrize("how", ["frame", "array", "sparse"])
@pytest.mark.parametrize(("kind", "value"), OUTSIDE)
def test_a_number_outside_the_support_has_probability_zero_at_predict(kind: str, value: float, how: str) -> None:
    from scipy.sparse import csr_array

    X = np.array([[1.0, 1.0], [1.0, 0.0], [1.0, 1.0], [1.0, 0.0]])
    if kind in ("lognormal", "gamma"):
        X += 1
    new = np.array([[1.0, value], [1.0, 1.0]])
    make = {"frame": lambda a: pd.DataFrame(a, columns=["a", "b"]), "array": np.asarray, "sparse": csr_array}[how]
    nb = NaiveBayes(distributions=kind).fit(make(X), [0, 1, 0, 1])
    scores = nb.predict_joint_log_proba(make(new))
    np.testing.assert_array_equal(scores[0], -np.inf)
    assert np.isfinite(scores[1]).all()
    np.testing.assert_allclose(nb.predict_proba(make(new))[0], nb.model_.prior.alpha)
    assert nb.impossible(make(new)).tolist() == [True, False]


def test_the_edge_of_the_support_is_inside() -> None:
    for kind in ("exponential", "poisson", "multinomial", "bernoulli"):
        nb = NaiveBayes(distributions=kind).fit([[0.0], [1.0], [1.0]], [0, 1, 0])
        assert np.isfinite(nb.predict_joint_log_proba([[0.0], [1.0]])).all()


def test_several_kinds_live_in_one_model() -> None:
    X = pd.DataFrame({**SAMPLES, "text": RNG.choice(["u", "v"], 100), "words": RNG.poisson(1, 100), "flag": Y == "p"})
    rules = {**{k: k for k in SAMPLES}, "words": "multinomial"}
    nb = NaiveBayes(distributions=rules).fit(X, Y)
    alone = sum(
        NaiveBayes(distributions=rules.get(c, "auto"), prior="uniform")
        .fit(X[[c]], Y)
        .explain(X[[c]])
        .contributions[:, :, 0]
        for c in X
    )
    np.testing.assert_allclose(nb.predict_joint_log_proba(X) - nb.model_.log_prior, alone, rtol=1e-9, atol=1e-9)
    assert nb.score(X, Y) == 1.0


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("bins", "bernoulli"),
        ("bins", "lognormal"),
        ("bins", "poisson"),
        ("normal", "exponential"),
        ("normal", "poisson"),
    ],
)
def test_changing_to_a_distribution_the_learnt_numbers_lie_outside_of_is_an_error(first: str, second: str) -> None:
    X, y = np.array([[-3.0], [-1.5], [-2.0], [-7.0]]), [0, 1, 0, 1]
    nb = NaiveBayes(distributions=first).fit(X, y).set_params(distributions=second)
    with pytest.raises(ValueError, match="column 0"):
        nb.predict(X)


@pytest.mark.parametrize("first", ["normal", "exponential", "multinomial"])
@pytest.mark.parametrize(
    ("x", "told"), [([0, 2, 1, 0], "moments"), ([0.5, 0, 1, 1], "moments"), ([3, 0, 4, 1], "totals")]
)
def test_what_is_neither_zero_nor_one_is_told_by_moments_and_totals(first: str, x: list[float], told: str) -> None:
    X, y = np.array(x)[:, None], [0, 0, 1, 1]
    nb = NaiveBayes(distributions=first).fit(X, y).set_params(distributions="bernoulli")
    if first == "multinomial" and told == "moments":  # of the sum alone it cannot be known
        assert np.isfinite(nb.predict_proba(X)).all()
        return
    with pytest.raises(ValueError, match=r"column 0 has learnt .* on average, .* it takes 0 and 1"):
        nb.predict(X)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.floats(0.01, 3)), min_size=2, max_size=12))
def test_zeros_and_ones_of_any_weight_are_never_refused(rows: list[tuple[int, int, float]]) -> None:
    x, y, weight = (np.array(part) for part in zip(*rows, strict=True))
    for first in ("normal", "multinomial"):
        nb = NaiveBayes(distributions=first).fit(x[:, None], y, weight)
        nb.forget(x[:1, None], y[:1], weight[:1]).set_params(distributions="bernoulli").predict_proba([[1.0]])


def test_totals_of_some_columns_serve_beside_moments_of_others() -> None:
    X, y = RNG.integers(0, 2, (20, 3)).astype(float), RNG.integers(0, 2, 20)
    nb = NaiveBayes(distributions={0: "normal", 1: "bernoulli", 2: "auto"}).fit(X, y)
    plain = NaiveBayes(distributions="bernoulli").fit(X, y)
    nb.set_params(distributions="bernoulli")
    np.testing.assert_allclose(nb.predict_log_proba(X), plain.predict_log_proba(X), rtol=1e-12)


@pytest.mark.parametrize("combination", ["product", "sum", "robust", "outlier"])
def test_neither_zero_nor_one_is_impossible_under_every_combination(combination: str) -> None:
    X = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [0.0, 0.0]])
    nb = NaiveBayes(distributions="bernoulli", combination=combination, smoothing="none").fit(X, list("ppqqq"))
    p = nb.predict_proba([[2.0, 1.0]])[0]
    wanted = {
        "product": [0.4, 0.6],  # the prior
        "outlier": [0.4, 0.6],
        "robust": [0, 1],  # one zero each: 1 / 0.4 against 1 / 0.6
        "sum": [0.4 * 0.5 / (0.4 * 0.5 + 0.6 / 3), 0.6 / 3 / (0.4 * 0.5 + 0.6 / 3)],  # what is possible is added
    }[combination]
    np.testing.assert_allclose(p, wanted)
    np.testing.assert_allclose(nb.explain([[2.0, 1.0]]).posterior[0], wanted)


@pytest.mark.parametrize("kind", ["gamma", "exponential"])
def test_denormals_are_warned_of_once_and_then_scored_and_drawn(kind: str) -> None:
    x = np.arange(1.0, 9.0)[:, None] * 5e-324
    with pytest.warns(PrecisionWarning, match="smaller unit"):
        nb = NaiveBayes(distributions=kind).fit(x, [0, 1] * 4)
    far = np.array([[5e-324], [1.0], [1e300]])
    assert np.isfinite(nb.predict_proba(far)).all()
    assert np.isfinite(nb.predict_interval(far, draws=20, random_state=0)).all()


@pytest.mark.parametrize("kind", ["kde", "mixture"])
def test_the_least_numbers_there_are_have_a_unit(kind: str) -> None:
    X = np.array([[0.0], [0.0], [0.0], [5e-324], [5e-324]])  # half of their distance would be none
    chances = NaiveBayes(distributions=kind).fit(X, list("pppqq")).predict_proba(X)
    assert chances[:3, 0].min() > 0.9
    assert chances[3:, 1].min() > 0.9


@pytest.mark.parametrize("name", ["normal", "student", "kde", "gamma"])
def test_leaving_out_the_only_missing_cell_keeps_missing_a_level(name: str) -> None:
    frame = pd.DataFrame({"x": [1, 2, np.nan, 4, 5, 7]})
    y, rest = np.array(list("pqqppq")), np.arange(6) != 2
    whole = NaiveBayes({"x": name}, missing="level").fit(frame, y)
    without = NaiveBayes({"x": name}, missing="level", schema=whole.schema_).fit(frame[rest], y[rest])
    expected = without.predict_log_proba(frame[~rest])
    np.testing.assert_allclose(whole.leave_one_out(frame, y)[~rest], expected, rtol=1e-12)
