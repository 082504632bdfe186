"""Processes: each task in a child of its own, whose failure ends neither the process nor the run."""

import os
import signal

import pytest
from benchmarks.checkouts import NOW, checkouts
from benchmarks.participants import Cast
from benchmarks.tasks import tasks
from benchmarks.tasks.task import FLOOR, OURS, THEIRS
from benchmarks.turns import take_turns

from candide import kernels

pytestmark = pytest.mark.skipif(kernels() != "native", reason="only compiled kernels are measured")
TASK = "numeric fit, 2 classes, float64 C"


@pytest.fixture(scope="module")
def cast():
    cast = Cast(checkouts(None))
    yield cast
    cast.close()


def test_ours_scikit_learns_and_the_floor_are_measured_with_their_memory(cast):
    participants = cast.of(tasks()[TASK])
    assert list(participants) == [(NOW, OURS), (NOW, THEIRS), (NOW, FLOOR)]
    for participant in participants.values():
        participant.begin(TASK, 5000)
    seen = take_turns(participants, 0.0)
    for measured in seen.values():
        assert measured.error is None
        assert measured.best > 0
        assert measured.calls >= 3
        assert measured.input == 8 * 5000 * 20
    assert len(cast.processes()) == 3


def test_a_task_that_fails_says_why_and_the_process_goes_on(cast):
    participants = cast.of(tasks()[TASK])
    for name in ("no such task", TASK):
        for participant in participants.values():
            participant.begin(name, 100)
        seen = take_turns(participants, 0.0)
        errors = [measured.error for measured in seen.values()]
        assert errors == (["KeyError: 'no such task'"] * 3 if name != TASK else [None] * 3)


def test_a_child_that_dies_is_told_from_one_that_answers(cast):
    (participant,) = [p for (_, way), p in cast.of(tasks()[TASK]).items() if way == OURS]
    participant.begin(TASK, 100)
    participant.wait()
    os.kill(participant.child, signal.SIGKILL)
    participant.turn(0.0)
    assert participant.end().error == "the process ended with -9"
