"""Statistics are values: zero, plus, minus, scaling and JSON."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from tests import laws

from candide import NaiveBayes
from candide.arithmetic import difference
from candide.statistics import Counts, Moments
from candide.statistics.forgetting import PrecisionWarning

counts = hnp.arrays(np.int64, (2, 3), elements=st.integers(0, 50)).map(Counts)
values = hnp.arrays(float, st.tuples(st.integers(0, 6), st.just(3)), elements=st.integers(-80, 80).map(lambda v: v / 8))
moments = values.map(Moments.of)


def same(a: object, b: object) -> None:
    laws.same_part(a, b)


def zero(a: object) -> object:
    return type(a).zero(*a.shape)


@pytest.mark.parametrize("some", [counts, moments], ids=["counts", "moments"])
def test_monoid(some: st.SearchStrategy) -> None:
    @given(some, some, some)
    def law(a: object, b: object, c: object) -> None:
        same(zero(a) + a, a)
        same(a + zero(a), a)
        same(a + b, b + a)
        same((a + b) + c, a + (b + c))
        same(a.scale(1), a)
        same(a.scale(3), a + a + a)
        same(a.scale(0.5) + a.scale(0.5), a)

    law()


@given(counts, counts)
def test_counts_subtract_exactly(a: Counts, b: Counts) -> None:
    np.testing.assert_array_equal((a + b - b).table, a.table)
    assert (a + b - b).table.dtype.kind == "i"
    np.testing.assert_array_equal(a.scale(0).table, 0)


@given(moments, moments)
def test_moments_subtract_to_rounding(a: Moments, b: Moments) -> None:
    laws.same_moments(a + b - b, a)


@given(values)
def test_moments_are_those_of_numpy(x: np.ndarray) -> None:
    m = Moments.of(x)
    assert (m.n == len(x)).all()
    if len(x):
        np.testing.assert_allclose(m.mean, x.mean(axis=0), atol=1e-14)
        np.testing.assert_allclose(m.var, x.var(axis=0), atol=1e-12)


@given(values, values)
def test_pooled_moments_are_those_of_the_rows_together(a: np.ndarray, b: np.ndarray) -> None:
    one, other = Moments.of(a), Moments.of(b)
    both = Moments(*(np.stack([getattr(one, k), getattr(other, k)]) for k in ("n", "mean", "m2")))
    laws.same_moments(both.pooled(), Moments.of(np.concatenate([a, b])))


def test_what_rounding_leaves_is_not_a_count() -> None:
    a = np.array([0.1 + 0.2, 1.0, 5.0])
    np.testing.assert_array_equal(difference(a, np.array([0.3, 1.0, 2.0])), [0.0, 0.0, 3.0])


def everything() -> tuple[pd.DataFrame, np.ndarray, dict[str, str]]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "c": rng.choice(np.array(["u", "v", None], dtype=object), 30),
            "k": rng.choice(np.array(["x", "y"], dtype=object), 30),
            "n": rng.normal(size=30),
            "g": rng.gamma(2, size=30),
            "b": rng.integers(0, 9, 30).astype(float),
            "m": rng.integers(0, 4, 30).astype(float),
            "h": rng.normal(size=30),
        }
    )
    return X, rng.choice(["p", "q"], 30), {"n": "normal", "g": "gamma", "m": "multinomial", "h": "normal"}


def test_unweighted_counts_are_integers_and_fractional_weights_are_not() -> None:
    X, y, rules = everything()
    nb = NaiveBayes(distributions=rules)
    assert nb.fit(X, y).class_counts_.dtype.kind == "i"
    assert nb.statistics_["moments"].n.dtype.kind == "i"
    assert nb.fit(X, y, np.full(30, 2)).class_counts_.dtype.kind == "i"
    assert nb.fit(X, y, np.full(30, 0.5)).class_counts_.tolist() == [(y == "p").sum() / 2, (y == "q").sum() / 2]


def test_forgetting_a_huge_outlier_warns_and_names_the_column() -> None:
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0, 1e12], "b": [1.0, 2.0, 3.0, 4.0]})
    y = ["p", "p", "p", "p"]
    nb = NaiveBayes(distributions="normal").fit(X, y)
    with pytest.warns(PrecisionWarning, match="variance of column 'a'"):
        nb.forget(X[3:], y[3:])


def test_forgetting_ordinary_rows_does_not_warn() -> None:
    X = pd.DataFrame({"a": [5.0, 5.0, 6.0, 0.0, 0.0], "b": [0.0, 0.0, 3.0, 1.0, 2.0]})
    NaiveBayes(distributions="normal").fit(X, ["p"] * 5).forget(X[2:], ["p"] * 3)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (pd.DataFrame({"a": ["x"], "b": [1.0], "n": [1.0]}), ["r"], "class 'r'"),
        (pd.DataFrame({"a": ["z"], "b": [1.0], "n": [1.0]}), ["p"], "'z' in column 'a'"),
        (pd.DataFrame({"a": ["x"], "b": [7.0], "n": [1.0]}), ["p"], "7.0 in column 'b'"),
        (pd.DataFrame({"a": ["y"], "b": [1.0], "n": [1.0]}), ["p"], "'y' in column 'a' for class 'p'"),
        (pd.DataFrame({"a": ["y"], "b": [1.0], "n": [1.0]}), ["q"], "1.0 in column 'b' for class 'q'"),
        (pd.DataFrame({"a": ["x"] * 3, "b": [1.0] * 3, "n": [1.0] * 3}), ["p"] * 3, "a row of class 'p' more often"),
        (
            pd.DataFrame({"a": [None], "b": [1.0], "n": [1.0]}),
            ["p"],
            "a missing cell in column 'a' for class 'p' more often",
        ),
    ],
)
def test_rows_never_learnt_cannot_be_forgotten(X: pd.DataFrame, y: list[str], message: str) -> None:
    table = pd.DataFrame({"a": ["x", "x", "y"], "b": [1.0, 1.0, 2.0], "n": [1.0, 2.0, 3.0]})
    nb = NaiveBayes(distributions={"n": "normal"}).fit(table, ["p", "p", "q"])
    before = laws.numbers(nb)
    with pytest.raises(ValueError, match=f"cannot forget.*{message}"):
        nb.forget(X, y)
    assert laws.numbers(nb) == before


def test_combinations_never_learnt_cannot_be_forgotten() -> None:
    table = pd.DataFrame({"a": ["x", "y"], "b": ["u", "v"]})
    nb = NaiveBayes(groups=[["a", "b"]]).fit(table, ["p", "p"])
    with pytest.raises(ValueError, match="cannot forget"):
        nb.forget(pd.DataFrame({"a": ["x"], "b": ["v"]}), ["p"])


def test_totals_never_learnt_cannot_be_forgotten() -> None:
    nb = NaiveBayes(distributions="multinomial").fit([[1.0, 2.0], [3.0, 4.0]], ["p", "q"])
    with pytest.raises(ValueError, match="cannot forget"):
        nb.forget([[2.0, 0.0]], ["p"])


def test_a_negative_or_infinite_factor_is_refused() -> None:
    nb = NaiveBayes().fit([[1.0], [2.0]], [0, 1])
    for factor in (-1, float("inf"), float("nan")):
        with pytest.raises(ValueError, match="not negative"):
            factor * nb


def test_only_models_add() -> None:
    nb = NaiveBayes().fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(TypeError):
        nb + 1
    with pytest.raises(TypeError, match="only a model can be merged"):
        nb.merge("model")
    with pytest.raises(TypeError):
        nb * "2"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"distributions": "normal"}, {"distributions": "gamma"}),
        ({"distributions": "normal"}, {"distributions": "bins"}),
        ({"distributions": "bins"}, {"distributions": "bins", "groups": [[0, 1]]}),
    ],
)
def test_models_that_keep_other_statistics_neither_add_nor_subtract(one: dict, other: dict) -> None:
    X, y = [[1.0, 2.0], [2.0, 3.0], [4.0, 1.0]], [0, 1, 1]
    a, b = NaiveBayes(**one).fit(X, y), NaiveBayes(**other).fit(X, y)
    for combine in (lambda: a + b, lambda: a - b, lambda: b - a):
        with pytest.raises(ValueError, match=r"is kept as|different groups"):
            combine()


def test_models_of_unlike_tables_do_not_add() -> None:
    a = NaiveBayes().fit(pd.DataFrame({"x": ["u"], "z": ["u"]}), ["p"])
    for other, message in (
        (pd.DataFrame({"x": ["u"], "y": ["u"]}), "'z', 'y'"),
        (pd.DataFrame({"x": ["u"], "z": [1.0]}), "column 'z' is kept as levels"),
    ):
        with pytest.raises(ValueError, match=message):
            a + NaiveBayes().fit(other, ["p"])
    with pytest.raises(TypeError, match="labels are of two types: 'p' and 1"):
        a + NaiveBayes().fit(pd.DataFrame({"x": ["u"], "z": ["u"]}), [1])


def test_counts_that_would_overflow_are_refused_and_the_state_stays():
    x, y = np.array([["a"], ["b"]]), [0, 1]
    heavy = NaiveBayes("categorical").fit(x, y, np.full(2, 2**51))
    half = heavy
    for _ in range(10):
        half = half + half
    with pytest.raises(ValueError, match=r"more than can be counted: scale them down"):
        half + half
    counts = half.class_counts_.tolist()
    with pytest.raises(ValueError, match=r"more than can be counted"):
        half.partial_fit(x, y, sample_weight=np.full(2, 2**52 - 1))
    assert half.class_counts_.tolist() == counts
    assert (0.5 * half + 0.5 * half).class_counts_.tolist() == counts
