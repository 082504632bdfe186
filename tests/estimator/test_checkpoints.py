"""A fit that is killed goes on where it was, and gives the file of one that was not."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from candide import load
from candide.cli.app import app
from candide.estimator.checkpoints import Checkpoint
from candide.sources import batch, text

N = 3_000


@pytest.fixture(params=["csv", "parquet"])
def path(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(batch, "BATCH_ROWS", 250)
    monkeypatch.setattr(text, "BLOCK_BYTES", 1 << 12)
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, N)
    frame = pd.DataFrame({"x": rng.normal(size=N) + y, "c": rng.choice(list("abc"), N), "w": 1, "late": None, "y": y})
    frame["late"] = np.where(np.arange(N) > 2_000, "seen", None)  # nothing but missing cells before
    frame.to_csv("t.csv", index=False) if request.param == "csv" else frame.to_parquet("t.parquet", row_group_size=400)
    return f"t.{request.param}"


def fit(path, output, *more, code=0):
    found = CliRunner().invoke(app, ["fit", path, "-t", "y", "-o", output, *more])
    assert found.exit_code == code, found.output
    return found


def interrupt_after(monkeypatch, n):
    """Let the n-th checkpoint be the last thing that a fit does."""
    write, written = Checkpoint.write, []

    def once(self, *given):
        write(self, *given)
        written.append(given[1])
        if len(written) == n:
            raise KeyboardInterrupt

    monkeypatch.setattr(Checkpoint, "write", once)
    return written


@pytest.mark.parametrize("kills", [1, 2])
def test_an_interrupted_fit_equals_one_that_was_not(path, monkeypatch, kills):
    fit(path, "whole.json")
    fit(path, "uninterrupted.json", "--checkpoint", "part", "--every", "500")
    assert Path("uninterrupted.json").read_bytes() == Path("whole.json").read_bytes()
    for _ in range(kills):
        with monkeypatch.context() as patched:
            written = interrupt_after(patched, 2)
            fit(path, "parts.json", "--checkpoint", "part", "--every", "500", code=130)
        assert load(f"part.model.{written[-1]}").class_counts_.sum() == written[-1] < N
        assert not Path("parts.json").exists()
    said = fit(path, "parts.json", "--checkpoint", "part", "--every", "700").output
    assert f"going on behind {written[-1]} rows" in said
    assert f"learnt {N} rows" in said
    assert Path("parts.json").read_bytes() == Path("whole.json").read_bytes()
    assert [file.name for file in Path().glob("part*")] == ["parts.json"]


def test_a_fit_that_is_killed_leaves_a_whole_checkpoint(path):
    fit(path, "whole.json")
    script = """
import sys, time
from candide.estimator.checkpoints import Checkpoint
from candide.sources import batch, text
batch.BATCH_ROWS, text.BLOCK_BYTES = 250, 1 << 12
write = Checkpoint.write
def slowly(self, *given):
    write(self, *given)
    time.sleep(0.2)
Checkpoint.write = slowly
from candide.cli import main
main()
"""
    command = [sys.executable, "-c", script, "fit", path, "-t", "y", "-o", "parts.json", "--checkpoint", "part"]
    process = subprocess.Popen([*command, "--every", "250"])
    while not Path("part").exists():
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    process.wait()
    fit(path, "parts.json", "--checkpoint", "part")
    assert Path("parts.json").read_bytes() == Path("whole.json").read_bytes()


def test_a_checkpoint_of_another_fit_is_refused(path, monkeypatch):
    with monkeypatch.context() as patched:
        interrupt_after(patched, 1)
        fit(path, "m.json", "--checkpoint", "part", "--every", "500", code=130)
    assert "of another fit" in fit(path, "m.json", "--checkpoint", "part", "--smoothing", "none", code=2).output
    Path(path).touch()
    assert "tables that were changed" in fit(path, "m.json", "--checkpoint", "part", code=2).output
    Path("part").write_text("{}")
    assert "is no checkpoint" in fit(path, "m.json", "--checkpoint", "part", code=2).output


def test_what_is_more_than_sums_and_what_cannot_be_read_again_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = np.random.default_rng(0).choice(["red", "green", "blue", "dark", "light"], (60, 12))
    frame = pd.DataFrame({"message": [" ".join(row) for row in words], "y": ["a", "b"] * 30})
    frame.to_csv("t.csv", index=False)
    refused = fit("t.csv", "m.json", "--text", "message", "--checkpoint", "part", code=2).output
    assert "settles weights on a sample of all rows" in refused
    found = CliRunner().invoke(
        app, ["fit", "-", "-t", "y", "-o", "m.json", "--checkpoint", "part"], input=frame.to_csv(index=False)
    )
    assert found.exit_code == 2
    assert "cannot be read again" in found.output


def test_rows_behind_a_number_are_read_by_slices():
    from candide.estimator.checkpoints import behind

    frames = [pd.DataFrame({"x": range(3)}), pd.DataFrame({"x": range(3, 5)})]
    import pyarrow as pa

    tables = [pa.Table.from_pandas(frame) for frame in frames]
    for rows in range(7):
        found = [x for t in behind(iter(tables), rows) for x in t["x"].to_pylist()]
        assert found == list(range(rows, 5))
