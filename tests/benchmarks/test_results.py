"""Verdicts: a promise counts as kept only when it was measured."""

import pytest
from benchmarks.checkouts import BEFORE, NOW
from benchmarks.participants import Measured
from benchmarks.results import PROMISED, Result, result_of
from benchmarks.tasks.task import APART, FLOOR, OURS, THEIRS, Targets, Task


def result(targets, ours=None, theirs=None, **others):
    seen = {(NOW, OURS): ours or Measured(best=1.0), (NOW, THEIRS): theirs or Measured(best=20.0)}
    seen |= {(NOW, way): measured for way, measured in others.items()}
    return Result("a task", PROMISED, "", targets, seen, promised=True)


def test_memory_that_was_not_measured_does_not_count_as_met():
    assert result(Targets(15, allowance=True)).verdict() == "not measured"
    assert result(Targets(15, memory=0.5)).verdict() == "not measured"
    assert result(Targets(15, memory=0.5), Measured(best=1.0, extra=1)).verdict() == "not measured"


@pytest.mark.parametrize(("extra", "verdict"), [(130, "yes"), (131, "no")])
def test_a_drop_in_may_use_a_tenth_of_its_input_besides_its_output(extra, verdict):
    ours = Measured(best=1.0, extra=extra, input=1000, output=30)
    assert result(Targets(15, allowance=True), ours).verdict() == verdict


@pytest.mark.parametrize(("extra", "verdict"), [(50, "yes"), (51, "no")])
def test_memory_may_be_promised_as_a_share_of_scikit_learns(extra, verdict):
    theirs = Measured(best=20.0, extra=1000)
    assert result(Targets(memory=1 / 20), Measured(best=1.0, extra=extra), theirs).verdict() == verdict


def test_one_promise_broken_is_enough_though_another_was_not_measured():
    assert result(Targets(21, allowance=True)).verdict() == "no"


def test_floors_are_a_promise_of_their_own():
    assert result(Targets(floors=3)).verdict() == "not measured"
    assert result(Targets(floors=3), floor=Measured(best=0.5)).verdict() == "yes"
    assert result(Targets(floors=3), floor=Measured(best=0.3)).verdict() == "no"
    assert result(Targets(floors=3), **{FLOOR: Measured(best=0.25)}).floors == 4


def test_columns_joined_may_take_three_times_as_long_as_apart():
    assert result(Targets(apart=3), **{APART: Measured(best=0.4)}).verdict() == "yes"
    assert result(Targets(apart=3), **{APART: Measured(best=0.3)}).verdict() == "no"


def test_a_way_that_failed_is_not_measured():
    failed = result(Targets(15), theirs=Measured(error="ValueError: no"))
    assert failed.verdict() == "not measured"
    assert failed.failures() == {(NOW, THEIRS): "ValueError: no"}


def test_targets_speak_of_a_million_rows_or_of_the_tasks_own_number():
    seen = {(NOW, OURS): Measured(best=1.0), (NOW, THEIRS): Measured(best=20.0)}
    scaled, own = Task("a", lambda _: list, targets=Targets(2)), Task("b", lambda _: list, targets=Targets(2), rows=10)
    assert [result_of(scaled, n, seen, None).verdict() for n in (10, PROMISED)] == ["", "yes"]
    assert [result_of(own, n, seen, None).verdict() for n in (5, 10)] == ["", "yes"]


def test_a_task_of_which_nothing_was_promised_has_no_verdict():
    assert result(Targets()).verdict() == ""


def test_the_gain_is_how_many_times_as_fast_as_before():
    seen = {(BEFORE, OURS): Measured(best=6.0), (NOW, OURS): Measured(best=2.0)}
    assert Result("a", 1, "", Targets(), seen, promised=False).gain == 3
    assert result(Targets()).gain is None
