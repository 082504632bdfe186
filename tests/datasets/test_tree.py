"""ID3 against the worked example of the textbooks: Quinlan's PlayTennis table."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide.datasets.tree import UNCLASSIFIABLE, Leaf, classify, id3

OUTLOOK, TEMPERATURE, HUMIDITY, WIND = range(4)
TENNIS = [
    ("sunny", "hot", "high", "weak", 0),
    ("sunny", "hot", "high", "strong", 0),
    ("overcast", "hot", "high", "weak", 1),
    ("rain", "mild", "high", "weak", 1),
    ("rain", "cool", "normal", "weak", 1),
    ("rain", "cool", "normal", "strong", 0),
    ("overcast", "cool", "normal", "strong", 1),
    ("sunny", "mild", "high", "weak", 0),
    ("sunny", "cool", "normal", "weak", 1),
    ("rain", "mild", "normal", "weak", 1),
    ("sunny", "mild", "normal", "strong", 1),
    ("overcast", "mild", "high", "strong", 1),
    ("overcast", "hot", "normal", "weak", 1),
    ("rain", "mild", "high", "strong", 0),
]
X = np.array([row[:4] for row in TENNIS])
Y = np.array([row[4] for row in TENNIS])


def test_play_tennis_is_the_tree_worked_by_hand():
    tree = id3(X, Y)
    assert tree.attribute == OUTLOOK
    branches = dict(zip(tree.values.tolist(), tree.branches, strict=True))
    assert branches["overcast"] == Leaf(1)
    assert branches["sunny"].attribute == HUMIDITY
    assert branches["sunny"].values.tolist() == ["high", "normal"]
    assert branches["sunny"].branches == (Leaf(0), Leaf(1))
    assert branches["rain"].attribute == WIND
    assert branches["rain"].branches == (Leaf(0), Leaf(1))


def test_a_value_without_a_branch_is_unclassifiable_only_where_it_is_asked_for():
    tree = id3(X, Y)
    rows = [("fog", "hot", "high", "weak"), ("sunny", "hot", "damp", "weak"), ("overcast", "?", "?", "?")]
    assert classify(tree, np.array(rows)).tolist() == [UNCLASSIFIABLE, UNCLASSIFIABLE, 1]


def test_equal_gains_go_to_the_first_attribute_and_equal_counts_to_the_first_class():
    assert id3(np.array([[0, 0], [1, 1]]), np.array([0, 1])).attribute == 0
    assert id3(np.zeros((2, 1), dtype=int), np.array([1, 0])).branches == (Leaf(0),)


tables = st.integers(1, 40).flatmap(
    lambda n: st.tuples(
        st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=n, max_size=n),
        st.lists(st.integers(0, 2), min_size=n, max_size=n),
    )
)


@given(tables)
def test_a_training_row_gets_the_most_frequent_class_among_its_equals_or_its_pure_node(table):
    rows, labels = map(np.array, table)
    decided = classify(id3(rows, labels), rows)
    for row in np.unique(rows, axis=0):
        equals = (rows == row).all(axis=1)
        assert decided[equals][0] == np.bincount(labels[equals]).argmax()


def test_labels_must_match_the_rows():
    with pytest.raises(ValueError, match="3 rows, 2 labels"):
        id3(np.zeros((3, 1)), [0, 1])
