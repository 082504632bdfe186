"""Tuned weights: one sum, settled on rows, honest in its algebra."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import candide
from candide import NaiveBayes, TunedNB
from candide.datasets import insurance
from candide.distributions import RULES as DISTRIBUTIONS
from candide.evaluate import cross_validate
from candide.model.weighing import weighted
from candide.model.weights import ColumnWeight, Weights
from candide.reading.table_reading import ReadingWarning
from candide.structure import AveragedOneDependence, TreeAugmentedNB
from candide.tuning import Tuned

FRAME = insurance(n=900, seed=0).frame
NEW = insurance(n=200, seed=1).frame
X, Y = FRAME.drop(columns="desk"), FRAME["desk"]


def crossed(n: int = 1200, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """Two columns that tell the class together and not alone, a number that does alone, and holes."""
    rng = np.random.default_rng(seed)
    a, b, x = rng.integers(0, 2, n), rng.integers(0, 3, n), rng.normal(size=n)
    y = np.where(rng.random(n) < 0.9, (a ^ (b > 1)) == (x > -1.0), rng.random(n) < 0.5)
    frame = pd.DataFrame(
        {"a": np.array(["no", "yes"])[a], "b": np.array(["p", "q", "r"])[b], "x": x, "n": rng.normal(size=n)}
    )
    frame.loc[rng.random(n) < 0.1, "x"] = np.nan
    frame.loc[rng.random(n) < 0.1, "b"] = None
    return frame, np.where(y, "in", "out")


CROSSED, SIDE = crossed()


@pytest.fixture(scope="module")
def tuned() -> TunedNB:
    return TunedNB().fit(CROSSED, SIDE)


def test_pairs_are_found_and_told(tuned):
    assert tuned.pairs_[0] == ("a", "b")
    assert tuned.score(*crossed(seed=1)) > NaiveBayes().fit(CROSSED, SIDE).score(*crossed(seed=1)) + 0.1
    assert TunedNB(weights=Tuned(pairs=0)).fit(CROSSED, SIDE).pairs_ == []
    assert "a × b = " in tuned.explain(CROSSED[:1]).to_text()
    assert tuned.model_.describe("a × b").keys() >= {"('no', 'r')", "('yes', None)"}


@pytest.mark.parametrize("weights", ["tuned", "temperature", Tuned(ridge=False), {"x": 0.5, "a": 2}, None])
def test_contributions_add_up(weights):
    nb = NaiveBayes(weights=weights).fit(CROSSED, SIDE)
    new = crossed(60, seed=2)[0]
    why = nb.explain(new)
    np.testing.assert_allclose(why.scores, nb.predict_joint_log_proba(new), atol=1e-9)
    np.testing.assert_allclose(nb.predict_proba(new).sum(axis=1), 1.0)
    assert why.names[:4] == ["a", "b", "x", "n"]


def test_given_weights_multiply_the_evidence():
    plain = NaiveBayes().fit(X, Y)
    nb = NaiveBayes(weights={"horse_power": 0.5, "wheels": 2.0}).fit(X, Y)
    np.testing.assert_allclose(nb.explain(X[:9]).prior, plain.explain(X[:9]).prior)
    at = plain.explain(X[:9]).names.index("wheels")
    np.testing.assert_allclose(
        nb.explain(X[:9]).contributions[:, :, at], 2 * plain.explain(X[:9]).contributions[:, :, at]
    )
    assert nb.weights_["wheels"] == 2.0
    assert NaiveBayes(weights={}).fit(X, Y).predict_proba(X) == pytest.approx(plain.predict_proba(X))
    assert nb.set_params(weights=None).predict_proba(X) == pytest.approx(plain.predict_proba(X))


@pytest.mark.parametrize("rule", [rule for rule in DISTRIBUTIONS if rule.kind == "numbers"], ids=lambda rule: rule.name)
def test_every_distribution_is_weighed(rule):
    rng = np.random.default_rng(0)
    y = np.arange(240) % 3
    x = np.column_stack([(rng.random(240) < 0.2 + 0.3 * y), rng.random(240) < 0.5]).astype(float)
    if rule.support.outside(np.zeros(1)).any():
        x += 1.0
    nb = NaiveBayes(distributions=rule.name, weights="tuned").fit(x, y)
    np.testing.assert_allclose(nb.explain(x[:20]).scores, nb.predict_joint_log_proba(x[:20]), atol=1e-9)
    plain = NaiveBayes(distributions=rule.name).fit(x, y)
    assert log_loss(nb, x, y) < log_loss(plain, x, y) + 0.02


def log_loss(nb: NaiveBayes, x: object, y: object) -> float:
    at = np.searchsorted(nb.classes_, np.asarray(y))
    return float(-nb.leave_one_out(x, y)[np.arange(len(at)), at].mean())


@pytest.mark.parametrize("missing", ["ignore", "level"])
def test_leaving_out_keeps_the_weights(missing):
    """A row left out is scored as by the model without it, under the same schema and the same weights."""
    nb = NaiveBayes(weights="tuned", missing=missing).fit(CROSSED[:400], SIDE[:400])
    found = nb.leave_one_out(CROSSED[:400], SIDE[:400])
    weights = nb.model_.settled.weights
    for row in (0, 7, 123):
        rest = np.arange(400) != row
        without = NaiveBayes(missing=missing, distributions="smooth", schema=nb.schema_).fit(
            CROSSED[:400][rest], SIDE[:400][rest]
        )
        state = without._state
        state.made = replace(state.made, model=weighted(without.model_, weights))
        np.testing.assert_allclose(without.predict_log_proba(CROSSED[row : row + 1])[0], found[row], atol=1e-9)


def test_a_weight_is_a_row_given_again_and_order_does_not_matter():
    rng = np.random.default_rng(0)
    w = rng.integers(0, 3, 500)
    twice = np.repeat(np.arange(500), w)
    one = TunedNB().fit(CROSSED[:500], SIDE[:500], sample_weight=w)
    shuffled = rng.permutation(twice)
    other = TunedNB().fit(CROSSED.iloc[shuffled], SIDE[shuffled])
    np.testing.assert_allclose(one.predict_proba(CROSSED), other.predict_proba(CROSSED), atol=1e-8)
    assert one.pairs_ == other.pairs_


def test_files_keep_the_weights(tuned, tmp_path):
    tuned.save(tmp_path / "m.json")
    again = candide.load(tmp_path / "m.json")
    assert (again.predict_proba(CROSSED) == tuned.predict_proba(CROSSED)).all()
    assert (again.weights_, again.pairs_, again.tuned_on_) == (tuned.weights_, tuned.pairs_, tuned.tuned_on_)
    again.save(tmp_path / "n.json")
    assert (tmp_path / "n.json").read_bytes() == (tmp_path / "m.json").read_bytes()


def test_what_is_gone_is_ignored(tuned):
    weights = tuned.model_.settled.weights
    plain = NaiveBayes(missing="level", distributions="smooth").fit(
        CROSSED.drop(columns="b"), np.where(SIDE == "in", "in", "new")
    )
    model = weighted(plain.model_, weights)
    assert [name for name in model.attribute_names if "×" in str(name)] == [
        f"{a} × {b}" for a, b in tuned.pairs_ if "b" not in (a, b)
    ]
    late = plain.partial_fit(CROSSED[:50].drop(columns="b"), ["late"] * 50)
    assert np.isfinite(weighted(late.model_, weights).log_prior).all()


def test_algebra_keeps_the_weights_that_were_settled_on_more_rows():
    one, other = TunedNB().fit(FRAME[:600], "desk"), TunedNB().fit(FRAME[600:], "desk")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (one + other).weights_ == (other + one).weights_ == one.weights_
        assert (one + other).tuned_on_ == 600
        grown = TunedNB().fit(FRAME[:600], "desk").partial_fit(FRAME[600:], "desk")
        assert grown.weights_ == one.weights_
    np.testing.assert_allclose((one + other).predict_proba(NEW), grown.predict_proba(NEW))
    forgotten = TunedNB().fit(FRAME[:600], "desk").partial_fit(FRAME[600:], "desk").forget(FRAME[600:], "desk")
    np.testing.assert_allclose(forgotten.predict_proba(NEW), one.predict_proba(NEW))


@pytest.mark.filterwarnings("ignore:the weights were settled")
@pytest.mark.parametrize("weights", ["tuned", "temperature"])
def test_the_order_of_adding_decides_nothing(weights):
    """The last two are settled on equally many rows; the first two have more of them together than the others."""
    one, other, third, fourth = (
        NaiveBayes(weights=weights).fit(FRAME[start:stop], "desk")
        for start, stop in [(0, 200), (200, 350), (350, 600), (600, 850)]
    )
    wanted = (one + other + third + fourth).predict_proba(NEW)
    for sum_ in (fourth + third + other + one, (one + other) + (fourth + third), one + (fourth + (other + third))):
        np.testing.assert_allclose(sum_.predict_proba(NEW), wanted, atol=1e-12)


def test_growth_by_more_than_half_is_said():
    nb = TunedNB().fit(FRAME[:300], "desk").partial_fit(FRAME[300:], "desk")
    with pytest.warns(UserWarning, match="settled when 300 rows were learnt, and now it is 900"):
        nb.predict(NEW)
    nb.tune(FRAME, "desk")
    assert nb.tuned_on_ == 900
    np.testing.assert_allclose(nb.predict_proba(NEW), TunedNB().fit(FRAME, "desk").predict_proba(NEW))


def test_a_source_is_tuned_as_a_table(tmp_path):
    FRAME.to_csv(tmp_path / "requests.csv", index=False)
    read = pd.read_csv(tmp_path / "requests.csv")
    expected = TunedNB().fit(read, "desk")
    nb = TunedNB().fit((part for part in (read[:200], read[200:])), "desk")
    np.testing.assert_allclose(nb.predict_proba(read), expected.predict_proba(read), atol=1e-6)
    file = TunedNB().fit(str(tmp_path / "requests.csv"), "desk").tune(str(tmp_path / "requests.csv"), "desk")
    assert file.tuned_on_ == 900


def test_weights_that_need_rows_say_so():
    nb = NaiveBayes().fit(FRAME, "desk").set_params(weights="tuned")
    with pytest.raises(ValueError, match=r"weights=Tuned\(\) are settled on rows.*tune"):
        nb.predict(NEW)
    assert nb.tune(FRAME, "desk").tuned_on_ == 900
    with pytest.raises(ValueError, match="settled on rows"):
        nb.set_params(weights=Tuned(pairs=0)).predict(NEW)
    assert len(nb.set_params(weights=None).predict(NEW)) == 200


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ("tunde", "weights='tunde' is not known; known are 'tuned', 'temperature'"),
        ({"colour": 1.0}, "weights: there is no column 'colour'; did you mean 'color'"),
        ({"wheels": "much"}, "'much' is not a number for column 'wheels'"),
        (Tuned(pairs=-1), r"Tuned\(pairs=-1\)"),
        (Tuned(seed="a"), r"Tuned\(seed='a'\)"),
    ],
)
def test_weights_that_cannot_be(weights, message):
    with pytest.raises(ValueError, match=message):
        NaiveBayes(weights=weights).fit(FRAME, "desk")


@pytest.mark.parametrize("combination", ["sum", "robust", "outlier"])
def test_weights_need_the_product(combination):
    with pytest.raises(ValueError, match=f"combination='{combination}' takes weights=None"):
        NaiveBayes(weights="tuned", combination=combination).fit(FRAME, "desk")


def test_hard_tables():
    """One class, tiny classes, two rows, a constant column, a column never known: nothing breaks, nothing is worse."""
    assert TunedNB().fit([[1.0], [2.0]], ["a", "a"]).predict([[3.0]]).tolist() == ["a"]
    assert TunedNB().fit([[1.0], [2.0]], ["a", "b"]).predict_proba([[3.0], [np.nan]]).shape == (2, 2)
    x = np.column_stack([np.ones(40), np.full(40, np.nan), np.arange(40.0)])
    nb = TunedNB().fit(x, ["a"] * 39 + ["b"])
    assert np.isfinite(nb.predict_log_proba(x)).all()
    many = TunedNB().fit(x, [f"c{i}" for i in range(40)])
    assert many.predict_proba(x).shape == (40, 40)
    with pytest.warns(ReadingWarning, match="no other column"):
        sole = TunedNB().fit(pd.DataFrame({"level": [f"l{i}" for i in range(60)]}), ["a", "b"] * 30)
    assert sole.predict_proba(pd.DataFrame({"level": ["new", None]})) == pytest.approx(0.5, abs=0.05)


def test_wide_tables_weigh_what_tells_something():
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    x = rng.normal(size=(200, 1000))
    x[:, 3] += 2.0 * y
    nb = TunedNB().fit(x, y)
    assert nb.weights_[3] > 0.3
    assert (nb.classes_[nb.leave_one_out(x, y).argmax(axis=1)] == y).mean() > 0.75
    assert sum(weight != 0.0 for weight in nb.weights_.values()) < 400


def test_noise_is_not_believed():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(60, 8)), rng.integers(0, 2, 60)
    far = TunedNB().fit(x, y).predict_proba(rng.normal(size=(500, 8)))
    assert np.abs(far[:, 0] - (y == 0).mean()).mean() < 0.2


def test_weights_do_not_turn_against_evidence_that_levels_can_tell_again():
    """Left out, a row makes its own class less probable: a negative weight would tell classes of these rows alone."""
    rng = np.random.default_rng(0)
    causes = rng.normal(size=(1600, 6))
    y = (0.5 * causes.sum(axis=1) + 2.0 * rng.normal(size=1600) > 1.0).astype(int)
    seen = np.column_stack([causes[:, i % 6] + rng.normal(size=1600) for i in range(20)])
    x = pd.DataFrame(np.digitize(seen, np.linspace(-1.5, 1.5, 7)).astype(str))
    nb, plain = (model.fit(x[:800], y[:800]) for model in (TunedNB(weights=Tuned(pairs=0)), NaiveBayes()))
    assert nb.temperature_ > 0
    assert min(nb.weights_.values()) > 0
    tuned, naive = (model.predict_log_proba(x[800:])[np.arange(800), y[800:]].mean() for model in (nb, plain))
    assert tuned > naive + 0.05


def test_intervals_draws_and_rows_go_on(tuned):
    p, interval = tuned.predict_proba(CROSSED[:20]), tuned.predict_interval(CROSSED[:20])
    assert ((interval[..., 0] <= p) & (p <= interval[..., 1])).all()
    drawn = tuned.predict_interval(CROSSED[:5], method="draws", draws=50)
    assert (drawn[..., 1] > drawn[..., 0]).all()
    cells, labels = tuned.sample(20, random_state=0)
    assert cells.columns.tolist() == CROSSED.columns.tolist()
    assert len(labels) == 20
    rows = [{**row} for row in CROSSED[:5].where(CROSSED[:5].notna(), None).to_dict("records")]
    np.testing.assert_allclose(tuned.predict_proba(rows), p[:5], atol=1e-12)


def test_forms_tell_the_score(tuned):
    """What SQL and ONNX read of the model adds up to its scores, pairs among it."""
    new = crossed(80, seed=3)[0]
    total = np.tile(tuned.model_.log_prior, (80, 1))
    for form in tuned.model_.forms:
        columns = [new.iloc[:, j].astype(object).where(new.iloc[:, j].notna(), None).tolist() for j in form.columns]
        cells = np.empty(80, dtype=object)
        cells[:] = columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))
        total += form(cells)
    expected = tuned.predict_joint_log_proba(new)
    np.testing.assert_allclose(total - total[:, :1], expected - expected[:, :1], atol=1e-9)


def test_probabilities_become_honest():
    models = {"tuned": TunedNB(), "plain": NaiveBayes(), "temperature": NaiveBayes(weights="temperature")}
    doubled = CROSSED.assign(**{f"a{i}": CROSSED["a"] for i in range(5)}, **{f"x{i}": CROSSED["x"] for i in range(5)})
    r = cross_validate(models, doubled, SIDE, folds=4, seed=0)
    mean = r.groupby("model")[["log_loss", "calibration_error"]].mean()
    assert mean.log_loss["tuned"] < mean.log_loss["temperature"] < mean.log_loss["plain"]
    assert mean.calibration_error["temperature"] < mean.calibration_error["plain"] / 2


def test_weights_by_name():
    weights = Weights(np.array(["b", "a"], dtype=object), bias=np.array([1.0, 2.0]), columns={"x": ColumnWeight(-0.25)})
    assert weights.at(np.array(["a", "c", "b"])).tolist() == [1, -1, 0]
    assert (weights.weight("x"), weights.weight("y")) == (0.75, 1.0)


@pytest.mark.parametrize("estimator", [TreeAugmentedNB, AveragedOneDependence])
@pytest.mark.parametrize("weights", ["tuned", "temperature"])
def test_structures_are_weighed(estimator, weights):
    nb = estimator(weights=weights).fit(CROSSED[:400], SIDE[:400])
    why = nb.explain(CROSSED[400:450])
    np.testing.assert_allclose(why.scores, nb.predict_joint_log_proba(CROSSED[400:450]), atol=1e-9)
    assert nb.tuned_on_ == 400
