"""The reference environment keeps exactly the points on which tree and reference points agree."""

import numpy as np
import pytest

from candide.datasets import classify, reference_environment
from candide.datasets.environment import nearest


@pytest.mark.parametrize("layout", ["uniform", "sparse"])
@pytest.mark.parametrize("max_value", [5, 100])
def test_kept_points_are_labelled_alike_by_tree_and_by_brute_force_distance(layout, max_value):
    world = reference_environment(
        n_classes=3, n_attributes=3, max_value=max_value, tree_samples=500, training_samples=60,
        testing_samples=40, layout=layout, n_references=7, seed=3,
    )  # fmt: skip
    for X, y in [(world.X_train, world.y_train), (world.X_test, world.y_test)]:
        distance = np.linalg.norm(X[:, None, :] - world.references[None], axis=2)
        assert (distance[np.arange(len(X)), distance.argmin(axis=1)] == distance.min(axis=1)).all()
        assert (nearest(X, world.references, world.reference_classes) == y).all()
        assert (classify(world.tree, X) == y).all()
        assert X.min() >= 0
        assert X.max() <= max_value
    assert set(world.reference_classes) == {0, 1, 2}
    assert world.drawn >= world.unclassifiable + world.misclassified + 60
    trained = {tuple(row) for row in world.X_train.tolist()}
    assert not trained & {tuple(row) for row in world.X_test.tolist()}


def test_nearest_agrees_with_the_norm():
    rng = np.random.default_rng(0)
    points, references = rng.integers(0, 50, (200, 3)), rng.integers(0, 50, (6, 3))
    distance = ((points[:, None, :] - references[None]) ** 2).sum(axis=2)
    assert (nearest(points, references, np.arange(6)) == distance.argmin(axis=1)).all()


def test_sparse_reference_points_crowd_in_a_small_cube():
    world = reference_environment(layout="sparse", n_references=20, training_samples=10, testing_samples=10, seed=1)
    middle = np.median(world.references, axis=0)
    crowded = (np.abs(world.references - middle) <= 20).all(axis=1).sum()
    assert crowded >= 16


def test_the_seed_decides_everything():
    a, b, c = (reference_environment(training_samples=50, testing_samples=5, seed=s) for s in (1, 1, 2))
    assert (a.X_train == b.X_train).all()
    assert (a.X_test == b.X_test).all()
    assert not (a.X_train == c.X_train).all()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"layout": "round"}, "'uniform' or 'sparse'"),
        ({"n_references": 2}, "2 reference points cannot give 5 classes"),
        ({"max_value": 0}, "at least 1"),
        ({"max_value": 1, "n_attributes": 1, "training_samples": 5}, "raise tree_samples"),
    ],
)
def test_impossible_wishes_are_explained(changed, message):
    with pytest.raises(ValueError, match=message):
        reference_environment(**changed)
