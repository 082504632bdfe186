"""load: where a data set comes from, and what is said when it cannot be had."""

import gzip
import json
import os

import pytest

from candide.datasets import load, names
from candide.datasets.openml import LOCATIONS

INDEX = {
    "datasets": [
        {
            "name": "tiny",
            "file": "tiny.csv.gz",
            "title": "A tiny table",
            "rows": 4,
            "attributes": 4,
            "classes": 2,
            "target": "label",
            "columns": [
                {"name": "code", "kind": "categorical"},
                {"name": "size", "kind": "numeric"},
                {"name": "hits", "kind": "count"},
                {"name": "words", "kind": "text"},
                {"name": "label", "kind": "binary"},
            ],
        }
    ]
}
ROWS = 'code,size,hits,words,label\n10,1.5,3,"a, b",1\n2,,0,none,0\n,2.5,7,,1\nnone,3,1,c,0\n'


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "index.json").write_text(json.dumps(INDEX))
    with gzip.open(tmp_path / "tiny.csv.gz", "wt", encoding="utf-8") as file:
        file.write(ROWS)
    return tmp_path


def test_kinds_come_from_the_index_and_only_the_empty_cell_is_missing(folder):
    tiny = load("tiny", folder)
    assert tiny.frame["code"].cat.categories.tolist() == ["10", "2", "none"]
    assert tiny.frame["code"].isna().tolist() == [False, False, True, False]
    assert tiny.frame["size"].isna().tolist() == [False, True, False, False]
    assert tiny.frame["hits"].tolist() == [3, 0, 7, 1]
    assert tiny.frame["words"].tolist() == ["a, b", "none", "", "c"]
    assert tiny.y.tolist() == ["1", "0", "1", "0"]
    assert tiny.target == "label"
    assert list(tiny.X.columns) == ["code", "size", "hits", "words"]
    assert tiny.kinds["hits"] == "count"
    assert tiny.description.startswith("A tiny table: 4 rows")


def test_a_part_of_the_rows_keeps_the_declared_domain(folder):
    part = load("tiny", folder).X.iloc[:1]
    assert part["code"].cat.categories.tolist() == ["10", "2", "none"]


def test_the_environment_variable_names_the_folder(folder, monkeypatch):
    monkeypatch.setenv("CANDIDE_DATA", str(folder))
    assert len(load("tiny").frame) == 4
    assert {"tiny", "iris", "adult"} <= set(names())


def test_an_unknown_name_offers_the_closest_or_lists_the_known_ones(folder):
    with pytest.raises(ValueError, match=r"there is no data set 'tinny'; did you mean 'tiny'\?"):
        load("tinny", folder)
    with pytest.raises(ValueError, match="there are 'adult', "):
        load("0123", folder)


def test_a_folder_without_an_index_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no index\.json"):
        load("iris", tmp_path)


@pytest.mark.parametrize("index", ["{}", "[]", "no JSON", '{"datasets": [{}]}'])
def test_an_index_that_is_none_is_named(tmp_path, index):
    (tmp_path / "index.json").write_text(index)
    with pytest.raises(ValueError, match=r"index\.json is not the index of a data folder"):
        load("iris", tmp_path)


def test_an_index_that_disagrees_with_its_file_is_an_error(folder):
    (folder / "tiny.csv.gz").write_bytes(gzip.compress(b"other,columns\n1,2\n"))
    with pytest.raises(ValueError, match="its index says"):
        load("tiny", folder)


needs_data = pytest.mark.skipif("CANDIDE_DATA" not in os.environ, reason="CANDIDE_DATA names no data folder")


@needs_data
def test_every_set_of_the_folder_has_the_rows_columns_and_classes_its_index_counts():
    from pathlib import Path

    index = json.loads(Path(os.environ["CANDIDE_DATA"], "index.json").read_text())
    for entry in index["datasets"]:
        if entry["family"] == "tabular":
            got = load(entry["name"])
            assert got.X.shape == (entry["rows"], entry["attributes"])
            assert got.y.value_counts().to_dict() == entry["class_distribution"]
            assert int(got.X.isna().sum().sum()) == entry["missing_cells"]


@needs_data
def test_the_catalogue_of_openml_counts_the_rows_of_the_folder():
    for name, entry in LOCATIONS.items():
        assert len(load(name).frame) == entry.rows
