"""Lines: documents that come one a line, read and answered as they come."""

from __future__ import annotations

import sys
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import fields
from io import BufferedReader
from typing import Any

from candide.cli.failures import BadInput
from candide.cli.models import learnt_schema
from candide.sources.base import Reading
from candide.sources.decoding import decoded
from candide.sources.opening import ByteStream, open_bytes
from candide.sources.typing import AbsentColumnError


def check_documents(model: Any) -> None:
    """Refuse a model that does not read one column of documents."""
    if not reads_documents(model):
        n = len(learnt_schema(model).columns)
        raise BadInput(f"--lines: the model reads {n} columns, not one of documents: give a table")


def reads_documents(model: Any) -> bool:
    """Whether a model reads one column of documents, and nothing else."""
    return [column.kind for column in learnt_schema(model).columns] == ["bags"]


@contextmanager
def telling_of_lines(model: Any) -> Iterator[None]:
    """Say how plain text is read, where it was taken for a table without the column of documents."""
    try:
        yield
    except AbsentColumnError as error:
        if not reads_documents(model):
            raise
        raise BadInput(f"{error}; plain text, a document a line, is read with --lines") from None


def check_options(reading: Reading, **given: Any) -> None:
    """Refuse options that are said of tables: what they ask for would not happen.

    Parameters
    ----------
    reading : Reading
        Of plain text, only how characters are written is asked.
    **given
        Options of writing, by name; those that were not given are None or False.
    """
    usual = Reading(missing=())  # as the options are, where none is given
    for field in fields(Reading):
        if field.name not in OF_LINES and getattr(reading, field.name) != getattr(usual, field.name):
            given[field.name] = True
    told = next((name for name, value in given.items() if value not in (None, False)), None)
    if told is not None:
        raise BadInput(
            f"--lines answers plain text, line by line, on standard output: --{told.replace('_', '-')} does not go "
            "with it; leave it out, or give a table"
        )


OF_LINES = "encoding", "replace_invalid"
"""What is asked of the reading of plain text."""


def read_lines(paths: tuple[str, ...], reading: Reading) -> Iterator[str]:
    """Yield the lines of files, which may be packed, and of standard input, as soon as each is there.

    Parameters
    ----------
    paths : tuple of str
    reading : Reading
        How characters are written, and whether bytes that are none are read as U+FFFD; they are refused otherwise.
    """
    for path in paths:
        name = "standard input" if path == "-" else path
        with nullcontext(standard_input()) if path == "-" else open_bytes(path, name)[0] as stream:
            text = decoded(stream, reading.encoding, None, name, reading.replace_invalid)
            for n, line in enumerate(text, 1):
                try:
                    yield (line.removeprefix(BOM_UTF8) if n == 1 else line).decode().rstrip("\r\n")
                except UnicodeDecodeError as error:
                    raise BadInput(
                        f"{name}, line {n}: byte {error.start + 1} (0x{error.object[error.start]:02x}) is no UTF-8; "
                        "say how characters are written, as --encoding latin-1 does, or have --replace-invalid read "
                        "such bytes as U+FFFD"
                    ) from None


def standard_input() -> ByteStream:
    """Return standard input as it is: whoever types is answered as well, which a table from the keyboard is not."""
    stream: Any = sys.stdin.buffer
    return stream if hasattr(stream, "peek") else BufferedReader(stream)


def as_input(model: Any, text: str) -> Any:
    """Return one document as a model's table; an empty line is a missing one, as an empty cell of a table is."""
    from candide.schema.one_column import as_table

    return as_table([text or None], learnt_schema(model).names[0])


def read_line(model: Any, path: str, row: int, reading: Reading) -> Any:
    """Return one line, counted from 0, as a model's table; what comes behind is not read."""
    rows = 0
    for rows, text in enumerate(read_lines((path,), reading), 1):
        if row < rows:
            return as_input(model, text)
    raise BadInput(
        f"{'standard input' if path == '-' else path} has {rows} lines: there is no line {row} (the first is 0)"
    )


def answer_lines(model: Any, paths: tuple[str, ...], wanted: Sequence[str], reading: Reading) -> None:
    """Write the label of every line, and the probabilities and risks where asked, flushed line by line."""
    from candide.estimator.answers import answers

    check_documents(model)
    out = sys.stdout
    if wanted:
        out.write("\t".join(answers(model, None, wanted)) + "\n")
    for text in read_lines(paths, reading):
        label, *more = (column.tolist()[0] for column in answers(model, as_input(model, text), wanted).values())
        out.write("\t".join([str(label), *(f"{number:.6g}" for number in more)]) + "\n")
        out.flush()
