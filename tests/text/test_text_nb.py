"""TextNB: equal to scikit-learn's pipeline, and under the laws of every other estimator."""

from __future__ import annotations

import pickle
import tracemalloc
from collections import deque
from contextlib import nullcontext
from copy import copy
from datetime import date
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB
from sklearn.pipeline import FeatureUnion, make_pipeline

import candide
from candide import NaiveBayes
from candide.analysis.analyzer import Analyzer
from candide.distributions import Text, word_weights
from candide.distributions.calibration import Softening, ViewWeights
from candide.distributions.event_models import EVENT_MODELS
from candide.distributions.weighted import Weighted
from candide.distributions.word_views import lift_views, mistake_views
from candide.smoothing import RULES, Dirichlet, Lidstone, NaiveDistribution
from candide.smoothing.base import Smoothing
from candide.table import bags
from candide.text import TextNB

PEERS = {
    "multinomial": MultinomialNB,
    "bernoulli": BernoulliNB,
    "complement": ComplementNB,
    "normalized-complement": lambda **params: ComplementNB(norm=True, **params),
}

WORDS = ["car", "bike", "truck", "insure", "my", "été", "ΣΟΦΟΣ", "漢字", "a", "55.3", "New-York", "İz", "🚗 car", "ﬁne"]
TEXT = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join) | st.text(max_size=20)


@st.composite
def collections(draw, least=2, most=12):
    """Documents with labels, at least one of which has a word."""
    texts = draw(st.lists(TEXT, min_size=least, max_size=most))
    labels = draw(st.lists(st.sampled_from("abc"), min_size=len(texts), max_size=len(texts)))
    return ["car bike truck", *texts], ["a", *labels]


def agree(found, wanted, tolerance=1e-10):
    np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("event_model", PEERS)
@given(data=collections(), new=st.lists(TEXT, min_size=1, max_size=4), alpha=st.sampled_from([0.01, 0.5, 1.0, 3.0]))
def test_it_is_scikit_learns_pipeline(event_model, data, new, alpha):
    texts, y = data
    assume(event_model != "normalized-complement" or len(set(y)) > 1)  # where scikit-learn divides zero by zero
    mine = TextNB(event_model=event_model, smoothing=Lidstone(alpha)).fit(texts, y)
    theirs = make_pipeline(CountVectorizer(), PEERS[event_model](alpha=alpha)).fit(texts, y)
    agree(mine.predict_log_proba(new), theirs.predict_log_proba(new), 1e-8)
    agree(mine.predict_proba(new), theirs.predict_proba(new))


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ({"ngrams": (1, 2)}, {"ngram_range": (1, 2)}),
        ({"analyzer": "char", "ngrams": (2, 3)}, {"analyzer": "char", "ngram_range": (2, 3)}),
        ({"binary": True}, {"binary": True}),
        ({"min_df": 2}, {"min_df": 2}),
        ({"min_df": 0.2, "max_df": 0.7}, {"min_df": 0.2, "max_df": 0.7}),
        ({"max_df": 20}, {"max_df": 20}),
        ({"fold": "accents"}, {"strip_accents": "unicode"}),
        ({"stop_words": ["my", "car"]}, {"stop_words": ["my", "car"]}),
        ({"tokenizer": str.split}, {"tokenizer": str.split, "token_pattern": None}),
    ],
    ids=str,
)
def test_options_are_the_vectorizers(mine, theirs, letters):
    texts, y, new = letters
    found = TextNB(event_model="multinomial", **mine).fit(texts, y).predict_proba(new)
    wanted = make_pipeline(CountVectorizer(**theirs), MultinomialNB()).fit(texts, y).predict_proba(new)
    agree(found, wanted)


@pytest.mark.parametrize("event_model", PEERS)
def test_characters_beside_words_are_a_union_of_vectorizers(event_model, letters):
    texts, y, new = letters
    union = FeatureUnion(
        [("words", CountVectorizer(ngram_range=(1, 2))), ("runs", CountVectorizer(analyzer="char", ngram_range=(2, 4)))]
    )
    wanted = make_pipeline(union, PEERS[event_model]()).fit(texts, y).predict_proba(new)
    nb = TextNB(event_model=event_model, ngrams=(1, 2), characters=(2, 4)).fit(texts, y)
    agree(nb.predict_proba(new), wanted)
    agree(nb.predict_proba(new[0]), wanted[:1])


def test_documents_of_many_runs_are_held_a_few_at_a_time(letters, monkeypatch):
    texts, y, new = letters
    params = {"event_model": "multinomial", "characters": (2, 4)}
    whole = TextNB(**params).fit(texts, y)
    sizes = []
    read = Analyzer.read
    monkeypatch.setattr(Analyzer, "read", lambda self, bags: sizes.append(bags.total) or read(self, bags))
    monkeypatch.setattr("candide.engines.memory.MOST_TEXT", 600)
    monkeypatch.setattr("candide.distributions.bag.MOST_TEXT", 60)
    parts = TextNB(**params).fit(texts, y)
    assert len(sizes) > 5
    assert max(sizes) < 600 / 3 + max(map(len, texts))
    sizes.clear()
    agree(parts.predict_proba([*new, *texts]), whole.predict_proba([*new, *texts]))
    assert len(sizes) > 5


def test_drawn_documents_are_made_of_words(letters):
    texts, y, _ = letters
    drawn, _ = TextNB(characters=(2, 4)).fit(texts, y).sample(50, random_state=0)
    told = {word for text in np.asarray(drawn, dtype=object).ravel() for word in text.split()}
    assert "~" not in "".join(told)
    assert {"car", "bike"} < told


@pytest.mark.parametrize("params", [{}, {"characters": (2, 4)}, {"event_model": "multinomial"}], ids=str)
def test_drawn_documents_have_about_as_many_words_as_those_that_were_learnt(params):
    rng = np.random.default_rng(0)
    texts = [" ".join(f"word{i}" for i in rng.choice(300, 40, replace=False)) for _ in range(60)]
    drawn, _ = TextNB(**params).fit(texts, ["car", "bike"] * 30).sample(200, random_state=0)
    assert 36 < np.mean([len(text.split()) for text in np.asarray(drawn, dtype=object).ravel()]) < 44


def test_the_most_frequent_words_are_kept(letters):
    texts, y, _ = letters
    nb = TextNB(event_model="multinomial", max_features=5).fit(texts, y)
    counts = CountVectorizer()
    often = np.asarray(counts.fit_transform(texts).sum(axis=0)).ravel()
    kept = {nb.model_.blocks[0].selection.spoken[i] for i in range(5)}
    order = np.argsort(-often, kind="stable")[:5]
    assert kept == set(counts.get_feature_names_out()[order])


def test_the_most_frequent_words_stand_in_most_documents_where_each_counts_once():
    texts, y = ["aa aa aa aa aa bb", "bb cc", "bb cc dd", "cc dd ee"], ["car", "bike", "car", "bike"]
    params = {"binary": True, "max_features": 2}
    found = TextNB(event_model="multinomial", **params).fit(texts, y).predict_proba(texts)
    agree(found, make_pipeline(CountVectorizer(**params), MultinomialNB()).fit(texts, y).predict_proba(texts))


def test_inverse_document_frequencies_multiply_counts(letters):
    texts, y, new = letters
    found = TextNB(event_model="multinomial", tf_idf=True).fit(texts, y).predict_proba(new)
    peer = make_pipeline(CountVectorizer(), TfidfTransformer(norm=None), MultinomialNB())
    agree(found, peer.fit(texts, y).predict_proba(new))


@pytest.fixture
def letters():
    rng = np.random.default_rng(3)
    pool = {"car": ["car", "road", "family", "garage"], "bike": ["bike", "helmet", "ride", "Été"]}
    y = rng.choice(["car", "bike"], 60)
    texts = [
        " ".join(rng.choice([*pool[label], "my", "insure", "a", "55.3", "please"], rng.integers(0, 9))) for label in y
    ]
    return texts, y, ["my car", "helmet été 55", "", "nothing known", "ride ride car please"]


@pytest.mark.filterwarnings("ignore:the documents say nothing")
@pytest.mark.parametrize("event_model", [*PEERS, "auto"])
@given(data=collections(4), cut=st.integers(1, 4), forget=st.booleans())
def test_split_merge_and_forget(event_model, data, cut, forget):
    texts, y = data
    whole = TextNB(event_model=event_model).fit(texts, y)
    first = TextNB(event_model=event_model).fit(texts[:cut], y[:cut])
    rest = TextNB(event_model=event_model).fit(texts[cut:], y[cut:])
    stream = TextNB(event_model=event_model).partial_fit(texts[:cut], y[:cut]).partial_fit(texts[cut:], y[cut:])
    part = f"words {0}"
    for other in (first + rest, rest + first, first.merge(rest), stream):
        assert other.classes_.tolist() == whole.classes_.tolist()
        for name in ("documents", "count", "share"):
            np.testing.assert_array_equal(
                other.statistics_[part].dense(name), whole.statistics_[part].dense(name), strict=True
            )
    if forget:
        left = TextNB(event_model=event_model).fit(texts, y).forget(texts[cut:], y[cut:])
        for name in ("documents", "count", "share"):
            np.testing.assert_array_equal(left.statistics_[part].dense(name), first.statistics_[part].dense(name))
        assert (
            left._state.learnt.schema.columns[0].axis.words.text
            == first._state.learnt.schema.columns[0].axis.words.text
        )


def test_the_only_document_of_a_class_is_left_out_of_plain_frequencies():
    texts, y = ["aa bb", "cc dd", "cc ee", "ee aa"], ["car", "bike", "bus", "bus"]
    nb = TextNB(event_model="multinomial", smoothing="none").fit(texts, y)
    left = nb.leave_one_out(texts, y)
    for i, text in enumerate(texts):
        again = clone(nb).set_params(schema=nb.schema_).fit(texts[:i] + texts[i + 1 :], y[:i] + y[i + 1 :])
        np.testing.assert_allclose(left[i], again.predict_log_proba([text])[0], rtol=1e-12)


@pytest.mark.parametrize("weights", [None, "temperature"])
def test_a_word_of_one_document_is_unknown_without_it_under_the_marginal_rule(weights):
    texts, y = ["aa bb", "cc dd", "cc ee", "ee aa"] * 2 + ["aa bb once"], [*"pqqp", *"pqqp", "p"]
    texts += texts[:4]
    y += y[:4]
    params = {"event_model": "complement", "smoothing": "marginal", "weights": weights}
    nb = TextNB(**params).fit(texts, y)
    left = nb.leave_one_out(texts, y)
    assert np.isfinite(left).all()
    if weights is None:
        rest = TextNB(**params).fit(texts[:8] + texts[9:], y[:8] + y[9:])
        agree(left[8], rest.predict_log_proba([texts[8]])[0], 1e-12)


@pytest.mark.parametrize("smoothing", ["lidstone", "laplace", "m-estimate", "marginal", "indifferent"])
@pytest.mark.parametrize("event_model", PEERS)
def test_leaving_one_out_is_fitting_without_it(event_model, smoothing, letters):
    texts, y, _ = letters
    texts = [f"{text} always {label}ly" for text, label in zip(texts, y, strict=True)]  # words of every document
    if smoothing in ("m-estimate", "marginal") and event_model in ("bernoulli", "normalized-complement"):
        with pytest.raises(ValueError, match="adds the same to every count"):
            TextNB(event_model=event_model, smoothing=smoothing).fit(texts, y)
        return
    weight = np.arange(len(y)) % 3 + 1
    nb = TextNB(event_model=event_model, smoothing=smoothing).fit(texts, y, sample_weight=weight)
    left = nb.leave_one_out(texts, y, sample_weight=weight)
    for i in range(0, len(y), 7):
        rest = np.arange(len(y)) != i
        again = clone(nb).set_params(schema=nb.schema_)
        again.fit([t for t, r in zip(texts, rest, strict=True) if r], y[rest], sample_weight=weight[rest])
        agree(left[i], again.predict_log_proba([texts[i]])[0], 1e-9)


@pytest.mark.parametrize(
    ("event_model", "params"),
    [
        *((event_model, params) for event_model in PEERS if event_model != "bernoulli"
          for params in ({}, {"binary": True}, {"hashing": 64})),
        ("multinomial", {"smoothing": "marginal"}),
        ("complement", {"smoothing": "m-estimate"}),
    ],
)  # fmt: skip
def test_leaving_one_out_takes_inverse_frequencies_from_the_others(event_model, params, letters):
    texts, y, _ = letters
    texts = [f"{text} {'only' * (i % 3)}{i} always {y[i]}ly {y[i]}ly" for i, text in enumerate(texts)]
    texts[3] = None
    weight = np.arange(len(y)) % 3 + 1
    weight[6] = 1000  # by far the most of all documents
    nb = TextNB(event_model=event_model, tf_idf=True, **params).fit(texts, y, sample_weight=weight)
    left = nb.leave_one_out(texts, y, sample_weight=weight)
    for i in range(0, len(y), 3):
        rest = np.arange(len(y)) != i
        again = clone(nb).set_params(schema=nb.schema_)
        again.fit([t for t, r in zip(texts, rest, strict=True) if r], y[rest], sample_weight=weight[rest])
        agree(left[i], again.predict_log_proba([texts[i]])[0], 1e-9)


@pytest.mark.parametrize(
    "params",
    [{}, {"ngrams": (1, 2)}, {"analyzer": "char", "ngrams": (1, 3)}, {"characters": (1, 3)}, {"hashing": 64}],
)
def test_the_default_leaves_a_document_out_as_if_it_were_new(params, letters):
    """Words that it alone holds are not known then, and neither speak nor lengthen it; the numbers settled stay."""
    texts, y, _ = letters
    texts = [f"{text} {'only' * (i % 3)}{i}" for i, text in enumerate(texts)]
    weight = np.arange(len(y)) % 3 + 1
    settled = TextNB(**params).fit(texts, y, sample_weight=weight).schema_.choice(0).event_model.first
    nb = TextNB(event_model=settled, **params).fit(texts, y, sample_weight=weight)
    left = nb.leave_one_out(texts, y, sample_weight=weight)
    for i in range(0, len(y), 7):
        rest = np.arange(len(y)) != i
        again = clone(nb).fit([t for t, r in zip(texts, rest, strict=True) if r], y[rest], sample_weight=weight[rest])
        agree(left[i], again.predict_log_proba([texts[i]])[0], 3e-5)  # views are in single precision


@pytest.mark.parametrize("classes", [2, 3])
def test_two_classes_do_without_the_complement(classes):
    rng = np.random.default_rng(classes)
    y = np.arange(60) % classes
    texts = [" ".join(f"w{(rng.integers(9) + 4 * label) % 15}" for _ in range(9)) for label in y.tolist()]
    rule = TextNB().fit(texts, y).schema_.choice(0).event_model
    lift, complement, mistakes = np.array(rule.beta)
    assert (lift > 0).all()
    assert (mistakes > 0).all()
    assert (complement > 0).all() == (classes > 2)
    assert complement.any() == (classes > 2)


@pytest.mark.parametrize("classes", [2, 3])
def test_mistakes_speak_for_classes_without_the_word_too(classes):
    """What a document is taken for, it is not taken for elsewhere: residuals add up to nothing, word by word."""
    rng = np.random.default_rng(classes)
    y = np.arange(60) % classes
    texts = [" ".join(f"w{(rng.integers(9) + 4 * label) % 15} own{label}" for _ in range(9)) for label in y.tolist()]
    nb = TextNB().fit(texts, y)
    gain, curve = (nb.statistics_["mistakes 0"].dense(name)[:, 1:] for name in ("gain", "curve"))
    agree(gain.sum(axis=0), 0.0, 1e-6)  # added up in single precision
    assert (curve > 0).all()
    assert (nb.statistics_["words 0"].dense("documents")[:, 1:] == 0).any()


def test_runs_of_each_length_weigh_apart(letters):
    """Weights of words serve all runs where none are told; what is settled has its own for each length."""
    texts, y, new = letters
    runs = {"ngrams": (1, 3)}
    alike = [tuple(np.arange(1.0, 11.0)), tuple(np.arange(2.0, 12.0))]
    told = [row for row in alike for _ in range(3)]
    one, other = (TextNB(event_model=Weighted(beta), **runs).fit(texts, y) for beta in (alike, told))
    agree(one.predict_joint_log_proba(new), other.predict_joint_log_proba(new))
    pairs_only = [tuple(np.zeros(10)) if i % 3 != 1 else row for i, row in enumerate(told)]
    nb = TextNB(event_model=Weighted(pairs_only), **runs).fit(texts, y)
    said = nb.predict_joint_log_proba(["car", "ride car please", ""])
    agree(said[0], said[2])
    settled = TextNB(**runs).fit(texts, y).schema_.choice(0).event_model
    assert np.shape(settled.beta) == (9, 10)
    assert np.shape(settled.first.beta) == (6, 10)
    with pytest.raises(ValueError, match="9 rows of weights: none for runs of 2 lengths"):
        TextNB(event_model=settled, ngrams=(1, 2)).fit(texts, y)


@pytest.mark.parametrize("event_model", [*PEERS, "auto"])
def test_a_document_alone_scores_as_it_does_among_others(event_model, letters):
    texts, y, new = letters
    nb = TextNB(event_model=event_model).fit(texts, y)
    agree(nb.predict_joint_log_proba(new), np.concatenate([nb.predict_joint_log_proba([t]) for t in new]), 1e-12)
    agree(np.exp(nb.predict_log_proba(new)).sum(axis=1), 1.0)
    among = nb.predict_log_proba(np.array([*new] * 20, dtype=object))  # by way of a table
    for text, wanted in zip(new, among, strict=False):
        agree(nb.predict_log_proba(text)[0], wanted, 1e-12)
        agree(nb.predict_log_proba([text])[0], wanted, 1e-12)


@pytest.mark.parametrize(
    "params",
    [{"ngrams": (1, 2)}, {"characters": (2, 3)}, {"hashing": 64}, {"tf_idf": True}, {"smoothing": "none"}],
)
@pytest.mark.parametrize("event_model", [*PEERS, "auto"])
def test_words_add_up_to_the_score(event_model, params, letters):
    texts, y, new = letters
    if (params.get("tf_idf") and event_model in ("auto", "bernoulli")) or (
        "smoothing" in params and event_model not in ("multinomial", "auto")
    ):
        with pytest.raises(ValueError, match=r"not go with it|more than nothing"):
            TextNB(event_model=event_model, **params).fit(texts, y)
        return
    nb = TextNB(event_model=event_model, **params).fit(texts, y)
    told = nb.explain(new)
    agree(told.scores, nb.predict_joint_log_proba(new), 1e-12)
    assert told.decisions.tolist() == nb.predict(new).tolist()
    one = nb.explain("my car")
    assert len(one) == 1
    assert "my" in one.to_text()


def test_worked_by_hand():
    nb = TextNB(event_model="multinomial", smoothing=Lidstone(1)).fit(["red car", "red red bike"], ["car", "bike"])
    # vocabulary: bike, car, red; car: 2 words, bike: 3 words
    car = Fraction(1, 2) * Fraction(1 + 1, 2 + 3) * Fraction(1 + 1, 2 + 3)
    bike = Fraction(1, 2) * Fraction(2 + 1, 3 + 3) * Fraction(0 + 1, 3 + 3)
    agree(nb.predict_proba(["red car"])[0], [float(bike / (car + bike)), float(car / (car + bike))])


def test_whatever_holds_the_documents_they_are_read_alike(letters):
    texts, y, _ = letters
    texts = [None if i % 11 == 0 else t for i, t in enumerate(texts)]
    wanted = TextNB().fit(texts, y).predict_proba(texts)
    for X in (
        tuple(texts),
        deque(texts),
        dict(enumerate(texts)).values(),
        np.array(texts, dtype=object),
        pd.Series(texts),
        pd.Series(texts, dtype="string"),
        pd.Series(texts, dtype="string[pyarrow]"),
        pd.Series(texts).astype("category"),
        pa.array(texts),
        pa.array(texts, pa.large_string()),
        pa.array(texts, pa.string_view()),
        pa.array(texts).dictionary_encode(),
        pa.chunked_array([texts[:7], texts[7:]]),
        pa.array([*texts, "more"])[:-1],
        pl.Series(texts),
        [None if t is None else t.encode() for t in texts],
    ):
        np.testing.assert_array_equal(TextNB().fit(X, y).predict_proba(X), wanted)


def test_an_empty_cell_of_a_table_is_a_missing_document_whatever_holds_the_table(letters, tmp_path):
    texts, y, _ = letters
    assert "" in texts
    missing = [t or None for t in texts]
    frame = pd.DataFrame({"message": texts, "desk": y})
    frame.to_parquet(tmp_path / "mails.parquet")
    frame.to_csv(tmp_path / "mails.csv", index=False)
    tables = (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame), frame.to_dict("records"),
              str(tmp_path / "mails.parquet"), str(tmp_path / "mails.csv"))  # fmt: skip
    new = ["my car", "", None, " "]
    rule = Text(event_model="bernoulli")
    wanted = TextNB(event_model="bernoulli").fit(missing, y).predict_proba([t or None for t in new])
    mixed = NaiveBayes(distributions={"message": rule}, smoothing="lidstone")
    for table in tables:
        if isinstance(table, list):
            nb = clone(mixed).fit([{"message": row["message"]} for row in table], y)
        else:
            alone = TextNB(event_model="bernoulli").fit(table, "desk")
            agree(alone.predict_proba(pd.DataFrame({"message": new})), wanted)
            nb = clone(mixed).fit(table, "desk")
        agree(nb.predict_proba(pd.DataFrame({"message": new})), wanted)
        agree(nb.predict_proba([{"message": text} for text in new]), wanted)
        agree(nb.slim(rare=0).predict_proba(pd.DataFrame({"message": new})), wanted, 0.02)


def test_documents_that_come_one_by_one_and_from_files(letters, tmp_path):
    texts, y, _ = letters
    np.testing.assert_array_equal(
        TextNB().fit(iter(texts), iter(y)).predict_proba(texts), TextNB().fit(texts, y).predict_proba(texts)
    )
    texts = [text or "nothing" for text in texts]
    wanted = TextNB().fit(texts, y).predict_proba(texts)
    frame = pd.DataFrame({"message": texts, "desk": y})
    frame.to_parquet(tmp_path / "mails.parquet")
    frame.to_csv(tmp_path / "mails.csv", index=False)
    files = tmp_path / "mails.parquet", str(tmp_path / "mails.parquet"), str(tmp_path / "mails.csv")
    for source in (frame, *files, iter([frame[:20], frame[20:]])):
        nb = TextNB().fit(source, "desk")
        agree(nb.predict_proba(texts), wanted, 1e-12)
        agree(nb.predict_proba(frame[["message"]]), wanted, 1e-12)
    with pytest.raises(ValueError, match="more labels than documents"):
        TextNB().fit(iter(texts[:-1]), iter(y))
    with pytest.raises(ValueError, match="more documents than labels"):
        TextNB().fit(iter(texts), iter(y[:-1]))


def test_documents_that_come_one_by_one_are_as_those_of_a_list(letters):
    texts, y, _ = letters
    texts = [text or "nothing" for text in texts]  # an empty cell of the frame would be missing
    weight = np.arange(len(y)) % 3 + 1.0
    whole = TextNB().fit(texts, y)
    stream = TextNB().fit(iter(texts), iter(y))
    agree(TextNB().fit(iter(texts), iter(y), sample_weight=iter(weight)).class_counts_, np.add.reduceat(
        weight[np.argsort(y, kind="stable")], np.searchsorted(np.sort(y), whole.classes_)))  # fmt: skip
    agree((whole + stream).class_counts_, 2 * whole.class_counts_)
    agree(stream.leave_one_out(iter(texts), iter(y)), whole.leave_one_out(texts, y))
    frame = pd.DataFrame({"message": texts, "desk": y})
    for before in (whole, stream, TextNB().fit(frame, "desk")):
        more = pickle.loads(pickle.dumps(before)).partial_fit(iter(texts), iter(y))
        agree(more.class_counts_, 2 * whole.class_counts_)
        more.forget(iter(texts), iter(y)).tune(iter(texts), iter(y))
        agree(more.predict_proba(texts), before.predict_proba(texts))
    assert whole.score(iter(texts), iter(y)) == whole.score(texts, y)
    assert whole.report(iter(texts), iter(y)).facts == whole.report(texts, y).facts
    with pytest.raises(ValueError, match="there are more documents than weights"):
        TextNB().fit(iter(texts), iter(y), sample_weight=weight[:-1])


class Corpus:
    """Documents that can be gone through again and again, and whose number nobody knows."""

    def __init__(self, items):
        self.items = items

    def __iter__(self):
        return iter(self.items)


def test_a_corpus_is_documents_that_come_one_by_one(letters):
    texts, y, _ = letters
    whole, nb = TextNB().fit(texts, y), TextNB().fit(Corpus(texts), Corpus(y))
    np.testing.assert_array_equal(nb.class_counts_, whole.class_counts_)
    np.testing.assert_array_equal(nb.predict_proba(Corpus(texts)), nb.predict_proba(texts))
    assert sum(len(batch) for batch in nb.predict_batches(Corpus(texts))) == len(texts)


@pytest.mark.parametrize("labels", [[1, "a"], [True, 1], [2.5, 1.0], [b"a", None]])
def test_labels_that_come_one_by_one_are_refused_as_those_of_a_list(labels):
    """An array of NumPy's kind would make text, or numbers, of all of them."""
    for y in (labels, iter(labels)):
        with pytest.raises((TypeError, ValueError), match=r"row [01]"):
            TextNB().fit(iter(["a car", "a bike"]), y)


@pytest.mark.parametrize("beside", [{"y": 3}, {"y": None}, {"y": ["a"], "sample_weight": "weight"},
                                    {"y": ["a"], "sample_weight": 2}])  # fmt: skip
def test_what_stands_beside_documents_that_come_one_by_one_comes_so_as_well(beside):
    with pytest.raises(TypeError, match=r"(y|sample_weight)=.*: .* comes so as well: give an iterable"):
        TextNB().fit(iter(["a car"]), **beside)


@pytest.mark.parametrize("wrong", [3, b"\xff"])
def test_a_wrong_document_of_many_that_come_one_by_one_is_told_by_its_row(wrong, letters, monkeypatch):
    texts, y, _ = letters
    nb = TextNB().fit(texts, y)
    monkeypatch.setattr("candide.text.documents.BATCH", 16)
    given = [*texts[:21], wrong, *texts[22:]]
    for work in (
        lambda: TextNB().fit(iter(given), iter(y)),
        lambda: nb.partial_fit(iter(given), iter(y)),
        lambda: list(nb.predict_batches(iter(given))),
    ):
        with pytest.raises((TypeError, ValueError), match=r"(row|document) 5") as refused:
            work()
        said = "; ".join([str(refused.value), *getattr(refused.value, "__notes__", [])])
        assert said.endswith("rows counted from row 16")


def test_long_documents_that_come_one_by_one_are_held_a_few_at_a_time(letters, monkeypatch):
    texts, y, _ = letters
    monkeypatch.setattr("candide.text.documents.MOST_HELD", 100)
    ahead = [0]

    def came():
        for text in texts:
            ahead[0] += len(text)
            assert ahead[0] <= 100 + len(text)
            yield text

    def labels():
        for text, label in zip(texts, y, strict=True):
            ahead[0] -= len(text)
            yield label

    stream = TextNB(event_model="multinomial").fit(came(), labels())
    agree(stream.predict_log_proba(texts), TextNB(event_model="multinomial").fit(texts, y).predict_log_proba(texts))


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize(
    "holding", [list, iter, pd.Series, pl.Series, pa.array, lambda texts: pa.chunked_array([texts]), np.array],
)  # fmt: skip
def test_documents_are_answered_in_batches_whatever_holds_them(holding, named, letters, monkeypatch):
    texts, y, _ = letters
    monkeypatch.setattr("candide.text.documents.BATCH", 16)
    nb = TextNB().fit(pd.DataFrame({"message": texts, "desk": y}), "desk") if named else TextNB().fit(texts, y)
    batches = list(nb.predict_batches(holding(texts), proba=True))
    assert len(batches) == (-(-len(texts) // 16) if holding is iter else 1)
    found = np.concatenate([np.column_stack([batch[f"P({c})"] for c in nb.classes_]) for batch in batches])
    agree(found, nb.predict_proba(texts), 1e-12)
    frames = [pd.DataFrame({"message": texts[:5]})] * 2
    assert [len(batch) for batch in nb.predict_batches(iter(frames if named else [texts[:5]] * 2))] == [5, 5]


def test_a_missing_document_may_come_first(letters):
    texts, y, _ = letters
    (batch,) = TextNB().fit(texts, y).predict_batches(iter([None, *texts]))
    assert len(batch) == 1 + len(texts)


@pytest.mark.parametrize(
    "pairs", [lambda texts, y: iter(zip(texts, y, strict=True)), lambda texts, _: iter([[t] for t in texts])]
)
def test_pairs_that_come_one_by_one_are_no_documents(pairs, letters):
    texts, y, _ = letters
    with pytest.raises(TypeError, match=r"a document is text; .* two iterators, fit\(texts, labels\)"):
        TextNB().fit(pairs(texts, y), None)


def test_documents_that_come_one_by_one_are_answered(letters):
    texts, y, _ = letters
    nb = TextNB().fit(texts, y)
    np.testing.assert_array_equal(nb.predict(iter(texts)), nb.predict(texts))
    np.testing.assert_array_equal(nb.predict_proba(text for text in texts), nb.predict_proba(texts))
    assert nb.predict(iter(())).tolist() == []


@pytest.mark.parametrize(
    "given",
    [[3], [3.5, "a text"], ["a text", 3], iter([3]), np.array([3, 4]), [date(2020, 1, 1)], [{"a", "text"}], [len],
     [bytearray(b"a text")], [pa.scalar("a text")]],
)  # fmt: skip
def test_numbers_are_no_documents(given, letters):
    texts, y, _ = letters
    nb = TextNB().fit(texts, y)
    with pytest.raises(TypeError, match=r"holds .* in row .; a document is text"):
        nb.predict(given)


@pytest.mark.parametrize("given", [[["my", "car"], ["bike"]], [["my", "car"], ["new", "bike"]], [(), ("bike",)]])
def test_words_that_were_found_before_are_no_documents(given, letters):
    texts, y, _ = letters
    with pytest.raises(TypeError, match=r"row 0 of X is a .* a document is text; .* as ' '.join\(words\) does"):
        TextNB().fit(given, ["car", "bike"])
    with pytest.raises(TypeError, match="a document is text"):
        TextNB().fit(texts, y).predict(given)


def test_an_array_of_one_text_is_a_document(letters):
    texts, y, _ = letters
    nb = TextNB().fit(texts, y)
    np.testing.assert_array_equal(nb.predict_proba(np.array(texts[0])), nb.predict_proba(texts[0]))
    with pytest.raises(TypeError, match="a document is text"):
        nb.predict(np.array(3.5))


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"hashing": 50},
        {"ngrams": (1, 2), "stop_words": ["my"]},
        {"ngrams": (1, 2), "characters": (2, 3)},
        {"event_model": "bernoulli"},
    ],
)
def test_files_keep_everything(params, letters, tmp_path):
    texts, y, new = letters
    nb = TextNB(**params).fit(texts, y)
    nb.save(tmp_path / "model.json")
    again = candide.load(tmp_path / "model.json")
    assert type(again) is TextNB
    assert repr(again) == repr(nb)
    np.testing.assert_array_equal(again.predict_proba(new), nb.predict_proba(new))
    more = again.partial_fit(texts[:5], y[:5])
    wanted = nb.partial_fit(texts[:5], y[:5])
    np.testing.assert_array_equal(more.predict_proba(new), wanted.predict_proba(new))
    more.save(tmp_path / "model.json")
    np.testing.assert_array_equal(candide.load(tmp_path / "model.json").predict_proba(new), wanted.predict_proba(new))


@pytest.mark.parametrize(
    ("find", "put"),
    [
        ('"words": ["', '"words": ["zebra", "'),
        ('"count": [', '"count": [-1, '),
        ('"documents": [', '"documents": [0, '),
        ('"numbers": "keep"', '"numbers": "perhaps"'),
        ('"gaps": [', '"gaps": [0, '),
        ('"keeps": ["words"]', '"keeps": ["cells"]'),
        ('"kind": "bags"', '"kind": "symbols"'),
    ],
)
def test_files_that_no_documents_give_are_refused(find, put, letters, tmp_path):
    from candide.estimator.files import ModelFileError, seal

    texts, y, _ = letters
    path = tmp_path / "model.json"
    TextNB(event_model="multinomial").fit(texts, y).save(path)
    text = path.read_text()
    assert find in text
    changed = text.replace(find, put, 1)
    path.write_bytes(seal("{\n" + changed.partition("\n")[2].removesuffix("}\n")))
    with pytest.raises(ModelFileError):
        candide.load(path)


def test_scikit_learns_tools_take_it(letters):
    texts, y, _ = letters
    search = GridSearchCV(TextNB(), {"event_model": ["auto", "multinomial"], "ngrams": [(1, 1), (1, 2)]}, cv=3)
    assert search.fit(np.array(texts, dtype=object), y).best_score_ > 0.6
    assert len(cross_val_predict(TextNB(), texts, y, cv=3)) == len(y)
    pipeline = make_pipeline(TextNB())
    assert pipeline.fit(texts, y).score(texts, y) > 0.8
    nb = TextNB(stop_words=["my"]).fit(texts, y)
    assert clone(nb).get_params() == nb.get_params()
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(nb)).predict_proba(texts), nb.predict_proba(texts))


def test_weights_are_repeated_documents(letters):
    texts, y, new = letters
    weight = np.arange(len(y)) % 3
    for event_model in PEERS:
        weighted = TextNB(event_model=event_model).fit(texts, y, sample_weight=weight)
        repeated = TextNB(event_model=event_model).fit(
            np.repeat(np.array(texts, dtype=object), weight), np.repeat(y, weight)
        )
        agree(weighted.predict_proba(new), repeated.predict_proba(new))


def test_a_rule_can_be_changed_after_learning_but_not_what_a_word_is(letters):
    texts, y, new = letters
    nb = TextNB(event_model="multinomial").fit(texts, y)
    for params in ({"event_model": "bernoulli"}, {"smoothing": Lidstone(0.1)}, {"min_df": 3}, {"event_model": "auto"}):
        nb.set_params(**params)
        wanted = clone(nb).fit(texts, y)
        if params.get("event_model") != "auto":
            np.testing.assert_array_equal(nb.predict_proba(new), wanted.predict_proba(new))
    nb.tune(texts, y)
    agree(nb.predict_proba(new), clone(nb).fit(texts, y).predict_proba(new))
    nb.set_params(ngrams=(1, 2))
    with pytest.raises(ValueError, match="refit"):
        nb.predict(new)
    with pytest.raises(ValueError, match="same preprocessing"):
        TextNB().fit(texts, y) + TextNB(ngrams=(1, 2)).fit(texts, y)


def test_one_document_is_not_all_of_them(letters):
    """1 and 1.0 are equal, and the first is a document, the second all of them."""
    texts, y, _ = letters
    texts = [f"{text} number{i}" for i, text in enumerate(texts)]

    def used(nb):
        return len(nb.model_.blocks[0].selection.factor)

    for event_model in ("auto", "multinomial"):
        nb = TextNB(event_model=event_model).fit(texts, y)
        all_words = used(nb)
        assert used(nb.set_params(max_df=1)) == used(clone(nb).fit(texts, y)) < all_words
        assert repr(nb) != repr(TextNB(event_model=event_model))
    assert Text(max_df=1) != Text(max_df=1.0)
    assert repr(Text(max_df=1)) == "Text(max_df=1)"


@pytest.mark.parametrize("event_model", ["auto", "multinomial"])
@pytest.mark.parametrize(
    ("name", "given", "change"),
    [
        ("stop_words", ["my"], lambda given: given.append("car")),
        ("stop_words", {"my"}, lambda given: given.add("car")),
        ("ngrams", [1, 1], lambda given: given.__setitem__(1, 2)),
        ("stop_words", np.array(["my", "car"]), lambda given: given.__setitem__(0, "the")),
    ],
)  # fmt: skip
def test_a_list_that_is_changed_after_learning_is_a_change_of_words(event_model, name, given, change, letters):
    texts, y, new = letters
    nb = TextNB(event_model=event_model, **{name: copy(given)}).fit(texts, y)
    change(getattr(nb, name))
    with pytest.raises(ValueError, match="refit"):
        nb.predict(new)


def test_what_is_remembered_of_words_is_that_of_the_rule(letters, tmp_path):
    texts, y, new = letters
    nb = TextNB().fit(texts, y)
    before = nb.predict_log_proba(new)
    nb.save(tmp_path / "nb.json")
    for min_df, max_features in ((3, None), (1, 4), (1, None)):
        params = {"min_df": min_df, "max_features": max_features}
        other = candide.load(tmp_path / "nb.json").set_params(**params)  # which remembers nothing
        np.testing.assert_array_equal(nb.set_params(**params).predict_log_proba(new), other.predict_log_proba(new))
    np.testing.assert_array_equal(nb.predict_log_proba(new), before)
    assert not np.array_equal(nb.set_params(max_features=4).predict_log_proba(new), before)


def test_what_cannot_be_is_refused_and_changes_nothing(letters):
    texts, y, new = letters
    nb = TextNB().fit(texts, y)
    before = nb.predict_proba(new)
    with pytest.raises(TypeError, match="row 1; a document is text"):
        nb.partial_fit(["fine", 3.5], ["car", "bike"])
    with pytest.raises(ValueError, match="cannot forget"):
        nb.forget(["never seen words"], ["car"])
    with pytest.raises(ValueError, match="cannot forget"):
        nb.forget(["car " * 500], ["car"])
    with pytest.raises(ValueError, match="one column of documents"):
        TextNB().fit(pd.DataFrame({"a": texts, "b": texts}), y)
    with pytest.raises(ValueError, match="event_model='poisson' is not known"):
        TextNB(event_model="poisson").fit(texts, y)
    with pytest.raises(ValueError, match=r"min_df=2\.5"):
        TextNB(min_df=2.5).fit(texts, y)
    with pytest.raises(ValueError, match="there is no class 'plane'"):
        nb.top_words("plane")
    for n in (-1, 1.5, "3"):
        with pytest.raises(ValueError, match="how many words, a whole number"):
            nb.top_words("car", n)
    with pytest.raises(ValueError, match="document 1 is no UTF-8 at byte 2"):
        nb.partial_fit([b"fine", b"ab\xff"], ["car", "bike"])
    np.testing.assert_array_equal(nb.predict_proba(new), before)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"stop_words": 3}, "stop_words=3: a language, a list of words, or None"),
        ({"stop_words": [3]}, r"stop_words=\[3\]: a language"),
        ({"tokenizer": lambda text: [len(text)]}, "returned .* for 'my car': words are text"),
        ({"tokenizer": str.isupper}, "returned False for 'my car': words are text"),
        ({"min_df": 3, "max_df": 2}, "min_df=3 is above max_df=2: no word would be left"),
        ({"stem": ["english"]}, r"stem=\['english'\]: a language, or None"),
        ({"lemmatize": True}, "lemmatize=True: a language, or None"),
        ({"event_model": "multinomial", "tf_idf": "no"}, "tf_idf='no': True or False"),
        ({"event_model": "multinomial", "binary": "no"}, "binary='no': True or False"),
        ({"costs": "car"}, "costs='car': what decisions cost is"),
    ],
)
def test_what_gives_no_words_is_told_in_one_line(params, message):
    with pytest.raises((TypeError, ValueError), match=message) as told:
        TextNB(**params).fit(["my car", "my bike"], ["car", "bike"])
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("kind", [float, np.float64, np.float32, np.float16])
def test_shares_of_documents_are_such_in_every_precision(kind):
    texts, y = ["my car", "my bike", "car", "bike"] * 2, ["a", "b"] * 4
    for limits in ({"max_df": 0.25}, {"min_df": 0.5}, {"min_df": 0.25, "max_df": 0.5}):
        nb = TextNB(event_model="multinomial", **{name: kind(limit) for name, limit in limits.items()})
        wanted = CountVectorizer(**limits)
        try:
            words = wanted.fit(texts).get_feature_names_out().tolist()
        except ValueError:  # no word is left
            words = []
        with pytest.warns(UserWarning, match="say nothing") if not words else nullcontext():
            nb.fit(texts, y)
        (bag,) = nb.model_.blocks
        assert bag.selection.spoken == words
    with pytest.raises(ValueError, match="is above max_df"):
        TextNB(min_df=0.5, max_df=kind(0.25)).fit(texts, y)


def test_no_function_is_asked_for_the_words_of_a_missing_document():
    nb = TextNB(event_model="multinomial", tokenizer=lambda text: text.split(" "))
    nb.fit(["my car", None, "my bike"], ["a", "b", "b"])
    assert nb.schema_.columns[0].axis.words.text == ["bike", "car", "my"]


@pytest.mark.parametrize("kind", [pa.string(), pa.binary()])
def test_chunks_of_more_text_than_their_offsets_reach_are_read(kind, letters, monkeypatch):
    texts, y, _ = letters
    chunks = pa.chunked_array([texts[:7], texts[7:]], pa.string()).cast(kind)
    monkeypatch.setattr(bags, "MOST_REACHED", 10)
    assert bags.combined(chunks).type in (pa.large_string(), pa.large_binary())
    np.testing.assert_array_equal(
        TextNB().fit(chunks, y).predict_proba(chunks), TextNB().fit(texts, y).predict_proba(texts)
    )


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary()])
def test_bytes_of_an_arrow_column_are_told_by_row_and_place(kind):
    y, nb = ["a", "b", "b"], TextNB(event_model="multinomial")
    found = nb.fit(pa.array([b"my car", None, "été".encode()], kind), y).predict_proba(["été"])
    agree(found, nb.fit(["my car", None, "été"], y).predict_proba(["été"]))
    with pytest.raises(ValueError, match="document 1 is no UTF-8 at byte 3"):
        TextNB().fit(pa.array([b"my car", b"my \xff"], kind), ["a", "b"])


@pytest.mark.parametrize("none", [3, None, 2.5])
def test_what_is_no_document_at_all_is_told_in_one_line(none):
    nb = TextNB().fit(["my car", "my bike"], ["car", "bike"])
    with pytest.raises(TypeError, match="a document is text, and several are a list or a column of them") as told:
        nb.predict(none)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    "words",
    [["the", "my"], ["my", "the"], ("my", "the"), {"my", "the"}, frozenset(["my", "the"]), np.array(["my", "the"])],
)
def test_words_to_be_dropped_are_the_same_in_whatever_holds_them(words, letters, tmp_path):
    texts, y, new = letters
    one = TextNB(event_model="multinomial", stop_words=["my", "the"]).fit(texts, y)
    other = TextNB(event_model="multinomial", stop_words=words).fit(texts, y)
    other.save(tmp_path / "model.json")
    again = candide.load(tmp_path / "model.json")
    for nb in (other, again):
        agree((one + nb).predict_proba(new), (one + one).predict_proba(new))
    agree(again.partial_fit(texts, y).predict_proba(new), (one + one).predict_proba(new))


def test_a_function_is_not_saved(tmp_path):
    nb = TextNB(tokenizer=str.split).fit(["my car", "my bike"], ["car", "bike"])
    with pytest.raises(TypeError, match="a model file holds no code; pickle the model"):
        nb.save(tmp_path / "nb.json")
    assert pickle.loads(pickle.dumps(nb)).predict(["car"]).tolist() == ["car"]


def test_the_words_of_a_class(letters):
    texts, y, _ = letters
    for event_model in (*PEERS, "auto"):
        nb = TextNB(event_model=event_model).fit(texts, y)
        words = dict(nb.top_words("bike", 4))
        assert set(words) == {"bike", "helmet", "ride", "été"}
        assert all(weight > 0 for weight in words.values())
        two = [w for w, _ in nb.top_words("car", 2)]
        f = nb.model_.blocks[0].scale * nb.model_.blocks[0].table.dense(
            np.arange(len(nb.model_.blocks[0].selection.factor))
        )
        contrast = f[:, 1] - f[:, 0]
        texts_ = nb.model_.blocks[0].selection.spoken
        assert two == [texts_[i] for i in np.argsort(-contrast, kind="stable")[:2]]


def test_words_that_exclude_other_classes_speak_most():
    texts, y = ["aa aa bb", "cc dd aa", "cc ee aa aa"], ["car", "bike", "bus"]
    nb = TextNB(event_model="multinomial", smoothing="none").fit(texts, y)
    assert nb.top_words("car", 1) == [("bb", np.inf)]
    says = np.log(1 / 3) - (np.log(2 / 3) + np.log(1 / 2)) / 2
    assert nb.top_words("bike") == [("cc", np.inf), ("dd", np.inf), ("aa", pytest.approx(says))]


def test_the_words_of_a_class_say_what_they_say_alone(letters):
    texts, y, _ = letters
    for event_model in ("multinomial", "complement", "auto"):
        nb = TextNB(event_model=event_model).fit(texts * 9, [*y] * 9)
        for c, label in enumerate(nb.classes_):
            words, weights = zip(*nb.top_words(label, 5), strict=True)
            said = nb.predict_joint_log_proba(list(words)) - nb.predict_joint_log_proba([""])
            if event_model == "auto":  # a word is told without what any document says, and its length
                bag = nb.model_.blocks[0]
                said -= bag.weights.bias + bag.weights.of_length(bag.log_length(np.ones(1)))
            np.testing.assert_allclose(weights, said[:, c] - np.delete(said, c, axis=1).mean(axis=1), rtol=1e-9)
            assert list(weights) == sorted(weights, reverse=True)


def short_and_long(rng, n):
    """Documents whose words tell nothing of their classes, and whose lengths tell them."""
    y = rng.choice(["long", "short"], n)
    lengths = np.where(y == "long", rng.integers(20, 60, n), rng.integers(4, 12, n))
    return [" ".join(f"word{w}" for w in rng.integers(0, 200, length)) for length in lengths], y


@pytest.mark.parametrize("event_model", ["auto", "multinomial", "normalized-complement"])
def test_few_words_of_a_class_are_the_first_of_all(event_model):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, 400)
    words = rng.zipf(1.3, (400, 12)) % 300 + 7 * y[:, None]
    nb = TextNB(event_model).fit([" ".join(f"w{w}" for w in row) for row in words], y)
    for label in range(5):
        every = [weight for _, weight in nb.top_words(label, 1000)]
        assert every == sorted(every, reverse=True)
        for n in (1, 5, 20):
            assert [weight for _, weight in nb.top_words(label, n)] == every[:n]


def test_documents_are_told_apart_by_their_length():
    rng = np.random.default_rng(0)
    learnt, of = short_and_long(rng, 300)
    nb, vocabulary = TextNB().fit(learnt, of), {*" ".join(learnt).split()}
    texts, y = short_and_long(rng, 200)
    assert nb.score(texts, y) > 0.9
    told = nb.explain(texts[:5])
    at = told.names.index("(number of words)")
    assert [cells[at] for cells in told.cells] == [len({*text.split()} & vocabulary) for text in texts[:5]]
    np.testing.assert_allclose(told.scores, nb.predict_joint_log_proba(texts[:5]), rtol=1e-10)
    unknown, empty = nb.predict_joint_log_proba(["nothing known", ""])
    np.testing.assert_array_equal(unknown, empty)
    np.testing.assert_allclose(unknown, nb.model_.log_prior)  # what says nothing is answered by the prior
    left = nb.leave_one_out([*learnt[:3], ""], [*of[:3], "long"])  # by the prior without the document itself
    counts = nb.class_counts_ - (nb.classes_ == "long")
    np.testing.assert_allclose(left[3], np.log(counts / counts.sum()))


def test_what_lengths_say_is_kept_and_refused_where_it_cannot_be(tmp_path):
    texts, y = short_and_long(np.random.default_rng(1), 100)
    nb = TextNB().fit(texts, y)
    nb.save(tmp_path / "nb.json")
    agree(candide.load(tmp_path / "nb.json").predict_proba(texts), nb.predict_proba(texts))
    rule = nb.schema_.choice(0).event_model
    assert len(rule.by_length) == 2
    for wrong in ([1.0], [np.nan, 0.0], [1e9, 0.0]):
        with pytest.raises(ValueError, match="Weighted has"):
            Weighted(bias=rule.bias, classes=rule.classes, by_length=wrong).check()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"beta": [[1.0] * 10, [1.0] * 9]}, "each of as many weights"),
        ({"beta": []}, "each of as many weights"),
        ({"length": -1e308}, "length beyond"),
        ({"length": np.nan}, "length beyond"),
        ({"classes": ["a", "a"], "bias": [0.0, 0.0]}, "a class twice"),
    ],
)
def test_numbers_that_no_documents_settle_are_refused(wrong, said):
    """They were read, and failed in the midst of scoring, or gave posteriors that are no numbers."""
    with pytest.raises(ValueError, match=said):
        Weighted(**wrong).check()


def test_a_file_answers_by_the_softening_it_was_settled_beside(tmp_path, monkeypatch):
    """A later release may soften words otherwise: what was settled before it, and left out, is answered as before."""
    texts, y = short_and_long(np.random.default_rng(2), 100)
    nb = TextNB().fit(texts, y)
    nb.save(tmp_path / "nb.json")
    told, left = nb.predict_proba(texts), nb.leave_one_out(texts, y)
    other = Softening(0.6, 0.3, 0.5)
    for function in (Weighted.__init__, lift_views, mistake_views):
        defaults = tuple(other if isinstance(of, Softening) else of for of in function.__defaults__)
        monkeypatch.setattr(function, "__defaults__", defaults)
    again = candide.load(tmp_path / "nb.json")
    agree(again.predict_proba(texts), told)
    agree(again.leave_one_out(texts, y), left)
    kept = nb.schema_.choice(0).event_model
    softer = TextNB(event_model=Weighted(kept.beta[:2], kept.pace, kept.bias, classes=kept.classes)).fit(texts, y)
    assert np.abs(softer.predict_proba(texts) - told).max() > 0.01
    for wrong in ((0.5, 0.5), (0.0, 0.5, 0.5), (0.5, 1.5, 0.5), (0.5, 0.5, np.nan)):
        with pytest.raises(ValueError, match="three numbers of softening"):
            Weighted(softening=wrong).check()


def test_documents_to_come_say_a_little_less_than_those_left_out(monkeypatch):
    texts, y = short_and_long(np.random.default_rng(2), 100)
    now = TextNB().fit(texts, y).schema_.choice(0).event_model.pace[0]
    monkeypatch.setattr(word_weights, "LATER", 0.0)
    assert TextNB().fit(texts, y).schema_.choice(0).event_model.pace[0] == pytest.approx(now + 0.03)


def test_other_documents_that_are_alike_ask_for_no_other_pace(monkeypatch):
    """Of twins one settles the numbers: the first ones on a quarter of these, and what others ask for is told apart."""
    rng = np.random.default_rng(4)
    y = np.arange(120) % 3
    texts = [" ".join(f"w{(rng.integers(9) + 4 * label) % 15}" for _ in range(9)) for label in y.tolist()]
    twins = [text for text in texts for _ in range(2)], np.repeat(y, 2)
    monkeypatch.setattr(word_weights, "MOST_VIEWS", 30 * 3 * len(y))
    monkeypatch.setattr(word_weights, "MOST_FIRST", 30 * 3 * len(y) // 4)
    pace = TextNB().fit(*twins).schema_.choice(0).event_model.pace
    monkeypatch.setattr(ViewWeights, "pace_elsewhere", lambda *_: 0.0)
    agree(pace, TextNB().fit(*twins).schema_.choice(0).event_model.pace, 1e-6)


def test_many_classes_and_words_stay_sparse():
    rng = np.random.default_rng(0)
    y = np.arange(4000) % 2000
    texts = [f"only{i} class{c} word{rng.integers(1000)}" for i, c in enumerate(y)]
    nb = TextNB(event_model="multinomial").fit(texts, y)
    sums = nb.statistics_["words 0"]
    assert sums.sizes == (2000, 7001 - (1000 - len({t.split()[2] for t in texts})))
    assert len(sums.at) <= 3 * 4000
    assert len(nb.model_.blocks[0].table.values) == len(sums.at)
    assert nb.score(texts[:50], y[:50]) == 1.0


def test_the_default_is_settled_on_as_many_documents_as_there_is_room_for(monkeypatch):
    """Nothing is held for each of all documents and each of all classes."""
    n, k = 4000, 1000
    monkeypatch.setattr(word_weights, "MOST_NUMBERS", 20 * k * 200)
    texts, y = [f"word{i} thing{i % k}" for i in range(n)], np.arange(n) % k
    TextNB().fit(texts[:40], y[:40] % 3)  # what is imported and made once
    tracemalloc.start()
    nb = TextNB().fit(texts, y)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert nb.schema_.choice(0).event_model.documents == 200
    assert most < n * k * 8


def test_millions_of_words_lose_no_digit():
    texts, y = ["alpha beta gamma", "beta delta", "epsilon zeta alpha alpha", "gamma gamma delta zeta"], ["a", "b"] * 2
    nb = TextNB(event_model="multinomial").fit(texts, y)
    words = np.array(["alpha", "beta", "gamma", "delta", "epsilon", "zeta"])
    drawn = np.random.default_rng(1).integers(0, len(words), 1_000_000)
    counted = CountVectorizer().fit(texts)
    x = np.zeros((1, len(words)))
    x[0, [counted.vocabulary_[word] for word in words]] = np.bincount(drawn)
    wanted = MultinomialNB().fit(counted.transform(texts), y).predict_log_proba(x)
    agree(nb.predict_log_proba([" ".join(words[drawn])]), wanted)


def test_a_long_document_and_no_words():
    nb = TextNB(event_model="multinomial").fit(["car " * 2_500_000, "bike"], ["car", "bike"])
    assert nb.statistics_["words 0"].dense("count").tolist() == [[0, 1, 0], [0, 0, 2_500_000]]
    with pytest.warns(UserWarning, match="say nothing: none of them holds a word that is kept"):
        empty = TextNB().fit(["", " . "], ["a", "b"])
    agree(empty.predict_proba(["anything"]), [[0.5, 0.5]])


@pytest.mark.parametrize("event_model", [*PEERS, "auto"])
@pytest.mark.parametrize(
    ("params", "why"),
    [
        ({"min_df": 9}, "min_df=9 and max_df=1.0 leave none of their words"),
        ({"max_df": 0.2}, "min_df=1 and max_df=0.2 leave none"),
        ({"min_df": 9, "hashing": 64}, "min_df=9"),
        ({"stop_words": ["car", "bike", "my"]}, "none of them holds a word that is kept"),
    ],
)
def test_words_none_of_which_is_used_are_told(event_model, params, why):
    texts, y = ["my car", "my bike", "car", "bike"] * 2, ["a", "b"] * 4
    with pytest.warns(UserWarning, match=f"the documents say nothing: .*{why}"):
        nb = TextNB(event_model=event_model, **params).fit(texts, y)
    agree(nb.predict_proba(["my car"]), [[0.5, 0.5]])
    stream = TextNB(event_model=event_model, **params)
    for start in range(0, 8, 2):  # says nothing until somebody asks
        stream.partial_fit(texts[start : start + 2], y[start : start + 2])
    with pytest.warns(UserWarning, match=why):
        stream.predict(["my car"])
    stream.partial_fit(texts * 2, y * 2)
    if "min_df" in params:  # and then there are words
        assert stream.predict(["my bike", "car"]).tolist() == ["b", "a"]


def test_documents_that_are_all_missing_are_no_fault_of_words():
    agree(TextNB().fit([None, None], ["a", "b"]).predict_proba(["car"]), [[0.5, 0.5]])


@pytest.mark.parametrize("event_model", ["auto", "multinomial", "bernoulli", "complement"])
def test_one_number_says_how_much_words_count(event_model, tmp_path):
    """Every document said thrice over is three times as sure, and tells no more: the temperature finds it out."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 240)
    words = [rng.choice(6, 4, p=[0.3, 0.2, 0.2, 0.1, 0.1, 0.1][:: 1 - 2 * c]) for c in y]
    texts = [" ".join(f"w{w}x{i}" for w in document for i in range(3)) for document in words]
    plain = TextNB(event_model=event_model).fit(texts[:160], y[:160])
    nb = TextNB(event_model=event_model, weights="temperature").fit(texts[:160], y[:160])
    loss = [-model.predict_log_proba(texts[160:])[np.arange(80), y[160:]].mean() for model in (plain, nb)]
    assert loss[1] < loss[0] + 0.01
    assert nb.temperature_ < 0.6 or event_model == "auto"  # which is calibrated by itself
    assert nb.tuned_on_ == 160
    np.testing.assert_allclose(nb.predict_proba(texts[:3]), nb.predict_proba(texts)[:3])
    np.testing.assert_allclose(nb.explain(texts[:5]).scores, nb.predict_joint_log_proba(texts[:5]))
    spoken = [[speaks for _, speaks in model.top_words(1, 4)] for model in (plain, nb)]
    np.testing.assert_allclose(spoken[1], nb.temperature_ * np.array(spoken[0]))
    nb.save(tmp_path / "m.json")
    assert (candide.load(tmp_path / "m.json").predict_proba(texts) == nb.predict_proba(texts)).all()


@pytest.mark.parametrize(
    ("vocabulary", "own", "other", "documents"), [(1000, 15, 3, 60), (1000, 10, 5, 60), (3000, 40, 20, 30)]
)
def test_few_documents_that_are_told_apart_do_not_make_the_default_sure_of_everything(
    vocabulary, own, other, documents
):
    rng = np.random.default_rng(0)
    words = {c: [f"{c}{i}" for i in range(vocabulary)] for c in "ab"}
    share = 1 / np.arange(1, vocabulary + 1)

    def document(c, mine, theirs):
        taken = (rng.choice(words[of], n, p=share / share.sum()) for of, n in ((c, mine), ("ab"[c == "a"], theirs)))
        return " ".join(np.concatenate(list(taken)))

    y = np.array(list("ab") * (documents // 2))
    nb = TextNB().fit([document(c, own, other) for c in y], y)
    assert nb.score([document(c, own, other) for c in y], y) > 0.8
    # of as many words of each class: whichever class such a document is of, it is no surprise of hundreds of nats
    assert nb.predict_log_proba([document("a", own, own) for _ in range(50)]).min() > -30


def test_documents_have_one_weight():
    with pytest.raises(ValueError, match="TextNB takes 'temperature'"):
        TextNB(weights="tuned").fit(["a car", "a bike"], [0, 1])


@pytest.mark.parametrize(
    "params", [{}, {"min_df": 2}, {"stem": "english", "stop_words": "english"}, {"ngrams": (1, 2)}]
)
def test_words_kept_from_the_count_are_those_that_are_read_again(params, monkeypatch):
    rng = np.random.default_rng(0)
    topics = (["car", "cars", "wheel", "the", "été"], ["bike", "bikes", "helmet", "the", "naïve"])
    y = rng.integers(0, 2, 200)
    texts = [" ".join(rng.choice(topics[c] if rng.random() < 0.9 else topics[1 - c], 6)) for c in y.tolist()]
    kept = TextNB(**params).fit(texts, y)
    monkeypatch.setattr("candide.engines.sample.MOST_TEXT", 0)
    again = TextNB(**params).fit(texts, y)
    np.testing.assert_array_equal(kept.predict_log_proba(texts), again.predict_log_proba(texts))
    assert kept.model_.blocks[0].rule == again.model_.blocks[0].rule


def test_an_explanation_names_the_words_of_buckets(letters):
    texts, y, _ = letters
    for event_model in ("auto", "multinomial"):
        words = TextNB(event_model=event_model, hashing=2**20).fit(texts, y).explain("my helmet").to_frame()
        assert {"my", "helmet"} <= set(words.attribute)
    few = TextNB(event_model="multinomial", hashing=1).fit(texts, y)
    assert "helmet, my" in set(few.explain("my helmet").to_frame().attribute)
    assert few.top_words("car") == [("bucket 0", pytest.approx(0.0))]


def test_what_is_said_of_documents_where_they_do_not_go():
    frame = pd.DataFrame({"message": ["my car", "my bike"] * 5, "color": ["red", "blue"] * 5})
    y = ["car", "bike"] * 5
    text = {"message": "text"}
    with pytest.raises(ValueError, match="'message' holds documents, which are counted word by word and join no group"):
        NaiveBayes(distributions=text, groups=[["message", "color"]]).fit(frame, y)
    with pytest.raises(ValueError, match="leave it out, or take each text for a level"):
        NaiveBayes(distributions=text, combination="sum").fit(frame, y)
    with pytest.raises(ValueError, match="event_model='auto' and weights='temperature' have"):
        TextNB(event_model="multinomial").fit(frame.message, y).tune(frame.message, y)


@pytest.mark.parametrize("event_model", ["auto", "multinomial", "bernoulli", "complement"])
@pytest.mark.parametrize("options", [{}, {"tf_idf": True}, {"hashing": 64}, {"ngrams": (1, 2)}, {"characters": (2, 3)}])
def test_an_explanation_tells_how_often_a_word_stands_there(event_model: str, options: dict[str, Any]) -> None:
    if options.get("tf_idf") and event_model in ("auto", "bernoulli"):
        pytest.skip("these have weights of their own")
    nb = TextNB(event_model=event_model, **options).fit(
        ["red red blue", "blue green", "red", "green blue"], [0, 1, 0, 1]
    )
    told = nb.explain(["blue red red red"])
    cells = {name: cell for name, cell, _ in told.weights(0) if cell}
    np.testing.assert_allclose(told.scores[0], told.prior + told.contributions[0].sum(axis=1))
    if not options.get("hashing"):
        assert cells["red"] == 3
        assert cells["blue"] == 1


def test_documents_are_read_once_to_be_counted_and_settled(monkeypatch):
    texts = ["my car broke down", "insure my motorbike", "car and motorbike", "the car is new"] * 10
    labels = ["car", "bike", "bike", "car"] * 10
    frame = pd.DataFrame({"message": texts})

    def fitted():
        return TextNB().fit(texts, labels), candide.NaiveBayes(distributions={"message": "text"}).fit(frame, labels)

    wanted = TextNB().fit(texts, labels).tune(texts, labels)  # which reads them again

    def unwanted(*_):
        raise AssertionError("documents are read again")

    with monkeypatch.context() as patched:
        patched.setattr(Analyzer, "look_up", unwanted)
        alone, in_frame = fitted()
        with pytest.raises(AssertionError, match="read again"):
            alone.tune(texts, labels)
    for model, given_ in ((alone, texts), (in_frame, frame)):
        agree(model.predict_log_proba(given_), wanted.predict_log_proba(texts))


@pytest.mark.parametrize("event_model", EVENT_MODELS)
@pytest.mark.parametrize(
    "rule", [r for r in RULES if r not in (Dirichlet, NaiveDistribution)], ids=lambda rule: rule.__name__
)
def test_a_rule_that_words_do_not_take_is_refused_when_it_is_fitted(event_model: str, rule: type[Smoothing]) -> None:
    nb, refused = TextNB(event_model=event_model, smoothing=rule()), "smoothing="
    try:
        nb.fit(["red red blue", "blue green", "red", "green blue"], [0, 1, 0, 1])
    except ValueError as error:
        refused = str(error)
    else:
        assert np.isfinite(nb.predict_proba(["red", "blue green", "new"])).all()
    assert "smoothing=" in refused


@pytest.mark.parametrize("event_model", EVENT_MODELS)
@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.filterwarnings("ignore:the documents say nothing")
def test_documents_without_words_are_left_out_without_a_warning(event_model: str) -> None:
    nb = TextNB(event_model=event_model, prior="uniform").fit(["", "!", "a", ""], [0, 1, 0, 1])
    agree(nb.leave_one_out(["", "!", "a", ""], [0, 1, 0, 1]), np.log(np.full((4, 2), 0.5)))
