"""cross_validate and learning_curve: the same folds for all, the same digits for any number of processes."""

import time

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, log_loss
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from tests.evaluate.models import Frequencies

from candide import NaiveBayes
from candide.evaluate import cross_validate, learning_curve, workers
from candide.evaluate.folds import folds
from candide.evaluate.validation import COLUMNS, OthersWarning, tell_others
from candide.reading import ReadingWarning

X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]
SCORED = [c for c in COLUMNS if not c.endswith("seconds")]


def test_the_table_has_one_row_per_model_repeat_and_fold():
    got = cross_validate({"a": GaussianNB(), "b": DummyClassifier()}, X, NAMES, folds=5, repeats=2)
    assert list(got.columns) == COLUMNS
    assert got["model"].tolist() == ["a"] * 10 + ["b"] * 10
    assert got.loc[got["model"] == "a", ["repeat", "fold"]].to_numpy().tolist() == [
        [r, f] for r in range(2) for f in range(5)
    ]
    assert (got["n_train"] == 120).all()
    assert (got["n_test"] == 30).all()
    assert (got[["fit_seconds", "predict_seconds"]] > 0).all(axis=None)


def test_each_fold_is_what_scikit_learn_scores_by_hand():
    got = cross_validate(GaussianNB(), X, NAMES, folds=4, seed=7)
    splits = folds(Y, 4, True, np.random.default_rng([7, 0]))
    for line, (train, test) in zip(got.itertuples(), splits, strict=True):
        model = GaussianNB().fit(X[train], NAMES[train])
        assert line.model == "GaussianNB"
        assert line.accuracy == accuracy_score(NAMES[test], model.predict(X[test]))
        assert line.log_loss == pytest.approx(log_loss(NAMES[test], model.predict_proba(X[test])))
        assert line.log_score == pytest.approx(line.log_loss * len(test))


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.Table.from_pydict])
def test_frames_are_read_and_the_target_may_be_a_column(frame):
    columns = {f"x{i}": X[:, i] for i in range(4)}
    base = cross_validate(_OverArrays(), X, NAMES, folds=3)[SCORED]
    table = frame({**columns, "species": NAMES.tolist()})
    pd.testing.assert_frame_equal(cross_validate(_OverArrays(), table, "species", folds=3)[SCORED], base)


class _OverArrays(GaussianNB):
    """Takes what any frame says it holds."""

    def fit(self, X, y):
        return super().fit(_array(X), y)

    def predict(self, X):
        return super().predict(_array(X))

    def predict_log_proba(self, X):
        return super().predict_log_proba(_array(X))


def _array(X):
    return X if isinstance(X, np.ndarray) else np.column_stack([np.asarray(X[f"x{i}"]) for i in range(4)])


def test_a_list_of_texts_is_read():
    model = make_pipeline(CountVectorizer(), MultinomialNB())
    texts, y = ["good day", "bad day", "good luck", "bad luck"] * 3, ["+", "-"] * 6
    assert (cross_validate(model, texts, y, folds=3)["accuracy"] == 1).all()


def test_the_number_of_processes_changes_no_digit(monkeypatch):
    models = {"normal": GaussianNB(), "logistic": LogisticRegression(max_iter=500)}
    alone = cross_validate(models, X, NAMES, folds=4, train_fraction=0.5, n_jobs=1)
    monkeypatch.setattr(workers, "WORTH_SECONDS", 0.0)
    together = cross_validate(models, X, NAMES, folds=4, train_fraction=0.5, n_jobs=2)
    pd.testing.assert_frame_equal(alone[SCORED], together[SCORED], check_exact=True)


def test_the_seed_decides_the_folds():
    first, again, other = (cross_validate(GaussianNB(), X, NAMES, seed=s)["accuracy"].tolist() for s in (1, 1, 2))
    assert first == again
    assert first != other


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"folds": "a"}, "folds='a': a whole number, or a list of"),
        ({"folds": {}}, "folds={}: a whole number, or a list of"),
        ({"folds": []}, r"folds=\[\]: a whole number, or a list of"),
        ({"folds": 2.5}, "folds=2.5: a whole number, or a list of"),
        ({"folds": [([1],)]}, r"folds: \(\[1\],\) is no pair of learning rows and test rows"),
        ({"folds": [([0, 1], [150])]}, r"folds: array\(\[150\]\): places of rows, from 0 to 149"),
        ({"repeats": "a"}, "repeats='a': a whole number of at least 1"),
        ({"seed": -1}, "seed=-1: a whole number of at least 0"),
    ],
)
def test_what_decides_no_folds_is_told(params, message):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=message):
        cross_validate(NaiveBayes(), X, y, **params)


def test_folds_may_come_one_by_one_and_serve_every_repeat():
    X, y = load_iris(return_X_y=True)
    given = list(folds(y, 3, True, np.random.default_rng(0)))
    results = cross_validate(NaiveBayes(), X, y, folds=iter(given), repeats=2)
    assert results["n_test"].tolist() == [50] * 6
    first, second = (results.loc[results["repeat"] == repeat, "accuracy"].tolist() for repeat in (0, 1))
    assert first == second


def test_a_part_of_the_learning_fold_is_learnt_from_but_the_whole_test_fold_is_scored():
    got = cross_validate(GaussianNB(), X, NAMES, folds=10, train_fraction=0.1)
    assert set(got["n_train"]) == {14}  # round(13.5), halves to even
    assert got["n_test"].sum() == 150


def test_a_class_a_scikit_learn_model_never_saw_has_probability_zero():
    y = np.array(["common"] * 20 + ["rare"])
    got = cross_validate(DummyClassifier(), np.zeros((21, 1)), y, folds=3)
    # the fold that tests the only rare row learns from none
    assert got["accuracy"].mul(got["n_test"]).sum() == pytest.approx(20)
    assert np.isinf(got["log_score"]).sum() == 1


def test_candide_models_know_all_classes():
    y = np.array(["common"] * 20 + ["rare"])
    got = cross_validate(Frequencies(), np.zeros((21, 1)), y, folds=3)
    assert np.isfinite(got["log_score"]).all()


def test_impossible_rows_are_errors_of_product_models_only():
    cells = np.zeros((20, 1))
    cells[0] = -1
    y = np.array([0] * 16 + [1] * 4)
    models = {"product": Frequencies(), "sum": Frequencies("sum")}
    got = cross_validate(models, cells, y, folds=2).groupby("model")
    assert got["accuracy"].mean().to_dict() == pytest.approx({"product": 0.75, "sum": 0.8})
    assert np.isinf(got["log_score"].max()["product"])
    assert np.isfinite(got["log_score"].max()["sum"])


def test_a_model_without_probabilities_has_its_accuracy():
    got = cross_validate(LinearSVC(), X, NAMES, folds=3)
    assert (got["accuracy"] > 0.8).all()
    assert got["log_loss"].isna().all()


def test_a_failure_says_where_it_happened():
    with pytest.raises(ValueError, match="infinity") as caught:
        cross_validate({"normal": GaussianNB()}, np.full((6, 1), np.inf), [0, 1] * 3, folds=2)
    assert "model 'normal', repeat 0, fold 0" in caught.value.__notes__[0]


@pytest.mark.parametrize(
    ("y", "message"), [("species", "no column 'species'"), (NAMES[:3], r"y has shape \(3,\) for 150 rows")]
)
def test_labels_that_are_not_there_are_refused(y, message):
    with pytest.raises(ValueError, match=message):
        cross_validate(GaussianNB(), X, y)


def test_learning_curves_grow_over_the_same_test_folds():
    got = learning_curve({"normal": GaussianNB()}, X, NAMES, [12, 60, 1.0], folds=5)
    assert list(got.columns) == ["size", *COLUMNS]
    assert got.groupby("size")["n_train"].first().to_dict() == {1.0: 120, 12: 12, 60: 60}
    means = got.groupby("size")["log_loss"].mean()
    assert means[1.0] < means[12]
    whole = cross_validate({"normal": GaussianNB()}, X, NAMES, folds=5)
    pd.testing.assert_series_equal(
        got.loc[got["size"] == 1.0, "log_loss"].reset_index(drop=True), whole["log_loss"], check_exact=True
    )


def test_estimating_counts_as_learning_time():
    class Slow(Frequencies):
        @property
        def model_(self):
            if not hasattr(self, "made_"):
                time.sleep(0.05)
                self.made_ = True
            return self.made_

        def predict(self, X):
            assert self.model_
            return super().predict(X)

    got = cross_validate(Slow(), X, NAMES, folds=2, n_jobs=1)
    assert (got["fit_seconds"] > 0.05).all()
    assert (got["predict_seconds"] < 0.05).all()


def test_impossible_rows_may_have_the_prior_or_go_to_the_first_class():
    cells = np.zeros((20, 1))
    cells[0] = -1
    y = np.array([1] + [0] * 6 + [1] * 13)  # the impossible row is of the commonest class, which is not the first
    found = {
        how: cross_validate(Frequencies(), cells, y, folds=2, impossible=how) for how in ("error", "prior", "first")
    }
    right = {how: float((got["accuracy"] * got["n_test"]).sum()) for how, got in found.items()}
    assert right == pytest.approx({"error": 13, "prior": 14, "first": 13})
    assert [bool(np.isinf(got["log_score"]).any()) for got in found.values()] == [True, False, True]
    other = np.where(y == 1, 0, 1)  # and where it is the first
    assert cross_validate(Frequencies(), cells, other, folds=2, impossible="first")["accuracy"].mean() == 0.7
    with pytest.raises(ValueError, match="impossible='second' is not known"):
        cross_validate(Frequencies(), cells, y, impossible="second")


def test_a_floor_bounds_the_logarithm_of_the_true_class():
    y = np.array(["common"] * 20 + ["rare"])
    free, floored = (cross_validate(DummyClassifier(), np.zeros((21, 1)), y, folds=3, floor=f) for f in (0, 1e-3))
    infinite = np.isinf(free["log_score"])
    assert floored["log_score"][infinite].item() == pytest.approx(-np.log(1e-3))
    pd.testing.assert_series_equal(floored["log_score"][~infinite], free["log_score"][~infinite])


def test_splits_may_be_given():
    rng = np.random.default_rng(0)
    pairs = [(order[30:], order[:30]) for order in (rng.permutation(150) for _ in range(3))]
    got = cross_validate(GaussianNB(), X, NAMES, folds=pairs)
    for line, (train, test) in zip(got.itertuples(), pairs, strict=True):
        assert line.accuracy == accuracy_score(NAMES[test], GaussianNB().fit(X[train], NAMES[train]).predict(X[test]))


def test_a_model_s_worth_is_that_of_its_rows_each_judged_once():
    y = np.array(["a", "a", "b"] * 30)
    good, noise = (y == "b").astype(float)[:, None], np.zeros((90, 1))
    models = {"naive": NaiveBayes("normal")}
    told = [cross_validate(models, X, y, 3, repeats=2, by_class=True).attrs["worth"]["naive"] for X in (good, noise)]
    assert [found["better"] for found in told] == [True, False]
    assert [(found["rows"], found["commonest"]) for found in told] == [(90, "a"), (90, "a")]
    assert cross_validate(models, good[:30], y[:30], 3, by_class=True).attrs["worth"] == {"naive": None}


def test_a_target_that_is_not_there_is_told_with_the_closest():
    with pytest.raises(ValueError, match="'dsk' to take the labels from; did you mean 'desk'"):
        cross_validate(NaiveBayes(), pd.DataFrame({"x": [1.0, 2.0], "desk": ["a", "b"]}), "dsk")


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["a"], "1 warning in the folds, once 'a'"),
        (["a", "a", "b"], "3 warnings in the folds, 2 times 'a', and 1 other"),
        (["a", "a", "b", "c"], "4 warnings in the folds, 2 times 'a', and 2 others"),
    ],
)
def test_warnings_are_counted_in_words(texts, told):
    with pytest.warns(OthersWarning, match=f"^{told}$"):
        tell_others(texts)


class TestTablesThatOthersDoNotTake:
    """What `candide evaluate` does for classifiers of other libraries, the library does."""

    FRAME = pd.DataFrame(
        {
            "colour": ["red", "blue", "red", None] * 15,
            "size": [1.0, 5.0, np.nan, 6.0] * 15,
            "new": [True, False, True, False] * 15,
            "desk": ["p", "q"] * 30,
        }
    )

    def test_levels_are_coded_and_missing_numbers_filled(self):
        models = {"lr": LogisticRegression(), "text": "sklearn.linear_model.LogisticRegression", "own": NaiveBayes()}
        found = cross_validate(models, self.FRAME, "desk", folds=3)
        assert (found.groupby("model")["accuracy"].mean() == 1.0).all()
        lr, text = (found.loc[found["model"] == name, "log_loss"].tolist() for name in ("lr", "text"))
        assert lr == text

    @pytest.mark.parametrize(
        "of",
        [pl.from_pandas, pa.Table.from_pandas, lambda frame: frame.to_numpy(dtype=object)],
        ids=["polars", "arrow", "array"],
    )
    def test_whatever_the_table_is(self, of):
        table, y = self.FRAME.drop(columns="desk"), self.FRAME["desk"]
        found = cross_validate(LogisticRegression(), of(table), y, folds=3)
        expected = cross_validate(LogisticRegression(), table, y, folds=3)
        np.testing.assert_allclose(found["log_loss"], expected["log_loss"])

    def test_a_pipeline_that_takes_the_table_gets_it_as_it_is(self):
        seen = []

        class Takes(DummyClassifier):
            def fit(self, X, y, sample_weight=None):
                seen.append(list(X.columns))
                return super().fit(X, y, sample_weight)

        cross_validate(Takes(), self.FRAME, "desk", folds=2, n_jobs=1)
        assert seen == [["colour", "size", "new"]] * 2

    def test_what_fails_for_another_reason_says_that(self):
        with pytest.raises(ValueError, match=r"C.* must be a float"):
            cross_validate(LogisticRegression(C=-1.0), self.FRAME, "desk", folds=2)

    def test_a_path_is_a_table(self, tmp_path):
        self.FRAME.assign(id=[f"k{n:03d}" for n in range(60)]).to_csv(tmp_path / "t.csv", index=False)
        models = ["majority", "candide.NaiveBayes", "sklearn.tree.DecisionTreeClassifier,max_depth=2"]
        with pytest.warns(ReadingWarning, match="'id'"):
            found = cross_validate(models, tmp_path / "t.csv", "desk", folds=3, by_class=True)
        assert list(dict.fromkeys(found["model"])) == models
        assert found.attrs["worth"][models[1]]["better"]
        with pytest.raises(ValueError, match="no column 'dest'; did you mean 'desk'"):
            cross_validate(models, str(tmp_path / "t.csv"), "dest")


@pytest.mark.parametrize(
    ("models", "message"),
    [
        ("sklearn.NoSuch", "no classifier 'NoSuch'"),
        ("nomodule.Model", "'nomodule.Model': nomodule is not installed; pip install nomodule"),
        ("sklearn.linear_model.LinearRegression", "predicts numbers, and is no classifier"),
        ("sklearn.GaussianNB,smooth=1", "no parameter 'smooth'"),
        ("robust", "write a module and a class in it"),
        ([NaiveBayes(), NaiveBayes()], "two models are called 'NaiveBayes'"),
    ],
)
def test_models_that_cannot_be_made_are_refused(models, message):
    with pytest.raises(ValueError, match=message):
        cross_validate(models, X, NAMES)
