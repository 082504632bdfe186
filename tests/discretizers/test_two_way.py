from __future__ import annotations

import numpy as np
from hypothesis import assume, given
from sklearn.tree import DecisionTreeClassifier
from tests.discretizers.columns import columns

from candide.discretizers import TwoWay


def gain(values, counts, cut):
    def surprise(n):
        p = n[n > 0] / n.sum()
        return -n.sum() * (p * np.log(p)).sum()

    left = values <= cut
    return surprise(counts.sum(axis=1)) - surprise(counts[:, left].sum(axis=1)) - surprise(counts[:, ~left].sum(axis=1))


@given(columns())
def test_gains_as_much_as_a_stump_of_scikit_learn(column):
    values, counts = column
    classes, positions = np.nonzero(counts)
    assume(np.unique(classes).size > 1)
    tree = DecisionTreeClassifier(criterion="entropy", max_depth=1, random_state=0)
    tree.fit(values[positions, None], classes, sample_weight=counts[classes, positions])
    cuts = TwoWay().cuts(values, counts)
    threshold = tree.tree_.threshold[0] if tree.tree_.node_count > 1 else None
    if cuts.size == 0:
        assert threshold is None or abs(gain(values, counts, threshold)) < 1e-9
    else:
        assert threshold is not None
        np.testing.assert_allclose(gain(values, counts, cuts[0]), gain(values, counts, threshold), atol=1e-9)


def test_the_lowest_of_equally_good_cuts_halfway():
    np.testing.assert_array_equal(TwoWay().cuts([0.0, 1.0, 3.0], [[1, 0, 1], [0, 1, 0]]), [0.5])


def test_no_information_no_cut():
    assert TwoWay().cuts([0.0, 1.0, 2.0], [[1, 2, 3], [2, 4, 6]]).size == 0
