"""Raw and typed cells of files, as plain lists."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from candide.sources.base import Reading
from candide.sources.files import Files
from candide.sources.spelling import walk


def files(*paths: Path | str, **options: Any) -> Files:
    return Files([str(path) for path in paths], Reading(**options))


def raw(*paths: Path | str, columns: Any = None, **options: Any) -> dict[str, list]:
    """The raw cells by column, through all batches; a column that a batch lacks is missing in it."""
    batches = list(files(*paths, **options).raw(columns))
    names = dict.fromkeys(name for batch in batches for name in batch.columns)
    return {name: [cell for batch in batches for cell in walk(batch.cells(name))] for name in names}


def typed(*paths: Path | str, known: Any = None, columns: Any = None, **options: Any) -> dict[str, list]:
    """The typed cells by column, through all batches."""
    return together(files(*paths, **options).batches(known, columns))


def together(frames: Any) -> dict[str, list]:
    """The cells of frames by column."""
    out: dict[str, list] = {}
    for frame in frames:
        for name in frame.schema.names if hasattr(frame, "schema") and hasattr(frame, "to_pylist") else frame.columns:
            out.setdefault(name, []).extend(list_of(frame[name]))
    return out


def list_of(column: Any) -> list:
    if hasattr(column, "to_pylist"):
        return column.to_pylist()
    return column.to_list() if hasattr(column, "to_list") else column.tolist()


def write(folder: Path, text: str | bytes, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path
