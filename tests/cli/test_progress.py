from __future__ import annotations

import time

import pytest

from candide.cli import progress


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setattr(progress, "terminal", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")


@pytest.mark.usefixtures("terminal")
class TestOnATerminal:
    def test_short_work_shows_nothing(self, capsys):
        with progress.working("quick") as done:
            done(0.5)
        assert "quick" not in capsys.readouterr().err

    def test_long_work_shows_a_bar(self, capsys, monkeypatch):
        monkeypatch.setattr(progress, "PATIENCE_SECONDS", 0.01)
        with progress.working("[slow] work") as done:
            time.sleep(0.3)
            done(0.5)
        assert "[slow] work" in capsys.readouterr().err


def test_a_pipe_never_shows_a_bar(capsys, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", 0.0)
    with progress.working("slow") as done:
        time.sleep(0.05)
        done(None)
    assert capsys.readouterr().err == ""
