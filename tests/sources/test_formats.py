from __future__ import annotations

import pytest

from candide.sources.formats import by_ending, format_of
from candide.sources.packings import packing_of


@pytest.mark.parametrize(
    ("name", "found"),
    [("a.CSV", "csv"), ("a.b.tsv", "tsv"), ("a.jsonl", "ndjson"), ("a.json", "ndjson"), ("a.txt", None)],
)
def test_the_ending_tells_format_and_packing(name, found):
    assert by_ending(name) == (found, None)
    assert by_ending(f"{name}.gz") == (found, "gzip")
    assert by_ending(f"{name}.zst") == (found, "zstd")
    assert by_ending(f"{name}.BZ2") == (found, "bz2")


def test_lines_of_objects_are_not_written_as_json():
    assert by_ending("out.json", written=True) == (None, None)


@pytest.mark.parametrize(
    ("start", "found"),
    [(b"PAR1\x15", "parquet"), (b"ARROW1\0\0", "arrow"), (b"\xff\xff\xff\xff\x01", "arrow"),
     (b'\xef\xbb\xbf {"a"', "ndjson"), (b"[{", "ndjson"), (b"a,b", None), (b"", None)],
)  # fmt: skip
def test_the_first_bytes_tell_the_format(start, found):
    assert format_of(start) == found


def test_the_first_bytes_tell_the_packing():
    assert [packing_of(start) for start in (b"\x1f\x8b\x08", b"BZh9", b"(\xb5/\xfd", b"a,b")] == [
        "gzip",
        "bz2",
        "zstd",
        None,
    ]
