from __future__ import annotations

import click
import pytest

from candide.cli.failures import BadInput, explained, one_line


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
