"""Slim models: they score as the whole does, and hold nothing else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import candide
from candide import NaiveBayes
from candide.datasets import insurance

FRAME, NEW = insurance(n=1500, seed=0).frame, insurance(n=300, seed=1).frame
RULES = ["auto", "normal", "lognormal", "gamma", "bins", "kde", "equal-width(5)", "smooth"]


@pytest.mark.parametrize("distributions", RULES)
@pytest.mark.parametrize("missing", ["ignore", "level"])
def test_a_slim_model_scores_as_the_whole(distributions: str, missing: str, tmp_path: Path) -> None:
    nb = NaiveBayes(distributions=distributions, missing=missing).fit(FRAME, "desk")
    small = nb.slim()
    np.testing.assert_allclose(small.predict_proba(NEW), nb.predict_proba(NEW), atol=2e-4)
    assert (small.predict(NEW) == nb.predict(NEW)).mean() > 0.99
    small.save(tmp_path / "slim.json")
    again = candide.load(tmp_path / "slim.json")
    np.testing.assert_array_equal(again.predict_proba(NEW), small.predict_proba(NEW))
    assert again.left_out == small.left_out


def test_rare_levels_values_and_identifiers_are_not_in_the_file(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = FRAME.assign(name=["Pangloss", *["Martin", "Cacambo"] * 749, "Martin"], salary=rng.gamma(3, 1000, 1500))
    frame["id"] = [f"id-{i:05d}" for i in range(1500)]
    with pytest.warns(UserWarning, match="identifiers"):
        nb = NaiveBayes().fit(frame, "desk")
    small = nb.slim()
    assert any(text.startswith("name: 1 levels of fewer than 5 rows") for text in small.left_out)
    assert "id: identifiers" in small.left_out
    nb.save(tmp_path / "whole.json")
    small.save(tmp_path / "slim.json")
    whole, slim = ((tmp_path / name).read_text() for name in ("whole.json", "slim.json"))
    assert "Pangloss" in whole
    assert "Pangloss" not in slim
    assert "id-00007" not in slim
    assert len(slim) < len(whole) / 3
    assert small.predict(frame[:5]).tolist() == small.predict(frame[:5].drop(columns="id")).tolist()


def test_readings_go_with_it() -> None:
    frame = pd.DataFrame({"x": [f"{i},5 %" for i in range(60)], "y": ["low"] * 30 + ["high"] * 30})
    nb = NaiveBayes().fit(frame, "y")
    np.testing.assert_allclose(nb.slim().predict_proba({"x": "3,5 %"}), nb.predict_proba({"x": "3,5 %"}), atol=1e-4)


def test_what_tables_do_not_tell_is_refused() -> None:
    with pytest.raises(ValueError, match="product"):
        NaiveBayes(combination="sum").fit(FRAME, "desk").slim()
    grouped = NaiveBayes(groups=[FRAME.columns[:2].tolist()], distributions="bins").fit(FRAME, "desk")
    with pytest.raises(ValueError, match="cannot be told in tables alone"):
        grouped.slim()
