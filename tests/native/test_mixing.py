"""Text and tables in few bytes: they come back, whichever kernel wrote them, and what is no such thing is refused."""

import lzma
from decimal import Decimal, getcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide import native
from candide.native import reference
from candide.native.reference import mixer

PRIMER = b'{"column":0,"levels":["no","yes"]}'
TEXTS = st.binary(max_size=40).map(lambda text: text.replace(b"\0", b"0"))
NUMBERS = st.integers(-9, 9) | st.integers(-(2**30) + 1, 2**30 - 1)


@st.composite
def tables(draw):
    rows_told = st.integers(-4, 4).filter(bool)  # below zero: of roots
    shapes = draw(st.lists(st.tuples(rows_told, st.integers(1, 6)), max_size=4))
    numbers = [
        draw(NUMBERS if rows > 0 else NUMBERS.map(abs)) for rows, columns in shapes for _ in range(abs(rows) * columns)
    ]
    return np.array(shapes, dtype=np.int64).reshape(-1, 2), np.array(numbers, dtype=np.int64)


@given(TEXTS, TEXTS, tables())
def test_the_kernel_is_its_twin_and_what_was_coded_comes_back(text, primer, told):
    coded = native.mixed(text, primer, *told)
    assert coded == reference.mixed(text, primer, *told)
    for kernels in (native, reference):
        assert kernels.unmixed(coded, primer, 1 << 20) == (text, told[0].tobytes(), told[1].tobytes())


@given(st.binary(max_size=60))
def test_whatever_is_decoded_would_have_been_coded_so(coded):
    """No two files hold the same, and any bytes are decoded or refused, by both alike."""
    found = []
    for kernels in (native, reference):
        try:
            found.append(kernels.unmixed(coded, PRIMER, 200))
        except ValueError as error:
            found.append(str(error))
    assert found[0] == found[1]
    if not isinstance(found[0], str):
        text, shapes, numbers = found[0]
        again = (np.frombuffer(shapes, np.int64).reshape(-1, 2), np.frombuffer(numbers, np.int64))
        if np.all(np.abs(again[1]) < 2**30):
            assert native.mixed(text, PRIMER, *again) == coded


def curves(seed):
    """Curves of some classes in steps, as slim models have them."""
    rng = np.random.default_rng(seed)
    return np.diff(np.round(np.cumsum(rng.normal(size=(8, 60)) * 3, axis=1)).astype(np.int64), axis=1, prepend=0)


@pytest.mark.parametrize("kernels", [native, reference])
def test_tables_take_few_bits_more_than_their_numbers_tell(kernels):
    """Of normal numbers their entropy, log2(σ √(2πe)); where they are all the same, next to nothing."""
    numbers = curves(0)
    shapes = np.array([numbers.shape], dtype=np.int64)
    told = numbers.size * np.log2(3 * np.sqrt(2 * np.pi * np.e)) / 8
    assert told < len(kernels.mixed(b"", b"", shapes, numbers.ravel())) < 1.12 * told
    assert len(kernels.mixed(b"", b"", shapes, np.full(numbers.size, 7))) < 25


@pytest.mark.parametrize("kernels", [native, reference])
def test_roots_of_chances_take_fewer_bits_than_as_numbers(kernels):
    """What is left of a row, and what the others have, foretells more of them."""
    rng = np.random.default_rng(0)
    counts = [rng.multinomial(300, rng.dirichlet(np.ones(12)), size=12) for _ in range(8)]  # classes that are alike
    roots = np.round(np.sqrt(counts)).astype(np.int64)
    as_roots, as_numbers = (np.array([[sign * 12, 12]] * 8, dtype=np.int64) for sign in (-1, 1))
    size = len(kernels.mixed(b"", b"", as_roots, roots.ravel()))
    assert size < 0.9 * len(kernels.mixed(b"", b"", as_numbers, roots.ravel()))
    _, column = np.unique(np.broadcast_to(np.arange(8 * 12).reshape(8, 1, 12), roots.shape), return_inverse=True)
    of_column = [np.unique(roots.ravel()[column.ravel() == v], return_counts=True)[1] / 12 for v in range(8 * 12)]
    told = 12 * sum(-(p * np.log2(p)).sum() for p in of_column) / 8  # had all columns been known beforehand
    assert told < size


def test_texts_are_shorter_than_others_make_them_and_the_primer_is_free():
    words = b'{"columns":["age","weight","height","blood pressure","pulse"],"levels":["none","few","many"]}'
    nothing = np.zeros((0, 2), np.int64), np.zeros(0, np.int64)
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9, "lc": 0, "lp": 0, "pb": 0}]
    assert len(native.mixed(words, b"", *nothing)) < len(lzma.compress(words, lzma.FORMAT_RAW, filters=filters))
    assert len(native.mixed(words, words, *nothing)) < 0.15 * len(words)


@pytest.mark.parametrize("kernels", [native, reference])
def test_what_holds_too_much_or_is_not_whole_is_refused(kernels):
    """A few bytes less may be another table, and no coder could tell: that is what the checksum of a file is for."""
    numbers = curves(1)
    shapes = np.array([numbers.shape], dtype=np.int64)
    coded = kernels.mixed(b"text", PRIMER, shapes, numbers.ravel())
    with pytest.raises(ValueError, match="more than it may"):
        kernels.unmixed(coded, PRIMER, numbers.size - 1)
    for broken in (b"", coded + b"\0"):
        with pytest.raises(ValueError, match="cut short"):
            kernels.unmixed(broken, PRIMER, 1 << 20)


@pytest.mark.parametrize("kernels", [native, reference])
@pytest.mark.parametrize(
    ("text", "shapes", "numbers"),
    [
        (b"a\0b", [[1, 1]], [0]),
        (b"", [[1, 2]], [0]),
        (b"", [[1, 1]], [0, 0]),
        (b"", [[0, 4]], []),
        (b"", [[-1, -1]], [0]),
        (b"", [[-1, 1]], [-1]),
        (b"", [[-(2**63), 1]], [0]),
        (b"", [[1, 1]], [2**30]),
        (b"", [[1, 1]], [-(2**30)]),
        (b"", [[1, 1, 1]], [0]),
    ],
)
def test_what_cannot_be_coded_is_refused(kernels, text, shapes, numbers):
    with pytest.raises(ValueError, match="must"):
        kernels.mixed(text, b"", np.array(shapes, dtype=np.int64), np.array(numbers, dtype=np.int64))


@pytest.mark.parametrize("kernels", [native, reference])
def test_too_many_tables_are_refused(kernels):
    many = np.ones(((1 << 20) + 1, 2), np.int64)
    with pytest.raises(ValueError, match="at most 2\\^20 rows"):
        kernels.mixed(b"", b"", many, np.zeros(len(many), np.int64))


def test_no_chance_lies_so_near_to_a_half_that_a_machine_could_round_it_otherwise():
    """Files are read on other machines, whose exponential may differ in its last digit."""
    getcontext().prec = 40
    chances = [4096 / (1 + (Decimal(-x) / 256).exp()) for x in range(-2047, 2048)]
    odds = [256 * (Decimal(2 * p + 1) / (8191 - 2 * p)).ln() for p in range(4096)]
    for exact, told, least, most in ((chances, mixer.CHANCE, 1, 4095), (odds, mixer.ODDS, -2047, 2047)):
        assert min(abs(x % 1 - Decimal("0.5")) for x in map(abs, exact)) > Decimal("1e-9")
        assert told == [
            min(max(int((x + Decimal("0.5")).to_integral_value("ROUND_FLOOR")), least), most) for x in exact
        ]
