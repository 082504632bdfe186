"""Who takes part: a way of doing things in a checkout, in a process that waits for its turn."""

from collections.abc import Iterable
from dataclasses import dataclass

from benchmarks.channel import Message
from benchmarks.checkouts import NOW, Checkout
from benchmarks.tasks.task import APART, OURS, Task


@dataclass
class Measured:
    """What was seen of one way: the shortest time (seconds), its calls, the extra memory of the first (bytes).

    `input` and `output` are the bytes read and given, where they are known; `error` says what went wrong.
    """

    best: float | None = None
    calls: int = 0
    spent: float = 0.0
    extra: int | None = None
    input: int | None = None
    output: int | None = None
    error: str | None = None

    def add(self, timing: Message) -> None:
        """Count a turn."""
        self.best = timing["best"] if self.best is None else min(self.best, timing["best"])
        self.calls += timing["calls"]
        self.spent += timing["spent"]


class Participant:
    """A process of a checkout, which does one task after the other, each in a child."""

    def __init__(self, checkout: Checkout, way: str) -> None:
        self.checkout, self.way = checkout, way
        self.process, self.channel = checkout.start("benchmarks.server")
        self.about: Message = {}
        self.child: int | None = None
        self.measured = Measured()

    def greet(self) -> None:
        """Wait until the process has started, and learn its versions."""
        if not self.about:
            self.about = self.checkout.greet(self.channel)

    def begin(self, task: str, rows: int) -> None:
        """Let the process make the task ready; others may do so at the same time."""
        self.measured = Measured()
        self.channel.send({"task": task, "way": self.way, "rows": rows})

    def wait(self) -> None:
        """Wait until it is ready."""
        if answer := self._answer():
            self.child = answer["ready"]

    def first(self) -> None:
        """Make the first call, and measure its memory."""
        if answer := self._ask({"do": "first"}):
            self.measured.add(answer)
            self.measured.extra, self.measured.output = answer["extra"], answer["output"]
            self.measured.input = answer["input"]

    def turn(self, seconds: float) -> None:
        """Make calls for about so many seconds."""
        if answer := self._ask({"do": "turn", "seconds": seconds}):
            self.measured.add(answer)

    def end(self) -> Measured:
        """End the task, and return what was seen."""
        if self.measured.error is None:
            self.channel.send({"do": "end"})
            self.channel.receive()
        return self.measured

    def close(self) -> None:
        """End the process."""
        self.process.communicate()

    def _ask(self, message: Message) -> Message | None:
        if self.measured.error is not None:
            return None
        self.channel.send(message)
        return self._answer()

    def _answer(self) -> Message | None:
        """Return an answer; after an error, or when the child died, the server says that the task has ended."""
        answer = self.channel.receive()
        if "error" in answer:
            self.measured.error = answer["error"]
            self.channel.receive()
        elif "ended" in answer:
            self.measured.error = f"the process ended with {answer['ended']}"
        return None if self.measured.error is not None else answer


class Cast:
    """The participants of all tasks, by checkout and way."""

    def __init__(self, checkouts: list[Checkout]) -> None:
        self.checkouts = checkouts
        self.started: dict[tuple[str, str], Participant] = {}

    def of(self, task: Task) -> dict[tuple[str, str], Participant]:
        """Return who does a task: our ways in every checkout, scikit-learn's and the floor in this one."""
        return self._started(
            (checkout, way)
            for way in task.prepares()
            for checkout in self.checkouts
            if way in {OURS, APART} or checkout.name == NOW
        )

    def processes(self) -> list[int]:
        """Return the process ids."""
        return [participant.process.pid for participant in self.started.values()]

    def about(self) -> dict[str, Message]:
        """Return versions and commit of each checkout."""
        ours = self._started((checkout, OURS) for checkout in self.checkouts)
        return {checkout: participant.about for (checkout, _), participant in ours.items()}

    def close(self) -> None:
        """End every process."""
        for participant in self.started.values():
            participant.close()

    def _started(self, wanted: Iterable[tuple[Checkout, str]]) -> dict[tuple[str, str], Participant]:
        """Return participants; those that are new start side by side."""
        found = {}
        for checkout, way in wanted:
            key = (checkout.name, way)
            if key not in self.started:
                self.started[key] = Participant(checkout, way)
            found[key] = self.started[key]
        for participant in found.values():
            participant.greet()
        return found
