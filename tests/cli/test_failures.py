from __future__ import annotations

import click
import pytest

from candide.cli.failures import BadInput, explained, one_line, unknown


def test_unknown_names_prefer_another_case_to_another_spelling():
    assert unknown("column", "DESK", ["desk", "DISK"]).endswith("did you mean 'desk'?")


def test_unknown_names_without_likeness_list_what_there_is():
    assert unknown("column", "zzz", ["a", "b"]) == "there is no column 'zzz'; there are 'a', 'b'"
    assert "and 8 more" in unknown("column", "zzz", [f"x{i}" for i in range(20)])


def test_one_line_is_bounded():
    assert len(one_line("x" * 10_000)) == 500


@pytest.mark.parametrize("error", [BadInput("wrong"), FileNotFoundError(2, "No such file", "a.csv")])
def test_what_the_user_gave_is_code_2(error):
    assert explained(error)[0] == 2


def test_a_refusal_of_the_library_is_code_2_and_that_of_another_is_a_defect():
    from candide import NaiveBayes

    with pytest.raises(ValueError) as refusal:
        NaiveBayes(smoothing="nonsense").fit([[1.0], [2.0]], [0, 1])
    assert explained(refusal.value)[0] == 2
    with pytest.raises(ValueError) as foreign:
        int("x")
    assert explained(foreign.value)[0] == 1


def test_usage_errors_point_to_the_help():
    context = click.Context(click.Command("fit"), info_name="fit")
    assert explained(click.UsageError("no such option", context))[1].endswith("(see fit --help)")
