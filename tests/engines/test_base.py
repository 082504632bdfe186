"""What engines are given, and the law that they share: the same statistics from the same rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given as over
from hypothesis import strategies as st
from tests import laws
from tests.engines.requests import REQUEST, frames, given, learn

from candide.engines import Batched, Batches, Engine, Given, Memory
from candide.schema.column import Kind
from candide.schema.schema import Schema
from candide.sources.base import open_source
from candide.statistics import Learnt
from candide.statistics.request import POSITIVE, Request, Wanted


@dataclass(frozen=True)
class Chunks:
    """An engine over a list of tables: a few lines, since what it yields adds up."""

    def columns(self, source: list[Given]) -> tuple[Sequence[str | int], Sequence[Kind]]:
        """Return those of the first."""
        return Memory().columns(source[0])

    def learn(self, source: list[Given], request: Request, known: Schema | None = None) -> Iterator[Learnt]:
        """Yield what each teaches."""
        for part in source:
            yield from Memory().learn(part, request, known)


def chunked(source: Given, cuts: Sequence[int]) -> list[Given]:
    """Return the parts of a table between rows, none of them without weight."""
    n = source.table.n_rows
    parts = [source.rows(a, b) for a, b in zip([0, *cuts], [*cuts, n], strict=True) if a < b]
    return [part for part in parts if part.weight is None or part.weight.any()]


@over(st.data())
def test_every_engine_teaches_what_memory_does(data: st.DataObject) -> None:
    X, y, w = data.draw(frames())
    source = given(X, y, w)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(y)), max_size=4)))
    wanted = learn(source)
    found = learn(chunked(source, cuts), REQUEST, Chunks())
    laws.same_schema(wanted, found)
    laws.same_statistics(wanted, found, exact=w is None or w.dtype.kind == "i")


def batched(X: pd.DataFrame, y: Any, w: Any, size: int) -> Batched:
    """Return a table as a stream of record batches."""
    whole = X.assign(desk=y, **({} if w is None else {"weight": w}))
    reader = pa.Table.from_pandas(whole, preserve_index=False).to_reader(max_chunksize=size)
    source = open_source(reader)
    assert source is not None
    return Batched(source, "desk", None if w is None else "weight")


@pytest.mark.parametrize("size", [1, 3, 100])
@pytest.mark.parametrize("weighted", [False, True])
def test_batches_teach_what_memory_does(size: int, weighted: bool) -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({name: rng.integers(1, 9, 40) / 2 for name in "sdvemlthg"})
    X["s"], X["d"] = rng.choice(["a", "b", None], 40), rng.choice(["small", "huge", None], 40)
    X.loc[::6, ["v", "m", "t"]] = np.nan
    y, w = rng.choice(["p", "q"], 40), rng.integers(0, 3, 40) if weighted else None
    wanted = learn(given(X, y, w))
    found = learn(batched(X, y, w, size), REQUEST, Batches())
    laws.same_schema(wanted, found)
    laws.same_statistics(wanted, found)


@pytest.mark.parametrize(
    ("value", "message"), [(np.inf, "contains infinity: column 'x', row 5;"), (-2.0, "row 5: -2 is")]
)
def test_a_refusal_in_a_later_batch_counts_rows_from_the_beginning(value: float, message: str) -> None:
    X = pd.DataFrame({"x": [1.0] * 5 + [value, 1.0]})
    request = Request((Wanted("numbers", ("moments",), POSITIVE, "some rule"),))
    for size in (2, 100):
        with pytest.raises(ValueError, match=message):
            learn(batched(X, ["p", "q"] * 3 + ["p"], None, size), request, Batches())


def test_engines_are_told_apart_by_nothing_but_what_they_read() -> None:
    engines: list[Engine] = [Memory(), Batches(), Chunks()]
    X, y = pd.DataFrame({"a": ["u", "v"], "x": [1.0, 2.0]}), ["p", "q"]
    sources = [given(X, y), batched(X, y, None, 1), [given(X, y)]]
    for engine, source in zip(engines, sources, strict=True):
        names, kinds = engine.columns(source)
        assert (list(names), list(kinds)) == (["a", "x"], ["symbols", "numbers"])


def test_rows_of_what_was_given_have_their_labels_and_weights() -> None:
    source = given(np.arange(6.0)[:, None], list("pqrpqr"), np.arange(6))
    part = source.rows(2, 5)
    assert part.table.matrix[:, 0].tolist() == [2, 3, 4]
    assert part.labels.classes[part.labels.codes].tolist() == list("rpq")
    assert part.weight.tolist() == [2, 3, 4]
    assert part.names == [0]
    assert given(pd.DataFrame({"a": [1]}), ["p"]).names == ["a"]
