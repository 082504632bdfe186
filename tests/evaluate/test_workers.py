"""run: results in order, here or in other processes."""

import operator
import os

import pytest

from candide.evaluate import workers


@pytest.mark.parametrize(("worth", "n_jobs", "elsewhere"), [(60.0, 2, False), (0.0, 2, True), (0.0, 1, False)])
def test_results_keep_their_order_wherever_they_come_from(monkeypatch, worth, n_jobs, elsewhere):
    monkeypatch.setattr(workers, "WORTH_SECONDS", worth)
    assert workers.run(operator.mul, [(x, x) for x in range(6)], "squares", n_jobs) == [0, 1, 4, 9, 16, 25]
    processes = workers.run(os.getpid, [()] * 6, "processes", n_jobs)
    assert (set(processes) != {os.getpid()}) is elsewhere


def test_no_work_is_no_work():
    assert workers.run(os.getpid, [], "nothing") == []
