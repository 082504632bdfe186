"""Numbers settled on first documents are settled again by later batches that tell more; sums stay sums."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone

from candide import NaiveBayes, TunedNB
from candide.datasets import insurance
from candide.distributions import Text
from candide.text import TextNB


@pytest.fixture(scope="module")
def messages():
    frame = insurance(2_000, messages=True).frame.dropna(subset=["message"])
    return frame["message"].to_numpy(object), frame["desk"].astype(str).to_numpy()


def taught(texts, y, *ends, sent=False):
    """Teach documents in batches that end there, with all classes declared; `sent`: to a copy that has no documents."""
    nb, start = TextNB(), 0
    for end in ends:
        nb.partial_fit(texts[start:end], y[start:end], classes=np.unique(y))
        nb = pickle.loads(pickle.dumps(nb)) if sent else nb
        start = end
    return nb


def settled_on(nb):
    (rule,) = nb._state.on_rows.rules.values()
    return rule.settled_on


def numbers(nb):
    (rule,) = nb._state.on_rows.rules.values()
    return np.concatenate([np.ravel(rule.event_model.beta), rule.event_model.pace, rule.event_model.bias])


def log_loss(nb, texts, y):
    return -nb.predict_log_proba(texts)[np.arange(len(y)), np.searchsorted(nb.classes_, y)].mean()


@pytest.mark.parametrize("ends", [(30, 1000), (100, 250, 1000)])
def test_batches_that_grow_tell_as_much_as_a_fit(messages, ends):
    texts, y = messages
    asked = texts[1000:], y[1000:]
    at_once = log_loss(TextNB().fit(texts[:1000], y[:1000]), *asked)
    carried = log_loss(taught(texts, y, ends[0], *range(ends[0] + 50, 1000, 50), 1000, sent=True), *asked)
    found = log_loss(taught(texts, y, *ends, sent=True), *asked)
    assert found - at_once < 0.2 * (carried - at_once)


@pytest.mark.parametrize("ends", [(30, 1000), (200, 400, 600, 800, 1000), (900, 1000)])
def test_sums_do_not_tell_when_numbers_were_settled(messages, ends):
    texts, y = messages
    at_once = TextNB(event_model="multinomial").fit(texts[:1000], y[:1000])
    nb = taught(texts, y, *ends).set_params(event_model="multinomial")
    np.testing.assert_allclose(
        nb.predict_joint_log_proba(texts[1000:]), at_once.predict_joint_log_proba(texts[1000:]), rtol=1e-13
    )
    assert nb.statistics_["words 0"].share.sum() == at_once.statistics_["words 0"].share.sum()


def test_batches_of_equal_size_settle_again_where_half_as_much_was_learnt_besides(messages):
    texts, y = messages
    nb = TextNB()
    found = []
    for start in range(0, 1000, 100):
        nb.partial_fit(texts[start : start + 100], y[start : start + 100])
        found.append(settled_on(nb)[1])
    assert found == [100, 200, 300, 300, 500, 500, 500, 800, 800, 800]


def test_fewer_documents_leave_numbers_as_they_are(messages):
    texts, y = messages
    before = numbers(taught(texts, y, 300))
    np.testing.assert_array_equal(numbers(taught(texts, y, 300, 500, 700, 900, sent=True)), before)
    before = numbers(taught(texts, y, 30))
    np.testing.assert_array_equal(numbers(taught(texts, y, 30, 129, sent=True)), before)
    assert (numbers(taught(texts, y, 30, 130, sent=True)) != before).any()


def test_documents_of_other_classes_than_all_have_do_not_settle_numbers(messages):
    texts, y = messages
    order = np.argsort(y[:900], kind="stable")
    texts, y = texts[:900][order], y[:900][order]  # a stream that is sorted by class
    assert settled_on(taught(texts, y, 200, 500, 900, sent=True)) == (0, 0)
    assert settled_on(taught(texts, y, 200, 500, 900)) == (900, 900)  # with those that are retained, they are as all


def test_a_batch_of_one_class_leaves_numbers_as_they_are(messages):
    texts, y = messages
    nb = taught(texts, y, 200, sent=True)
    before = numbers(nb)
    own = np.flatnonzero(y == y[0])
    np.testing.assert_array_equal(numbers(nb.partial_fit(texts[own], y[own])), before)


def test_a_model_says_on_how_many_documents_its_numbers_were_settled(messages, tmp_path):
    import candide

    texts, y = messages
    nb = taught(texts, y, 150, 400)
    nb.save(tmp_path / "model.json")
    assert nb.tuned_on_ == candide.load(tmp_path / "model.json").tuned_on_ == 400
    assert taught(texts, y, 150, 400, sent=True).tuned_on_ == 250
    assert taught(texts, y, 150, 200).tuned_on_ == 150
    assert nb.set_params(event_model="multinomial").tuned_on_ == 0
    assert taught(texts, y, 5).tuned_on_ == 5
    assert taught(texts, y, 5, 50).tuned_on_ == 0  # the usual ones serve


def test_missing_documents_settle_nothing(messages):
    texts, y = messages
    nb = taught(texts, y, 120)
    before = numbers(nb)
    nb.partial_fit([None] * 300 + texts[:20].tolist(), y[:320])
    np.testing.assert_array_equal(numbers(nb), before)


def test_an_iterator_of_documents_settles_them_too(messages):
    texts, y = messages
    nb = taught(texts, y, 30)
    nb.partial_fit(iter(texts[30:1000]), iter(y[30:1000]))
    np.testing.assert_allclose(numbers(nb), numbers(taught(texts, y, 30, 1000)), rtol=1e-12)


def test_what_was_settled_again_is_saved_and_goes_on(messages, tmp_path):
    import candide

    texts, y = messages
    nb = taught(texts, y, 150, 300, sent=True)
    nb.save(tmp_path / "model.json")
    loaded = candide.load(tmp_path / "model.json")
    assert settled_on(loaded) == settled_on(nb) == (150, 300)
    for model in (nb, loaded):
        model.partial_fit(texts[300:460], y[300:460])
    assert settled_on(loaded) == settled_on(nb) == (160, 460)
    np.testing.assert_array_equal(loaded.predict_proba(texts[460:]), nb.predict_proba(texts[460:]))


def test_a_sum_has_the_numbers_settled_on_more_documents(messages):
    texts, y = messages
    few, many = TextNB().fit(texts[:60], y[:60]), TextNB().fit(texts[60:600], y[60:600])
    for both in (few + many, many + few, few.merge(many)):
        np.testing.assert_array_equal(numbers(both), numbers(many))
    np.testing.assert_allclose((few + many).predict_proba(texts[600:]), (many + few).predict_proba(texts[600:]))
    np.testing.assert_array_equal(numbers(many.forget(texts[60:500], y[60:500])), numbers(few + many))


def test_of_sums_of_equal_weight_the_same_numbers_are_kept_in_whatever_order(messages):
    texts, y = messages
    a, b, c = (TextNB().fit(texts[i : i + 100], y[i : i + 100]) for i in (0, 100, 200))
    assert a.tuned_on_ == b.tuned_on_ == c.tuned_on_
    wanted = (a + b + c).predict_proba(texts[300:])
    for other in (a + (b + c), b + a + c, c + b + a, c + a + b):
        np.testing.assert_allclose(other.predict_proba(texts[300:]), wanted, rtol=1e-12)


def test_numbers_of_a_column_beside_others_are_settled_again_with_the_weights():
    frame = insurance(900, messages=True).frame
    nb = TunedNB(distributions={"message": "text"}).partial_fit(frame[:150], "desk")
    nb.partial_fit(frame[150:], "desk")
    position = nb.learnt_.schema.position("message")
    assert nb._state.on_rows.rules[position].settled_on[0] > 600
    assert nb.tuned_on_ == 750


@pytest.mark.parametrize("size", [1, 7, 15])
def test_small_batches_tell_as_much_as_a_fit(messages, size):
    texts, y = messages
    n = 120 if size == 1 else 600
    nb = taught(texts, y, *range(size, n, size), n)
    assert nb.tuned_on_ > n / 2
    at_once = log_loss(TextNB().fit(texts[:n], y[:n]), texts[1000:], y[1000:])
    usual = log_loss(taught(texts, y, *range(size, n, size), n, sent=True), texts[1000:], y[1000:])
    found = log_loss(nb, texts[1000:], y[1000:])
    assert found < usual
    assert found - at_once < max(0.2 * (usual - at_once), 0.02)  # where usual weights say nearly as much


@pytest.mark.parametrize(
    ("nb", "without", "then"),
    [
        (TextNB(), {"event_model": "multinomial"}, {"event_model": "auto"}),
        (TextNB("multinomial", weights="temperature"), {"weights": None}, {"weights": "temperature"}),
        (NaiveBayes(), {"distributions": {"message": Text("multinomial")}}, {"distributions": {"message": "text"}}),
        (
            TunedNB({"message": "text"}),
            {"distributions": {"message": Text("multinomial")}, "weights": None},
            {"distributions": {"message": "text"}, "weights": "tuned"},
        ),
    ],
    ids=repr,
)
def test_what_was_counted_alone_is_settled_by_tuning(nb, without, then):
    frame = insurance(200, messages=True).frame
    frame = frame[["message", "desk"]] if isinstance(nb, TextNB) else frame
    tuned = clone(nb).set_params(**without).fit(frame, "desk").set_params(**then).tune(frame, "desk")
    assert tuned.score(frame, "desk") > 0.9


@pytest.mark.parametrize("empty", [lambda nb, *rows: nb.forget(*rows), lambda nb, *_: nb - nb, lambda nb, *_: 0 * nb])
def test_what_was_settled_goes_with_the_last_document(messages, empty):
    texts, y = messages
    first, then, asked = (texts[:300], y[:300]), (texts[300:360], y[300:360]), texts[1000:1100]
    wanted = TextNB().fit(*then).predict_log_proba(asked)
    nothing = empty(TextNB().fit(*first), *first)
    for sum_ in (nothing + TextNB().fit(*then), TextNB().fit(*then) + nothing):
        np.testing.assert_array_equal(sum_.predict_log_proba(asked), wanted)
    np.testing.assert_array_equal(nothing.partial_fit(*then).predict_log_proba(asked), wanted)


def test_weights_of_columns_go_with_the_last_row():
    frame = insurance(300).frame
    nb = NaiveBayes(weights="tuned").fit(frame, "desk").forget(frame, "desk").partial_fit(frame[:120], "desk")
    wanted = NaiveBayes(weights="tuned").fit(frame[:120], "desk")
    assert nb.tuned_on_ == wanted.tuned_on_
    np.testing.assert_allclose(nb.predict_log_proba(frame), wanted.predict_log_proba(frame), rtol=1e-9, atol=1e-9)


def test_tuning_on_missing_documents_is_refused():
    texts, y = ["my car", "new car", "my bike", "old bike"] * 10, ["car", "car", "bike", "bike"] * 10
    nb = TextNB().fit(texts, y)
    before = nb.predict_proba(texts)
    with pytest.raises(ValueError, match="has no documents to settle on: all are missing"):
        nb.tune([None] * len(y), y)
    np.testing.assert_array_equal(nb.predict_proba(texts), before)


@pytest.mark.parametrize("params", [{}, {"event_model": "multinomial", "weights": "temperature"}])
def test_documents_of_classes_never_learnt_settle_nothing(params):
    texts, y = ["my car", "new car", "my bike", "old bike"] * 10, ["car", "car", "bike", "bike"] * 10
    nb, other = (TextNB(**params).fit(texts, y) for _ in range(2))
    before = nb.predict_proba(texts)
    with pytest.raises(
        ValueError, match="there are no rows to settle on of the classes that were learnt: 'bike', 'car'"
    ):
        nb.tune(["a truck"], ["truck"])
    np.testing.assert_array_equal(nb.predict_proba(texts), before)
    nb.tune([*texts, "a truck"], [*y, "truck"])
    np.testing.assert_allclose(nb.predict_proba(texts), other.tune(texts, y).predict_proba(texts), rtol=1e-6)
