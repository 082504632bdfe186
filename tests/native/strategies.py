"""Random kernel arguments: every type, order and stride, missing cells, skipped rows, weights."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

FLOATS = (np.float64, np.float32)
INTEGERS = (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)


def laid_out(array: np.ndarray, layout: str) -> np.ndarray:
    """The same values in another place in memory."""
    if layout == "F":
        return np.asfortranarray(array)
    if layout == "gaps":  # every other row and column of a larger array
        wide = np.zeros((2 * array.shape[0], 3 * array.shape[1]), array.dtype)
        wide[::2, ::3] = array
        return wide[::2, ::3]
    if layout == "reversed":
        return np.ascontiguousarray(array[::-1, ::-1])[::-1, ::-1]
    if layout == "unaligned":
        raw = np.zeros(array.nbytes + 1, np.uint8)
        moved = raw[1:].view(array.dtype).reshape(array.shape)
        moved[...] = array
        return moved
    if layout == "read-only":
        array = array.copy()
        array.setflags(write=False)
    return array


layouts = st.sampled_from(["C", "F", "gaps", "reversed", "unaligned", "read-only"])


@dataclass
class Rows:
    y: np.ndarray
    n_classes: int
    w: np.ndarray | None


@st.composite
def shapes(draw: Any) -> tuple[int, int]:
    return draw(st.sampled_from([(1, 1), (1, 5), (2, 3), (7, 4), (40, 1), (130, 17), (300, 20), (9, 700), (0, 3)]))


@st.composite
def rows(draw: Any, n: int, rng: np.random.Generator) -> Rows:
    n_classes = draw(st.sampled_from([1, 2, 3, 4, 5, 10, 13, 18, 70]))
    y = rng.integers(-1, n_classes, n).astype(draw(st.sampled_from([np.int32, np.int64])))
    w = rng.integers(0, 4, n) / 2 if draw(st.booleans()) else None
    return Rows(y, n_classes, w)


@st.composite
def seeds(draw: Any) -> np.random.Generator:
    return np.random.default_rng(draw(st.integers(0, 2**32)))


@st.composite
def numbers(draw: Any, shape: tuple[int, int], rng: np.random.Generator, types: Any = None) -> np.ndarray:
    """Values about 100 with spread 30, some NaN where the type has it."""
    dtype = draw(st.sampled_from(types or (*FLOATS, *INTEGERS)))
    x = np.clip(rng.normal(70, 20, shape), 1, 126).astype(dtype)
    if dtype in FLOATS and draw(st.booleans()):
        x[rng.uniform(size=shape) < 0.2] = np.nan
    return laid_out(x, draw(layouts))


@st.composite
def codes(draw: Any, shape: tuple[int, int], rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Codes of columns with 1 to 6 levels, -1 where the type has it, and the offsets."""
    sizes = rng.integers(1, 7, shape[1])
    dtype = draw(st.sampled_from(INTEGERS))
    lowest = 0 if np.dtype(dtype).kind == "u" else -1
    table = rng.integers(lowest, sizes, shape).astype(dtype)
    return laid_out(table, draw(layouts)), offsets_of(sizes)


def random_cuts(n_columns: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Ascending cuts of every column, none, few or many, on values that occur."""
    sizes = rng.choice([0, 1, 5, 24, 25, 60], n_columns)
    parts = [np.sort(rng.choice(np.arange(10, 120, 0.5), c, replace=False)) for c in sizes]
    return np.concatenate([np.zeros(0), *parts]), offsets_of(sizes)


def offsets_of(sizes: np.ndarray) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
