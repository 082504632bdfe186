"""Made-up tables, the same for every classifier and checkout."""

from functools import cache
from typing import Any

import numpy as np
import scipy.sparse as sp

COLUMNS = 20
LEVELS = 10


def labels(n: int, n_classes: int) -> np.ndarray:
    """Classes 0, 1, ..., equally frequent."""
    return np.random.default_rng(1).integers(0, n_classes, n)


@cache
def numbers(n: int, n_classes: int, dtype: str = "f8", order: Any = "C") -> np.ndarray:
    """Normal columns whose means depend on the class."""
    rng = np.random.default_rng(2)
    means = rng.normal(size=(n_classes, COLUMNS))
    X = rng.standard_normal((n, COLUMNS))
    X += means[labels(n, n_classes)]
    return X.astype(dtype, order=order, copy=False)


@cache
def codes(n: int, n_classes: int, dtype: str = "i8") -> np.ndarray:
    """Categories 0 to 9, more or less frequent by class."""
    rng = np.random.default_rng(3)
    shift = rng.integers(0, LEVELS, size=(n_classes, COLUMNS))
    X = np.minimum(rng.integers(0, LEVELS, (n, COLUMNS)), rng.integers(0, LEVELS, (n, COLUMNS)))
    X += shift[labels(n, n_classes)]
    X %= LEVELS
    return X.astype(dtype)


def names() -> list[str]:
    """Names of the columns of frames."""
    return [f"column {j}" for j in range(COLUMNS)]


@cache
def strings(n: int) -> Any:
    """The categories as words, in a pandas frame of objects; every cell is a string of its own."""
    import pandas as pd

    words = np.array([f"level {v}" for v in range(LEVELS)])
    columns = {name: words[column].astype(object) for name, column in zip(names(), codes(n, 2).T, strict=True)}
    return pd.DataFrame(columns, dtype=object)


@cache
def arrow_strings(n: int) -> Any:
    """The words as pandas keeps them in Arrow's memory."""
    return strings(n).astype("string[pyarrow]")


@cache
def categories(n: int) -> Any:
    """The words as pandas categories."""
    return strings(n).astype("category")


@cache
def arrow_dictionary(n: int) -> Any:
    """The words as dictionary arrays of an Arrow table."""
    import pyarrow as pa

    return pa.table({name: pa.array(column).dictionary_encode() for name, column in strings(n).items()})


@cache
def polars_strings(n: int) -> Any:
    """The words in a Polars frame."""
    import polars as pl

    return pl.DataFrame({name: column.to_list() for name, column in strings(n).items()})


@cache
def polars_enums(n: int) -> Any:
    """The words as Polars enums."""
    import polars as pl

    frame = polars_strings(n)
    return frame.cast(pl.Enum(sorted(frame.to_series(0).unique())))


@cache
def mixed(n: int) -> Any:
    """Ten columns of numbers and ten of words, 5 % of the cells missing."""
    import pandas as pd

    half = COLUMNS // 2
    rng = np.random.default_rng(4)
    X = numbers(n, 2)[:, :half].copy()
    X[rng.random(X.shape) < 0.05] = np.nan
    frame = strings(n).iloc[:, half:].copy()
    frame = frame.mask(rng.random(frame.shape) < 0.05, None)
    return pd.concat([pd.DataFrame(X, columns=names()[:half]), frame], axis=1)


@cache
def six_levels(n: int, dtype: str) -> Any:
    """Two columns of six words each; only both together tell the class."""
    import pandas as pd

    rng = np.random.default_rng(6)
    left = rng.integers(0, 6, n)
    right = (left + 3 * labels(n, 2) + rng.integers(0, 3, n)) % 6
    words = np.array([f"level {v}" for v in range(6)])
    frame = pd.DataFrame({"left": words[left].astype(object), "right": words[right].astype(object)})
    return frame.astype(dtype)


@cache
def documents(n: int, vocabulary: int, words: int = 50) -> sp.csr_array:
    """Counts of words in n / 10 documents, a few common ones and many rare ones, as CSR."""
    n //= 10
    rng = np.random.default_rng(5)
    column = (vocabulary * rng.random(n * words) ** 3).astype(np.int32)
    X = sp.csr_array((np.ones(n * words), (np.repeat(np.arange(n), words), column)), shape=(n, vocabulary))
    X.sum_duplicates()
    return X
