"""Lines: documents that come one a line, read and answered as they come."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from candide.cli.failures import BadInput
from candide.cli.models import learnt_schema


def check_documents(model: Any) -> None:
    """Refuse a model that does not read one column of documents."""
    kinds = [column.kind for column in learnt_schema(model).columns]
    if kinds != ["bags"]:
        raise BadInput(f"--lines: the model reads {len(kinds)} columns, not one of documents: give a table")


def read_lines(paths: tuple[str, ...], replace: bool) -> Iterator[str]:
    """Yield the lines of files and of standard input, as soon as each is there.

    Parameters
    ----------
    paths : tuple of str
    replace : bool
        Whether bytes that are no UTF-8 are read as U+FFFD; they are refused otherwise.
    """
    for path in paths:
        with nullcontext(sys.stdin.buffer) if path == "-" else Path(path).open("rb") as file:
            for n, line in enumerate(file, 1):
                try:
                    yield line.decode("utf-8", "replace" if replace else "strict").rstrip("\r\n")
                except UnicodeDecodeError as error:
                    name = "standard input" if path == "-" else path
                    raise BadInput(
                        f"{name}, line {n}: byte {error.start + 1} (0x{line[error.start]:02x}) is no UTF-8; "
                        "--replace-invalid reads such bytes as U+FFFD"
                    ) from None


def as_input(model: Any, text: str) -> Any:
    """Return one document as a model's table; an empty line is a missing one, as an empty cell of a table is."""
    from candide.schema.one_column import as_table

    return as_table([text or None], learnt_schema(model).names[0])


def answer_lines(model: Any, paths: tuple[str, ...], proba: bool, replace: bool) -> None:
    """Write the label of every line, and the probabilities where asked, flushed line by line."""
    check_documents(model)
    out = sys.stdout
    if proba:
        out.write("\t".join(["prediction", *(f"P({label})" for label in model.classes_.tolist())]) + "\n")
    for text in read_lines(paths, replace):
        document = as_input(model, text)
        label = model.predict(document)[0]
        more = np.exp(model.predict_log_proba(document)[0]).tolist() if proba else []
        out.write("\t".join([str(label), *(f"{p:.6g}" for p in more)]) + "\n")
        out.flush()
