"""Columns of documents."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide.table.bags import Bags, bags_of
from candide.text import TextNB


@given(st.lists(st.one_of(st.none(), st.text(max_size=6)), min_size=1), st.data(), st.integers(1, 9))
def test_documents_in_buffers_are_taken_some_at_a_time(texts, data, size):
    rows = data.draw(st.lists(st.integers(0, len(texts) - 1)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("candide.table.bags.MOST_TAKEN", size)
        taken = bags_of(pa.array(texts, pa.string()), "X").take(np.array(rows, dtype=np.int64))
    assert taken.texts() == [texts[i] for i in rows]


def test_documents_are_taken_without_a_number_for_each_byte():
    text, n = np.zeros(1 << 24, dtype=np.uint8), 1 << 10
    bags = Bags((text, np.linspace(0, len(text), n + 1).astype(np.int64)))
    tracemalloc.start()
    bags.take(np.arange(n))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 * len(text)


@pytest.mark.parametrize("dtype", [object, None])
def test_masked_documents_are_missing(dtype):
    texts = np.ma.array(np.array(["a car", "a secret", "a bike"], dtype=dtype), mask=[False, True, False])
    assert bags_of(texts, "X").texts() == ["a car", None, "a bike"]
    assert TextNB().fit(texts, ["u", "v", "v"]).statistics_["words 0"].missing.tolist() == [0, 1]
