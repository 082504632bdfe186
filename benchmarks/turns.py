"""Several take turns, so that what disturbs the machine disturbs all of them alike."""

from collections.abc import Mapping
from typing import Protocol, TypeVar

from benchmarks.participants import Measured

ROUNDS = 6
"""Turns into which a budget of time is divided."""

FEWEST = 3
"""Calls that are made at least."""

PATIENCE = 4.0
"""Seconds after which a way that is slow is not called again, though it had fewer calls or the budget is larger."""

Key = TypeVar("Key")


class Player(Protocol):
    """What can be measured in turns."""

    measured: Measured

    def wait(self) -> None: ...
    def first(self) -> None: ...
    def turn(self, seconds: float) -> None: ...
    def end(self) -> Measured: ...


def take_turns(players: Mapping[Key, Player], budget: float) -> dict[Key, Measured]:
    """Measure all players until each has had its budget (seconds); every other round goes backwards."""
    order = list(players.values())
    for player in order:
        player.wait()
    for player in order:
        player.first()
    while waiting := [player for player in order if not enough(player.measured, budget)]:
        for player in waiting:
            player.turn(budget / ROUNDS)
        order.reverse()
    return {key: player.end() for key, player in players.items()}


def enough(measured: Measured, budget: float) -> bool:
    """Whether a player had its turns, or failed."""
    had_its_share = measured.calls >= FEWEST and measured.spent >= budget
    return had_its_share or measured.spent >= PATIENCE or measured.error is not None
