"""How long imports take: every one in a fresh interpreter, ours and scikit-learn's in turns."""

import os
import subprocess
import time
from pathlib import Path

from benchmarks.checkouts import NOW, Checkout
from benchmarks.others import Others
from benchmarks.participants import Measured
from benchmarks.results import Result
from benchmarks.tasks.task import OURS, THEIRS, Targets
from benchmarks.turns import take_turns

SCRIPT = Path(__file__).with_name("imported.py")
STATEMENTS = ("import candide", "from candide import NaiveBayes")
THEIR_STATEMENT = "import sklearn.naive_bayes"
COMPILED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""The environment, less what would have every interpreter compile every module anew."""

SECTION = f"Imports, beside `{THEIR_STATEMENT}`"

TARGETS = Targets(faster=1 / 1.2)
"""An import takes 1.2 times as long as scikit-learn's, at most."""


class Import:
    """A statement to be run in the environment of a checkout: one interpreter a turn."""

    def __init__(self, checkout: Checkout, statement: str) -> None:
        self.command = [str(checkout.python), "-P", str(SCRIPT), statement]
        self.measured = Measured()

    def wait(self) -> None:
        """There is nothing to be made ready."""

    def first(self) -> None:
        """Run it, and take its memory; byte code that is not there yet is written here."""
        self.measured.extra = self._run()

    def turn(self, seconds: float) -> None:
        """Run it again: one interpreter is a turn, however short."""
        self._run()

    def end(self) -> Measured:
        """Return what was seen."""
        return self.measured

    def _run(self) -> int | None:
        start = time.perf_counter()
        done = subprocess.run(self.command, capture_output=True, text=True, check=False, env=COMPILED)
        spent = time.perf_counter() - start
        if done.returncode:
            self.measured.error = done.stderr.strip().rpartition("\n")[2]
            return None
        seconds, extra = done.stdout.split()
        self.measured.add({"best": float(seconds), "calls": 1, "spent": spent})
        return int(extra) if int(extra) >= 0 else None


def measure_import(statement: str, checkouts: list[Checkout], others: Others, budget: float) -> Result:
    """Measure a statement in every checkout, beside scikit-learn's in this one."""
    players = {(checkout.name, OURS): Import(checkout, statement) for checkout in checkouts}
    players[NOW, THEIRS] = Import(checkouts[-1], THEIR_STATEMENT)
    others.lap()
    seen = take_turns(players, budget)
    return Result(f"`{statement}`", None, SECTION, TARGETS, seen, promised=True, others=others.lap())
