"""Drawing rows from a model, and intervals from the posterior of its parameters."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from candide import NaiveBayes
from candide import table as tables
from candide.datasets import insurance
from candide.discretizers import Cuts
from candide.distributions import Bins
from candide.distributions.blocks import Block
from candide.schema.rows import Rows

RNG = np.random.default_rng(0)
N = 400
Y = RNG.choice(["p", "q"], N, p=[0.3, 0.7])
X = pd.DataFrame(
    {
        "k": np.where(
            Y == "p",
            RNG.choice(["a", "b", "c"], N, p=[0.6, 0.3, 0.1]),
            RNG.choice(["a", "b", "c"], N, p=[0.1, 0.3, 0.6]),
        ),
        "normal": RNG.normal(2, 1, N) + (Y == "q"),
        "lognormal": RNG.lognormal(0, 0.4, N),
        "gamma": RNG.gamma(3.0, 2.0, N),
        "exponential": RNG.exponential(2.0, N),
        "poisson": RNG.poisson(3.0, N).astype(float),
        "bernoulli": RNG.integers(0, 2, N).astype(float),
        "bins": RNG.normal(size=N),
    }
)
RULES = {name: name for name in X if name not in ("k", "bins")} | {"bins": Bins(Cuts([-1.0, 0.0, 1.0]))}


@pytest.fixture(scope="module")
def nb() -> NaiveBayes:
    return NaiveBayes(distributions=RULES).fit(X, Y)


def test_the_sample_has_the_tables_form(nb: NaiveBayes) -> None:
    drawn, y = nb.sample(7, random_state=0)
    assert list(drawn.columns) == list(X.columns)
    assert len(drawn) == len(y) == 7
    assert set(y) <= {"p", "q"}
    array, _ = NaiveBayes(distributions="normal").fit(X[["normal", "gamma"]].to_numpy(), Y).sample(3, random_state=0)
    assert isinstance(array, np.ndarray)
    assert array.dtype == float
    again, _ = nb.sample(7, random_state=0)
    pd.testing.assert_frame_equal(drawn, again)
    nb.predict(drawn)


def test_the_sample_follows_the_model(nb: NaiveBayes) -> None:
    drawn, y = nb.sample(6000, random_state=1)
    model = nb.model_
    observed = [(y == c).sum() for c in nb.classes_]
    assert stats.chisquare(observed, model.prior.alpha * 6000).pvalue > 1e-3
    p = {name: block.describe(i) for (block, i), name in zip(model.attributes, model.attribute_names, strict=True)}
    for c, label in enumerate(nb.classes_):
        rows = drawn[y == label]
        n = len(rows)
        theta = np.array([p["k"][v][c] for v in "abc"])
        assert stats.chisquare([(rows.k == v).sum() for v in "abc"], theta * n).pvalue > 1e-3
        laws = {
            "normal": stats.norm(p["normal"]["mean"][c], np.sqrt(p["normal"]["var"][c])),
            "lognormal": stats.lognorm(np.sqrt(p["lognormal"]["var"][c]), scale=np.exp(p["lognormal"]["mean"][c])),
            "gamma": stats.gamma(p["gamma"]["shape"][c], scale=p["gamma"]["scale"][c]),
            "exponential": stats.expon(scale=p["exponential"]["scale"][c]),
        }
        for name, law in laws.items():
            assert stats.kstest(rows[name], law.cdf).pvalue > 1e-3, name
        rate = p["poisson"]["rate"][c]
        assert rows.poisson.mean() == pytest.approx(rate, abs=4 * np.sqrt(rate / n))
        assert rows.poisson.var() == pytest.approx(rate, rel=0.15)
        assert rows.bernoulli.mean() == pytest.approx(p["bernoulli"]["1"][c], abs=0.05)
        edges = np.digitize(rows.bins, [-1.0, 0.0, 1.0], right=True)
        share = np.array([p["bins"][level][c] for level in p["bins"]])
        assert stats.chisquare(np.bincount(edges, minlength=4), share * n).pvalue > 1e-3
        assert rows.bins.between(X.bins.min(), X.bins.max()).all()


def test_a_model_of_its_own_sample_is_alike(nb: NaiveBayes) -> None:
    drawn, y = nb.sample(20_000, random_state=2)
    again = NaiveBayes(distributions=RULES).fit(drawn, y)
    assert np.abs(again.predict_proba(X) - nb.predict_proba(X)).mean() < 0.03


def test_missing_cells_are_drawn_where_missing_is_a_level() -> None:
    table = X[["k", "normal", "bins"]].mask(np.random.default_rng(3).random((N, 3)) < 0.3)
    nb = NaiveBayes(distributions={"normal": "normal"}, missing="level").fit(table, Y)
    drawn, _ = nb.sample(3000, random_state=0)
    np.testing.assert_allclose(drawn.isna().mean(), table.isna().mean(), atol=0.05)
    drawn, _ = NaiveBayes(distributions={"normal": "normal"}).fit(table, Y).sample(50, random_state=0)
    assert not drawn.isna().any().any()


def test_words_are_drawn_as_documents_of_the_training_rows_length() -> None:
    rng = np.random.default_rng(4)
    y = np.repeat(["long", "short"], [50, 50])
    words = np.where((y == "long")[:, None], rng.poisson(5, (100, 4)), rng.poisson(1, (100, 4))).astype(float)
    nb = NaiveBayes(distributions="multinomial").fit(words, y)
    for n in (40, 2000):
        drawn, labels = nb.sample(n, random_state=0)
        for label in ("long", "short"):
            length = words[y == label].sum() / 50
            assert drawn[labels == label].sum(axis=1).mean() == pytest.approx(length, abs=1.0)


def test_groups_are_drawn_together() -> None:
    table = pd.DataFrame(
        {"a": ["u", "v"] * 50, "b": ["x", "y"] * 50, "h": np.tile([1.0, 9.0], 50) + RNG.normal(size=100) / 9}
    )
    nb = NaiveBayes(groups=[["a", "b", "h"]], distributions={"h": "normal"}, smoothing="none").fit(table, ["p"] * 100)
    drawn, _ = nb.sample(500, random_state=0)
    assert ((drawn.a == "u") == (drawn.b == "x")).all()
    assert ((drawn.a == "u") == (drawn.h < 5)).all()


@pytest.mark.parametrize("rule", ["normal", "kde", "mixture", "auto"])
def test_a_constant_column_is_drawn_as_it_is(rule: str) -> None:
    drawn, _ = NaiveBayes(distributions=rule).fit([[4.0], [4.0]], [0, 1]).sample(5, random_state=0)
    np.testing.assert_array_equal(drawn, 4.0)


@pytest.mark.parametrize("rule", ["normal", "gamma", "kde", "mixture"])
def test_a_density_column_never_missing_is_never_drawn_missing(rule: str) -> None:
    table = np.c_[np.random.default_rng(0).gamma(2.0, size=(20, 1)), [np.nan] * 5 + [1.0, 2.0, 3.0] * 5]
    drawn, _ = NaiveBayes(distributions=rule, missing="level").fit(table, [0, 1] * 10).sample(2000, random_state=0)
    assert not np.isnan(drawn[:, 0]).any()
    assert np.isnan(drawn[:, 1]).mean() == pytest.approx(0.25, abs=0.1)


@pytest.mark.parametrize("rules", [{"h": "normal"}, {}])
def test_a_group_never_complete_is_drawn_missing(rules: dict[str, str]) -> None:
    table = pd.DataFrame({"a": ["u", None], "b": [None, "x"], "h": [1.0, 2.0], "k": ["s", "t"]})
    group = ["a", "b", *rules]
    nb = NaiveBayes(groups=[group], distributions=rules).fit(table, ["p", "q"])
    drawn, _ = nb.sample(9, random_state=0)
    assert drawn[group].isna().all().all()
    assert not drawn["k"].isna().any()


def test_a_draw_of_many_levels_takes_no_array_of_rows_and_levels() -> None:
    n = 20_000
    table = pd.DataFrame({"k": [f"v{i}" for i in range(n)], "g": ["x", "y"] * (n // 2)})
    y = np.repeat(["p", "q"], n // 2)
    for groups in (None, [["k", "g"]]):
        nb = NaiveBayes(groups=groups, smoothing="none", reading="plain").fit(table, y)
        nb.model_  # noqa: B018 (estimated before memory is watched)
        tracemalloc.start()
        drawn, labels = nb.sample(n, random_state=0)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < n * n / 8
        assert (table.set_index("k").index.get_indexer(drawn["k"]) < n // 2).tolist() == (labels == "p").tolist()


@pytest.mark.parametrize("rule", ["normal", "bins", "poisson", "kde", "mixture"])
def test_a_column_never_known_is_drawn_missing(rule: str) -> None:
    table = pd.DataFrame({"a": [1.0, 2.0], "b": [np.nan, np.nan], "c": [None, None]})
    drawn, _ = NaiveBayes(distributions={"a": rule, "b": rule, "c": "categorical"}).fit(table, [0, 1]).sample(4, 0)
    assert drawn.isna().all().tolist() == [False, True, True]


# -- intervals ---------------------------------------------------------------------------------------------------------


def test_intervals_hold_the_posterior_and_shrink_with_data() -> None:
    nb = NaiveBayes(distributions=RULES).fit(X, Y)
    some = X[:20]
    wide = nb.predict_interval(some, method="draws", draws=300)
    assert wide.shape == (20, 2, 2)
    assert (wide[..., 0] >= 0).all()
    assert (wide[..., 0] <= wide[..., 1]).all()
    assert (wide[..., 1] <= 1).all()
    p = nb.predict_proba(some)
    assert ((wide[..., 0] <= p + 0.02) & (p - 0.02 <= wide[..., 1])).mean() > 0.95
    narrow = (100 * nb).predict_interval(some, method="draws", draws=300)
    assert np.diff(narrow).mean() < 0.5 * np.diff(wide).mean()
    np.testing.assert_allclose(wide[:, 0, 0], 1 - wide[:, 1, 1], atol=1e-12)  # two classes mirror each other
    inner = nb.predict_interval(some, level=0.5, method="draws", draws=300)
    assert (inner[..., 0] >= wide[..., 0]).all()
    assert (inner[..., 1] <= wide[..., 1]).all()
    np.testing.assert_array_equal(wide, nb.predict_interval(some, method="draws", draws=300, random_state=0))


def test_intervals_do_not_depend_on_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    nb = NaiveBayes(distributions=RULES).fit(X, Y)
    for n in (9, 30):
        whole = nb.predict_interval(X[:n], method="draws", draws=40)
        with monkeypatch.context() as less:
            less.setattr("candide.scoring.sampling.DRAWN_CELLS", 40 * 2 * 4)
            np.testing.assert_allclose(nb.predict_interval(X[:n], method="draws", draws=40), whole, rtol=1e-12)


def test_the_interval_of_the_prior_is_a_beta() -> None:
    nb = NaiveBayes().fit(pd.DataFrame({"a": ["x"] * 10}), ["p"] * 3 + ["q"] * 7)
    got = nb.predict_interval(pd.DataFrame({"a": [None]}), level=0.9, method="draws", draws=8_000)[0]
    np.testing.assert_allclose(got[0], stats.beta(3 + 1, 7 + 1).ppf([0.05, 0.95]), atol=0.015)
    np.testing.assert_allclose(got[1], stats.beta(7 + 1, 3 + 1).ppf([0.05, 0.95]), atol=0.015)


def test_the_interval_of_a_level_comes_from_its_dirichlet() -> None:
    table = pd.DataFrame({"a": ["x"] * 6 + ["y"] * 2 + ["x"] * 3 + ["y"] * 5})
    nb = NaiveBayes(prior="uniform").fit(table, ["p"] * 8 + ["q"] * 8)
    got = nb.predict_interval(pd.DataFrame({"a": ["x"]}), level=0.9, method="draws", draws=8_000)[0, 0]
    rng = np.random.default_rng(5)
    p, q = rng.beta(6 + 1, 2 + 1, 200_000), rng.beta(3 + 1, 5 + 1, 200_000)
    np.testing.assert_allclose(got, np.quantile(p / (p + q), [0.05, 0.95]), atol=0.015)


def test_the_interval_of_a_normal_column_comes_from_its_posterior() -> None:
    x = np.array([1.0, 2.0, 3.0, 4.0, 6.0, 7.0, 8.0, 9.0, 9.5, 11.0])
    y = np.array(["p"] * 4 + ["q"] * 6)
    nb = NaiveBayes(distributions="normal", prior="uniform").fit(x[:, None], y)
    got = nb.predict_interval([[5.0]], level=0.8, method="draws", draws=8_000)[0, 0]
    rng, f = np.random.default_rng(6), []
    for label in "pq":
        v = x[y == label]
        var = ((v - v.mean()) ** 2).sum() / rng.chisquare(len(v) - 1, 200_000)
        f.append(stats.norm(rng.normal(v.mean(), np.sqrt(var / len(v))), np.sqrt(var)).pdf(5.0))
    np.testing.assert_allclose(got, np.quantile(f[0] / (f[0] + f[1]), [0.1, 0.9]), atol=0.02)


@pytest.mark.parametrize("smoothing", ["none", "m-estimate", "marginal", "indifferent"])
def test_cells_without_weight_stay_at_zero(smoothing: str) -> None:
    table = pd.DataFrame({"a": ["x", "x", "y", "y"]})
    nb = NaiveBayes(smoothing=smoothing).fit(table, ["p", "p", "q", "q"])
    got = nb.predict_interval(pd.DataFrame({"a": ["x"]}), method="draws", draws=200)[0]
    assert np.isfinite(got).all()
    if smoothing == "none":
        np.testing.assert_array_equal(got, [[1, 1], [0, 0]])
    else:
        assert (got[0] < 1).all()
        assert (got[0] > 0).all()


def test_a_given_prior_is_fixed_and_one_class_is_certain() -> None:
    nb = NaiveBayes(prior=[0.3, 0.7]).fit(pd.DataFrame({"a": ["x", "y"]}), ["p", "q"])
    for method in ("counts", "draws"):
        got = nb.predict_interval(pd.DataFrame({"a": [None]}), method=method, draws=50)[0]
        np.testing.assert_allclose(got, [[0.3, 0.3], [0.7, 0.7]])
    one = NaiveBayes().fit(pd.DataFrame({"a": ["x", "y"]}), ["p", "p"])
    for method in ("counts", "draws"):
        got = one.predict_interval(pd.DataFrame({"a": ["x"]}), method=method, draws=20)
        np.testing.assert_array_equal(got, [[[1, 1]]])


@pytest.mark.parametrize("combination", ["product", "sum", "robust", "outlier"])
def test_intervals_under_every_combination(combination: str) -> None:
    nb = NaiveBayes(combination=combination, missing="level").fit(X[["k", "bins"]], Y)
    got = nb.predict_interval(X[["k", "bins"]][:5], method="draws", draws=100)
    assert np.isfinite(got).all()
    assert (np.diff(got) > 0).any()


@pytest.mark.parametrize("rule", ["bins", "smooth", "normal", "lognormal", "gamma", "exponential", "auto"])
@pytest.mark.parametrize("k", [2, 4])
def test_intervals_from_counts_are_those_of_models_drawn(rule: str, k: int) -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(0, k, 400)
    table = pd.DataFrame({"s": rng.choice(list("abc"), 400), "x": rng.gamma(2.0 + y), "z": rng.gamma(3.0 + y % 2)})
    nb = NaiveBayes(rule).fit(table, y)
    some = table[:60]
    closed, drawn = nb.predict_interval(some), nb.predict_interval(some, method="draws", draws=1500)
    p = nb.predict_proba(some)
    assert ((closed[..., 0] <= p) & (p <= closed[..., 1])).all()
    assert np.abs(closed - drawn).mean() < 0.035
    assert np.abs(closed - drawn).max() < (0.06 if k == 2 else 0.3)


def test_a_class_that_has_hardly_a_row_like_it_is_not_credible_up_to_certainty() -> None:
    table = insurance(2000)
    nb = NaiveBayes("smooth").fit(table.X, table.y)
    some = table.X[:16]
    closed, drawn = nb.predict_interval(some), nb.predict_interval(some, method="draws", draws=400)
    np.testing.assert_allclose(closed, drawn, atol=0.2)
    assert np.abs(closed - drawn).mean() < 0.01


BAD = [{"method": "magic"}, {"level": 0}, {"level": 1.0}, {"level": 95}, {"draws": 0}, {"draws": -1}]
BAD += [{"level": "0.9"}, {"level": None}, {"draws": 2.5}, {"draws": "many"}]


@pytest.mark.parametrize("kwargs", BAD)
def test_bad_arguments(kwargs: dict, nb: NaiveBayes) -> None:
    with pytest.raises(ValueError, match=next(iter(kwargs))):
        nb.predict_interval(X[:1], **kwargs)


def test_bad_sizes(nb: NaiveBayes) -> None:
    for n in (-1, 2.5, "3", None, True):
        with pytest.raises(ValueError, match=f"n={n!r}: how many rows"):
            nb.sample(n)


@pytest.mark.parametrize("rule", ["smooth", "bins", "normal", "lognormal", "gamma", "exponential", "student", "auto"])
def test_terms_drawn_for_few_rows_are_those_of_models_drawn(rule: str) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 300)
    X = np.column_stack([rng.gamma(2.0 + y), rng.gamma(3.0, size=300)])
    X[rng.random(X.shape) < 0.1] = np.nan
    nb = NaiveBayes(rule, missing="level").fit(X, y)
    rows = Rows(tables.read(X[:4]), nb.schema_)
    for block in nb.model_.blocks:
        few, whole = np.zeros((2, 800, 4, 3))
        block.add_draws(rows, few, np.random.default_rng(1))
        Block.add_draws(block, rows, whole, np.random.default_rng(2))
        spread = np.maximum(whole.std(axis=0), 1e-9)
        assert (np.abs(few.mean(axis=0) - whole.mean(axis=0)) < 6 * spread / np.sqrt(800)).all()
        np.testing.assert_allclose(few.std(axis=0), whole.std(axis=0), rtol=0.2, atol=1e-9)
