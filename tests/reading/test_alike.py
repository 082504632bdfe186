"""Cells are read alike, wherever they come from and whenever: what is missing, and what means yes and no."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import candide
from candide import NaiveBayes, TunedNB
from candide.reading import Amounts, Dates, Truths

RNG = np.random.default_rng(0)
N = 300
Y = RNG.choice(["p", "q"], N)
FRAME = pd.DataFrame(
    {
        "color": np.where(RNG.random(N) < 0.7 * (Y == "q"), "", RNG.choice(["red", "blue"], N)),
        "x": RNG.normal(size=N).round(2),
        "insured": np.where(RNG.random(N) < np.where(Y == "p", 0.9, 0.2), "yes", "no"),
        "y": Y,
    }
)
ROW = {"color": "red", "x": 0.1, "insured": "yes"}


@pytest.fixture(params=["file", "frame", "rows"])
def model(request: Any, tmp_path: Path) -> Any:
    """A model of the same cells, from three sources."""
    FRAME.to_csv(tmp_path / "t.csv", index=False)
    given = {"file": tmp_path / "t.csv", "frame": FRAME, "rows": FRAME.drop(columns="y").to_dict("records")}[
        request.param
    ]
    return TunedNB().fit(given, "y") if request.param != "rows" else TunedNB().fit(given, Y)


def answers(model: Any, row: dict[str, Any], folder: Path) -> list[list[float]]:
    """Return the chances of a row as a dict, in a frame, as JSON and in a file."""
    pd.DataFrame([row]).to_csv(folder / "row.csv", index=False)
    (batch,) = model.predict_batches(folder / "row.csv", proba=True)
    in_file = [batch.column(f"P({label})")[0].as_py() for label in model.classes_]
    json_row = pd.Series(row).to_json()
    many = pd.DataFrame([row] * 20)
    return [model.predict_proba(given)[0].tolist() for given in (row, many, json_row)] + [in_file]


def levels(model: Any, name: str) -> list[Any]:
    """Return the levels that a model has of a column."""
    return list(model.schema_.columns[model.schema_.names.index(name)].levels.tolist())


class TestEmptyTexts:
    def test_they_are_missing_cells_in_files_frames_and_rows(self, model: Any, tmp_path: Path) -> None:
        missing = model.predict_proba({**ROW, "color": None})[0]
        assert abs(missing - model.predict_proba(ROW)[0]).max() > 0.01  # that a cell is missing tells something here
        for found in answers(model, {**ROW, "color": ""}, tmp_path):
            np.testing.assert_allclose(found, missing, rtol=1e-9)

    def test_all_sources_teach_the_same(self, tmp_path: Path) -> None:
        FRAME.to_csv(tmp_path / "t.csv", index=False)
        file, frame = NaiveBayes().fit(tmp_path / "t.csv", "y"), NaiveBayes().fit(FRAME, "y")
        assert sorted(levels(file, "color")) == sorted(levels(frame, "color")) == ["blue", "red"]
        np.testing.assert_array_equal(file.predict_proba(FRAME), frame.predict_proba(FRAME))

    def test_a_later_batch_may_be_the_first_to_have_one(self) -> None:
        first = np.argsort(FRAME["color"] == "", kind="stable")
        ordered = FRAME.iloc[first]
        parts = NaiveBayes().fit(ordered[:50], "y").partial_fit(ordered[50:], "y")
        assert "" not in levels(parts, "color")
        np.testing.assert_array_equal(parts.class_counts_, NaiveBayes().fit(FRAME, "y").class_counts_)

    @pytest.mark.parametrize("reading", ["auto", "plain"])
    def test_declared_ones_are_levels(self, reading: str) -> None:
        plain = NaiveBayes(reading=reading).fit(FRAME, "y")
        declared = NaiveBayes(reading=reading).fit(FRAME.assign(color=FRAME["color"].astype("category")), "y")
        assert "" not in levels(plain, "color")
        assert "" in levels(declared, "color")

    def test_a_column_of_nothing_else_tells_nothing(self) -> None:
        nb = NaiveBayes().fit(FRAME.assign(color=""), "y")
        without = NaiveBayes().fit(FRAME.drop(columns="color"), "y")
        np.testing.assert_allclose(nb.predict_proba(FRAME), without.predict_proba(FRAME.drop(columns="color")))


class TestMissingSpellings:
    @pytest.mark.parametrize("spelling", ["N/A", "n/a", "?", "null", "-", "#DIV/0!", " "])
    @pytest.mark.parametrize(
        "reader", [Amounts(",", "."), Amounts(unit="%"), Dates("dmy"), Dates("time"), Truths("ja", "nein")]
    )
    def test_readers_know_them_at_any_time(self, reader: Any, spelling: str) -> None:
        assert all(cell is None for cell in reader.cells(spelling))

    def test_folds_of_a_frame_whose_only_gap_is_elsewhere(self) -> None:
        texts = FRAME[["x"]].astype(str)
        texts.loc[7, "x"] = "N/A"
        scores = candide.evaluate.cross_validate({"nb": NaiveBayes()}, texts, Y, folds=5)
        assert scores["accuracy"].notna().all()

    def test_a_file_of_numbers_may_have_gaps_later(self, tmp_path: Path) -> None:
        FRAME.to_csv(tmp_path / "a.csv", index=False)
        more = FRAME[:40].astype({"x": object})
        more.loc[3, "x"], more.loc[9, "x"] = "NA", "?"
        more.to_csv(tmp_path / "b.csv", index=False)
        nb = NaiveBayes("normal").fit(tmp_path / "a.csv", "y").partial_fit(tmp_path / "b.csv", "y")
        both = pd.concat([FRAME, more.assign(x=pd.to_numeric(more["x"], errors="coerce"))], ignore_index=True)
        together = NaiveBayes("normal").fit(both, "y")
        np.testing.assert_allclose(nb.predict_proba(FRAME[:20]), together.predict_proba(FRAME[:20]), rtol=1e-9)
        assert sum(len(batch) for batch in nb.predict_batches(tmp_path / "b.csv")) == len(more)

    def test_what_is_no_such_spelling_says_what_to_do(self, tmp_path: Path) -> None:
        nb = NaiveBayes("normal").fit(FRAME, "y")
        FRAME[:2].astype({"x": object}).assign(x=[1.0, "n/k"]).to_csv(tmp_path / "b.csv", index=False)
        with pytest.raises(ValueError, match=r"row 1: 'n/k' is not a number.*--missing 'n/k'"):
            list(nb.predict_batches(tmp_path / "b.csv"))


class TestYesAndNo:
    @pytest.mark.parametrize("cell", [True, 1, 1.0, "YES", "Yes ", "true", "TRUE", "1", "ja", "oui"])
    def test_words_digits_and_truth_values_are_levels(self, model: Any, cell: Any, tmp_path: Path) -> None:
        for found in answers(model, {**ROW, "insured": cell}, tmp_path):
            np.testing.assert_allclose(found, model.predict_proba(ROW)[0], rtol=1e-9)

    @pytest.mark.parametrize("cell", ["N/A", "?", ""])
    def test_what_is_usually_missing_is_missing(self, model: Any, cell: str, tmp_path: Path) -> None:
        for found in answers(model, {**ROW, "insured": cell}, tmp_path):
            np.testing.assert_allclose(found, model.predict_proba({**ROW, "insured": None})[0], rtol=1e-9)

    @pytest.mark.parametrize("cell", ["yes", "Ja", "1", 1, "TRUE"])
    def test_a_column_of_truth_values_takes_words(self, cell: Any) -> None:
        nb = NaiveBayes().fit(FRAME.assign(insured=FRAME["insured"] == "yes"), "y")
        np.testing.assert_allclose(
            nb.predict_proba({**ROW, "insured": cell}), nb.predict_proba({**ROW, "insured": True}), rtol=1e-9
        )

    def test_other_pairs_of_levels_stay_what_they_are(self) -> None:
        nb = NaiveBayes(unseen="error").fit(FRAME.assign(insured=FRAME["insured"].map({"yes": "f", "no": "m"})), "y")
        with pytest.raises(ValueError, match="'false' was never seen"):
            nb.predict({**ROW, "insured": "false"})


def test_points_between_thousands_are_counted_once(tmp_path: Path) -> None:
    """Where another column has a decimal comma, 73.674 is 73674: as many numbers are told of as there are."""
    rows = [f"{RNG.integers(10, 99)}.{RNG.integers(100, 999)};2,{RNG.integers(10, 99)};{y}" for y in Y[:120]]
    (tmp_path / "t.csv").write_text("\n".join(["sales;share;y", *rows, ""]))
    nb = NaiveBayes().fit(tmp_path / "t.csv", "y")
    assert nb.schema_.reading["sales"].said == "120 numbers with '.' between thousands"
