"""Slim models of documents: words and what they say, and nothing of the documents."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import candide
from candide import NaiveBayes, TunedNB
from candide.datasets import insurance
from candide.distributions.links import LOG
from candide.distributions.spoken import Spoken
from candide.estimator import files
from candide.estimator.format.entries import ModelFileError
from candide.estimator.slim import slimming
from candide.estimator.slim.leaving_out import Unheard
from candide.statistics.words import Sparse
from candide.table import Bags
from candide.table.columns import level_array
from candide.text import TextNB

RULES: list[dict[str, Any]] = [
    {},
    {"ngrams": (1, 2)},
    {"weights": "temperature"},
    {"analyzer": "char", "ngrams": (2, 3)},
    {"characters": (2, 3)},
    *({"min_df": 8}, {"max_df": 0.1}, {"max_features": 40}, {"max_features": 40, "hashing": 256}),
    *({"event_model": name} for name in ("multinomial", "bernoulli", "complement", "normalized-complement")),
    {"event_model": "multinomial", "tf_idf": True},
    {"event_model": "multinomial", "binary": True, "stem": "english", "stop_words": "english"},
    {"event_model": "multinomial", "smoothing": "none"},
]


def documents(n: int, seed: int, n_classes: int = 3) -> tuple[list[str], np.ndarray]:
    """Return documents of some words that are common, some that are rare, and labels."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    words = np.array([f"word{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(400)])
    chance = np.random.default_rng(7).dirichlet(np.full(400, 0.1), n_classes)
    texts = [" ".join(rng.choice(words, rng.integers(0, 20), p=chance[c])) for c in y]
    return texts, np.array(["claims", "sales", "support", "other"])[y]


TEXTS, Y = documents(600, 0)
NEW = [*documents(200, 1)[0], "nobody has learnt these", "", None]


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_the_form_of_documents_scores_as_the_block_does(rule: dict[str, Any]) -> None:
    nb = TextNB(**rule).fit(TEXTS, Y)
    state, made = nb._modelled()
    (form,) = slimming.told_forms(made.model, LOG, state.evidence, 0, Unheard())
    assert isinstance(form, Spoken)
    form.check()
    known = Bags(list(NEW))
    scores = made.model.log_prior + form.of(known)
    impossible = np.isneginf(scores).all(axis=1)
    scores[impossible] = made.model.log_prior
    found = np.exp(scores - np.logaddexp.reduce(scores, axis=1)[:, None])
    np.testing.assert_allclose(found, nb.predict_proba(NEW), atol=1e-9)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("rule", RULES, ids=str)
def test_a_slim_model_of_documents_is_small_and_answers_alike(
    rule: dict[str, Any], n_classes: int, tmp_path: Path
) -> None:
    nb = TextNB(**rule).fit(*documents(600, 0, n_classes))
    small = nb.slim()
    assert small.share <= 0.1
    if rule.get("smoothing") != "none":  # without a word that is not known, more is possible
        assert (small.predict(NEW) == nb.predict(NEW)).mean() > 0.9
    fine = nb.slim(rare=0, within=0.01)
    drawn = nb.sample(1000, random_state=0)[0][:, 0]
    np.testing.assert_allclose(fine.predict_proba(drawn), nb.predict_proba(drawn), atol=0.011)
    for one in (small, fine):
        one.save(tmp_path / "slim.json")
        again = candide.load(tmp_path / "slim.json")
        np.testing.assert_array_equal(again.predict_proba(NEW), one.predict_proba(NEW))
        assert again.left_out == one.left_out


def test_rare_words_are_left_out_and_what_that_costs_is_said() -> None:
    nb = TextNB().fit([*TEXTS, "pangloss"], [*Y, "claims"])
    small = nb.slim()
    (said,) = (text for text in small.left_out if text.startswith("words of fewer than 5 documents"))
    often = nb.learnt_.statistics["words 0"].by_entry("documents")[1:]
    assert said == f"words of fewer than 5 documents: {np.sum(often < 5)} of column 0"
    assert any(text.startswith("digits and words: probabilities lie within") for text in small.left_out)
    (form,) = small.forms
    assert "pangloss" not in form.levels.tolist()
    assert len(form.levels) == np.sum(often >= 5)


@pytest.mark.filterwarnings("ignore:the model has learnt columns that the rows do not have")
@pytest.mark.parametrize("make", [NaiveBayes, TunedNB])
def test_documents_beside_other_columns_go_with_it(make: type[NaiveBayes], tmp_path: Path) -> None:
    frame = insurance(n=800, seed=0).frame
    frame["message"] = documents(800, 2)[0]
    frame.loc[::7, "message"] = None
    frame.loc[frame["desk"] == "motorcycle", "message"] += " bike"
    nb = make({"message": "text"}).fit(frame, "desk")
    small = nb.slim()
    assert small.share <= 0.1
    new = frame.drop(columns="desk")
    assert (small.predict(new) == nb.predict(new)).mean() > 0.97
    small.save(tmp_path / "slim.json")
    again = candide.load(tmp_path / "slim.json")
    np.testing.assert_array_equal(again.predict_proba(new), small.predict_proba(new))
    row = {"message": "a word of bike", "wheels": 2}
    assert again.predict([row]).tolist() == small.predict([row]).tolist()


def test_documents_that_no_file_holds_are_refused() -> None:
    with pytest.raises(ValueError, match="a function finds, which no file holds: fit it without tokenizer="):
        TextNB(tokenizer=str.split).fit(TEXTS, Y).slim()


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_buckets_of_words_go_with_it(rule: dict[str, Any], tmp_path: Path) -> None:
    nb = TextNB(**{**rule, "hashing": 256}).fit(TEXTS, Y)
    fine, small = nb.slim(rare=0, within=0.01), nb.slim()
    np.testing.assert_allclose(fine.predict_proba(NEW), nb.predict_proba(NEW), atol=0.03)
    assert small.share <= 0.1
    if rule.get("smoothing") != "none":  # without a word that is not known, more is possible
        assert (small.predict(NEW) == nb.predict(NEW)).mean() > 0.9
    for one in (fine, small):
        one.save(tmp_path / "slim.json")
        again = candide.load(tmp_path / "slim.json")
        np.testing.assert_array_equal(again.predict_proba(NEW), one.predict_proba(NEW))


def test_documents_are_drawn_of_words_that_buckets_hold() -> None:
    nb = TextNB(hashing=256, event_model="multinomial").fit(TEXTS, Y)
    texts, y = nb.sample(300, random_state=0)
    assert nb.score(texts[:, 0], y) > 0.95


def test_too_many_words_and_classes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("candide.distributions.spoken.MOST", 100)
    with pytest.raises(ValueError, match="too many for one table"):
        TextNB().fit(TEXTS, Y).slim()


@pytest.mark.parametrize(
    "broken",
    [
        {"levels": ["b", "a"]},
        {"levels": ["a", "a"]},
        {"levels": ["a", 1]},
        {"const": [0.0]},
        {"pace": [1.0]},
        {"analyzer": 3},
        {"analyzer": {"rule": "Analyzer", "params": {"hashing": 8}}},
    ],
    ids=str,
)
def test_a_file_of_no_documents_is_refused(
    broken: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = TextNB(event_model="multinomial").fit(["a a1 b", "a1 b1", "b1 b2"] * 5, [0, 1, 1] * 5).slim(rare=0)
    told = slimming.Slim._file
    from candide.estimator.slim import slim as module

    def tell(*given: Any) -> Any:
        lines, tables = forms_to_json(*given)
        lines[0].update(broken)
        if "levels" in broken:
            tables[-1] = tables[-1][:, :2]
        return lines, tables

    forms_to_json = module.forms_to_json
    monkeypatch.setattr(module, "forms_to_json", tell)
    (tmp_path / "slim.json").write_bytes(told(small))
    with pytest.raises(ModelFileError):
        candide.load(tmp_path / "slim.json")


@pytest.mark.parametrize("silent", [("b", "a"), ("a", "a"), ("a", 1), ["a"], "ab", np.array([1.0])], ids=str)
def test_silent_words_that_are_none_are_refused(silent: Any) -> None:
    (form,) = TextNB(max_features=40).fit(TEXTS, Y).slim(rare=0).forms
    assert isinstance(form, Spoken)
    assert form.silent
    with pytest.raises((TypeError, ValueError), match="silent"):
        replace(form, silent=silent).check()
    with pytest.raises(ValueError, match="say something"):
        replace(form, silent=(form.levels[0],)).check()


def test_words_that_are_told_are_counted_without_a_table_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    nb = TextNB().fit(TEXTS, Y)
    whole = Sparse.dense

    def bounded(self: Sparse, name: str) -> Any:
        assert self.sizes[1] < nb.statistics_["words 0"].sizes[1]
        return whole(self, name)

    monkeypatch.setattr(Sparse, "dense", bounded)
    assert nb.slim().predict(TEXTS[:3]).tolist() == nb.predict(TEXTS[:3]).tolist()


def test_terms_of_cells_are_those_of_documents() -> None:
    nb = TextNB(event_model="multinomial").fit(TEXTS, Y)
    (form,) = nb.slim(rare=0).forms
    cells = level_array(["wordaa wordab", None])
    np.testing.assert_array_equal(form(cells), form.of(Bags(["wordaa wordab", None])))
    np.testing.assert_allclose(form.scaled(0.5)(cells), 0.5 * form(cells))
    np.testing.assert_allclose(form.lifted(np.arange(3.0))(cells)[0], form(cells)[0] + np.arange(3.0))


def test_a_frame_of_one_column_is_scored(tmp_path: Path) -> None:
    frame = pd.DataFrame({"message": TEXTS, "desk": Y})
    nb = TextNB().fit(frame[["message"]], Y)
    small = nb.slim()
    there = [text or None for text in TEXTS]  # an empty cell of a frame is missing
    np.testing.assert_array_equal(small.predict_proba(frame[["message"]]), small.predict_proba(there))
    files.store(tmp_path / "slim.json", small._file())
    assert (
        candide.load(tmp_path / "slim.json").predict(frame["message"][:3]).tolist() == small.predict(TEXTS[:3]).tolist()
    )
