"""Rows that are dicts get the same posterior and counts from a kernel as from its twin, and the same refusals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide import native
from candide.native import reference

TEXTS = ["left", "right", "Größe"]
CELLS = st.one_of(
    st.none(),
    st.sampled_from([*TEXTS, "never", " LEFT ", "größe", "text", "1.0", "007", "0.5", "-1", "0"]),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([10**15, 10**400, -(10**400)]),
    st.floats(-3, 3),
    st.sampled_from([np.nan, np.inf, -np.inf, 1e308, -1e308]),
    st.just([]),
)
NAMES = ["desk", "flag", "size", "length", "weight", "price"]
STEPS = [("length", 12, [-1.0, 0.0, 0.5]), ("size", 18, [])]
PARABOLAS = [("weight", 21, -2.5, 2.5, False), ("price", 22, -np.inf, 1e300, True)]
LEVELS = [
    ("desk", 1, {"left": 3, "right": 4, "Größe": 5}, str, {*(text.casefold() for text in TEXTS), "01", "0."}),
    ("flag", 6, {True: 8, False: 9}, bool, {"true", "false"}),
]


@st.composite
def ordinary(draw):
    """A row of the columns' own kinds, so that most are scored."""
    number = st.one_of(st.none(), st.floats(-3, 3), st.integers(-3, 3))
    cells = {
        "desk": st.sampled_from([*TEXTS, "never", None]),
        "flag": st.sampled_from([True, False, None]),
        **dict.fromkeys(("size", "length", "weight", "price"), number),
    }
    return {name: draw(cells[name]) for name in draw(st.lists(st.sampled_from(NAMES), unique=True))}


def tables(seed, n_classes):
    rng = np.random.default_rng(seed)
    table = rng.normal(0, 10, (23, n_classes))
    table[4, rng.uniform(size=n_classes) < 0.5] = -np.inf
    return table, rng.normal(size=(6, n_classes)), list(rng.normal(size=(seed % 3, n_classes)))


@given(
    st.one_of(ordinary(), st.dictionaries(st.sampled_from(NAMES), CELLS)),
    st.integers(0, 99),
    st.integers(1, 12),
    st.sampled_from([0.0, 1e-12, 1e-3]),
)
def test_row_log_posterior(row, seed, n_classes, tie):
    table, curves, more = tables(seed, n_classes)
    arguments = (row, LEVELS, STEPS, PARABOLAS, table, curves, more, tie)
    found, wanted = native.row_log_posterior(*arguments), reference.row_log_posterior(*arguments)
    assert (found is None) == (wanted is None)
    if found is not None:
        np.testing.assert_allclose(found[0], wanted[0], rtol=1e-12, atol=1e-12)
        assert found[1:] == wanted[1:]
        assert np.exp(found[0]).sum() == pytest.approx(1)


@pytest.mark.parametrize("kernel", [native, reference])
def test_cells_that_are_odd_are_left_to_others(kernel):
    def asked(**row):
        return kernel.row_log_posterior(row, LEVELS, STEPS, PARABOLAS, *tables(1, 3))

    assert asked(desk="left", length=0.2, weight=1, price=2.5)[1:] == ([], 4)
    assert asked(desk="never", length=None, other=3)[1:] == (["desk"], 1)
    for odd in (
        {"desk": " LEFT"},
        {"desk": 1},
        {"flag": 1},
        {"length": True},
        {"length": "1"},
        {"length": np.nan},
        {"weight": 10**400},
        {"price": 0},
        {"price": np.float64(1)},
    ):
        assert asked(**odd) is None


def test_tables_that_do_not_fit_are_refused():
    table, curves, _ = tables(0, 2)
    for kernel in (native, reference):
        with pytest.raises(IndexError):
            kernel.row_log_posterior({}, [("desk", 23, {}, str, set())], [], [], table, curves[:0], [])
        with pytest.raises(ValueError):  # NumPy's own words
            kernel.row_log_posterior({}, [], [], PARABOLAS, table, curves[:3], [])


def test_no_class_is_possible():
    table = np.zeros((2, 3))
    table[1] = -np.inf
    for kernel in (native, reference):
        assert kernel.row_log_posterior({}, [("desk", 1, {}, str, set())], [], [], table, table[:0], []) is None


COUNTED = [
    ("desk", 0, {"left": 2, "right": 3}, []),
    ("flag", 4, {True: 6, False: 7}, []),
    ("length", 8, None, [-1.0, 0.0, 0.5]),
    ("size", 14, None, []),
]


@given(st.lists(st.one_of(ordinary(), st.just({"flag": 1, "size": "any", "length": True})), max_size=5))
def test_count_cells(rows):
    found, wanted = np.zeros(17, dtype=np.int64), np.zeros(17, dtype=np.int64)
    native.count_cells(rows, COUNTED, found)
    reference.count_cells(rows, COUNTED, wanted)
    assert found.tolist() == wanted.tolist()
    for name, start, places, cuts in COUNTED:
        size = 2 + (len(cuts) + 1 if places is None else len(places))
        assert found[start : start + size].sum() == len(rows)  # every row has one cell of each column
        assert found[start] == sum(row.get(name) is None for row in rows)


def test_counts_that_do_not_fit_are_refused():
    for kernel in (native, reference):
        with pytest.raises(IndexError):
            kernel.count_cells([{}], [("desk", 9, {}, [])], np.zeros(4, dtype=np.int64))
        with pytest.raises(TypeError):
            kernel.count_cells([{"length": "1"}], COUNTED, np.zeros(17, dtype=np.int64))
