"""What a model ignores cannot matter, wherever rows come from."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from candide import NaiveBayes

pytestmark = pytest.mark.filterwarnings("ignore::candide.reading.table_reading.ReadingWarning")

ROWS = [
    {"id": 5000 + i, "same": 5, "noise": i % 2, "day": "2023-03-01", "x": i % 4, "y": "ab"[i % 4 > 1]}
    for i in range(80)
]
ODD = [{"id": "none", "same": "five", "noise": "loud", "day": "31.2.2023", "x": i % 4} for i in range(4)]


@pytest.fixture
def nb() -> NaiveBayes:
    found = NaiveBayes().fit(pd.DataFrame(ROWS), "y")
    names = found.schema_.names
    assert {names[j] for j in found.model_.ignored} == {"same", "noise", "day", "day.month", "day.weekday"}
    return found


@pytest.mark.parametrize("how", ["frame", "dicts", "csv", "ndjson", "parquet", "stream"])
def test_cells_of_ignored_columns_may_be_anything(how: str, nb: NaiveBayes, tmp_path: Path) -> None:
    frame = pd.DataFrame(ODD)
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_parquet(tmp_path / "t.parquet", index=False)
    (tmp_path / "t.ndjson").write_text("\n".join(map(json.dumps, ODD)))
    given = {"frame": frame, "dicts": ODD, "stream": iter([frame])}.get(how, tmp_path / f"t.{how}")
    (batch,) = nb.predict_batches(given) if how != "dicts" else [{"prediction": nb.predict(given)}]
    assert batch["prediction"].tolist() == ["a", "a", "b", "b"]


def test_cells_of_other_columns_may_not(nb: NaiveBayes, tmp_path: Path) -> None:
    pd.DataFrame(ODD).assign(x="odd").to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(ValueError, match="column 'x', row 0: 'odd' is not a number"):
        list(nb.predict_batches(tmp_path / "t.csv"))
    pd.DataFrame(ODD).assign(y="a").to_csv(tmp_path / "u.csv", index=False)
    with pytest.raises(ValueError, match=r"'five' is not a number|is none of the year-month-day"):
        nb.partial_fit(tmp_path / "u.csv", "y")  # they are learnt
