"""Learning structures: from batches, under limits of memory, and with what they refuse."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from tests import laws
from tests.structure.cases import STRUCTURES, made, table

from candide import NaiveBayes
from candide.distributions import Bins
from candide.estimator import Classifier
from candide.schema import tuples
from candide.structure import AveragedOneDependence, TreeAugmentedNB

every_structure = pytest.mark.parametrize("model", STRUCTURES, ids=str)


@every_structure
def test_batches_teach_what_the_whole_table_teaches(model: Classifier, tmp_path) -> None:
    case = table(90, seed=4)
    frame = case.X.assign(**{"class": case.y})
    frame["x"] = np.random.default_rng(0).normal(size=90).round(2)
    whole = clone(model).fit(frame, "class")
    frames = [frame[:30], frame[30:50], frame[50:]]
    laws.same_model(clone(model).fit(frames, "class"), whole, frame.drop(columns="class"))
    frame.to_csv(tmp_path / "table.csv", index=False)
    from_file = clone(model).fit(str(tmp_path / "table.csv"), "class")
    np.testing.assert_allclose(from_file.predict_proba(frame), whole.predict_proba(frame))
    with pytest.raises(ValueError, match=r"'x' holds numbers, which are cut by their values .* can be read only once"):
        clone(model).fit(iter(frames), "class")
    cut = {"distributions": {"x": whole.schema_.choice("x")}}
    once = clone(model).set_params(**cut).fit(iter(frames), "class")
    laws.same_statistics(laws.learnt(once), laws.learnt(whole))


@every_structure
def test_a_report_tells_every_column(model: Classifier) -> None:
    case = table(60, seed=2)
    frame = case.X.assign(**{"class": case.y})
    fitted = clone(model).fit(frame, "class")
    report = fitted.report(frame)
    assert [column["name"] for column in report.facts["columns"]] == list(case.X)
    assert all(column in report.html for column in case.X)


@pytest.mark.parametrize("model", [TreeAugmentedNB(), AveragedOneDependence(n=2)], ids=str)
def test_tables_beyond_the_limit_are_refused_before_they_are_counted(
    model: Classifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = table(60)
    fitted = made(model, case)
    before = laws.learnt(fitted)
    size = 8 * max(part.weight.size for part in fitted.statistics_.parts.values())
    monkeypatch.setattr(tuples, "MOST_BYTES", size - 1)
    with pytest.raises(
        ValueError, match=f"takes {size:,} bytes, more than the limit of {size - 1:,}: leave columns out"
    ):
        clone(model).fit(case.X, case.y)
    monkeypatch.setattr(tuples, "MOST_BYTES", size)
    late = case.X[:2].assign(s0=["new", "newer"])
    with pytest.raises(ValueError, match="more than the limit"):
        fitted.partial_fit(late, case.y[:2])
    laws.same_statistics(laws.learnt(fitted), before)


def test_a_density_cannot_be_counted_together() -> None:
    X = pd.DataFrame({"x": [1.0, 2.0, 3.0], "s": list("abc")})
    with pytest.raises(ValueError, match=r"column 'x' cannot have the distribution Normal.*use 'categorical', or bins"):
        TreeAugmentedNB(distributions={"x": "normal"}).fit(X, [0, 1, 1])
    steps = TreeAugmentedNB(distributions={"x": Bins("equal-width(2)", ordinal=True)})
    with pytest.raises(ValueError, match="ordinal"):
        steps.fit(X, [0, 1, 1])


def test_models_that_count_other_columns_together_do_not_add() -> None:
    case = table()
    with pytest.raises(ValueError, match="count different numbers of columns together"):
        made(TreeAugmentedNB(), case) + made(NaiveBayes(), case)
    with pytest.raises(ValueError, match="n=3: models have 1 or 2 super-parents"):
        made(AveragedOneDependence(n=3), case)
    with pytest.raises(ValueError, match="min_frequency=-1: a number of rows is not negative"):
        made(AveragedOneDependence(min_frequency=-1), case)


def test_late_levels_and_classes_arrive_and_leave() -> None:
    case = table(40)
    late = pd.DataFrame({"s0": ["z"], "s1": ["a"], "s2": [None], "s3": ["y"]})
    fitted = made(TreeAugmentedNB(), case)
    more = clone(fitted).fit(case.X, case.y).partial_fit(late, ["late"])
    assert more.classes_.tolist() == ["late", "maybe", "no", "yes"]
    laws.same_model(more.forget(late, ["late"]), fitted, case.X)
    with pytest.raises(ValueError, match="cannot forget"):
        fitted.forget(late, ["late"])


def test_a_tree_is_told_in_tables() -> None:
    case = table(60)
    for missing in ("ignore", "level"):
        fitted = made(TreeAugmentedNB(missing=missing), case)
        total = np.tile(fitted.model_.log_prior, (len(case.X), 1))
        cells = case.X.astype(object).where(case.X.notna(), None)
        for form in fitted.model_.forms:
            columns = [cells.iloc[:, j].tolist() for j in form.columns]
            rows = np.empty(len(cells), dtype=object)
            rows[:] = columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))
            total += form(rows)
        np.testing.assert_allclose(total, fitted.predict_joint_log_proba(case.X), rtol=1e-10)


def test_another_library_finds_the_same_tree_and_probabilities() -> None:
    gum = pytest.importorskip("pyagrum", reason="pyagrum is not installed")
    skbn = pytest.importorskip("pyagrum.skbn", reason="pyagrum is not installed")
    case = table(400, seed=11, missing=0.0, columns=5)
    mine = made(TreeAugmentedNB(), case)
    types = pytest.importorskip("pyagrum.lib.discreteTypeProcessor", reason="pyagrum is not installed")
    kinds = types.DiscreteTypeProcessor()
    theirs = skbn.BNClassifier(type_processor=kinds, learningMethod="TAN", prior="Smoothing", priorWeight=1)
    theirs.fit(case.X, case.y)
    called = {node: theirs.bn_.variable(node).name() for node in theirs.bn_.nodes()}
    arcs = {frozenset((called[a], called[b])) for a, b in theirs.bn_.arcs()}
    assert {frozenset(edge) for edge in mine.parents_.items() if edge[1]} <= arcs
    assert gum is not None
    # one is added to every cell; their edges may point the other way, which moves the pseudo-counts a little
    np.testing.assert_allclose(theirs.predict_proba(case.X), mine.predict_proba(case.X), atol=0.05)


@pytest.mark.parametrize("make", [TreeAugmentedNB, AveragedOneDependence])
def test_dates_of_which_none_is_known_are_drawn_as_such(make: type[TreeAugmentedNB]) -> None:
    X = pd.DataFrame({"d": pd.to_datetime([None, None, None]), "c": list("uvu")})
    drawn, _ = make().fit(X, [0, 1, 1]).sample(5, random_state=0)
    assert drawn["d"].isna().all()
    assert set(drawn["c"]) <= set("uv")
