"""Held out: a row is answered by what the other rows make, to the last digit."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from tests.report.models import passengers

from candide import NaiveBayes, TunedNB
from candide.evaluate.held_out import held_out, parts
from candide.report.rows import judged
from candide.text import TextNB

DOCUMENTS = pd.DataFrame(
    {"text": ["my car is old", "the wheel of a car", "a bike and a helmet", "my bike"] * 30, "y": list("ccbb") * 30}
)


def dated():
    frame = passengers()
    frame["when"] = pd.date_range("2024-01-01", periods=len(frame), freq="17h").strftime("%d.%m.%Y %H:%M")
    return frame


@pytest.mark.parametrize("estimator", [NaiveBayes, TunedNB])
@pytest.mark.parametrize("frame", [passengers(), dated()], ids=["levels and numbers", "dates"])
def test_it_is_refitting_without_the_part(estimator, frame):
    nb = estimator().fit(frame, "fate")
    rows = judged(nb, frame)
    found, part = held_out(nb, rows.rows.table, rows.y), parts(rows.y)
    for fold in range(3):
        other = estimator().fit(frame[part != fold], "fate")
        np.testing.assert_allclose(found[part == fold], other.predict_log_proba(frame[part == fold]), atol=1e-6)


def test_documents_are_weighed_anew():
    nb = TextNB().fit(DOCUMENTS["text"], DOCUMENTS["y"])
    rows = judged(nb, (DOCUMENTS["text"], DOCUMENTS["y"]))
    found, part = held_out(nb, rows.rows.table, rows.y), parts(rows.y)
    others, asked = DOCUMENTS[part != 0], DOCUMENTS[part == 0]
    other = TextNB().fit(others["text"], others["y"])
    np.testing.assert_allclose(found[part == 0], other.predict_log_proba(asked["text"]), atol=1e-9)


def test_of_a_part_of_what_was_learnt_the_rest_stays():
    frame = passengers()
    nb = NaiveBayes().fit(frame, "fate")
    some = frame[::4]
    rows = judged(nb, some)
    found, part = held_out(nb, rows.rows.table, rows.y), parts(rows.y)
    other = NaiveBayes().fit(frame.drop(index=some.index[part == 1]), "fate")
    np.testing.assert_allclose(found[part == 1], other.predict_log_proba(some[part == 1]), atol=1e-6)


def test_what_faded_is_answered_by_the_other_rows():
    frame = passengers()
    faded = 0.1 * TunedNB().fit(frame, "fate")
    rows = judged(faded, frame, learnt=True)
    assert np.isfinite(held_out(faded, rows.rows.table, rows.y)).all()


def test_a_class_of_one_row_is_a_class():
    frame = pd.concat([passengers(), passengers()[:1].assign(fate="unknown")])
    nb = TunedNB().fit(frame, "fate")
    told = nb.report(frame).facts
    assert told["performance"]["folds"] == 3
    assert len(told["performance"]["confusion"]) == len(nb.classes_)


def test_the_order_of_a_table_does_not_decide_the_parts():
    """A table of all combinations has every third value of a column in one part, which no other part has learnt."""
    grid = pd.DataFrame([(a, b, c) for a in range(20) for b in range(20) for c in range(3)], columns=list("abc"))
    part = parts(np.zeros(len(grid), dtype=np.int64))
    assert min(np.bincount(part[grid["c"] == value]).min() for value in range(3)) > 100
