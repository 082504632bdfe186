"""Data sets from a folder: `index.json`, which says what each column is, and one `NAME.csv.gz` per set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from candide.datasets.dataset import Dataset, declare
from candide.datasets.frames import import_pandas


def folder_names(folder: Path) -> list[str]:
    """Names of the sets a folder's index lists."""
    return sorted(_index(folder))


def load_folder(name: str, folder: Path) -> Dataset:
    """Read one set; only the empty cell means missing, and kinds come from the index."""
    entry = _index(folder)[name]
    kinds = {column["name"]: column["kind"] for column in entry["columns"]}
    frame = import_pandas().read_csv(
        folder / entry["file"], dtype=str, keep_default_na=False, na_values=[""], encoding="utf-8"
    )
    if list(frame.columns) != list(kinds):
        raise ValueError(f"{folder / entry['file']} has columns {list(frame.columns)}, its index says {list(kinds)}")
    target = entry["target"]
    return Dataset(name, declare(frame, kinds, target), target, _description(entry), kinds)


def _index(folder: Path) -> dict[str, Any]:
    path = folder / "index.json"
    if not path.is_file():
        raise FileNotFoundError(
            f"no index.json in {folder}: a data folder (argument folder or CANDIDE_DATA) holds an index.json "
            "and NAME.csv.gz files"
        )
    try:
        return {entry["name"]: entry for entry in json.loads(path.read_text(encoding="utf-8"))["datasets"]}
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(f"{path} is not the index of a data folder: {error!r}") from None


def _description(entry: dict[str, Any]) -> str:
    facts = f"{entry['rows']} rows, {entry['attributes']} attributes, {entry['classes']} classes"
    return ". ".join(filter(None, [f"{entry['title']}: {facts}", entry.get("notes", "")]))
