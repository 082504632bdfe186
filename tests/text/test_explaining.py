"""Explanations of documents: told row by row by their own words, and made dense only where somebody asks."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.extending.rules import Tempered

from candide import NaiveBayes, TunedNB
from candide.cli.commands.explain import show_explanation
from candide.distributions import Text
from candide.distributions.bag import EVERY, LENGTH
from candide.plot import evidence
from candide.scoring.attributes import Attributes
from candide.scoring.explanation import Explanation
from candide.text import TextNB

WORDS = ["car", "bike", "truck", "insure", "my", "été", "new"]
TEXT = st.lists(st.sampled_from([*WORDS, "unknown"]), max_size=8).map(" ".join)
ROWS = st.lists(TEXT | st.none(), min_size=1, max_size=5)
MODELS: list[dict[str, Any]] = [
    *({"event_model": name} for name in ("auto", "multinomial", "bernoulli", "complement", "normalized-complement")),
    {"event_model": "multinomial", "tf_idf": True},
    {"event_model": "multinomial", "smoothing": "none"},
    {"event_model": "multinomial", "binary": True},
    {"event_model": "auto", "weights": "temperature"},
    {"hashing": 4},
    {"event_model": "complement", "hashing": 4},
    {"tokenizer": str.split},
    {"ngrams": (1, 2)},
    {"stem": "english", "min_df": 2},
]


def collection(n: int = 40) -> tuple[list[str], list[str]]:
    """Documents of which some are long, so that their length tells as well."""
    rng = np.random.default_rng(5)
    y = rng.choice(["a", "b", "c"], n)
    own = {"a": ["car", "my", "new"], "b": ["bike", "my", "été"], "c": ["truck", "insure", "new", "car"]}
    return [" ".join(rng.choice(own[c], 3 if c == "a" else 12)) for c in y.tolist()], y.tolist()


def beside(n: int = 40) -> pd.DataFrame:
    """Two columns of documents, a level and a number."""
    rng = np.random.default_rng(6)
    texts, y = collection(n)
    color = np.where(rng.random(n) < 0.2, None, rng.choice(["red", "blue"], n))
    subject = [" ".join(reversed(text.split()[:2])) for text in texts]
    return pd.DataFrame({"color": color, "body": texts, "size": rng.normal(size=n), "subject": subject, "desk": y})


def rows_tell_what_the_arrays_say(told: Explanation) -> None:
    """The dense arrays hold what the rows tell, and nothing besides."""
    frame = told.to_frame()
    for i in range(len(told)):
        dense = dict.fromkeys(range(len(told.names)), (None, 0.0))
        ranked = told.strongest(i)
        for name, cell, terms, j in zip(ranked.names, ranked.cells, ranked.terms, ranked.at.tolist(), strict=True):
            assert name == told.names[j]
            dense[j] = (cell, terms)
        assert told.cells[i] == [cell for cell, _ in dense.values()]
        wanted = np.zeros((len(told.classes), len(told.names)))
        for j, (_, terms) in dense.items():
            wanted[:, j] = terms
        np.testing.assert_array_equal(told.contributions[i], wanted)
        mine = frame[(frame["row"] == i) & (frame["class"] == told.classes[0])]
        at = np.sort(ranked.at)
        assert mine["attribute"].tolist() == ["(prior)", *(told.names[j] for j in at)]
        np.testing.assert_array_equal(mine["contribution"], [told.prior[0], *told.contributions[i, 0, at]])


def adds_up(told: Explanation, scores: np.ndarray) -> None:
    """Prior and contributions are the score."""
    np.testing.assert_allclose(told.scores, scores, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(told.prior + told.contributions.sum(axis=2), scores, rtol=1e-10, atol=1e-10)


@pytest.fixture(scope="module", params=MODELS, ids=str)
def nb(request: pytest.FixtureRequest) -> TextNB:
    return TextNB(**request.param).fit(*collection())


@given(texts=ROWS)
def test_rows_are_the_arrays_and_add_up(nb: TextNB, texts: list[str | None]) -> None:
    told = nb.explain(texts)
    rows_tell_what_the_arrays_say(told)
    adds_up(told, nb.predict_joint_log_proba(texts))


@given(texts=ROWS)
def test_a_document_among_others_is_told_as_alone(nb: TextNB, texts: list[str | None]) -> None:
    told = nb.explain(texts)
    for i, text in enumerate(texts):
        alone = nb.explain([text])
        if not nb.hashing:  # a bucket is called by the words of all these documents that it holds
            assert told.to_text(i, top=100).splitlines()[1:] == alone.to_text(0, top=100).splitlines()[1:]
        assert told.strongest(i).cells == told.strongest(i - len(texts)).cells
        np.testing.assert_allclose(told.strongest(i).differences, alone.strongest(0).differences, atol=1e-12)


@given(texts=ROWS)
def test_the_cells_of_words_are_how_often_they_stand_there(texts: list[str | None]) -> None:
    texts_learnt, y = collection()
    known = set(" ".join(texts_learnt).split())
    for event_model in ("auto", "bernoulli"):
        told = TextNB(event_model=event_model).fit(texts_learnt, y).explain(texts)
        for i, text in enumerate(texts):
            words = {name: cell for name, cell, _ in told.weights(i)}
            assert words.pop(EVERY, "") == ""
            held = Counter(word for word in (text or "").split() if word in known)
            assert words.pop(LENGTH, len(held)) == len(held)
            assert words == held


@pytest.mark.parametrize("weights", [None, "temperature", "tuned", {"body": 0.5, "subject": 0.0}], ids=str)
@pytest.mark.parametrize("rule", ["text", Text(event_model="complement"), Text(hashing=8)], ids=str)
def test_columns_of_documents_beside_others_are_rows_as_well(rule: Any, weights: Any) -> None:
    frame = beside()
    nb = NaiveBayes(distributions={"body": rule, "subject": rule}, weights=weights).fit(frame, "desk")
    new = frame.drop(columns="desk")[:12]
    told = nb.explain(new)
    rows_tell_what_the_arrays_say(told)
    adds_up(told, nb.predict_joint_log_proba(new))
    where = [str(name).split(":")[0] for name in told.names]
    assert list(dict.fromkeys(where))[:4] == ["color", "body", "size", "subject"]  # behind them pairs of columns
    assert len(told.chosen) == len(told.names)


def test_tuned_models_tell_documents_by_rows() -> None:
    frame = beside(80)
    nb = TunedNB(distributions={"body": "text", "subject": "text"}).fit(frame, "desk")
    new = frame.drop(columns="desk")[:12]
    rows_tell_what_the_arrays_say(nb.explain(new))
    adds_up(nb.explain(new), nb.predict_joint_log_proba(new))


def test_words_add_what_a_rule_has_of_them() -> None:
    frame = beside()
    nb = NaiveBayes(distributions={"body": "text", "subject": "text"}, combination=Tempered(0.5)).fit(frame, "desk")
    new = frame.drop(columns="desk")[:12]
    adds_up(nb.explain(new), nb.predict_joint_log_proba(new))


def test_what_is_told_of_rows_makes_no_array_of_all_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(_: Attributes) -> None:
        raise AssertionError("an array of all words was made")

    for name in ("contributions", "cells"):
        monkeypatch.setattr(Attributes, name, property(refuse))
    frame = beside()
    nb = NaiveBayes(distributions={"body": "text", "subject": "text"}).fit(frame, "desk")
    told = nb.explain(frame.drop(columns="desk")[:5])
    assert len(told) == 5
    assert told.scores.shape == (5, 3)
    assert len(told.weights(1)) == len(told.strongest(1).names)
    assert "body: my = " in str(told)
    assert "body: my" in told._repr_html_()
    assert not told.to_frame().empty
    evidence(told, 2)
    show_explanation(told, 0, 20)
    assert "what each word and cell adds" in capsys.readouterr().out
    with pytest.raises(AssertionError, match="an array of all words"):
        told.contributions  # noqa: B018  # the property does it


def test_memory_goes_by_the_words_of_rows_and_not_by_all_words_for_each() -> None:
    n, length, classes = 200, 50, 10  # every document has words of its own
    texts = [" ".join(f"word{i}x{j}" for j in range(length)) for i in range(n)]
    nb = TextNB().fit(texts, [f"class {i % classes}" for i in range(n)])
    nb.explain(texts[:1])
    tracemalloc.start()
    told = nb.explain(texts)
    shown = [told.to_text(i) for i in range(n)]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(told.names) >= n * length
    assert len(set(shown)) == n
    dense = 8 * n * classes * len(told.names)
    assert peak < dense / 8
