"""Row groups that are decoded here: PyArrow's reader is the authority."""

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from candide import NaiveBayes, native
from candide.sources import pages
from candide.sources.binary import stored_as_codes
from candide.sources.pages import CODECS, NUMBERS, read_group


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def some_rows(rng: np.random.Generator, n: int) -> pa.Table:
    """Return a column of every type that is decoded, with gaps and without."""
    gaps = rng.random(n) < 0.1
    columns = {}
    for name in NUMBERS:
        cells = (100 * rng.standard_normal(n)).astype(name if name != "float" else "float32")
        columns[name] = pa.array(cells)
        columns[f"{name} with gaps"] = pa.array(cells, mask=gaps)
    columns["bool"] = pa.array(rng.random(n) < 0.3)
    columns["bool with gaps"] = pa.array(rng.random(n) < 0.3, mask=gaps)
    words = np.array([f"{'ä' * (i % 3)}{i}" for i in range(40, 0, -1)])
    columns["text"] = pa.array(words[rng.integers(0, 40, n)])
    columns["text with gaps"] = pa.array(words[rng.integers(0, 40, n)], mask=gaps)
    columns["text of no cell"] = pa.nulls(n, pa.string())
    columns["y"] = pa.array(np.array(["no", "yes"])[rng.integers(0, 2, n)])
    return pa.table(columns)


def decoded(path, names=None):
    """Return the first row group as decoded here, and as PyArrow reads it."""
    file = parquet.ParquetFile(path)
    names = file.schema_arrow.names if names is None else names
    stored = frozenset(stored_as_codes(file))
    file = parquet.ParquetFile(path, read_dictionary=sorted(stored))
    return read_group(str(path), file, 0, names, stored), file.read_row_group(0, columns=names)


def spelt(column):
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("coded", [True, False, ["text", "text with gaps", "text of no cell", "y"]])
def test_row_groups_are_those_of_pyarrow(tmp_path, rng, codec, coded):
    table, path = some_rows(rng, 3_000), tmp_path / "rows.parquet"
    compression = None if codec == "UNCOMPRESSED" else codec
    parquet.write_table(table, path, compression=compression, use_dictionary=coded, data_page_size=1_000)
    names = table.column_names if coded is not False else [n for n in table.column_names if n[:4] not in ("text", "y")]
    found, expected = decoded(path, names)
    assert found.schema.names == expected.schema.names == names
    for name in names:
        here, there = found.column(name), expected.column(name).combine_chunks()
        assert spelt(here).type == spelt(there).type
        assert here.null_count == there.null_count
        assert spelt(here).equals(spelt(there))
        here.validate(full=True)


@pytest.mark.parametrize(("n", "bits"), [(0, 8), (127, 8), (128, 16), (32_767, 16), (32_768, 32)])
def test_codes_of_text_are_as_narrow_as_can_be(tmp_path, n, bits):
    table = pa.table({"x": pa.array([f"{i:05d}" for i in range(n)] * 9 + [None] * 99_000, pa.string())})
    parquet.write_table(table, tmp_path / "rows.parquet")
    found, expected = decoded(tmp_path / "rows.parquet")
    assert found.column("x").type.index_type.bit_width == bits
    assert spelt(found.column("x")).equals(spelt(expected.column("x").combine_chunks()))


def test_a_dictionary_that_grows_too_large_goes_on_as_numbers(tmp_path, rng):
    table, path = pa.table({"x": rng.standard_normal(50_000).round(3)}), tmp_path / "rows.parquet"
    parquet.write_table(table, path, dictionary_pagesize_limit=5_000, data_page_size=10_000)
    encodings = parquet.ParquetFile(path).metadata.row_group(0).column(0).encodings
    assert {"PLAIN", "RLE_DICTIONARY"} <= set(encodings)
    found, expected = decoded(path)
    assert found.column("x").equals(expected.column("x").combine_chunks())


UNUSUAL = {
    "pages of the second version": (pa.table({"x": [1.0, 2.0]}), {"data_page_version": "2.0"}),
    "differences": (pa.table({"x": [1, 2]}), {"use_dictionary": False, "column_encoding": "DELTA_BINARY_PACKED"}),
    "bytes apart": (pa.table({"x": [1.0, 2.0]}), {"use_dictionary": False, "column_encoding": "BYTE_STREAM_SPLIT"}),
    "text as text": (pa.table({"x": ["a", "b"]}), {"use_dictionary": False}),
    "lists": (pa.table({"x": [[1.0], [2.0]]}), {}),
    "structures": (pa.table({"x": [{"a": 1.0}, {"a": 2.0}]}), {}),
    "dates": (pa.table({"x": pa.array([1, 2], pa.date32())}), {}),
    "other codecs": (pa.table({"x": [1.0, 2.0]}), {"compression": "lz4"}),
}


@pytest.mark.parametrize("kind", UNUSUAL)
def test_what_is_not_plain_is_left_to_pyarrow(tmp_path, kind):
    table, options = UNUSUAL[kind]
    parquet.write_table(table, tmp_path / "rows.parquet", **options)
    assert decoded(tmp_path / "rows.parquet")[0] is None


@pytest.mark.filterwarnings("ignore:column 'text of no cell' is empty")
@pytest.mark.skipif(native.kernels() != "native", reason="the kernels were not compiled")
def test_a_fit_of_decoded_groups_is_that_of_the_table(tmp_path, rng, monkeypatch):
    table, path = some_rows(rng, 9_000), tmp_path / "rows.parquet"
    parquet.write_table(table, path, row_group_size=2_000)
    groups = []

    def counted(*given):
        groups.append(read_group(*given))
        return groups[-1]

    monkeypatch.setattr("candide.sources.binary.read_group", counted)
    found, expected = NaiveBayes().fit(str(path), "y"), NaiveBayes().fit(table, "y")
    assert [group.num_rows for group in groups] == [2_000, 2_000, 2_000, 2_000, 1_000]
    np.testing.assert_array_equal(found.predict_log_proba(table), expected.predict_log_proba(table))


@pytest.mark.parametrize("compression", [None, "zstd"])
def test_bytes_that_changed_are_read_as_pyarrow_reads_them_or_refused(tmp_path, rng, compression):
    table, path = some_rows(rng, 500), tmp_path / "rows.parquet"
    parquet.write_table(table, path, compression=compression)
    whole = path.read_bytes()
    end = len(whole) - int.from_bytes(whole[-8:-4], "little") - 8
    for _ in range(150):
        data = bytearray(whole)
        for at in rng.integers(4, end, 3):
            data[at] ^= 1 << rng.integers(0, 8)
        path.write_bytes(data)
        try:
            found, expected = decoded(path)
        except (OSError, pa.ArrowInvalid):  # which PyArrow says
            continue
        if found is None:
            continue
        for name in found.schema.names:
            here, there = spelt(found.column(name)), spelt(expected.column(name).combine_chunks())
            np.testing.assert_array_equal(here.to_pylist(), there.to_pylist())  # to which NaN is NaN


@pytest.mark.parametrize("window", [1, 100, 5_000])
def test_pages_are_whole_however_little_is_read_at_once(tmp_path, rng, monkeypatch, window):
    monkeypatch.setattr(pages, "WINDOW", window)
    table, path = some_rows(rng, 2_000), tmp_path / "rows.parquet"
    parquet.write_table(table, path, data_page_size=1_000, compression="zstd")
    found, expected = decoded(path)
    for name in table.column_names:
        assert spelt(found.column(name)).equals(spelt(expected.column(name).combine_chunks()))


def test_a_dictionary_behind_data_is_left_to_pyarrow(tmp_path, monkeypatch):
    parquet.write_table(pa.table({"x": ["a", "b"] * 500}), tmp_path / "rows.parquet")
    assert decoded(tmp_path / "rows.parquet")[0] is not None
    each = pages.Chunk._pages

    def again(self, *given):
        found = [(headers.copy(), packed.copy()) for headers, packed in each(self, *given)]
        yield from [*found, found[0]]

    monkeypatch.setattr(pages.Chunk, "_pages", again)
    assert decoded(tmp_path / "rows.parquet")[0] is None


def test_large_columns_are_left_to_pyarrow(tmp_path, monkeypatch):
    parquet.write_table(pa.table({"x": [1.0, 2.0]}), tmp_path / "rows.parquet")
    assert decoded(tmp_path / "rows.parquet")[0] is not None
    monkeypatch.setattr(pages, "LARGEST", 3)
    assert decoded(tmp_path / "rows.parquet")[0] is None


@pytest.fixture(params=["zstandard", "pyarrow"])
def unpack(request, monkeypatch):
    """What unpacks zstd, with the library that keeps its memory and without it."""
    if request.param == "pyarrow":
        monkeypatch.setattr(pages, "installed", lambda _: False)
    else:
        pytest.importorskip("zstandard")
    return pages.unpacker("ZSTD")


def test_packed_pages_are_unpacked_one_after_the_other(unpack, rng):
    for size in (0, 1, 100_000, 7):
        page = rng.integers(0, 9, size).astype(np.uint8)
        packed = np.frombuffer(pa.Codec("zstd").compress(page), np.uint8)
        np.testing.assert_array_equal(np.frombuffer(unpack(packed, size), np.uint8), page)


def test_a_page_that_promises_another_size_is_not_made_room_for():
    zstandard = pytest.importorskip("zstandard")
    packed = bytearray(zstandard.compress(bytes(70_000)))
    assert zstandard.frame_content_size(packed) == 70_000
    unpack = pages.unpacker("ZSTD")
    with pytest.raises(pages.UnusualError):
        unpack(np.frombuffer(packed, np.uint8), 69_999)
    at = bytes(packed).index((70_000).to_bytes(4, "little"))
    packed[at : at + 4] = b"\xff" * 4
    assert zstandard.frame_content_size(packed) == 2**32 - 1
    with pytest.raises(pages.UnusualError):
        unpack(np.frombuffer(packed, np.uint8), 70_000)
    with pytest.raises(pages.UnusualError):
        unpack(np.zeros(9, np.uint8), 9)
