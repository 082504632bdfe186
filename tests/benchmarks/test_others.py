"""The load of other processes, from Linux's own accounts."""

import pytest
from benchmarks.others import Others, busy_ticks, own_ticks, warning

from benchmarks import others

# user nice system idle iowait irq softirq steal guest guest_nice
STAT = "cpu  100 20 30 5000 600 7 8 9 50 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n"


def process(name, utime, stime, cutime, cstime):
    fields = ["S", *["0"] * 10, utime, stime, cutime, cstime, *["0"] * 30]
    return f"12 ({name}) {' '.join(map(str, fields))}\n"


def test_cores_are_busy_when_they_neither_idle_nor_wait_and_guests_count_once():
    assert busy_ticks(STAT) == 100 + 20 + 30 + 7 + 8 + 9


def test_a_process_is_counted_with_its_children_whatever_its_name():
    assert own_ticks(process("python", 1, 2, 30, 40)) == 73
    assert own_ticks(process("a) b (c", 1, 2, 30, 40)) == 73


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A made-up machine of 100 ticks a second: `at(seconds, busy, own, child)` sets its accounts."""
    monkeypatch.setattr(others, "PROC", tmp_path)
    monkeypatch.setattr(others.os, "getpid", lambda: 12)
    monkeypatch.setattr(others.os, "sysconf", lambda _: 100)

    def at(seconds, busy, own, child):
        monkeypatch.setattr(others.time, "monotonic", lambda: seconds)
        (tmp_path / "stat").write_text(f"cpu {busy} 0 0 0 0 0 0 0 0 0\n")
        for pid, ticks in ((12, own), (13, child)):
            (tmp_path / str(pid)).mkdir(exist_ok=True)
            (tmp_path / str(pid) / "stat").write_text(process("python", ticks, 0, 0, 0))

    return at


def test_what_neither_we_nor_our_children_used_was_used_by_others(machine):
    machine(0, 1000, 100, 50)
    load = Others(lambda: [13])
    machine(10, 2500, 200, 950)  # 15 s of all cores: 1 s ours, 9 s our child's, 5 s others'
    assert load.lap() == pytest.approx(0.5)
    machine(20, 3500, 1200, 950)
    assert load.lap() == 0
    assert load.mean() == pytest.approx(0.25)


def test_a_system_that_does_not_tell_is_not_called_quiet(tmp_path, monkeypatch):
    monkeypatch.setattr(others, "PROC", tmp_path)
    load = Others(list)
    assert load.lap() is None
    assert load.mean() is None
    assert "NOT KNOWN" in warning(load.mean())


def test_more_than_a_tenth_of_a_core_is_said_loudly():
    assert warning(0.1) == ""
    assert "DISTURBED" in warning(0.11)
    assert "0.11 cores" in warning(0.11)
