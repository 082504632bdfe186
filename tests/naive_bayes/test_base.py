"""Learning in parts: partial_fit, merge and forget give what fit gives."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError
from tests.naive_bayes.drop_ins import NAMES, cells, ours, problems, same_answers, same_model, theirs

each = pytest.mark.parametrize("name", NAMES)


def cut(X, y, w, at):
    parts = (slice(0, at), slice(at, None))
    return [(X[p], y[p], None if w is None else w[p]) for p in parts]


@each
@given(data=st.data())
def test_partial_fit_is_scikit_learns_fit_on_all_batches(name, data):
    X, y, w = data.draw(problems(name))
    whole = theirs(name).fit(X, y, w)
    nb = ours(name)
    for X_part, y_part, w_part in cut(X, y, w, data.draw(st.integers(1, len(y) - 1))):
        nb.partial_fit(X_part, y_part, classes=np.unique(y), sample_weight=w_part)
    same_model(nb, whole, 1e-9)
    same_answers(nb, whole, X, rtol=1e-8)


@each
@given(data=st.data())
def test_merge_is_fit_on_both_tables(name, data):
    X, y, w = data.draw(problems(name))
    parts = cut(X, y, w, data.draw(st.integers(1, len(y) - 1)))
    a, b = (ours(name).fit(*part) for part in parts)
    before = [a.class_count_.copy(), b.class_count_.copy()]
    same_model(a + b, ours(name).fit(X, y, w), 1e-9)
    same_model(a.merge(b), b + a, 1e-9)
    np.testing.assert_array_equal(a.class_count_, before[0])
    np.testing.assert_array_equal(b.class_count_, before[1])


@each
@given(data=st.data())
def test_forget_undoes_partial_fit(name, data):
    X, y, w = data.draw(problems(name))
    kept, gone = cut(X, y, w, data.draw(st.integers(1, len(y) - 1)))
    nb = ours(name).fit(X, y, w).forget(*gone)
    same_model(nb, ours(name).partial_fit(kept[0], kept[1], np.unique(y), kept[2]), 1e-6)


@each
def test_smoothing_is_not_written_into_what_was_learnt(name):
    rng = np.random.default_rng(0)
    X, y = cells(name, rng, 40), np.arange(40) % 2
    weak, strong = ({"var_smoothing": v} if name == "GaussianNB" else {"alpha": v} for v in (0.1, 10.0))
    nb = ours(name, **strong).fit(X[:20], y[:20]).set_params(**weak).partial_fit(X[20:], y[20:])
    same_model(nb, ours(name, **weak).fit(X, y), 1e-9)


@each
def test_forget_refuses_rows_never_learnt(name):
    rng = np.random.default_rng(0)
    X, y = cells(name, rng, 10), np.arange(10) % 2
    nb = ours(name).fit(X, y)
    twice = np.vstack([X, X]), np.concatenate([y, y])
    with pytest.raises(ValueError, match=r"never learnt: class .*0.* does not hold them; nothing was changed"):
        nb.forget(*twice)
    same_model(nb, ours(name).fit(X, y))


@each
def test_labels_outside_the_classes_are_refused(name):
    X = cells(name, np.random.default_rng(0), 3)
    nb = ours(name).partial_fit(X[:2], [0, 1], classes=[0, 1])
    with pytest.raises(ValueError, match=r"target label\(s\) \[2\] in y do not exist in the initial classes \[0 1\]"):
        nb.partial_fit(X, [0, 1, 2])
    np.testing.assert_array_equal(nb.class_count_, [1, 1])


def attributes(nb):
    return {key: value for key, value in vars(nb).items() if key.endswith("_")}


@each
def test_a_fit_that_fails_changes_nothing(name):
    rng = np.random.default_rng(0)
    X, y = pd.DataFrame(cells(name, rng, 10), columns=list("abcd")), np.arange(10) % 2
    nb = ours(name).fit(X, y)
    before = attributes(nb)
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[10, 9\]"):
        nb.fit(X[["a", "b"]], y[:9])
    with pytest.raises(ValueError, match="NaN"):
        nb.fit(X.to_numpy()[:, :3], [0.0, np.nan] * 5)
    assert attributes(nb) == before
    assert nb.predict(X).shape == (10,)


@each
def test_learning_that_fails_at_the_estimate_changes_nothing(name):
    rng = np.random.default_rng(0)
    X, y = cells(name, rng, 10), np.arange(10) % 2
    nb = ours(name).partial_fit(X, y, classes=[0, 1])
    before = attributes(nb)
    nb.set_params(**{"priors" if name == "GaussianNB" else "class_prior": [0.2, 0.3, 0.5]})
    for learn in (nb.fit, nb.partial_fit, nb.forget):
        with pytest.raises(ValueError, match="Number of priors must match number of classes"):
            learn(X[:4], y[:4])
        assert attributes(nb) == before


@each
def test_ties_go_to_the_first_class_however_sums_round(name):
    # the second class is the first with its columns reversed, and the rows read the same from both ends
    rng = np.random.default_rng(0)
    half = cells(name, rng, 40, 6)
    X, y = np.vstack([half, half[:, ::-1]]), np.repeat([0, 1], 40)
    ends = cells(name, rng, 300, 3)
    rows = np.hstack([ends, ends[:, ::-1]])
    nb = ours(name).fit(X, y)
    scores = nb.predict_joint_log_proba(rows)
    np.testing.assert_allclose(scores[:, 0], scores[:, 1], rtol=1e-12)
    assert not nb.predict(rows).any()
    np.testing.assert_array_equal(nb.predict_proba(rows), 0.5)


@each
def test_merge_says_what_does_not_fit(name):
    X = cells(name, np.random.default_rng(0), 4)
    nb = ours(name).fit(X, [0, 1, 0, 1])
    with pytest.raises(NotFittedError):
        nb.merge(ours(name))
    with pytest.raises(ValueError, match="4 features and 2 features"):
        nb.merge(ours(name).fit(X[:, :2], [0, 1, 0, 1]))
    with pytest.raises(ValueError, match=r"the classes are \[0 1\] and \['a' 'b'\]"):
        nb.merge(ours(name).fit(X, ["a", "b", "a", "b"]))
    other = next(other for other in NAMES if other != name)
    with pytest.raises(TypeError, match=f"{name} merges with its like, not with {other}"):
        nb.merge(ours(other).fit(np.abs(X), [0, 1, 0, 1]))
    with pytest.raises(TypeError):
        nb + 1


def test_merge_unites_classes_and_keeps_names():
    X = pd.DataFrame({"a": [0, 1], "b": [1, 0]})
    merged = ours("MultinomialNB").fit(X, ["x", "z"]) + ours("MultinomialNB").fit(X, ["y", "z"])
    assert merged.classes_.tolist() == ["x", "y", "z"]
    assert merged.class_count_.tolist() == [1, 1, 2]
    assert merged.feature_names_in_.tolist() == ["a", "b"]
    with pytest.raises(ValueError, match=r"the features are \['a', 'b'\] and \['a', 'c'\]"):
        merged.merge(ours("MultinomialNB").fit(X.rename(columns={"b": "c"}), ["x", "z"]))
