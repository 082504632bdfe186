"""Models: loaded from and saved to files, standard input and output included."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from candide.cli.failures import BadInput
from candide.cli.formats import missing_file
from candide.cli.screens import note
from candide.writing import changing, check_place, is_same_file


def load_model(path: str) -> Any:
    """Return the model of a file, or of standard input."""
    import candide

    if path == "-":
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "standard input")
            file.write_bytes(sys.stdin.buffer.read())
            return _named(lambda: candide.load(file), str(file), "standard input")
    if Path(path).is_dir():
        raise BadInput(f"{path} is a folder, not a model")
    if not Path(path).exists():
        raise BadInput(missing_file(path))
    return candide.load(path)


def _named(read: Any, temporary: str, name: str) -> Any:
    try:
        return read()
    except ValueError as error:
        raise BadInput(str(error).replace(temporary, name)) from None


def save_model(model: Any, path: str) -> None:
    """Write a model to a file, or to standard output."""
    if path == "-":
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "model.json")
            model.save(file)
            sys.stdout.buffer.write(file.read_bytes())
            sys.stdout.buffer.flush()
        return
    model.save(path)


@contextmanager
def held(path: str, output: str) -> Iterator[Callable[[], None]]:
    """Hold a model file that is read, changed and written again; of several commands at once none is lost.

    Yields
    ------
    function
        To be called before the file is written.
    """
    if path == "-" or not is_same_file(path, output):
        yield lambda: None
        return
    with changing(path, lambda: note(f"{path} is being changed by another command: waiting for it")) as check:
        yield check


def refuse_two_inputs(model: str, table: str) -> None:
    """Refuse to read both the model and the table from standard input."""
    if model == "-" == table:
        raise BadInput("the model and the table cannot both come from standard input")


def check_output(output: str | None, *inputs: str) -> None:
    """Refuse an output that cannot be written, or that is read here as well, before any work is done."""
    if output is not None and output != "-":
        check_place(output)
    place: str | int = 1 if output in {None, "-"} else str(output)
    for path in inputs:
        if is_same_file(place, 0 if path == "-" else path):
            raise BadInput(f"{shown_output(output)} is read here as well, and would be overwritten: give another OUT")


def shown_output(path: str | None) -> str:
    """Return what to call an output in a message."""
    return "standard output" if path in {None, "-"} else str(path)


def told(text: str, path: str) -> None:
    """Say what was done, on standard error when standard output carries the model."""
    click.echo(text, file=sys.stderr if path == "-" else sys.stdout)
