"""Groups: columns joined into one attribute, by hand."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from tests import laws

import candide
from candide import NaiveBayes
from candide.combination import Outlier
from candide.smoothing import Dirichlet

F = Fraction

X = pd.DataFrame(
    {
        "energy": ["petrol", "petrol", "diesel", "diesel", "diesel", "petrol", None],
        "wheels": ["two", "four", "four", "six", "six", "four", "four"],
        "colour": ["red", "blue", "red", "blue", "red", "red", "blue"],
    }
)
Y = np.array(["bike", "car", "car", "truck", "truck", "car", "car"])
GROUPS = [["energy", "wheels"]]
SEEN = [("diesel", "four"), ("diesel", "six"), ("petrol", "four"), ("petrol", "two")]


def row(**cells: object) -> pd.DataFrame:
    return pd.DataFrame({k: [cells.get(k)] for k in ("energy", "wheels", "colour")})


def likelihood(nb: NaiveBayes, frame: pd.DataFrame) -> np.ndarray:
    why = nb.explain(frame)
    return np.exp(why.contributions[0, :, why.names.index("energy & wheels")])


def test_joint_table_by_hand() -> None:
    nb = NaiveBayes(groups=GROUPS).fit(X, Y)
    # four combinations were seen together; the row with a missing member is not counted
    bike, car, truck = 1, 3, 2
    np.testing.assert_allclose(
        likelihood(nb, row(energy="petrol", wheels="four")),
        [float(F(0 + 1, bike + 4)), float(F(2 + 1, car + 4)), float(F(0 + 1, truck + 4))],
    )
    assert nb.explain(X).names == ["energy & wheels", "colour"]
    # a_c counts the group as one attribute of four values: 1 + (4 − 1) + (2 − 1)
    assert NaiveBayes(groups=GROUPS, smoothing="indifferent").fit(X, Y).model_.prior.pseudo.tolist() == [5, 5, 5]


def test_a_group_is_not_the_product_of_its_columns() -> None:
    joined, apart = NaiveBayes(groups=GROUPS).fit(X, Y), NaiveBayes().fit(X, Y)
    assert not np.allclose(joined.predict_proba(X), apart.predict_proba(X))


def test_a_partly_missing_group_is_summed_out() -> None:
    nb = NaiveBayes(groups=GROUPS).fit(X, Y)
    four = sum(likelihood(nb, row(energy=e, wheels="four")) for e in ("petrol", "diesel"))
    np.testing.assert_allclose(likelihood(nb, row(wheels="four")), four)
    np.testing.assert_allclose(likelihood(nb, row(wheels="four", energy="steam")), four)  # an unseen level says nothing
    np.testing.assert_allclose(likelihood(nb, row()), 1.0)
    every = sum(likelihood(nb, row(energy=e, wheels=w)) for e, w in SEEN)
    np.testing.assert_allclose(every, 1.0)


def test_levels_never_seen_together_say_nothing() -> None:
    nb = NaiveBayes(groups=GROUPS).fit(X, Y)
    np.testing.assert_allclose(likelihood(nb, row(energy="diesel", wheels="two")), 1.0)


def test_declared_domains_make_their_product() -> None:
    declared = X.astype(
        {"energy": pd.CategoricalDtype(["petrol", "diesel"]), "wheels": pd.CategoricalDtype(["two", "four", "six"])}
    )
    nb = NaiveBayes(groups=GROUPS).fit(declared, Y)
    np.testing.assert_allclose(
        likelihood(nb, row(energy="diesel", wheels="two")), [1 / (1 + 6), 1 / (3 + 6), 1 / (2 + 6)]
    )


def test_missing_as_a_level_of_a_member() -> None:
    nb = NaiveBayes(groups=GROUPS, missing="level").fit(X, Y)
    # five combinations now, (missing, four) among them
    np.testing.assert_allclose(likelihood(nb, row(wheels="four")), [1 / (1 + 5), (1 + 1) / (4 + 5), 1 / (2 + 5)])


# -- P(H | Y, M) -----------------------------------------------------------------------------------------------------

H = pd.DataFrame({"y": list("aabbab"), "m": list("uuuuvv"), "h": [1.0, 3.0, 10.0, 14.0, 5.0, np.nan]})
LABELS = ["p", "p", "p", "p", "q", "q"]
WITHIN = {"groups": [["y", "m", "h"]], "distributions": {"h": "normal"}}


def log_h(nb: NaiveBayes, y: object, m: object, h: float) -> np.ndarray:
    return nb.explain(pd.DataFrame({"y": [y], "m": [m], "h": [h]})).contributions[0, :, 0]


def test_a_density_within_each_combination_by_hand() -> None:
    nb = NaiveBayes(smoothing="none", **WITHIN).fit(H, LABELS)
    table = np.array([1.0, 3.0, 10.0, 14.0, 5.0])
    got = log_h(nb, "a", "u", 2.5)
    assert got[0] == pytest.approx(np.log(2 / 4) + stats.norm(2.0, 1.0).logpdf(2.5), rel=1e-12)
    assert got[1] == -np.inf  # q never had (a, u)
    got = log_h(nb, "b", "u", 11.0)
    assert got[0] == pytest.approx(np.log(2 / 4) + stats.norm(12.0, 2.0).logpdf(11.0), rel=1e-12)
    got = log_h(nb, "a", "v", 5.0)  # one row: the floor of a thousandth of the column's variance
    assert got[1] == pytest.approx(np.log(1 / 2) + stats.norm(5.0, np.sqrt(1e-3 * table.var())).logpdf(5.0), rel=1e-12)


def test_a_log_normal_density_within_each_combination_by_hand() -> None:
    nb = NaiveBayes(smoothing="none", groups=[["y", "m", "h"]], distributions={"h": "lognormal"}).fit(H, LABELS)
    for y, cells in (("a", np.array([1.0, 3.0])), ("b", np.array([10.0, 14.0]))):
        logs = np.log(cells)
        expected = np.log(2 / 4) + stats.lognorm(logs.std(), scale=np.exp(logs.mean())).logpdf(2.5)
        assert log_h(nb, y, "u", 2.5)[0] == pytest.approx(expected, rel=1e-12)
    assert log_h(nb, "a", "u", -1.0)[0] == -np.inf  # outside the support


def test_a_gamma_density_within_each_combination_is_scipys() -> None:
    rng = np.random.default_rng(4)
    table = pd.DataFrame({"m": ["u", "v"] * 60, "h": rng.gamma(3.0, 2.0, 120) + 1e-3})
    y = np.repeat(["p", "q"], 60)
    nb = NaiveBayes(smoothing="none", groups=[["m", "h"]], distributions={"h": "gamma"}).fit(table, y)
    for m in ("u", "v"):
        why = nb.explain(pd.DataFrame({"m": [m], "h": [4.0]})).contributions[0, :, 0]
        for c, label in enumerate("pq"):
            cells = table["h"][(table["m"] == m) & (y == label)]
            shape, _, scale = stats.gamma.fit(cells, floc=0)
            assert why[c] == pytest.approx(np.log(1 / 2) + stats.gamma(shape, scale=scale).logpdf(4.0), rel=1e-5)


def test_a_density_of_logarithms_cannot_join_a_group_after_fit() -> None:
    nb = NaiveBayes(smoothing="none", **WITHIN).fit(H, LABELS)
    with pytest.raises(ValueError, match=r"column 'h' .*refit"):
        nb.set_params(distributions={"h": "gamma"}).predict(H)


def test_what_is_missing_of_a_mixed_group_is_summed_out() -> None:
    nb = NaiveBayes(smoothing="none", **WITHIN).fit(H, LABELS)
    assert log_h(nb, "a", "u", np.nan)[0] == pytest.approx(np.log(2 / 4))
    mixture = 0.5 * stats.norm(2, 1).pdf(4.0) + 0.5 * stats.norm(12, 2).pdf(4.0)
    assert log_h(nb, None, "u", 4.0)[0] == pytest.approx(np.log(mixture), rel=1e-12)
    assert log_h(nb, None, None, 4.0)[0] == pytest.approx(np.log(mixture), rel=1e-12)
    np.testing.assert_array_equal(log_h(nb, None, None, np.nan), [0, 0])


def test_one_row_of_a_mixed_group_scores_as_in_a_batch() -> None:
    # r never had a complete row: nothing known says nothing, whatever else is in the batch
    table = pd.concat([H, pd.DataFrame({"y": [None], "m": ["u"], "h": [2.0]})], ignore_index=True)
    nb = NaiveBayes(smoothing="none", **WITHIN).fit(table, [*LABELS, "r"])
    X = pd.DataFrame({"y": [None, None, "a"], "m": [None, None, None], "h": [np.nan, 3.0, np.nan]}).astype(
        {"m": object}
    )
    batch = nb.predict_joint_log_proba(X)
    for i in range(3):
        np.testing.assert_array_equal(nb.predict_joint_log_proba(X.iloc[[i]])[0], batch[i])
    np.testing.assert_allclose(nb.predict_proba(X)[0], nb.model_.prior.alpha)


@pytest.mark.parametrize("density", ["normal", "exponential", "lognormal", "gamma"])
@pytest.mark.parametrize("missing", ["ignore", "level"])
@pytest.mark.parametrize("combination", ["product", "outlier", Outlier(0.2, "uniform")], ids=str)
def test_laws_hold_for_groups(density: str, missing: str, combination: object, tmp_path: object) -> None:
    rng = np.random.default_rng(0)
    n = 40
    X = pd.DataFrame(
        {
            "a": pd.Categorical(rng.choice(["u", "v"], n), categories=["u", "v"]),
            "b": pd.Categorical(rng.choice(["x", "y", "z"], n), categories=["x", "y", "z"]),
            "h": rng.exponential(size=n),
            "c": pd.Categorical(rng.choice(["s", "t"], n), categories=["s", "t"]),
            "d": pd.Categorical(rng.choice(["s", "t"], n), categories=["s", "t"]),
        }
    )
    X.loc[rng.random(n) < 0.2, "a"] = None
    X.loc[rng.random(n) < 0.2, "h"] = np.nan
    X.loc[rng.random(n) < 0.2, "c"] = None
    y = rng.choice(["p", "q", "r"], n)
    params = {
        "groups": [["a", "h", "b"], ["c", "d"]],
        "distributions": {"h": density},
        "missing": missing,
        "combination": combination,
    }
    whole = NaiveBayes(**params).fit(X, y)
    parts = NaiveBayes(**params)
    for label in "rqp":
        parts.partial_fit(X[y == label], y[y == label])
    laws.same_model(whole, parts, X)
    more = NaiveBayes(**params).fit(X.iloc[:30], y[:30]) + NaiveBayes(**params).fit(X.iloc[30:], y[30:])
    laws.same_model(whole, more, X)
    laws.same_model(
        whole - NaiveBayes(**params).fit(X.iloc[30:], y[30:]), NaiveBayes(**params).fit(X.iloc[:30], y[:30]), X
    )
    path = tmp_path / "m.json"
    whole.save(path)
    laws.same_model(whole, candide.load(path), X)
    laws.probabilities(whole, X)
    laws.leaves_one_out(whole, X, y)


def test_leaving_one_row_out_of_a_group_keeps_the_combinations_seen() -> None:
    nb = NaiveBayes(groups=GROUPS).fit(X[["energy", "wheels"]], Y)
    got = np.exp(nb.leave_one_out(X[["energy", "wheels"]], Y))
    # row 0, the only (petrol, two) and the only bike: classes 0, 4, 2 of 6 rows; four combinations stay the domain
    bike, car, truck = F(0 + 1, 9) * F(1, 4), F(4 + 1, 9) * F(1, 3 + 4), F(2 + 1, 9) * F(1, 2 + 4)
    np.testing.assert_allclose(got[0], [float(v / (bike + car + truck)) for v in (bike, car, truck)])
    # row 6 misses a member and was never counted: only the class count loses it
    theta = {"bike": F(2, 5), "car": F(3 + 2, 7), "truck": F(2, 6)}  # (petrol, four) + (diesel, four)
    joint = [F(1 + 1, 9) * theta["bike"], F(3 + 1, 9) * theta["car"], F(2 + 1, 9) * theta["truck"]]
    np.testing.assert_allclose(got[6], [float(v / sum(joint)) for v in joint])


@pytest.mark.parametrize("missing", ["ignore", "level"])
def test_a_given_schema_keeps_the_combinations_seen(missing: str, tmp_path: Path) -> None:
    rules: dict[str, object] = {"groups": GROUPS, "missing": missing}
    nb = NaiveBayes(**rules).fit(X, Y)
    left_out = nb.leave_one_out(X, Y)
    for i in range(len(X)):
        rest = np.arange(len(X)) != i
        again = NaiveBayes(**rules, schema=nb.schema_).fit(X[rest], Y[rest])
        again.save(tmp_path / "model.json")
        for model in (again, candide.load(tmp_path / "model.json")):
            wanted = nb.schema_.combinations[0]
            assert model.schema_.combinations[0].cells.tolist() == wanted.cells.tolist()
            assert list(model.model_.describe("energy & wheels")) == list(nb.model_.describe("energy & wheels"))
            np.testing.assert_allclose(model.predict_log_proba(X[~rest])[0], left_out[i], rtol=1e-12)


def test_a_given_schema_keeps_all_combinations_of_bins_whose_ends_read_alike() -> None:
    rng = np.random.default_rng(0)
    frame, y = pd.DataFrame(1e6 + rng.random((400, 2)), columns=["a", "b"]), rng.integers(0, 2, 400)
    nb = NaiveBayes("equal-width(4)", groups=[["a", "b"]]).fit(frame, y)
    again = NaiveBayes("equal-width(4)", groups=[["a", "b"]], schema=nb.schema_).fit(frame, y)
    for model in (nb, again):
        assert len(model.model_.describe("a & b")) == 16
    np.testing.assert_array_equal(again.predict_proba(frame), nb.predict_proba(frame))


def test_numbers_join_a_group_as_bins() -> None:
    rng = np.random.default_rng(3)
    table = pd.DataFrame({"a": rng.choice(["u", "v"], 60), "x": rng.normal(size=60)})
    y = rng.choice(["p", "q"], 60)
    nb = NaiveBayes(groups=[["a", "x"]], distributions={"x": "equal-width(3)"}).fit(table, y)
    laws.probabilities(nb, table)
    laws.leaves_one_out(nb, table, y)
    again = NaiveBayes(groups=[["a", "x"]], schema=nb.schema_).fit(table, y)
    np.testing.assert_allclose(again.predict_proba(table), nb.predict_proba(table))


@pytest.mark.parametrize(
    ("groups", "rules", "message"),
    [
        ([["energy", "weight"]], "auto", "groups: there is no column 'weight'; there are 'energy'"),
        ([["energy"]], "auto", "at least two columns"),
        (["energy"], "auto", "a list of lists of columns"),
        ([["energy", "wheels"], ["wheels", "colour"]], "auto", "'wheels' stands twice"),
        ([["energy", "energy"]], "auto", "'energy' stands twice"),
        ([["h", "k"]], {"h": "normal", "k": "normal"}, "more than one density"),
        ([["energy", "h"]], {"h": "kde"}, "estimated from moments"),
        ([["energy", "h"]], {"h": "multinomial"}, "column 'h'"),
    ],
)
def test_groups_that_do_not_fit_are_errors(groups: list, rules: object, message: str) -> None:
    table = X.assign(h=np.arange(7.0) + 1, k=np.arange(7.0) + 1)
    with pytest.raises(ValueError, match=message):
        NaiveBayes(groups=groups, distributions=rules).fit(table, Y)


def test_groups_changed_after_fit_need_the_data() -> None:
    nb = NaiveBayes(groups=GROUPS).fit(X, Y)
    for change in ({"groups": None}, {"groups": [["energy", "colour"]]}):
        with pytest.raises(ValueError, match="refit"):
            nb.set_params(**change).predict(X)
    table = X.assign(h=np.arange(7.0))
    nb = NaiveBayes(groups=[["energy", "h"]]).fit(table, Y).set_params(distributions={"h": "normal"})
    with pytest.raises(ValueError, match="refit"):
        nb.predict(table)


def test_models_that_join_unlike_groups_do_not_add() -> None:
    with pytest.raises(ValueError, match="different groups"):
        NaiveBayes(groups=GROUPS).fit(X, Y) + NaiveBayes().fit(X, Y)


@pytest.mark.parametrize("dtype", [object, "category"])
def test_a_given_schema_of_a_group_that_was_never_complete_adds_no_combination(dtype: object) -> None:
    table = pd.DataFrame({"a": ["x", None, "y", None], "b": [None, "u", None, "v"]}, dtype=dtype)
    nb = NaiveBayes(groups=[["a", "b"]]).fit(table, list("pqpq"))
    again = NaiveBayes(groups=[["a", "b"]], schema=nb.schema_).fit(table, list("pqpq"))
    np.testing.assert_array_equal(again.predict_joint_log_proba(table), nb.predict_joint_log_proba(table))
    assert again.model_.prior.pseudo.tolist() == nb.model_.prior.pseudo.tolist()


def test_pseudo_counts_may_be_given_for_a_group_by_its_name() -> None:
    columns = X[["energy", "wheels"]]
    nb = NaiveBayes(groups=GROUPS, smoothing=Dirichlet(1, {"energy & wheels": 0.5})).fit(columns, Y)
    bike, car, truck = 1, 3, 2
    np.testing.assert_allclose(
        likelihood(nb, row(energy="petrol", wheels="four")[["energy", "wheels"]]),
        [0.5 / (bike + 2), 2.5 / (car + 2), 0.5 / (truck + 2)],
    )
    with pytest.raises(ValueError, match="says nothing of column 'energy & wheels'"):
        NaiveBayes(groups=GROUPS, smoothing=Dirichlet(1, {"energy": 1, "wheels": 1})).fit(columns, Y)


@pytest.mark.parametrize("levels", [4, 300])
def test_combinations_are_named_when_somebody_asks(levels: int) -> None:
    rng = np.random.default_rng(levels)
    a, b = (rng.integers(0, levels, 500).astype(str).astype(object) for _ in range(2))
    a[::7] = None
    nb = NaiveBayes("categorical", groups=[["a", "b"]]).fit(pd.DataFrame({"a": a, "b": b}), rng.integers(0, 2, 500))
    (block,) = nb.model_.blocks
    assert "levels" not in vars(block.domain)
    wanted = sorted({(x, y) for x, y in zip(a.tolist(), b.tolist(), strict=True) if x is not None})
    assert block.domain.levels_of(0).tolist() == wanted
    assert list(block.describe(0)) == [str(pair) for pair in wanted]


def test_what_is_known_in_part_is_summed_out_alike_in_every_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("candide.distributions.group.MOST_KNOWN", 0)  # as where no table holds all that may be known
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.choice(list("xyz"), 90), "b": rng.choice(list("pqr"), 90)}).astype(object)
    y = rng.integers(0, 3, 90)
    nb = NaiveBayes(groups=[["a", "b"]]).fit(frame, y)
    partly = frame.mask(rng.random(frame.shape) < 0.4)
    found = nb.predict_log_proba(partly)
    np.testing.assert_array_equal(nb.predict_log_proba(partly), found)  # by the margins that were kept
    apart = [nb.predict_log_proba(partly[i : i + 1])[0] for i in range(len(partly))]
    np.testing.assert_allclose(apart, found)
    only_a = partly[partly["b"].isna() & partly["a"].notna()]
    alone = NaiveBayes("categorical", smoothing="none").fit(frame[["a"]], y)
    plain = NaiveBayes(groups=[["a", "b"]], smoothing="none").fit(frame, y)
    np.testing.assert_allclose(plain.predict_log_proba(only_a), alone.predict_log_proba(only_a[["a"]]))
