"""What a column is worth alone is the same from the tables of its cells as from made-up rows, each of them left out."""

from __future__ import annotations

import pytest
from tests.report.models import many, mixed

from candide import NaiveBayes, TunedNB
from candide.report import collect, evidence
from candide.report.columns import ByColumn
from candide.smoothing import RULES

NAMES = [rule.name for rule in RULES if rule.name]

MODELS = {
    **{f"{rule}, {missing}": (mixed, NaiveBayes(smoothing=rule, missing=missing))
       for rule in NAMES for missing in ("ignore", "level")},
    "robust": (mixed, NaiveBayes(smoothing="none", combination="robust")),
    "uniform": (many, NaiveBayes(prior="uniform")),
    "tuned": (mixed, TunedNB()),
    "tuned, many classes": (many, TunedNB()),
}  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_tables_tell_what_rows_tell(name, monkeypatch):
    data, model = MODELS[name]
    frame = data()[1]
    state, made = model.fit(frame, frame.columns[-1])._modelled()
    rule = made.plan.combination
    attributes = ByColumn.of(made.model, state.evidence, rule.link(made.model.log_prior))
    told = evidence.by_cells(attributes)
    assert len(told) >= 3
    monkeypatch.setattr(evidence, "by_cells", lambda _: {})
    asked = evidence.by_counts(attributes, rule)
    for j, mean in told.items():
        assert mean.facts() == pytest.approx(asked[j].facts(), rel=1e-9, abs=1e-12)
        assert mean.weight == pytest.approx(asked[j].weight)


def test_rules_that_add_no_logarithms_are_asked_row_by_row():
    frame = mixed()[1]
    nb = NaiveBayes(combination="outlier").fit(frame, frame.columns[-1])
    state, made = nb._modelled()
    assert not evidence.by_cells(
        ByColumn.of(made.model, state.evidence, made.plan.combination.link(made.model.log_prior))
    )
    assert all("alone" in column for column in collect(nb)["columns"])


def test_wide_tables_of_many_classes_ask_no_rows(monkeypatch):
    nb, _ = many(classes=30, columns=40, levels=20)
    monkeypatch.setattr(evidence, "probe", None)  # rows that are made up grow with the square of the classes
    assert all(column["alone"]["mean"] > 0 for column in collect(nb)["columns"])
