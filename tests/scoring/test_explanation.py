"""Explanations: the numbers of the score, and their readable form."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from candide import NaiveBayes

X = pd.DataFrame(
    {
        "wheels": ["two", "four", "four", "six"],
        "energy": ["petrol", "petrol", "diesel", "diesel"],
        "weight": [0.2, 1.5, 1.1, 9.0],
    }
)
Y = ["bike", "car", "car", "truck"]
NEW = pd.DataFrame({"wheels": ["two", "four"], "energy": [None, "steam"], "weight": [0.3, np.nan]})


@pytest.fixture
def nb() -> NaiveBayes:
    return NaiveBayes(distributions={"weight": "normal"}).fit(X, Y)


def test_names_cells_and_shapes(nb: NaiveBayes) -> None:
    why = nb.explain(NEW)
    assert len(why) == 2
    assert why.names == ["wheels", "energy", "weight"]
    assert why.cells == [["two", None, 0.3], ["four", "steam", None]]
    assert why.contributions.shape == (2, 3, 3)
    assert why.decisions.tolist() == nb.predict(NEW).tolist()
    np.testing.assert_allclose(why.posterior, nb.predict_proba(NEW))
    np.testing.assert_allclose(why.prior, nb.model_.log_prior)


def test_what_says_nothing_contributes_nothing(nb: NaiveBayes) -> None:
    contributions = nb.explain(NEW).contributions
    np.testing.assert_array_equal(contributions[0, :, 1], 0)  # missing
    np.testing.assert_array_equal(contributions[1, :, 1:], 0)  # unseen, missing


def test_weights_of_evidence_compare_with_the_rival_strongest_first(nb: NaiveBayes) -> None:
    why = nb.explain(NEW)
    rival = int(np.argsort(why.posterior[0])[-2])
    first = int(why.posterior[0].argmax())
    difference = why.contributions[0, first] - why.contributions[0, rival]
    weights = why.weights(0)
    assert {name: w for name, _, w in weights} == pytest.approx(dict(zip(why.names, difference, strict=True)))
    assert [abs(w) for _, _, w in weights] == sorted(np.abs(difference), reverse=True)
    assert why.weights(0, "truck")[0][2] != weights[0][2]
    with pytest.raises(ValueError, match="there is no class 'boat'"):
        why.weights(0, "boat")


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({"weights": "tuned"}, "score = log P(class) + what each cell adds, by the weights that were settled"),
        ({"weights": {"a": 0.5}}, "score = log P(class) + what each cell adds, by the weights that were settled"),
        ({}, "log-probabilities"),
    ],
)
def test_the_text_says_what_is_added_up(rules: dict[str, object], said: str) -> None:
    table = pd.DataFrame({"a": ["u", "v", "u", "v", "v"] * 20, "b": ["s", "s", "t", "t", "s"] * 20})
    text = NaiveBayes(**rules).fit(table, ["p", "q", "p", "q", "p"] * 20).explain(table[:1]).to_text()
    assert text.splitlines()[1].startswith(said)
    assert ("log-probabilities" in text) == (not rules)
    prior, *parts, score = [float(line.split()[-1]) for line in text.splitlines()[-4:]]
    assert prior + sum(parts) == pytest.approx(score, abs=0.002)


def test_the_text_is_readable_and_adds_up(nb: NaiveBayes) -> None:
    why = nb.explain(NEW)
    text = why.to_text(0)
    lines = text.splitlines()
    assert lines[0].startswith("row 0: bike (probability ")
    assert "log-probabilities" in lines[1]
    assert any(line.startswith("wheels = two") for line in lines)
    assert any(line.startswith("energy missing") for line in lines)
    assert any(line.startswith("weight = 0.3") for line in lines)
    numbers = [float(line.split()[-2]) for line in lines[2:-1]]
    assert float(lines[-1].split()[-2]) == pytest.approx(sum(numbers), abs=0.005)
    assert str(why).count("row ") == 2


def test_the_text_gathers_what_it_does_not_show(nb: NaiveBayes) -> None:
    text = nb.explain(NEW).to_text(0, top=1)
    assert "2 more" in text


def test_contributions_under_the_sum_are_alpha_theta() -> None:
    nb = NaiveBayes(combination="sum", smoothing="none").fit(X, Y)
    why = nb.explain(X)
    assert why.additive == "probability"
    np.testing.assert_array_equal(why.prior, 0)
    block, i = nb.model_.attributes[0]
    np.testing.assert_allclose(why.contributions[0, :, 0], nb.model_.prior.alpha * block.describe(i)["two"])
    assert "probabilities" in why.to_text(0)


def test_a_row_that_is_not_explained_is_said_to_be_none(nb: NaiveBayes) -> None:
    why = nb.explain(NEW)
    assert why.to_text(-1).splitlines()[1:] == why.to_text(len(why) - 1).splitlines()[1:]
    with pytest.raises(IndexError, match=f"there is no row {len(why)} among the {len(why)} that are explained"):
        why.to_text(len(why))


def test_many_rows_are_cut_in_the_text(nb: NaiveBayes) -> None:
    shown = str(nb.explain(X))
    assert shown.endswith("(1 more row)")
    assert [line.split(":")[0] for line in shown.splitlines() if line.startswith("row ")] == ["row 0", "row 1", "row 2"]


def test_labels_that_are_tuples_are_told_whole() -> None:
    labels = np.empty(4, dtype=object)
    labels[:] = [("two", 2), ("four", 4), ("four", 4), ("six", 6)]
    why = NaiveBayes().fit(X, labels).explain(NEW)
    assert why.to_text().startswith("row 0: ('two', 2) (probability")
    told = {name: by for name, _, by in why.weights(0, ("six", 6))}
    assert told["wheels"] == pytest.approx(why.contributions[0, 1, 0] - why.contributions[0, 2, 0])
    with pytest.raises(ValueError, match=r"there is no class \('two', 4\)"):
        why.weights(0, ("two", 4))


def test_one_class_has_no_rival() -> None:
    why = NaiveBayes().fit(X, ["car"] * 4).explain(X)
    assert "car (probability 100.0 %)" in why.to_text(0)


def test_an_impossible_row_is_explained_without_nan() -> None:
    nb = NaiveBayes(smoothing="none").fit(X[["wheels", "energy"]], Y)
    why = nb.explain(pd.DataFrame({"wheels": ["two"], "energy": ["diesel"]}))
    assert not np.isnan(why.contributions).any()
    assert not np.isnan([weight for _, _, weight in why.weights(0)]).any()
    assert "nan" not in why.to_text(0)


def test_what_was_chosen_and_by_how_much_is_shown() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    frame = pd.DataFrame({"tells": rng.normal(size=400) + 3 * y, "noise": rng.normal(size=400)})
    nb = NaiveBayes(smoothing="auto").fit(frame, y)
    scores = nb.schema_.score("tells")
    chosen = nb.model_.chosen["tells"].split()[0]
    assert chosen != "nothing"
    assert scores[chosen] > scores["nothing"] + 0.3
    assert f"tells: {chosen} ({scores[chosen] - scores['nothing']:+.3f} nats)" in nb.explain(frame[:1]).to_text()
    assert nb.model_.smoothing.name != "auto"
    assert NaiveBayes(distributions="normal").fit(frame, y).schema_.score("tells") == {}


def test_the_frame_of_an_explanation_adds_up_to_its_scores_and_parameters_go_by_name() -> None:
    rng = np.random.default_rng(1)
    y = np.arange(60) % 3
    frame = pd.DataFrame({"x": rng.normal(size=60) + y, "s": rng.choice(["a", "b"], 60)})
    nb = NaiveBayes(distributions={"x": "normal"}).fit(frame, y)
    told = nb.explain(frame[:4])
    sums = told.to_frame().groupby(["row", "class"])["contribution"].sum().to_numpy().reshape(4, 3)
    np.testing.assert_allclose(sums, nb.predict_joint_log_proba(frame[:4]))
    by_class = frame["x"].groupby(y).mean().to_numpy()
    np.testing.assert_allclose(nb.model_.describe("x")["mean"], by_class)
    with pytest.raises(ValueError, match="no attribute 'z'"):
        nb.model_.describe("z")
    with pytest.raises(ValueError, match="no column 'z'"):
        nb.schema_.choice("z")


def test_a_column_called_like_a_group_keeps_its_own_numbers() -> None:
    frame = pd.DataFrame({"a & b": list("ststts"), "a": list("xyxxyy"), "b": list("uvuuvu")})
    nb = NaiveBayes(groups=[["a", "b"]]).fit(frame, list("pqpqpq"))
    why = nb.explain(frame)
    assert why.names == ["a & b", "a & b"]
    lines = why.to_text(0).splitlines()
    assert {line.split("  ")[0] for line in lines[3:5]} == {"a & b = s", "a & b = x & u"}
    numbers = [float(line.split()[-2]) for line in lines[2:-1]]
    assert float(lines[-1].split()[-2]) == pytest.approx(sum(numbers), abs=0.005)
    np.testing.assert_allclose(why.scores, nb.predict_joint_log_proba(frame))
    assert [cell for _, cell, _ in why.weights(0)] in (["s", "x & u"], ["x & u", "s"])
