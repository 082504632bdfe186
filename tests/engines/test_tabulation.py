"""What would be counted in too many entries is refused before the work."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from candide import NaiveBayes
from candide.engines import tabulation


@pytest.mark.parametrize(("columns", "levels"), [(3, 1000), (5, 60)])
def test_a_group_of_declared_domains_that_explode_is_a_clear_error(columns: int, levels: int) -> None:
    domain = pd.CategoricalDtype([f"l{i}" for i in range(levels)])
    frame = pd.DataFrame({f"c{j}": pd.Series(["l0", "l1", "l2", "l3"], dtype=domain) for j in range(columns)})
    with pytest.raises(
        ValueError, match=rf"joins declared domains of .* = {levels**columns:,} combinations, more than"
    ):
        NaiveBayes(groups=[list(frame)]).fit(frame, [0, 1, 0, 1])


def test_classes_times_levels_beyond_what_is_kept_are_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tabulation, "LARGEST_TABLE", 100)
    many = pd.Categorical(["0", "1", "2", "3"], categories=[f"{i}" for i in range(60)])
    frame = pd.DataFrame({"few": list("abab"), "many": many})
    with pytest.raises(ValueError, match=r"2 classes times 64 levels .* column 'many' has 60 levels"):
        NaiveBayes().fit(frame, np.array([0, 1, 0, 1]))


def test_values_of_too_many_classes_are_refused_before_they_are_counted(monkeypatch):
    x, y = np.column_stack([np.arange(40.0), np.arange(40) % 2.0]), np.arange(40) % 20
    monkeypatch.setattr(tabulation, "LARGEST_TABLE", 20 * 30)
    with pytest.raises(ValueError, match=r"20 classes times the more than 30 values of column 0 .* 'normal'"):
        NaiveBayes().fit(x, y)
    NaiveBayes().fit(x[:, 1:], y)
