"""Words as they stand in documents are scored as their forms are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide.distributions import spellings
from candide.table import Bags
from candide.text import TextNB

WORDS = [
    "claim",
    "claims",
    "claiming",
    "car",
    "Cars",
    "the",
    "été",
    "x",
    "running",
    "runs",
    "55",
    "antidisestablish" * 3,
]
TEXTS = st.lists(
    st.lists(st.sampled_from([*WORDS, "novel", "novels", "insured"]), max_size=8).map(" ".join), max_size=6
)


def stemmed():
    texts = [" ".join(WORDS[i : i + 4]) for i in range(len(WORDS))]
    return TextNB(event_model="multinomial", stem="english", stop_words="english").fit(texts, list("abc") * 4)


@given(st.lists(TEXTS.filter(len), min_size=1, max_size=4))
def test_spellings_say_what_their_forms_say(batches):
    (bag,) = stemmed().model_.blocks
    told = []
    for texts in batches:
        bags = Bags(texts)
        found, wanted = np.zeros((2, len(texts), 3))
        rows = bag.selection.spelt_out(bags)
        bag.table.add(rows, wanted)
        held = bag.spellings.score(bags, found)
        told.append(held is not None)
        if told[-1]:
            np.testing.assert_array_equal(found, wanted)
            known = [int((rows.words[a:b] >= 0).sum()) for a, b in zip(rows.starts, rows.starts[1:], strict=False)]
            assert held.tolist() == known
        else:
            assert not found.any()
    assert told[0]  # nothing was known that a table could be too large for


def test_few_documents_with_a_new_spelling_make_no_table():
    (bag,) = stemmed().model_.blocks
    out = np.zeros((1, 3))
    assert bag.spellings.score(Bags([" ".join(WORDS)]), out) is not None
    before = bag.spellings.known
    assert bag.spellings.score(Bags(["novel"]), out) is None
    assert bag.spellings.score(Bags(["claims"]), out) is not None
    assert bag.spellings.known is before


def test_spellings_are_forgotten_where_there_are_too_many(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(spellings, "MOST", 3)
    model = stemmed()
    (bag,) = model.model_.blocks
    for texts in (["claims cars"], ["running runs " * 20]):
        assert bag.spellings.score(Bags(texts), np.zeros((1, 3))) is not None
    assert bag.spellings.known.words.text == ["running", "runs"]


def test_spellings_that_others_forget_meanwhile_are_scored(monkeypatch: pytest.MonkeyPatch):
    (bag,) = stemmed().model_.blocks
    add, bags = spellings.Spellings._add, Bags([" ".join(WORDS)])
    found, wanted = np.zeros((2, 1, 3))
    bag.spellings.score(bags, wanted)

    def forgetting(self, known, *given):
        self.known = self._nothing()  # as another thread may
        return add(self, known, *given)

    monkeypatch.setattr(spellings.Spellings, "_add", forgetting)
    (bag,) = stemmed().model_.blocks
    bag.spellings.score(bags, found)
    assert wanted.any()
    np.testing.assert_array_equal(found, wanted)
