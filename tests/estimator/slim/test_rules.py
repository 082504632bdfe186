"""Laws of slim models over the registries: whatever is fitted is slimmed, or refused for a reason that is told."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import candide
from candide import NaiveBayes, combination, distributions, presets, smoothing, structure
from candide.cli.app import app
from candide.combination import Outlier, Sum
from candide.estimator.format.entries import ModelFileError
from candide.estimator.slim import Slim
from candide.estimator.slim.cells import joined_codes
from candide.estimator.slim.format.packing import pack
from candide.scoring.decision import cost_matrix

ROWS, NEW = 4000, 500
TENTH = 0.1


def table(n: int, seed: int, n_classes: int = 3) -> pd.DataFrame:
    """Return positive numbers, counts, switches, levels that go together, gaps, and labels."""
    rng, shapes = np.random.default_rng(seed), np.random.default_rng(42)
    y = rng.integers(0, n_classes, n)
    frame = {}
    for i in range(4):
        frame[f"x{i}"] = np.round(np.exp(rng.normal(size=n) / 2 + 0.6 * shapes.normal(size=n_classes)[y]), 2)
        frame[f"n{i}"] = rng.poisson(2 + 3 * shapes.random(n_classes)[y]).astype(float)
        frame[f"b{i}"] = (rng.random(n) < shapes.random(n_classes)[y]).astype(float)
        codes = (rng.integers(0, 4, n) + shapes.integers(0, 3, n_classes)[y] + (rng.random(n) < 0.3)) % 4
        frame[f"s{i}"] = np.array([f"level {'abcd'[c]}" for c in codes], dtype=object)
    out = pd.DataFrame(frame)
    out.loc[rng.random(n) < 0.05, "x0"] = np.nan
    out.loc[rng.random(n) < 0.05, "s0"] = None
    return out.assign(y=np.array(["first", "second", "third", "fourth"])[y])


FRAME, REST = table(ROWS, 0), table(NEW, 1).drop(columns="y")
COLUMNS = {
    "bernoulli": [f"b{i}" for i in range(4)],
    "multinomial": [f"n{i}" for i in range(4)],
    "poisson": [f"n{i}" for i in range(4)],
    "text": ["s0"],
    "categorical": [f"s{i}" for i in range(4)],
}
"""Which columns a distribution is of; of all others, those of positive numbers."""
SYMBOLS = [f"s{i}" for i in range(4)]


FAMILIES = {
    "y": ["s0", "x1"],
    "s1": ["y", "s0"],
    "n0": ["x0", "y"],
    "b0": ["n0", "s1"],
    "s2": ["y", "s1", "b0"],
    "x0": ["s3"],
    "n1": ["y"],
    "x2": ["n1"],
    "x3": ["x2"],
}
"""Parents of columns and of the class; x2 and x3 hang on the class by n1."""


def of_rule(name: str) -> NaiveBayes:
    return NaiveBayes(dict.fromkeys(COLUMNS.get(name, [f"x{i}" for i in range(4)]), name))


MAKES: dict[str, Callable[[], Any]] = {
    **{name: getattr(presets, name) for name in presets.__all__},
    **{f"distribution {rule.name}": lambda rule=rule: of_rule(rule.name) for rule in distributions.RULES},
    **{f"combination {rule.name}": lambda rule=rule: NaiveBayes(combination=rule()) for rule in combination.RULES},
    "outliers, uniform": lambda: NaiveBayes(combination=Outlier(0.1, "uniform"), missing="level"),
    "outliers of densities": lambda: NaiveBayes("normal", combination="outlier", missing="level"),
    **{
        f"smoothing {rule.name}": lambda rule=rule: NaiveBayes(smoothing=rule())
        for rule in smoothing.RULES
        if all(p.default is not p.empty for p in inspect.signature(rule).parameters.values())
        if rule.name not in ("decomposable", "backoff")
    },
    **{f"missing {name}": lambda name=name: NaiveBayes(missing=name) for name in ("ignore", "level")},
    "unseen error": lambda: NaiveBayes(unseen="error"),
    "temperature": lambda: NaiveBayes(weights="temperature"),
    "costs": lambda: NaiveBayes(costs=[[0, 5, 5], [1, 0, 5], [1, 1, 0]]),
    "a group": lambda: NaiveBayes(groups=[SYMBOLS[:2]]),
    "two groups": lambda: NaiveBayes(groups=[SYMBOLS[:2], SYMBOLS[2:]], missing="level"),
    "a group of numbers": lambda: NaiveBayes({"x1": "bins"}, groups=[["s1", "x1"]]),
    "a density within a group": lambda: NaiveBayes({"x1": "normal"}, groups=[["s1", "x1"]]),
    "a line within a group": lambda: NaiveBayes({"x1": "gamma"}, groups=[["x1", "s1", "s2"]]),
    **{
        f"a group by {rule.name}": lambda rule=rule: NaiveBayes(groups=[SYMBOLS[:2]], combination=rule())
        for rule in combination.RULES
    },
    "outliers within a group": lambda: NaiveBayes({"x1": "normal"}, groups=[["s1", "x1"]], combination="outlier"),
    **{name: getattr(structure, name) for name in structure.__all__},
    "backing off": lambda: structure.TreeAugmentedNB(smoothing="backoff", missing="level"),
    "a network of some": lambda: structure.BayesNetwork({name: ["y"] for name in ("x0", "x1", "n0", "b0", "s0", "s1")}),
    "a network": lambda: structure.BayesNetwork(learn="chow-liu"),
    "a network of families": lambda: structure.BayesNetwork(FAMILIES),
    "a network of missing levels": lambda: structure.BayesNetwork(FAMILIES, missing="level"),
}
AVERAGES = {
    "AveragedOneDependence": structure.AveragedOneDependence,
    "all trees": lambda: structure.TreeAugmentedNB(smoothing="indifferent", average_trees=True),
    "two super-parents": lambda: structure.AveragedOneDependence(n=2, distributions="equal-frequency(3)"),
    "averages of missing levels": lambda: structure.AveragedOneDependence(missing="level", smoothing="backoff"),
    "averages that exclude": lambda: structure.AveragedOneDependence(smoothing="none", min_frequency=20),
    "a tuned average": lambda: structure.AveragedOneDependence(weights="temperature"),
}
MAKES |= AVERAGES
SOME_AVERAGE = "AveragedOneDependence"
"""That the command slims, too: each takes some seconds."""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("make", MAKES)
def test_whatever_is_fitted_is_slimmed_or_refused_in_a_line(make: str, tmp_path: Path) -> None:
    nb = MAKES[make]().fit(FRAME, "y")
    small = nb.slim()
    assert isinstance(small, Slim)
    assert small.share <= TENTH
    assert (small.predict(REST) == nb.predict(REST)).mean() > 0.95
    nb.save(tmp_path / "whole.json")
    small.save(tmp_path / "slim.json")
    assert (tmp_path / "slim.json").stat().st_size <= TENTH * (tmp_path / "whole.json").stat().st_size
    again = candide.load(tmp_path / "slim.json")
    np.testing.assert_array_equal(again.predict_proba(REST), small.predict_proba(REST))
    np.testing.assert_array_equal(again.predict(REST), small.predict(REST))
    assert small.left_out[-1].startswith("counts and values: it cannot learn")
    if make in AVERAGES:
        (of_mean,) = (line for line in small.left_out if line.startswith("the mean of models, of which there is a sum"))
        assert "of 120 pairs" in of_mean
        assert any(line.startswith("digits and pairs: probabilities lie within") for line in small.left_out)
        if make != SOME_AVERAGE:
            return
    told = CliRunner().invoke(app, ["slim", str(tmp_path / "whole.json"), "-o", str(tmp_path / "told.json")])
    assert told.exit_code == 0, told.output
    np.testing.assert_array_equal(candide.load(tmp_path / "told.json").predict_proba(REST), small.predict_proba(REST))


NEAR = [make for make in MAKES if make not in (*AVERAGES, "a network of families") and "group" not in make]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("make", NEAR)
def test_tables_score_as_the_whole_whatever_the_rule(make: str) -> None:
    nb = MAKES[make]().fit(FRAME, "y")
    np.testing.assert_allclose(nb.slim(rare=0, within=1e-3).predict_proba(REST), nb.predict_proba(REST), atol=4e-3)


@pytest.mark.parametrize("rule", combination.RULES, ids=lambda rule: rule.name)
@pytest.mark.parametrize("missing", ["ignore", "level"])
def test_groups_score_as_the_whole_where_a_part_is_known(rule: type[combination.Combination], missing: str) -> None:
    nb = NaiveBayes("bins", groups=[["s0", "x0"]], combination=rule(), missing=missing).fit(FRAME, "y")
    X = REST.assign(s0=np.resize(["level a", None, "level b"], NEW), x0=np.resize([1.0, 0.5, np.nan, np.nan], NEW))
    np.testing.assert_allclose(nb.slim(rare=0, within=1e-3).predict_proba(X), nb.predict_proba(X), atol=4e-3)


def test_densities_within_groups_score_as_the_whole_where_the_combination_is_known() -> None:
    nb = NaiveBayes({"x1": "normal"}, groups=[["s1", "x1"]]).fit(FRAME, "y")
    X = REST.assign(x1=REST["x1"].where(np.arange(NEW) % 3 > 0))
    small = nb.slim(rare=0, within=1e-3)
    np.testing.assert_allclose(small.predict_proba(X), nb.predict_proba(X), atol=4e-3)
    assert "what groups say of which a part is not known: s1 × x1" in small.left_out


NETWORK_COLUMNS = [*FAMILIES, "s0", "x1", "s3"]


@pytest.mark.parametrize("missing", ["ignore", "level"])
def test_networks_score_as_the_whole_unless_several_columns_hang_on_what_is_unknown(missing: str) -> None:
    frame = FRAME[[name for name in FRAME if name in NETWORK_COLUMNS]]
    nb = structure.BayesNetwork(FAMILIES, missing=missing).fit(frame, "y")
    small = nb.slim(rare=0, within=1e-4)
    X = REST[[name for name in frame if name != "y"]].assign(x0=1.0, s0="level b")
    every = ["n1", "x2"], ["n1"], ["x2"], ["x3"], ["s2"], ["x1"], []
    for names in every if missing == "ignore" else [[]]:
        gaps = X.assign(**dict.fromkeys(names, None))
        np.testing.assert_allclose(small.predict_proba(gaps), nb.predict_proba(gaps), atol=1e-3, err_msg=str(names))
    assert small.left_out[0].startswith("sums over cells that are unknown")
    many = X.assign(n1=np.nan, s1=None, n0=np.nan)
    off = np.abs(small.predict_proba(many) - nb.predict_proba(many))
    assert off.mean() < 0.05


def test_networks_of_many_classes_and_levels_are_a_tenth(tmp_path: Path) -> None:
    """Most of their counts are zeros, which cost the whole file nothing: chances of two columns say so as well."""
    rng, shapes = np.random.default_rng(0), np.random.default_rng(1)
    y = rng.integers(0, 26, 3000)
    codes = (shapes.integers(0, 16, (26, 4))[y] + rng.geometric(0.35, (3000, 4))) % 16
    X = pd.DataFrame({f"c{j}": [f"{v:02d}" for v in codes[:, j]] for j in range(4)})
    chain = {"c0": ["class"], "c1": ["class", "c0"], "c2": ["class", "c1"], "c3": ["class", "c2"]}
    nb = structure.BayesNetwork(chain).fit(X, y.astype(str))
    assert nb.slim(within=0.01).share > 1
    small = nb.slim()
    assert small.share <= TENTH
    assert small.roots is not None
    assert (small.predict(X) == nb.predict(X)).mean() > 0.75
    small.save(tmp_path / "slim.json")
    gaps = X.assign(c1=None, c3=[None, *X["c3"][1:]])
    for rows in (X, gaps):
        again = candide.load(tmp_path / "slim.json").predict_proba(rows)
        np.testing.assert_array_equal(again, small.predict_proba(rows))
    assert (small.predict(gaps) == nb.predict(gaps)).mean() > 0.7


@pytest.mark.parametrize("rule", ["laplace", "indifferent"])
def test_the_sum_of_an_average_answers_better_than_columns_apart(rule: str) -> None:
    """Two switches whose difference is the class tell nothing apart: only the pair does."""
    rng = np.random.default_rng(0)
    a, b, c = (rng.integers(0, 2, 3000) for _ in range(3))
    y = (a ^ b) ^ (rng.random(3000) < 0.1)
    X = pd.DataFrame({"a": a, "b": b, "c": c}).astype(bool)
    make = structure.AveragedOneDependence if rule == "laplace" else structure.TreeAugmentedNB
    more = {} if rule == "laplace" else {"average_trees": True}
    nb = make(smoothing=rule, **more).fit(X, y)
    assert (NaiveBayes().fit(X, y).slim().predict(X) == nb.predict(X)).mean() < 0.7
    small = nb.slim(within=0.01)
    assert (small.predict(X) == nb.predict(X)).all()
    np.testing.assert_allclose(small.predict_proba(X), nb.predict_proba(X), atol=0.03)


@pytest.mark.parametrize(
    "nb",
    [structure.AveragedOneDependence(), structure.TreeAugmentedNB(smoothing="indifferent", average_trees=True)],
    ids=repr,
)
def test_an_average_without_a_pair_is_what_columns_say_alone(nb: structure.AveragedOneDependence) -> None:
    y = np.random.default_rng(0).integers(0, 2, 300)
    X = pd.DataFrame({"a": np.where(y, "u", "v"), "nothing": pd.Series([None] * 300, dtype=object)})
    np.testing.assert_allclose(nb.fit(X, y).slim(within=0.01).predict_proba(X), nb.predict_proba(X), atol=0.01)


def test_what_hangs_on_a_column_says_something_of_the_class_where_that_is_unknown() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 2000)
    frame = pd.DataFrame({"a": (y + (rng.random(2000) < 0.2)) % 2, "y": y})
    frame["b"] = (frame["a"] + (rng.random(2000) < 0.2)) % 2
    frame = frame.astype({"a": bool, "b": bool})
    nb = structure.BayesNetwork({"a": ["y"], "b": ["a"]}).fit(frame, "y")
    X = pd.DataFrame({"a": [True, True, None, None], "b": [False, True, True, False]}, dtype=object)
    proba = nb.slim(rare=0, within=1e-4).predict_proba(X)
    np.testing.assert_allclose(proba, nb.predict_proba(X), atol=1e-3)
    assert proba[0, 0] == proba[1, 0]
    assert abs(proba[2, 0] - proba[3, 0]) > 0.2


def test_the_decision_of_costs_goes_with_it(tmp_path: Path) -> None:
    costs = {"first": {"second": 9, "third": 1}, "second": {"first": 1, "third": 1}, "third": {"first": 1, "second": 9}}
    plain, nb = NaiveBayes().fit(FRAME, "y"), NaiveBayes(costs=costs).fit(FRAME, "y")
    nb.slim().save(tmp_path / "slim.json")
    small = candide.load(tmp_path / "slim.json")
    np.testing.assert_array_equal(small.costs, cost_matrix(costs, nb.classes_))
    assert (small.predict(REST) == nb.predict(REST)).mean() > 0.99
    assert (small.predict(REST) == plain.predict(REST)).mean() < 0.98
    np.testing.assert_array_equal(small.predict_proba(REST), plain.slim().predict_proba(REST))


def test_forms_of_many_columns_find_rows_that_are_alike() -> None:
    """Codes of forty columns together are larger than whole numbers are."""
    rng = np.random.default_rng(0)
    codes = [rng.integers(0, 9, 50) for _ in range(40)]
    together = joined_codes(codes)
    assert len(np.unique(together)) == 50
    assert together.min() >= 0


def test_sums_count_what_all_classes_share(tmp_path: Path) -> None:
    """Of a product a cell may be told less what is the same for all classes, of a sum it may not."""
    frame = pd.DataFrame({"a": ["u"] * 90 + ["v"] * 10, "b": ["u", "v"] * 50, "y": ["p", "p", "q", "p", "q"] * 20})
    nb = NaiveBayes(combination="sum").fit(frame, "y")
    nb.slim(within=1e-4).save(tmp_path / "slim.json")
    small = candide.load(tmp_path / "slim.json")
    assert small.combination == Sum()
    np.testing.assert_allclose(small.predict_proba(frame), nb.predict_proba(frame), atol=1e-3)


def test_rows_that_no_class_allows_go_to_the_fewest_zeros() -> None:
    frame = pd.DataFrame({"a": ["u"] * 50 + ["v"] * 50, "b": ["u"] * 60 + ["v"] * 40, "c": ["u"] * 50 + ["v"] * 50})
    nb = presets.RobustNB().fit(frame, ["p"] * 50 + ["q"] * 50)
    X = pd.DataFrame({"a": ["u", "v"], "b": ["v", "v"], "c": ["v", "u"]})
    assert nb.impossible(X).all()
    np.testing.assert_array_equal(nb.slim().predict_proba(X), nb.predict_proba(X))


def test_rare_combinations_and_rare_levels_of_trees_are_in_no_file() -> None:
    frame = FRAME[[*SYMBOLS, "y"]].copy()
    frame.loc[:1, "s1"] = "Pangloss"
    frame.loc[5:7, ["s2", "s3"]] = ["level c", "Martin"]
    tree = structure.TreeAugmentedNB().fit(frame, "y").slim()
    told = [of for form in tree.forms for of in [form.levels, *getattr(form, "domains", ())] if of is not None]
    assert not any(name in str(of.tolist()) for of in told for name in ("Pangloss", "Martin"))
    few = pd.DataFrame({"a": ["r", "s"] * 500, "b": ["u", "v"] * 500, "y": ["p", "q"] * 500})
    few.loc[:2, "b"] = "v"
    few.loc[4, "a"] = "s"
    nb = NaiveBayes(groups=[["a", "b"]]).fit(few, "y")
    small = nb.slim()
    assert "combinations of fewer than 5 rows: 2 of a × b" in small.left_out
    (form,) = small.forms
    assert {("r", "v"), ("s", "u")}.isdisjoint(form.levels.tolist())
    assert nb.slim(rare=0).left_out[0].startswith("digits")


def test_errors_of_unknown_levels_are_left_out_and_that_is_said() -> None:
    assert (
        "errors: a level that is not known says nothing" in NaiveBayes(unseen="error").fit(FRAME, "y").slim().left_out
    )


def classes_of_few_rows(n: int, n_classes: int, seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Return numbers and levels of hundreds of classes."""
    rng, shapes = np.random.default_rng(seed), np.random.default_rng(42)
    y = rng.permutation(np.arange(n) % n_classes)
    frame = pd.DataFrame(rng.normal(size=(n, 6)) + 1.5 * shapes.normal(size=(n_classes, 6))[y]).round(1)
    frame["s"] = [f"level {c}" for c in (rng.geometric(0.3, n) + y) % 9]
    return frame.rename(columns=str), np.array([f"class {c:03d}" for c in y])


@pytest.mark.parametrize("rule", ["auto", "normal", "student", "bins", "kde"])
def test_hundreds_of_classes_of_few_rows_are_a_tenth(rule: str, tmp_path: Path) -> None:
    X, y = classes_of_few_rows(4000, 250, 0)
    nb = NaiveBayes({str(j): rule for j in range(6)}).fit(X, y)
    small = nb.slim()
    assert small.share <= TENTH
    new, labels = classes_of_few_rows(1000, 250, 1)
    at = np.searchsorted(nb.classes_, labels)
    ours, theirs = (model.predict_log_proba(new)[np.arange(1000), at].mean() for model in (small, nb))
    assert ours > theirs - 0.2
    assert (rule != "auto") or any("of them is another; their log-loss is 0." in of for of in small.left_out)
    small.save(tmp_path / "slim.json")
    np.testing.assert_array_equal(candide.load(tmp_path / "slim.json").predict_proba(new), small.predict_proba(new))


@pytest.mark.parametrize("smoothing", ["laplace", "backoff"])
@pytest.mark.parametrize("missing", ["ignore", "level"])
def test_trees_of_few_columns_are_a_tenth(smoothing: str, missing: str, tmp_path: Path) -> None:
    """Their levels are told once, and what columns are together by a grid."""
    columns = ["x0", "x1", "n0", "s0", "s1", "s2", "s3"]
    nb = structure.TreeAugmentedNB(smoothing=smoothing, missing=missing).fit(FRAME[[*columns, "y"]], "y")
    small = nb.slim()
    assert small.share <= TENTH
    assert (small.predict(REST[columns]) == nb.predict(REST[columns])).mean() > 0.93
    small.save(tmp_path / "slim.json")
    again = candide.load(tmp_path / "slim.json")
    X = REST[columns].assign(s1=np.resize(["level a", None, "unheard of"], NEW))
    np.testing.assert_array_equal(again.predict_proba(X), small.predict_proba(X))


def told_otherwise(small: Slim, change: Callable[[dict[str, Any]], None], path: Path) -> None:
    """Write a file whose text was changed, and read it."""

    def changed(told: dict[str, Any], numbers: Any) -> str:
        change(told)
        return pack(told, numbers)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("candide.estimator.slim.slim.pack", changed)
        small.save(path)
    candide.load(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda told: told.update(costs=[[0, 1], [1, 0]]),
        lambda told: told.update(combination={"rule": "candide.combination.Outlier", "params": {}}),
        lambda told: told["forms"][-1].update(grid=[7, 9]),
        lambda told: told["forms"][-1].update(grid=[["a", "a"], ["b"]]),
        lambda told: told["forms"][-1].update(grid=[["a"]]),
        lambda told: told["forms"][-1].update(grid=[{"cuts": [2, 1]}, ["b"]]),
        lambda told: told.update(roots=[1, 2, 3, 4]),
        lambda told: told["forms"][-1].update(given=[1.0]),
        lambda told: told["forms"][-1].update(given=[1.0, -1]),
        lambda told: told["forms"][-1].update(given=["much", 0]),
    ],
)
def test_files_that_tell_no_grid_rule_or_costs_are_refused(
    change: Callable[[dict[str, Any]], None], tmp_path: Path
) -> None:
    small = structure.TreeAugmentedNB().fit(FRAME[[*SYMBOLS, "y"]], "y").slim(within=0.01)
    assert any(len(form.columns) > 1 for form in small.forms[-1:])
    with pytest.raises(ModelFileError):
        told_otherwise(small, change, tmp_path / "slim.json")
