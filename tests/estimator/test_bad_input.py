"""Bad input works or is a ValueError or TypeError that says what and where; a failure changes nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from tests import laws

from candide import NaiveBayes, presets

PRESETS = [NaiveBayes, *(getattr(presets, name) for name in presets.__all__)]


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.zeros((0, 2)), r"0 sample\(s\)"),
        (np.zeros((2, 0)), r"0 feature\(s\) \(shape=\(2, 0\)\) while a minimum of 1 is required"),
        (pd.DataFrame({"a": []}), r"0 sample\(s\)"),
        (pd.DataFrame(index=[0, 1]), r"0 feature\(s\)"),
        (pl.DataFrame(), r"0 (sample|feature)"),
        (sparse.csr_array((0, 3)), r"0 sample\(s\)"),
        ([], "2D|0 sample|Expected"),
        (np.zeros(3), "Expected 2D array, got 1D array"),
        (np.zeros((2, 2, 2)), "dim 3"),
        (5, "2D|scalar"),
        (None, "2D|None|scalar"),
        ("text", "."),
    ],
    ids=str,
)
def test_empty_tables_and_things_that_are_no_table(X: object, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        NaiveBayes().fit(X, [0, 1][: X.shape[0] if hasattr(X, "shape") and X.shape else 2])
    nb = NaiveBayes().fit([[1.0, 2.0], [2.0, 3.0]], [0, 1])
    with pytest.raises((ValueError, TypeError)):
        nb.predict(X)


@pytest.mark.parametrize("make", PRESETS)
def test_one_class(make: type[NaiveBayes]) -> None:
    X = np.array([[1.0, 0.0], [2.0, 1.0], [3.0, 5.0]])
    nb = make().fit(X, ["only"] * 3)
    np.testing.assert_array_equal(nb.predict_proba([[1.0, 0.0], [99.0, -5.0], [np.nan, np.nan]]), 1.0)
    assert nb.predict(X).tolist() == ["only"] * 3


@pytest.mark.parametrize("make", PRESETS)
@pytest.mark.parametrize("rule", [None, "normal", "gamma", "poisson", "categorical", "multinomial"])
def test_one_row(make: type[NaiveBayes], rule: str | None) -> None:
    if rule in ("normal", "gamma", "poisson", "multinomial") and make in (presets.RobustNB, presets.SummationNB):
        return
    nb = make(**({} if rule is None else {"distributions": rule})).fit([[1.0, 2.0]], ["a"])
    laws.probabilities(nb, [[1.0, 2.0], [3.0, 4.0], [np.nan, np.nan]])
    laws.probabilities(nb.partial_fit([[3.0, 5.0]], ["b"]), [[1.0, 2.0], [3.0, 4.0]])


@pytest.mark.parametrize("weight", [np.zeros(3), [0, 0, 0], 0])
def test_all_weights_zero(weight: object) -> None:
    with pytest.raises(ValueError, match="at least one non-zero"):
        NaiveBayes().fit(np.ones((3, 1)), [0, 1, 0], sample_weight=weight)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1, -2, 1], "Negative values.*-2 in row 1"),
        ([1, np.nan, 1], "NaN or infinity.*row 1"),
        ([1, np.inf, 1], "NaN or infinity.*row 1"),
        ([1, 1], r"sample_weight.shape == \(2,\), expected \(3,\)"),
        (np.ones((3, 1)), "1D array"),
        (["a", "b", "c"], "."),
    ],
    ids=str,
)
def test_bad_weights(weight: object, message: str) -> None:
    for call in ("fit", "partial_fit"):
        with pytest.raises((ValueError, TypeError), match=message):
            getattr(NaiveBayes(), call)(np.ones((3, 1)), [0, 1, 0], sample_weight=weight)


@pytest.mark.parametrize(
    "rule",
    [
        "auto",
        "normal",
        "gamma",
        "poisson",
        "exponential",
        "lognormal",
        "bins",
        "categorical",
        "student",
        "kde",
        "mixture",
    ],
)
def test_constant_columns(rule: str) -> None:
    X = np.column_stack([np.full(20, 3.0), np.arange(20.0) + 1])
    y = np.arange(20) // 10
    nb = NaiveBayes(distributions=rule).fit(X, y)
    laws.probabilities(nb, np.vstack([X, [[7.0, 3.0], [np.nan, 2.0]]]))
    if rule != "categorical":
        alone = NaiveBayes(distributions=rule).fit(X[:, 1:], y)
        np.testing.assert_allclose(nb.predict_proba(X), alone.predict_proba(X[:, 1:]), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    "rule",
    [
        "auto",
        "normal",
        "gamma",
        "poisson",
        "bins",
        "categorical",
        "multinomial",
        "bernoulli",
        "student",
        "kde",
        "mixture",
    ],
)
@pytest.mark.parametrize("missing", ["ignore", "level"])
def test_all_missing_columns(rule: str, missing: str) -> None:
    X = np.column_stack([np.full(12, np.nan), np.arange(12) % 2 * 1.0])
    if rule == "gamma":
        X += 1
    y = np.arange(12) // 6
    nb = NaiveBayes(distributions=rule, missing=missing).fit(X, y)
    laws.probabilities(nb, np.vstack([X, [[5.0, 1.0]]]))
    assert np.isfinite(nb.leave_one_out(X, y)).any()
    frame = pd.DataFrame({"a": [None] * 12, "b": X[:, 1]})
    laws.probabilities(NaiveBayes(missing=missing).fit(frame, y), frame)


def test_everything_missing() -> None:
    X = pd.DataFrame({"a": [None, None], "b": [np.nan, np.nan]})
    nb = NaiveBayes().fit(X, ["p", "q"])
    np.testing.assert_allclose(nb.predict_proba(X), 0.5)
    np.testing.assert_allclose(nb.predict_proba(pd.DataFrame({"a": ["new"], "b": [1.0]})), 0.5)
    more = pd.DataFrame({"a": ["x", "y"], "b": [1.0, 2.0]})
    nb.partial_fit(more, ["p", "q"])  # what the columns are is told by the first cell that is known
    both = NaiveBayes().fit(pd.concat([X.astype(object), more]).astype({"b": float}), ["p", "q", "p", "q"])
    laws.same_model(nb, both, more)
    laws.same_model(NaiveBayes().fit(X, ["p", "q"]) + NaiveBayes().fit(more, ["p", "q"]), both, more)
    laws.same_model(NaiveBayes().fit(more, ["p", "q"]) + NaiveBayes().fit(X, ["p", "q"]), both, more)


def test_duplicate_column_names() -> None:
    with pytest.raises(ValueError, match="distinct; repeated: 'a'"):
        NaiveBayes().fit(pd.DataFrame(np.ones((2, 3)), columns=["a", "b", "a"]), [0, 1])


@pytest.mark.parametrize("n", [1, 3, 0])
def test_labels_and_rows_of_different_length(n: int) -> None:
    with pytest.raises(ValueError, match=r"(?i)(length|rows|samples|labels)"):
        NaiveBayes().fit(np.ones((2, 1)), list(range(n)))


@pytest.mark.parametrize("y", [None, [[0, 1], [1, 0]], [0.5, 1.5], [{}, []], [float("nan"), 1]], ids=str)
def test_labels_that_are_none(y: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        NaiveBayes().fit(np.ones((2, 1)), y)


def test_every_level_unseen() -> None:
    X = pd.DataFrame({"a": list("xyzx"), "b": list("uvuv")})
    nb = NaiveBayes().fit(X, list("pqpq"))
    np.testing.assert_allclose(nb.predict_proba(pd.DataFrame({"a": ["1", "2"], "b": ["3", "4"]})), 0.5)


def test_numbers_as_text_are_levels_and_numbers_where_numbers_were_text_an_error() -> None:
    text = pd.DataFrame({"a": ["1", "2", "1", "3"]})
    nb = NaiveBayes().fit(text, list("pqpq"))
    assert nb.schema_.columns[0].kind == "symbols"
    assert nb.predict(text).tolist() == list("pqpq")
    laws.probabilities(nb, pd.DataFrame({"a": [1, 2]}))  # the number 1 is not the text "1": an unseen level
    numbers = NaiveBayes().fit(pd.DataFrame({"a": [1.0, 2.0]}), [0, 1])
    with pytest.raises(TypeError, match=r"column 'a'.*'1' in row 0"):
        numbers.predict(text)
    with pytest.raises(TypeError, match="column 'a'"):
        numbers.partial_fit(text, [0, 1, 0, 1])


def test_mixed_types_in_one_column() -> None:
    X = pd.DataFrame({"a": pd.Series([1, "one", 2.5, True, None, "one"], dtype=object)})
    try:
        nb = NaiveBayes().fit(X, list("pqrspq"))
    except (TypeError, ValueError) as error:
        assert "column 'a'" in str(error)  # noqa: PT017  # either outcome is allowed, a bare error is not
    else:
        laws.probabilities(nb, X)


@pytest.mark.parametrize("rule", ["auto", "normal", "bins", "categorical", "poisson", "gamma", "multinomial"])
@pytest.mark.parametrize(
    "values",
    [[2**62, 2**62 + 512, 5, 7], [10**300, 1, 2, 3], [1e308, 1e-308, 1.0, 2.0], [1e200, 2e200, 3e200, 1e-200]],
    ids=str,
)
def test_huge_numbers(rule: str, values: list[float]) -> None:
    X = np.array(values, dtype=float)[:, None]
    if rule == "poisson":
        X = np.floor(X)
    try:
        nb = NaiveBayes(distributions=rule).fit(X, [0, 0, 1, 1])
    except (ValueError, TypeError) as error:
        assert "column 0" in str(error)  # noqa: PT017  # either outcome is allowed, a bare error is not
        return
    laws.probabilities(nb, np.vstack([X, [[0.5 if rule == "gamma" else 0.0]], [[1e300]]]))
    assert not np.isnan(nb.leave_one_out(X, [0, 0, 1, 1])).any()


def test_huge_python_integers() -> None:
    for column in ([2**70, 1, 2], pd.Series([2**70, 1, 2], dtype=object)):
        X = pd.DataFrame({"a": column})
        try:
            laws.probabilities(NaiveBayes().fit(X, [0, 1, 1]), X)
        except (ValueError, TypeError) as error:
            assert "a" in str(error)  # noqa: PT017  # either outcome is allowed, a bare error is not


# -- sizes -------------------------------------------------------------------------------------------------------------


def within(seconds: float, work: Callable[[], object]) -> None:
    start = time.perf_counter()
    work()
    assert time.perf_counter() - start < seconds


def test_a_hundred_thousand_levels() -> None:
    rng = np.random.default_rng(0)
    levels = np.array([f"level {i}" for i in range(100_000)], dtype=object)
    X = pd.DataFrame({"a": np.r_[levels, rng.choice(levels, 50_000)]})
    y = rng.integers(0, 3, len(X))

    def work() -> None:
        nb = NaiveBayes().fit(X, y)
        assert len(nb.schema_.columns[0].levels) == 100_000
        assert np.isfinite(nb.predict_proba(X[:1000])).all()
        nb.partial_fit(X[:10], y[:10])

    within(20, work)


@pytest.mark.parametrize("rule", ["categorical", "normal", "bins"])
def test_ten_thousand_columns(rule: str) -> None:
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 4, (100, 10_000)).astype(float), rng.integers(0, 3, 100)

    def work() -> None:
        nb = NaiveBayes(distributions=rule).fit(X, y)
        assert np.isfinite(nb.predict_proba(X)).all()
        nb.partial_fit(X[:5], y[:5])
        nb.predict(X[:5])

    within(25, work)


def test_a_thousand_classes() -> None:
    rng = np.random.default_rng(2)
    X = pd.DataFrame({"a": rng.choice(list("abcdef"), 5000), "x": rng.normal(size=5000), "z": rng.normal(size=5000)})
    y = np.arange(5000) % 1000

    def work() -> None:
        nb = NaiveBayes(distributions={"x": "normal", "z": "bins"}).fit(X, y)
        p = nb.predict_proba(X)
        assert p.shape == (5000, 1000)
        np.testing.assert_allclose(p.sum(axis=1), 1)

    within(20, work)


# -- a failure changes nothing -----------------------------------------------------------------------------------------

FRAME = pd.DataFrame({"k": ["u", "v", "u"], "x": [1.0, 2.0, 3.0], "g": [1.0, 2.0, 5.0]})
FAILURES: dict[str, tuple[pd.DataFrame, list[object], dict[str, object]]] = {
    "a column is missing": (FRAME[["k", "x"]], list("pqp"), {}),
    "a number outside the support": (FRAME.assign(g=[1.0, -1.0, 2.0]), list("pqp"), {}),
    "infinity": (FRAME.assign(x=[1.0, np.inf, 2.0]), list("pqp"), {}),
    "text for numbers": (FRAME.assign(x=["a", "b", "c"]), list("pqp"), {}),
    "labels of another type": (FRAME, [1, 2, 3], {}),
    "a missing label": (FRAME, ["p", None, "q"], {}),
    "too few labels": (FRAME, ["p", "q"], {}),
    "negative weights": (FRAME, list("pqp"), {"sample_weight": [1, 1, -1]}),
    "no weight": (FRAME, list("pqp"), {"sample_weight": [0, 0, 0]}),
    "no rows": (FRAME[:0], [], {}),
}


@pytest.mark.parametrize("name", FAILURES)
@pytest.mark.parametrize("call", ["partial_fit", "forget", "fit"])
def test_a_failure_leaves_the_model_as_it_was(name: str, call: str, tmp_path: Path) -> None:
    X, y, kwargs = FAILURES[name]
    if call == "fit" and name in ("labels of another type", "a column is missing"):
        return
    nb = NaiveBayes(distributions={"g": "gamma", "x": "normal"}).fit(FRAME, list("pqp"))
    nb.save(tmp_path / "before.json")
    state = vars(nb).copy()
    with pytest.raises((ValueError, TypeError)):
        getattr(nb, call)(X, y, **kwargs)
    nb.save(tmp_path / "after.json")
    assert (tmp_path / "before.json").read_bytes() == (tmp_path / "after.json").read_bytes()
    assert {k: v for k, v in vars(nb).items() if k != "_cache"} == {k: v for k, v in state.items() if k != "_cache"}
    nb.predict(FRAME)


def test_bad_classes_leave_the_model_as_it_was(tmp_path: Path) -> None:
    nb = NaiveBayes().partial_fit(FRAME, list("pqp"), classes=["p", "q"])
    nb.save(tmp_path / "before.json")
    with pytest.raises(ValueError, match="is not the same as on last call to partial_fit"):
        nb.partial_fit(FRAME, list("pqp"), classes=["p", "q", "r"])
    nb.save(tmp_path / "after.json")
    assert (tmp_path / "before.json").read_bytes() == (tmp_path / "after.json").read_bytes()


def test_a_first_partial_fit_that_fails_leaves_no_model() -> None:
    nb = NaiveBayes()
    with pytest.raises(ValueError, match="infinity"):
        nb.partial_fit(FRAME.assign(x=np.inf), list("pqp"))
    with pytest.raises(ValueError, match="not fitted"):
        nb.predict(FRAME)


@pytest.mark.parametrize(
    "method",
    [
        "predict",
        "predict_proba",
        "explain",
        "impossible",
        "sample",
        "predict_interval",
        "save",
        "leave_one_out",
        "forget",
    ],
)
def test_an_unfitted_model_says_so(method: str, tmp_path: Path) -> None:
    arguments = {
        "sample": [3],
        "save": [tmp_path / "m"],
        "leave_one_out": [FRAME, list("pqp")],
        "forget": [FRAME, list("pqp")],
    }
    with pytest.raises(ValueError, match="not fitted yet"):
        getattr(NaiveBayes(), method)(*arguments.get(method, [FRAME]))


@pytest.mark.parametrize("constant", [[3.0] * 6, [np.nan] * 6, [5e-324] * 6])
def test_a_column_that_says_nothing_says_nothing_of_huge_numbers_either(constant: list[float]) -> None:
    X, y = np.column_stack([constant, np.arange(6.0)]), [0, 0, 0, 1, 1, 1]
    alone = NaiveBayes(distributions="normal").fit(X[:, 1:], y).predict_proba([[1.0]])
    both = NaiveBayes(distributions="normal").fit(X, y).predict_proba([[1e300, 1.0]])
    np.testing.assert_allclose(both, alone)
