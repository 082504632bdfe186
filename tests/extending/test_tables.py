"""Tables from something new: a reader of text, a kind of table, a source, a format of files, a packing of files."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, repeat, takewhile
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any

import numpy as np
import pandas as pd
import pytest
from tests import laws
from tests.extending.cases import N, X, Y

import candide
from candide import NaiveBayes
from candide.reading import ColumnReader, ReadAs, finding
from candide.reading.base import ReadColumn, numbers_by_level, refuse, texts_of
from candide.sources import openers
from candide.sources.formats import FORMATS, Format
from candide.sources.open_table import OpenFile, OpenTable
from candide.sources.packings import PACKINGS, Packing
from candide.sources.streams import Frames
from candide.sources.writing import Writer, listed, open_writer, output_format
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


def find_durations(counts: Mapping[str, int], *_: Any) -> ReadAs | None:
    return ReadAs(Durations(), "durations, in minutes") if all(map(SPELT.fullmatch, counts)) else None


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


# -- a format of files -------------------------------------------------------------------------------------------------


class Paragraphs(OpenTable):
    """A row is a paragraph, a cell a line of it: its column, a colon, and what is in it."""

    def __init__(self, file: OpenFile) -> None:
        super().__init__(file)
        self.rows = [
            dict(line.split(": ", 1) for line in row.splitlines()) for row in file.stream.read().decode().split("\n\n")
        ]
        self.names = list(self.rows[0])

    def columns(self, wanted: Sequence[str] | None, known: Any) -> Iterator[tuple[dict[str, Any], int]]:
        yield {name: [row[name] or None for row in self.rows] for name in wanted or self.names}, len(self.rows)


class ParagraphWriter(Writer):
    """Writes them."""

    def __init__(self, sink: IO[bytes], *_: bool) -> None:
        self.sink, self.between = sink, b""

    def write(self, columns: dict[str, Any]) -> None:
        for cells in zip(*map(listed, columns.values()), strict=True):
            row = "\n".join(f"{n}: {'' if c is None else c}" for n, c in zip(columns, cells, strict=True))
            self.sink.write(self.between + row.encode())
            self.between = b"\n\n"

    def close(self) -> None:
        self.sink.flush()


def test_a_format_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new = Format("paragraphs", (".par",), Paragraphs, ParagraphWriter, "text")
    monkeypatch.setitem(FORMATS, new.name, new)
    table = X.assign(y=Y)
    with open_writer(str(tmp_path / "table.par"), output_format("table.par", None)) as writer:
        writer.write({name: [None if pd.isna(cell) else cell for cell in table[name]] for name in table})
    table.to_csv(tmp_path / "table.csv", index=False)
    nb, wanted = (NaiveBayes().fit(tmp_path / f"table.{ending}", "y") for ending in ("par", "csv"))
    laws.same_model(nb, wanted, X)
    for model, source in [(nb, "table.csv"), (wanted, "table.par")]:
        (batch,) = model.predict_batches(str(tmp_path / source))
        assert batch.column("prediction").to_pylist() == wanted.predict(X).tolist()
    (tmp_path / "folder").mkdir()
    (tmp_path / "table.par").rename(tmp_path / "folder" / "table.par")
    laws.same_model(NaiveBayes().fit(tmp_path / "folder", "y"), wanted, X)


# -- a packing of files ------------------------------------------------------------------------------------------------


class Mirrored(io.RawIOBase):
    """Bytes whose bits are all turned over, behind a mark."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> int:
        read = self.file.read(len(into)).removeprefix(b"MIRROR")
        into[: len(read)] = bytes(255 - byte for byte in read)
        return len(read)


class Mirror(io.BytesIO):
    def __init__(self, file: IO[bytes]) -> None:
        super().__init__()
        self.file = file

    def close(self) -> None:
        if not self.closed:
            self.file.write(b"MIRROR" + bytes(255 - byte for byte in self.getvalue()))
        super().close()


def test_a_packing_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PACKINGS, "mirror", Packing("mirror", ".mir", b"MIRROR", Mirrored, Mirror))
    path = str(tmp_path / "table.csv.mir")
    table = X.assign(y=Y)
    with open_writer(path, output_format(path, None)) as writer:
        writer.write({name: [None if pd.isna(cell) else cell for cell in table[name]] for name in table})
    assert Path(path).read_bytes().startswith(b"MIRROR" + bytes([255 - ord("k")]))
    table.to_csv(tmp_path / "table.csv", index=False)
    laws.same_model(NaiveBayes().fit(path, "y"), NaiveBayes().fit(tmp_path / "table.csv", "y"), X)
