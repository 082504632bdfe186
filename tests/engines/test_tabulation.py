"""What would be counted in too many entries is refused before the work, and known cells serve many rows."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest

from candide import NaiveBayes
from candide.engines import tabulation
from candide.engines.tabulation import FEW_ROWS
from candide.native import reference


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


@pytest.mark.parametrize("weighted", [False, True])
def test_many_rows_are_forgotten_in_the_cells_that_are_known(weighted):
    rng = np.random.default_rng(0)
    n = 3 * FEW_ROWS
    X = pd.DataFrame({"fine": rng.standard_normal(n), "round": rng.standard_normal(n).round(2)})
    X.loc[rng.random(n) < 0.05, "fine"] = np.nan
    X.loc[: n - 1 : 7, "fine"] = 1e9 * rng.random(len(X.loc[: n - 1 : 7]))  # cells of binades that may all be forgotten
    y = rng.integers(0, 3, n)
    w = rng.integers(1, 4, n) if weighted else np.ones(n, dtype=np.int64)
    gone = np.arange(n) % 7 == 0
    gone[: FEW_ROWS + 1] = True
    assert gone.sum() > FEW_ROWS  # so that known cells are used
    whole = NaiveBayes().fit(X, y, sample_weight=w if weighted else None)
    before = {c.name: c.axis for c in whole.schema_.columns}
    nb = whole.forget(X[gone], y[gone], sample_weight=w[gone] if weighted else None)
    for column in nb.schema_.columns:
        axis, known = column.axis, before[column.name]
        here = X[column.name].to_numpy()[~gone]
        codes = reference.lattice_codes(here, known.values, known.dropped)
        expected = np.zeros((3, len(known.values) + 1), dtype=np.int64)
        np.add.at(expected, (y[~gone], codes + 1), w[~gone])
        stay = expected.sum(axis=0) > 0
        assert axis.values.tolist() == known.values[stay[1:]].tolist()
        found = nb.statistics_.parts["cells"].table
        start = sum(c.axis.size for c in nb.schema_.columns[: nb.schema_.names.index(column.name)])
        stay[0] = True
        np.testing.assert_array_equal(found[:, start : start + axis.size], expected[:, stay])
    assert nb.class_counts_.tolist() == np.bincount(y[~gone], w[~gone]).tolist()


@pytest.mark.parametrize("levels", [3, 60])
def test_combinations_are_those_of_the_rows_whatever_order_a_frame_has_its_levels_in(levels: int) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, levels, (500, 2)).astype(str), columns=["a", "b"])
    frame = frame.mask(rng.random(frame.shape) < 0.05)
    y = np.arange(500) % 2
    shuffled = rng.permutation(500)
    one = NaiveBayes(groups=[["a", "b"]]).fit(frame, y)
    other = NaiveBayes(groups=[["a", "b"]]).fit(frame.iloc[shuffled], y[shuffled])
    for nb in (one, other):
        axis, counts = nb.schema_.combinations[0], nb.statistics_["joint 0"].table
        named = [[None, *member.levels] for member in axis.members]
        found = {
            (*(n[c] for n, c in zip(named, cells, strict=True)), k): int(counts[k, m])
            for m, cells in enumerate(axis.cells.tolist())
            for k in range(2)
            if counts[k, m]
        }
        rows = frame.astype(object).where(frame.notna(), None).itertuples(index=False)
        assert found == Counter((*row, k) for row, k in zip(rows, y.tolist(), strict=True))
        assert axis.cells.tolist() == sorted(axis.cells.tolist())
