"""Scikit-learn's own words: its checks of estimators, and its tests of these five classes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from sklearn.utils.estimator_checks import check_estimator
from tests.naive_bayes.drop_ins import NAMES, ours, theirs

import candide.naive_bayes


def test_scikit_learns_own_tests_pass(tmp_path):
    plugin = "in_place_of_sklearn"
    command = [sys.executable, "-m", "pytest", "-q", "-p", plugin, "-p", "no:cacheprovider", "-p", "no:xdist"]
    done = subprocess.run(
        [*command, "--pyargs", "sklearn.tests.test_naive_bayes"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    summary = done.stdout.strip().splitlines()[-1]
    assert done.returncode == 0, done.stdout[-3000:]
    assert int(summary.split(" passed")[0].split()[-1]) >= 80


@pytest.mark.filterwarnings("ignore")  # scikit-learn's checks call with odd arguments on purpose
@pytest.mark.parametrize("name", NAMES)
def test_check_estimator(name):
    results = check_estimator(ours(name), on_skip=None, on_fail=None)
    failed = {r["check_name"]: repr(r["exception"]) for r in results if r["status"] == "failed"}
    assert not failed
    assert sum(r["status"] == "passed" for r in results) >= 60


@pytest.mark.parametrize("name", NAMES)
def test_parameters_are_scikit_learns(name):
    assert ours(name).get_params() == theirs(name).get_params()
    assert repr(ours(name)) == repr(theirs(name))


@pytest.mark.parametrize("name", NAMES)
def test_nothing_of_scikit_learns_classifiers_is_inherited(name):
    modules = {base.__module__ for base in getattr(candide.naive_bayes, name).__mro__}
    assert not any(module.startswith("sklearn.naive_bayes") for module in modules)
