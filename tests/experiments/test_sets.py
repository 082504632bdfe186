"""Many data sets: the same results for any number of processes, absent sets named."""

import pandas as pd
import pytest

from candide.evaluate import workers
from candide.experiments.sets import Settings, missing_note, over_sets
from candide.presets import LaplaceNB

MODELS = {"laplace": LaplaceNB()}


def test_absent_sets_are_left_out_and_named():
    results, missing = over_sets({"IRIS": "iris", "SECRET": "no_such_set"}, MODELS, (0.1, 1.0), Settings())
    assert results["dataset"].unique().tolist() == ["IRIS"]
    assert results["train_fraction"].unique().tolist() == [0.1, 1.0]
    assert not any(column.endswith("seconds") for column in results.columns)
    (note,) = missing_note(missing)
    assert note.startswith("SECRET is left out: there is no data set 'no_such_set'")


def test_nothing_to_learn_from_is_an_error():
    with pytest.raises(ValueError, match="none of the data sets could be loaded: there is no"):
        over_sets({"SECRET": "no_such_set"}, MODELS, (1.0,), Settings())


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
