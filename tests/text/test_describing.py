"""What is told of a model that has documents: of each of its columns, and of its words."""

import numpy as np
import pandas as pd
import pytest

from candide import NaiveBayes, TunedNB
from candide.datasets import insurance
from candide.distributions import bag
from candide.report.collecting import facts
from candide.report.notebook import row_html
from candide.text import TextNB


@pytest.fixture(scope="module")
def requests():
    return insurance(200, messages=True).frame


@pytest.mark.parametrize("estimator", [NaiveBayes, TunedNB])
def test_every_column_beside_documents_is_described_as_without_them(estimator, requests):
    columns = requests.drop(columns=["message", "desk"]).columns
    nb = estimator(distributions={"message": "text"}).fit(requests, "desk")
    alone = estimator().fit(requests.drop(columns="message"), "desk")
    for column in columns:
        assert nb.describe(column) == alone.describe(column)
    words = nb.describe("message")
    assert len(words) == bag.TOLD
    assert all(set(by_class) == set(requests["desk"]) for by_class in words.values())


@pytest.mark.parametrize(
    ("event_model", "smoothing"),
    [
        ("multinomial", "lidstone"),
        ("multinomial", "none"),
        ("bernoulli", "lidstone"),
        ("complement", "lidstone"),
        ("auto", "lidstone"),
    ],
)
def test_words_that_tell_most_are_found_some_at_a_time(event_model, smoothing, requests, monkeypatch):
    texts, y = requests["message"].fillna(""), requests["desk"]
    nb = TextNB(event_model=event_model, smoothing=smoothing).fit(texts, y)
    at_once = nb.describe(0)
    (block,) = nb.model_.blocks
    assert len(at_once) == bag.TOLD < len(block.selection.factor)
    monkeypatch.setattr(bag, "MOST_TERMS", 1)
    some = nb.describe(0)
    assert list(some) == list(at_once)
    for word, told in at_once.items():
        np.testing.assert_array_equal(list(some[word].values()), list(told.values()))


@pytest.mark.parametrize("event_model", ["auto", "multinomial", "bernoulli", "complement"])
def test_a_document_is_told_by_its_own_words(event_model):
    nb = TextNB(event_model=event_model).fit(["aa bb", "cc dd ee", "aa dd", "ee cc"], ["x", "y", "x", "y"])
    texts = ["aa", "cc dd ee ee", "", None]
    told = nb.explain(texts)
    for row, text in enumerate(texts):
        own = set((text or "").split())
        weights = {name: cell for name, cell, _ in told.weights(row) if not str(name).startswith("(")}
        assert weights == {word: text.split().count(word) for word in own}
        head, *lines = told.to_text(row).splitlines()[1:-1]
        assert head == "score = log P(class) + what each word and cell adds"
        lines = lines[1:]  # the classes
        assert {line.split()[0] for line in lines} - {"prior", "(any", "(number"} == own
        assert not any("missing" in line for line in lines)
        for label in told.classes:
            added = sum(weight for _, _, weight in told.weights(row, label))
            prior = told.prior - told.prior[::-1]
            c = told.classes.tolist().index(label)
            assert prior[c] + added == pytest.approx(told.scores[row, c] - told.scores[row, 1 - c])
    assert told.weights(3) == []  # a missing document


def test_what_every_document_adds_has_no_cell(requests):
    nb = TextNB(event_model="bernoulli").fit(requests["message"].fillna(""), requests["desk"])
    (line,) = [line for line in nb.explain("").to_text().splitlines() if line.startswith("(any document)")]
    assert "=" not in line


def test_words_of_other_rows_are_in_no_text_notebook_or_frame(requests):
    table = requests.drop(columns="desk")
    nb = NaiveBayes(distributions={"message": "text"}).fit(requests, "desk")
    told, alone = nb.explain(table[:40]), nb.explain(table[3:4])
    assert told.to_text(3, top=100).splitlines()[1:] == alone.to_text(0, top=100).splitlines()[1:]
    assert row_html(told, 3) == row_html(alone, 0)
    frame = told.to_frame()
    mine = frame[frame["row"] == 3].drop(columns="row").reset_index(drop=True)
    pd.testing.assert_frame_equal(mine, alone.to_frame().drop(columns="row"))
    added = frame.groupby(["row", "class"])["contribution"].sum().to_numpy().reshape(40, -1)
    np.testing.assert_allclose(added, told.scores)


def test_a_class_that_is_not_there_is_told_in_one_line():
    labels = [f"class {c}" for c in range(3000)]
    nb = TextNB(event_model="multinomial").fit([f"word{c}" for c in range(3000)], labels)
    for ask in (
        nb.top_words,
        lambda label: nb.explain("word7").weights(0, label),
        lambda label: facts(nb, label=label),
    ):
        with pytest.raises(ValueError, match="there is no class 'Class 7'; did you mean 'class 7'") as told:
            ask("Class 7")
        with pytest.raises(ValueError, match=r"there is no class 'nope'; there are 'class 0', .* and 2988 more") as far:
            ask("nope")
        assert len(str(told.value)) < len(str(far.value)) < 250
    for prior in ([0.5, 0.5], {"class 1": 1.0}, dict.fromkeys(labels[1:], 1 / 2999)):
        with pytest.raises(ValueError, match=r"2 entries for 3000 classes|says nothing of class") as told:
            TextNB(event_model="multinomial", prior=prior).fit([f"word{c}" for c in range(3000)], labels)
        assert len(str(told.value)) < 300


@pytest.mark.parametrize(
    "params",
    [
        *(
            {"event_model": name}
            for name in ("auto", "multinomial", "bernoulli", "complement", "normalized-complement")
        ),
        {"event_model": "multinomial", "smoothing": "none"},
        {"event_model": "multinomial", "smoothing": "marginal"},
    ],
)
def test_the_words_that_tell_most_are_found_without_looking_at_all_of_them(params, monkeypatch):
    rng = np.random.default_rng(0)
    texts = [" ".join(f"w{j}" for j in (rng.zipf(1.3, 25) * 79 + i % 5 * 3) % 3000) for i in range(600)]
    block = TextNB(**params).fit(texts, [f"c{i % 5}" for i in range(600)]).model_.blocks[0].bare
    f = block.scale * block.table.dense(np.arange(len(block.selection.spoken)))
    f = np.ma.masked_invalid(f)
    most = np.argsort(-(f.max(axis=1) - f.min(axis=1)).filled(0), kind="stable")[: bag.TOLD]
    asked = []
    dense = type(block.table).dense
    monkeypatch.setattr(bag, "MOST_TERMS", 250)
    monkeypatch.setattr(
        type(block.table), "dense", lambda table, words: asked.append(len(words)) or dense(table, words)
    )
    assert list(block.describe(0)) == [block.selection.spoken[w] for w in most]
    if params["event_model"] in ("auto", "complement"):  # others have many words that tell as much as the last
        assert sum(asked) < len(block.selection.spoken) / 2


def test_spaces_of_runs_are_seen():
    texts, y = ["free prize", "see you"], ["spam", "ham"]
    told = [word for word, _ in TextNB(analyzer="char", ngrams=(2, 2)).fit(texts, y).top_words("spam", 50)]
    assert "e␣" in told
    nb = TextNB(ngrams=(1, 2), characters=(2, 2)).fit(texts, y)
    assert {"free", "free prize", "~e␣", "~␣p"} <= {*nb.explain("free prize").names}
    assert {"free prize", "~e␣"} <= {word for word, _ in nb.top_words("spam", 50)}
    buckets = TextNB(hashing=1 << 16, characters=(2, 2)).fit(texts, y).explain("free prize").names
    assert {"free", "~e␣"} <= {*buckets}
