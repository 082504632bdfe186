"""What is drawn is what was measured."""

import builtins

import numpy as np
import pandas as pd
import pytest

matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
matplotlib.use("Agg")

from matplotlib.figure import Figure  # noqa: E402

from candide import plot  # noqa: E402
from candide.evaluate import critical_difference, reliability  # noqa: E402
from candide.plot.ranks import cliques  # noqa: E402

INF = float("inf")


@pytest.fixture
def ax():
    return Figure().subplots()


def results(metric="accuracy", **scores):
    sets = ("x", "y", "z")
    lines = [
        {"dataset": d, "model": m, "repeat": 0, "fold": f, "n_train": 90, "n_test": 10, metric: value}
        for m, values in scores.items()
        for d, value in zip(sets, values, strict=True)
        for f in range(2)
    ]
    return pd.DataFrame(lines)


def drawn(ax):
    return sorted(tuple(point) for points in ax.collections for point in points.get_offsets().tolist())


def test_paired_scatter_puts_a_up_and_b_right(ax):
    got = plot.paired_scatter(results(a=[0.5, 0.6, 0.7], b=[0.4, 0.6, 0.8]), "a", "b", ax=ax)
    assert got is ax
    assert drawn(ax) == [(0.4, 0.5), (0.6, 0.6), (0.8, 0.7)]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("accuracy of b", "accuracy of a")
    assert {text.get_text() for text in ax.texts} == {"x", "y", "z"}
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["a better (1)", "a not better (2)"]


def test_paired_scatter_draws_infinity_on_the_border_and_counts_it_as_a_win(ax):
    plot.paired_scatter(results("log_score", a=[5, 6, 7], b=[INF, 5, 8]), "a", "b", "log_score", ax)
    border = ax.get_xlim()[1]
    assert (border, 5) in drawn(ax)
    assert ax.get_xscale() == "log"
    assert "a better (2)" in [t.get_text() for t in ax.get_legend().get_texts()]


def test_paired_scatter_without_data_sets_shows_folds(ax):
    table = results(a=[0.5, 0.6, 0.7], b=[0.4, 0.6, 0.8]).query("dataset == 'x'").drop(columns="dataset")
    plot.paired_scatter(table, "a", "b", ax=ax)
    assert len(drawn(ax)) == 2
    assert not ax.texts


def test_learning_curves_are_means_with_standard_errors(ax):
    curve = pd.DataFrame({"model": ["m"] * 4, "n_train": [10, 10, 20, 20], "accuracy": [0.4, 0.6, 0.7, 0.7]})
    plot.learning_curves(curve, ax=ax)
    assert ax.lines[0].get_xdata().tolist() == [10, 20]
    assert ax.lines[0].get_ydata().tolist() == pytest.approx([0.5, 0.7])
    band = ax.collections[0].get_paths()[0].vertices
    error = np.std([0.4, 0.6], ddof=1) / np.sqrt(2)
    assert band[band[:, 0] == 10][:, 1].min() == pytest.approx(0.5 - error)


def test_reliability_draws_the_curve_and_one_diagonal(ax):
    rng = np.random.default_rng(0)
    proba = rng.random(200)
    event = rng.random(200) < proba
    for label in ("first", "second"):
        plot.reliability(event, proba, label=label, ax=ax)
    table = reliability(event, proba)
    assert len(ax.lines) == 3
    assert ax.lines[1].get_xdata().tolist() == table["confidence"].tolist()
    assert ax.lines[2].get_ydata().tolist() == table["frequency"].tolist()


def test_critical_difference_names_ranks_and_distance(ax):
    table = results(a=[0.9, 0.9, 0.9], b=[0.8, 0.8, 0.7], c=[0.1, 0.1, 0.8])
    plot.critical_difference(table, ax=ax)
    words = " ".join(text.get_text() for text in ax.texts)
    assert "a (1.00)" in words
    assert "b (2.33)" in words
    assert "c (2.67)" in words
    assert f"critical difference {critical_difference(3, 3):.2f}" in words


def test_cliques_are_the_longest_runs_that_do_not_differ():
    assert cliques(np.array([1.0, 1.5, 2.4, 4.0]), 1.0) == [(0, 1), (1, 2)]
    assert cliques(np.array([1.0, 1.1, 1.2]), 1.0) == [(0, 2)]
    assert cliques(np.array([1.0, 3.0]), 1.0) == []


def test_new_axes_are_made_when_none_are_given():
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
