"""Many data sets: the same results for any number of processes, absent sets named, readings that change the rows."""

from itertools import pairwise

import pandas as pd
import pytest

from candide.evaluate import workers
from candide.experiments.sets import PartialRunWarning, Sets, Settings, Validation, over_sets
from candide.presets import LaplaceNB

MODELS = {"laplace": LaplaceNB()}
STRICT = {"strict": Validation()}


def test_absent_sets_are_left_out_and_named_where_a_partial_run_is_wanted():
    names = {"IRIS": "iris", "SECRET": "no_such_set"}
    with pytest.warns(PartialRunWarning, match="1 of 2 data sets cannot be had: SECRET"):
        sets = Sets.load(names, Settings(partial=True))
    results = over_sets(sets, MODELS, (0.1, 1.0), STRICT, Settings(), 2)
    assert results["dataset"].unique().tolist() == ["IRIS"]
    assert results["train_fraction"].unique().tolist() == [0.1, 1.0]
    assert not any(column.endswith("seconds") for column in results.columns)
    (note,) = sets.notes
    assert note.startswith("SECRET is left out: there is no data set 'no_such_set'")
    assert sets.titled("Reproduced") == "Reproduced on 1 of 2 data sets"


def test_absent_sets_are_an_error_otherwise():
    names = {"IRIS": "iris", "SECRET": "no_such_set", "PRIVATE": "none_either"}
    with pytest.raises(ValueError, match=r"2 of 3 data sets cannot be had: SECRET, PRIVATE .*partial=True"):
        Sets.load(names, Settings())


def test_a_set_of_the_index_whose_file_is_gone_is_named(tmp_path):
    (tmp_path / "index.json").write_text(
        '{"datasets": [{"name": "iris", "file": "iris.csv.gz", "columns": []}]}', encoding="utf-8"
    )
    with pytest.raises(ValueError, match=r"1 of 2 data sets cannot be had: IRIS \(IRIS: .*iris\.csv\.gz: No such file"):
        Sets.load({"IRIS": "iris", "WINE": "wine"}, Settings(data=tmp_path))


@pytest.mark.parametrize("partial", [True, False])
def test_nothing_to_learn_from_is_an_error(partial):
    with pytest.raises(ValueError, match=r"1 of 1 data sets .*: SECRET .*there is no data set 'no_such_set'"):
        Sets.load({"SECRET": "no_such_set"}, Settings(partial=partial))


@pytest.fixture(scope="module")
def sets():
    return Sets.load({"IRIS": "iris", "WINE": "wine"}, Settings())


def test_the_digest_tells_data_apart(sets):
    assert sets.digest == Sets.load({"IRIS": "iris", "WINE": "wine"}, Settings()).digest
    assert sets.digest != Sets.load({"IRIS": "iris"}, Settings()).digest
    assert sets.titled("Reproduced") == "Reproduced"


def test_columns_can_be_left_out(sets):
    columns = list(sets.tables["IRIS"].X.columns[2:])
    validations = {"strict": Validation(), "part": Validation(left_out={sets.tables["IRIS"].name: columns})}
    means = (
        over_sets(sets, MODELS, (1.0,), validations, Settings(), 2).groupby(["dataset", "reading"])["accuracy"].mean()
    )
    assert means["IRIS", "part"] < means["IRIS", "strict"]
    assert means["WINE", "part"] == means["WINE", "strict"]


def test_numbers_can_be_taken_as_symbols(sets):
    X, _ = Validation(symbols=True).table(sets.tables["IRIS"])
    assert all(isinstance(dtype, pd.CategoricalDtype) for dtype in X.dtypes)
    assert len(X.iloc[:, 0].cat.categories) == sets.tables["IRIS"].X.iloc[:, 0].nunique()


def test_cut_points_can_be_those_of_all_rows(sets):
    X, y = Validation(cuts="all").table(sets.tables["IRIS"])
    model = Validation(cuts="all").model(LaplaceNB(), X, y)
    name = X.columns[0]
    few = model.fit(X[:90], y[:90]).schema_.choice(name)
    assert few == LaplaceNB().fit(X, y).schema_.choice(name)
    assert few != LaplaceNB().fit(X[:90], y[:90]).schema_.choice(name)


def test_random_test_sets_are_a_tenth_and_no_learning_rows():
    splits = Validation(random=True).splits(194, seed=0, repeats=3)
    assert len(splits) == 30
    for train, test in splits:
        assert len(test) == 19
        assert sorted([*train, *test]) == list(range(194))
    assert any((a[1] != b[1]).any() for a, b in pairwise(splits))


def test_the_number_of_processes_changes_no_digit(monkeypatch, sets):
    alone = over_sets(sets, MODELS, (0.5, 1.0), STRICT, Settings(n_jobs=1), 2)
    monkeypatch.setattr(workers, "WORTH_SECONDS", 0.0)
    together = over_sets(sets, MODELS, (0.5, 1.0), STRICT, Settings(n_jobs=2), 2)
    pd.testing.assert_frame_equal(alone, together, check_exact=True)
