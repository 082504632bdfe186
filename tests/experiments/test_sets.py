"""Many data sets: the same results for any number of processes, absent sets named."""

import pandas as pd
import pytest

from candide.evaluate import workers
from candide.experiments.sets import PartialRunWarning, Settings, missing_note, over_sets, titled
from candide.presets import LaplaceNB

MODELS = {"laplace": LaplaceNB()}


def test_absent_sets_are_left_out_and_named_where_a_partial_run_is_wanted():
    sets = {"IRIS": "iris", "SECRET": "no_such_set"}
    with pytest.warns(PartialRunWarning, match="1 of 2 data sets cannot be had: SECRET"):
        results, missing = over_sets(sets, MODELS, (0.1, 1.0), Settings(partial=True))
    assert results["dataset"].unique().tolist() == ["IRIS"]
    assert results["train_fraction"].unique().tolist() == [0.1, 1.0]
    assert not any(column.endswith("seconds") for column in results.columns)
    (note,) = missing_note(missing)
    assert note.startswith("SECRET is left out: there is no data set 'no_such_set'")


def test_absent_sets_are_an_error_otherwise():
    sets = {"IRIS": "iris", "SECRET": "no_such_set", "PRIVATE": "none_either"}
    with pytest.raises(ValueError, match=r"2 of 3 data sets cannot be had: SECRET, PRIVATE .*partial=True"):
        over_sets(sets, MODELS, (1.0,), Settings())


@pytest.mark.parametrize("partial", [True, False])
def test_nothing_to_learn_from_is_an_error(partial):
    with pytest.raises(ValueError, match=r"1 of 1 data sets .*: SECRET .*there is no data set 'no_such_set'"):
        over_sets({"SECRET": "no_such_set"}, MODELS, (1.0,), Settings(partial=partial))


def test_a_title_says_how_many_sets_there_were():
    assert titled("Reproduced", {}, 2) == "Reproduced"
    assert titled("Reproduced", {"SECRET": "gone"}, 2) == "Reproduced on 1 of 2 data sets"


def test_columns_can_be_left_out():
    whole, _ = over_sets({"IRIS": "iris"}, MODELS, (1.0,), Settings())
    names = ["petal length (cm)", "petal width (cm)", "petal-length", "petal-width"]
    from candide.datasets import load

    here = [name for name in names if name in load("iris").X.columns]
    part, _ = over_sets({"IRIS": "iris"}, MODELS, (1.0,), Settings(), {"iris": here})
    assert part["accuracy"].mean() < whole["accuracy"].mean()


def test_the_number_of_processes_changes_no_digit(monkeypatch):
    sets = {"IRIS": "iris", "WINE": "wine"}
    alone, _ = over_sets(sets, MODELS, (0.5, 1.0), Settings(n_jobs=1))
    monkeypatch.setattr(workers, "WORTH_SECONDS", 0.0)
    together, _ = over_sets(sets, MODELS, (0.5, 1.0), Settings(n_jobs=2))
    pd.testing.assert_frame_equal(alone, together, check_exact=True)
