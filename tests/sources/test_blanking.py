"""Declared spellings of a missing cell: left out of every format, and kept for rows that come from any other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from candide import NaiveBayes
from candide.sources import Reading, open_source
from candide.sources.blanking import blanked

MISSING = ["-99", "unk", "9999-12-31"]
ENDINGS = ["csv", "ndjson", "json", "xlsx", "parquet", "arrow"]


def cells(n: int, gap: bool) -> dict[str, Any]:
    """Return a row; of every column some cells are gaps, as they are declared or as they are."""
    row: dict[str, Any] = {
        "x": n % 7 + 10.5 * (n % 2),
        "i": n % 9,
        "c": "rgb"[n % 3],
        "d": f"2024-{1 + n % 12:02d}-{1 + n % 28:02d}",
        "b": n % 3 == 0,
    }
    if n % 5 == 0:
        row |= dict.fromkeys("xicd") if gap else {"x": -99, "i": -99, "c": "unk", "d": "9999-12-31"}
    return {**row, "y": "uv"[n % 2]}


def write(folder: Path, ending: str) -> str:
    rows = [cells(n, gap=False) for n in range(120)]
    table, path = pd.DataFrame(rows).astype({"i": "int16", "c": "category"}), folder / f"t.{ending}"
    if ending in ("csv", "xlsx"):
        (table.to_csv if ending == "csv" else table.to_excel)(path, index=False)
    elif ending == "ndjson":
        path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    elif ending == "json":
        path.write_text(json.dumps(rows), encoding="utf-8")
    else:
        (table.to_parquet if ending == "parquet" else table.to_feather)(path)
    return str(path)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("ending", ENDINGS)
def test_declared_gaps_are_gaps_in_every_format_and_in_rows_of_every_other(tmp_path: Path, ending: str) -> None:
    model = NaiveBayes().fit(open_source(write(tmp_path, ending), Reading(missing=MISSING)), "y")
    columns = dict(zip(model.schema_.names, model.schema_.columns, strict=True))
    assert [columns[name].kind for name in "xicd"] == ["numbers", "numbers", "symbols", "numbers"]
    assert list(columns["c"].levels) == ["b", "g", "r"]
    assert min(columns["x"].levels) == 0
    rows = [{k: v for k, v in cells(n, gap=False).items() if k != "y"} for n in range(120)]
    wanted = model.predict_proba([{k: v for k, v in cells(n, gap=True).items() if k != "y"} for n in range(120)])
    assert np.allclose(model.predict_proba(rows), wanted)
    assert np.allclose(model.predict_proba(pd.DataFrame(rows)), wanted)
    assert np.allclose(model.predict_proba(rows[5]), wanted[5])
    for other in ENDINGS:
        told = pa.Table.from_batches(model.predict_batches(write(tmp_path, other), proba=True)).to_pydict()
        assert np.allclose(told["P(u)"], wanted[:, 0]), other


def test_what_is_declared_leaves_the_domain_and_no_other_cell() -> None:
    coded = pa.array(["a", "unk", None, "b"]).dictionary_encode()
    assert blanked(coded, ["unk"]).dictionary.to_pylist() == ["a", "b"]
    assert blanked(coded, [""]) is coded
    alone = blanked(pa.array(["", "", None]).dictionary_encode(), [""])
    assert alone.to_pylist() == [None] * 3
    assert alone.dictionary.to_pylist() == []
    assert blanked(coded, ["unk"]).to_pylist() == ["a", None, None, "b"]
    assert blanked(pa.array([1, 2, None], pa.int8()), ["2", "1000", "1.5"]).to_pylist() == [1, None, None]
    assert blanked(pa.array([0.5, 2.0], pa.float32()), ["0.5", "x"]).to_pylist() == [None, 2.0]
    assert blanked(pa.array([True, False]), ["1", "True"]).to_pylist() == [True, False]
    assert blanked([True, 1, 1.0, "1", "one", None], ["1"]) == [True, None, None, None, "one", None]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("some", [lambda n: n / 4, lambda n: str(n / 4), lambda _: "q"])
def test_empty_texts_of_objects_are_missing_before_anything_is_found(tmp_path: Path, some: Any) -> None:
    rows = [{"x": "" if n % 3 == 0 else some(n), "y": "uv"[n % 2]} for n in range(60)]
    (tmp_path / "t.ndjson").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    pd.DataFrame(rows).to_csv(tmp_path / "t.csv", index=False)
    pd.DataFrame(rows).astype(str).to_parquet(tmp_path / "t.parquet")
    found = [NaiveBayes().fit(str(tmp_path / f"t.{ending}"), "y") for ending in ("csv", "ndjson", "parquet")]
    for model in found[1:]:
        assert [column.kind for column in model.schema_.columns] == [column.kind for column in found[0].schema_.columns]
        assert model.predict_log_proba(rows).tolist() == found[0].predict_log_proba(rows).tolist()
        assert "''" not in repr(model.schema_.reading)
