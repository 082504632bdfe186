"""Data sets that come with scikit-learn, for use without a folder and without a network."""

from __future__ import annotations

from typing import Any

from candide.datasets.dataset import Dataset

# our name: scikit-learn's loader, kind of its columns, and what its copy is
BUNDLED = {
    "iris": ("load_iris", "numeric", "scikit-learn's copy, corrected after Fisher's paper in two rows"),
    "wine": ("load_wine", "numeric", "scikit-learn's copy"),
    "wdbc": (
        "load_breast_cancer",
        "numeric",
        "scikit-learn's copy (breast_cancer), classes malignant and benign",
    ),
    "optdigits": (
        "load_digits",
        "count",
        "scikit-learn's copy (digits): only the 1797 rows of the test part",
    ),
}


def load_bundled(name: str) -> Dataset:
    """Load one of scikit-learn's bundled sets under the papers' name for it."""
    import sklearn.datasets

    loader, kind, source = BUNDLED[name]
    bunch: Any = getattr(sklearn.datasets, loader)(as_frame=True)
    names = [str(label) for label in bunch.target_names]
    frame = bunch.data.assign(**{"class": [names[code] for code in bunch.target]})
    kinds = dict.fromkeys(bunch.data.columns, kind) | {"class": "categorical" if len(names) > 2 else "binary"}
    facts = f"{len(frame)} rows, {frame.shape[1] - 1} attributes, {len(names)} classes"
    return Dataset(name, frame, "class", f"{name}: {facts}; {source}", kinds)
