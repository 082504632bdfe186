"""A reader of text, a kind of table and a source that are new: models learn from them as from any other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import chain, repeat, takewhile
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests import laws
from tests.extending.cases import N, X, Y

import candide
from candide import NaiveBayes
from candide.reading import ColumnReader, finding
from candide.reading.base import ReadColumn, numbers_by_level, refuse, texts_of
from candide.sources import openers
from candide.sources.streams import Frames
from candide.table import Numbers, Table, encode
from candide.table.arrays import encode_array
from candide.table.read import FRAMES

# -- a reader of text --------------------------------------------------------------------------------------------------

SPELT = re.compile(r"(\d+)h(\d\d)")


def minutes(cell: str) -> float | None:
    found = SPELT.fullmatch(cell)
    return None if found is None else 60.0 * int(found[1]) + int(found[2])


class Durations(ColumnReader):
    """Minutes, from hours and minutes: 1h30 is 90."""

    says = "durations"

    def read(self, cells: ReadColumn, where: str) -> tuple[ReadColumn, ...]:
        text = texts_of(cells)
        found = [minutes(level) for level in text.levels.tolist()]
        if None in found:
            raise refuse(text, found.index(None), where, self.says)
        return (Numbers(numbers_by_level(text, [value or 0.0 for value in found])),)


def find_durations(counts: Mapping[str, int], *_: Any) -> tuple[ColumnReader, str] | None:
    return (Durations(), "durations, in minutes") if all(map(SPELT.fullmatch, counts)) else None


def test_a_reader_of_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "FINDERS", [find_durations, *finding.FINDERS])
    lasted = np.random.default_rng(0).integers(20, 400, N) + 200 * (Y == "q")
    written = X.assign(n=[f"{m // 60}h{m % 60:02d}" for m in lasted])
    wanted = NaiveBayes().fit(X.assign(n=lasted.astype(float)), Y)
    nb = NaiveBayes(reading="auto").fit(written, Y)
    assert "n: durations, in minutes" in repr(nb.schema_.reading)
    np.testing.assert_array_equal(nb.predict_proba(written), wanted.predict_proba(X.assign(n=lasted)))
    with pytest.raises(ValueError, match=r"column 'n', row 3: 'long' is none of the durations"):
        nb.predict(written.assign(n=["1h00"] * 3 + ["long"] * (N - 3)))
    written.assign(y=Y).to_csv(tmp_path / "table.csv", index=False)
    from_file = NaiveBayes(reading="auto").fit(tmp_path / "table.csv", "y")
    np.testing.assert_array_equal(from_file.predict_proba(written), nb.predict_proba(written))
    nb.save(tmp_path / "model.json")
    again = candide.load(tmp_path / "model.json").partial_fit(written, Y)
    laws.same_model(again, 2 * nb, written)


# -- a kind of table ---------------------------------------------------------------------------------------------------


class Account:
    """A column of a ledger: a list under a name."""

    def __init__(self, cells: list[Any]) -> None:
        self.cells = cells

    def __len__(self) -> int:
        return len(self.cells)


class Ledger:
    """A frame of a library that nobody has heard of."""

    def __init__(self, accounts: dict[str, list[Any]]) -> None:
        self.accounts = {name: Account(cells) for name, cells in accounts.items()}

    @property
    def columns(self) -> list[str]:
        return list(self.accounts)


def read_ledger(ledger: Ledger) -> Table:
    accounts = list(ledger.accounts.values())
    shape = (len(accounts[0]), len(accounts))
    return Table(shape, tuple(ledger.columns), lambda i: encode.encode(accounts[i], f"column {ledger.columns[i]!r}"))


def encode_account(account: Account, where: str) -> Any:
    text = any(isinstance(cell, str) for cell in account.cells)
    return encode_array(np.array(account.cells, dtype=object if text else float), where)


def test_a_kind_of_table(monkeypatch: pytest.MonkeyPatch) -> None:
    library = __name__.partition(".")[0]
    monkeypatch.setitem(FRAMES, library, read_ledger)
    monkeypatch.setitem(encode.ENCODERS, library, encode_account)
    cells = {name: [None if pd.isna(cell) else cell for cell in X[name]] for name in X}
    ledger = Ledger(cells)
    nb, wanted = NaiveBayes().fit(ledger, Account(list(Y))), NaiveBayes().fit(X, Y)
    laws.same_model(nb, wanted, X)
    np.testing.assert_array_equal(nb.predict_proba(ledger), wanted.predict_proba(X))
    by_name = NaiveBayes().fit(Ledger({**cells, "y": list(Y)}), "y")
    laws.same_model(by_name, wanted, X)


# -- a source ----------------------------------------------------------------------------------------------------------


def is_queue(X: Any) -> bool:
    return isinstance(X, SimpleQueue)


def read_queue(X: Any, options: Any) -> Frames:
    frames = (X.get() for _ in repeat(None))
    return Frames(takewhile(lambda frame: frame is not None, frames), options)


def test_a_source(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openers, "OPENERS", (*openers.OPENERS, (is_queue, read_queue)))

    def queue() -> SimpleQueue[Any]:
        out: SimpleQueue[Any] = SimpleQueue()
        for rows in (slice(0, 9), slice(9, 40), slice(40, N)):
            out.put(X[rows].assign(y=Y[rows]))
        out.put(None)
        return out

    nb = NaiveBayes().fit(queue(), "y")
    laws.same_model(nb, NaiveBayes().fit(X, Y), X)
    predicted = [batch.column("prediction").to_pylist() for batch in nb.predict_batches(queue())]
    assert [len(labels) for labels in predicted] == [9, 31, N - 40]
    assert [*chain(*predicted)] == nb.predict(X).tolist()
