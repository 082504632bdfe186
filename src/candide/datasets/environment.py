"""A test environment for discrete classifiers: random reference points, nearest-point classes, an ID3 judge.

After P. Barabás and L. Kovács, "Usability of Summation Hack in Bayes Classification", section 4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from candide.datasets.tree import UNCLASSIFIABLE, Tree, classify, id3
from candide.frozen import frozen

LAYOUTS = ("uniform", "sparse")
DRAWN_ROWS = 5_000
PATIENCE = 300  # batches to draw before giving up


@frozen(eq=True)
class ReferenceEnvironment:
    """Reference points, the tree grown from samples, and the samples the tree agreed to.

    Attributes
    ----------
    references : ndarray of shape (n_references, n_attributes)
    reference_classes : ndarray of shape (n_references,)
    tree : Tree
        The reference classifier.
    X_train, y_train, X_test, y_test : ndarray
        Integer attribute values 0 .. max_value and class codes; no test row is a training row.
    drawn, unclassifiable, misclassified : int
        Points drawn for training and testing, and how many of them were dropped for which reason.
    """

    references: np.ndarray
    reference_classes: np.ndarray
    tree: Tree
    X_train: np.ndarray
    y_train: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    drawn: int
    unclassifiable: int
    misclassified: int


def reference_environment(
    *,
    n_classes: int = 5,
    n_attributes: int = 4,
    max_value: int = 100,
    tree_samples: int = 2000,
    training_samples: int = 1000,
    testing_samples: int = 1000,
    layout: str = "uniform",
    n_references: int | None = None,
    dense_share: float = 0.8,
    dense_side: float = 0.2,
    seed: int = 0,
) -> ReferenceEnvironment:
    """Generate training and testing samples labelled by a reference decision tree.

    Reference points are drawn at random and dealt to the classes; every point has the class of its nearest
    reference point (Euclidean). An ID3 tree is grown from `tree_samples` such points. Training and testing
    points are then drawn uniformly and labelled by the tree; those that the tree cannot classify (a value
    without a branch) or classifies otherwise than the nearest reference point are dropped.

    Parameters
    ----------
    n_classes, n_attributes, max_value : int
        Attribute values are the integers 0 .. max_value.
    tree_samples, training_samples, testing_samples : int
        Numbers of points; training and testing count the points kept.
    layout : {"uniform", "sparse"}
        Reference points all over the space, or most of them in a cube with a part of the side.
    n_references : int, optional
        Number of reference points, at least and by default `n_classes`.
    dense_share, dense_side : float
        The sparse layout: which share of the reference points lies in a cube of which part of the axis.
    seed : int

    Examples
    --------
    >>> world = reference_environment(n_classes=3, max_value=20, training_samples=100, testing_samples=50)
    >>> world.X_train.shape, world.X_test.shape
    ((100, 4), (50, 4))
    """
    n_references = n_classes if n_references is None else n_references
    sizes = (n_classes, n_attributes, max_value, tree_samples, training_samples, testing_samples)
    _check_environment(sizes, layout, n_references)
    if not (0 <= dense_share <= 1 and 0 < dense_side <= 1):
        raise ValueError(f"dense_share={dense_share} and dense_side={dense_side} must be shares of 1")
    rng = np.random.default_rng(seed)
    dense = (dense_share, dense_side) if layout == "sparse" else (0.0, 1.0)
    references = _reference_points(rng, (n_references, n_attributes), max_value, dense)
    classes = np.arange(n_references) % n_classes
    sample = rng.integers(0, max_value + 1, (tree_samples, n_attributes))
    tree = id3(sample, nearest(sample, references, classes))
    draws = _Draws(rng, tree, references, classes, max_value)
    train = draws.take(training_samples)
    test = draws.take(testing_samples, apart_from=train[0])
    dropped = draws.unclassifiable, draws.misclassified
    return ReferenceEnvironment(references, classes, tree, *train, *test, draws.drawn, *dropped)


def _check_environment(sizes: tuple[int, ...], layout: str, n_references: int) -> None:
    if layout not in LAYOUTS:
        raise ValueError(f"layout is {layout!r}; it can be {' or '.join(map(repr, LAYOUTS))}")
    if n_references < sizes[0]:
        raise ValueError(f"{n_references} reference points cannot give {sizes[0]} classes one each")
    if min(sizes) < 1:
        raise ValueError(f"the six parameters of the environment must be at least 1, got {sizes}")


def nearest(points: np.ndarray, references: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Class of the reference point at the least Euclidean distance; ties go to the first reference point."""
    # |p − r|² without the |p|² that all references share
    distance = (references**2).sum(axis=1) - 2 * points @ references.T
    return np.asarray(classes[distance.argmin(axis=1)])


def _reference_points(
    rng: np.random.Generator, shape: tuple[int, int], max_value: int, dense: tuple[float, float]
) -> np.ndarray:
    points = rng.integers(0, max_value + 1, shape)
    share, part = dense
    if share:
        side = max(1, round(part * max_value))
        corner = rng.integers(0, max_value - side + 1, shape[1])
        inside = rng.permutation(shape[0]) < round(share * shape[0])
        points[inside] = corner + rng.integers(0, side + 1, (int(inside.sum()), shape[1]))
    return points


@dataclass
class _Draws:
    """Random points, kept where tree and reference points agree, counted where they do not."""

    rng: np.random.Generator
    tree: Tree
    references: np.ndarray
    classes: np.ndarray
    max_value: int
    drawn: int = 0
    unclassifiable: int = 0
    misclassified: int = 0

    def take(self, wanted: int, apart_from: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Draw batches until `wanted` points are kept, none of them among the rows of `apart_from`."""
        trained = set() if apart_from is None else {tuple(row) for row in apart_from.tolist()}
        points: list[list[int]] = []
        labels: list[int] = []
        for _ in range(PATIENCE):
            for point, label in zip(*self._batch(), strict=True):
                if tuple(point) not in trained:
                    points.append(point)
                    labels.append(label)
            if len(points) >= wanted:
                return np.array(points[:wanted]), np.array(labels[:wanted])
        raise ValueError(
            f"of {self.drawn} points the tree left {self.unclassifiable} unclassified and got "
            f"{self.misclassified} wrong, {wanted} are needed: raise tree_samples or lower max_value"
        )

    def _batch(self) -> tuple[list[list[int]], list[int]]:
        batch = self.rng.integers(0, self.max_value + 1, (DRAWN_ROWS, self.references.shape[1]))
        decided = classify(self.tree, batch)
        truth = nearest(batch, self.references, self.classes)
        kept = decided == truth
        lost = int((decided == UNCLASSIFIABLE).sum())
        self.drawn += DRAWN_ROWS
        self.unclassifiable += lost
        self.misclassified += DRAWN_ROWS - int(kept.sum()) - lost
        return batch[kept].tolist(), decided[kept].tolist()
