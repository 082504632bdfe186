"""The worked examples of the literature, to the digit, and small tables by hand in exact fractions."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import numpy as np
import pandas as pd
import pytest

from candide import NaiveBayes
from candide.presets import FrequencyNB, IndifferentNB, LaplaceNB, RobustNB

F = Fraction

TENNIS = """Sunny Hot High Weak No
Sunny Hot High Strong No
Overcast Hot High Weak Yes
Rain Mild High Weak Yes
Rain Cool Normal Weak Yes
Rain Cool Normal Strong No
Overcast Cool Normal Strong Yes
Sunny Mild High Weak No
Sunny Cool Normal Weak Yes
Rain Mild Normal Weak Yes
Sunny Mild Normal Strong Yes
Overcast Mild High Strong Yes
Overcast Hot Normal Weak Yes
Rain Mild High Strong No"""

ANIMALS = """human yes no no yes mammals
python no no no no non-mammals
salmon no no yes no non-mammals
whale yes no yes no mammals
frog no no sometimes yes non-mammals
komodo no no no yes non-mammals
bat yes yes no yes mammals
pigeon no yes no yes non-mammals
cat yes no no yes mammals
leopard_shark yes no yes no non-mammals
turtle no no sometimes yes non-mammals
penguin no no sometimes yes non-mammals
porcupine yes no no yes mammals
eel no no yes no non-mammals
salamander no no sometimes yes non-mammals
gila_monster no no no yes non-mammals
platypus no no no yes mammals
owl no yes no yes non-mammals
dolphin yes no yes no mammals
eagle no yes no yes non-mammals"""


def frame(text: str, names: list[str]) -> pd.DataFrame:
    return pd.DataFrame([line.split() for line in text.splitlines()], columns=names)


@pytest.fixture
def tennis() -> pd.DataFrame:
    return frame(TENNIS, ["outlook", "temperature", "humidity", "wind", "play"])


@pytest.fixture
def new_day() -> pd.DataFrame:
    return pd.DataFrame([["Sunny", "Cool", "High", "Strong"]], columns=["outlook", "temperature", "humidity", "wind"])


def test_play_tennis(tennis: pd.DataFrame, new_day: pd.DataFrame) -> None:
    nb = NaiveBayes(smoothing="none").fit(tennis, "play")
    no, yes = np.exp(nb.predict_joint_log_proba(new_day))[0]
    assert f"{no:.4f}" == "0.0206"
    assert f"{yes:.4f}" == "0.0053"
    assert no == pytest.approx(float(prod([F(3, 5), F(1, 5), F(4, 5), F(3, 5), F(5, 14)])), rel=1e-14)
    assert yes == pytest.approx(float(prod([F(2, 9), F(3, 9), F(3, 9), F(3, 9), F(9, 14)])), rel=1e-14)
    assert nb.predict(new_day).tolist() == ["No"]


def test_play_tennis_under_the_maximum_likelihood_hypothesis(tennis: pd.DataFrame, new_day: pd.DataFrame) -> None:
    nb = NaiveBayes(smoothing="none", prior="uniform").fit(tennis, "play")
    no, yes = (float(prod(f)) for f in ([F(3, 5), F(1, 5), F(4, 5), F(3, 5)], [F(2, 9), F(3, 9), F(3, 9), F(3, 9)]))
    np.testing.assert_allclose(nb.predict_proba(new_day), [[no / (no + yes), yes / (no + yes)]])


def test_mammals() -> None:
    animals = frame(ANIMALS, ["name", "birth", "fly", "water", "legs", "class"]).drop(columns="name")
    nb = NaiveBayes(smoothing="none").fit(animals, "class")
    new = pd.DataFrame([["yes", "no", "yes", "no"]], columns=["birth", "fly", "water", "legs"])
    mammal, other = np.exp(nb.predict_joint_log_proba(new))[0]
    assert f"{mammal:.3f}" == "0.021"
    assert f"{other:.4f}" == "0.0027"
    assert mammal == pytest.approx(float(F(6, 7) * F(6, 7) * F(2, 7) * F(2, 7) * F(7, 20)), rel=1e-14)
    assert other == pytest.approx(float(F(1, 13) * F(10, 13) * F(3, 13) * F(4, 13) * F(13, 20)), rel=1e-14)
    assert nb.predict(new).tolist() == ["mammals"]


def test_meningitis() -> None:
    # of 1,000,000 patients 20 have meningitis, 10 of them a stiff neck; 50,000 have a stiff neck in all
    table = pd.DataFrame({"neck": ["stiff", "fine", "stiff", "fine"], "ill": [True, True, False, False]})
    weight = np.array([10, 10, 49_990, 949_990])
    nb = NaiveBayes(smoothing="none").fit(table, "ill", sample_weight=weight)
    p = nb.predict_proba(pd.DataFrame({"neck": ["stiff"]}))[0]
    assert p[1] == pytest.approx(0.0002, rel=1e-12)
    assert nb.classes_.tolist() == [False, True]


SMALL = pd.DataFrame(
    {"colour": ["red", "red", "blue", "green", "blue"], "wheels": ["two", "four", "four", "four", "two"]},
)
CLASSES = ["bike", "car", "car", "car", "bike"]


def by_hand(a: dict[str, F], s: F) -> dict[str, F]:
    """Return P(c) P(red | c) P(two | c) from pseudo-counts a_c and s: N = 2 bikes and 3 cars, #A = 3 and 2."""
    n = {"bike": F(2), "car": F(3)}
    red, two = {"bike": F(1), "car": F(1)}, {"bike": F(2), "car": F(0)}
    whole = sum(n[c] + a[c] for c in n)
    return {c: (n[c] + a[c]) / whole * (red[c] + s) / (n[c] + 3 * s) * (two[c] + s) / (n[c] + 2 * s) for c in n}


@pytest.mark.parametrize(
    ("nb", "a", "s"),
    [
        (FrequencyNB(), F(0), F(0)),
        (LaplaceNB(), F(1), F(1)),  # uniform hyperparameters
        (IndifferentNB(), F(1) + 2 + 1, F(1)),  # 1 + (3 − 1) + (2 − 1)
    ],
    ids=str,
)
def test_small_table_by_hand(nb: NaiveBayes, a: F, s: F) -> None:
    nb.fit(SMALL, CLASSES)
    row = pd.DataFrame({"colour": ["red"], "wheels": ["two"]})
    hand = by_hand({"bike": a, "car": a}, s)
    np.testing.assert_allclose(
        np.exp(nb.predict_joint_log_proba(row))[0], [float(hand["bike"]), float(hand["car"])], rtol=1e-14
    )
    whole = sum(hand.values())
    np.testing.assert_allclose(nb.predict_proba(row)[0], [float(v / whole) for v in hand.values()], rtol=1e-14)


def test_costs_flip_a_decision(tennis: pd.DataFrame, new_day: pd.DataFrame) -> None:
    nb = NaiveBayes(smoothing="none").fit(tennis, "play")
    p = nb.predict_proba(new_day)
    assert nb.predict(new_day).tolist() == ["No"]
    nb.set_params(costs={"No": {"Yes": 5}, "Yes": {"No": 1}})  # staying at home on a good day costs five
    assert nb.predict(new_day).tolist() == ["Yes"]  # 5 · 0.205 > 1 · 0.795
    np.testing.assert_allclose(nb.predict_proba(new_day), p, rtol=1e-13)


def test_a_row_impossible_under_every_class() -> None:
    X = pd.DataFrame({"a": ["x", "x", "y"], "b": ["u", "u", "v"]})
    row = pd.DataFrame({"a": ["x"], "b": ["v"]})
    nb = NaiveBayes(smoothing="none").fit(X, ["p", "p", "q"])
    assert nb.impossible(row).tolist() == [True]
    assert nb.impossible(X).tolist() == [False] * 3
    np.testing.assert_array_equal(nb.predict_joint_log_proba(row), [[-np.inf, -np.inf]])
    np.testing.assert_allclose(nb.predict_proba(row), [[2 / 3, 1 / 3]])  # the prior
    assert nb.predict(row).tolist() == ["p"]
    robust = RobustNB().fit(X, ["p", "p", "q"])  # one zero each: 1 / (2/3) < 1 / (1/3)
    np.testing.assert_array_equal(robust.predict_proba(row), [[1, 0]])
    assert robust.impossible(row).tolist() == [True]  # of the product, whatever the combination
