"""Counts of values, and the lattice of cells that every model shares."""

import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.native import strategies as some
from tests.native.same import assert_same
from tests.strategies import dear
from threadpoolctl import threadpool_limits

from candide import native
from candide.native import reference

KERNELS = [native, reference]
RULES = {
    "normal": lambda rng, n: rng.normal(size=n),
    "uniform": lambda rng, n: rng.uniform(size=n),
    "far from zero": lambda rng, n: 1e6 + rng.uniform(size=n),
    "half near zero, half near a million": lambda rng, n: rng.normal(size=n) + 1e6 * rng.integers(0, 2, n),
    "every binade": lambda rng, n: rng.choice([-1.0, 1.0], n) * np.exp(rng.uniform(-740, 709, n)),
    "denormals and zeros": lambda rng, n: rng.integers(-(2**40), 2**40, n) * 5e-324 * rng.integers(0, 2, n),
    "integers": lambda rng, n: rng.integers(-(2**60), 2**60, n).astype(float),
    "tenths": lambda rng, n: rng.integers(0, 300_000, n) / 10,
    "single precision": lambda rng, n: rng.normal(size=n).astype(np.float32).astype(float),
}


@pytest.fixture(params=KERNELS, ids=lambda kernels: kernels.__name__.rpartition(".")[2])
def kernels(request) -> Any:
    return request.param


@pytest.fixture(params=RULES)
def values(request) -> np.ndarray:
    return RULES[request.param](np.random.default_rng(5), 40_000)


def exact(values: np.ndarray) -> np.ndarray:
    return np.zeros(len(values), np.int8)


@given(st.data(), some.shapes(), some.seeds())
def test_compiled_counts_are_the_twins(data, shape, rng):
    x = data.draw(some.numbers(shape, rng))
    rows = data.draw(some.rows(shape[0], rng))
    arguments = (x, rows.y, rows.n_classes, rows.w)
    assert_same(native.count_values(*arguments), reference.count_values(*arguments))


@pytest.mark.parametrize("weighted", [False, True])
def test_compiled_counts_beyond_exact_are_the_twins(values, weighted):
    rng = np.random.default_rng(6)
    x = np.stack([values, values[::-1]], axis=1)
    x[rng.uniform(size=x.shape) < 0.1] = np.nan
    y = rng.integers(-1, 3, len(x))
    w = rng.integers(0, 4, len(x)) / 2 if weighted else None
    found = native.count_values(x, y, 3, w)
    assert_same(found, reference.count_values(x, y, 3, w))
    assert found[0][2].any()


def test_every_cell_of_the_table_is_counted_once(kernels, values):
    y = np.arange(len(values)) % 2
    [(cells, counts, dropped)] = kernels.count_values(values[:, None], y, 2)
    assert counts.sum(axis=1).tolist() == [len(values) / 2, len(values) / 2]
    assert counts[:, 0].tolist() == [0, 0]
    codes = kernels.lattice_codes(values, cells, dropped)
    np.testing.assert_array_equal(counts[1, 1:], np.bincount(codes[y == 1], minlength=len(cells)))


def test_neither_order_nor_threads_nor_parts_matter(values):
    rng = np.random.default_rng(7)
    x = np.tile(values, 14)[:, None]  # enough rows for threads
    y = rng.integers(0, 2, len(x))
    wanted = native.count_values(x, y, 2)
    for order in (rng.permutation(len(x)), np.argsort(x[:, 0]), np.argsort(-np.abs(x[:, 0]))):
        for threads in (1, 3):
            with threadpool_limits(threads, user_api="openmp"):
                assert_same(native.count_values(x[order], y[order], 2), wanted)


@dear
@given(st.data(), some.seeds())
def test_the_lattice_of_lattices_is_that_of_all_values(data, rng):
    kernels = data.draw(st.sampled_from(KERNELS))
    rules = [RULES[name] for name in data.draw(st.lists(st.sampled_from(list(RULES)), min_size=1, max_size=4))]
    parts = [rule(rng, data.draw(st.sampled_from([0, 1, 300, 6_000, 15_000]))) for rule in rules]
    whole = np.concatenate(parts)
    cells, dropped, index = kernels.lattice(whole, exact(whole))
    found = [kernels.lattice(part, exact(part))[:2] for part in parts]
    for order in (found, found[::-1], [*found, *found]):
        values, bits = (np.concatenate(arrays) for arrays in zip(*order, strict=True))
        assert_same(kernels.lattice(values, bits)[:2], (cells, dropped))
    assert_same(kernels.lattice(cells, dropped), (cells, dropped, np.arange(len(cells))))
    assert_same(kernels.lattice(whole[::-1], exact(whole)), (cells, dropped, index[::-1]))
    assert_same(native.lattice(whole, exact(whole)), reference.lattice(whole, exact(whole)))
    [counted] = kernels.count_values(whole[:, None], np.zeros(len(whole), np.int64), 1)
    assert_same((counted[0], counted[2]), (cells, dropped))


@dear
@given(st.data(), some.seeds())
def test_some_models_added_first_give_the_same_lattice(data, rng):
    # (a + b) + c = a + (b + c), where each sum is a lattice of its own
    a, b, c = (data.draw(st.sampled_from(list(RULES.values())))(rng, 9_000) for _ in range(3))

    def add(*parts: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        return native.lattice(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))[:2]

    a, b, c = ((part, exact(part)) for part in (a, b, c))
    assert_same(add(add(a, b), c), add(a, add(b, c)))
    assert_same(add(add(c, a), b), add(a, b, c))


def test_cells_are_intervals_about_the_numbers_that_stand_for_them(values):
    cells, dropped, index = reference.lattice(values, exact(values))
    assert (np.diff(cells) > 0).all()
    # a cell is 2^d neighbouring doubles; the number in its middle is the 2^(d-1)th
    half = np.where(dropped == 0, 0.0, np.spacing(np.abs(cells)) * 2.0 ** (dropped - 1))
    off = np.abs(values) - np.abs(cells[index])
    assert (off >= -half[index]).all()
    assert ((off < half[index]) | (dropped[index] == 0)).all()
    assert (off[dropped[index] == 0] == 0).all()


def test_each_binade_drops_the_fewest_bits_that_keep_its_budget(values):
    _, dropped, index = reference.lattice(values, exact(values))
    # zero and the denormals share the least exponent
    exponent = np.where(np.abs(values) < sys.float_info.min, -1_999, np.frexp(values)[1])
    binade = np.where(values < 0, -1, 1) * (exponent + 2_000)
    mantissa = np.abs(values) / np.spacing(np.abs(values))  # in units of the last place: a whole number
    order = np.argsort(binade, kind="stable")
    names, begin = np.unique(binade[order], return_index=True)
    budget = min(native.PER_BINADE, native.TOTAL // len(names))
    for rows in np.split(order, begin[1:]):
        (bits,) = np.unique(dropped[index[rows]])
        occupied, one_bit_less = (len(np.unique(np.floor(mantissa[rows] / 2.0**d))) for d in (bits, bits - 1))
        assert occupied <= budget
        assert bits == 0 or one_bit_less > budget


@pytest.mark.parametrize("more", [0, 1])
def test_up_to_so_many_values_nothing_is_dropped(kernels, more):
    values = np.random.default_rng(8).permutation(native.EXACT + more) * 0.37
    [(cells, counts, dropped)] = kernels.count_values(values[:, None], np.zeros(len(values), np.int8), 1)
    assert dropped.any() == bool(more)
    if not more:
        np.testing.assert_array_equal(cells, np.sort(values))
        assert (counts[:, 1:] == 1).all()
        assert counts.dtype == np.int8


def test_missing_zero_and_rows_left_out(kernels):
    x = np.array([[0.0], [-0.0], [np.nan], [2.0], [np.inf], [7.0], [-np.nan]])
    y = np.array([0, 1, 1, 1, -1, 0, 0])
    w = np.array([1.0, 2.0, 0.5, 1.0, 1.0, 0.0, 4.0])
    [(values, counts, dropped)] = kernels.count_values(x, y, 2, w)
    assert values.tolist() == [0.0, 2.0]
    assert not np.signbit(values).any()
    assert counts.tolist() == [[4.0, 1.0, 0.0], [0.5, 2.0, 1.0]]
    assert dropped.tolist() == [0, 0]


def test_many_columns_and_classes(kernels):
    rng = np.random.default_rng(9)
    x = rng.integers(0, 5, (60, 70)).astype(np.int16)
    y = rng.permutation(300)[:60]
    columns = kernels.count_values(x, y, 300)
    assert len(columns) == 70
    for j, (values, counts, _) in enumerate(columns):
        assert not counts[:, 0].any()
        np.testing.assert_array_equal(values[counts[y, 1:].argmax(axis=1)], x[:, j])
        assert counts.sum() == 60


@given(st.data(), some.seeds(), st.sampled_from([1, 30, 3_000]))
def test_compiled_codes_are_the_twins(data, rng, n):
    rule = RULES[data.draw(st.sampled_from(list(RULES)))]
    values = rule(rng, data.draw(st.sampled_from([1, 40, 20_000])))
    cells, dropped, index = native.lattice(values, exact(values))
    x = np.concatenate([rule(rng, n), values[:n], [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, 1e300]])
    x = data.draw(st.sampled_from([x, x[::-1], np.repeat(x, 3)[1::3]]))
    assert_same(native.lattice_codes(x, cells, dropped), reference.lattice_codes(x, cells, dropped))
    np.testing.assert_array_equal(native.lattice_codes(values, cells, dropped), index)


def test_numbers_side_by_side_are_told_apart(kernels):
    # as 0.1 + 0.2 and 0.3 are; and a crowd of them among numbers far away
    tenths = np.arange(-100, 100) / 10
    values = np.unique(np.concatenate([tenths, tenths + 0.2, np.nextafter(tenths, 9), 5 + np.arange(30) * 2.0**-50]))
    none = np.zeros(len(values), np.int8)
    assert kernels.lattice_codes(values, values, none).tolist() == list(range(len(values)))
    others = np.setdiff1d(np.concatenate([np.nextafter(values, -99), np.nextafter(values, 99), values / 3]), values)
    assert set(kernels.lattice_codes(np.tile(others, 3), values, none).tolist()) == {-2}


def test_codes_of_missing_and_of_numbers_without_a_cell(kernels):
    cells, dropped = np.array([-3.0, 0.0, 1.0, 6.0]), np.array([0, 0, 0, 51], np.int8)
    x = np.array([1.0, np.nan, 1.5, -0.0, -3.0, 3.0, 4.0, 5.0, 7.9, 8.0, np.inf])
    assert kernels.lattice_codes(x, cells, dropped).tolist() == [2, -1, -2, 1, 0, -2, -2, -2, 3, -2, -2]
    assert kernels.lattice_codes(np.array([1, 5, 6], np.uint8), cells, dropped).tolist() == [2, -2, 3]
    assert kernels.lattice_codes(x, np.zeros(0), np.zeros(0, np.int8)).tolist() == [-2, -1] + [-2] * 9


def test_the_first_infinity_in_row_order_is_named(kernels):
    x = np.ones((300, 70))
    x[200, 3] = x[100, 60] = x[50, 65] = np.inf
    y = np.zeros(300, np.int64)
    with pytest.raises(ValueError, match="infinity in row 50, column 65"):
        kernels.count_values(x, y, 1)
    y[50] = -1
    with pytest.raises(ValueError, match="infinity in row 100, column 60"):
        kernels.count_values(x, y, 1)


def test_bad_cells_are_named(kernels):
    one, none = np.ones(1), np.zeros(1, np.int8)
    for call in (kernels.lattice, lambda cells, dropped: kernels.lattice_codes(one, cells, dropped)):
        with pytest.raises(ValueError, match="must be finite, but are not at 1"):
            call(np.array([1.0, np.inf]), np.zeros(2, np.int8))
        with pytest.raises(ValueError, match="dropped must be from 0 to 52, but is not at 0"):
            call(one, none + np.int8(53))
        with pytest.raises(ValueError, match="dropped has shape"):
            call(one, np.zeros(2, np.int8))
    with pytest.raises(ValueError, match="ascend"):
        kernels.lattice_codes(one, np.array([2.0, 1.0]), np.zeros(2, np.int8))
    with pytest.raises(ValueError, match="ascend"):
        kernels.lattice_codes(one, np.array([1.0, 1.5]), np.full(2, 52, np.int8))


@given(st.sets(st.integers(-20, 20)), st.sets(st.integers(-20, 20)))
def test_places_are_those_of_a_dictionary(some: set[int], others: set[int]) -> None:
    values, among = np.array(sorted(some), float), np.array(sorted(others), float)
    place = {x: i for i, x in enumerate(among.tolist())}
    wanted = [place.get(x, -1) for x in values.tolist()]
    assert native.places(values, among).tolist() == wanted
    assert reference.places(values, among).tolist() == wanted


@pytest.mark.parametrize("weighted", [False, True])
def test_rows_that_are_sorted_and_rows_that_are_looked_up_give_one_lattice(values, weighted):
    # up to 65,536 rows are sorted: the same values once more take the other way
    y = np.arange(len(values)) % 3
    w = np.full(len(values), 0.5) if weighted else None
    few = native.count_values(values[:, None], y, 3, w)
    times = -(-(1 << 17) // len(values))
    many = native.count_values(
        np.tile(values, times)[:, None], np.tile(y, times), 3, None if w is None else np.tile(w, times)
    )
    for (cells, counts, dropped), (same, more, bits) in zip(few, many, strict=True):
        np.testing.assert_array_equal(cells, same)
        np.testing.assert_array_equal(dropped, bits)
        np.testing.assert_array_equal(counts.astype(float) * times, more)


FEW = {
    "ages": lambda rng, n: rng.gamma(3.0, 8.0, n).astype(int).astype(float),
    "tenths": lambda rng, n: np.round(10 * rng.normal(size=n), 1),
    "two, and zeros of both signs": lambda rng, n: rng.choice([0.0, -0.0, 1.0], n),
    "close together, far apart": lambda rng, n: 2.0 ** rng.integers(-60, 60, n) + rng.integers(0, 3, n) * 2.0**-50,
    "new ones late": lambda rng, n: np.where(np.arange(n) < n // 2, 7.0, rng.integers(0, 5_000, n) / 8),
    "too many late": lambda rng, n: np.where(np.arange(n) < n // 2, rng.integers(0, 90, n), rng.normal(size=n)),
}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("values", FEW.values(), ids=FEW)
def test_numbers_that_come_again_are_counted_as_the_twin_counts_them(values, weighted):
    rng = np.random.default_rng(8)
    n = 70_000  # more than are sorted
    x = np.where(rng.uniform(size=n) < 0.1, np.nan, values(rng, n))[:, None]
    y = rng.integers(-1, 3, n)
    w = rng.integers(0, 4, n) / 2 if weighted else None
    assert_same(native.count_values(x, y, 3, w), reference.count_values(x, y, 3, w))


@pytest.mark.parametrize("n", [9_000, 70_000])  # sorted, and not
@pytest.mark.parametrize("others", RULES.values(), ids=RULES)
def test_rows_counted_in_the_cells_of_others_add_up_to_the_same(others, values, n):
    rng = np.random.default_rng(9)
    x = np.resize(np.where(rng.uniform(size=len(values)) < 0.1, np.nan, values), n)
    y = rng.integers(0, 3, n)
    for known in (others(rng, 40_000), others(rng, 40_000)[:300]):
        [(cells, _, dropped)] = native.count_values(known[:, None], np.zeros(len(known), np.int64), 1)
        [found] = native.count_values(x[:, None], y, 3, None, [(cells, dropped)])
        assert_same([found], reference.count_values(x[:, None], y, 3, None, [(cells, dropped)]))
        united, bits, index = native.lattice(np.concatenate([cells, found[0]]), np.concatenate([dropped, found[2]]))
        [whole] = native.count_values(np.concatenate([x, known])[:, None], np.append(y, np.full(len(known), 3)), 4)
        assert_same((united, bits), (whole[0], whole[2]))
        moved = np.zeros((3, len(united)), np.int64)
        np.add.at(moved, (slice(None), index[len(cells) :]), found[1][:, 1:])
        np.testing.assert_array_equal(moved, whole[1][:3, 1:])


def test_known_cells_must_ascend_and_be_of_every_column(kernels):
    x, y = np.ones((3, 2)), np.zeros(3, np.int64)
    with pytest.raises(ValueError, match="must ascend"):
        kernels.count_values(x, y, 1, None, [None, (np.array([2.0, 1.0]), np.zeros(2, np.int8))])
    with pytest.raises(ValueError, match="of each column"):
        kernels.count_values(x, y, 1, None, [None])


@given(st.data(), some.seeds())
def test_columns_taken_are_the_twins(data, rng):
    shape = data.draw(st.tuples(st.integers(1, 20), st.integers(1, 5)))
    x = data.draw(some.numbers(shape, rng))
    columns = np.array(data.draw(st.lists(st.integers(0, shape[1] - 1), max_size=6)), dtype=np.int64)
    ends = data.draw(st.sampled_from([(), (np.zeros(len(columns)),), (np.zeros(len(columns)), np.ones(len(columns)))]))
    assert_same(native.take_columns(x, columns, *ends), reference.take_columns(x, columns, *ends))


def test_columns_that_are_not_there_are_refused(kernels):
    with pytest.raises(ValueError, match="columns of x"):
        kernels.take_columns(np.zeros((2, 3)), np.array([3]))
