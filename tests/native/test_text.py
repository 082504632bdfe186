"""Documents: every compiled kernel computes what its twin computes, on any Unicode."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.native import strategies as some
from tests.native.same import assert_same
from threadpoolctl import threadpool_limits

from candide.analysis.characters import characters
from candide.analysis.word_list import WordList
from candide.native import reference
from candide.native.reference.calibration import UNLIKELY

native = pytest.importorskip("candide.native._kernels", reason="the kernels were not compiled")

TRICKY = st.text(st.sampled_from("aAbB zZ_0٣Σσςİ\u0307\u0301\u00adé\n\t\u2028𝐀漢字'.-\ud800"), max_size=40)
TEXTS = st.lists(st.none() | TRICKY | st.text(max_size=60), max_size=8)


@given(TEXTS, st.booleans(), st.sampled_from([(0, 0), (1, 1), (2, 4)]))
def test_words_are_found_alike(texts, fold, lengths):
    table = characters(fold)
    arguments = (texts, table.table, table.expansions, *lengths)
    assert_same(native.tokenize(*arguments), reference.tokenize(*arguments))


@given(TEXTS)
def test_documents_in_one_buffer_are_read_as_documents_in_a_list(texts):
    encoded = [(t or "").encode("utf-8", "surrogatepass") for t in texts]
    starts = np.concatenate([[0], np.cumsum(list(map(len, encoded)))]).astype(np.int64)
    table = characters()
    given_apart = native.tokenize(encoded, table.table, table.expansions)
    buffer = (np.frombuffer(b"".join(encoded), dtype=np.uint8), starts)
    assert_same(native.tokenize(buffer, table.table, table.expansions), given_apart)
    assert_same(reference.tokenize(buffer, table.table, table.expansions), given_apart)


@pytest.mark.parametrize("kind", ["", "é", "Σ"])
def test_documents_of_every_length_end_where_they_end(kind):
    """The last bytes are read with those before them: of a document, of a stretch of ASCII, never beyond either."""
    line = "A Word_1 of some; and ANOTHER, very-very-longwordwithoutanyendatallinside it: 42 x yz " * 13
    texts = [line[:n] for n in range(150)] + [line[n : n + kept] for n in range(3) for kept in (1023, 1024, 1025, 1100)]
    texts = [text[: len(text) // 3] + kind + text[len(text) // 3 :] for text in texts]
    table = characters()
    arguments = (texts, table.table, table.expansions)
    assert_same(native.tokenize(*arguments), reference.tokenize(*arguments))


def test_many_words_are_numbered_and_put_in_order():
    """More than a small table of words holds; some have a long beginning in common, few of one and many of another."""
    words = [f"w{i * 7919 % 30_000}" for i in range(30_000)]
    words += [f"commonbeginning{i * 5 % 7}" for i in range(7)] + [f"{'x' * 30}{i * 37 % 90}" for i in range(90)]
    table = characters()
    arguments = ([" ".join(words[i::3]) for i in range(3)] * 2, table.table, table.expansions)
    found = native.tokenize(*arguments)
    assert_same(found, reference.tokenize(*arguments))
    assert WordList(*found[2:]).text == sorted(set(words))


@pytest.mark.parametrize(
    ("wrong", "place"),
    [(b"ab\xff", 2), (b"\x80", 0), (b"a\xc3", 1), (b"\xe2\x82", 0), (b"\xf5\x80\x80\x80", 0), (b"\xc0\xaf", 0)],
)
def test_bytes_that_are_no_text_are_told_by_their_place(wrong, place):
    table = characters()
    for kernels in (native, reference):
        with pytest.raises(ValueError, match=f"document 1 is no UTF-8 at byte {place}"):
            kernels.tokenize([b"fine", wrong], table.table, table.expansions)


@pytest.mark.parametrize("threads", [1, 2])
def test_of_many_faults_the_first_is_told_though_others_read_on(threads):
    """Blocks that come after a fault are read by the thread that met it."""
    documents = [b"some words of a document %d" % i for i in range(40_000)]
    for wrong in (31_000, 7_001, 7_002, 39_999):
        documents[wrong] = b"no \xff text"
    table, y = characters(), np.zeros(len(documents), dtype=np.int64)
    with (
        threadpool_limits(threads, user_api="openmp"),
        pytest.raises(ValueError, match="document 7001 is no UTF-8 at byte 3"),
    ):
        native.count_words(documents, table.table, table.expansions, 0, 0, y, 1)


def test_what_is_no_text_is_refused():
    table = characters()
    for kernels in (native, reference):
        with pytest.raises(TypeError, match="document 1 is no text"):
            kernels.tokenize(["fine", 3], table.table, table.expansions)


def sequences(rng, documents, words):
    lengths = rng.integers(0, 12, documents)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return rng.integers(-1, words, starts[-1]).astype(np.int32), starts


def spelt(words):
    encoded = [f"w{i:03}é".encode() for i in range(words)]
    return np.frombuffer(b"".join(encoded), dtype=np.uint8), np.arange(words + 1, dtype=np.int64) * 6


@given(some.seeds(), st.integers(0, 30), st.integers(1, 20), st.sampled_from([(1, 1), (1, 2), (2, 3), (3, 3)]))
def test_words_that_follow_each_other(rng, documents, words, lengths):
    arguments = (*sequences(rng, documents, words), *spelt(words), *lengths)
    assert_same(native.word_grams(*arguments), reference.word_grams(*arguments))


@given(some.seeds(), st.integers(0, 40), st.integers(1, 30), st.integers(1, 6), st.booleans())
def test_bags_and_their_sums(rng, documents, words, classes, weighted):
    ids, starts = sequences(rng, documents, words)
    assert_same(native.bags(ids, starts, words), reference.bags(ids, starts, words))
    y = rng.integers(-1, classes, documents)
    w = rng.choice([0.0, 0.5, 1.0, 3.0], documents) if weighted else None
    arguments = (ids, starts, words, y, classes, w, 2.0**24)
    assert_same(native.word_sums(*arguments), reference.word_sums(*arguments))
    at, _, times = reference.bags(ids, starts, words)
    assert_same(native.word_shares(at, times, 2.0**24), reference.word_shares(at, times, 2.0**24))


def test_sums_and_words_do_not_depend_on_threads():
    rng = np.random.default_rng(0)
    ids, starts = sequences(rng, 200_000, 500)
    y = rng.integers(0, 3, 200_000)
    texts = [" ".join(f"word{i}" for i in ids[a:b]) for a, b in pairwise(starts[:20_001])]
    table = characters()

    def read(kernels):
        return (
            kernels.word_sums(ids, starts, 500, y, 3, None, 2.0**24),
            kernels.bags(ids, starts, 500),
            kernels.tokenize(texts, table.table, table.expansions),
        )

    wanted = read(reference)
    for threads in (1, 2, 3):
        with threadpool_limits(threads, user_api="openmp"):
            found = read(native)
        for mine, theirs in zip(found, wanted, strict=True):
            assert_same(mine, theirs)


@given(
    st.lists(st.text(max_size=20), max_size=40), st.lists(st.text(max_size=20), max_size=10), st.integers(1, 1 << 30)
)
def test_words_are_hashed_sorted_and_found_alike(words, others, buckets):
    def as_arrays(listed):
        encoded = [w.encode("utf-8", "surrogatepass") for w in listed]
        ends = np.concatenate([[0], np.cumsum(list(map(len, encoded)))]).astype(np.int64)
        return np.frombuffer(b"".join(encoded), dtype=np.uint8), ends

    mine, theirs = as_arrays(words), as_arrays([*others, *words[:3]])
    slots = native.word_slots(*mine)
    assert_same(slots, reference.word_slots(*mine))
    assert_same(native.find_words(slots, *mine, *theirs), reference.find_words(slots, *mine, *theirs))
    assert_same(native.hash_words(*mine, buckets), reference.hash_words(*mine, buckets))
    assert_same(native.unique_words(*mine), reference.unique_words(*mine))
    in_order = native.unique_words(*mine)[:2]
    assert_same(native.seek_words(*in_order, *theirs), reference.seek_words(*in_order, *theirs))
    assert_same(native.seek_words(*in_order, *mine), native.unique_words(*mine)[2])
    assert native.word_texts(*mine) == reference.word_texts(*mine)
    order = native.sort_words(*mine)
    encoded = [w.encode() for w in words]
    assert [encoded[i] for i in order] == sorted(encoded)


@given(st.lists(st.text(max_size=30), max_size=20), some.seeds())
def test_words_that_are_taken(given_, rng):
    words = WordList.of(given_)
    chosen = rng.integers(0, len(words), 10 if given_ else 0)
    arguments = words.bytes, words.starts, chosen
    assert_same(native.take_words(*arguments), reference.take_words(*arguments))
    assert WordList(*native.take_words(*arguments)).text == [given_[i] for i in chosen]
    for kernels in (native, reference):
        for wrong in (-1, len(words)):
            with pytest.raises(ValueError, match="not there"):
                kernels.take_words(words.bytes, words.starts, np.array([wrong]))


@given(some.seeds(), st.integers(0, 15), st.integers(1, 4), st.integers(0, 9), st.booleans())
def test_entries_by_word(rng, words, classes, places, weighed):
    place = np.full(words, -1, dtype=np.int32)
    used = np.flatnonzero(rng.random(words) < 0.7)[:places]
    place[used] = np.sort(rng.choice(places, len(used), replace=False))
    at = np.flatnonzero(rng.random(words * classes) < 0.6)
    factor = rng.normal(size=places) if weighed else None
    for counted in (rng.normal(size=len(at)), rng.integers(0, 9, len(at))):
        arguments = (at, counted, place, places, classes, factor)
        assert_same(native.by_word(*arguments), reference.by_word(*arguments))
        assert_same(native.sum_by_class(*arguments), reference.sum_by_class(*arguments))


@given(some.seeds(), st.integers(0, 9), st.integers(1, 4), st.booleans(), st.booleans())
def test_parts_of_words_and_classes_are_added(rng, words, classes, with_word, with_class):
    n = rng.integers(0, 40) if words else 0
    of = rng.integers(0, max(words, 1), n), rng.integers(0, classes, n).astype(np.int32)
    parts = rng.normal(size=words) if with_word else None, rng.normal(size=classes) if with_class else None
    values = rng.normal(size=n)
    found, expected = values.copy(), values.copy()
    native.add_parts(found, *of, *parts)
    reference.add_parts(expected, *of, *parts)
    assert found.tobytes() == expected.tobytes()


@pytest.mark.parametrize("wrong", [-1, 2])
def test_parts_that_are_not_told_are_refused(wrong):
    one, none, beyond = np.zeros(1), np.array([0]), np.array([wrong])
    for kernels in (native, reference):
        for given_ in (
            (beyond, none.astype(np.int32), np.ones(2), None),
            (none, beyond.astype(np.int32), None, np.ones(2)),
        ):
            with pytest.raises(ValueError, match="nothing is told"):
                kernels.add_parts(one, *given_)


def test_entries_that_are_no_words_are_refused():
    place, one = np.array([0, -1], dtype=np.int32), np.ones(1)
    for kernels in (native, reference):
        for asked in (kernels.by_word, kernels.sum_by_class):
            for places, n_words in (([0, -1], 0), ([1, 0], 2), ([0, 0], 1)):
                with pytest.raises(ValueError, match="must ascend below n_words"):
                    asked(np.array([0]), one, np.array(places, dtype=np.int32), n_words, 1)
            for wrong in ([-1], [4], [1, 1], [2, 1]):
                with pytest.raises(ValueError, match="must ascend"):
                    asked(np.array(wrong), np.ones(len(wrong)), place, 1, 2)


@given(some.seeds(), st.integers(0, 9), st.integers(1, 12), st.integers(1, 5))
def test_entries_are_filled(rng, words, classes, few):
    has = rng.random((words, classes)) < rng.random((words, 1))
    starts = np.concatenate([[0], np.cumsum(has.sum(axis=1))]).astype(np.int64)
    of = np.nonzero(has)[1].astype(np.int32)
    assert_same(native.fill_entries(starts, of, classes, few), reference.fill_entries(starts, of, classes, few))
    if len(of):
        with pytest.raises(ValueError, match="below n_classes"):
            native.fill_entries(starts, of, int(of.max()), few)


@given(some.seeds(), st.integers(0, 9), st.integers(1, 12))
def test_entries_are_turned_to_go_class_by_class(rng, words, classes):
    has = rng.random((words, classes)) < rng.random((words, 1))
    starts = np.concatenate([[0], np.cumsum(has.sum(axis=1))]).astype(np.int64)
    of, called = np.nonzero(has)[1].astype(np.int32), np.sort(rng.permutation(20)[:words])
    found = native.turn_entries(starts, of, classes, called, 20)
    assert_same(found, reference.turn_entries(starts, of, classes, called, 20))
    assert (np.diff(found[0]) > 0).all()
    if len(of):
        with pytest.raises(ValueError, match="below n_classes"):
            native.turn_entries(starts, of, int(of.max()), called, 20)


def class_sums(rows, y, w, words, classes):
    """Return the sums by word and class of documents of classes y and weights w."""
    at, word, x = rows
    owner = np.repeat(np.arange(len(y)), np.diff(at))
    table = np.zeros((words, classes))
    np.add.at(table, (word, y[owner]), x * w[owner])
    held, of = np.nonzero(table)
    ends = np.concatenate([[0], np.cumsum(np.bincount(held, minlength=words))]).astype(np.int64)
    df = np.bincount(word, w[owner], minlength=words).astype(float)
    return ends, of.astype(np.int32), table[held, of], table.sum(axis=1), df, table.sum(axis=0)


def views(rng, documents, words, classes):
    """Documents as shares, some of them chosen, and the sums of the words of all by class."""
    ids, starts = sequences(rng, documents, words)
    at, word, times = reference.bags(ids, starts, words)
    x = reference.word_shares(at, times, 2.0**24) / 2.0**24
    y = rng.integers(0, classes, documents)
    sums = class_sums((at, word, x), y, np.ones(documents), words, classes)
    chosen = rng.integers(0, documents, int(rng.integers(1, documents + 1)))
    return (at[:-1][chosen], at[1:][chosen], word, x), sums, y[chosen]


SINGLE = 1e-5, 1e-5
"""How far apart numbers of single precision may be, of which some were added."""


@given(some.seeds(), st.integers(1, 30), st.integers(1, 15), st.integers(2, 18), st.integers(1, 3))
def test_views_of_documents(rng, documents, words, classes, lengths):
    rows, sums, y = views(rng, documents, words, classes)
    if lengths > 1:
        sums = (*sums, (10 * rng.integers(0, lengths, words)).astype(np.int32), 10 * lengths)
    documents = len(y)
    w, grown = np.ones(documents), rng.uniform(1, 2, size=documents)
    assert_same(native.known_without(rows, sums, w), reference.known_without(rows, sums, w))
    for left in ((), (y, w), (y, w, grown), (y, w, grown, True)):
        found, wanted = (k.lift_views(rows, sums, 0.9, 0.5, *left) for k in (native, reference))
        assert_same(found, wanted, *SINGLE)
        beta = rng.uniform(size=20 * lengths)
        found, wanted = (k.lift_evidence(rows, sums, 0.9, 0.5, beta, *left[:3]) for k in (native, reference))
        assert_same(found, wanted, *SINGLE)
    residual, curvature = rng.normal(size=(documents, classes)), rng.uniform(size=(documents, classes))
    filled = (*sums[:2], sums[2] * (rng.random(len(sums[2])) < 0.8), *sums[3:])
    for of in (sums, filled):
        wanted = reference.mistake_sums(rows, of, residual, curvature)
        assert_same(native.mistake_sums(rows, of, residual, curvature), wanted, *SINGLE)
    gain, curve = reference.mistake_sums(rows, sums, residual, curvature)
    beta = rng.uniform(size=(3, 10 * lengths))
    for settled in ((beta, gain, curve, 0.1), (beta[:2], None, None, 0.1)):
        found, wanted = (k.weigh_entries(sums, 0.9, 0.5, *settled) for k in (native, reference))
        assert_same(found, wanted)
    for own in ((), (residual, curvature, w), (residual, curvature, w, grown), (residual, curvature, w, grown, True)):
        arguments = (rows, sums, gain, curve, 0.1, *own)
        assert_same(native.mistake_views(*arguments), reference.mistake_views(*arguments), *SINGLE)


@given(some.seeds(), st.integers(2, 30), st.integers(1, 15), st.integers(2, 18))
def test_mistakes_of_documents_of_uneven_weights(rng, documents, words, classes):
    """What a document of a billion leaves is small beside it: single precision would tell nothing of the others."""
    rows, sums, _ = views(rng, documents, words, classes)
    rows = tuple(np.repeat(row, 2) for row in rows[:2]) + rows[2:]
    w = np.tile([1e9, 1.0], len(rows[0]) // 2)
    residual, curvature = (w[:, None] * rng.uniform(size=(len(w), classes)) for _ in range(2))
    wanted = reference.mistake_sums(rows, sums, residual, curvature)
    assert_same(native.mistake_sums(rows, sums, residual, curvature, w), wanted)
    arguments = (rows, sums, *wanted, 0.1, residual, curvature, w)
    assert_same(native.mistake_views(*arguments), reference.mistake_views(*arguments), *SINGLE)


@given(some.seeds(), st.integers(9, 40), st.integers(3, 18), st.sampled_from([1.0, 1e6, 1e12]))
def test_lifts_of_many_words_that_are_alike(rng, words, classes, heavy):
    """Words that stand once in a document are factors of one product; a word that others have makes them large."""
    table = rng.uniform(1.0, 20.0, size=(words + 1, classes))
    table[words, 1] = heavy
    starts, of = classes * np.arange(words + 2), np.tile(np.arange(classes, dtype=np.int32), words + 1)
    sums = (starts, of, table.ravel(), table.sum(axis=1), np.full(words + 1, 300.0), table.sum(axis=0))
    x = np.where(rng.random(words) < 0.8, 0.2, 0.3)
    rows = (np.array([0]), np.array([words]), np.arange(words, dtype=np.int32), x)
    y, w = rng.integers(0, classes, 1), np.ones(1)
    for left in ((), (y, w)):
        found, wanted = (k.lift_views(rows, sums, 0.95, 0.1, *left) for k in (native, reference))
        assert_same(found, wanted, *SINGLE)


@pytest.mark.parametrize("classes", [2, 3, 20, 300])
@pytest.mark.parametrize("one_in", [1.0, 1e-6])
@pytest.mark.parametrize("lopsided", [False, True])
def test_lifts_of_documents_of_uneven_weights(classes, one_in, lopsided):
    """What a heavy document leaves of its word, and what is left of it beside a large class, are small differences."""
    rng = np.random.default_rng(classes)
    documents, words = 400, 30
    ids, starts = sequences(rng, documents, words)
    at, word, times = reference.bags(ids, starts, words)
    x = reference.word_shares(at, times, 2.0**24) / 2.0**24
    w = np.where(rng.random(documents) < 0.5, 1.0, one_in)
    y = rng.integers(0, classes, documents)
    if lopsided:
        y[classes:], y[:classes], w[:classes] = 1, np.arange(classes), 1e-4
    sums = class_sums((at, word, x), y, w, words, classes)
    chosen = np.arange(0, documents, 7)
    rows, left = (at[:-1][chosen], at[1:][chosen], word, x), (y[chosen], w[chosen])
    for of_them in ((), left):
        found, wanted = (k.lift_views(rows, sums, 0.9, 0.1, *of_them) for k in (native, reference))
        assert_same(found, wanted, *SINGLE)


SIZES = st.lists(st.sampled_from([3, 10, 20]), min_size=1, max_size=2)


def singles(rng, rows, columns):
    """Return numbers of single precision, as views are."""
    return rng.normal(size=(rows, columns)).astype(np.float32)


@given(some.seeds(), st.integers(1, 20), st.integers(2, 4), SIZES)
def test_the_loss_of_a_calibration_and_its_gradient(rng, documents, classes, sizes):
    all_views, size = tuple(singles(rng, documents, n * (classes - 1)) for n in sizes), sum(sizes)
    log_length, log_prior = rng.normal(size=documents), rng.normal(size=(documents, classes))
    y, w = rng.integers(0, classes, documents), rng.uniform(size=documents)
    beta, bias, pace = rng.uniform(size=size), rng.normal(size=classes), rng.normal(size=3) / 2
    given_ = (all_views, log_length, log_prior, y, w)
    evidence = rng.normal(size=(documents, classes))
    assert_same(native.paces(evidence, log_length, *pace), reference.paces(evidence, log_length, *pace))
    of = all_views, beta, documents, classes - 1
    assert_same(native.weigh_views(*of), reference.weigh_views(*of), *SINGLE)
    found = native.calibration_loss(*given_, beta, pace, bias)
    wanted = reference.calibration_loss(*given_, beta, pace, bias)
    np.testing.assert_allclose(found[0], wanted[0], rtol=1e-5, atol=1e-5)
    assert_same(found[1:], wanted[1:], 1e-4, 1e-4)

    def loss(numbers):
        return reference.calibration_loss(*given_, *np.split(numbers, [size, size + 3]))[0]

    at, step = np.concatenate([beta, pace, bias]), 1e-6
    slopes = [(loss(at + step * one) - loss(at - step * one)) / (2 * step) for one in np.eye(len(at))]
    np.testing.assert_allclose(np.concatenate(found[1:]), slopes, rtol=1e-3, atol=1e-4)


@given(some.seeds(), st.integers(0, 150), st.integers(2, 4))
def test_residuals_are_what_a_calibration_gets_wrong(rng, documents, classes):
    evidence, log_prior = rng.normal(size=(2, documents, classes))
    log_length, w = rng.normal(size=documents), rng.uniform(size=documents)
    y, pace, bias = rng.integers(-1, classes, documents), rng.normal(size=3) / 2, rng.normal(size=classes)
    found = native.residuals(evidence, log_length, log_prior, y, w, *pace, bias)
    assert_same(found, reference.residuals(evidence, log_length, log_prior, y, w, *pace, bias), *SINGLE)
    learnt = y >= 0
    assert not found[0][~learnt].any()
    # the residual is the slope of the loss by the biases, and the curvature that by each of them
    given_ = [a[learnt] for a in (evidence, log_length, log_prior, y, w)]
    given_[0] = (given_[0][:, 1:] - given_[0][:, :1],)  # doubles, for the twin
    _, _, _, of_bias = reference.calibration_loss(*given_, np.ones(1), pace, bias)
    _, _, by_bias = reference.calibration_curvature(*given_, np.ones(1), pace, bias)
    assert_same((-found[0].sum(axis=0), found[1].sum(axis=0)), (of_bias, by_bias), 1e-4, 1e-4)


@given(some.seeds(), st.integers(1, 40), st.integers(2, 4), SIZES)
def test_the_curvature_of_a_calibration_is_the_expected_square_of_its_gradient(rng, documents, classes, sizes):
    all_views, size = tuple(singles(rng, documents, n * (classes - 1)) for n in sizes), sum(sizes)
    log_length, log_prior = rng.normal(size=documents), rng.normal(size=(documents, classes))
    y, w = rng.integers(0, classes, documents), rng.uniform(size=documents)
    at = rng.uniform(size=size), rng.normal(size=3) / 2, rng.normal(size=classes)
    given_ = (all_views, log_length, log_prior, y, w, *at)
    found = native.calibration_curvature(*given_)
    # posteriors are told in single precision, and slopes of hundreds may nearly cancel
    for part, wanted in zip(found, reference.calibration_curvature(*given_), strict=True):
        assert_same(part, wanted, 0.0, 5e-4 * max(1.0, np.abs(wanted).max()))
    squares = np.zeros((size + 3 + classes, size + 3 + classes))
    unlikely = np.zeros_like(squares)  # is left out
    for d in range(documents):
        one = [tuple(part[d : d + 1] for part in all_views), *(a[d : d + 1] for a in given_[1:3])]
        for c in range(classes):
            loss, *slopes = reference.calibration_loss(*one, np.array([c]), np.ones(1), *at)
            slope = np.concatenate(slopes)
            squares += w[d] * np.exp(-loss) * np.outer(slope, slope)
            if np.exp(-loss) < 1.01 * UNLIKELY:
                unlikely += w[d] * np.exp(-loss) * np.abs(np.outer(slope, slope))
    n, parts = size + 3, lambda a: (a[:n, :n], a[n:, :n], np.diag(a)[n:])
    for part, wanted, less in zip(found, parts(squares), parts(unlikely), strict=True):
        assert (np.abs(part - wanted) <= 5e-4 * max(1.0, np.abs(wanted).max()) + 2 * less).all()


@given(some.seeds(), st.integers(2, 4))
def test_a_calibration_ends_at_the_bottom_of_a_valley(rng, classes):
    documents = 60
    y, w = rng.integers(0, classes, documents), rng.uniform(0.5, 1, size=documents)
    all_views = rng.normal(size=(documents, classes, 20))
    all_views[np.arange(documents), y] += 0.3  # views that tell the class, so that the least loss is at one place
    all_views = ((all_views[:, 1:] - all_views[:, :1]).reshape(documents, -1).astype(np.float32),)
    log_length, log_prior = rng.normal(size=documents), np.zeros((documents, classes))
    usual, penalties, begin = rng.uniform(0.1, 0.3, size=(2, 10)), (1.0, 3.0, 1.0, 20.0, 4.0), np.zeros(25 + classes)
    given_ = (all_views, log_length, log_prior, y, w, usual, penalties, (0.3, 0.0, 0.4))
    found, wanted = (k.fit_views(*given_, begin, 500, 1e-14) for k in (native, reference))

    def value(p):
        a, u, pace, bias = np.split(p, [2, 22, 25])
        u = u.reshape(2, 10)
        loss = reference.calibration_loss(*given_[:5], (usual * np.exp(a[:, None] + u)).ravel(), pace, bias)[0]
        away = np.array([4, 20, 20]) @ (pace - (0.3, 0.0, 0.4)) ** 2
        squares = (a @ a, (u**2).sum(), 3 * (np.diff(u, axis=1) ** 2).sum(), bias @ bias, away)
        return (loss + sum(squares) / 2) / documents

    # there may be several valleys: both end at the bottom of one, and what is at one bottom stays there
    step = 1e-5
    for end in (found, wanted):
        assert value(end) < value(begin)
        slopes = [(value(end + step * one) - value(end - step * one)) / (2 * step) for one in np.eye(len(end))]
        np.testing.assert_allclose(slopes, 0.0, atol=1e-3)
    again = native.fit_views(*given_, wanted, 500, 1e-14)
    np.testing.assert_allclose(value(again), value(wanted), rtol=1e-5)


def evidence(rng, words, classes):
    """Return what words say for some of the classes, of which the parts of words and classes are there or not."""
    has = rng.random((words, classes)) < rng.choice([0.3, 0.9])
    ends = np.concatenate([[0], np.cumsum(has.sum(axis=1))]).astype(np.int64)
    of = np.nonzero(has)[1].astype(np.int32)
    of_word, of_class, spread = (rng.normal(size=n) if rng.random() < 0.7 else None for n in (words, classes, words))
    return ends, of, rng.normal(size=len(of)), of_word, of_class, spread


@given(some.seeds(), st.integers(0, 20), st.integers(1, 10), st.integers(1, 4))
def test_scores_are_added_word_by_word(rng, documents, words, classes):
    ids, starts = sequences(rng, documents, words)
    said, x = evidence(rng, words, classes), rng.normal(size=len(ids))
    found = rng.normal(size=(documents, classes))
    wanted = found.copy()
    native.add_words(starts, ids, x, said, found)
    reference.add_words(starts, ids, x, said, wanted)
    assert_same(found, wanted)


@given(TEXTS, TEXTS, some.seeds())
def test_words_that_are_not_known_are_noted_by_the_way(learnt, texts, rng):
    how = characters().table, characters().expansions
    _, _, *words = reference.tokenize([*learnt, *texts[:1], "antidisestablish" * 3], *how)
    place = np.arange(len(words[1]) - 1, dtype=np.int32) % 5 - 1
    said = evidence(rng, 4, 2)
    slots = reference.scored_slots(place, said, np.ones(len(place)), *words)
    found = rng.normal(size=(len(texts) + 1, 2))
    wanted = found.copy()
    arguments = ([*texts, "antidisestablish" * 4], *how, 0, 0, slots, *said[1:3], said[4])
    noted = native.score_noting(*arguments, found, *words)
    assert_same(noted, reference.score_noting(*arguments, wanted, *words))
    assert_same(found, wanted)


def some_filled(rng, words, buckets):
    """Return some of the buckets that words are thrown into, and others, in order."""
    thrown = reference.hash_words(*words, buckets)
    return np.unique(np.append(thrown[rng.random(len(thrown)) < 0.5], rng.integers(0, buckets, 2))).astype(np.int32)


@given(some.seeds(), st.integers(1, 1 << 30), st.integers(0, 60))
def test_buckets_that_hold_something_are_found(rng, buckets, n):
    filled = np.unique(rng.integers(0, buckets, n)).astype(np.int32)
    assert_same(native.bucket_slots(filled), reference.bucket_slots(filled))


@given(
    TEXTS,
    TEXTS,
    some.seeds(),
    st.sampled_from([2, 70]),
    st.sampled_from([0.0, 2.0**24]),
    st.sampled_from([0, 9, 2**20]),
    st.sampled_from([1, 40]),
)
def test_documents_are_scored_as_they_are_read(learnt, texts, rng, classes, units, buckets, times):
    texts = times * texts  # of much text every word has a place of its own
    table = characters()
    _, _, *words = reference.tokenize([*learnt, *texts[:1], "antidisestablish" * 3], table.table, table.expansions)
    n, used, found_by = len(words[1]) - 1, 4, (*words,)
    if buckets:
        filled = some_filled(rng, words, buckets)
        n, words, found_by = len(filled) + 1, [], (None, None, native.bucket_slots(filled), buckets)
    place = rng.integers(-1, used + 1, n).astype(np.int32)  # the last is outside of those that say something
    said = evidence(rng, used, classes)
    often = rng.choice([0.0, -1.0, np.inf, 1e-300, 3.0, 40.0], n)
    slots = native.scored_slots(place, said, often, *words)
    assert_same(slots, reference.scored_slots(place, said, often, *words))
    found = rng.normal(size=(len(texts), classes))
    wanted = found.copy()
    arguments = (texts, table.table, table.expansions, 0, 0, slots, units, *said[1:3], said[4])
    held = native.score_words(*arguments, found, *found_by)
    assert_same(held, reference.score_words(*arguments, wanted, *found_by))
    assert_same(found, wanted)


@given(
    TEXTS,
    some.seeds(),
    st.integers(1, 4),
    st.booleans(),
    st.sampled_from([0, 7, 2**28]),
    st.sampled_from([(0, 0), (1, 2)]),
    st.booleans(),
)
def test_documents_are_counted_in_one_pass(texts, rng, classes, weighted, buckets, lengths, keep):
    y = rng.integers(-1, classes, len(texts))
    w = rng.choice([0.0, 0.5, 1.0, 3.0], len(texts)) if weighted else None
    table = characters()
    arguments = (texts, table.table, table.expansions, *lengths, y, classes, w, 2.0**24, buckets, keep)
    for mine, theirs in zip(native.count_words(*arguments), reference.count_words(*arguments), strict=True):
        assert_same(mine, theirs)


@given(TEXTS, TEXTS, some.seeds(), st.sampled_from([0.0, 2.0**24]), st.sampled_from([0, 9, 2**20]))
def test_known_words_are_read_in_one_pass(learnt, texts, rng, units, buckets):
    table = characters()
    _, _, *words = reference.tokenize([*learnt, "a word of more than twenty-four bytes: " + 3 * "antidisestablish"],
                                      table.table, table.expansions)  # fmt: skip
    known, n = (native.word_slots(*words), *words), len(words[1]) - 1
    if buckets:
        filled = some_filled(rng, words, buckets)
        known, n = (native.bucket_slots(filled), None, None, buckets), len(filled) + 1
    place = rng.integers(-1, 50, n).astype(np.int32)
    arguments = (texts, table.table, table.expansions, 0, 0, place, units, *known)
    assert_same(native.read_words(*arguments), reference.read_words(*arguments))


@pytest.mark.parametrize("weighted", [False, True])
def test_counting_in_one_pass_does_not_depend_on_threads(weighted):
    rng = np.random.default_rng(0)
    texts = [" ".join(f"word{i}" for i in rng.integers(0, 900, 40)) for _ in range(9_000)]
    y, w = rng.integers(0, 5, 9_000), rng.integers(1, 4, 9_000).astype(float) if weighted else None
    table = characters()
    arguments = (texts, table.table, table.expansions, 0, 0, y, 5, w, 2.0**24, 0, True)
    wanted = reference.count_words(*arguments)
    for threads in (1, 2, 3):
        with threadpool_limits(threads, user_api="openmp"):
            found = native.count_words(*arguments)
        for mine, theirs in zip(found, wanted, strict=True):
            assert_same(mine, theirs)


def test_long_words_and_chunks_are_found_across_their_seams():
    table = characters()
    texts = ["x" * n + " " + "Y" * (130 - n) + "é" + "z" * n for n in range(130)] + ["a" * 100_000 + " b c dd"]
    arguments = (texts, table.table, table.expansions)
    assert_same(native.tokenize(*arguments), reference.tokenize(*arguments))


@pytest.mark.parametrize("wide", ["é", "ж", "😀", "éж", "é😀"])
def test_characters_of_any_width_are_written_wherever_they_stand(wide):
    """Python keeps a text in one, two or four bytes a character, and eight of one byte are looked at together."""
    table = characters()
    texts = [("Some words of " * 3)[:n] + wide + "and others besides"[:m] + wide for n in range(25) for m in range(18)]
    arguments = (texts, table.table, table.expansions)
    assert_same(native.tokenize(*arguments), reference.tokenize(*arguments))


def test_words_are_found_across_the_seams_of_stretches():
    table, rng = characters(), np.random.default_rng(0)
    seams = [" " * before + "Word" * n + " of " + "u" * 3 for before in range(1010, 1030) for n in (0, 1, 2, 16, 300)]
    letters = np.array(["a", "B", "7", "_", " ", ".", "é"])
    mixed = ["".join(rng.choice(letters, n, p=[0.3, 0.25, 0.1, 0.1, 0.2, 0.048, 0.002])) for n in range(900, 5000, 41)]
    arguments = (seams + mixed, table.table, table.expansions)
    assert_same(native.tokenize(*arguments), reference.tokenize(*arguments))
    y = rng.integers(0, 3, len(seams + mixed))
    counted = (*arguments, 0, 0, y, 3, None, 2.0**24, 0, True)
    for mine, theirs in zip(native.count_words(*counted), reference.count_words(*counted), strict=True):
        assert_same(mine, theirs)


def test_noting_does_not_depend_on_threads():
    rng = np.random.default_rng(0)
    texts = [" ".join(f"word{i}" for i in rng.integers(0, 900, 40)) for _ in range(9_000)]
    how, words = (characters().table, characters().expansions), WordList.of([f"word{i}" for i in range(0, 900, 7)])
    said = evidence(rng, len(words), 2)
    place = np.arange(len(words), dtype=np.int32)
    slots = native.scored_slots(place, said, np.ones(len(words)), words.bytes, words.starts)
    arguments, wanted = (texts, *how, 0, 0, slots, *said[1:3], said[4]), np.zeros((len(texts), 2))
    theirs = reference.score_noting(*arguments, wanted, words.bytes, words.starts)
    for threads in (1, 2, 3):
        found = np.zeros((len(texts), 2))
        with threadpool_limits(threads, user_api="openmp"):
            assert_same(native.score_noting(*arguments, found, words.bytes, words.starts), theirs)
        assert_same(found, wanted)
