"""Bad input works or is a ValueError or TypeError that says what and where; a failure changes nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from tests import laws
from tests.strategies import BY_MOMENTS, DENSITIES, KINDS, NAMED
from tests.strategies import PRESETS as SOME

from candide import NaiveBayes
from candide.combination import as_combination

PRESETS = [NaiveBayes, *SOME]


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.zeros((0, 2)), r"0 sample\(s\)"),
        (np.zeros((2, 0)), r"0 feature\(s\) \(shape=\(2, 0\)\) while a minimum of 1 is required"),
        (pd.DataFrame({"a": []}), r"0 sample\(s\)"),
        (pd.DataFrame(index=[0, 1]), r"0 feature\(s\)"),
        (pl.DataFrame(), r"0 sample\(s\)"),
        (sparse.csr_array((0, 3)), r"0 sample\(s\)"),
        ([], "Expected 2D array, got 1D array"),
        (np.zeros(3), "Expected 2D array, got 1D array"),
        (np.zeros((2, 2, 2)), "dim 3, while dim <= 2 is required"),
        (5, "Expected 2D array, got scalar array"),
        (None, "Expected 2D array, got scalar array"),
    ],
    ids=str,
)
def test_empty_tables_and_things_that_are_no_table(X: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        NaiveBayes().fit(X, [0, 1][: X.shape[0] if hasattr(X, "shape") and X.shape else 2])
    nb = NaiveBayes().fit([[1.0, 2.0], [2.0, 3.0]], [0, 1])
    if np.shape(X) in ((0,), (0, 2)):  # no rows, and no other columns than those that were learnt
        assert nb.predict(X).tolist() == []
        return
    with pytest.raises(ValueError, match=rf"{message}|is expecting 2 features"):
        nb.predict(X)


def test_text_is_the_path_of_a_file_whose_labels_are_a_column() -> None:
    with pytest.raises(TypeError, match="the labels of 'text' are one of its columns: give y as the name"):
        NaiveBayes().fit("text", [0, 1])


@pytest.mark.parametrize("make", PRESETS)
def test_one_class(make: type[NaiveBayes]) -> None:
    X = np.array([[1.0, 0.0], [2.0, 1.0], [3.0, 5.0]])
    nb = make().fit(X, ["only"] * 3)
    np.testing.assert_array_equal(nb.predict_proba([[1.0, 0.0], [99.0, -5.0], [np.nan, np.nan]]), 1.0)
    assert nb.predict(X).tolist() == ["only"] * 3


@pytest.mark.filterwarnings("ignore:the weights were settled")
def test_one_row_of_a_default() -> None:
    for make in PRESETS:
        one_row(make())


@pytest.mark.filterwarnings("ignore:the weights were settled")
@pytest.mark.parametrize(
    ("make", "rule"),
    [
        (make, rule)
        for make in PRESETS
        for rule in KINDS
        if NAMED[rule].discrete or not as_combination(make().combination).discrete
    ],
)
def test_one_row(make: type[NaiveBayes], rule: str) -> None:
    one_row(make(distributions=rule))


def one_row(nb: NaiveBayes) -> None:
    nb.fit([[1.0, 0.0 if nb.distributions == "bernoulli" else 2.0]], ["a"])
    laws.probabilities(nb, [[1.0, 2.0], [3.0, 4.0], [np.nan, np.nan]])
    laws.probabilities(nb.partial_fit([[1.0, 1.0]], ["b"]), [[1.0, 2.0], [3.0, 4.0]])


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
        (["1", "b", "c"], "sample_weight holds 'b' in row 1, which is not a number"),
        ([1e308, 1e308, 1.0], "sample_weight adds up to inf, more than can be counted"),
        ([2**62, 2**62, 2**62], r"sample_weight adds up to 1\.38351e\+19, more than can be counted"),
    ],
    ids=str,
)
def test_bad_weights(weight: object, message: str) -> None:
    for call in ("fit", "partial_fit"):
        with pytest.raises((ValueError, TypeError), match=message):
            getattr(NaiveBayes(), call)(np.ones((3, 1)), [0, 1, 0], sample_weight=weight)


@pytest.mark.parametrize("rule", ["auto", "bins", "categorical", *DENSITIES])
def test_constant_columns_say_nothing(rule: str) -> None:
    X = np.column_stack([np.full(20, 3.0), np.arange(20.0) + 1])
    y = np.arange(20) // 10
    nb = NaiveBayes(distributions=rule).fit(X, y)
    laws.probabilities(nb, np.vstack([X, [[7.0, 3.0], [np.nan, 2.0]]]))
    alone = NaiveBayes(distributions=rule).fit(X[:, 1:], y)
    np.testing.assert_allclose(nb.predict_proba(X), alone.predict_proba(X[:, 1:]), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("rule", ["auto", *KINDS])
@pytest.mark.parametrize("missing", ["ignore", "level"])
def test_all_missing_columns(rule: str, missing: str) -> None:
    X = np.column_stack([np.full(12, np.nan), np.arange(12) % 2 * 1.0])
    if rule in ("gamma", "lognormal"):
        X += 1
    y = np.arange(12) // 6
    nb = NaiveBayes(distributions=rule, missing=missing).fit(X, y)
    laws.probabilities(nb, np.vstack([X, [[5.0, 1.0]]]))
    np.testing.assert_allclose(np.exp(nb.leave_one_out(X, y)).sum(axis=1), 1.0)
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
    with pytest.raises(ValueError, match=rf"inconsistent numbers of samples: \[2, {n}\]"):
        NaiveBayes().fit(np.ones((2, 1)), list(range(n)))


@pytest.mark.parametrize(
    ("y", "error", "message"),
    [
        (None, ValueError, "requires y to be passed"),
        ([[0, 1], [1, 0]], ValueError, r"1d array, got an array of shape \(2, 2\)"),
        ([0.5, 1.5], ValueError, r"The label of row 0 is 0\.5; a classifier needs classes"),
        ([{}, []], TypeError, "the label of row 0 is a dict, which has no hash"),
        ([float("nan"), 1], ValueError, "The label of row 0 is missing"),
    ],
    ids=str,
)
def test_labels_that_are_none(y: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        NaiveBayes().fit(np.ones((2, 1)), y)


def test_every_level_unseen() -> None:
    X = pd.DataFrame({"a": list("xyzx"), "b": list("uvuv")})
    nb = NaiveBayes().fit(X, list("pqpq"))
    np.testing.assert_allclose(nb.predict_proba(pd.DataFrame({"a": ["1", "2"], "b": ["3", "4"]})), 0.5)


def test_few_numbers_as_text_are_levels_the_same_as_the_numbers_themselves() -> None:
    text = pd.DataFrame({"a": ["1", "2", "1", "3"]})
    nb = NaiveBayes().fit(text, list("pqpq"))
    assert nb.schema_.columns[0].kind == "symbols"
    assert nb.predict(text).tolist() == list("pqpq")
    np.testing.assert_array_equal(nb.predict_proba(pd.DataFrame({"a": [1, 2, 1, 3]})), nb.predict_proba(text))
    np.testing.assert_array_equal(nb.predict_proba(pd.DataFrame({"a": [1.0, 2.0, 1.0, 3.0]})), nb.predict_proba(text))
    numbers = NaiveBayes().fit(pd.DataFrame({"a": [1.0, 2.0, 1.0, 3.0]}), [0, 1, 0, 1])
    assert numbers.predict(text).tolist() == [0, 1, 0, 1]
    with pytest.raises(TypeError, match=r"column 'a'.*'one' in row 0"):
        numbers.predict(pd.DataFrame({"a": ["one", "2"]}))
    with pytest.raises(TypeError, match="column 'a'"):
        numbers.partial_fit(pd.DataFrame({"a": ["one", "2"]}), [0, 1])


def test_mixed_types_in_one_column() -> None:
    X = pd.DataFrame({"a": pd.Series([1, "one", 2.5, True, None, "one"], dtype=object)})
    with pytest.raises(TypeError, match="column 'a' mixes numbers and booleans: row 3 holds True"):
        NaiveBayes(reading="plain").fit(X, list("pqrspq"))
    assert NaiveBayes().fit(X, list("pqrspq")).schema_.columns[0].levels.tolist() == ["1", "2.5", "True", "one"]


HUGE = [[2**62, 2**62 + 512, 5, 7], [10**300, 1, 2, 3], [1e308, 1e-308, 1.0, 2.0], [1e200, 2e200, 3e200, 1e-200]]
NUMERIC = ["auto", *(name for name in KINDS if name not in ("bernoulli", "categorical"))]


@pytest.mark.parametrize("rule", ["categorical", *NUMERIC])
@pytest.mark.parametrize("values", HUGE, ids=lambda values: f"{values[0]:.0e}")
def test_huge_numbers_are_counted_and_refused_where_their_squares_overflow(rule: str, values: list[float]) -> None:
    X = np.array(values, dtype=float)[:, None]
    if rule == "poisson":
        X = np.floor(X)
    if rule in BY_MOMENTS and X.max() > 1e150:
        with pytest.raises(ValueError, match=r"column 0 holds numbers beyond 1e\+150, whose variance overflows"):
            NaiveBayes(distributions=rule).fit(X, [0, 0, 1, 1])
        X = np.maximum(np.minimum(X, 1e140), 0.0 if rule == "poisson" else 1e-140)
    nb = NaiveBayes(distributions=rule).fit(X, [0, 0, 1, 1])
    laws.probabilities(nb, np.vstack([X, [[0.5]], [[1e300]]]))
    assert not np.isnan(nb.leave_one_out(X, [0, 0, 1, 1])).any()


def test_huge_python_integers_are_numbers() -> None:
    for column in ([2**70, 1, 2], pd.Series([2**70, 1, 2], dtype=object)):
        X = pd.DataFrame({"a": column})
        nb = NaiveBayes().fit(X, [0, 1, 1])
        laws.probabilities(nb, X)
        assert nb.schema_.columns[0].levels.tolist() == [1.0, 2.0, 2.0**70]


# -- sizes -------------------------------------------------------------------------------------------------------------


def test_a_hundred_thousand_levels() -> None:
    rng = np.random.default_rng(0)
    levels = np.array([f"level {i}" for i in range(100_000)], dtype=object)
    X = pd.DataFrame({"a": np.r_[levels, rng.choice(levels, 50_000)]})
    y = rng.integers(0, 3, len(X))

    nb = NaiveBayes().fit(X, y)
    assert len(nb.schema_.columns[0].levels) == 100_000
    laws.probabilities(nb, X[:1000])
    nb.partial_fit(X[:10], y[:10])
    assert nb.statistics_["cells"].table.sum() == len(X) + 10


@pytest.mark.parametrize("rule", ["categorical", "normal", "bins"])
def test_ten_thousand_columns(rule: str) -> None:
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 4, (100, 10_000)).astype(float), rng.integers(0, 3, 100)

    nb = NaiveBayes(distributions=rule).fit(X, y)
    laws.probabilities(nb, X)
    nb.partial_fit(X[:5], y[:5])
    assert nb.predict(X[:5]).tolist() == y[:5].tolist()


def test_a_thousand_classes() -> None:
    rng = np.random.default_rng(2)
    X = pd.DataFrame({"a": rng.choice(list("abcdef"), 5000), "x": rng.normal(size=5000), "z": rng.normal(size=5000)})
    y = np.arange(5000) % 1000

    nb = NaiveBayes(distributions={"x": "normal", "z": "bins"}).fit(X, y)
    assert laws.probabilities(nb, X).shape == (5000, 1000)


# -- a failure changes nothing -----------------------------------------------------------------------------------------

FRAME = pd.DataFrame({"k": ["u", "v", "u"], "x": [1.0, 2.0, 3.0], "g": [1.0, 2.0, 5.0]})
FAILURES: dict[str, tuple[pd.DataFrame, list[object], dict[str, object], str]] = {
    "a column is missing": (FRAME[["k", "x"]], list("pqp"), {}, "'g'|- g"),
    "a number outside the support": (FRAME.assign(g=[1.0, -1.0, 2.0]), list("pqp"), {}, "column 'g', row 1: -1"),
    "infinity": (FRAME.assign(x=[1.0, np.inf, 2.0]), list("pqp"), {}, "column 'x', row 1"),
    "text for numbers": (FRAME.assign(x=["a", "b", "c"]), list("pqp"), {}, "column 'x'.*'a' in row 0"),
    "labels of another type": (FRAME, [1, 2, 3], {}, "two types: 'p' and 1|cannot forget class 1"),
    "a missing label": (FRAME, ["p", None, "q"], {}, "label of row 1 is missing"),
    "too few labels": (FRAME, ["p", "q"], {}, r"inconsistent numbers of samples: \[3, 2\]"),
    "negative weights": (FRAME, list("pqp"), {"sample_weight": [1, 1, -1]}, "-1 in row 2"),
    "no weight": (FRAME, list("pqp"), {"sample_weight": [0, 0, 0]}, "at least one non-zero number"),
    "no rows": (FRAME[:0], [], {}, r"0 sample\(s\)"),
}
CALLS = [(call, name) for call in ("partial_fit", "forget", "fit") for name in FAILURES]


@pytest.mark.parametrize(("call", "name"), [c for c in CALLS if c != ("fit", "labels of another type")])
def test_a_failure_leaves_the_model_as_it_was(call: str, name: str, tmp_path: Path) -> None:
    X, y, kwargs, message = FAILURES[name]
    nb = NaiveBayes(distributions={"g": "gamma", "x": "normal"}).fit(FRAME, list("pqp"))
    nb.save(tmp_path / "before.json")
    before = vars(nb).copy()
    with pytest.raises((ValueError, TypeError), match=message):
        getattr(nb, call)(X, y, **kwargs)
    assert vars(nb) == before
    nb.save(tmp_path / "after.json")
    assert (tmp_path / "before.json").read_bytes() == (tmp_path / "after.json").read_bytes()
    assert nb.predict(FRAME).tolist() == list("pqp")


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
