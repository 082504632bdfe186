"""The progress bar passes items through, and shows itself only where it is wanted."""

from __future__ import annotations

import io
import sys

import pytest

from candide import progress
from candide.progress import watched, working


class Timer:
    """A timer whose patience has run out at once, or never does."""

    out: bool

    def __init__(self, seconds, function):
        self.seconds, self.function, self.daemon = seconds, function, False

    def start(self):
        if self.out or not self.seconds:
            self.function()

    def cancel(self):
        pass

    def join(self):
        pass


def shown(monkeypatch, show, terminal, patience_over):
    screen = io.StringIO()
    screen.isatty = lambda: terminal
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(progress.threading, "Timer", type("Set", (Timer,), {"out": patience_over}))
    assert list(watched(iter(range(5)), "[counting]", lambda n: n / 5, show)) == [0, 1, 2, 3, 4]
    return "[counting]" in screen.getvalue()


@pytest.mark.parametrize(
    ("show", "terminal", "patience_over", "expected"),
    [
        (None, True, True, True),
        (None, True, False, False),
        (None, False, True, False),
        (False, True, True, False),
        (True, False, False, True),
    ],
)
def test_the_bar_shows_on_a_terminal_after_a_while_or_when_asked_for(
    monkeypatch, show, terminal, patience_over, expected
):
    assert shown(monkeypatch, show, terminal, patience_over) is expected


def test_without_rich_it_is_silent_unless_asked_for(monkeypatch):
    monkeypatch.setattr(progress, "find_spec", lambda _: None)
    assert not shown(monkeypatch, None, True, True)
    with pytest.raises(ImportError, match=r"candide\[cli\]"):
        list(watched([1], "counting", lambda _: None, True))


def test_work_without_a_known_end_and_labels_from_files(capsys):
    with working("reading \x1b[2J.csv", show=True) as done:
        done(None)
        done(1.0)
    assert "reading \\x1b[2J.csv" in capsys.readouterr().err
