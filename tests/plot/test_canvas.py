"""Axes are the caller's or new ones; without matplotlib the extra is named."""

import builtins

import pytest
from tests.plot.drawing import results

from candide import plot


def test_new_axes_are_made_when_none_are_given():
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    got = plot.critical_difference(results(a=[0.5, 0.6, 0.7], b=[0.4, 0.6, 0.8]))
    assert got.figure.number in plt.get_fignums()
    plt.close(got.figure)


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    real = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ImportError, match=r"candide\[plot\]"):
        plot.paired_scatter(results(a=[0.5, 0.6, 0.7], b=[0.4, 0.6, 0.8]), "a", "b")
