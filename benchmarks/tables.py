"""Made-up tables, the same for every classifier."""

from functools import cache

import numpy as np
import scipy.sparse as sp

COLUMNS = 20
LEVELS = 10


def labels(n, n_classes):
    return np.random.default_rng(1).integers(0, n_classes, n)


@cache
def numbers(n, n_classes, dtype="f8", order="C"):
    """Normal columns whose means depend on the class."""
    rng = np.random.default_rng(2)
    means = rng.normal(size=(n_classes, COLUMNS))
    X = rng.standard_normal((n, COLUMNS))
    X += means[labels(n, n_classes)]
    return X.astype(dtype, order=order, copy=False)


@cache
def codes(n, n_classes, dtype="i8"):
    """Categories 0 to 9, more or less frequent by class."""
    rng = np.random.default_rng(3)
    shift = rng.integers(0, LEVELS, size=(n_classes, COLUMNS))
    X = np.minimum(rng.integers(0, LEVELS, (n, COLUMNS)), rng.integers(0, LEVELS, (n, COLUMNS)))
    return ((X + shift[labels(n, n_classes)]) % LEVELS).astype(dtype)


def names():
    return [f"column {j}" for j in range(COLUMNS)]


@cache
def strings(n):
    """The categories as words, in a pandas frame of objects; every cell is a string of its own."""
    import pandas as pd

    words = np.array([f"level {v}" for v in range(LEVELS)])
    columns = {name: words[column].astype(object) for name, column in zip(names(), codes(n, 2).T, strict=True)}
    return pd.DataFrame(columns, dtype=object)


@cache
def arrow_strings(n):
    return strings(n).astype("string[pyarrow]")


@cache
def categories(n):
    return strings(n).astype("category")


@cache
def arrow_dictionary(n):
    import pyarrow as pa

    return pa.table({name: pa.array(column).dictionary_encode() for name, column in strings(n).items()})


@cache
def polars_strings(n):
    import polars as pl

    return pl.DataFrame({name: column.to_list() for name, column in strings(n).items()})


@cache
def polars_enums(n):
    import polars as pl

    frame = polars_strings(n)
    return frame.cast(pl.Enum(sorted(frame.to_series(0).unique())))


@cache
def mixed(n):
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
def documents(n, vocabulary, words=50):
    """Counts of words in n / 10 documents, a few common ones and many rare ones, as CSR."""
    n //= 10
    rng = np.random.default_rng(5)
    column = (vocabulary * rng.random(n * words) ** 3).astype(np.int32)
    X = sp.csr_array((np.ones(n * words), (np.repeat(np.arange(n), words), column)), shape=(n, vocabulary))
    X.sum_duplicates()
    return X
