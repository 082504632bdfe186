"""A small table, a model of it, and a way to run the command in this process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from candide.cli.app import app

TABLE = """weight,energy,wheels,desk
180,petrol,2,bike
210,petrol,2,bike
,electric,2,bike
1300,petrol,4,car
1500,diesel,4,car
1400,,4,car
1250,electric,3,car
8000,diesel,6,truck
9500,diesel,,truck
12000,gas,10,truck
"""

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    Path("requests.csv").write_text(TABLE, encoding="utf-8")

    def call(*args: str, stdin: str | bytes | None = None, code: int = 0) -> Result:
        result = CliRunner().invoke(app, list(args), input=stdin)
        assert result.exit_code == code, (result.output, result.exception)
        if code == 2:
            assert result.stderr.startswith("candide"), result.stderr
            assert result.stderr.count("\n") == 1, result.stderr
            assert "Traceback" not in result.output
        return result

    return call


@pytest.fixture
def model(run: Run) -> str:
    run("fit", "requests.csv", "--target", "desk", "-o", "model.json", "--plain", "--distribution", "weight=lognormal")
    return "model.json"
