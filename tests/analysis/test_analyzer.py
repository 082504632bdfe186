"""Words: those that scikit-learn's vectorizer finds, on any Unicode."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from candide.analysis import Analyzer
from candide.analysis.characters import characters, folded
from candide.analysis.languages import stop_list
from candide.analysis.stop_words import STOP_WORDS
from candide.native import kernels
from candide.table import Bags

TRICKY = st.text(st.sampled_from("aAbB zZ_0٣Σσςİ\u0307\u0301\u00adéÉ\n\t 𝐀漢字ﬁ'.-"), max_size=50)
TEXTS = TRICKY | st.text(max_size=80)


def by_spaces(text):
    """Return words, empty ones among them."""
    return text.split(" ")


SETTINGS = [
    ({}, {}),
    ({"ngrams": (1, 2)}, {"ngram_range": (1, 2)}),
    ({"ngrams": (2, 3)}, {"ngram_range": (2, 3)}),
    ({"fold": "accents"}, {"strip_accents": "unicode"}),
    ({"analyzer": "char", "ngrams": (1, 3)}, {"analyzer": "char", "ngram_range": (1, 3)}),
    ({"stop_words": ["ab", "za"]}, {"stop_words": ["ab", "za"]}),
    ({"stop_words": ["ab"], "ngrams": (1, 2)}, {"stop_words": ["ab"], "ngram_range": (1, 2)}),
    ({"tokenizer": str.split}, {"tokenizer": str.split, "token_pattern": None}),
    ({"tokenizer": by_spaces}, {"tokenizer": by_spaces, "token_pattern": None}),
    (
        {"tokenizer": by_spaces, "ngrams": (1, 2)},
        {"tokenizer": by_spaces, "token_pattern": None, "ngram_range": (1, 2)},
    ),
]


@pytest.mark.parametrize(("mine", "theirs"), SETTINGS, ids=range(len(SETTINGS)))
@given(text=TEXTS)
def test_words_are_those_of_scikit_learn(mine, theirs, text):
    wanted = Counter(CountVectorizer(**theirs).build_analyzer()(text))
    assert Counter(Analyzer(**mine).words_of(text)) == wanted


BESIDE = [
    ({}, {}),
    ({"ngrams": (1, 2), "stop_words": ["ab"]}, {"ngram_range": (1, 2), "stop_words": ["ab"]}),
    ({"fold": "accents"}, {"strip_accents": "unicode"}),
]


@pytest.mark.parametrize(("mine", "theirs"), BESIDE, ids=range(len(BESIDE)))
@given(texts=st.lists(TEXTS, max_size=4))
def test_runs_of_characters_stand_beside_the_words(mine, theirs, texts):
    folded_too = {name: theirs[name] for name in theirs if name == "strip_accents"}
    words = CountVectorizer(**theirs).build_analyzer()
    runs = CountVectorizer(analyzer="char", ngram_range=(2, 4), **folded_too).build_analyzer()
    tokens = Analyzer(characters=(2, 4), **mine).read(Bags(texts))
    assert tokens.words.text == sorted(set(tokens.words.text))
    found = [[tokens.words.text[i] for i in tokens.ids[a:b].tolist() if i >= 0] for a, b in pairwise(tokens.starts)]
    assert list(map(Counter, found)) == [Counter([*words(text), *(f"~{run}" for run in runs(text))]) for text in texts]


@pytest.mark.skipif(kernels() == "numpy", reason="a million documents take minutes without the compiled kernels")
@pytest.mark.parametrize(("fold", "accents"), [(None, None), ("accents", "unicode")])
def test_every_code_point_is_read_as_scikit_learn_reads_it(fold, accents):
    every = [f"AB{chr(p)}Σ q{chr(p)}{chr(p)}cd Σ{chr(p)}a" for p in range(0x110000) if p % 7 == 0 or p < 0x3000]
    wanted = list(map(CountVectorizer(strip_accents=accents).build_analyzer(), every))
    tokens = Analyzer(fold=fold).read(Bags(every))
    words = tokens.words.text
    starts = tokens.starts.tolist()
    found = [[words[i] for i in tokens.ids[a:b].tolist()] for a, b in pairwise(starts)]
    assert found == wanted


@given(TEXTS)
def test_folding_is_taking_accents_away_as_scikit_learn_does(text):
    from sklearn.feature_extraction.text import strip_accents_unicode

    assert folded(text) == strip_accents_unicode(text)


def test_words_without_a_letter_are_dropped_where_asked():
    text = "55.3 kg, 100 km, x2y and Ⅷ __ ab1"
    assert Analyzer(numbers="drop").words_of(text) == ["kg", "km", "x2y", "and", "ab1"]
    assert "55" in Analyzer().words_of(text)


def test_stems_and_dictionary_forms_are_made_once_for_each_word():
    pytest.importorskip("Stemmer")
    pytest.importorskip("simplemma")
    assert Analyzer(stem="english").words_of("claims claiming claimed") == ["claim"] * 3
    assert Analyzer(lemmatize="english").words_of("houses mice") == ["house", "mouse"]
    assert Analyzer(stem="english", ngrams=(2, 2)).words_of("claims claiming") == ["claim claim"]


@pytest.mark.parametrize("language", STOP_WORDS)
def test_stop_words_are_distinct_words_of_two_letters_or_more(language):
    words = STOP_WORDS[language].split()
    assert len(set(words)) == len(words)
    assert stop_list(language) == words
    assert all(Analyzer().words_of(word) == [word] for word in words)


@pytest.mark.parametrize("language", STOP_WORDS)
def test_stop_words_are_dropped_from_folded_text_too(language):
    words = STOP_WORDS[language].split()
    assert Analyzer(stop_words=language, fold="accents").words_of(" ".join(words)) == []
    assert Analyzer(stop_words=language, fold="accents").words_of(" ".join(map(folded, words))) == []


def test_own_stop_words_are_read_as_documents_are():
    own = Analyzer(stop_words=["Über", "ÉTÉ", "ﬁn"])
    assert own.words_of("über Über uber été ﬁn fin") == ["uber", "fin"]
    assert Analyzer(stop_words=own.stop_words, fold="accents").words_of("über Uber été ﬁn fin final") == ["final"]
    called = Analyzer(stop_words=own.stop_words, fold="accents", tokenizer=str.split)
    assert called.words_of("über Uber été ﬁn fin final") == ["final"]


def test_empty_words_of_a_tokenizer_are_words_without_a_letter():
    text = "two  houses 12 "
    assert Analyzer(tokenizer=by_spaces).words_of(text) == ["two", "", "houses", "12", ""]
    assert Analyzer(tokenizer=by_spaces, numbers="drop").words_of(text) == ["two", "houses"]
    assert Analyzer(tokenizer=by_spaces, stop_words=[""]).words_of(text) == ["two", "houses", "12"]
    pytest.importorskip("Stemmer")
    assert Analyzer(tokenizer=by_spaces, stem="english").words_of(text) == ["two", "", "hous", "12", ""]
    pytest.importorskip("simplemma")
    assert Analyzer(tokenizer=by_spaces, lemmatize="english").words_of(text) == ["two", "", "house", "12", ""]


def test_half_a_character_of_a_tokenizer_is_in_no_dictionary():
    pytest.importorskip("simplemma")
    called = Analyzer(tokenizer=by_spaces, lemmatize="english")
    assert called.words_of("houses and\ud800 \udfff") == ["house", "and\ud800", "\udfff"]


@pytest.mark.parametrize("returned", [list(range(100_000)), ["a", None], [b"x" * 1000], 7, None])
def test_what_a_tokenizer_returns_is_not_told_wholesale(returned):
    with pytest.raises(TypeError, match="words are text") as told:
        Analyzer(tokenizer=lambda _: returned).words_of("long " * 1000)
    assert len(str(told.value)) < 300


@pytest.mark.parametrize(
    ("params", "error", "said"),
    [
        ({"analyzer": "words"}, ValueError, "analyzer='words' is not known; known are 'word', 'char'"),
        ({"numbers": "no"}, ValueError, "numbers='no'"),
        ({"fold": True}, ValueError, "fold=True"),
        ({"ngrams": (2, 1)}, ValueError, "two whole numbers"),
        ({"ngrams": 2}, ValueError, "two whole numbers"),
        ({"ngrams": (True, True)}, ValueError, "two whole numbers"),
        ({"ngrams": (1, 10**20)}, ValueError, "up to 1,000"),
        ({"characters": (2, 1001)}, ValueError, "up to 1,000"),
        ({"characters": 3}, ValueError, "the least and the most characters"),
        ({"characters": (5, 2)}, ValueError, "the least and the most characters"),
        ({"characters": (2, 5), "analyzer": "char"}, ValueError, "as many as ngrams says"),
        ({"characters": (2, 5), "tokenizer": str.split}, ValueError, "let the tokenizer give them too"),
        ({"hashing": 0}, ValueError, "a number of buckets"),
        ({"hashing": 1.5}, ValueError, "a number of buckets"),
        ({"stop_words": "englich"}, ValueError, "did you mean 'english'"),
        ({"stem": "klingon"}, ValueError, "stem='klingon'"),
        ({"lemmatize": "klingon"}, ValueError, "lemmatize='klingon'"),
        ({"tokenizer": "split"}, TypeError, "a function from a text to its words"),
        ({"analyzer": "char", "stem": "english"}, ValueError, "stem does not go with it"),
        ({"analyzer": "char", "numbers": "drop"}, ValueError, "numbers does not go with it"),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused(params, error, said):
    with pytest.raises(error, match=said.replace("(", r"\(")):
        Analyzer(**params).check()


def test_tables_are_made_once():
    assert characters() is characters()
    assert characters() is not characters(True)
