"""The progress bar passes results through, and shows itself only where it is wanted."""

import io
import sys

import pytest

from candide.evaluate import progress
from candide.evaluate.progress import watched


def shown(monkeypatch, wish, terminal, patience):
    screen = io.StringIO()
    screen.isatty = lambda: terminal
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", patience)
    assert list(watched(iter(range(5)), 5, "counting", wish)) == [0, 1, 2, 3, 4]
    return "counting" in screen.getvalue()


@pytest.mark.parametrize(
    ("wish", "terminal", "patience", "expected"),
    [
        (None, True, 0.0, True),
        (None, True, 60.0, False),
        (None, False, 0.0, False),
        (False, True, 0.0, False),
        (True, False, 60.0, True),
    ],
)
def test_the_bar_shows_on_a_terminal_after_a_while_or_when_asked_for(monkeypatch, wish, terminal, patience, expected):
    assert shown(monkeypatch, wish, terminal, patience) is expected


def test_without_rich_it_is_silent_unless_asked_for(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert not shown(monkeypatch, None, True, 0.0)
    with pytest.raises(ImportError, match=r"candide\[cli\]"):
        list(watched([1], 1, "counting", True))
