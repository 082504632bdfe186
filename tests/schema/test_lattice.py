"""Numbers beyond exact counting: any split, order and merge gives the same cells, counts and answers to the bit."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache, reduce
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from tests import laws

from candide import NaiveBayes, native
from candide.schema.lattice import Grid, Lattice, UnlikeGridsError

MANY, MILLION = 50_000, 1_000_000
SHAPES: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "normal": lambda rng, n: rng.normal(size=n),
    "log-normal": lambda rng, n: rng.lognormal(sigma=2.0, size=n),
    "uniform": lambda rng, n: rng.random(n),
    "Cauchy": lambda rng, n: rng.standard_cauchy(n),
    "two-humped": lambda rng, n: rng.normal(size=n) + 8.0 * rng.integers(0, 2, n),
    "near 0 and near a million": lambda rng, n: rng.normal(size=n) + 1e6 * rng.integers(0, 2, n),
    "integers": lambda rng, n: rng.permutation(4 * n)[:n].astype(float),
    "negative": lambda rng, n: -rng.gamma(2.0, size=n),
}
every_shape = pytest.mark.parametrize("shape", SHAPES)
RULES = ["bins", "auto"]

LARGEST_SHARE = 0.02
"""No cell holds more of a column than this.

A column of both signs about zero occupies some 40 binades, so that each may have TOTAL / 40 = 200 occupied cells; the
fewest dropped bits leave more than half of them. A cell is then at most a hundredth of what its binade occupies, and
holds the density's peak over its mean times that: 4 for a normal, of which one binade may hold half of the column.
"""


@cache
def column(shape: str, n: int = MANY) -> tuple[np.ndarray, np.ndarray]:
    """Return a column and labels that depend on it, in runs and at random."""
    rng = np.random.default_rng(sum(map(ord, shape)))
    x = SHAPES[shape](rng, n)
    ranks = np.argsort(np.argsort(x))
    y = np.where(rng.random(n) < 0.8, ranks * 6 // n % 3, rng.integers(0, 3, n))
    return x[:, None], y


def identical(a: NaiveBayes, b: NaiveBayes, X: np.ndarray) -> None:
    """Two models are the same to the bit: schema, statistics and scores."""
    one, other = laws.learnt(a).schema.columns[0].axis, laws.learnt(b).schema.columns[0].axis
    np.testing.assert_array_equal(one.values, other.values)
    np.testing.assert_array_equal(one.dropped, other.dropped)
    assert laws.numbers(a) == laws.numbers(b)
    assert a.schema_.choice(0) == b.schema_.choice(0)
    np.testing.assert_array_equal(a.predict_joint_log_proba(X), b.predict_joint_log_proba(X))


def streamed(rule: str, x: np.ndarray, y: np.ndarray, parts: list[np.ndarray]) -> NaiveBayes:
    nb = NaiveBayes(distributions=rule)
    for rows in parts:
        nb.partial_fit(x[rows], y[rows])
    return nb


def split(n: int, seed: int = 0) -> list[np.ndarray]:
    """Part rows in no order into parts of one row, of few, below and beyond exact counting."""
    order = np.random.default_rng(seed).permutation(n)
    return np.split(order, np.cumsum([1, 7, native.EXACT - 3_000, native.EXACT + 5_000]))


@every_shape
@pytest.mark.parametrize("rule", RULES)
def test_any_split_order_and_merge_is_the_whole_to_the_bit(shape: str, rule: str) -> None:
    x, y = column(shape)
    whole = NaiveBayes(distributions=rule).fit(x, y)
    assert not laws.learnt(whole).schema.columns[0].axis.exact
    parts = split(len(x))
    models = [NaiveBayes(distributions=rule).fit(x[rows], y[rows]) for rows in parts]
    new = x[::50]
    identical(reduce(operator.add, models), whole, new)
    identical((models[3] + models[1]) + ((models[4] + models[0]) + models[2]), whole, new)
    identical(streamed(rule, x, y, parts[::-1]), whole, new)


@every_shape
@pytest.mark.parametrize("rule", RULES)
def test_rows_in_order_of_the_column_or_of_the_class_give_the_whole_to_the_bit(shape: str, rule: str) -> None:
    x, y = column(shape)
    whole = NaiveBayes(distributions=rule).fit(x, y)
    for order in (np.argsort(x[:, 0]), np.argsort(-np.abs(x[:, 0])), np.argsort(y, kind="stable")):
        identical(streamed(rule, x, y, np.array_split(order, 4)), whole, x[::50])


@every_shape
def test_a_million_values_in_parts_are_the_whole_and_no_cell_is_large(shape: str) -> None:
    x, y = column(shape, MILLION)
    whole = NaiveBayes(distributions="bins").fit(x, y)
    ascending = np.argsort(x[:, 0])
    identical(streamed("bins", x, y, np.array_split(ascending, 3)), whole, x[::1_000])
    counts = whole.statistics_["cells"].table
    assert counts.sum() == MILLION
    assert counts.sum(axis=0).max() <= LARGEST_SHARE * MILLION
    axis = whole.schema_.columns[0].axis
    np.testing.assert_array_equal(np.bincount(axis.codes(x[:, 0]), minlength=axis.size - 1), counts[:, 1:].sum(axis=0))


@pytest.mark.parametrize("rule", [*RULES, "kde"])
def test_a_counter_learnt_as_it_grows_is_learnt(rule: str) -> None:
    t = np.sort(np.random.default_rng(0).random(60_000) * 1e6)[:, None]
    y = (t[:, 0] // 1e5 % 2).astype(int)
    whole = NaiveBayes(distributions=rule).fit(t, y)
    grown = streamed(rule, t, y, np.array_split(np.arange(60_000), 20))
    identical(grown, whole, t[::60])
    assert grown.score(t, y) > (0.96 if rule == "auto" else 0.99)  # 64 cells of equal mass know ten steps from afar


@every_shape
def test_forgetting_a_part_leaves_the_counts_of_the_rest(shape: str) -> None:
    x, y = column(shape)
    parts = split(len(x), seed=1)
    gone, left = np.concatenate(parts[1:4]), np.concatenate([parts[0], parts[4]])
    nb = NaiveBayes(distributions="bins").fit(x, y).forget(x[gone], y[gone])
    rest = NaiveBayes(distributions="bins").fit(x[left], y[left])
    assert nb.class_counts_.tolist() == rest.class_counts_.tolist()
    # bits once dropped stay dropped: the rest is counted in the cells of all rows, those without rows gone
    coarse = laws.learnt(rest).under(laws.learnt(nb).schema)
    np.testing.assert_array_equal(nb.statistics_["cells"].table, coarse["cells"].table)
    assert nb.statistics_["cells"].table[:, 1:].any(axis=0).all()
    forgot = NaiveBayes(distributions="bins").fit(x, y) - NaiveBayes(distributions="bins").fit(x[gone], y[gone])
    identical(forgot, nb, x[::50])


def test_a_number_that_was_never_learnt_cannot_be_forgotten_from_a_coarse_cell_of_another() -> None:
    x, y = column("uniform")
    nb = NaiveBayes(distributions="bins").fit(x, y)
    before = laws.numbers(nb)
    with pytest.raises(ValueError, match=r"cannot forget 7\.5 in column 0: no such row was learnt"):
        nb.forget([[7.5]], [0])
    assert laws.numbers(nb) == before


# -- exact values and grids --------------------------------------------------------------------------------------------


def test_codes_of_values_missing_cells_and_numbers_in_no_cell() -> None:
    axis = Lattice.of(np.array([-1.0, 0.0, 2.5]))
    assert axis.codes(np.array([2.5, -0.0, np.nan, 1.0])).tolist() == [2, 1, -1, -2]
    assert axis.exact
    assert axis.tell(3) == "2.5"


EDGES = np.array([0.0, 1.0])


def test_the_cells_of_a_grid_are_intervals_open_at_both_ends_and_all_of_them_stay() -> None:
    grid = Grid(EDGES)
    assert grid.size == 4
    assert grid.stays.all()
    assert grid.codes(np.array([-9.0, 0.0, 0.5, 1.0, 1.1, np.nan])).tolist() == [0, 0, 1, 1, 2, -1]
    assert [grid.tell(i) for i in range(4)] == [
        "a missing cell",
        "a number in (-inf, 0.0]",
        "a number in (0.0, 1.0]",
        "a number in (1.0, inf]",
    ]
    assert grid.codes(grid.levels).tolist() == [0, 1, 2]  # the number that stands for a cell lies in it
    assert grid.take(np.zeros(4, dtype=bool)) is grid.keep() is grid


def test_exact_values_go_to_the_cells_of_a_grid() -> None:
    grid, exact = Grid(EDGES), Lattice.of(np.array([-3.0, 0.5, 0.75]))
    assert grid.union(exact) is grid
    assert exact.union(grid) is grid
    assert grid.index(exact).tolist() == [0, 1, 2, 2]
    assert grid.union(Grid(EDGES.copy())) is grid


def coarse() -> Lattice:
    values, dropped, _ = native.lattice(column("normal")[0][:, 0], np.zeros(MANY, dtype=np.int8))
    return Lattice(values, dropped)


@pytest.mark.parametrize("other", [lambda: Grid(np.array([0.5])), coarse], ids=["grid", "lattice"])
def test_a_grid_does_not_unite_with_other_edges_or_coarse_cells(other: Callable[[], Any]) -> None:
    for one, two in ((Grid(EDGES), other()), (other(), Grid(EDGES))):
        with pytest.raises(UnlikeGridsError):
            one.union(two)


@pytest.mark.parametrize("shape", ["normal", "near 0 and near a million"])
def test_a_million_values_added_up_from_parts_give_the_same_automatic_choice(shape: str) -> None:
    x, y = column(shape, MILLION)
    whole = NaiveBayes().fit(x, y)
    bounds = [0, 1, 9_000, 400_000, MILLION]
    models = [NaiveBayes().fit(x[a:b], y[a:b]) for a, b in pairwise(bounds)]
    identical(reduce(operator.add, models), whole, x[::1_000])
    assert reduce(operator.add, models).schema_.score(0) == whole.schema_.score(0)
