"""The checkouts that are compared: this one, and one of before with an environment of its own."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks.channel import Channel, Message

ROOT = Path(__file__).resolve().parent.parent
"""The project; its `benchmarks` run in every checkout, so that before and now do the same."""

BEFORE, NOW = "before", "now"


@dataclass(frozen=True)
class Checkout:
    """A folder that holds the project, and the interpreter that has it installed."""

    name: str
    root: Path
    python: Path

    def start(self, module: str) -> tuple[subprocess.Popen[bytes], Channel]:
        """Start a module of the benchmarks in the checkout's environment, to be talked to."""
        pipe = subprocess.PIPE
        process = subprocess.Popen([self.python, "-m", module], stdin=pipe, stdout=pipe, cwd=ROOT)
        assert process.stdin is not None
        assert process.stdout is not None
        return process, Channel(process.stdout, process.stdin)

    def greet(self, channel: Channel) -> Message:
        """Wait until a process has started, and return what it says of itself."""
        try:
            return self.check(channel.receive())
        except EOFError:
            raise SystemExit(f"{self.python} could not run the benchmarks: its error stands above") from None

    def check(self, about: Message) -> Message:
        """Return what a process says of itself, with the commit, if it has this checkout's package and its kernels."""
        home = Path(about["home"])
        if not home.is_relative_to(self.root):
            raise SystemExit(f"{self.python} imports candide from {home}, not from {self.root}")
        if about["kernels"] != "native":
            raise SystemExit(f"{self.root} has no compiled kernels: run `make setup` there")
        return {"commit": self.commit(), **{key: value for key, value in about.items() if key != "home"}}

    def commit(self) -> str | None:
        """Return the commit, with a plus where the sources differ from it; None without git."""
        try:
            commit = self._git("rev-parse", "--short", "HEAD")
            changed = self._git("status", "--porcelain", "--", "src")
        except (OSError, subprocess.CalledProcessError):
            return None
        return f"{commit}+" if changed else commit

    def _git(self, *arguments: str) -> str:
        command = ["git", "-C", str(self.root), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def checkouts(against: Path | None) -> list[Checkout]:
    """Return the checkout of before, if one was named, and this one."""
    before = [] if against is None else [set_up(against.resolve())]
    return [*before, Checkout(NOW, ROOT, Path(sys.executable))]


def set_up(root: Path) -> Checkout:
    """Return the checkout of before, whose environment is in it."""
    python = root / ".venv" / "bin" / "python"
    if not python.exists():
        raise SystemExit(f"{root} has no environment: run `make setup` there")
    return Checkout(BEFORE, root, python)
