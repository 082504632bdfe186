"""Paths: the files that paths, folders and patterns name."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from candide.sources.formats import by_ending
from candide.sources.opening import NoFileError, check_file


def expand(paths: Iterable[str | os.PathLike[str]]) -> list[str]:
    """Return the files that paths, folders and patterns name, those of one in the order of their names.

    Examples
    --------
    >>> expand(["nowhere/*.csv"])
    Traceback (most recent call last):
    ...
    candide.sources.opening.NoFileError: nowhere/*.csv: no file is called so
    """
    found: list[str] = []
    for given in paths:
        path = os.fspath(given)
        if not path:  # which would be the folder that one is in
            raise ValueError("'' is the name of no file: a variable may not be set")
        named = [path]
        if Path(path).is_dir():
            named = [str(file) for file in sorted(Path(path).iterdir()) if is_table(file)]
            if not named:
                raise NoFileError("the folder holds no table", path)
        elif glob.has_magic(path) and not Path(path).exists():
            named = sorted(glob.glob(path, recursive=True))  # noqa: PTH207  # patterns may be absolute
        if not named:
            raise NoFileError("no file is called so", path)
        for name in named:
            check_file(name)
        found += named
    return found


def named_files(name: Any) -> list[str]:
    """Return the files that a file, a folder or a pattern of old names now; none where nothing is called so.

    Examples
    --------
    >>> named_files("nowhere/*.csv"), named_files(None)
    ([], [])
    """
    try:
        return expand([name]) if isinstance(name, str) and name else []
    except OSError:
        return []


def is_table(path: Path) -> bool:
    """Whether a file of a folder is called as a table is; hidden ones are not."""
    return path.is_file() and not path.name.startswith(".") and by_ending(path.name)[0] is not None
