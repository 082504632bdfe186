"""Any change of what a slim file packs, behind a checksum that fits, ends in a model that works or in one error."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.estimator.format.test_mutations import mutate, outcome

import candide
from candide import NaiveBayes
from candide.estimator import files
from candide.estimator.slim import Slim, slim
from candide.estimator.slim.coarsening import in_roots
from candide.estimator.slim.format import packing

MUTATIONS = 800
NUMBERS = [0, 1, -1, 7, 1 << 20, -(1 << 28), 1 << 29, 1 << 40, -(1 << 62), (1 << 63) - 1]

Content = tuple[Any, list[np.ndarray]]


def table() -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(0)
    y = rng.choice(["p", "q", "r"], 240)
    shift = (y == "p") * 2.0
    numbers = {"n": rng.normal(size=240) + shift, "g": rng.gamma(2 + shift), "k": rng.poisson(2 + shift)}
    return pd.DataFrame({**numbers, "s": np.where(rng.random(240) < 0.3, "u", y)}), y


def models() -> Iterator[Slim]:
    X, y = table()
    for rules in (
        {"n": "student", "g": "gamma", "k": "poisson"},
        {"n": "normal", "g": "exponential", "k": "categorical"},
        {"n": "kde", "g": "mixture", "k": "kde"},
    ):
        small = NaiveBayes(rules).fit(X, y).slim(within=0.05)
        yield small
        yield in_roots(small, len(X), 0.5)
    yield NaiveBayes({"n": "kde", "g": "mixture", "k": "kde"}).fit(X, y).slim()


def packed(small: Slim, monkeypatch: pytest.MonkeyPatch) -> Content:
    """Return what a model packs."""
    seen: list[Content] = []
    with monkeypatch.context() as patch:
        patch.setattr(slim, "pack", lambda value, tables: seen.append((value, tables)) or "")
        small._file()
    value, tables = seen[0]
    return json.loads(json.dumps(value)), tables


def changed(content: Content, rng: random.Random) -> Content:
    """Return what was packed with one place of the text changed, or of the tables."""
    value, tables = copy.deepcopy(content)
    if rng.random() < 0.6:
        mutate(value, rng)
        return value, tables
    at = rng.randrange(len(tables))
    change = rng.randrange(5)
    if change == 0:
        tables[at] = tables[at].T.copy()
    elif change == 1:
        del tables[at]
    elif change == 2:
        tables.insert(at, tables[rng.randrange(len(tables))])
    else:
        told = tables[at].astype(np.int64)
        told[rng.randrange(told.shape[0]), rng.randrange(told.shape[1])] = rng.choice(NUMBERS)
        tables[at] = told.astype(np.uint64) if tables[at].dtype.kind == "u" and (told >= 0).all() else told
    return value, tables


def test_a_mutation_is_refused_or_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, path, rows = random.Random(0), tmp_path / "slim.json", table()[0][:20]
    contents = [packed(small, monkeypatch) for small in models()]
    heard: Counter[str] = Counter()
    for _ in range(MUTATIONS):
        try:
            path.write_bytes(files.slim_file(packing.pack(*changed(rng.choice(contents), rng))))
        except (ValueError, RecursionError, OverflowError):  # what no file could hold
            continue
        heard[outcome(path, rows)] += 1
    assert heard["refused"] > MUTATIONS / 3
    assert heard["answers"] > 0
    assert heard["refused when used"] < MUTATIONS / 20


def test_a_damaged_sign_is_found(tmp_path: Path) -> None:
    X, y = table()
    path = tmp_path / "slim.json"
    NaiveBayes().fit(X, y).slim().save(path)
    whole = path.read_bytes()
    assert candide.load(path).forms
    for at in range(len(whole) - 1):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(files.ModelFileError):
            candide.load(path)
        path.write_bytes(whole[:at])
        with pytest.raises(files.ModelFileError):
            candide.load(path)


def test_what_a_later_release_packs_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = table()
    small = NaiveBayes().fit(X, y).slim()
    with monkeypatch.context() as patch:
        patch.setattr(packing, "VERSION", b"\x02")
        small.save(tmp_path / "slim.json")
    with pytest.raises(files.ModelFileError, match="later release"):
        candide.load(tmp_path / "slim.json")
