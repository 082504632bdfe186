from __future__ import annotations

import threading

import pytest

from candide.overlap import AHEAD, begun, overlapped


def test_results_come_in_order_from_one_other_thread():
    threads = set()

    def work(item):
        threads.add(threading.current_thread())
        return item * 2

    assert list(overlapped(work, range(50))) == list(range(0, 100, 2))
    assert len(threads) == 1
    assert threading.current_thread() not in threads


def test_several_threads_work_and_results_come_in_order():
    together = threading.Barrier(3, timeout=30)

    def work(item):
        together.wait()  # nobody passes before all three are there
        return item * 2

    assert list(overlapped(work, range(30), 3)) == list(range(0, 60, 2))


def test_items_are_got_in_the_thread_of_the_caller():
    def items():
        for _ in range(5):
            yield threading.current_thread()

    assert set(overlapped(lambda item: item, items())) == {threading.current_thread()}


def test_no_more_items_are_in_flight_than_is_said():
    done, most = [], 0

    def items():
        nonlocal most
        for n in range(30):
            most = max(most, n + 1 - len(done))
            yield n

    list(overlapped(done.append, items()))
    assert most <= 2 + AHEAD


def test_what_is_wrong_with_earlier_items_is_told_first():
    def items():
        yield from (1, 0)
        raise OSError("cut short")

    with pytest.raises(ZeroDivisionError):
        list(overlapped(lambda item: 1 / item, items()))

    def good():
        yield 1
        raise OSError("cut short")

    with pytest.raises(OSError, match="cut short"):
        list(overlapped(lambda item: item, good()))


def test_nothing_more_is_done_when_nobody_listens():
    done = []
    results = overlapped(lambda item: done.append(item) or item, range(1000))
    next(results)
    results.close()
    assert len(done) <= 2 + AHEAD
    assert not [t for t in threading.enumerate() if t.name.startswith("candide")]


def test_the_first_item_is_got_before_anybody_asks_and_the_others_after():
    got, first = threading.Event(), []

    def items():
        first.append(threading.current_thread())
        got.set()
        yield 1
        yield threading.current_thread()

    coming = begun(items())
    assert got.wait(timeout=30)
    assert first != [threading.current_thread()]
    assert list(coming) == [1, threading.current_thread()]


@pytest.mark.parametrize("before", [0, 1])
def test_what_is_wrong_is_told_when_it_is_asked_for(before):
    def items():
        yield from range(before)
        raise OSError("cut short")

    coming = begun(items())
    with pytest.raises(OSError, match="cut short"):
        list(coming)


def test_of_nothing_nothing_is_begun():
    assert list(begun(iter(()))) == []
