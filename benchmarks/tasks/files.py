"""Model files: `NaiveBayes()` of 20 continuous columns, written and read."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import candide
from benchmarks import tables
from benchmarks.tasks.task import Call, Targets, Task

SECTION = "Files: the default model of 20 continuous columns"


def file_tasks() -> Iterator[Task]:
    """Saving and loading; a model that was loaded is of use when the first row has its label."""
    for name, prepare in (("save", saves), ("load", loads), ("load, then predict one", loads_and_predicts)):
        yield Task(name, prepare, targets=Targets(milliseconds=20), section=SECTION, rows=20_000)


def saves(n: int) -> Call:
    """Prepare to write a fitted model."""
    model, path = fitted(n), fresh_path()
    return lambda: model.save(path)


def loads(n: int) -> Call:
    """Prepare to read a model back."""
    path = fresh_path()
    fitted(n).save(path)
    return lambda: candide.load(path)


def loads_and_predicts(n: int) -> Call:
    """Prepare to read a model back and ask it about one row."""
    load, row = loads(n), tables.numbers(n, 2)[:1]
    return lambda: load().predict(row)


def fitted(n: int) -> Any:
    """Return the default model of a table of numbers."""
    return candide.NaiveBayes().fit(tables.numbers(n, 2), tables.labels(n, 2))


def fresh_path() -> Path:
    """Return where a file may be written; whoever runs the task clears the folder of temporary files."""
    return Path(mkdtemp()) / "model.json"
