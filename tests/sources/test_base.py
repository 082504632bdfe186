from __future__ import annotations

from pathlib import Path

import pytest

from candide.sources import Reading, is_source, open_source
from candide.sources.base import files_of


@pytest.mark.parametrize("given", ["t.csv", Path("t.csv"), "data/*.parquet", ["a.csv", Path("b")], ("a.csv.gz",)])
def test_paths_are_sources_whether_they_are_there_or_not(given):
    assert is_source(given)


def test_a_source_is_a_source(tmp_path):
    (tmp_path / "t.csv").write_text("a\n1\n")
    source = open_source(tmp_path / "t.csv")
    assert is_source(source)
    assert open_source(source) is source
    assert not is_source(type(source))


def test_what_is_not_there_is_said_when_it_is_opened(tmp_path):
    with pytest.raises(FileNotFoundError):
        open_source(tmp_path / "nowhere.csv")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"decimal": ";"}, "a decimal point is"),
        ({"separator": ";;"}, "one ASCII character"),
        ({"separator": '"'}, "one ASCII character"),
        ({"separator": "§"}, "one ASCII character"),
        ({"separator": ",", "decimal": ","}, "not a quote, a line end or the decimal"),
        ({"format": "xlsx"}, "one of csv, tsv"),
    ],
)
def test_what_cannot_be_read_so_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        Reading(**options)


def test_options_are_values():
    assert Reading(missing=["?"]) == Reading(missing=("?",)) == Reading(missing="?")
    assert hash(Reading(text=["a"])) == hash(Reading(text=("a",)))


def test_frames_that_have_every_attribute_name_no_files() -> None:
    class Lazy:
        """As frames of Spark Connect are: whatever is asked for is a column."""

        def __getattr__(self, name: str) -> object:
            return object()

    assert files_of(Lazy()) == ()
