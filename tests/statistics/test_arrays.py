"""Arrays as JSON: exact, plain where they are short, and never larger than their bytes."""

from __future__ import annotations

import base64
import json
import tracemalloc
import zlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from candide.statistics.arrays import PLAIN, array_from_json, array_to_json

SHAPES = hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=12)
EXACT = st.one_of(
    hnp.arrays(np.int64, SHAPES),
    hnp.arrays(np.float64, SHAPES, elements=st.floats(allow_nan=False, allow_infinity=False)),
)


@given(EXACT)
def test_arrays_survive_json_to_the_last_bit(array: np.ndarray) -> None:
    again = array_from_json(json.loads(json.dumps(array_to_json(array), allow_nan=False)), array.shape)
    assert again.shape == array.shape
    assert again.dtype == array.dtype or not array.size
    assert again.tobytes() == array.tobytes()


def test_short_arrays_are_plain_numbers_and_long_ones_are_deflated() -> None:
    assert array_to_json(np.arange(PLAIN)) == list(range(PLAIN))
    long = array_to_json(np.zeros((2, PLAIN)))
    assert (long["dtype"], long["shape"]) == ("float64", [2, PLAIN])
    assert len(long["deflated"]) < 100


@pytest.mark.parametrize("dtype", [">i8", "<i4", "u1", "?", ">f8", "f4"])
def test_other_types_become_the_two_that_hold_them(dtype: str) -> None:
    array = np.array([[0, 1, 1], [1, 0, 1]] * 200, dtype=dtype)
    again = array_from_json(array_to_json(array), (None, 3))
    assert again.dtype == (np.float64 if "f" in dtype else np.int64)
    np.testing.assert_array_equal(again, array)


@pytest.mark.parametrize("strange", [np.nan, np.inf, -np.inf])
def test_what_json_does_not_have_is_not_written(strange: float) -> None:
    for size in (1, 1000):
        with pytest.raises(ValueError, match=f"holds {strange}, which JSON does not"):
            array_to_json(np.full(size, strange))


PLAIN_WRONG: dict[str, Any] = {
    "no list": 3,
    "text": "12",
    "too few": [[1, 2]],
    "too many": [[1, 2], [3, 4], [5, 6]],
    "ragged": [[1, 2], [3]],
    "too deep": [[[1], [2]], [[3], [4]]],
    "not deep enough": [1, 2],
    "mixed": [[1, 2], [3, 4.5]],
    "booleans": [[True, False], [True, True]],
    "nothing": [[None, None], [None, None]],
    "words": [["1", "2"], ["3", "4"]],
    "beyond 64 bits": [[1, 2], [3, 2**70]],
    "infinite": [[1.0, 2.0], [3.0, float("inf")]],
}


@pytest.mark.parametrize("name", PLAIN_WRONG)
def test_lists_that_are_no_such_array_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"^(is|has|holds|does)"):
        array_from_json(PLAIN_WRONG[name], (2, 2))


def deflated(raw: bytes) -> str:
    return base64.b64encode(zlib.compress(raw)).decode()


GOOD: dict[str, Any] = array_to_json(np.arange(600).reshape(2, 300))
DEFLATED_WRONG: dict[str, dict[str, Any]] = {
    "type of objects": {"dtype": "object"},
    "type of text": {"dtype": "<U250000000"},
    "no type": {"dtype": ["int64"]},
    "another shape": {"shape": [300, 2]},
    "fewer axes": {"shape": [600]},
    "shape below zero": {"shape": [-2, -300]},
    "shape of no numbers": {"shape": [2.0, 300]},
    "shape of truth": {"shape": [True, 300]},
    "no base64": {"deflated": "!!!!"},
    "no text": {"deflated": 12},
    "not deflated": {"deflated": base64.b64encode(bytes(4800)).decode()},
    "too short": {"deflated": deflated(bytes(4799))},
    "too long": {"deflated": deflated(bytes(4801))},
    "cut": {"deflated": base64.b64encode(zlib.compress(bytes(4800))[:-4]).decode()},
    "with more behind": {"deflated": base64.b64encode(zlib.compress(bytes(4800)) + b"x").decode()},
    "another key": {"data": []},
}


@pytest.mark.parametrize("name", DEFLATED_WRONG)
def test_deflated_bytes_that_are_no_such_array_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"^(is|has|holds|does)"):
        array_from_json({**GOOD, **DEFLATED_WRONG[name]}, (2, 300))


def test_numbers_that_are_not_finite_are_refused() -> None:
    raw = np.frombuffer(np.full((2, 300), np.nan).tobytes(), np.uint8).reshape(-1, 8).T.tobytes()
    with pytest.raises(ValueError, match="not finite"):
        array_from_json({"dtype": "float64", "shape": [2, 300], "deflated": deflated(raw)}, (2, 300))


@pytest.mark.parametrize("data", [[0] * 300, array_to_json(np.zeros(300))], ids=["plain", "deflated"])
def test_an_axis_may_have_a_range_of_sizes(data: Any) -> None:
    assert len(array_from_json(data, (range(301),))) == 300
    with pytest.raises(ValueError, match=r"^has .*range\(0, 300\)"):
        array_from_json(data, (range(300),))


@pytest.mark.parametrize("size", [10**6, 10**9, 10**18])
def test_no_room_is_made_for_what_the_bytes_do_not_hold(size: int) -> None:
    bomb = {"dtype": "float64", "shape": [size], "deflated": deflated(bytes(1000))}
    tracemalloc.start()
    with pytest.raises(ValueError, match="which its bytes cannot fill"):
        array_from_json(bomb, (None,))
    assert tracemalloc.get_traced_memory()[1] < 10**6
    tracemalloc.stop()
