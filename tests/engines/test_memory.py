"""The engine for tables in memory: what parts teach adds up to what the whole teaches, from every container."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given as over
from hypothesis import strategies as st
from scipy import sparse
from tests import laws
from tests.engines.requests import EDGES, REQUEST, WANTED, by_hand, frames, given, learn, told
from tests.strategies import partitions

from candide.engines import Memory
from candide.schema import rows as rows_module
from candide.statistics import COLUMN_PARTS
from candide.statistics.request import BINARY, NONNEGATIVE, POSITIVE, WHOLE, Request, Support, Wanted

AXES = {
    "cells": ("classes", "cells"),
    "joint 0": ("classes", "combinations 0"),
    "joint 1": ("classes", "combinations 1"),
}


@over(st.data())
def test_what_parts_teach_adds_up_to_what_the_whole_teaches(data: st.DataObject) -> None:
    X, y, w = data.draw(frames())
    whole = learn(given(X, y, w))
    parts = [
        learn(given(X.iloc[rows], y[rows], None if w is None else w[rows]))
        for rows in data.draw(partitions(len(y)))
        if w is None or w[rows].any()
    ]
    added = sum(parts[1:], parts[0])
    laws.same_schema(whole, added)
    laws.same_statistics(whole, added, exact=w is None or w.dtype.kind == "i")


@over(frames())
def test_counts_are_those_of_counting_row_by_row(case: tuple[pd.DataFrame, np.ndarray, np.ndarray | None]) -> None:
    X, y, w = case
    learnt = learn(given(X, y, w))
    wanted = by_hand(X, y, w)
    for part, axes in AXES.items():
        assert told(learnt, part, axes) == pytest.approx(wanted[part])
    weight = np.ones(len(y)) if w is None else w
    by_class = {f"class {str(c)!r}": weight[y == c].sum() for c in np.unique(y) if weight[y == c].any()}
    assert told(learnt, "classes", ("classes",)) == {(name,): n for name, n in by_class.items()}


@over(frames())
def test_moments_and_totals_are_numpys(case: tuple[pd.DataFrame, np.ndarray, np.ndarray | None]) -> None:
    X, y, w = case
    learnt = learn(given(X, y, w))
    weight = np.ones(len(y)) if w is None else w.astype(float)
    for k, c in enumerate(learnt.schema.classes):
        for part, name, f in (("moments", "m", np.asarray), ("moments", "l", np.asarray), ("log_x", "l", np.log)):
            at = learnt.schema.slots[part][list(X).index(name)]
            known = (y == c) & X[name].notna().to_numpy()
            x, v = f(X[name].to_numpy()[known]), weight[known]
            found = learnt.statistics[part]
            assert found.n[k, at] == pytest.approx(v.sum())
            if v.any():
                mean = np.average(x, weights=v)
                assert found.mean[k, at] == pytest.approx(mean)
                assert found.m2[k, at] == pytest.approx((v * (x - mean) ** 2).sum(), abs=1e-12)
        x = X["t"].to_numpy()
        assert learnt.statistics["totals"].table[k, 0] == pytest.approx((weight * np.nan_to_num(x))[y == c].sum())
        missing = weight[(y == c) & np.isnan(x)].sum()
        unknown = learnt.statistics.parts.get("unknown")
        assert (0 if unknown is None else unknown.table[k, 0]) == pytest.approx(missing)


@over(frames())
def test_a_density_within_each_combination_is_numpys(case: tuple[pd.DataFrame, np.ndarray, np.ndarray | None]) -> None:
    X, y, w = case
    learnt = learn(given(X, y, w))
    weight = np.ones(len(y)) if w is None else w.astype(float)
    axis, within = learnt.schema.axes["combinations 1"], learnt.statistics["within 1"]
    levels = [None, *axis.members[0].levels]
    for m, (code,) in enumerate(axis.cells):
        for k, c in enumerate(learnt.schema.classes):
            here = (y == c) & (X["d"].isna() if levels[code] is None else X["d"] == levels[code]).to_numpy()
            here &= X["h"].notna().to_numpy()
            x, v = X["h"].to_numpy()[here], weight[here]
            assert within.n[k, m] == pytest.approx(v.sum())
            if v.any():
                assert within.mean[k, m] == pytest.approx(np.average(x, weights=v))


@over(frames())
def test_logarithms_within_combinations_are_numpys(
    case: tuple[pd.DataFrame, np.ndarray, np.ndarray | None],
) -> None:
    X, y, w = case
    learnt = learn(given(X, y, w))
    weight = np.ones(len(y)) if w is None else w.astype(float)
    axis, within = learnt.schema.axes["combinations 2"], learnt.statistics["log within 2"]
    e, g = X["e"].to_numpy(), X["g"].to_numpy()
    cell = np.where(np.isnan(e), 0, np.searchsorted(EDGES, e, side="left") + 1)
    for m, (code,) in enumerate(axis.cells):
        for k, c in enumerate(learnt.schema.classes):
            here = (y == c) & (cell == code) & ~np.isnan(g)
            x, v = np.log(g[here]), weight[here]
            assert within.n[k, m] == pytest.approx(v.sum())
            if v.any():
                mean = np.average(x, weights=v)
                assert within.mean[k, m] == pytest.approx(mean, abs=1e-12)
                assert within.m2[k, m] == pytest.approx((v * (x - mean) ** 2).sum(), abs=1e-12)


@pytest.mark.parametrize("weight", [None, np.arange(40) % 3, (np.arange(40) % 3) / 2], ids=["none", "whole", "any"])
def test_whole_weights_are_counted_in_integers(weight: np.ndarray | None) -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({name: rng.integers(1, 4, 40).astype(float) for name in WANTED})
    learnt = learn(given(X.astype({"s": str, "d": str}), np.arange(40) % 2, weight))
    kind = "i" if weight is None or weight.dtype.kind == "i" else "f"
    kinds = {name: part.weight.dtype.kind for name, part in learnt.statistics.parts.items() if name != "totals"}
    assert kinds == dict.fromkeys(kinds, kind)


# -- containers --------------------------------------------------------------------------------------------------------

SYMBOLS = {
    "objects": lambda X: X,
    "categories": lambda X: X.astype({"s": "category"}),
    "strings": lambda X: X.astype({"s": "string", "d": "string"}),
    "nullable": lambda X: X.convert_dtypes(),
    "polars": pl.from_pandas,
    "arrow": lambda X: pa.Table.from_pandas(X, preserve_index=False),
    "dictionaries": lambda X: pa.Table.from_pandas(X.astype({"d": "category"}), preserve_index=False),
}


@pytest.mark.parametrize("name", SYMBOLS)
def test_every_frame_teaches_the_same(name: str) -> None:
    rng = np.random.default_rng(1)
    X = pd.DataFrame({column: rng.integers(1, 9, 50) / 2 for column in WANTED})
    X["s"], X["d"] = rng.choice(["a", "b", None], 50), rng.choice(["small", "huge", None], 50)
    X.loc[::7, ["v", "m", "l", "t"]] = np.nan
    y, w = rng.choice(["p", "q"], 50), rng.integers(0, 3, 50)
    wanted, found = learn(given(X, y, w)), learn(given(SYMBOLS[name](X), y, w))
    assert told(found, "cells", AXES["cells"]) == told(wanted, "cells", AXES["cells"])
    for part in ("joint 0", "joint 1"):
        assert told(found, part, AXES[part]) == told(wanted, part, AXES[part])
    for part in ("moments", "log_x", "totals", "unknown", "classes"):
        laws.same_part(found.statistics[part], wanted.statistics[part])


NUMERIC = ("cells", "moments", "totals", "moments+log_x")
MATRICES = {
    "Fortran": np.asfortranarray,
    "strided": lambda x: np.repeat(np.repeat(x, 2, axis=0), 2, axis=1)[::2, ::2],
    "single": lambda x: x.astype(np.float32),
    "bytes swapped": lambda x: x.astype(">f8"),
    "integers": lambda x: x.astype(np.int16),
    "unsigned": lambda x: x.astype(np.uint64),
    "csr": sparse.csr_array,
    "csc": sparse.csc_matrix,
    "coo": sparse.coo_array,
    "pandas": lambda x: pd.DataFrame(x, columns=["0", "1", "2"]),
    "polars": lambda x: pl.DataFrame(x, schema=["0", "1", "2"]),
    "arrow": lambda x: pa.table({str(j): x[:, j] for j in range(3)}),
    "lists": lambda x: x.tolist(),
}


@pytest.mark.parametrize("keeps", NUMERIC)
@pytest.mark.parametrize("name", MATRICES)
def test_every_container_of_numbers_teaches_the_same(name: str, keeps: str) -> None:
    x = np.random.default_rng(2).poisson(1.0, (60, 3)).astype(float) + (keeps == "moments+log_x")
    y = np.arange(60) % 3
    request = Request((Wanted("numbers", tuple(keeps.split("+"))),) * 3)
    wanted, found = learn(given(x, y), request), learn(given(MATRICES[name](x), y), request)
    laws.same_statistics(wanted, found)
    if keeps == "cells":
        assert [a.levels.tolist() for a in found.schema.cells.axes] == [
            a.levels.tolist() for a in wanted.schema.cells.axes
        ]


@pytest.mark.parametrize("cells", [1, 7, 50])
def test_sparse_rows_spelt_out_in_parts_teach_the_same(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows_module, "DENSE_CELLS", cells)
    x = np.random.default_rng(3).poisson(0.5, (40, 3)).astype(float)
    x[::9, 1] = np.nan
    request = Request((Wanted("numbers", ("cells",)), Wanted("numbers", ("moments",)), Wanted("numbers", ("totals",))))
    y, w = np.arange(40) % 2, np.arange(40) % 4
    parts = list(Memory().learn(given(sparse.csr_array(x), y, w), request))
    assert len(parts) == -(-40 // max(1, cells // 3))
    added = sum(parts[1:], parts[0])
    laws.same_schema(added, learn(given(x, y, w), request))
    laws.same_statistics(added, learn(given(x, y, w), request))


def test_columns_are_named_and_told_apart_without_counting() -> None:
    X = pd.DataFrame({"a": ["u"], "b": [1.5], "c": [True], "d": pd.to_datetime(["2024-01-01"])})
    names, kinds = Memory().columns(given(X, ["p"]))
    assert dict(zip(names, kinds, strict=True)) == {"a": "symbols", "b": "numbers", "c": "symbols", "d": "numbers"}
    assert Memory().columns(given(sparse.csr_array(np.ones((1, 2))), ["p"])) == ([0, 1], ["numbers", "numbers"])


# -- refusals ----------------------------------------------------------------------------------------------------------

OUTSIDE = [
    (POSITIVE, -1.0, "-1"),
    (POSITIVE, 0.0, "0"),
    (NONNEGATIVE, -0.5, r"-0\.5"),
    (WHOLE, 2.5, r"2\.5"),
    (WHOLE, -3.0, "-3"),
    (BINARY, 2.0, "2"),
]
CONTAINERS: dict[str, Any] = {
    "array": np.asarray,
    "sparse": sparse.csr_array,
    "pandas": lambda x: pd.DataFrame(x, columns=["0", "1"]),
    "polars": lambda x: pl.DataFrame(x, schema=["0", "1"]),
}


def asked(support: Support) -> Request:
    return Request((Wanted("numbers", ("moments",)), Wanted("numbers", ("moments",), support, "some rule")))


@pytest.mark.parametrize("rows", [None, 2], ids=["at once", "in parts"])
@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize(("support", "value", "shown"), OUTSIDE, ids=lambda v: getattr(v, "says", v))
def test_a_number_outside_the_support_is_refused_with_column_row_and_value(
    support: Support, value: float, shown: str, container: str, rows: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if rows is not None:
        monkeypatch.setattr(rows_module, "DENSE_CELLS", 2 * rows)
        monkeypatch.setattr(rows_module, "BATCH", rows)
    x = np.ones((7, 2))
    x[:, 0] = -9.5  # the other column may hold anything
    x[1, 1] = np.nan  # and a missing cell lies in no support's way
    x[5, 1] = value
    message = rf"column '?1'?, row 5: {shown} is outside the support of 'some rule', which takes {support.says}"
    with pytest.raises(ValueError, match=message):
        learn(given(CONTAINERS[container](x), np.arange(7) % 2), asked(support))
    x[5, 1] = 1.0
    assert learn(given(CONTAINERS[container](x), np.arange(7) % 2), asked(support)).statistics["moments"].n.sum() == 13


@pytest.mark.parametrize("rows", [None, 2], ids=["at once", "in parts"])
@pytest.mark.parametrize("keeps", NUMERIC)
@pytest.mark.parametrize("container", CONTAINERS)
def test_infinity_is_refused_with_column_and_row(
    container: str, keeps: str, rows: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if rows is not None:
        monkeypatch.setattr(rows_module, "DENSE_CELLS", 2 * rows)
    x = np.ones((7, 2))
    x[5, 1] = np.inf
    request = Request((Wanted("numbers", tuple(keeps.split("+"))),) * 2)
    with pytest.raises(ValueError, match=r"contains infinity: column '?1'?, row 5;"):
        learn(given(CONTAINERS[container](x), np.arange(7) % 2), request)


def test_numbers_whose_squares_overflow_are_refused() -> None:
    x = np.array([[1.0, 1.0], [2.0, 1e200]])
    with pytest.raises(ValueError, match=r"column 1 holds numbers beyond 1e\+150, whose variance overflows"):
        learn(given(x, [0, 1]), Request((Wanted("numbers", ("moments",)),) * 2))
    counted = learn(given(x, [0, 1]), Request((Wanted("numbers", ("cells",)),) * 2))
    assert counted.schema.columns[1].levels.tolist() == [1.0, 1e200]


def test_rows_without_weight_are_not_there() -> None:
    x = np.array([[1.0], [7.0], [2.0]])
    for keeps in NUMERIC:
        request = Request((Wanted("numbers", tuple(keeps.split("+"))),))
        laws.same_statistics(
            learn(given(x, ["p", "z", "p"], [1, 0, 1]), request), learn(given(x[[0, 2]], ["p", "p"], [1, 1]), request)
        )
        assert learn(given(x, ["p", "z", "p"], [1, 0, 1]), request).schema.classes.tolist() == ["p"]


def test_the_tables_here_ask_for_every_part_of_columns() -> None:
    kept = {part for want in REQUEST.columns for part in want.keeps}
    assert kept == {name for name, part in COLUMN_PARTS.items() if not part.optional}
