"""Entries: a value is what it should be, or the error says what it is and where."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from candide.estimator.format.entries import Entry, ModelFileError

MODEL = Entry({"schema": {"columns": [{"name": "a"}, {"name": 7, "levels": ["x"]}], "target": None}})


def test_an_entry_knows_its_place() -> None:
    columns = MODEL["schema"]["columns"].items()
    assert columns[1]["levels"].items()[0].where == "model.schema.columns[1].levels[0]"
    assert MODEL["schema"].get("groups") is None
    assert list(MODEL["schema"].fields()) == ["columns", "target"]


READS: dict[str, tuple[str, tuple[Any, ...], list[Any], list[Any]]] = {
    # what is read: arguments, values that are, values that are not
    "text": ("text", (), ["", "x"], [None, 1, ["x"], {}]),
    "word": ("word", (("symbols", "numbers"),), ["symbols"], ["xx", None, ["symbols"], {}]),
    "flag": ("flag", (), [True, False], [0, 1, "true", None]),
    "whole": ("whole", (5,), [0, 5], [-1, 6, True, 2.0, "2", None, 10**18]),
    "number": ("number", (), [0, -1.5, 1e300], [True, "1", None, float("inf"), 10**400]),
    "items": ("items", (), [[]], [{}, "x", None]),
    "fields": ("fields", (), [{}], [[], "x", None]),
    "keys": ("check_keys", (("a", "b"),), [{}, {"a": 1}], [{"c": 1}, [], "a", None]),
    "get": ("get", ("a",), [{}, {"a": 1}], [[], "a", None]),
    "array": ("array", ((2,),), [[1, 2], [0.5, 1.5]], [[1], [1, 2, 3], "x", None, [1, 2.5]]),
    "mask": ("mask", (3,), ["all", [], [0, 2]], ["none", [3], [-1], [1, 0], [1, 1], [True], None]),
}


@pytest.mark.parametrize("what", READS)
def test_what_is_read_is_what_it_should_be_or_an_error_that_says_where(what: str) -> None:
    method, arguments, good, bad = READS[what]
    for value in good:
        getattr(Entry(value), method)(*arguments)
    for value in bad:
        with pytest.raises(ModelFileError, match=r"^model\.here "):
            getattr(Entry({"here": value})["here"], method)(*arguments)


def test_a_mask_tells_positions() -> None:
    np.testing.assert_array_equal(Entry([0, 2]).mask(3), [True, False, True])
    np.testing.assert_array_equal(Entry("all").mask(2), [True, True])


def test_what_is_not_there_is_an_error_that_says_where() -> None:
    with pytest.raises(ModelFileError, match=r"^model\.schema has no 'groups'$"):
        MODEL["schema"]["groups"]


def test_messages_stay_short() -> None:
    with pytest.raises(ModelFileError) as caught:
        Entry(["x" * 10_000] * 10_000).text()
    assert len(str(caught.value)) < 1000
