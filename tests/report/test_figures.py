"""Figures are the same bytes on every run, and say what is missing."""

import builtins

import pytest

from candide.report.figures import draw


def test_the_same_plot_is_the_same_svg():
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    first, second = (draw(lambda ax: ax.scatter([1, 2], [3, 4]), (3, 2)) for _ in range(2))
    assert first == second
    assert first.startswith(b"<?xml")
    assert b"<dc:date>" not in first


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    real = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ImportError, match=r"candide\[plot\]"):
        draw(print, (1, 1))
