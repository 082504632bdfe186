"""Slim models: they score as the whole does, and hold nothing else."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.special
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import log_loss, mutual_info_score

import candide
from candide import NaiveBayes, TunedNB
from candide.datasets import insurance
from candide.distributions.bell import Bell
from candide.distributions.forms import Curve, Lookup, Steps
from candide.estimator import files
from candide.estimator.format.layout import Section
from candide.estimator.slim import leaving_out, roads, rounding, slimming
from candide.estimator.slim.format import lzma_packing, marks, packing, tables
from candide.estimator.slim.format.chords import Chord
from candide.table.columns import level_array

FRAME, NEW = insurance(n=1500, seed=0).frame, insurance(n=300, seed=1).frame
MODELS = Path(__file__).parent / "models"
RULES = ["auto", "normal", "lognormal", "gamma", "bins", "kde", "equal-width(5)", "smooth"]


@pytest.mark.parametrize("distributions", RULES)
@pytest.mark.parametrize("missing", ["ignore", "level"])
def test_a_slim_model_scores_as_the_whole(distributions: str, missing: str, tmp_path: Path) -> None:
    nb = NaiveBayes(distributions=distributions, missing=missing).fit(FRAME, "desk")
    np.testing.assert_allclose(nb.slim(within=1e-3).predict_proba(NEW), nb.predict_proba(NEW), atol=3e-3)
    small = nb.slim()
    np.testing.assert_allclose(small.predict_proba(NEW), nb.predict_proba(NEW), atol=0.03)
    assert (small.predict(NEW) == nb.predict(NEW)).mean() > 0.99
    small.save(tmp_path / "slim.json")
    again = candide.load(tmp_path / "slim.json")
    np.testing.assert_array_equal(again.predict_proba(NEW), small.predict_proba(NEW))
    assert again.left_out == small.left_out


def test_rare_levels_values_and_identifiers_are_not_in_the_file(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = FRAME.assign(name=["Pangloss", *["Martin", "Cacambo"] * 749, "Martin"], salary=rng.gamma(3, 1000, 1500))
    frame["id"] = [f"id-{i:05d}" for i in range(1500)]
    with pytest.warns(UserWarning, match="identifiers"):
        nb = NaiveBayes().fit(frame, "desk")
    small = nb.slim()
    assert "levels of fewer than 5 rows: 1 of name" in small.left_out
    assert "identifiers: id" in small.left_out
    nb.save(tmp_path / "whole.json")
    small.save(tmp_path / "slim.json")
    whole, slim = ((tmp_path / name).read_text() for name in ("whole.json", "slim.json"))
    assert "Pangloss" in whole
    assert "Pangloss" not in slim
    assert "id-00007" not in slim
    assert len(slim) < len(whole) / 8
    assert small.predict(frame[:5]).tolist() == small.predict(frame[:5].drop(columns="id")).tolist()


def test_what_rare_levels_cost_is_said() -> None:
    """Each city tells its class, and none has five rows."""
    rng = np.random.default_rng(0)
    city = np.repeat(np.arange(400), 3)
    y = rng.integers(0, 2, 400)[city]
    nb = NaiveBayes().fit(pd.DataFrame({"city": [f"city {i}" for i in city], "x": rng.normal(size=1200)}), y)
    small = nb.slim()
    X = nb.sample(1000, random_state=0)[0]
    others = int((small.predict(X) != nb.predict(X)).sum())
    assert others > 100
    assert "levels of fewer than 5 rows: 400 of city" in small.left_out
    (said,) = (text for text in small.left_out if text.startswith("digits and levels: probabilities lie within"))
    assert f"the answer to {others} of them is another; their log-loss is 0." in said


def test_readings_go_with_it() -> None:
    frame = pd.DataFrame({"x": [f"{i},5 %" for i in range(60)], "y": ["low"] * 30 + ["high"] * 30})
    nb = NaiveBayes().fit(frame, "y")
    np.testing.assert_allclose(
        nb.slim(within=1e-3).predict_proba({"x": "3,5 %"}), nb.predict_proba({"x": "3,5 %"}), atol=3e-3
    )


def test_pairs_of_columns_go_with_it_and_rare_levels_do_not(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    a, b = rng.choice(["r", "s", "t"], 1200), rng.choice(["u", "v"], 1200)
    y = np.where((a == "r") ^ (b == "u") ^ (rng.random(1200) < 0.1), "yes", "no")
    a[:2] = "Pangloss"
    nb = TunedNB().fit(pd.DataFrame({"a": a, "b": b, "x": rng.normal(size=1200)}), y)
    assert nb.pairs_
    nb.slim(within=1e-3).save(tmp_path / "slim.json")
    assert "Pangloss" not in (tmp_path / "slim.json").read_text()
    X = pd.DataFrame({"a": ["r", "s", "t", None, "new"] * 2, "b": ["u"] * 5 + ["v"] * 5, "x": np.linspace(-2, 2, 10)})
    np.testing.assert_allclose(candide.load(tmp_path / "slim.json").predict_proba(X), nb.predict_proba(X), atol=3e-3)


def test_columns_that_say_nothing_stand_between_others(tmp_path: Path) -> None:
    """A file names a column only where it is not the one after the last."""
    frame = pd.DataFrame({"a": ["r", "s"] * 40, "same": ["t"] * 80, "x": np.r_[np.zeros(40), np.ones(40)]})
    frame["more"], frame["z"] = frame["x"] + 1, [1.0, 2, 3, 4] * 20
    nb = NaiveBayes("equal-width(2)").fit(frame, ["no"] * 40 + ["yes"] * 40)
    small = nb.slim(within=1e-3)
    assert [form.columns for form in small.forms] == [(2,), (3,)]
    small.save(tmp_path / "slim.json")
    again = candide.load(tmp_path / "slim.json")
    assert [form.columns for form in again.forms] == [(2,), (3,)]
    np.testing.assert_array_equal(again.predict_proba(frame), small.predict_proba(frame))


def test_levels_that_all_say_nothing_are_scored_as_such() -> None:
    frame = pd.DataFrame({"a": ["r", "s"] * 40, "x": np.r_[np.zeros(40), np.ones(40)], "y": ["no"] * 40 + ["yes"] * 40})
    nb = NaiveBayes({"a": "categorical", "x": "normal"}).fit(frame, "y")
    np.testing.assert_allclose(
        nb.slim(within=1e-3).predict_proba(frame[["a", "x"]]), nb.predict_proba(frame[["a", "x"]]), atol=3e-3
    )


@pytest.mark.parametrize("n_classes", [2, 26])
@pytest.mark.parametrize("counted", [False, True])
def test_it_is_never_larger_than_the_whole(n_classes: int, counted: bool, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_classes, 3000)
    X = rng.normal(size=(3000, 8)) + rng.normal(size=(n_classes, 8))[y]
    nb = NaiveBayes("categorical" if counted else "auto").fit(np.round(X).astype(int) if counted else np.round(X), y)
    nb.save(tmp_path / "whole.json")
    nb.slim().save(tmp_path / "slim.json")
    assert (tmp_path / "slim.json").stat().st_size < (tmp_path / "whole.json").stat().st_size


def test_the_guarantee_of_a_private_model_stays_with_it(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": ["r", "s"] * 40, "y": ["no"] * 40 + ["yes"] * 40})
    private = NaiveBayes().fit(frame, "y").privatize(1.0, {"a": ["r", "s"]}, random_state=0)
    private.slim().save(tmp_path / "slim.json")
    assert candide.load(tmp_path / "slim.json").privacy_ == private.privacy_


@pytest.mark.parametrize("key", ["model", "content", "tables", "packed"])
@pytest.mark.parametrize(
    ("packed", "says"),
    [
        ("c-pm", "cannot be unpacked|was cut short|is not JSON|is damaged"),
        ("no such ~ text \\", "cannot be unpacked"),
        (7, "no text"),
    ],
)
def test_packed_tables_that_are_broken_are_refused(key: str, packed: object, says: str, tmp_path: Path) -> None:
    files.write(tmp_path / "slim.json", Section({"estimator": "candide.Slim", "left_out": [], key: packed}))
    with pytest.raises(files.ModelFileError, match=says):
        candide.load(tmp_path / "slim.json")


def test_what_would_fill_the_memory_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "MOST", 1 << 12)
    for value, numbers in (" " * (1 << 13), np.zeros((1, 1))), ("", np.zeros((64, 65))):
        (tmp_path / "slim.json").write_bytes(files.slim_file(packing.pack(value, [numbers])))
        with pytest.raises(files.ModelFileError, match="holds more than it may"):
            candide.load(tmp_path / "slim.json")


def test_what_would_fill_the_memory_was_not_unpacked_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lzma_packing, "MOST_BYTES", 1 << 7)
    with pytest.raises(files.ModelFileError, match="holds more than"):
        candide.load(MODELS / "lzma.json")


@pytest.mark.parametrize("file", ["lzma.json", "mixed.json", "content.json", "sealed.json"])
def test_a_file_of_every_packing_is_read(file: str) -> None:
    """Whoever changes the primer, or what foretells a bit, makes another format."""
    expected = json.loads((MODELS / "expected.json").read_text())
    chances = expected.pop("chances")
    small = candide.load(MODELS / file)
    np.testing.assert_allclose(small.predict_proba(pd.DataFrame(expected)), chances, atol=1e-11)
    assert small.left_out[-1].startswith("counts and values")
    assert {type(form) for form in small.forms} == {Lookup, Steps}


def test_a_stored_file_of_formulas_is_read() -> None:
    """Whoever changes what whole numbers tell of bells and lines makes another format."""
    expected = json.loads((MODELS / "formulas.expected.json").read_text())
    chances = expected.pop("chances")
    small = candide.load(MODELS / "formulas.json")
    np.testing.assert_allclose(small.predict_proba(pd.DataFrame(expected)), chances, atol=1e-11)
    assert {type(form) for form in small.forms} == {Lookup, Bell, Chord}


def test_what_lzma_packed_is_packed_anew(tmp_path: Path) -> None:
    small = candide.load(MODELS / "lzma.json")
    small.save(tmp_path / "slim.json")
    again = candide.load(tmp_path / "slim.json")
    X = pd.DataFrame({"a": ["r", "s", "t"] * 4, "b": ["u", "v"] * 6, "x": np.linspace(-3, 3, 12)})
    np.testing.assert_array_equal(again.predict_proba(X), small.predict_proba(X))
    assert again.left_out == small.left_out
    assert (tmp_path / "slim.json").stat().st_size < 0.7 * (MODELS / "lzma.json").stat().st_size


def test_it_is_a_tenth_of_the_size_where_values_were_kept(tmp_path: Path) -> None:
    y = np.random.default_rng(0).integers(0, 2, 3000)
    X = np.random.default_rng(1).normal(size=(3000, 4)) + 0.3 * y[:, None]
    nb = NaiveBayes().fit(X, y)
    nb.save(tmp_path / "whole.json")
    nb.slim().save(tmp_path / "slim.json")
    assert (tmp_path / "slim.json").stat().st_size < (tmp_path / "whole.json").stat().st_size / 10


@pytest.mark.parametrize("rule", ["kde", "mixture"])
def test_it_is_a_tenth_of_the_size_where_densities_were_sampled(rule: str) -> None:
    nb = NaiveBayes(rule).fit(FRAME, "desk")
    small = nb.slim()
    assert small.share <= 0.1
    assert (small.predict(NEW) == nb.predict(NEW)).mean() > 0.99


def named(n: int, seed: int) -> pd.DataFrame:
    """Return two columns of numbers, and one of 80 long names of which only the first says something."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    letters = np.random.default_rng(0).choice(list("abcdefghijklmnopqrstuvwxyz"), (80, 14))
    names = np.array(["".join(of) for of in letters])
    at = np.where((y == 1) & (rng.random(n) < 0.1), 0, rng.integers(0, 80, n))
    x, z = (rng.normal(size=(2, n)) + y).round()
    return pd.DataFrame({"x": x, "z": z, "name": names[at], "y": np.array(["no", "yes"])[y]})


@pytest.mark.parametrize("rule", ["normal", "kde"])
def test_levels_that_say_least_are_left_out_where_names_are_most_of_the_file(rule: str, tmp_path: Path) -> None:
    nb = NaiveBayes({"x": rule, "z": rule}).fit(named(6000, 0), "y")
    fine, small = nb.slim(within=0.01), nb.slim()
    assert fine.share > 0.1 >= small.share
    assert any(re.fullmatch(r"levels that say least: \d+ of name", of) for of in small.left_out)
    (kept,) = (form.levels.tolist() for form in small.forms if form.columns == (2,))
    assert named(6000, 0)["name"].mode()[0] in kept  # the one that says something
    new = named(3000, 1)
    assert log_loss(new["y"], small.predict_proba(new)) < log_loss(new["y"], nb.predict_proba(new)) + roads.NATS
    small.save(tmp_path / "slim.json")
    again = candide.load(tmp_path / "slim.json")
    assert again.left_out == small.left_out
    np.testing.assert_array_equal(again.predict_proba(new), small.predict_proba(new))


def test_levels_stay_where_too_much_would_be_lost_without_them(monkeypatch: pytest.MonkeyPatch) -> None:
    nb = NaiveBayes("normal").fit(named(6000, 0), "y")
    monkeypatch.setattr(roads, "NATS", 1e-6)
    monkeypatch.setattr(roads, "FARTHEST", 1e-6)
    small = nb.slim()
    assert small.share > 0.1
    assert not any("say least" in of for of in small.left_out)


def said_by_all(n: int, seed: int) -> pd.DataFrame:
    """Return one column of sixty long names that each say something."""
    chance = np.random.default_rng(0).beta(1, 1, 60)
    names = np.array(["".join(of) for of in np.random.default_rng(1).choice(list("abcdefghij"), (60, 80))])
    rng = np.random.default_rng(seed)
    at = rng.integers(0, 60, n)
    return pd.DataFrame({"name": names[at], "y": np.where(rng.random(n) < chance[at], "yes", "no")})


def test_levels_are_known_by_marks_where_all_of_their_names_matter(tmp_path: Path) -> None:
    frame = said_by_all(6000, 0)
    nb = NaiveBayes().fit(frame, "y")
    small = nb.slim()
    assert nb.slim(within=0.01).share > 0.1 >= small.share
    assert any(text.startswith("names of levels") and text.endswith("name") for text in small.left_out)
    new = said_by_all(3000, 1)
    new.loc[:9, "name"] = None
    new.loc[10:19, "name"] = "never seen"
    np.testing.assert_allclose(small.predict_proba(new), nb.predict_proba(new), atol=0.1)
    assert (small.predict(new) == nb.predict(new)).mean() > 0.98
    np.testing.assert_array_equal(small.predict_proba(new[5:15])[3], small.predict_proba(new)[8])
    small.save(tmp_path / "slim.json")
    again = candide.load(tmp_path / "slim.json")
    np.testing.assert_array_equal(again.predict_proba(new), small.predict_proba(new))
    assert frame["name"].iloc[0] not in json.dumps([again.left_out, [form.marks.tolist() for form in again.forms]])


@given(st.lists(st.text(max_size=5), min_size=1, max_size=30, unique=True), st.integers(2, 4))
def test_marks_find_what_names_find(names: list[str], n_classes: int) -> None:
    rng = np.random.default_rng(len(names))
    plain = Lookup(
        columns=(0,),
        missing=rng.normal(size=n_classes),
        levels=level_array(names),
        table=rng.normal(size=(n_classes, len(names))),
    )
    form = marks.marked(plain)
    if form is None:  # two marks are alike
        assert len({marks.mark(name) for name in names}) < len(names)
        return
    form.check()
    cells = level_array([*names, None, "a name that is longer than all of them"])
    for mine, theirs in ((form, plain), (form.scaled(0.5), plain.scaled(0.5))):
        np.testing.assert_array_equal(mine(cells), theirs(cells))


def test_look_ups_of_numbers_and_pairs_keep_their_levels() -> None:
    numbers = Lookup(columns=(0,), missing=np.zeros(2), levels=level_array([1, 2]), table=np.zeros((2, 2)))
    assert marks.marked(numbers) is None
    assert marks.marked(replace(numbers, columns=(0, 1), levels=level_array([("a", "b"), ("a", "c")]))) is None
    with pytest.raises(ValueError, match="do not ascend"):
        marks.Marked(columns=(0,), missing=np.zeros(2), marks=np.array([2.0, 1.0]), table=np.zeros((2, 2))).check()


def test_what_a_level_says_is_its_part_of_the_mutual_information() -> None:
    frame = named(2000, 0)
    nb = NaiveBayes().fit(frame, "y")
    order = leaving_out.by_what_they_say(nb.model_.forms, nb._state.evidence)
    table = pd.crosstab(frame["y"], frame["name"]).to_numpy(float)

    def said(level: str) -> float:
        alone = pd.crosstab(frame["y"], frame["name"] == level).to_numpy(float)
        return float(scipy.special.rel_entr(alone[:, 1], alone.sum(axis=1) * alone[:, 1].sum() / len(frame)).sum())

    each = [said(level) for j, level in order if j == 2]
    assert each == sorted(each)
    assert sum(each) / len(frame) == pytest.approx(mutual_info_score(None, None, contingency=table))


@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_curves_of_fewer_knots_lie_as_near_as_was_asked(n_classes: int) -> None:
    knots = np.linspace(-8, 9, 801)
    mean, spread = np.random.default_rng(n_classes).normal(size=(2, n_classes, 1))
    table = -((knots - 2 * mean) ** 2) / np.exp(spread) + 100 * np.sin(knots)  # what all share is not told
    curve = Curve(columns=(0,), missing=np.zeros(n_classes), knots=knots, table=table)
    thin = rounding.thinned(curve, 0.01, 6)
    assert len(thin.knots) < 200
    wanted, found = (rounding.less_largest(form.at(knots).T) for form in (curve, thin))
    assert np.all(np.abs(found - wanted) <= 1.01 * 0.01 * (1 - wanted / rounding.FAR))


def test_curves_of_more_nats_than_digits_end_with_their_knots() -> None:
    rng = np.random.default_rng(0)
    knots, table = np.arange(9.0), 1e15 * rng.normal(size=9) + rng.normal(size=(3, 9))
    thin = rounding.thinned(Curve(columns=(0,), missing=np.zeros(3), knots=knots, table=table), 0.01, 6)
    np.testing.assert_array_equal(thin.knots, knots)


def test_curves_that_need_too_many_rounds_keep_all_knots(monkeypatch: pytest.MonkeyPatch) -> None:
    knots = np.linspace(-8, 9, 801)
    table = -((knots - np.array([[0.0], [1.0], [3.0]])) ** 2) / np.array([[1.0], [2.0], [3.0]])
    curve = Curve(columns=(0,), missing=np.zeros(3), knots=knots, table=table)
    assert len(rounding.thinned(curve, 0.01, 12).knots) < 400
    monkeypatch.setattr(rounding, "ROUNDS", 2)
    np.testing.assert_allclose(rounding.thinned(curve, 0.01, 12).knots, knots)


def test_it_is_a_tenth_of_the_size_where_weights_and_pairs_were_settled(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 2000)
    X = rng.normal(size=(2000, 6)) + 0.5 * y[:, None] + np.where(y == 1, 1, 0)[:, None] * rng.normal(size=(2000, 1))
    nb = TunedNB().fit(X, y)
    nb.save(tmp_path / "whole.json")
    nb.slim().save(tmp_path / "slim.json")
    assert (tmp_path / "slim.json").stat().st_size < (tmp_path / "whole.json").stat().st_size / 10


@pytest.mark.parametrize("within", [0.05, 0.01, 1e-3, 1e-5])
def test_probabilities_lie_within_what_was_asked_for_and_coarser_is_smaller(within: float, tmp_path: Path) -> None:
    nb = NaiveBayes().fit(FRAME, "desk")
    X = nb.sample(1000, random_state=0)[0]
    small = nb.slim(rare=0, within=within)
    assert np.abs(small.predict_proba(X) - nb.predict_proba(X)).max() <= within
    assert any(text.startswith("digits: probabilities lie within") for text in small.left_out)
    small.save(tmp_path / "small.json")
    nb.slim(rare=0, within=within / 100).save(tmp_path / "finer.json")
    assert (tmp_path / "small.json").stat().st_size <= (tmp_path / "finer.json").stat().st_size


def test_tables_are_coarser_where_that_makes_the_share_and_moves_little(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 6, 3000)
    X = np.round(rng.normal(size=(3000, 6)) + rng.normal(size=(6, 6))[y] * 1.5)
    nb = NaiveBayes("equal-width(20)").fit(X, y)
    near = nb.slim(within=0.01)
    monkeypatch.setattr(roads, "SHARE", slimming.size(near) * 0.95 / slimming.size(nb))
    small = nb.slim()
    assert small.step > near.step
    assert slimming.size(small) <= 0.95 * slimming.size(near)
    drawn = nb.sample(1000, random_state=0)[0]
    off = np.abs(small.predict_proba(drawn) - nb.predict_proba(drawn))
    assert off.mean() < 0.001
    said = small.left_out[-2].replace("'s,", "").split()  # ... within 0.04 of the model 0.00007 in the mean ...
    assert [f"{float(said[at]):.1g}" for at in (4, 8)] == [f"{off.max():.1g}", f"{off.mean():.1g}"]
    monkeypatch.setattr(roads, "IN_THE_MEAN", off.mean() / 100)
    monkeypatch.setattr(roads, "NATS", 0)
    monkeypatch.setattr(roads, "FARTHEST", 0)
    assert nb.slim().step == near.step


def test_tables_stay_fine_where_no_coarseness_makes_the_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roads, "SHARE", 0.01)
    y = np.random.default_rng(0).integers(0, 26, 3000)
    X = np.round(np.random.default_rng(1).normal(size=(3000, 8)) + np.random.default_rng(2).normal(size=(26, 8))[y])
    nb = NaiveBayes().fit(X, y)
    small = nb.slim()
    assert small.roots is None
    assert small.step == nb.slim(within=0.01).step


@pytest.mark.parametrize("make", [NaiveBayes, TunedNB])
def test_a_row_alone_scores_as_it_does_among_others(make: type[NaiveBayes]) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 600)
    frame = pd.DataFrame(
        {"k": rng.integers(0, 4, 600), "x": rng.normal(size=600) + y, "a": rng.choice(list("uvw"), 600)}
    )
    frame["b"] = np.where(y ^ (frame["a"] == "u"), "p", "q")  # which speaks together with a
    small = make({"k": "categorical"}).fit(frame, y).slim()
    new = frame.iloc[:40].astype({"k": float})
    new.loc[3:5, ["k", "x"]] = np.nan
    new.loc[4:8, ["a", "b"]] = None
    new.loc[9:11, ["a", "b"]] = "unseen"
    new.loc[10:13, "k"] = 17.0
    many = pd.concat([new] * 3, ignore_index=True)
    alone = np.vstack([small.predict_log_proba(many.iloc[[i]]) for i in range(len(many))])
    np.testing.assert_array_equal(small.predict_log_proba(many), alone)
    assert make is NaiveBayes or any(len(form.columns) == 2 for form in small.forms)


@pytest.mark.parametrize("rare", [-1, float("nan"), "few"])
def test_levels_that_are_rare_are_told_by_a_number(rare: Any) -> None:
    with pytest.raises(ValueError, match="rare="):
        NaiveBayes().fit(FRAME, "desk").slim(rare=rare)


@pytest.mark.parametrize("within", [0, -1, "near"])
def test_nothing_may_lie_off_by_nothing(within: Any) -> None:
    with pytest.raises(ValueError, match=f"within={within!r}"):
        NaiveBayes().fit(FRAME, "desk").slim(within=within)


def test_what_cannot_be_stays_so(tmp_path: Path) -> None:
    frame = pd.DataFrame({"x": [0.0, 1.0, 2.0] * 20, "y": ["no", "yes", "yes"] * 20})
    nb = NaiveBayes("equal-width(3)", smoothing="none").fit(frame, "y")
    nb.slim().save(tmp_path / "slim.json")
    assert candide.load(tmp_path / "slim.json").predict_proba(frame[["x"]])[0].tolist() == [1.0, 0.0]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("kind", [Lookup, Steps, Curve])
def test_tables_in_steps_come_back(kind: type[Lookup | Steps | Curve], n_classes: int) -> None:
    whole = np.random.default_rng(0).integers(0, 400, (n_classes, 12)).astype(float)
    whole[0, :3] = whole[1, 3:5] = np.inf
    table = (whole - whole.min(axis=0)) * -0.01 + 0.0  # the largest of a cell is zero
    table[:, 5] = -np.inf  # where no class can be
    rest = {Lookup: {"levels": np.arange(12)}, Steps: {"cuts": np.arange(11.0)}, Curve: {"knots": np.arange(12.0)}}
    form = kind(columns=(0,), missing=np.zeros(n_classes), table=table, **rest[kind])  # type: ignore[arg-type]
    told = tables.table_in_steps(form, 0.01, n_classes == 2)
    assert told.shape == (1 if n_classes == 2 else n_classes, 12)
    np.testing.assert_array_equal(tables.table_from_steps(told, kind.__name__, n_classes == 2, 0.01), table)


def test_a_python_without_lzma_reads_all_but_what_it_packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lzma", None)
    NaiveBayes().fit(FRAME, "desk").slim().save(tmp_path / "slim.json")
    assert candide.load(tmp_path / "slim.json").forms
    with pytest.raises(ImportError, match="packed by Python's module lzma, which this Python was built without"):
        candide.load(MODELS / "lzma.json")


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("impossible", [False, True])
def test_what_is_the_same_for_all_classes_is_taken_away_and_nothing_else(ordered: bool, impossible: bool) -> None:
    rng = np.random.default_rng(0)
    table, common = rng.normal(size=(5, 9)), 7 * rng.normal(size=9)
    if impossible:
        table[0, 2:4] = table[:, 6] = -np.inf  # where a class cannot be, or none
    bare = rounding.less_common(table, ordered)
    np.testing.assert_allclose(rounding.less_common(table + common, ordered), bare)
    known = np.isfinite(table)
    np.testing.assert_array_equal(np.isfinite(bare), known)
    gone = np.where(known, table, 0) - np.where(known, bare, 0)
    np.testing.assert_allclose(gone, np.where(known, gone[1], 0), atol=1e-12)


def test_curves_less_their_common_steps_are_told_in_smaller_numbers() -> None:
    table = np.cumsum(np.random.default_rng(0).normal(size=(5, 40)), axis=1)
    bare, largest = rounding.less_common(table, ordered=True), rounding.less_largest(table)
    assert np.abs(np.diff(bare)).sum() < 0.9 * np.abs(np.diff(largest)).sum()


def of_cuts(tables: dict) -> dict:
    return next(form for form in tables["forms"] if "unit" in form)


def of_levels(tables: dict) -> dict:
    return next(form for form in tables["forms"] if "levels" in form)


BROKEN = {
    "a column that is none": lambda tables: tables["forms"][0].update(column=7),
    "cuts that are words": lambda tables: tables["forms"][-1].update(cuts=["few"]),
    "levels and a unit": lambda tables: of_levels(tables).update(unit=[1, 0]),
    "cuts and a unit": lambda tables: of_cuts(tables).update(cuts=[1.0, 2.0, 3.0]),
    "a unit of words": lambda tables: of_cuts(tables).update(unit=["few", 0]),
    "a unit of nothing": lambda tables: of_cuts(tables).update(unit=[]),
    "no unit and no cuts": lambda tables: of_cuts(tables).pop("unit"),
    "a form less": lambda tables: tables["forms"].pop(),
    "nothing said of what is left out": lambda tables: tables.pop("left_out"),
    "cuts of one column of levels": lambda tables: tables["forms"][0].update(cuts={"tuple": [[1.0]]}),
    "levels twice": lambda tables: tables["forms"][0].update(levels=["r"] * len(tables["forms"][0]["levels"])),
    "levels of no places": lambda tables: tables["forms"][0].update(levels={"of": [], "at": []}),
    "a name that is a list": lambda tables: tables["columns"].__setitem__(0, []),
    "a name twice": lambda tables: tables["columns"].__setitem__(0, tables["columns"][1]),
    "too many cells": lambda tables: tables["forms"][0]["levels"].append("more"),
    "too few cells": lambda tables: tables["forms"][0]["levels"].pop(),
    "neither levels nor cuts": lambda tables: tables["forms"][0].pop("levels"),
    "no class": lambda tables: tables["classes"].update(labels=[]),
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_a_file_whose_tables_do_not_fit_is_refused(broken, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame(
        {"a": ["r", "s", "t", "r"] * 20, "x": [0.0, 3, 4, 1] * 20, "y": ["no", "yes", "yes", "no"] * 20}
    )
    small = NaiveBayes({"x": "equal-width(4)"}).fit(frame, "y").slim()

    def changed(value, numbers):
        value = json.loads(json.dumps(value))
        broken(value)
        return packing.pack(value, numbers)

    small.save(tmp_path / "whole.json")
    assert candide.load(tmp_path / "whole.json").forms  # which is read
    monkeypatch.setattr("candide.estimator.slim.slim.pack", changed)
    small.save(tmp_path / "broken.json")
    with pytest.raises(files.ModelFileError):
        candide.load(tmp_path / "broken.json")


def test_the_table_that_it_was_learnt_from_is_not_written_over(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    FRAME.to_csv(table, index=False)
    before = table.read_bytes()
    small = NaiveBayes().fit(table, "desk").slim()
    (tmp_path / "link.csv").symlink_to(table)
    for path in (table, tmp_path / "link.csv"):
        with pytest.raises(ValueError, match=r"table\.csv|link\.csv"):
            small.save(path)
    assert table.read_bytes() == before
    small.save(tmp_path / "slim.json")
    assert str(table) not in (tmp_path / "slim.json").read_text()


# -- cells in other spellings ----------------------------------------------------------------------------------------

SPELT = {
    "paid": ["YES", "ja", True, 1, "n/a"],
    "wheels": [1, 1.0, "1.0", "01"],
    "open": ["True", "true", "yes", 1],
    "code": ["1", "1.0", 1.0, "x"],
    "x": ["1.5", "?", ""],
}


@pytest.fixture(scope="module", params=[NaiveBayes, TunedNB])
def spelt_model(request):
    rng = np.random.default_rng(0)
    right = rng.random((200, 4)) < 0.8
    second = np.arange(200) % 2 == 1
    frame = pd.DataFrame(
        {
            "paid": np.where(second & right[:, 0], "yes", "no"),
            "wheels": np.where(second & right[:, 1], "1", np.where(np.arange(200) % 3, "2", "x")),
            "open": second & right[:, 2],
            "code": np.where(second & right[:, 3], 1, 2),
            "x": second * 3 + rng.normal(size=200),
            "y": np.where(second, "b", "a"),
        }
    )
    return request.param({"code": "categorical"}).fit(frame, "y")


@pytest.mark.filterwarnings("ignore::candide.schema.same_level.NearLevels")
@pytest.mark.parametrize("column", list(SPELT))
def test_cells_are_read_as_the_whole_model_reads_them(spelt_model, column):
    slim = spelt_model.slim()
    for cell in SPELT[column]:
        row = {"paid": "no", "wheels": "2", "open": False, "code": 2, "x": 0.5, column: cell}
        for rows in (row, pd.DataFrame([row]), [row] * 50):
            np.testing.assert_allclose(slim.predict_proba(rows)[0], spelt_model.predict_proba(rows)[0], atol=0.02)


@pytest.mark.parametrize(("cell", "says"), [("abc", "column 'x' is numeric .* 'abc' in row 0"), (np.inf, "column 'x'")])
def test_what_is_no_number_is_refused_with_its_place(spelt_model, cell, says):
    row = {"paid": "no", "wheels": "2", "open": False, "code": 2, "x": cell}
    for model in (spelt_model, spelt_model.slim()):
        with pytest.raises((TypeError, ValueError), match=says):
            model.predict(row)
