"""The command as a shell sees it: pipes, exit codes, interruptions."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-c", "from candide.cli import main; main()"]

READY = """
from candide.cli import main
import candide.cli.commands.predict, candide.sources.files, candide.sources.writing
print("ready", flush=True)
main()
"""


def start(*args: str, **options) -> subprocess.Popen:
    return subprocess.Popen([*COMMAND, *args], **options)


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
    assert Path("model.json").read_text() == Path("expected.json").read_text()


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


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
def test_an_interruption_is_quiet(model):
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    process = subprocess.Popen([sys.executable, "-c", READY, "predict", model, "-"], **pipes)
    assert process.stdout.readline() == b"ready\n"
    process.stdin.write(b"weight,energy,wheels\n")
    process.stdin.flush()
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert (out + err).strip() == b""
