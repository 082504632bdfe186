"""The classifier's contract: any table, names, missing and unseen cells, labels, schemas."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from tests import laws

from candide import NaiveBayes
from candide.discretizers import EqualWidth
from candide.distributions import Bins, Categorical

N = 60
RNG = np.random.default_rng(0)
Y = RNG.choice(["bike", "car", "truck"], N)
COLUMNS = {
    "wheels": RNG.choice([2, 4, 6], N),
    "weight": RNG.gamma(2, size=N).round(2),
    "energy": RNG.choice(["petrol", "diesel"], N).astype(object),
    "radio": RNG.random(N) < 0.5,
}
COLUMNS["energy"][::7] = None
COLUMNS["weight"][::5] = np.nan
PANDAS = pd.DataFrame(COLUMNS)
RULES = {"distributions": {"weight": "normal", "wheels": "categorical"}}


def frames() -> dict[str, object]:
    lists = {k: [None if v is None or v != v else v for v in c.tolist()] for k, c in COLUMNS.items()}
    return {
        "object": pd.DataFrame({k: pd.Series(v, dtype=object) for k, v in lists.items()}).astype(
            {"weight": float, "wheels": int}
        ),
        "nullable": PANDAS.convert_dtypes(),
        "arrow-backed": PANDAS.convert_dtypes(dtype_backend="pyarrow"),
        "string dtype": PANDAS.astype({"energy": "string"}),
        "polars": pl.DataFrame(lists),
        "polars lazy": pl.DataFrame(lists).lazy(),
        "pyarrow": pa.table(lists),
    }


def test_an_array_of_objects_gives_the_same_model_by_position() -> None:
    frame = np.array(pd.DataFrame(frames()["object"]).astype(object))
    nb = NaiveBayes(distributions={1: "normal", 0: "categorical"}).fit(frame, Y)
    wanted = NaiveBayes(**RULES).fit(PANDAS, Y)
    np.testing.assert_allclose(nb.predict_joint_log_proba(frame), wanted.predict_joint_log_proba(PANDAS), rtol=1e-12)


@pytest.mark.parametrize("name", frames())
def test_every_frame_gives_the_same_model(name: str) -> None:
    wanted = NaiveBayes(**RULES).fit(PANDAS, Y)
    frame = frames()[name]
    nb = NaiveBayes(**RULES).fit(frame, Y)
    assert nb.feature_names_in_.tolist() == list(COLUMNS)
    laws.same_model(nb, wanted, PANDAS)
    np.testing.assert_allclose(nb.predict_proba(frame), wanted.predict_proba(PANDAS), rtol=1e-12)


@pytest.mark.parametrize("first", ["polars", "pyarrow", "nullable"])
def test_models_learn_from_one_kind_of_frame_and_predict_on_another(first: str) -> None:
    half = frames()[first][:30] if first != "pyarrow" else frames()[first].slice(0, 30)
    nb = NaiveBayes(**RULES).fit(half, Y[:30]).partial_fit(PANDAS[30:], Y[30:])
    laws.same_model(nb, NaiveBayes(**RULES).fit(PANDAS, Y), PANDAS)


@pytest.mark.parametrize("kind", ["bins", "normal", "multinomial", "bernoulli", "categorical", "poisson"])
@pytest.mark.parametrize(
    "make", [sparse.csr_matrix, sparse.csc_array, sparse.coo_array, sparse.csr_array], ids=lambda m: m.__name__
)
def test_sparse_is_dense(kind: str, make: type) -> None:
    X = RNG.poisson(0.5, (N, 6)).astype(float)
    if kind == "bernoulli":
        X = (X > 0).astype(float)
    a, b = (NaiveBayes(distributions=kind).fit(m, Y) for m in (X, make(X)))
    np.testing.assert_allclose(a.predict_joint_log_proba(X), b.predict_joint_log_proba(make(X)), rtol=1e-10)
    np.testing.assert_allclose(b.predict_joint_log_proba(X), b.predict_joint_log_proba(make(X)), rtol=1e-10)
    np.testing.assert_allclose(a.leave_one_out(X, Y), b.leave_one_out(make(X), Y), rtol=1e-8, atol=1e-10)
    mixed = {0: kind, 1: "normal", 2: kind}
    a, b = (NaiveBayes(distributions=mixed).fit(m, Y) for m in (X, make(X)))
    np.testing.assert_allclose(a.predict_joint_log_proba(X), b.predict_joint_log_proba(make(X)), rtol=1e-10)


@pytest.mark.parametrize("kind", ["bins", "normal", "multinomial", "bernoulli", "poisson"])
def test_missing_cells_of_a_sparse_table_say_nothing(kind: str) -> None:
    X = (RNG.poisson(0.5, (N, 5)) > 0).astype(float)
    X[RNG.random(X.shape) < 0.1] = np.nan
    a, b = (NaiveBayes(distributions=kind).fit(m, Y) for m in (X, sparse.csr_array(X)))
    laws.same_model(a, b, X)
    np.testing.assert_allclose(a.predict_joint_log_proba(X), b.predict_joint_log_proba(sparse.csr_array(X)), rtol=1e-10)
    assert np.isfinite(b.predict_proba(sparse.csr_array(X))).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int8, np.int64, np.uint16, ">f8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_any_type_and_order_even_read_only(dtype: object, order: str) -> None:
    X = np.asarray(RNG.integers(0, 9, (N, 3)), dtype=dtype, order=order)
    X.flags.writeable = False
    wanted = NaiveBayes(distributions="normal").fit(X.astype(float), Y).predict_joint_log_proba(X.astype(float))
    np.testing.assert_allclose(
        NaiveBayes(distributions="normal").fit(X, Y).predict_joint_log_proba(X), wanted, rtol=1e-10
    )
    assert np.isfinite(NaiveBayes().fit(X[::2], Y[::2]).predict_proba(X[:, ::1])).all()


def test_kinds_of_columns() -> None:
    X = PANDAS.assign(
        day=pd.to_datetime("2024-01-01") + pd.to_timedelta(np.arange(N), unit="D"),
        size=pd.Categorical(["S"] * N, categories=["S", "L"]),
    )
    schema = NaiveBayes().fit(X, Y).schema_
    kinds = {c.name: c.kind for c in schema.columns}
    assert kinds == {
        "wheels": "numbers",
        "weight": "numbers",
        "energy": "symbols",
        "radio": "symbols",
        "day": "numbers",
        "day.month": "numbers",
        "day.weekday": "numbers",
        "size": "symbols",
    }
    assert schema.columns[-1].levels.tolist() == ["S", "L"]
    assert schema.columns[-1].declared == 2
    said = NaiveBayes(distributions={"wheels": "categorical", "radio": "bernoulli"}).fit(X, Y).schema_
    assert {c.name: c.kind for c in said.columns} == kinds | {"wheels": "symbols", "radio": "numbers"}


def test_a_numeric_rule_for_all_applies_to_the_numeric_columns() -> None:
    choices = NaiveBayes(distributions=Bins(EqualWidth(4))).fit(PANDAS, Y).schema_.choices
    assert [type(c).__name__ for c in choices] == ["Bins", "Bins", "Categorical", "Categorical"]


def test_columns_not_named_stay_automatic_and_strange_names_are_errors() -> None:
    auto, some = NaiveBayes().fit(PANDAS, Y), NaiveBayes(distributions={"weight": "auto"}).fit(PANDAS, Y)
    laws.same_model(auto, some, PANDAS)
    with pytest.raises(ValueError, match=r"distributions: there is no column 'hight'; did you mean 'weight'\?"):
        NaiveBayes(distributions={"hight": "normal"}).fit(PANDAS, Y)
    with pytest.raises(ValueError, match="distributions='gauss' is not known; known are 'categorical'"):
        NaiveBayes(distributions="gauss").fit(PANDAS, Y)
    with pytest.raises(TypeError, match=r"column 'energy'.*'(petrol|diesel)'"):
        NaiveBayes(distributions={"energy": "normal"}).fit(PANDAS, Y)


# -- the target --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make", [lambda f: f, pl.from_pandas, pa.Table.from_pandas], ids=["pandas", "polars", "pyarrow"]
)
def test_the_target_may_be_a_column_of_the_frame(make: object) -> None:
    whole = make(PANDAS.assign(kind=Y))
    nb = NaiveBayes(**RULES).fit(whole, "kind")
    laws.same_model(nb, NaiveBayes(**RULES).fit(PANDAS, Y), PANDAS)
    assert nb.predict(whole).tolist() == nb.predict(PANDAS).tolist()  # the target is left aside
    assert nb.score(whole, "kind") == nb.score(PANDAS, Y)
    nb.partial_fit(whole, "kind").forget(PANDAS, Y)
    assert nb.leave_one_out(whole, "kind").shape == (N, 3)
    assert len(nb.explain(whole)) == N
    assert "kind" not in nb.feature_names_in_


def test_a_target_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ValueError, match="X has no column 'kind'"):
        NaiveBayes().fit(PANDAS, "kind")
    with pytest.raises(ValueError, match="X has no column 'kind'"):
        NaiveBayes().fit(np.zeros((2, 2)), "kind")
    with pytest.raises(ValueError, match="no column besides the target"):
        NaiveBayes().fit(pd.DataFrame({"kind": Y}), "kind")


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_a_missing_label_is_an_error_that_says_where(missing: object) -> None:
    y = Y.astype(object)
    y[4] = missing
    with pytest.raises(ValueError, match="row 4"):
        NaiveBayes().fit(PANDAS, y)
    with pytest.raises(ValueError, match="row 4"):
        NaiveBayes().fit(PANDAS.assign(kind=y), "kind")


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        (["b", "a"], "U"),
        ([2, 1], "i"),
        ([True, False], "b"),
        (pd.Categorical(["b", "a"]), "U"),
        (pd.Series(["b", "a"], dtype="string"), "U"),
        (pl.Series([2, 1]), "i"),
    ],
    ids=str,
)
def test_labels_of_one_type_come_back_as_they_are(labels: object, kind: str) -> None:
    nb = NaiveBayes().fit(pd.DataFrame({"x": ["u", "v"]}), labels)
    assert nb.classes_.tolist() == sorted(labels)
    assert nb.predict(pd.DataFrame({"x": ["u", "v"]})).tolist() == list(labels)
    assert nb.classes_.dtype.kind in (kind, "O")


def test_labels_of_two_types_are_an_error() -> None:
    with pytest.raises((TypeError, ValueError), match=r"type"):
        NaiveBayes(reading="plain").fit([[1.0], [2.0]], np.array(["a", 1], dtype=object))
    with pytest.raises(TypeError, match="two types"):
        NaiveBayes().fit([[1.0], [2.0]], ["a", "b"]).partial_fit([[1.0]], [1])


# -- names -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (PANDAS.drop(columns="radio"), "yet now missing:\n- radio"),
        (PANDAS.assign(colour="red"), "unseen at fit time:\n- colour"),
        (PANDAS[["weight", "wheels", "energy", "radio"]], "same order"),
        (PANDAS.rename(columns={"radio": "tape"}), "unseen at fit time:\n- tape"),
    ],
)
def test_columns_are_checked_by_name(frame: pd.DataFrame, message: str) -> None:
    nb = NaiveBayes().fit(PANDAS, Y)
    for call in (nb.predict, nb.predict_proba, nb.explain, nb.impossible, nb.predict_interval):
        with pytest.raises(ValueError, match=message):
            call(frame)
    with pytest.raises(ValueError, match=message):
        nb.partial_fit(frame, Y)
    with pytest.raises(ValueError, match=message):
        nb.forget(frame, Y)


def test_arrays_without_names_warn_and_wrong_widths_are_errors() -> None:
    nb = NaiveBayes().fit(PANDAS[["wheels", "weight"]], Y)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        nb.predict(PANDAS[["wheels", "weight"]].to_numpy())
    with pytest.raises(ValueError, match="X has 1 features, but NaiveBayes is expecting 2 features"):
        NaiveBayes().fit(np.ones((2, 2)), [0, 1]).predict(np.ones((2, 1)))


def test_names_in_a_frame_must_be_distinct_text() -> None:
    with pytest.raises(ValueError, match="distinct; repeated: 'a'"):
        NaiveBayes().fit(pd.DataFrame([[1, 2]], columns=["a", "a"]), [0])
    with pytest.raises(TypeError, match="string names"):
        NaiveBayes().fit(pd.DataFrame([[1, 2]], columns=["a", 1]), [0])


# -- missing and unseen ------------------------------------------------------------------------------------------------

NULLS = {
    "nan": pd.DataFrame({"k": [np.nan], "x": [np.nan]}).astype({"k": object}),
    "none": pd.DataFrame({"k": [None], "x": [None]}, dtype=object),
    "NA": pd.DataFrame({"k": pd.array([pd.NA], dtype="string"), "x": pd.array([pd.NA], dtype="Float64")}),
    "polars": pl.DataFrame({"k": [None], "x": [None]}, schema={"k": pl.String, "x": pl.Float64}),
    "arrow": pa.table({"k": pa.array([None], pa.string()), "x": pa.array([None], pa.float64())}),
    "arrow nulls": pa.table({"k": pa.nulls(1), "x": pa.nulls(1)}),
}


@pytest.mark.parametrize("name", NULLS)
@pytest.mark.parametrize("rule", ["normal", "bins"])
def test_a_row_with_every_cell_missing_gets_the_prior(name: str, rule: str) -> None:
    X = pd.DataFrame({"k": ["u", "v", None, "u"], "x": [1.0, np.nan, 3.0, 2.0]})
    nb = NaiveBayes(distributions={"x": rule}).fit(X, list("ppqq"))
    np.testing.assert_allclose(nb.predict_proba(NULLS[name]), [[0.5, 0.5]])


def test_missing_times() -> None:
    days = pd.to_datetime(pd.Series(["2024-01-01", None, "2024-06-01", "2024-06-02"]))
    nb = NaiveBayes(distributions={"t": "normal"}).fit(pd.DataFrame({"t": days}), list("ppqq"))
    np.testing.assert_allclose(nb.predict_proba(pd.DataFrame({"t": pd.to_datetime(pd.Series([None]))})), [[0.5, 0.5]])
    assert nb.predict(pd.DataFrame({"t": pd.to_datetime(pd.Series(["2024-06-05"]))})).tolist() == ["q"]


def test_missing_cells_leave_the_denominator() -> None:
    nb = NaiveBayes(smoothing="none").fit(pd.DataFrame({"k": ["u", None, "v", "u"]}), list("pppq"))
    block, i = nb.model_.attributes[0]
    np.testing.assert_allclose(block.describe(i)["u"], [1 / 2, 1])


def test_missing_as_a_level() -> None:
    X = pd.DataFrame({"k": ["u", None, "v", "u"], "x": [1.0, 2.0, np.nan, 4.0]})
    y = list("pppq")
    nb = NaiveBayes(missing="level", distributions={"x": "equal-width(2)"}).fit(X, y)
    block, i = nb.model_.attributes[0]
    np.testing.assert_allclose(block.describe(i)["(missing)"], [(1 + 1) / (3 + 3), (0 + 1) / (1 + 3)])
    ignore = NaiveBayes(distributions={"x": "equal-width(2)"}).fit(X, y)
    nothing = pd.DataFrame({"k": [None], "x": [1.0]})
    assert not np.allclose(nb.predict_proba(nothing), ignore.predict_proba(nothing))
    never = NaiveBayes(missing="level").fit(
        X[["x"]].fillna(0), y
    )  # a column that never missed a cell has no such level
    np.testing.assert_allclose(never.predict_proba(pd.DataFrame({"x": [np.nan]})), [[4 / 6, 2 / 6]])


def test_a_level_called_like_the_missing_one_stays_apart() -> None:
    X = pd.DataFrame({"k": ["(missing)", None, "u", "u"]})
    nb = NaiveBayes(missing="level", smoothing="none").fit(X, list("pqrr"))
    assert nb.predict(X).tolist() == list("pqrr")


def test_a_density_where_missing_is_a_level() -> None:
    X = np.array([[1.0], [2.0], [np.nan], [np.nan], [1.5], [3.0]])
    y = list("ppqqqq")
    nb = NaiveBayes(distributions="normal", missing="level").fit(X, y)
    p, q = 3 / 8 * (0 + 1) / (2 + 2), 5 / 8 * (2 + 1) / (4 + 2)
    np.testing.assert_allclose(nb.predict_proba([[np.nan]]), [[p / (p + q), q / (p + q)]])


def test_an_unseen_level_says_nothing_or_is_an_error() -> None:
    X = pd.DataFrame({"k": ["u", "v", "u"], "m": ["s", "s", "t"]})
    nb = NaiveBayes().fit(X, list("ppq"))
    new = pd.DataFrame({"k": ["u", "w"], "m": ["s", "s"]})
    alone = NaiveBayes().fit(X[["m"]], list("ppq")).predict_proba(new[["m"]])
    np.testing.assert_allclose(nb.predict_proba(new)[1], alone[1])
    nb.set_params(unseen="error")
    for call in (nb.predict, nb.predict_proba, nb.predict_interval, nb.impossible, nb.explain):
        with pytest.raises(ValueError, match="column 'k', row 1: the level 'w' was never seen in training"):
            call(new)
    assert nb.predict(X).tolist()  # known levels and missing cells are fine
    nb.predict(pd.DataFrame({"k": [None], "m": [None]}))
    numbers = NaiveBayes(distributions="categorical", unseen="error").fit([[1.5], [2.0]], [0, 1])
    with pytest.raises(ValueError, match=r"column 0, row 0: the level 1\.0"):
        numbers.predict([[1.0]])


@pytest.mark.parametrize("rule", ["normal", "bins", "categorical", "gamma", "multinomial", "bernoulli"])
@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinity_is_an_error_that_says_where(rule: str, value: float) -> None:
    X = np.array([[1.0, 1.0], [1.0, 0.0 if rule != "gamma" else 1.0], [1.0, 1.0]])
    bad = X.copy()
    bad[2, 1] = value
    for make in (np.asarray, lambda a: pd.DataFrame(a, columns=["a", "b"]), sparse.csr_array):
        name = "'b'" if isinstance(make(X), pd.DataFrame) else "1"
        message = rf"column {name}(,| holds infinity in) row 2"
        with pytest.raises(ValueError, match=message):
            NaiveBayes(distributions=rule).fit(make(bad), [0, 1, 0])
        nb = NaiveBayes(distributions=rule).fit(make(X), [0, 1, 0])
        for call in (nb.predict, nb.explain):
            with pytest.raises(ValueError, match=message):
                call(make(bad))


# -- schemas -----------------------------------------------------------------------------------------------------------


def test_a_given_schema_keeps_levels_cuts_and_classes() -> None:
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"k": rng.choice(list("abc"), 50), "x": rng.normal(size=50)})
    y = rng.choice(["p", "q"], 50)
    first = NaiveBayes(distributions={"x": "equal-width(4)"}).fit(X, y)
    few = NaiveBayes(distributions={"x": "equal-width(4)"}, schema=first.schema_).fit(X[:3], y[:3])
    assert few.classes_.tolist() == ["p", "q"]
    assert few.schema_.columns[0].levels.tolist() == ["a", "b", "c"]
    assert few.schema_.choices == first.schema_.choices
    rest = NaiveBayes(distributions={"x": "equal-width(4)"}, schema=first.schema_).fit(X[3:], y[3:])
    np.testing.assert_allclose((few + rest).predict_proba(X), first.predict_proba(X), rtol=1e-12)
    laws.same_statistics(laws.learnt(few + rest), laws.learnt(rest + few))
    laws.same_schema(laws.learnt(first + few), laws.learnt(few + first))
    with pytest.raises(TypeError, match="schema takes another model's schema_"):
        NaiveBayes(schema="same").fit(X, y)
    with pytest.raises(ValueError, match="same columns"):
        NaiveBayes(schema=first.schema_).fit(X[["k"]], y)


def test_a_given_schema_keeps_missing_as_a_level() -> None:
    X = pd.DataFrame({"k": ["a", None, "b", "a", "b", "b"], "x": [1.0, 2.0, np.nan, 4.0, 5.0, 6.0]})
    y = np.array(["p", "q", "q", "p", "p", "q"])
    rules: dict[str, object] = {"missing": "level", "distributions": {"x": "equal-width(2)"}}
    nb = NaiveBayes(**rules).fit(X, y)
    left_out = nb.leave_one_out(X, y)
    for i in range(len(X)):
        rest = np.arange(len(X)) != i
        again = NaiveBayes(**rules, schema=nb.schema_).fit(X[rest], y[rest])
        np.testing.assert_allclose(again.predict_log_proba(X[~rest])[0], left_out[i], rtol=1e-12)


@pytest.mark.parametrize("classes", [5, "pq"])
def test_classes_that_are_no_list_are_told(classes: Any) -> None:
    with pytest.raises(TypeError, match=f"classes={classes!r}: a list of all labels that may come"):
        NaiveBayes().partial_fit([[1.0]], ["p"], classes=classes)


def test_classes_declared_in_partial_fit_are_there_from_the_start() -> None:
    nb = NaiveBayes().partial_fit(pd.DataFrame({"k": ["u"]}), ["b"], classes=["a", "b", "c"])
    assert nb.classes_.tolist() == ["a", "b", "c"]
    np.testing.assert_allclose(nb.predict_proba(pd.DataFrame({"k": [None]})), [[1 / 4, 2 / 4, 1 / 4]])
    nb.partial_fit(pd.DataFrame({"k": ["v"]}), ["d"])  # a new class may come in any batch
    assert nb.classes_.tolist() == ["a", "b", "c", "d"]
    nb.forget(pd.DataFrame({"k": ["v"]}), ["d"]).forget(pd.DataFrame({"k": ["u"]}), ["b"])
    assert nb.classes_.tolist() == ["a", "b", "c"]  # what was declared stays


def test_the_domain_grows_with_later_batches_and_never_shrinks() -> None:
    nb = NaiveBayes(smoothing="laplace").fit(pd.DataFrame({"k": ["u", "v"]}), ["p", "q"])
    nb.partial_fit(pd.DataFrame({"k": ["w"]}), ["p"]).partial_fit(pd.DataFrame({"k": ["u"]}), ["q"])
    assert nb.schema_.columns[0].levels.tolist() == ["u", "v", "w"]


def test_fit_forgets_what_was_learnt_before() -> None:
    nb = NaiveBayes().fit(PANDAS, Y).fit(np.array([[1.0], [2.0]]), [0, 1])
    assert not hasattr(nb, "feature_names_in_")
    assert nb.n_features_in_ == 1
    assert nb.classes_.tolist() == [0, 1]


def test_predicting_adds_no_attribute_and_changes_no_parameter() -> None:
    nb = NaiveBayes().fit(PANDAS, Y)
    before = set(vars(nb))
    nb.predict(PANDAS)
    nb.explain(PANDAS)
    nb.leave_one_out(PANDAS, Y)
    assert set(vars(nb)) == before


def test_unknown_options_are_errors() -> None:
    for params, message in (({"missing": "drop"}, "missing='drop'"), ({"unseen": "skip"}, "unseen='skip'")):
        with pytest.raises(ValueError, match=message):
            NaiveBayes(**params).fit(PANDAS, Y)
        with pytest.raises(ValueError, match=message):
            NaiveBayes().fit(PANDAS, Y).set_params(**params).predict(PANDAS)


def test_leave_one_out_of_a_class_never_learnt_is_an_error() -> None:
    nb = NaiveBayes().fit(PANDAS, Y)
    with pytest.raises(ValueError, match="row 0: the class 'boat' was never learnt"):
        nb.leave_one_out(PANDAS[:1], ["boat"])


def test_large_tables_are_scored_in_batches() -> None:
    from candide.schema.rows import BATCH

    X = RNG.normal(size=(BATCH + 10, 2))
    nb = NaiveBayes(distributions={0: "normal", 1: Bins(EqualWidth(3))}).fit(X[:100], np.arange(100) % 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        p = nb.predict_joint_log_proba(X)
    np.testing.assert_array_equal(p[-5:], nb.predict_joint_log_proba(X[-5:]))
    frame = pd.DataFrame({"a": RNG.choice(["u", "v"], BATCH + 10)})
    nb = NaiveBayes(distributions={"a": Categorical()}).fit(frame, np.arange(BATCH + 10) % 2)
    assert nb.statistics_["cells"].table.sum() == BATCH + 10
    np.testing.assert_array_equal(nb.predict_proba(frame)[-3:], nb.predict_proba(frame[-3:]))


def test_a_distribution_asked_for_wins_over_a_schemas_and_cuts_are_taken_over() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 1)), np.arange(60) % 2
    binned = NaiveBayes(distributions="equal-width(4)").fit(X, y)
    assert NaiveBayes(distributions="normal", schema=binned.schema_).fit(X, y).schema_.choice(0).name == "normal"
    part = NaiveBayes(distributions="equal-width(4)", schema=binned.schema_).fit(X[:20], y[:20])
    assert part.schema_.choice(0) == binned.schema_.choice(0)
    assert NaiveBayes(schema=binned.schema_).fit(X[:20], y[:20]).schema_.choice(0) == binned.schema_.choice(0)


@pytest.mark.filterwarnings("ignore:X (has|does not have)")
@pytest.mark.parametrize("named", [False, True])
def test_rows_without_names_are_learnt_and_forgotten_by_a_model_with_names_and_the_other_way_round(named):
    frame = pd.DataFrame({"a": np.arange(40.0), "b": np.arange(40.0) % 7})
    y = np.arange(40) % 2
    mine, other = (frame, frame.to_numpy()) if named else (frame.to_numpy(), frame)
    whole = NaiveBayes().fit(mine, y)
    nb = NaiveBayes().fit(mine[:20], y[:20]).partial_fit(other[20:], y[20:])
    np.testing.assert_array_equal(nb.predict_proba(mine), whole.predict_proba(mine))
    assert nb.learnt_.schema.names == whole.learnt_.schema.names
    nb.forget(other[20:], y[20:])
    np.testing.assert_array_equal(nb.predict_proba(mine), NaiveBayes().fit(mine[:20], y[:20]).predict_proba(mine))


def test_an_attribute_that_is_not_there_is_told_with_the_closest() -> None:
    nb = NaiveBayes().fit(pd.DataFrame({"weight": [1.0, 2.0, 3.0, 4.0]}), ["a", "a", "b", "b"])
    with pytest.raises(ValueError, match="there is no attribute 'wieght'; did you mean 'weight'"):
        nb.describe("wieght")
