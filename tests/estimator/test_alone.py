"""A command imports what it uses; what stands in for scikit-learn's contract there does as it does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone

from candide import NaiveBayes
from candide.distributions import Bins
from candide.estimator import alone

HEAVY = ("sklearn", "scipy", "pandas", "polars", "narwhals", "pyarrow", "matplotlib")


def imported(tmp_path, *arguments: str) -> set[str]:
    """Return the heavy libraries that a command has imported when it ends."""
    code = (
        "import sys\nfrom candide.cli import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
        f"print(*[name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    found = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    return set(found.stderr.split("\n")[-2].split())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = ["wheels,energy,desk", "2,petrol,bike", "4,petrol,car", "4,diesel,car", "6,diesel,truck"]
    (tmp_path / "t.csv").write_text("\n".join(rows) + "\n")
    import pandas as pd

    NaiveBayes().fit(pd.read_csv(tmp_path / "t.csv"), "desk").save(tmp_path / "m.json")
    return tmp_path


def test_predicting_a_few_rows_imports_no_heavy_library(folder):
    assert imported(folder, "predict", "m.json", "t.csv", "-o", "out.csv") == set()


@pytest.mark.parametrize(
    "command", ["merge m.json m.json -o two.json", "fit t.csv -t desk -o f.json", "update m.json t.csv"]
)
def test_commands_that_meet_no_other_estimator_leave_scikit_learn_alone(folder, command):
    assert "sklearn" not in imported(folder, *command.split())


def test_a_command_that_meets_others_has_scikit_learn(folder):
    text = (folder / "t.csv").read_text().splitlines()
    (folder / "more.csv").write_text("\n".join([text[0], *text[1:] * 4]))
    assert "sklearn" in imported(
        folder, "evaluate", "more.csv", "-t", "desk", "--folds", "2", "-m", "sklearn.GaussianNB"
    )


class Twin(alone.ClassifierMixin, alone.BaseEstimator):
    """An estimator with the parameters of `NaiveBayes`, on what stands in for scikit-learn's contract."""

    __init__ = NaiveBayes.__init__

    def predict(self, X):
        return np.asarray(X)[:, 0]


def test_parameters_are_those_of_scikit_learn():
    given = {"distributions": Bins(3), "smoothing": "none", "costs": {"a": {"b": 1}}}
    one, other = Twin(**given), NaiveBayes(**given)
    assert one.get_params(deep=False) == other.get_params(deep=False)
    assert Twin._get_param_names() == NaiveBayes._get_param_names()
    one.set_params(smoothing="laplace", distributions__discretizer=4)
    assert (one.smoothing, one.distributions) == ("laplace", Bins(4))
    with pytest.raises(ValueError, match="no parameter 'smoothness'"):
        one.set_params(smoothness=1)


def test_a_clone_is_its_own_and_has_learnt_nothing():
    one = Twin(costs={"a": {"b": 1}})
    copy, expected = alone.clone(one), clone(NaiveBayes(costs=one.costs))
    assert copy.get_params(deep=False) == expected.get_params(deep=False)
    assert copy.costs is not one.costs


def test_the_accuracy_weighs_rows():
    X = np.array([[0], [1], [1]])
    assert Twin().score(X, [0, 1, 0]) == pytest.approx(2 / 3)
    assert Twin().score(X, [0, 1, 0], sample_weight=[1, 1, 2]) == 0.5
