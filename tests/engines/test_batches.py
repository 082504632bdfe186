"""Sources that are read batch by batch: the kinds of columns, weights and refusals."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from tests import laws

from candide import NaiveBayes


def test_columns_that_show_something_in_different_batches_have_their_own_kinds() -> None:
    one = pd.DataFrame({"a": ["p", "q"], "b": [None, None], "x": [np.nan, np.nan], "y": [0, 1]}, dtype=object)
    two = pd.DataFrame({"a": [None, None], "b": ["u", "v"], "x": [1.5, 2.5], "y": [0, 1]}, dtype=object)
    whole = pd.concat([one, two], ignore_index=True).astype({"x": float, "y": int})
    parts = [whole[:2], whole[2:]]
    laws.same_model(NaiveBayes().fit(iter(parts), "y"), NaiveBayes().fit(whole, "y"), whole.drop(columns="y"))


def test_batches_without_weight_teach_nothing() -> None:
    frame = pd.DataFrame({"a": list("pqpq"), "w": [0, 0, 2, 1], "y": [0, 1, 0, 1]})
    nb = NaiveBayes().fit(iter([frame[:2], frame[2:]]), "y", sample_weight="w")
    assert nb.class_counts_.tolist() == [2, 1]
    with pytest.raises(ValueError, match="no rows with a weight in 'w'"):
        NaiveBayes().fit(iter([frame[:2]]), "y", sample_weight="w")
