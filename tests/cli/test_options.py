from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from candide.cli.options import reading_options
from candide.sources.base import Reading


def read(*words: str) -> Reading:
    found: list[Reading] = []

    @click.command()
    @reading_options
    def command(reading: Reading) -> None:
        found.append(reading)

    result = CliRunner().invoke(command, list(words), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return found[0]


def test_nothing_said_is_how_tables_are_read():
    assert read() == Reading(missing=())


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--missing", "?", "--missing", "NA"], Reading(missing=("?", "NA"))),
        (["--missing", "?", "--na", "NA"], Reading(missing=("?", "NA"))),
        (["--decimal", ",", "--separator", ";"], Reading((), ",", ";")),
        (["--separator", "tab"], Reading((), separator="\t")),
        (["--separator", "\\t"], Reading((), separator="\t")),
        (["--format", "parquet"], Reading((), format="parquet")),
    ],
)
def test_words_become_a_reading(words, expected):
    assert read(*words) == expected


def test_an_old_word_is_understood_and_not_shown():
    @click.command()
    @reading_options
    def command(reading: Reading) -> None: ...

    shown = CliRunner().invoke(command, ["--help"]).output
    assert "--missing" in shown
    assert "--na" not in shown
