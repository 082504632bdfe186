"""The members of a group: the codes of their combinations, however many there might be."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests import laws

from candide import NaiveBayes, combination
from candide.distributions import group, joining, members
from candide.schema.cells import MISSING, UNSEEN

SIZES = {"33 of 3": [3] * 33, "9 of 255": [255] * 9, "5 of 65,535": [65_535] * 5}
"""With a missing cell each, the products of all but one are 2^64."""


@cache
def rows_of(name: str) -> pd.DataFrame:
    """Return rows that show every level; the first two differ in the last column only, and so do the next two."""
    sizes, rng = SIZES[name], np.random.default_rng(0)
    n = max(300, sizes[0] + 10)
    codes = np.column_stack([rng.permutation(n) % size for size in sizes])
    pairs = np.repeat(codes[:2], 2, axis=0)
    pairs[:, -1] = (pairs[:, -1] + [1, 2, 1, 2]) % sizes[-1]
    codes = np.vstack([pairs, codes])
    return pd.DataFrame(codes.astype(str), columns=[f"c{j}" for j in range(len(sizes))])


@pytest.mark.parametrize("name", SIZES)
def test_combinations_that_differ_in_one_column_stay_two(name: str) -> None:
    X = rows_of(name)
    y = np.arange(len(X)) % 2
    nb = NaiveBayes(groups=[list(X)], smoothing="none").fit(X, y)
    assert nb.schema_.combinations[0].size == len(X.drop_duplicates())
    assert nb.predict(X[:4]).tolist() == [0, 1, 0, 1]
    np.testing.assert_array_equal(nb.predict_proba(X[:4]), [[1, 0], [0, 1], [1, 0], [0, 1]])
    half = NaiveBayes(groups=[list(X)], smoothing="none").fit(X[:1], y[:1])
    half.partial_fit(X[1:], y[1:])
    np.testing.assert_array_equal(half.predict_proba(X[:30]), nb.predict_proba(X[:30]))


@pytest.mark.parametrize("name", SIZES)
def test_a_combination_never_seen_together_is_none_of_those_seen(name: str) -> None:
    X = rows_of(name)
    nb = NaiveBayes(groups=[list(X)]).fit(X, np.arange(len(X)) % 2)
    strange = X[:1].copy()
    strange.iloc[0, 0] = X.iloc[:, 0][X.iloc[:, 0] != X.iloc[0, 0]].iloc[0]  # a level of another row
    assert not (strange.iloc[0] == X).all(axis=1).any()
    np.testing.assert_allclose(nb.predict_proba(strange), [nb.model_.prior.alpha])


@pytest.mark.parametrize("name", SIZES)
def test_what_is_known_in_part_is_summed_out_over_the_rows_that_agree(name: str) -> None:
    X = rows_of(name)
    y = np.arange(len(X)) % 3
    nb = NaiveBayes(groups=[list(X)], smoothing="none").fit(X, y)
    some = X[:40].copy()
    some.iloc[::2, 1:] = None
    some.iloc[1::4, -1] = None
    known = some.notna().to_numpy()
    agree = ((some.to_numpy()[:, None, :] == X.to_numpy()[None]) | ~known[:, None, :]).all(axis=2)
    wanted = np.array([np.bincount(y[row], minlength=3) / row.sum() for row in agree])
    np.testing.assert_allclose(nb.predict_proba(some), wanted, atol=1e-12)
    for i in (0, 1, 3):
        np.testing.assert_array_equal(nb.predict_proba(some[i : i + 1])[0], nb.predict_proba(some)[i])


@pytest.mark.parametrize("largest", [0, 1 << 20])
def test_combinations_are_found_by_a_table_as_by_a_chain_of_keys(largest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members, "LARGEST_TABLE", largest)
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.integers(0, 4, (30, 3)).astype(str), columns=list("abc"))
    block, _ = NaiveBayes(groups=[list("abc")]).fit(X, np.arange(30) % 2).model_.attributes[0]
    assert (block.coder._table is None) == (largest == 0)
    place = {tuple(values): i for i, values in enumerate(block.coder.combinations.tolist())}
    every = np.array([*np.ndindex(5, 5, 5)]) - 1
    wanted = [MISSING if min(values) < 0 else place.get(tuple(values), UNSEEN) for values in every.tolist()]
    assert block.coder.find(every).tolist() == wanted


@pytest.mark.parametrize("rule", [rule() for rule in combination.RULES], ids=repr)
@pytest.mark.parametrize("missing", ["ignore", "level"])
def test_what_is_known_is_looked_up_in_one_table_as_part_by_part(
    rule: combination.Combination, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(2)
    X = pd.DataFrame(rng.integers(0, 4, (60, 3)).astype(str), columns=list("abc"))
    X["d"] = rng.normal(size=60)
    X = X.mask(rng.random(X.shape) < 0.3)
    nb = NaiveBayes(distributions="equal-width(3)", groups=[list("abd")], missing=missing, combination=rule)
    nb.fit(X, np.arange(60) % 3)
    strange = X.replace({"a": {"1": "never seen"}})
    tables = [nb.predict_log_proba(frame) for frame in (X, strange)]
    monkeypatch.setattr(group, "MOST_KNOWN", 0)
    for frame, table in zip((X, strange), tables, strict=True):
        np.testing.assert_allclose(nb.predict_log_proba(frame), table, rtol=1e-12, atol=1e-12)


def declared(sizes: list[int], n: int = 20) -> pd.DataFrame:
    """Return columns of categorical dtypes, whose categories are declared."""
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            f"c{j}": pd.Categorical.from_codes(rng.integers(0, size, n), [f"l{v}" for v in range(size)])
            for j, size in enumerate(sizes)
        }
    )


@pytest.mark.parametrize(
    ("sizes", "told"),
    [
        ([1_000] * 3, "1000 × 1000 × 1000 = 1,000,000,000 combinations"),
        ([60] * 5, "60 × 60 × 60 × 60 × 60 = 777,600,000 combinations"),
        ([3_000] * 2, "3000 × 3000 = 9,000,000 combinations"),
    ],
)
def test_declared_domains_are_not_multiplied_out_without_a_limit(sizes: list[int], told: str) -> None:
    X = declared(sizes)
    with pytest.raises(
        ValueError, match=rf"the group 'c0 & c1.*' joins declared domains of {told}, more than 1,048,576"
    ):
        NaiveBayes(groups=[list(X)]).fit(X, np.arange(20) % 2)
    text = X.astype(str)  # the levels seen
    assert NaiveBayes(groups=[list(X)]).fit(text, np.arange(20) % 2).predict(text).shape == (20,)


def test_declared_domains_up_to_the_limit_are_multiplied_out(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = declared([4, 5]), np.arange(20) % 2
    monkeypatch.setattr(joining, "LARGEST_DOMAIN", 20)
    assert len(NaiveBayes(groups=[["c0", "c1"]]).fit(X, y).model_.describe("c0 & c1")) == 20
    monkeypatch.setattr(joining, "LARGEST_DOMAIN", 19)
    with pytest.raises(ValueError, match="4 × 5 = 20 combinations, more than 19"):
        NaiveBayes(groups=[["c0", "c1"]]).fit(X, y)


def test_bins_that_print_alike_are_two_members() -> None:
    # a millionth apart: six digits would give them one name
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"x": 1e6 + rng.integers(0, 4, 80) / 8, "z": 1e6 + rng.integers(0, 4, 80) / 8})
    y = rng.integers(0, 2, 80)
    params: dict[str, Any] = {"groups": [["x", "z"]], "distributions": "equal-width(4)"}
    nb = NaiveBayes(**params).fit(X, y)
    assert len(nb.model_.describe("x & z")) == 16
    again = NaiveBayes(**params, schema=nb.schema_).fit(X, y)
    assert list(again.model_.describe("x & z")) == list(nb.model_.describe("x & z"))
    np.testing.assert_allclose(again.predict_proba(X), nb.predict_proba(X), rtol=1e-12)


@pytest.mark.parametrize("joined", [["c0", "c1"], ["x", "z"], ["c0", "x"]], ids=" and ".join)
def test_a_group_that_grows_too_large_is_refused_where_it_is_learnt(
    joined: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joining, "LARGEST_DOMAIN", 30)
    few = declared([4, 4]).assign(x=np.arange(20.0) % 3, z=np.arange(20.0) % 4)
    many = declared([7, 7], n=60).assign(x=np.arange(60.0), z=-np.arange(60.0))
    nb = NaiveBayes({"x": "equal-frequency(8)", "z": "equal-frequency(8)"}, groups=[joined])
    nb.partial_fit(few, np.arange(20) % 2)
    before = laws.numbers(nb), nb.predict_log_proba(few)
    with pytest.raises(ValueError, match=r"the group .* combinations, more than 30"):
        nb.partial_fit(many, np.arange(60) % 2)
    assert laws.numbers(nb) == before[0]
    np.testing.assert_array_equal(nb.predict_log_proba(few), before[1])
