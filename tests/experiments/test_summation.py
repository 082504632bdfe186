"""The summation experiment: what is counted, and that both rules see the declared domain."""

import numpy as np
import pytest

from candide.datasets import reference_environment
from candide.experiments import summation


@pytest.fixture
def lines(monkeypatch):
    monkeypatch.setattr(summation, "SIZES", (30, 300))
    world = reference_environment(max_value=20, training_samples=300, testing_samples=200, n_references=10, seed=2)
    return world, list(summation._curve(world, 20))


def frequencies(world, size):
    """Unsoftened frequencies by hand: prior (K,), theta (K, D, 21)."""
    X, y = world.X_train[:size], world.y_train[:size]
    prior = np.bincount(y, minlength=5) / size
    theta = np.zeros((5, X.shape[1], 21))
    for c in np.unique(y):
        for i in range(X.shape[1]):
            theta[c, i] = np.bincount(X[y == c, i], minlength=21) / (y == c).sum()
    return prior, theta


@pytest.mark.parametrize("size", [30, 300])
def test_the_product_is_the_papers_formula_and_counts_impossible_points_as_errors(lines, size):
    world, curve = lines
    prior, theta = frequencies(world, size)
    picked = theta[:, np.arange(theta.shape[1]), world.X_test]  # (classes, rows, features)
    product = prior[:, None] * picked.prod(axis=2)
    lost = product.max(axis=0) == 0
    by_rule = {line["rule"]: line for line in curve if line["n_train"] == size}
    assert by_rule["NB"]["testing_impossible"] == lost.mean()
    right = (product.argmax(axis=0) == world.y_test) & ~lost
    assert by_rule["NB"]["testing_accuracy"] == right.mean()


@pytest.mark.parametrize("size", [30, 300])
def test_the_sum_decides_for_the_class_with_most_equal_cells(lines, size):
    # N_c/N · Σ_i N_ivc/N_c = Σ_i N_ivc / N: the sum counts cells of the class that equal the row's
    world, curve = lines
    X, y = world.X_train[:size], world.y_train[:size]
    equal = np.stack([(X[y == c][:, None] == world.X_test).sum(axis=(0, 2)) for c in range(5)])
    best = equal == equal.max(axis=0)
    right = best[world.y_test, np.arange(len(world.y_test))]
    alone = best.sum(axis=0) == 1
    (line,) = (line for line in curve if line["rule"] == "SH" and line["n_train"] == size)
    assert line["testing_impossible"] == 0
    assert (right & alone).mean() <= line["testing_accuracy"] <= right.mean()


def test_trained_points_are_never_impossible(lines):
    assert all(line["teaching_impossible"] == 0 for line in lines[1])
