"""A row that is JSON is answered as the kernel of dicts scores the decoded row; its twin says the same."""

import json

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from candide import native
from candide.native import reference


def written(value):
    return json.dumps(value, ensure_ascii=False).encode()


NAMES = ["desk", "flag", "length", "weight", "price"]
LEVELS = {"desk": {"left": 3, "right": 4, "Größe": 5}, "flag": {True: 8, False: 9}}
CUTS, PARABOLAS = [-1.0, 0.0, 0.5], [("weight", 16, -2.5, 2.5, False), ("price", 17, -np.inf, 1e300, True)]
COLUMNS = [
    *((f'"{n}"'.encode(), {written(v): (at, at - 1) for v, at in places.items()}) for n, places in LEVELS.items()),
    (b'"length"', 9, [0.25], 12, CUTS),
    (b'"weight"', 11, [], 0, -2.5, 2.5, False),
    (b'"price"', 12, [1.0, 2.0], 3, -np.inf, 1e300, True),
]
CLASSES = [b'"no"', b'"yes"']
INDEX = {column[0]: j for j, column in enumerate(COLUMNS)}

CELLS = {
    "desk": st.sampled_from(["left", "right", "Größe"]),
    "flag": st.booleans(),
    "length": st.one_of(st.floats(-3, 3), st.integers(-3, 3)),
    "weight": st.one_of(st.floats(-3, 3), st.integers(-10, 10)),
    "price": st.floats(0.001, 3),
}
ROWS = st.fixed_dictionaries(CELLS)
ODD = [
    b"",
    b"{}",
    b"[1]",
    b"{",
    b'{"desk"',
    b'{"desk":',
    b'{"desk":}',
    b'{"desk":"left}',
    b'{"desk":"left",}',
    b'{"desk":"left"}',
    b'{"desk":null,"flag":true,"length":1,"weight":1,"price":1}',
    b'{"desk":"left","flag":1,"length":1,"weight":1,"price":1}',
    b'{"desk":"never","flag":true,"length":1,"weight":1,"price":1}',
    b'{"desk":"l\\u0065ft","flag":true,"length":1,"weight":1,"price":1}',
    b'{"desk":"left","flag":true,"length":"1","weight":1,"price":1}',
    b'{"desk":"left","flag":true,"length":1,"weight":1,"price":0}',
    b'{"desk":"left","desk":"left","length":1,"weight":1,"price":1}',
    b'{"desk":"left","flag":true,"length":1,"weight":1,"price":1,"other":1}',
    b'{"desk":"left","flag":true,"length":1,"weight":1,"price":1}}',
    b'{"desk":"left","flag":true,"length":1,"weight":1,"price":1}\0',
    b'{"desk":"left","flag":true,"length":1,"weight":[1],"price":1}',
    *(
        b'{"desk":"left","flag":true,"length":%b,"weight":1,"price":1}' % number
        for number in (
            b"01",
            b"1.",
            b".5",
            b"+1",
            b"1e",
            b"1e+",
            b"-",
            b"0x1",
            b"1_0",
            b"NaN",
            b"Infinity",
            b"1e999",
            b"1 2",
        )
    ),
]


def asked(kernel, body, seed=0, n_classes=3):
    rng = np.random.default_rng(seed)
    table, curves = rng.normal(0, 3, (18, n_classes)), rng.normal(size=(6, n_classes))
    table[4, rng.uniform(size=n_classes) < 0.3] = -np.inf
    counts = np.zeros(15, dtype=np.int64)
    labels, texts = [written(c) for c in range(n_classes)], [written(f"class {c} “ü”") for c in range(n_classes)]
    found = kernel.json_row_answer(body, COLUMNS, INDEX, table, curves, counts, labels, texts, 1e-12)
    return found, counts, table, curves


def read(found):
    """Return the chances of an answer, whose parts fit together."""
    told, code = json.loads(found[0]), found[1]
    assert list(told) == ["label", "chance", "chances"]
    assert list(told["chances"]) == [f"class {c} “ü”" for c in range(len(told["chances"]))]
    p = list(told["chances"].values())
    assert all(type(x) is float for x in p)
    assert told["label"] == code == int(np.argmax(p))
    assert told["chance"] == p[code]
    return np.array(p)


@given(ROWS, st.permutations(NAMES), st.sampled_from([None, 1]), st.integers(0, 99), st.integers(1, 9))
def test_bytes_are_scored_as_the_row_that_they_write(row, order, indent, seed, n_classes):
    body = json.dumps({name: row[name] for name in order}, ensure_ascii=False, indent=indent).encode()
    found, counts, table, curves = asked(native, body, seed, n_classes)
    levels = [(n, min(at.values()) - 2, at, type(next(iter(at))), set()) for n, at in LEVELS.items()]
    wanted = reference.row_log_posterior(row, levels, [("length", 10, CUTS)], PARABOLAS, table, curves, [], 1e-12)
    assert (found is None) == (wanted is None)
    if found is not None:
        np.testing.assert_allclose(read(found), np.exp(wanted[0]), rtol=1e-10, atol=1e-300)
        assert counts.sum() == len(NAMES)
        assert counts[LEVELS["desk"][row["desk"]] - 1] == 1


@given(
    st.one_of(
        ROWS.map(lambda row: json.dumps(row).encode()),
        st.sampled_from(ODD),
        st.tuples(ROWS, st.integers(0, 200), st.binary(max_size=2)).map(
            lambda given: (body := written(given[0]))[: given[1]] + given[2] + body[given[1] + len(given[2]) :]
        ),
    ),
    st.integers(0, 9),
)
@example(written({"desk": "left", "flag": True, "length": 0.5, "weight": 1e-5, "price": 2}) + b" \r\n", 0)
def test_the_twin_says_the_same(body, seed):
    (found, counted, *_), (wanted, counts, *_) = asked(native, body, seed), asked(reference, body, seed)
    assert (found is None) == (wanted is None)
    assert counted.tolist() == counts.tolist()
    assert found is None or np.allclose(read(found), read(wanted), rtol=1e-10, atol=1e-300)


@pytest.mark.parametrize("body", ODD)
@pytest.mark.parametrize("kernel", [native, reference])
def test_what_is_not_ordinary_is_left_to_others_and_not_counted(kernel, body):
    found, counts, *_ = asked(kernel, body)
    assert found is None
    assert not counts.any()


@pytest.mark.parametrize("kernel", [native, reference])
def test_tables_that_do_not_fit_are_refused(kernel):
    table, counts = np.zeros((3, 2)), np.zeros(2, dtype=np.int64)
    for column in [(b'"a"', {b"1": (3, 0)}), (b'"a"', {b"1": (0, 2)}), (b'"a"', 0, [], 3, []), (b'"a"', 2, [], 0, [])]:
        with pytest.raises(IndexError):
            kernel.json_row_answer(b'{"a":1}', [column], {b'"a"': 0}, table, table[:0], counts, CLASSES, CLASSES)
    assert not counts.any()
    with pytest.raises(ValueError, match="every class has a label and a text"):
        kernel.json_row_answer(b"{}", [], {}, table, table[:0], counts, CLASSES, CLASSES[:1])


@pytest.mark.parametrize("kernel", [native, reference])
def test_chances_are_numbers_that_are_not_whole(kernel):
    table = np.array([[0.0, -2000.0]])
    found, code = kernel.json_row_answer(b'{"a":1}', [(b'"a"', 0, [], 0, [])], {b'"a"': 0}, table, table[:0],
                                         np.zeros(1, dtype=np.int64), CLASSES, CLASSES)  # fmt: skip
    assert (found, code) == (b'{"label":"no","chance":1.0,"chances":{"no":1.0,"yes":0.0}}', 0)
