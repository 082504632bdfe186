"""Turns: everybody has enough of them, and nobody too many."""

from benchmarks.participants import Measured
from benchmarks.turns import FEWEST, PATIENCE, take_turns


class Fake:
    """A player whose every call takes the same time."""

    def __init__(self, name, seconds, log, fails_at=None):
        self.name, self.seconds, self.log, self.fails_at = name, seconds, log, fails_at
        self.measured = Measured()

    def wait(self):
        self.log.append(f"{self.name} is ready")

    def first(self):
        self.turn(0)

    def turn(self, _):
        self.log.append(self.name)
        if self.measured.calls + 1 == self.fails_at:
            self.measured.error = "failed"
        else:
            self.measured.add({"best": self.seconds, "calls": 1, "spent": self.seconds})

    def end(self):
        return self.measured


def play(budget, **players):
    log = []
    return take_turns({name: Fake(name, seconds, log) for name, seconds in players.items()}, budget), log


def test_all_are_ready_before_the_first_is_called():
    _, log = play(0.1, a=1.0, b=1.0)
    assert log[:2] == ["a is ready", "b is ready"]


def test_every_other_round_goes_backwards():
    _, log = play(0.0, a=0.1, b=0.1)
    assert log[2:] == ["a", "b", "a", "b", "b", "a"]


def test_a_quick_call_is_made_until_the_budget_is_spent():
    seen, _ = play(1.0, a=0.25)
    assert seen["a"].calls == 4


def test_a_call_that_takes_the_budget_is_made_a_few_times():
    seen, _ = play(0.5, a=1.0)
    assert seen["a"].calls == FEWEST


def test_a_call_beyond_patience_is_made_once():
    seen, _ = play(0.5, a=PATIENCE, b=0.1)
    assert (seen["a"].calls, seen["b"].calls) == (1, 5)


def test_who_failed_is_not_called_again_and_others_go_on():
    log = []
    seen = take_turns({"a": Fake("a", 0.1, log, fails_at=2), "b": Fake("b", 0.1, log)}, 0.5)
    assert seen["a"].error == "failed"
    assert log.count("a") == 2
    assert seen["b"].calls == 5
