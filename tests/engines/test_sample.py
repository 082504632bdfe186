"""The sample of rows: the same ones, in whatever order and by whatever thread tables are given."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide import TunedNB
from candide.engines import Given
from candide.engines.sample import Sample
from candide.schema.one_column import as_table
from candide.table import read
from candide.table.labels import Labels


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("candide.engines.sample.MOST_ROWS", 10)


def tables(sizes: list[int]) -> list[Given]:
    """Tables behind each other, each row with its number in it."""
    starts = np.cumsum([0, *sizes])
    rows = [np.arange(a, b) for a, b in pairwise(starts.tolist())]
    labels = [Labels(at % 2, np.array(["p", "q"])) for at in rows]
    return [Given(read(at[:, None]), y, start=int(at[0])) for at, y in zip(rows, labels, strict=True)]


@pytest.mark.parametrize(
    ("mine", "classes", "wanted"),
    [
        (["p", "q"], ["p", "q"], [0, 1]),
        (["p", "q"], ["a", "p"], [1, -1]),
        (["p", "q"], ["o", "p", "q"], [1, 2]),
        ([0, 1], [False, True], [0, 1]),
        ([0, 1], [0, 2], [0, -1]),
    ],
)
def test_labels_by_classes_that_are_known(mine: list[object], classes: list[object], wanted: list[int]) -> None:
    sample = Sample([], whole=True)
    sample.take(Given(read(np.zeros((2, 1))), Labels(np.array([0, 1]), np.array(mine))))
    assert sample.parts[0].coded(np.array(classes)).tolist() == wanted


def numbers(sample: Sample) -> Iterator[int]:
    for part in sample.parts:
        assert part.table is not None
        assert part.numbers.tolist() == part.table.column(0).values.tolist()
        assert part.labels.codes.tolist() == (part.numbers % 2).tolist()
        yield from part.numbers.tolist()


@given(st.lists(st.integers(1, 40), min_size=1, max_size=8), st.randoms(), st.booleans())
def test_evenly_spaced_rows_are_kept_in_whatever_order_tables_come(sizes, random, expected):
    given, n = tables(sizes), sum(sizes)
    sample = Sample((), whole=True)
    if expected:
        sample.expect(n)
    for one in random.sample(given, len(given)):
        sample.take(one)
    stride = next(2**k for k in range(20) if -(-n // 2**k) <= 20)
    assert list(numbers(sample)) == list(range(0, n, stride))
    assert sample.seen == n


@given(st.lists(st.integers(0, 30), min_size=1, max_size=60), st.lists(st.integers(1, 60), max_size=5), st.randoms())
def test_long_documents_are_kept_as_far_as_there_is_room_in_whatever_order_they_come(lengths, cuts, random):
    texts, n = ["x" * length for length in lengths], len(lengths)
    ends = sorted({0, n, *(cut for cut in cuts if cut < n)})
    parts = [
        Given(
            as_table(texts[a:b]),
            Labels(np.arange(a, b) % 2, np.array(["p", "q"])),
            start=a,
        )
        for a, b in pairwise(ends)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("candide.engines.sample.MOST_KEPT", 100)
        patch.setattr("candide.engines.sample.LEAST", 2)
        sample = Sample([0])
        for part in random.sample(parts, len(parts)):
            sample.take(part)
    strides = (texts[:: 2**k] for k in range(20))
    wanted = next(kept for kept in strides if len(kept) <= 4 or sum(map(len, kept)) <= 100)
    assert [text for part in sample.parts for text in part.bags[0].texts()] == wanted


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_weights_settled_while_several_threads_count_are_those_of_one(tmp_path, monkeypatch, ending):
    monkeypatch.setattr("candide.engines.sample.MOST_ROWS", 300)
    monkeypatch.setattr("candide.sources.text.BLOCK_BYTES", 1 << 11)
    monkeypatch.setattr("candide.sources.text.FEW_BYTES", 0)
    monkeypatch.setattr("candide.sources.batch.BATCH_CELLS", 300)
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 2000)
    words = np.array(["red", "blue", "green"], dtype=object)[rng.integers(0, 2, 2000) + y]
    frame = pd.DataFrame({"x": (rng.normal(size=2000) + y).round(3), "word": words, "y": np.where(y, "on", "off")})
    path = tmp_path / f"table.{ending}"
    if ending == "csv":
        frame.to_csv(path, index=False)
    else:
        frame.to_parquet(path, row_group_size=100, index=False)
    texts = []
    for n in (1, 3):
        monkeypatch.setattr("candide.engines.batches.workers", lambda n=n: n)
        model = TunedNB().fit(str(path), "y")
        assert model.tuned_on_ == 500
        model.save(tmp_path / "model.json")
        texts.append((tmp_path / "model.json").read_bytes())
    assert texts[0] == texts[1]
