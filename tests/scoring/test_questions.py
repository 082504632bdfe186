"""Questions: the expected information of an unknown column, and the chance that its answer turns the decision."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import integrate, stats
from sklearn.base import clone
from tests.strategies import COMBINATIONS, DENSITIES, KINDS, learning_table

from candide import NaiveBayes, TunedNB
from candide.combination import Product
from candide.distributions import Gamma
from candide.distributions.clamped import Clamped
from candide.distributions.links import LOG
from candide.model.weighing import unweighted
from candide.scoring import questions
from candide.structure import AveragedOneDependence, BayesNetwork, TreeAugmentedNB
from candide.text import TextNB

pytestmark = pytest.mark.filterwarnings("ignore:.*columns that the rows do not have")

RNG = np.random.default_rng(5)
N = 300
Y = RNG.choice(["no", "yes", "maybe"], N, p=[0.5, 0.3, 0.2])
FRAME = pd.DataFrame(
    {
        "a": np.where(RNG.random(N) < 0.7, Y, RNG.choice(["no", "yes", "maybe"], N)),
        "b": RNG.choice(["u", "v"], N),
        "x": RNG.normal(size=N) + (Y == "yes"),
    }
)


def entropy(p: np.ndarray) -> float:
    return float(-(p[p > 0] * np.log(p[p > 0])).sum())


def by_definition(nb: NaiveBayes, row: dict, column: str, answers: list) -> tuple[float, float]:
    """Return information and turns from the joint probabilities of the row with each answer."""
    now, decided = nb.predict_proba(row)[0], nb.predict(row)[0]
    filled = [{**row, column: answer} for answer in answers]
    of_class = np.exp(nb.predict_joint_log_proba(filled))
    p = of_class / of_class.sum(axis=0) @ now
    after = nb.predict_proba(filled)
    return (
        entropy(p @ after) - sum(w * entropy(q) for w, q in zip(p, after, strict=True)),
        float(p @ (nb.predict(filled) != decided)),
    )


@pytest.mark.parametrize("estimator", [NaiveBayes("equal-width(4)"), TreeAugmentedNB(), AveragedOneDependence()])
def test_a_question_is_worth_what_the_model_expects_of_its_answers(estimator: NaiveBayes) -> None:
    nb = estimator.fit(FRAME, Y)
    found = {q.column: q for q in nb.questions({"b": "u"})}
    assert set(found) == {"a", "x"}
    information, turns = by_definition(nb, {"b": "u"}, "a", ["no", "yes", "maybe"])
    assert found["a"].information == pytest.approx(information)
    assert found["a"].turns == pytest.approx(turns)


def test_columns_apart_are_worth_their_mutual_information_with_the_class() -> None:
    nb = NaiveBayes("equal-width(4)").fit(FRAME, Y)
    p, theta = nb.predict_proba({"b": "u"})[0], np.exp(nb.model_.forms[0].table)
    mixture = p @ theta
    wanted = sum(p[c] * stats.entropy(theta[c], mixture) for c in range(3))
    (found,) = (q for q in nb.questions({"b": "u"}) if q.column == "a")
    assert found.information == pytest.approx(wanted)
    assert found.share == pytest.approx(wanted / entropy(p))


@pytest.mark.parametrize("kind", ["normal", "lognormal", "gamma", "exponential"])
def test_a_density_is_worth_the_integral(kind: str) -> None:
    x = np.exp(FRAME["x"] / 2)
    nb = NaiveBayes(kind).fit(x.to_numpy()[:, None], Y)
    p = nb.predict_proba([[np.nan]])[0]

    def expected(t: float) -> float:
        joint = np.exp(nb.predict_joint_log_proba([[t]])[0])
        return joint.sum() * entropy(joint / joint.sum()) if joint.sum() > 0 else 0.0

    low = -20.0 if kind == "normal" else 1e-9
    left = integrate.quad(expected, low, 30.0, points=[0.5, 1.0, 2.0, 5.0], limit=500)[0]
    assert nb.questions()[0].information == pytest.approx(entropy(p) - left, abs=2e-4)


@pytest.mark.parametrize("kind", [*KINDS, "auto"])
def test_every_distribution_can_be_asked_for_or_is_left_out(kind: str) -> None:
    case = learning_table((kind,) if kind in KINDS else ("normal",), n=60)
    nb = NaiveBayes(kind).fit(case.X, case.y)
    found = nb.questions()
    assert len(found) == (kind != "multinomial")
    assert all(-1e-9 <= q.information <= found.doubt + 1e-9 and 0 <= q.turns <= 1 for q in found)


@pytest.mark.parametrize("kind", DENSITIES)
def test_the_points_along_a_density_hold_all_of_it(kind: str) -> None:
    """Before anything is known, the expected posterior is the prior."""
    case = learning_table((kind,), n=60)
    nb = NaiveBayes(kind).fit(case.X.to_numpy(), case.y)
    (found,) = nb._modelled()[1].answers.values()
    joint = np.exp(nb.predict_joint_log_proba([[x] for x in found.cells]))
    width = np.ones(len(found)) if found.width is None else found.width
    np.testing.assert_allclose(width @ joint, np.exp(nb.model_.log_prior), atol=5e-3)


@pytest.mark.parametrize("rule", COMBINATIONS, ids=repr)
def test_every_combination_has_questions_and_its_own_posterior(rule: object) -> None:
    nb = NaiveBayes("equal-width(3)", combination=rule, smoothing="laplace").fit(FRAME, Y)
    found = nb.questions({"a": "no"})
    np.testing.assert_allclose(found.posterior, nb.predict_proba({"a": "no"})[0])
    assert found.decision == nb.predict({"a": "no"})[0]
    assert [q.column for q in found] == ["x", "b"]
    if isinstance(rule, Product):
        assert found[0].information > found[1].information >= 0


def test_costs_turn_decisions() -> None:
    cheap = NaiveBayes("equal-width(4)").fit(FRAME, Y)
    strict = NaiveBayes("equal-width(4)", costs=[[0, 50, 50], [1, 0, 1], [1, 1, 0]]).fit(FRAME, Y)
    one, other = (next(q for q in nb.questions() if q.column == "a") for nb in (cheap, strict))
    assert one.information == other.information
    assert one.turns != other.turns


def test_a_group_is_asked_column_by_column() -> None:
    nb = NaiveBayes("equal-width(3)", groups=[["a", "b"]]).fit(FRAME, Y)
    found = {q.column: q for q in nb.questions({"b": "u"})}
    information, turns = by_definition(nb, {"b": "u"}, "a", ["no", "yes", "maybe"])
    assert found["a"].information == pytest.approx(information)
    assert found["a"].turns == pytest.approx(turns)


def test_a_date_of_several_parts_is_asked_for_as_it_is_given() -> None:
    days = pd.date_range("2024-01-01", periods=len(FRAME), freq="9D").strftime("%Y-%m-%d")
    nb = NaiveBayes(reading="auto").fit(FRAME.assign(day=days), Y)
    assert len(nb.schema_.names) > len(nb.schema_.given_names) == 4
    assert {q.column for q in nb.questions()} == {q.column for q in nb.questions({})} == {"a", "b", "x", "day"}
    assert {q.column for q in nb.questions({"day": days[0]})} == {"a", "b", "x"}


@pytest.mark.parametrize("estimator", [NaiveBayes(), TunedNB()], ids=repr)
@pytest.mark.parametrize("known", [{}, {"a": "no"}, {"x": 1.5, "words": "red green"}])
def test_nothing_settles_less_than_nothing_or_more_than_all(estimator: NaiveBayes, known: dict) -> None:
    words = np.where(Y == "yes", "green", "red")
    frame = FRAME.assign(x=np.exp(3 * FRAME["x"]), words=[f"{w} blue {i % 7}" for i, w in enumerate(words)])
    frame.loc[::9, ["a", "b"]] = None
    nb = clone(estimator).set_params(distributions={"words": "text"}).fit(frame, Y)
    found = nb.questions(known)
    assert {q.column for q in found} == {"a", "b", "x"} - set(known)
    assert all(0 <= q.share <= 1 and 0 <= q.turns <= 1 for q in found)


def test_numbers_are_asked_for_where_they_were_seen() -> None:
    """What turns the answer does so as often as numbers drawn from the model turn it."""
    x = np.random.default_rng(0).gamma(4.0, np.where(Y == "yes", 900.0, 10.0))
    nb = NaiveBayes(Clamped(Gamma(), x.min(), x.max())).fit(x[:, None], Y)
    drawn, _ = nb.sample(20_000, random_state=0)
    turns = (nb.predict(drawn) != nb.predict([[np.nan]])[0]).mean()
    assert nb.questions()[0].turns == pytest.approx(turns, abs=0.02)


def test_cells_are_asked_for_one_by_one_beside_documents_too() -> None:
    frame = FRAME.assign(words=[f"word {i % 5} and {y}" for i, y in enumerate(Y)])
    plain = NaiveBayes("smooth").fit(FRAME[["x"]], Y)
    beside = NaiveBayes({"x": "smooth", "words": "text"}).fit(frame[["x", "words"]], Y)
    assert beside.questions()[0].information == pytest.approx(plain.questions()[0].information)
    told = {"words": "and word yes"}
    cells = beside._modelled()[1].answers[0].cells.tolist()
    information, turns = by_definition(beside, told, "x", cells)
    (asked,) = beside.questions(told)
    assert (asked.information, asked.turns) == (pytest.approx(information), pytest.approx(turns))


@pytest.mark.parametrize("row", [None, {}, "red green", ["red green"], [None]])
def test_documents_alone_leave_nothing_to_ask(row: object) -> None:
    nb = TextNB().fit(["red blue", "green blue"] * 4, ["stop", "go"] * 4)
    found = nb.questions(row)
    assert len(found) == 0
    text = row if isinstance(row, str) else row[0] if isinstance(row, list) else None
    np.testing.assert_allclose(found.posterior, nb.predict_proba([text])[0])


def test_what_is_known_is_not_asked() -> None:
    nb = NaiveBayes().fit(FRAME, Y)
    assert len(nb.questions({"a": "no", "b": "never seen", "x": 1.0})) == 0
    assert str(nb.questions({"a": "no", "b": "u", "x": 0.0})).startswith("no, with")
    assert len(nb.questions({})) == len(nb.questions()) == 3
    assert [*nb.questions(FRAME[:1])] == []
    assert nb.questions(pd.DataFrame({"a": [None], "b": ["u"], "x": [np.nan]})).to_frame()["column"].tolist()[0] == "a"


def test_more_rows_than_one_and_unknown_columns_are_refused() -> None:
    nb = NaiveBayes().fit(FRAME, Y)
    with pytest.raises(ValueError, match="one row, and there are 2"):
        nb.questions(FRAME[:2])
    with pytest.raises(ValueError, match="there is no column 'A'; did you mean 'a'"):
        nb.questions({"A": 1})


def test_a_date_is_asked_for_as_it_is_given() -> None:
    days = pd.date_range("2024-01-01", periods=240, freq="D")
    y = np.where((days.day_of_week < 5) ^ (RNG.random(240) < 0.1), "work", "rest")
    nb = NaiveBayes().fit(pd.DataFrame({"due": days.strftime("%Y-%m-%d"), "b": RNG.choice(["u", "v"], 240)}), y)
    assert len(nb.learnt_.schema.names) > 2
    found = {q.column: q for q in nb.questions({"b": "u"})}
    assert list(found) == ["due"]
    # the same from the chances of many days, which have the parts of a date about as often as the model has
    p = nb.predict_proba([{"b": "u", "due": day} for day in days.strftime("%Y-%m-%d")])
    doubt = nb.questions({"b": "u"}).doubt
    assert found["due"].information == pytest.approx(doubt - np.mean([entropy(row) for row in p]), abs=0.1 * doubt)
    assert len(nb.questions({"b": "u", "due": "2024-02-03"})) == 0


def test_many_answers_are_filled_in_part_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    nb = NaiveBayes().fit(FRAME, Y)
    whole = nb.questions({"b": "u"})
    monkeypatch.setattr(questions, "FILLED_IN", 1)
    assert nb.questions({"b": "u"}).questions == whole.questions


def test_columns_without_names_go_by_position() -> None:
    nb = NaiveBayes("normal").fit(np.column_stack([FRAME["x"], RNG.normal(size=N)]), Y)
    assert [q.column for q in nb.questions([[np.nan, 0.3]])] == [0]
    assert {q.column for q in nb.questions()} == {q.column for q in nb.questions({})} == {0, 1}


GAPS = FRAME.copy()
GAPS.loc[Y == "yes", "b"] = None  # a missing cell says much
GAPS.loc[RNG.random(N) < np.where(Y == "no", 0.4, 0.1), ["a", "x"]] = None
GAPS.loc[::7, ["a", "b", "x"]] = FRAME.loc[::7]


@pytest.mark.parametrize(
    "estimator",
    [
        NaiveBayes(missing="level"),
        NaiveBayes({"x": "normal"}, missing="level"),
        NaiveBayes("equal-width(4)", missing="level", groups=[["a", "b"]]),
        NaiveBayes("equal-width(4)", missing="level", groups=[["a", "b", "x"]]),
        TreeAugmentedNB(missing="level"),
        BayesNetwork(parents={"a": ["y"], "b": ["y", "a"], "x": ["y", "b"]}, missing="level"),
    ],
    ids=repr,
)
def test_what_is_not_asked_yet_says_nothing_though_missing_is_a_level(estimator: NaiveBayes) -> None:
    """What is known of the class is what is left when all that a cell may be is summed out, missing among it."""
    nb = clone(estimator).fit(GAPS.assign(y=Y), "y")
    np.testing.assert_allclose(nb.questions().posterior, nb.class_counts_ / N, atol=0.01)  # softened
    for known in ({"x": 0.5, "a": "no"}, {"x": -1.0, "a": "yes"}):
        cells = [{**known, "b": b} for b in ("u", "v", None)]
        joint = np.exp(nb.predict_joint_log_proba(cells)).sum(axis=0)
        np.testing.assert_allclose(nb.questions(known).posterior, joint / joint.sum())
        assert (
            np.abs(nb.predict_proba(cells[-1:])[0] - nb.questions(known).posterior).max() > 0.1
        )  # which would say much


@pytest.mark.parametrize("known", [{}, {"a": "no"}, {"a": "yes", "x": 1.0}])
def test_weighed_evidence_begins_with_its_prior_and_adds_what_is_known(known: dict) -> None:
    nb = TunedNB().fit(GAPS, Y)
    rows, model, _ = nb._scored({**dict.fromkeys(FRAME.columns), **known})
    told = [j for j, name in enumerate(model.names) if name in known]
    terms = [t for t, columns in zip(model.terms(rows, LOG)[0].T, model.columns, strict=True) if {*columns} <= {*told}]
    scores = np.exp(model.log_prior + sum(terms))
    np.testing.assert_allclose(nb.questions(known).posterior, scores / scores.sum())


def test_answers_come_as_often_as_the_counts_say_however_much_they_weigh() -> None:
    nb = TunedNB().fit(GAPS, Y)
    plain = unweighted(nb.model_)
    np.testing.assert_array_equal(plain.log_prior, NaiveBayes().fit(GAPS, Y).model_.log_prior)
    (column,) = (form for form, columns in zip(plain.forms, plain.columns, strict=True) if columns == (0,))
    p = np.exp(column.table[:, :3])
    chances = np.exp(nb.model_.log_prior) @ (p / p.sum(axis=1, keepdims=True))
    now = nb.questions().decision
    turned = [nb.questions({"a": level}).decision != now for level in column.levels.tolist()]
    assert next(q for q in nb.questions() if q.column == "a").turns == pytest.approx(float(chances @ turned))
