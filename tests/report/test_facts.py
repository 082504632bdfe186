"""Facts: what is told of a model is what the model computes, whatever it is made of."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from scipy.special import polygamma
from sklearn.metrics import brier_score_loss, confusion_matrix, log_loss, roc_auc_score
from tests.report.models import dated, many, mixed, passengers, tables
from tests.strategies import COMBINATIONS, KINDS, PRESETS, SMOOTHING, learning_table

from candide import NaiveBayes, TunedNB
from candide.combination import log_posterior
from candide.report import evidence, facts
from candide.report.extremes import extremes
from candide.report.sentences import moved, scored
from candide.smoothing import Lidstone
from candide.structure import AveragedOneDependence, TreeAugmentedNB
from candide.text import TextNB


def by_name(told):
    return {column["name"]: column for column in told["columns"]}


def test_the_format_is_plain_and_versioned():
    nb, frame = mixed()
    told = facts(nb, frame, older=nb)
    assert told["format"] == 1
    assert json.loads(json.dumps(told, allow_nan=False)) == told


def test_weights_are_counts_and_pseudo_counts():
    nb, _ = tables(smoothing="m-estimate")
    column = by_name(facts(nb))["deck"]
    weights = np.array(column["weights"])
    theta = np.exp(nb.model_.forms[1].table)
    assert weights / weights.sum(axis=1, keepdims=True) == pytest.approx(theta, rel=1e-12)
    assert "pseudo" not in column  # each level has another
    nb, frame = tables(smoothing=Lidstone(0.5))
    column = by_name(facts(nb))["sex"]
    counts = pd.crosstab(frame["fate"], frame["sex"]).to_numpy()
    assert column["pseudo"] == 0.5
    assert (np.array(column["weights"]) - column["pseudo"]).tolist() == counts.tolist()


@pytest.mark.parametrize("rule", SMOOTHING, ids=repr)
def test_alone_from_counts_is_alone_from_rows(rule):
    nb, frame = mixed(smoothing=rule)
    counted, by_rows = by_name(facts(nb)), by_name(facts(nb, frame))
    told = [name for name, column in counted.items() if "alone" in column]
    assert set(told) >= {"sex", "deck", "age", "fare", "echo"}
    for name in told:
        assert counted[name]["alone"]["mean"] == pytest.approx(by_rows[name]["alone"]["mean"], abs=1e-9)
        assert counted[name]["alone"]["error"] == pytest.approx(by_rows[name]["alone"]["error"], abs=1e-9)


@pytest.mark.parametrize("left", ["sex", "echo", "age", "fare"])
def test_beyond_is_the_loss_of_refitting_without_the_column(left):
    nb, frame = mixed()
    told = facts(nb, frame)
    rest = {name: rule for name, rule in nb.distributions.items() if name != left}
    again = NaiveBayes(distributions=rest).fit(frame.drop(columns=left), "fate")
    truth = np.searchsorted(again.classes_, frame["fate"])
    log_p = again.leave_one_out(frame.drop(columns=left), "fate")
    without = by_name(told)[left]["without"]
    assert without["log_loss"] == pytest.approx(-log_p[np.arange(len(truth)), truth].mean())
    assert without["accuracy"] == pytest.approx((log_p.argmax(axis=1) == truth).mean())
    gap = without["log_loss"] - told["performance"]["log_loss"]
    assert by_name(told)[left]["beyond"]["mean"] == pytest.approx(gap)


@pytest.mark.parametrize("groups", [None, [["sex", "deck"]]])
def test_columns_are_worth_the_same_however_many_are_weighed_together(groups, monkeypatch):
    nb, frame = mixed(groups=groups)
    together = facts(nb, frame)
    monkeypatch.setattr(evidence, "TOGETHER", 1)
    apart = facts(nb, frame)
    for one, other in zip(together["columns"] + together["joint"], apart["columns"] + apart["joint"], strict=True):
        assert one.get("beyond") == pytest.approx(other.get("beyond"))
        assert one.get("without", {}).get("gained") == pytest.approx(other.get("without", {}).get("gained"))


def test_a_column_that_repeats_another_hurts_and_is_said_to():
    nb, frame = mixed()
    told = facts(nb, frame)
    assert by_name(told)["echo"]["beyond"]["mean"] < 0 < by_name(told)["echo"]["alone"]["mean"]


def test_performance_is_what_scikit_learn_says():
    nb, frame = mixed()
    p = facts(nb, frame)["performance"]
    truth = (frame["fate"] == "survived").to_numpy()
    proba = np.exp(nb.leave_one_out(frame, "fate"))
    said = proba.argmax(axis=1)
    assert p["how"] == "learnt"
    assert p["log_loss"] == pytest.approx(log_loss(truth, proba))
    assert p["confusion"] == confusion_matrix(truth, said).tolist()
    assert p["classes"][1]["area"] == pytest.approx(roc_auc_score(truth, proba[:, 1]))
    assert p["brier"] == pytest.approx(2 * brier_score_loss(truth, proba[:, 1]))
    roc = p["classes"][1]["roc"]
    for at in (0.1, 0.37, 0.5, 0.93):  # every whole per cent is a step
        place = roc["threshold"].index(at)
        assert roc["found"][place] == ((proba[:, 1] >= at) & truth).sum()
        assert roc["false"][place] == ((proba[:, 1] >= at) & ~truth).sum()


def test_rows_are_found_to_be_learnt_new_or_perhaps():
    frame = passengers()
    nb = NaiveBayes().fit(frame[:300], "fate")
    assert facts(nb, frame[:300])["performance"]["how"] == "learnt"
    assert facts(nb, frame[:100])["performance"]["how"] == "unclear"
    new = facts(nb, frame[300:])["performance"]
    assert new["how"] == "new"
    assert new["accuracy"] == pytest.approx(nb.score(frame[300:], "fate"))
    assert facts(nb, frame[:300], learnt=False)["performance"]["how"] == "new"
    assert nb.class_counts_.sum() == 300


def test_rows_of_classes_never_learnt_are_counted_and_left_aside():
    frame = passengers()
    nb = NaiveBayes().fit(frame, "fate")
    strange = frame[:10].assign(fate=["rescued"] * 3 + ["died"] * 7)
    p = facts(nb, strange)["performance"]
    assert (p["strange"], p["rows"]) == (3, 7)
    with pytest.raises(ValueError, match="no rows of the classes"):
        facts(nb, strange[:3])


def test_a_density_is_told_by_forms_that_give_the_librarys_terms():
    nb, _ = mixed()
    column = by_name(facts(nb))["children"]
    (form,) = column["forms"]
    assert form["form"] == "linear"
    x = 2.0
    got = np.array(form["intercept"]) + x * np.array(form["slope"])
    expected = nb.model_.forms[4].at(np.array([x], dtype=object))[0]
    assert got - got[0] == pytest.approx(expected - expected[0])


def test_the_deviation_of_a_level_is_that_of_its_dirichlet():
    nb, _ = tables()
    nb.set_params(combination="outlier")  # told by its logarithms, no longer by its weights
    column = by_name(facts(nb))["deck"]
    counts = np.array(nb.statistics_["cells"].table[:, nb.learnt_.schema.cells_of(1)][:, 1:]) + 1.0
    variance = polygamma(1, counts) - polygamma(1, counts.sum(axis=1, keepdims=True))
    assert np.array(column["sd"]) ** 2 == pytest.approx(variance)


@pytest.mark.parametrize("rule", COMBINATIONS, ids=repr)
def test_every_combination_has_facts(rule):
    nb, frame = tables(combination=rule)
    told = facts(nb, frame)
    truth = np.searchsorted(nb.classes_, frame["fate"])
    log_p = nb.leave_one_out(frame, "fate")
    assert told["performance"]["accuracy"] == pytest.approx((log_p.argmax(axis=1) == truth).mean())
    assert told["additive"] == (rule.additive == "log")
    assert all("beyond" in column for column in told["columns"])


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_has_facts(preset):
    frame = passengers()
    told = facts(preset().fit(frame, "fate"), frame)
    assert told["estimator"] == preset.__name__
    assert 0.4 < told["performance"]["accuracy"] <= 1


def test_every_kind_of_column_has_facts():
    case = learning_table(KINDS, n=40)
    nb = NaiveBayes(distributions=case.distributions).fit(case.X, case.y)
    told = facts(nb, (case.X, case.y))
    assert [column["kind"] for column in told["columns"]].count("untold") == 0
    json.dumps(told, allow_nan=False)


@pytest.mark.parametrize("missing", ["ignore", "level"])
def test_a_missing_cell_is_a_level_where_the_rules_say_so(missing):
    nb, _ = tables(missing=missing)
    column = by_name(facts(nb))["deck"]
    assert ("missing" in column["levels"]) == column["absent"] == (missing == "level")


def test_a_tree_is_told_by_pairs_of_columns_and_an_average_says_that_it_is_not():
    frame = passengers()[["sex", "deck", "echo", "fate"]]
    tree = facts(TreeAugmentedNB().fit(frame, "fate"), frame)
    assert {tuple(sorted(one["columns"])) for one in tree["joint"]}
    assert all("beyond" in one for one in tree["joint"])
    average = facts(AveragedOneDependence().fit(frame, "fate"), frame)
    assert average["joint"] == []
    assert "average of models" in " ".join(average["left_out"])
    assert average["performance"]["rows"] == len(frame)


def test_groups_and_pairs_are_called_what_explanations_call_them():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({name: rng.choice(["u", "v"], 600) for name in "abc"})
    y = np.where((frame["a"] == frame["b"]) ^ (rng.random(600) < 0.1), "like", "unlike")
    for nb in (TunedNB(), NaiveBayes(groups=[["a", "b"]])):
        names = [one["name"] for one in facts(nb.fit(frame, y))["joint"]]
        assert names
        assert set(names) <= set(nb.model_.attribute_names)


WORDS = [["wheel", "motor", "road", "old", "my"], ["saddle", "helmet", "road", "old", "my"]]


def test_documents_are_told_by_the_words_of_each_class():
    texts = ["my car broke down", "the car is old", "insure my motorbike", "a motorbike and a helmet"] * 5
    labels = ["car", "car", "bike", "bike"] * 5
    told = facts(TextNB(event_model="multinomial").fit(texts, labels), (texts, labels))
    (column,) = told["columns"]
    assert column["kind"] == "words"
    assert "motorbike" in [word["word"] for word in column["words"][0]]
    assert "documents" in " ".join(told["left_out"])
    beside = pd.DataFrame({"message": texts, "wheels": ["4", "4", "2", "2"] * 5, "desk": labels})
    nb = NaiveBayes(distributions={"message": "text"}).fit(beside, "desk")
    assert [c["kind"] for c in facts(nb, beside)["columns"]] == ["words", "levels"]


def test_a_word_says_what_it_says_as_all_of_a_document():
    rng = np.random.default_rng(3)
    texts = [" ".join(rng.choice(WORDS[c], rng.integers(2, 9))) for c in rng.integers(0, 2, 200)]
    labels = ["car" if "wheel" in text or "motor" in text else "bike" for text in texts]
    nb = TextNB().fit(texts, labels)
    (column,) = facts(nb)["columns"]
    assert column["shares"]
    for c, some in enumerate(column["words"]):
        assert [word["nats"] for word in some] == sorted((word["nats"] for word in some), reverse=True)
        for word in some:
            why = nb.explain([word["word"]])
            at = [str(name) for name in why.names].index(word["word"])
            assert word["nats"] == pytest.approx(why.contributions[0, c, at] - why.contributions[0, 1 - c, at])


def test_rare_levels_of_long_columns_are_not_named():
    frame = passengers()
    frame["cabin"] = [f"C{i}" if i < 20 else "none" for i in range(len(frame))]
    nb = NaiveBayes().fit(frame, "fate")
    levels = by_name(facts(nb))["cabin"]["levels"]
    assert [name for name in levels if name.startswith("C")] == []
    assert "none" in levels
    assert by_name(facts(nb, min_count=0))["cabin"]["levels"][0] == "C0"
    assert len(set(levels)) == 21


def test_nothing_moves_between_a_model_and_itself():
    nb, frame = tables()
    told = facts(nb, frame, older=nb)
    drift = told["drift"]
    assert drift["prior"]["before"] == drift["prior"]["after"]
    for column in drift["columns"]:
        assert column["before"] == column["after"]
    assert drift["answers"]["disagree"] <= 0.1
    assert drift["answers"]["left_out"]  # the rows were learnt by the newer model
    assert moved(told).endswith("what the older has learnt of them flatters it.")


@pytest.mark.parametrize("estimator", [NaiveBayes, TunedNB])
def test_what_moved_is_told_of_weighed_models_too(estimator):
    frame = passengers()
    older, newer = estimator().fit(frame[:200], "fate"), estimator().fit(frame[200:], "fate")
    drift = facts(newer, frame[200:], older)["drift"]
    assert {column["name"] for column in drift["columns"]} == set(frame.columns) - {"fate"}
    for name, model in (("older", older), ("newer", newer)):
        alone = facts(model, frame[200:], learnt=name == "newer")["performance"]
        assert drift["answers"][name]["accuracy"] == pytest.approx(alone["accuracy"])


def test_what_most_rows_have_is_an_interval_of_its_own():
    rng = np.random.default_rng(0)
    y = np.tile(["p", "q"], 300)
    gain = np.where(rng.random(600) < 0.95, 0.0, rng.integers(1000, 9000, 600))
    frame = pd.DataFrame({"gain": gain, "y": y})
    nb = NaiveBayes(distributions="kde").fit(frame, "y")
    (column,) = facts(nb, older=nb)["drift"]["columns"]
    assert column["levels"] == ["≤ 0", "> 0"]
    assert column["after"]["counts"] == [np.sum(gain == 0), np.sum(gain > 0)]
    for cell, told in ((0.0, 0), (np.median(gain[gain > 0]), 1)):  # it is asked at the middle of its rows
        said = nb.explain(pd.DataFrame({"gain": [cell]})).contributions[0, :, 0]
        assert [log[told] for log in column["after"]["log"]] == pytest.approx(said.tolist(), abs=0.2)


def test_drift_puts_levels_and_cuts_of_both_on_one_schema():
    frame = passengers()
    older = NaiveBayes().fit(frame[:200], "fate")
    later = frame[200:].assign(deck="boat")
    drift = facts(NaiveBayes().fit(later, "fate"), later, older)["drift"]
    deck = next(column for column in drift["columns"] if column["name"] == "deck")
    assert "boat" in deck["levels"]
    assert len(deck["before"]["counts"]) == len(deck["after"]["counts"]) == len(deck["levels"])
    with pytest.raises(ValueError, match="one estimator"):
        facts(older, older=TreeAugmentedNB().fit(frame, "fate"))


def test_the_class_asked_about_is_the_rarer_of_two_or_the_one_given():
    nb, _ = tables()
    assert facts(nb)["asked"] == 1
    assert facts(nb, label="died")["asked"] == 0
    with pytest.raises(ValueError, match="there is no class 'lost'"):
        facts(nb, label="lost")
    assert facts(many()[0])["asked"] is None


def test_facts_ask_for_a_target_where_the_model_does_not_know_it():
    frame = passengers()
    nameless = NaiveBayes().fit(frame.drop(columns="fate"), frame["fate"])
    with pytest.raises(ValueError, match="as \\(X, y\\)"):
        facts(nameless, frame)
    assert facts(nameless, (frame.drop(columns="fate"), frame["fate"]))["performance"]["how"] == "learnt"


def test_the_prior_and_the_tables_add_up_to_the_score():
    nb, frame = tables()
    told = facts(nb)
    rows = frame.drop(columns="fate")[:20]
    total = np.tile(np.array(told["prior"]["log"]), (len(rows), 1))
    for column in told["columns"]:
        weights = np.array(column["weights"], dtype=float)
        log = np.log(weights / weights.sum(axis=1, keepdims=True))
        for r, cell in enumerate(rows[column["name"]].tolist()):
            if cell is None or cell != cell:
                continue
            at = np.searchsorted(column["cuts"], cell) if "cuts" in column else column["levels"].index(cell)
            total[r] += log[:, at]
    assert log_posterior(total, np.array(told["prior"]["log"])) == pytest.approx(nb.predict_log_proba(rows))


def test_tuned_weights_are_told_as_what_they_add():
    frame = passengers()
    nb = TunedNB().fit(frame, "fate")
    told = facts(nb, frame)
    assert told["estimator"] == "TunedNB"
    assert "weights" not in by_name(told)["sex"]  # no longer the shares of counts
    p = nb.predict_proba(frame)
    assert told["performance"]["confidence"] == pytest.approx(p.max(axis=1).mean(), abs=0.05)
    json.dumps(told, allow_nan=False)


def test_how_often_cells_occur_is_told_beside_what_they_say_where_that_is_weighed():
    frame = passengers()
    told = facts(TunedNB().fit(frame, "fate"))
    for column in told["columns"]:
        if column["kind"] == "density":
            widths = np.diff([column["range"][0], *column["cuts"], column["range"][1]])
            assert (np.array(column["occurs"]) @ widths <= 1 + 1e-9).all()  # the rest is missing
        else:
            assert np.sum(column["occurs"], axis=1) == pytest.approx([1, 1])
    assert not any("occurs" in column for column in facts(NaiveBayes().fit(frame, "fate"))["columns"])


# -- sources -----------------------------------------------------------------------------------------------------------


def pieces(frame, size=100):
    return [frame[start : start + size] for start in range(0, len(frame), size)]


@pytest.mark.parametrize("learnt", [None, True, False])
@pytest.mark.parametrize("once", [True, False])
def test_rows_of_a_source_are_judged_as_those_in_memory(learnt, once):
    nb, frame = mixed()
    source = iter(pieces(frame)) if once else pieces(frame)
    assert facts(nb, (source, "fate"), learnt=learnt) == facts(nb, frame, learnt=learnt)


def test_many_rows_of_a_source_are_judged_by_a_sample_that_is_said(monkeypatch):
    nb, frame = mixed()
    monkeypatch.setattr("candide.engines.sample.MOST_ROWS", len(frame) // 5)
    found = facts(nb, (pieces(frame), "fate"))["performance"]
    assert found["how"] == "learnt"  # by all rows, not by the sample
    assert found["among"] == len(frame)
    every = next(k for k in (2, 4, 8) if len(frame[::k]) <= 2 * (len(frame) // 5))
    wanted = facts(nb, frame[::every], learnt=True)["performance"]
    assert {**found, "among": 0} == {**wanted, "among": 0}
    assert f"a sample, evenly spaced, of {len(frame):,} rows".replace(",", "") in scored(found).replace(",", "")


def test_documents_of_a_source_are_judged():
    texts = ["good film", "bad film", "good plot", "bad plot indeed"] * 10
    frame = pd.DataFrame({"text": texts, "kind": ["good", "bad"] * 20})
    nb = NaiveBayes(distributions={"text": "text"}).fit(frame, "kind")
    assert facts(nb, (pieces(frame, 7), "kind"))["performance"] == facts(nb, frame)["performance"]


def test_columns_of_dates_say_what_they_measure_and_call_their_intervals_so():
    nb, frame = dated()
    told = by_name(facts(nb, frame))
    assert {name: column.get("measure") for name, column in told.items()} == {
        "when": "moment",
        "when.month": "month",
        "when.weekday": "weekday",
        "when.hour": "hour",
        "at": "time of day",
        "stay": "duration",
    }
    assert told["when.month"]["levels"][0] == "January"
    assert told["when.month"]["levels"][-1].endswith("December")
    (most, _), (least, _) = extremes(told["when"], 0, 1)
    assert most[:5] == least[:5] == "2023-"
    assert "2023-" in str(nb.report(frame)._repr_html_())
