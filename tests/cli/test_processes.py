"""The command as a shell sees it: pipes, exit codes, interruptions."""

from __future__ import annotations

import array
import fcntl
import json
import os
import signal
import stat
import subprocess
import sys
import termios
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-c", "from candide.cli import main; main()"]


def start(*args: str, **options) -> subprocess.Popen:
    """Start the command as a terminal would, with no signal ignored, also where the tests themselves ignore some."""
    return subprocess.Popen([*COMMAND, *args], preexec_fn=default_signals, **options)  # noqa: PLW1509  # no threads here


def default_signals() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def test_a_pipe_from_end_to_end(run, model):
    text = Path("requests.csv").read_bytes()
    found = subprocess.run([*COMMAND, "predict", model, "-"], input=text, capture_output=True, check=True)
    assert found.stdout.decode() == run("predict", model, "requests.csv").stdout
    assert found.stderr == b""


@pytest.mark.parametrize("format_", ["parquet", "arrow"])
def test_binary_tables_through_pipes(run, model, format_):
    expected = run("predict", model, "requests.csv").stdout
    made = run("predict", model, "requests.csv", "--keep", "--to", format_, "-o", "-").stdout_bytes
    assert run("predict", model, "-", stdin=made).stdout == expected


TOGETHER = """
import os, sys
from candide import NaiveBayes
from candide.cli.app import app
import candide.cli.commands.algebra, candide.cli.models, candide.cli.tables, candide.sources.files
children = []
for n in range(8):
    children.append(os.fork())
    if not children[-1]:
        try:
            app(["update", "model.json", f"{n}.csv"])
        except SystemExit as end:
            os._exit(end.code or 0)
sys.exit(any(os.waitpid(child, 0)[1] for child in children))
"""


def test_of_eight_updates_at_once_none_is_lost(run):
    header, *lines = Path("requests.csv").read_text().splitlines(keepends=True)
    run("fit", "requests.csv", "-t", "desk", "-o", "model.json")
    run("fit", "requests.csv", "-t", "desk", "-o", "expected.json")
    for n in range(8):
        Path(f"{n}.csv").write_text(header + "".join(lines) * (n + 1))
        run("update", "expected.json", f"{n}.csv")
    subprocess.run([sys.executable, "-c", TOGETHER], check=True, stdout=subprocess.DEVNULL)
    found, expected = (json.loads(Path(name).read_text())["model"] for name in ("model.json", "expected.json"))
    assert {**found, "made": None} == {**expected, "made": None}


def test_bad_input_ends_with_2_and_one_line():
    found = subprocess.run([*COMMAND, "inspect", "absent.json"], capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert found.stderr == "candide: absent.json: no such file\n"
    assert found.stdout == ""


def test_a_reader_that_leaves_early_is_no_failure(model):
    lines = Path("requests.csv").read_text().splitlines(keepends=True)
    Path("long.csv").write_text(lines[0] + "".join(lines[1:]) * 20_000)
    process = start("predict", model, "long.csv", "--keep", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline() == b"weight,energy,wheels,desk,prediction\n"
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(30) == 141


LOADING = """
import os, signal, sys
from candide.cli import main

class Interrupted:
    \"\"\"A library that turns an interruption while it loads into an error of its own.\"\"\"

    def find_spec(self, name, *_):
        if name == sys.argv[-1]:
            try:
                os.kill(os.getpid(), signal.SIGINT)
            except KeyboardInterrupt:
                raise ImportError("half of it is missing") from None

sys.meta_path.insert(0, Interrupted())
main()
"""

FALLING = """
import os, signal, sys, time
from candide.cli import main

class Falling:
    \"\"\"An object that goes at the moment of the signal: nothing can be raised there.\"\"\"

    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)

class Endless:
    def find_spec(self, name, *_):
        if name == "numpy":
            Falling()
            while True:
                time.sleep(.01)

sys.meta_path.insert(0, Endless())
main()
"""


def unread(descriptor: int) -> int:
    """Bytes in a pipe that nobody has taken yet."""
    count = array.array("i", [0])
    fcntl.ioctl(descriptor, termios.FIONREAD, count)
    return count[0]


def test_what_is_written_into_follows_standard_output(run, model):
    os.mkfifo("fifo")
    process = start("predict", model, "requests.csv", "-o", "fifo", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with Path("fifo").open("rb") as fifo:
        assert fifo.read().decode() == run("predict", model, "requests.csv", "-o", "-").stdout
    assert process.wait(timeout=60) == 0
    assert stat.S_ISFIFO(Path("fifo").stat().st_mode)


class TestInterruptions:
    @pytest.mark.parametrize(
        ("sent", "content"),
        [
            (signal.SIGINT, b""),
            (signal.SIGTERM, b"weight,energy,wheels\n"),
            (signal.SIGINT, b"weight,energy,wheels\n1,gas"),
            (signal.SIGHUP, b"weight,energy,wheels\n1,gas"),
        ],
    )
    def test_a_pipe_that_stalls_is_left_quietly(self, model, sent, content):
        os.mkfifo("fifo")
        process = start("predict", model, "fifo", "-o", "out.csv", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with Path("fifo").open("wb", buffering=0) as fifo:
            fifo.write(content)
            while unread(fifo.fileno()):  # until it waits for more
                os.sched_yield()
            process.send_signal(sent)
            out, err = process.communicate(timeout=60)
        assert process.returncode == 128 + sent
        assert (out + err).strip() == b""
        assert not list(Path().glob(".candide*"))
        assert not Path("out.csv").exists()

    def test_what_is_ignored_stays_ignored(self, run, model):
        code = "import os, signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\nfrom candide.cli import main; main()"
        os.mkfifo("fifo")
        command = [sys.executable, "-c", code, "predict", model, "fifo"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        with Path("fifo").open("wb", buffering=0) as fifo:
            process.send_signal(signal.SIGHUP)
            fifo.write(Path("requests.csv").read_bytes())
        assert process.communicate(timeout=60)[0].decode() == run("predict", model, "requests.csv").stdout

    @pytest.mark.parametrize("library", ["numpy", "pyarrow"])
    def test_an_interruption_while_a_library_loads_is_quiet(self, model, library):
        Path(library).write_bytes(Path("requests.csv").read_bytes())
        command = [sys.executable, "-c", LOADING, "predict", model, "-o", "out.parquet", library]
        found = subprocess.run(command, capture_output=True, check=False)
        assert (found.returncode, found.stderr) == (130, b"")

    def test_an_interruption_where_nothing_can_be_raised_comes_again(self, model):
        command = [sys.executable, "-c", FALLING, "predict", model, "requests.csv"]
        found = subprocess.run(command, capture_output=True, check=False, timeout=60)
        assert (found.returncode, found.stderr.strip()) == (128 + signal.SIGTERM, b"")
