"""Models to look at: two classes of mixed columns, and many classes of levels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from candide import NaiveBayes
from candide.report.numbers import number


def passengers(n: int = 400, seed: int = 0) -> pd.DataFrame:
    """Return a table of levels, numbers and missing cells, of two classes."""
    rng = np.random.default_rng(seed)
    saved = rng.random(n) < 0.4
    frame = pd.DataFrame(
        {
            "sex": np.where(rng.random(n) < np.where(saved, 0.7, 0.2), "female", "male").astype(object),
            "deck": np.array(["upper", "middle", "lower"], dtype=object)[rng.integers(0, 3, n)],
            "age": np.where(saved, rng.normal(28, 14, n), rng.normal(33, 11, n)).clip(0.5).round(1),
            "fare": np.exp(np.where(saved, rng.normal(3.5, 1, n), rng.normal(2.7, 0.8, n))).round(2),
            "children": rng.poisson(np.where(saved, 0.6, 0.3)),
        }
    )
    frame["echo"] = frame["sex"]  # a column that repeats another
    frame.loc[rng.random(n) < 0.15, "age"] = np.nan
    frame.loc[rng.random(n) < 0.1, "deck"] = None
    frame["fate"] = np.where(saved, "survived", "died")
    return frame


def mixed(**params: Any) -> tuple[NaiveBayes, pd.DataFrame]:
    """Return a model of levels, bins, a kernel density and a parametric one, and its rows."""
    frame = passengers()
    rules = {"age": "kde", "fare": "equal-frequency(6)", "children": "poisson"}
    return NaiveBayes(distributions=rules, **params).fit(frame, "fate"), frame


def tables(**params: Any) -> tuple[NaiveBayes, pd.DataFrame]:
    """Return a model of nothing but levels and bins, and its rows."""
    frame = passengers()
    rules = {"age": "equal-width(5)", "fare": "equal-frequency(6)", "children": "equal-width(3)"}
    return NaiveBayes(distributions=rules, **params).fit(frame, "fate"), frame


def many(
    classes: int = 19, columns: int = 12, levels: int = 5, n: int = 800, seed: int = 1
) -> tuple[Any, pd.DataFrame]:
    """Return a model of many classes, and its rows."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    cells = {}
    for j in range(columns):
        usual = rng.integers(0, levels, classes)
        at = np.where(rng.random(n) < 0.6, usual[y], rng.integers(0, levels, n))
        cells[f"sign {j}"] = np.array([f"level {v}" for v in range(levels)], dtype=object)[at]
    frame = pd.DataFrame(cells)
    frame["disease"] = [f"disease-of-kind-{c:02d}" for c in y]
    return NaiveBayes().fit(frame, "disease"), frame


def partial_rows(frame: pd.DataFrame, n: int, seed: int = 0) -> pd.DataFrame:
    """Return rows of which only some cells are known."""
    rng = np.random.default_rng(seed)
    out = frame.iloc[rng.integers(0, len(frame), n), :-1].reset_index(drop=True).copy()
    for name in out.columns:
        known = rng.random(n) < 0.6
        out[name] = [cell if keep else None for cell, keep in zip(out[name].tolist(), known, strict=True)]
        if frame[name].dtype.kind in "if":
            out[name] = out[name].astype(float)
    return out


def as_state(facts: dict[str, Any], row: dict[str, Any]) -> dict[int, float]:
    """Return a row as the page holds it: the position of a level, the bin of a number, or the number."""
    state: dict[int, float] = {}
    for column in facts["columns"]:
        cell = row[column["name"]]
        if cell is None or cell != cell:
            if column.get("absent"):  # a level of its own
                state[column["position"]] = len(column["levels"]) - 1
            continue
        if column["kind"] == "density":
            state[column["position"]] = float(cell)
        elif "cuts" in column:
            state[column["position"]] = int(np.searchsorted(column["cuts"], cell, side="left"))
        else:
            state[column["position"]] = column["levels"].index(number(cell, 6))
    return state


def dated(n: int = 400, seed: int = 2) -> tuple[NaiveBayes, pd.DataFrame]:
    """Return a model of moments, times of day and durations, and its rows."""
    rng = np.random.default_rng(seed)
    late = rng.random(n) < 0.5
    second = pd.Timestamp("2023-01-01").value // 10**9 + rng.integers(0, 180 * 86400, n) + 86400 * 120 * late
    frame = pd.DataFrame(
        {
            "when": pd.to_datetime(second // 60 * 60, unit="s").strftime("%d.%m.%Y %H:%M"),
            "at": [
                f"{hour}:{minute:02d}"
                for hour, minute in zip(8 + 4 * late + rng.integers(0, 9, n), rng.integers(0, 60, n), strict=True)
            ],
            "stay": [
                f"{hour}:{minute:02d}"
                for hour, minute in zip(20 * late + rng.integers(5, 60, n), rng.integers(0, 60, n), strict=True)
            ],
            "season": np.where(late, "late", "early"),
        }
    )
    return NaiveBayes().fit(frame, "season"), frame
