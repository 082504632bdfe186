"""Models: loaded from and saved to files, standard input and output included, and held while they are changed."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from candide.cli.failures import BadInput
from candide.cli.screens import filled, note
from candide.estimator.slim import Slim
from candide.writing import changing, check_place, descriptor, is_same_file


def load_model(path: str, output: str | None = None) -> Any:
    """Return the model of a file, or of standard input.

    Parameters
    ----------
    path : path or "-"
    output : path, "-" or None
        Where to write what is made of it: not over a table that it was learnt from. None is standard output as well.
    """
    model = _loaded(path)
    # a slim model knows nothing of where it comes from
    check_apart(output, () if isinstance(model, Slim) else model._inputs, "is what the model was learnt from")
    return model


def _loaded(path: str) -> Any:
    import candide
    from candide.sources.opening import check_file

    if path == "-":
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "standard input")
            file.write_bytes(sys.stdin.buffer.read())
            return _named(lambda: candide.load(file), str(file), "standard input")
    if not path:
        raise BadInput("'' is the name of no model")
    if Path(path).is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a folder, not a model", path)
    check_file(path)
    return candide.load(path)


def load_whole(path: str, output: str | None = None) -> Any:
    """Return a model that holds what it has learnt, as `load_model` does; a slim one only predicts."""
    model = load_model(path, output)
    check_whole(model, path)
    return model


def check_whole(model: Any, path: str) -> None:
    """Refuse a slim model, of which more is asked than labels and probabilities."""
    if isinstance(model, Slim):
        raise BadInput(f"{path} is a slim model, which scores and does nothing else: use the whole one")


def _named(read: Callable[[], Any], temporary: str, name: str) -> Any:
    try:
        return read()
    except ValueError as error:
        raise BadInput(str(error).replace(temporary, name)) from None


def learnt_schema(model: Any) -> Any:
    """Return the columns and classes that a model has learnt.

    `schema_` also says what is chosen for each column: it estimates the whole model, and refuses where nothing is left
    to estimate from.
    """
    return model.schema if isinstance(model, Slim) else model.learnt_.schema


def ignored_columns(model: Any) -> frozenset[int]:
    """Return the columns of which a model ignores what they hold."""
    if isinstance(model, Slim):
        return frozenset(range(len(model.schema.columns))) - {j for form in model.forms for j in form.columns}
    ignored: frozenset[int] = model.model_.ignored
    return ignored


def usual_missing(model: Any) -> list[float] | None:
    """Return the share of missing cells of each column in the rows that a model has learnt; None of a slim one."""
    from candide.statistics.evidence import Evidence

    if isinstance(model, Slim):
        return None
    evidence = Evidence(model.learnt_.schema, model.learnt_.statistics)
    rows = float(evidence.class_counts.sum())
    return [float(evidence.missing(j).sum()) / rows if rows else 0.0 for j in range(len(evidence.schema.columns))]


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


def check_inputs(*paths: str) -> None:
    """Refuse to read more than one thing from standard input."""
    if paths.count("-") > 1:
        raise BadInput("the model and the table cannot both come from standard input")


def named_after(target: str) -> str:
    """Return the model file that nobody has named: it is called as the target is, and replaces nothing."""
    name = f"{target}.json"
    if Path(name).name != name or name.startswith("."):
        raise BadInput(f"no file can be called as the target {target!r}: name the model file by -o")
    if os.path.lexists(name):
        raise BadInput(f"{name} is there already: -o {name} writes it anew, -o and another name beside it")
    return name


def check_output(output: str | None, *inputs: str, tables: Sequence[str] = ()) -> None:
    """Refuse an output that cannot be written, or that is read here as well, before any work is done.

    Parameters
    ----------
    output : path, "-" or None
        None is standard output as well.
    *inputs : paths
        Models, and what options name: every file that is read besides the tables.
    tables : sequence of str
        Files, folders and patterns, which stand for the files that they name.
    """
    from candide.cli.tables import table_files

    if output is not None and output != "-":
        check_place(output)
    check_apart(output, (*inputs, *table_files(tables)), "is read here as well")


def check_apart(output: str | None, inputs: Iterable[str], why: str) -> None:
    """Refuse an output that is one of the inputs, whatever it is called."""
    place: str | int = 1 if output in {None, "-"} else str(output)
    if any(is_same_file(place, 0 if path == "-" else path) for path in inputs):
        name = "standard output" if output in {None, "-"} else output
        raise BadInput(f"{name} {why}, and would be overwritten: give another OUT")


def announce(text: str, path: str) -> None:
    """Say what was done, on standard error when standard output carries the result."""
    aside = path == "-" or descriptor(path) == 1
    click.echo(filled(text, sys.stderr if aside else sys.stdout), err=aside)
