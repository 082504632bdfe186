"""Tasks: every way of every task can be done, and what is promised speaks of ways that are there."""

import tempfile
import warnings

import numpy as np
import pytest
from benchmarks.tasks import tasks
from benchmarks.tasks.task import APART, FLOOR, OURS, THEIRS, Task

FEW = 60
WAYS = [(name, way) for name, task in tasks().items() for way in task.prepares()]


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_every_way_of_every_task_can_be_done(name, way, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn's advice on its own steps
        call = tasks()[name].prepares()[way](FEW)
        call()
        call()


def test_what_is_promised_can_be_measured():
    for task in tasks().values():
        ways, targets = set(task.prepares()), task.targets
        assert OURS in ways
        assert targets.faster is None or THEIRS in ways
        assert targets.memory is None or THEIRS in ways
        assert targets.floors is None or FLOOR in ways
        assert not targets.allowance or task.cells is not None
        assert targets.apart is None or APART in ways


def test_a_number_of_rows_of_its_own_is_kept_unless_all_that_was_asked_for_is_less():
    scaled, own = Task("a", lambda _: list, largest=1000), Task("b", lambda _: list, rows=200)
    assert scaled.sizes([10**4, 1000, 10]) == [10, 1000]
    assert own.sizes([10, 1000]) == [200]
    assert own.sizes([10, 100]) == [100]


def test_the_floor_reads_every_cell():
    cells = np.arange(12.0).reshape(3, 4)
    task = Task("a", lambda _: list, cells=lambda _: cells)
    assert task.prepares()[FLOOR](3)() == [66.0]


def test_learning_on_learns_other_rows_at_every_call():
    from benchmarks.tasks.defaults import learns_on

    from benchmarks import tables

    learnt = []

    class Model:
        def fit(self, X, y):
            learnt.append((X, y))
            return self

        partial_fit = fit

    call = learns_on(Model, 2, False)(5)
    for _ in range(4):
        call()
    X, y = tables.numbers(10, 2), tables.labels(10, 2)
    for (seen, labels), (begin, end) in zip(learnt, [(0, 5), (5, 7), (7, 9), (9, 10), (6, 8)], strict=True):
        np.testing.assert_array_equal(seen, X[begin:end])
        np.testing.assert_array_equal(labels, y[begin:end])
