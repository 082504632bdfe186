"""The same result twice: arrays of the same type and shape, sums to rounding, all else exactly."""

from inspect import signature
from typing import Any

import numpy as np

from candide import native
from candide.native import reference


def assert_same(found: Any, wanted: Any, rtol: float = 1e-10, atol: float = 1e-10) -> None:
    if isinstance(wanted, (tuple, list)):
        assert len(found) == len(wanted)
        for f, g in zip(found, wanted, strict=True):
            assert_same(f, g, rtol, atol)
    elif wanted is None:
        assert found is None
    elif isinstance(wanted, int):
        assert found == wanted
    else:
        assert found.dtype == wanted.dtype
        assert found.shape == wanted.shape
        exact = found.dtype.kind != "f"
        np.testing.assert_allclose(found, wanted, rtol=0 if exact else rtol, atol=0 if exact else atol)


def assert_adds_the_same(name: str, *arguments: Any, shape: tuple[int, int], rng: np.random.Generator) -> None:
    """A compiled kernel adds to the same numbers what its twin adds; to the same start, if it takes one."""
    kernel, twin = getattr(native, name), getattr(reference, name)
    found = rng.normal(size=shape)
    wanted = found.copy()
    kernel(*arguments, found)
    twin(*arguments, wanted)
    assert_same(found, wanted)
    if "start" in signature(twin).parameters:
        start = rng.normal(size=shape[1])
        found, wanted = np.full(shape, np.nan), np.full(shape, np.nan)
        kernel(*arguments, found, start)
        twin(*arguments, wanted, start)
        assert_same(found, wanted)
