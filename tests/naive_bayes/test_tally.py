import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from candide.naive_bayes.tally import Tally, offsets
from candide.statistics import Counts, Moments


def cells(sizes, seed):
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 5, (2, sum(sizes)))
    return Tally(Counts(rng.integers(0, 9, 2)), Counts(table), sizes=np.array(sizes))


sizes = st.lists(st.integers(1, 4), min_size=3, max_size=3)


@given(sizes, sizes, st.integers(0, 1000))
def test_tallies_of_different_sizes_add_and_subtract(first, second, seed):
    a, b = cells(first, seed), cells(second, seed + 1)
    total = a + b
    assert total.sizes.tolist() == np.maximum(first, second).tolist()
    assert total.weight.sum() == a.weight.sum() + b.weight.sum()
    back = (total - b).resize(a.sizes)
    np.testing.assert_array_equal(back.weight, a.weight)
    for j in range(3):
        column = total.weight[:, offsets(total.sizes)[j] :][:, : total.sizes[j]]
        own = a.weight[:, offsets(a.sizes)[j] :][:, : first[j]]
        np.testing.assert_array_equal((column - np.pad(own, ((0, 0), (0, total.sizes[j] - first[j])))).min() >= 0, True)


def test_used_sizes_end_at_the_last_cell_that_is_not_empty():
    tally = Tally(Counts(np.array([3])), Counts(np.array([[1, 0, 2, 0, 0, 0, 0]])), sizes=np.array([4, 2, 1]))
    assert tally.used_sizes().tolist() == [3, 1, 1]
    assert tally.resize(tally.used_sizes()).weight.tolist() == [[1, 0, 2, 0, 0]]


def test_classes_move_together():
    moments = Moments(np.array([[2], [3]]), np.array([[1.0], [4.0]]), np.array([[0.5], [0.25]]))
    tally = Tally(Counts(np.array([2, 3])), moments, moments).move_classes(np.array([2, 0]), 3)
    assert tally.class_count.table.tolist() == [3, 0, 2]
    assert tally.features.mean.ravel().tolist() == [4.0, 0.0, 1.0]
    assert tally.rows.n.ravel().tolist() == [3, 0, 2]
