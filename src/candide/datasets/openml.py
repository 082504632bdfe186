"""Data sets from OpenML: downloaded once, then read from scikit-learn's cache."""

from __future__ import annotations

from typing import Any

from candide.datasets.dataset import Dataset
from candide.datasets.frames import import_pandas
from candide.frozen import frozen


@frozen(eq=True)
class Location:
    """Where a set is on OpenML, and how many rows it must have to be the one the papers mean."""

    data_id: int
    rows: int
    drop: tuple[str, ...] = ()


LOCATIONS = {
    "adult": Location(1590, 48842),
    "bank": Location(1461, 45211),
    "breast": Location(15, 699),
    "car": Location(21, 1728),
    "chess": Location(3, 3196),
    "cleve": Location(49, 303),
    "crx": Location(29, 690),
    "german": Location(31, 1000),
    "glass": Location(41, 214),
    "ionosphere": Location(59, 351),
    "iris": Location(61, 150),
    "letter": Location(6, 20000),
    "mushroom": Location(24, 8124),
    "new_thyroid": Location(40682, 215),
    "nursery": Location(26, 12960),
    "optdigits": Location(28, 5620),
    "pendigits": Location(32, 10992),
    "pima": Location(37, 768),
    "segmentation": Location(36, 2310),
    "sonar": Location(40, 208),
    "soybean": Location(42, 683),
    "vehicle": Location(54, 846),
    "votes": Location(56, 435),
    "vowel": Location(307, 990, drop=("Train_or_Test", "Speaker_Number", "Sex")),
    "wdbc": Location(1510, 569),
    "wine": Location(187, 178),
}


def load_openml(name: str) -> Dataset:
    """Fetch one set from OpenML, or from the cache of an earlier fetch (folder: SCIKIT_LEARN_DATA)."""
    from sklearn.datasets import fetch_openml

    entry = LOCATIONS[name]
    try:
        bunch = fetch_openml(data_id=entry.data_id, as_frame=True, parser="auto", cache=True)
    except OSError as error:
        raise ConnectionError(
            f"data set {name!r} is not on this machine, and OpenML (data set {entry.data_id}) cannot be "
            f"reached: {error}. Set CANDIDE_DATA to a folder that holds it, or try again with a network"
        ) from error
    return from_bunch(name, bunch, entry)


def from_bunch(name: str, bunch: Any, entry: Location) -> Dataset:
    """Turn what scikit-learn's `fetch_openml` returned into a Dataset; OpenML's own types give the kinds."""
    target = bunch.target_names[0]
    frame = bunch.frame.drop(columns=[c for c in entry.drop if c in bunch.frame.columns])
    if len(frame) != entry.rows:
        raise ValueError(
            f"OpenML data set {entry.data_id} has {len(frame)} rows where {name!r} has {entry.rows}: "
            "it is another set now"
        )
    frame[target] = frame[target].astype(str)
    kinds = {c: _kind(frame[c], c == target) for c in frame.columns}
    text = f"{name}: {len(frame)} rows, {frame.shape[1] - 1} attributes; OpenML data set {entry.data_id}"
    return Dataset(name, frame, target, text, kinds)


def _kind(column: Any, is_target: bool) -> str:
    if is_target or isinstance(column.dtype, import_pandas().CategoricalDtype):
        return "binary" if column.nunique() == 2 else "categorical"
    return "numeric"
