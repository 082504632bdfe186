"""Tables as they really are: what is odd about each is recognised, said, kept in the model, and read alike later."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.reading.corpus import CLASSES, CORPUS, Messy

import candide
from candide import NaiveBayes
from candide.reading import Documents, Omitted
from candide.reading.table_reading import ReadingWarning
from candide.scoring.explanation import readable
from candide.sources import Reading, open_source
from candide.table import read

pytestmark = pytest.mark.filterwarnings("ignore::candide.reading.table_reading.ReadingWarning")


@pytest.fixture(params=CORPUS, ids=lambda messy: messy.name)
def messy(request: Any) -> Messy:
    return request.param


@pytest.fixture
def path(messy: Messy, tmp_path: Path) -> Path:
    file = tmp_path / f"{messy.name.replace('?', 'q').replace('/', '')}{messy.ending}"
    file.write_bytes(messy.content)
    return file


def fitted(path: Path, messy: Messy) -> NaiveBayes:
    return NaiveBayes().fit(open_source(path, Reading(**messy.options)), "y")


def test_there_are_forty() -> None:
    assert len({messy.name for messy in CORPUS}) >= 40


def test_what_is_odd_is_recognised_and_said(path: Path, messy: Messy) -> None:
    nb = fitted(path, messy)
    found = nb.schema_.reading.get("x")
    assert (None if found is None else found.reader) == messy.reader
    assert found is None or found.said or messy.options
    assert ("x" in nb.schema_.names) == (not isinstance(messy.reader, Omitted))
    assert nb.n_features_in_ == 2


def test_cells_are_what_they_mean(path: Path, messy: Messy) -> None:
    if messy.cells is None or isinstance(messy.reader, Documents):
        pytest.skip("no cells to compare")
    schema = fitted(path, messy).schema_
    (frame,) = open_source(path, Reading(**messy.options)).batches(schema, columns=schema.used_names)
    cells = readable(schema.reading.apply(read(frame)).column(0))
    if isinstance(messy.cells[1], float):
        np.testing.assert_allclose(np.array(cells, float), np.array(messy.cells, float), rtol=1e-12)
    else:
        assert cells == messy.cells


def test_a_saved_model_reads_files_and_rows_alike(path: Path, messy: Messy, tmp_path: Path) -> None:
    nb = fitted(path, messy)
    nb.save(tmp_path / "model.json")
    again = candide.load(tmp_path / "model.json")
    assert dict(again.schema_.reading) == dict(nb.schema_.reading)
    source = open_source(path, Reading(**messy.options))
    (frame,) = source.batches(nb.learnt_.schema, columns=nb.learnt_.schema.used_names)
    whole = nb.predict_proba(frame)
    np.testing.assert_array_equal(again.predict_proba(frame), whole)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = again.predict_proba(frame.to_pylist())
        alone = np.vstack([again.predict_proba(row) for row in frame.to_pylist()[:6]])
        looked_up = again._state.made.look_up(frame.to_pylist()[:1])
    np.testing.assert_allclose(rows, whole, rtol=1e-9)
    np.testing.assert_allclose(alone, whole[:6], rtol=1e-9)
    assert (looked_up is None) == isinstance(messy.reader, Documents)


def test_plain_reading_leaves_text_as_it_is(path: Path, messy: Messy) -> None:
    nb = NaiveBayes(reading="plain").fit(open_source(path, Reading(**messy.options)), "y")
    assert not nb.schema_.reading
    assert nb.schema_.names == ["x", "level"]
    assert len(nb.predict(open_source(path, Reading(**messy.options)).batches(columns=["x", "level"]).__next__()))


def test_identifiers_are_left_out_with_a_warning(tmp_path: Path) -> None:
    messy = next(m for m in CORPUS if m.name == "identifiers")
    (tmp_path / "ids.csv").write_bytes(messy.content)
    with pytest.warns(ReadingWarning, match="column 'x': 40 different texts in 40 rows: identifiers, ignored"):
        nb = NaiveBayes().fit(tmp_path / "ids.csv", "y")
    assert nb.schema_.reading.left_out == ["x"]
    kept = NaiveBayes(reading={"x": "plain"}).fit(tmp_path / "ids.csv", "y")
    assert kept.schema_.names == ["x", "level"]
    assert CLASSES[0] in nb.classes_


@pytest.mark.parametrize("name", ["id", "ID", "customer_id", "orderId", "Unnamed: 0", "row id", "key"])
def test_whole_numbers_that_count_rows_are_ignored_in_files_and_frames(tmp_path: Path, name: str) -> None:
    frame = pd.DataFrame({name: range(100, 140), "level": ["low", "high", "low", "mid"] * 10, "y": CLASSES})
    frame.to_csv(tmp_path / "ids.csv", index=False)
    for given in (tmp_path / "ids.csv", frame, frame.assign(level=range(40))):
        with pytest.warns(ReadingWarning, match="40 different whole numbers in 40 rows: identifiers, ignored"):
            nb = NaiveBayes().fit(given, "y")
        assert nb.schema_.names == ["level"]
        assert nb.predict({"level": "low" if given is not frame else "mid", name: 3}).shape == (1,)
    kept = NaiveBayes(distributions={name: "normal"}).fit(frame, "y")
    assert kept.schema_.names == [name, "level"]
    assert NaiveBayes(reading={name: "plain"}).fit(frame, "y").schema_.names == [name, "level"]


@pytest.mark.parametrize(("name", "cells"), [("width", range(40)), ("idle", range(40)), ("id", [1, 2] * 20),
                                             ("id", [i / 2 for i in range(40)])])  # fmt: skip
def test_numbers_are_no_identifiers_because_they_differ(name: str, cells: Any) -> None:
    frame = pd.DataFrame({name: cells, "level": ["low", "high", "low", "mid"] * 10})
    assert not NaiveBayes().fit(frame, CLASSES).schema_.reading
