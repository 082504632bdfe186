"""Sentences are true: of what was scored and how, of what the rules are, and to how many digits."""

from __future__ import annotations

import re
from html import escape

import numpy as np
import pytest
from tests.report.models import mixed, passengers

from candide import NaiveBayes, TunedNB, evaluate
from candide.report import facts, sentences
from candide.structure import AveragedOneDependence, BayesNetwork, TreeAugmentedNB
from candide.text import TextNB


def test_rows_that_weights_were_settled_on_are_held_out():
    frame = mixed()[1]
    learnt, new = frame[::2], frame[1::2]
    nb = TunedNB().fit(learnt, "fate")
    told = facts(nb, learnt)
    assert told["performance"]["folds"] == 3
    assert not told["performance"]["flattered"]
    assert "that it has not seen" in sentences.verdict(told)[0]
    assert "held out in 3 folds" in sentences.scored(told["performance"])
    assert f"settled on {len(learnt)} rows" in " ".join(sentences.rules(told))
    told = facts(nb, new, learnt=False)
    assert "folds" not in told["performance"]
    assert "that it has not seen" in sentences.verdict(told)[0]


def test_rows_too_few_to_be_held_out_are_said_to_flatter():
    frame = mixed()[1][:9]
    told = facts(TunedNB().fit(frame, "fate"), frame)
    assert told["performance"]["flattered"]
    assert "folds" not in told["performance"]
    assert "not seen" not in " ".join(sentences.verdict(told))
    assert "of the rows that its weights were settled on" in sentences.verdict(told)[0]
    assert "flatters" in sentences.scored(told["performance"])
    assert "weights kept, which flatters" in TunedNB().fit(frame, "fate").report(frame)._repr_html_()


def test_documents_that_words_were_weighed_on_are_held_out():
    texts, labels = ["my car is old", "the wheel of a car", "a bike and a helmet", "my bike"] * 9, list("ccbb") * 9
    told = facts(TextNB().fit(texts, labels), (texts, labels))
    assert told["performance"]["folds"] == 3
    assert told["rules"] == sentences.rules(told)
    assert "A word's evidence counts by its weight, settled on 36 rows." in told["rules"]
    told = facts(TextNB(event_model="multinomial").fit(texts, labels), (texts, labels))
    assert "folds" not in told["performance"]


def test_rows_that_nothing_was_settled_on_flatter_nobody():
    nb, frame = mixed()
    told = facts(nb, frame)
    assert not told["performance"]["flattered"]
    assert "that it has not seen" in sentences.verdict(told)[0]
    assert "settled" not in " ".join(sentences.rules(told))


def test_weights_do_not_flatter_the_rows_they_were_settled_on():
    rows = passengers().sample(160, random_state=0)
    X, y = rows.drop(columns="fate"), rows["fate"]
    nb = TunedNB().fit(X, y)
    kept = nb.leave_one_out(X, y)
    flattering = -kept[np.arange(len(y)), np.searchsorted(nb.classes_, y)].mean()
    folds = evaluate.cross_validate({"tuned": TunedNB()}, X, y, folds=3, seed=0).log_loss.mean()
    told = facts(TunedNB().fit(rows, "fate"), rows)["performance"]["log_loss"]
    assert flattering < told == pytest.approx(folds, rel=0.05)


@pytest.mark.parametrize(
    ("model", "says"),
    [
        (NaiveBayes(), "independent given the class"),
        (TreeAugmentedNB(), "at most one other column"),
        (AveragedOneDependence(), "mean of models"),
        (BayesNetwork({"fate": ["sex"], "deck": ["fate"]}), "parents in the network"),
    ],
)
def test_the_rules_are_those_of_the_model(model, says):
    frame = passengers()[["sex", "deck", "fate"]]
    told = " ".join(sentences.rules(facts(model.fit(frame, "fate"))))
    assert says in told
    assert ("independent given the class" in told) == isinstance(model, NaiveBayes)


def test_nearly_all_is_not_all():
    told = facts(*mixed())
    areas = {0.8341: "0.834", 0.99961: "0.999", 1.0: "1.000"}
    for area, shown in areas.items():
        tiles = sentences.tiles({**told, "performance": {**told["performance"], "area": area}})
        assert tiles[2][:2] == ("Tells them apart", shown)


def test_intervals_near_certainty_have_a_decimal():
    p = {"accuracy": 0.991, "interval": (0.9885, 0.9935), "guessing": 0.87, "log_loss": None, "area": None}
    tile = sentences.tiles({"performance": {**p, "calibration_error": 0.002}, "classes": ["ham", "spam"]})[0]
    assert tile == ("Right", "99.1 %", "98.9 % to 99.4 % · guessing 87 %")


@pytest.mark.parametrize("event_model", ["auto", "multinomial"])
def test_words_say_whether_they_count_by_their_share_of_a_document(event_model):
    texts, labels = ["good film", "bad film", "good plot", "bad plot indeed"] * 10, ["good", "bad"] * 20
    told = facts(TextNB(event_model=event_model).fit(texts, labels))["columns"][0]
    assert told["shares"] == (event_model == "auto")


def test_a_notebook_says_it_too():
    frame = mixed()[1]
    assert "in 3 folds, " in TunedNB().fit(frame, "fate").report(frame)._repr_html_()
    assert "folds" not in NaiveBayes().fit(frame, "fate").report(frame)._repr_html_()


def test_what_matters_most_is_bold_on_the_page_and_plain_elsewhere():
    nb, frame = mixed()
    report = nb.report(frame)
    lead = report.html.partition('<p class="lead">')[2].partition("</p>")[0]
    first, *names = re.findall("<b>(.*?)</b>", lead)
    assert re.fullmatch(r"\d+ in 100", first)
    assert set(names) & {column["name"] for column in report.facts["columns"]}
    assert re.sub("</?b>", "", lead).replace("\u202f", " ") == escape(" ".join(sentences.verdict(report.facts)))
    assert repr(report).splitlines()[1:] == sentences.verdict(report.facts)


def test_facts_of_the_same_format_that_say_less_are_read():
    nb, frame = mixed()
    told = facts(nb, frame)
    del told["performance"]["flattered"]
    assert sentences.verdict(told) == sentences.verdict(facts(nb, frame))
    assert sentences.scored(told["performance"]) == sentences.SCORED["learnt"]
