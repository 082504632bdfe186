from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sources.reading import raw, write

from candide.sources import objects, text

CELLS = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(st.characters(exclude_categories=["Cs"]))
ROWS = st.lists(st.dictionaries(st.sampled_from("abc"), CELLS, min_size=1))


def test_absent_keys_are_missing(tmp_path):
    path = write(tmp_path, '{"a": 1}\n\n{"b": "x", "a": null}\n', "t.ndjson")
    assert raw(path) == {"a": [1, None], "b": [None, "x"]}


@pytest.mark.parametrize("ending", ["json", "ndjson", "unknown"])
@pytest.mark.parametrize(
    "content", ['[{"a": 1}, {"b": "x"}]', ' [ {"a":1}\n,\n{"b":"x"} ] \n', '\ufeff[{"a":1},{"b":"x"}]']
)
def test_an_array_of_objects_is_a_table(tmp_path, ending, content):
    assert raw(write(tmp_path, content, f"t.{ending}")) == {"a": [1, None], "b": [None, "x"]}


def test_an_empty_array_has_no_rows(tmp_path):
    assert raw(write(tmp_path, "[]", "t.json")) == {}


@given(rows=ROWS, piece=st.integers(1, 30), indent=st.sampled_from([None, 2]))
def test_an_array_says_what_its_lines_say_in_pieces_of_any_size(tmp_path_factory, rows, piece, indent):
    folder = tmp_path_factory.mktemp("json")
    lines = write(folder, "\n".join(map(json.dumps, rows)), "t.ndjson")
    array = write(folder, json.dumps(rows, indent=indent, ensure_ascii=False), "t.json")
    before = objects.PIECE_BYTES
    objects.PIECE_BYTES = piece
    try:
        assert raw(array) == raw(lines)
    finally:
        objects.PIECE_BYTES = before


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"a":', "line 2 is not JSON"),
        ("[1]", "a row must be a JSON object"),
        ('{"a": [1]}', "'a' holds a list"),
        ('{"a": ' + "9" * 400 + "}", "'a' holds a number too large"),
        ('{"a": ' + "9" * 5000 + "}", "line 2 holds a number of too many digits"),
        ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", "line 2 is nested too deeply"),
        ('{"a": "\\ud800"}', "line 2: 'a' holds half of a character"),
        ('{"\\udfff": 1}', "half of a character"),
        ('{"a": 1, "a": 2}', "line 2: the key 'a' stands twice"),
        ('{"a": 1, "b": 2, "\\u0061": 2}', "line 2: the key 'a' stands twice"),
    ],
)
def test_a_bad_line_is_named(tmp_path, line, message):
    with pytest.raises(ValueError, match=message):
        raw(write(tmp_path, '{"a": 1}\n' + line + "\n", "t.ndjson"))


@pytest.mark.parametrize("nested", ["[" * 20_000 + "]" * 20_000, '{"a":' * 20_000 + "1" + "}" * 20_000])
def test_a_first_line_that_is_nested_too_deeply_is_refused_and_not_followed_down(tmp_path, nested):
    with pytest.raises(ValueError, match="line 1 is nested too deeply"):
        raw(write(tmp_path, '{"a": ' + nested + "}\n", "t.ndjson"))


def test_brackets_in_texts_are_no_nesting(tmp_path):
    lines = [json.dumps({"a": "[{" * 40 + str(i), "b": i}) for i in range(50)]
    assert raw(write(tmp_path, "\n".join(lines), "t.ndjson"))["b"] == list(range(50))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('[{"a": 1}, {"a":', "object 1 is not whole JSON"),
        ('[{"a": 1}', "object 0: no comma and no end"),
        ('[{"a": 1} {"a": 2}]', "object 0: no comma"),
        ('[{"a": 1}] x', "something stands behind the end"),
        ("[1, 2]", "object 0: a row must be a JSON object"),
        ('[{"a": 1}, {"a": 1, "a": 2}]', "object 1: the key 'a' stands twice"),
        ('[{"a": ' + "9" * 5000 + "}]", "object 0 holds a number of too many digits"),
        ('[{"a": ' + "[" * 100_000 + "]" * 100_000 + "}]", "object 0 is nested too deeply"),
        (b'[{"a": "\xe9"}]', "UTF-8"),
    ],
)
def test_a_bad_array_is_refused_where_it_is_bad(tmp_path, content, message):
    with pytest.raises(ValueError, match=message):
        raw(write(tmp_path, content, "t.json"))


def test_batches_hold_a_bounded_number_of_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(text, "BATCH_ROWS", 3)
    path = write(tmp_path, json.dumps([{"a": i} for i in range(10)]), "t.json")
    assert raw(path) == {"a": list(range(10))}


@pytest.mark.parametrize("arrow", [True, False])
def test_a_key_that_all_lines_have_twice_is_refused_with_and_without_pyarrow(tmp_path, monkeypatch, arrow):
    monkeypatch.setattr(objects, "installed", lambda _: arrow)
    with pytest.raises(ValueError, match="line 1: the key 'a' stands twice"):
        raw(write(tmp_path, '{"a": 1, "b": 2, "a": 3}\n' * 5, "t.ndjson"))


NESTED = [{"a": 1, "b": "x", "tags": [1, 2]}, {"tags": {"k": 10**400}, "a": 2, "b": "y"}]


@pytest.mark.parametrize("arrow", [True, False])
@pytest.mark.parametrize("form", ["lines", "alike", "array"])
def test_keys_that_are_not_asked_for_may_hold_anything(tmp_path, monkeypatch, arrow, form):
    monkeypatch.setattr(objects, "installed", lambda _: arrow)
    rows = [NESTED[0], {**NESTED[1], "tags": [3]}] if form == "alike" else NESTED
    content = json.dumps(rows) if form == "array" else "\n".join(map(json.dumps, rows))
    path = write(tmp_path, content, "t.ndjson")
    assert raw(path, columns=["a", "b"]) == {"a": [1, 2], "b": ["x", "y"]}
    assert raw(path, exclude=["tags"]) == {"a": [1, 2], "b": ["x", "y"]}
    with pytest.raises(ValueError, match="'tags' holds a list or an object"):
        raw(path)
    with pytest.raises(ValueError, match="'tags' holds a list or an object"):
        raw(path, columns=["tags"])
