from __future__ import annotations

import numpy as np
import pytest

from candide.discretizers import Cuts


def test_points_are_sorted_and_distinct_whatever_the_column():
    for values in ([], [5.0], [1.0, 2.0]):
        np.testing.assert_array_equal(Cuts([3, -1, 3.0]).cuts(values, np.ones((2, len(values)))), [-1, 3])


@pytest.mark.parametrize("points", [[1.0, np.nan], [np.inf]])
def test_points_must_be_finite(points):
    with pytest.raises(ValueError, match="must be finite"):
        Cuts(points).cuts([1.0], [[1]])


@pytest.mark.parametrize("points", [["a"], [[1, 2]], 3, None])
def test_points_must_be_a_list_of_numbers(points):
    with pytest.raises(TypeError, match="list of numbers"):
        Cuts(points).cuts([1.0], [[1]])
