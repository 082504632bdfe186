"""load: a data set by name, from a folder, from scikit-learn, or from OpenML."""

from __future__ import annotations

import os
from pathlib import Path

from candide.datasets.bundled import BUNDLED, load_bundled
from candide.datasets.dataset import Dataset
from candide.datasets.folder import folder_names, load_folder
from candide.datasets.openml import LOCATIONS, load_openml
from candide.messages import unknown

VARIABLE = "CANDIDE_DATA"


def load(name: str, folder: str | Path | None = None) -> Dataset:
    """Load a data set of the papers by name.

    The first of these that has it: the folder given (or named by the environment variable CANDIDE_DATA),
    which holds `index.json` and `NAME.csv.gz` files; scikit-learn's bundled sets (iris, wine, wdbc and a part
    of optdigits); OpenML, downloaded once into scikit-learn's cache. The description says which copy it is.

    Parameters
    ----------
    name : str
        One of `names()`.
    folder : path, optional
        Data folder, instead of CANDIDE_DATA.

    Returns
    -------
    Dataset
        With `frame`, `X`, `y`, `target`, `description` and `kinds`.

    Examples
    --------
    >>> wine = load("wine")
    >>> wine.X.shape, wine.y.nunique()
    ((178, 13), 3)
    """
    place = _folder(folder)
    if place is not None and name in folder_names(place):
        return load_folder(name, place)
    if name in BUNDLED:
        return load_bundled(name)
    if name in LOCATIONS:
        return load_openml(name)
    raise ValueError(_unknown(name, names(folder), place))


def names(folder: str | Path | None = None) -> list[str]:
    """Names that `load` knows, sorted: those of the folder (or CANDIDE_DATA), scikit-learn's and OpenML's.

    Examples
    --------
    >>> "iris" in names()
    True
    """
    place = _folder(folder)
    here = [] if place is None else folder_names(place)
    return sorted({*here, *BUNDLED, *LOCATIONS})


def _folder(folder: str | Path | None) -> Path | None:
    place = folder or os.environ.get(VARIABLE)
    return Path(place).expanduser() if place else None


def _unknown(name: str, known: list[str], place: Path | None) -> str:
    where = "" if place else f" (more may be in a data folder: set {VARIABLE})"
    return f"{unknown('data set', name, known)}{where}"
