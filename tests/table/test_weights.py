"""Weights: checked once, integers kept as integers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from candide.table.weights import read_weights


@pytest.mark.parametrize(
    ("given", "wanted", "kind"),
    [
        ([1, 2, 0], [1, 2, 0], "i"),
        (np.array([1, 2, 0], dtype=np.uint8), [1, 2, 0], "u"),
        ([0.5, 2.0, 0.0], [0.5, 2.0, 0.0], "f"),
        ([True, False, True], [1.0, 0.0, 1.0], "f"),
        (pd.Series([1, 2, 3]), [1, 2, 3], "i"),
        (np.array([1, 2.5, 3], dtype=object), [1.0, 2.5, 3.0], "f"),
        ({"a": 1, "b": 2.5, "c": 3}.values(), [1.0, 2.5, 3.0], "f"),
        pytest.param(iter([1, 2, 3]), [1, 2, 3], "i", id="iterator"),
        (3, [3, 3, 3], "i"),
        (0.25, [0.25] * 3, "f"),
    ],
    ids=str,
)
def test_weights_of_any_form_keep_their_kind(given: Any, wanted: list[float], kind: str) -> None:
    weight = read_weights(given, 3)
    assert weight is not None
    assert weight.tolist() == wanted
    assert weight.dtype.kind == kind


def test_the_name_of_a_column_says_what_to_give() -> None:
    with pytest.raises(TypeError, match=r"^sample_weight='w': of a table in memory give the weights, as X\['w'\]$"):
        read_weights("w", 3)


def test_no_weights_are_none() -> None:
    assert read_weights(None, 3) is None


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ([1, "b", 2], TypeError, "sample_weight holds 'b' in row 1, which is not a number"),
        ([1, None, 2], ValueError, "NaN or infinity: nan in row 1"),
        (np.ma.array([1, 5, 2], mask=[0, 1, 0]), ValueError, "NaN or infinity: nan in row 1"),
        ([1, {}, 2], TypeError, "sample_weight holds {} in row 1"),
        ([1.0, np.inf, 2.0], ValueError, "inf in row 1"),
        ([1, -2, 1], ValueError, "Negative values.*-2 in row 1"),
        ([1, 2], ValueError, r"sample_weight.shape == \(2,\), expected \(3,\)"),
        ([[1], [2], [3]], ValueError, "1D array or scalar"),
        ([0, 0, 0], ValueError, "at least one non-zero number"),
        ([2**62] * 3, ValueError, r"adds up to 1\.38351e\+19, more than can be counted: scale it down"),
        ([1e308] * 3, ValueError, "adds up to inf, more than can be counted: scale it down"),
        ([1e29, 1e30, 1.0], ValueError, "more than can be counted"),
    ],
    ids=str,
)
def test_what_are_no_weights_is_refused_and_named(given: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        read_weights(given, 3)
