"""Tables told by the roots of their chances: as coarse as counting is, cheap to tell, and read back as they were."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import candide
from candide import NaiveBayes
from candide.distributions.forms import Lookup, Quadratic, Steps
from candide.estimator import files
from candide.estimator.slim import Slim, coarsening, roads
from candide.estimator.slim.format import packing
from candide.estimator.slim.format.roots import Roots

MODELS = Path(__file__).parent / "models"
WHOLE = arrays(np.int64, st.tuples(st.integers(1, 4), st.integers(1, 9)), elements=st.integers(0, 60))


def letters(n: int, seed: int) -> tuple[pd.DataFrame, Any]:
    """Return whole numbers from 0 to 15 of twenty classes, each of two humps."""
    rng = np.random.default_rng(0)
    means, spreads = rng.normal(7, 2.2, (16, 20, 2)), np.exp(rng.normal(0.4, 0.4, (16, 20, 2)))
    rng = np.random.default_rng(seed)
    y, hump = rng.integers(0, 20, n), rng.integers(0, 2, n)
    X = [np.clip(np.round(rng.normal(m[y, hump], s[y, hump])), 0, 15) for m, s in zip(means, spreads, strict=True)]
    return pd.DataFrame(np.column_stack(X)).rename(columns=str), y


def exact(nb: NaiveBayes) -> Slim:
    """Return a slim model of the model's own tables."""
    made = nb._modelled()[1].model
    return replace(nb.slim(within=0.05), log_prior=made.log_prior, forms=made.forms)


def few_columns(n: int = 900) -> tuple[pd.DataFrame, Any]:
    rng = np.random.default_rng(0)
    y = rng.choice(["lawful", "neutral", "chaotic"], n, p=[0.6, 0.3, 0.1])
    k = rng.poisson(np.where(y == "lawful", 3, 6))
    a = np.where(rng.random(n) < 0.7, np.char.ljust(y.astype(str), 1), "z")
    return pd.DataFrame({"a": a, "k": k, "x": rng.normal(size=n) + 2 * (y == "chaotic")}), y


FEW = NaiveBayes({"k": "bins", "x": "normal"}).fit(*few_columns())


@given(WHOLE, st.booleans(), st.floats(1e-3, 0.5), st.floats(0.01, 2))
def test_whole_numbers_come_back(whole, ordered: bool, unit: float, least: float) -> None:
    log_prior = -np.arange(len(whole)) / 3
    roots = Roots(unit, least * unit, log_prior)
    np.testing.assert_array_equal(roots.told(roots.table(whole, ordered)), whole)


def test_levels_without_an_order_are_told_as_they_were_rounded() -> None:
    table = np.log(np.random.default_rng(0).dirichlet(np.ones(6), size=3))
    roots = Roots(0.01, 0.005, np.log([0.5, 0.3, 0.2]))
    off = np.exp((roots.table(roots.told(table), ordered=False) + roots.log_prior[:, None]) / 2)
    assert np.abs(off - np.exp((table + roots.log_prior[:, None]) / 2)).max() <= 0.005 * (1 + 1e-9)


def test_the_coarsest_unit_costs_as_much_likelihood_as_counting_does() -> None:
    """Counting costs half a nat for each free cell (Wilks)."""
    rng = np.random.default_rng(0)
    n, chances = 1e6, rng.dirichlet(np.full(40, 5.0), size=200)
    unit = coarsening.COARSEST / np.sqrt(n)
    roots = Roots(unit, 0.3 * unit, np.zeros(200))
    told = np.exp(roots.table(roots.told(np.log(chances)), ordered=False))
    rounding = n * (chances * np.log(chances / told) - chances + told).sum() / chances.size
    counted = rng.multinomial(int(n), chances) / n
    counting = n * (chances * np.log(chances / counted)).sum() / chances.size
    assert abs(counting - 0.5) < 0.03
    assert abs(rounding - counting) < 0.03


def test_a_path_is_the_cheapest_of_all() -> None:
    """Held against all paths that there are."""
    rng = np.random.default_rng(0)
    price = rng.exponential(size=(coarsening.FAR + 1, 2 * coarsening.FAR + 1))
    among = rng.integers(0, 6, size=(4, 5, 3))
    costs = rng.exponential(size=among.shape)
    found = coarsening.path(among, costs, price)
    for c in range(len(among)):
        totals = {}
        for way in itertools.product(range(3), repeat=5):
            whole = among[c, np.arange(5), way]
            before = np.append(0, whole[:-1])
            totals[tuple(whole)] = min(
                totals.get(tuple(whole), np.inf),
                price[coarsening.places(before, whole)].sum() + costs[c, np.arange(5), way].sum(),
            )
        assert tuple(found[c]) == min(totals, key=totals.__getitem__)


def test_cheap_numbers_take_fewer_bytes_and_lie_nearly_as_near() -> None:
    rng = np.random.default_rng(0)
    true = rng.dirichlet(np.full(16, 2.0), size=(8, 1)) * np.ones((1, 20, 1))
    roots = [np.sqrt(rng.multinomial(500, of)) / 1.5 for of in true]
    nearest = [np.rint(np.maximum(root - 0.2, 0)).astype(np.int64) for root in roots]
    cheap = coarsening.cheapest(roots, 0.2)
    sizes = [len(packing.pack(None, [of.astype(np.uint64) for of in told])) for told in (nearest, cheap)]
    assert sizes[1] < 0.95 * sizes[0]
    off = [np.mean((np.stack(told) + 0.2 - np.stack(roots)) ** 2) for told in (nearest, cheap)]
    assert off[1] < 1.6 * off[0]


def test_what_rounding_adds_to_a_class_is_taken_off_by_the_prior() -> None:
    nb = NaiveBayes("categorical").fit(*letters(3000, 1))
    made = exact(nb)
    small = coarsening.in_roots(made, 3000, 1.5)
    mass = np.sum([np.log(np.exp(form.table).sum(axis=1)) for form in small.forms], axis=0)
    left = (small.log_prior + mass) - (made.log_prior + 0.0)
    assert np.ptp(left) < 1.1 * coarsening.IN_ALL
    np.testing.assert_allclose(small.log_prior - small.log_prior.max(), made.log_prior - made.log_prior.max(), atol=0.1)


def test_many_classes_of_whole_numbers_become_a_tenth_and_answer_as_well() -> None:
    nb = NaiveBayes().fit(*letters(8000, 1))
    X, y = letters(8000, 2)
    small = nb.slim()
    assert small.roots is not None
    assert 0.09 < small.share <= roads.SHARE
    assert nb.slim(within=0.01).share > 2 * roads.SHARE
    ours, theirs = small.predict_proba(X), nb.predict_proba(X)
    assert abs((ours.argmax(axis=1) == y).mean() - (theirs.argmax(axis=1) == y).mean()) < 0.01
    assert np.log(theirs[np.arange(len(y)), y]).mean() - np.log(ours[np.arange(len(y)), y]).mean() < 0.03
    assert "of them is another" in small.left_out[-2]


def test_they_stay_fine_where_too_much_would_be_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roads, "NATS", 0.001)
    monkeypatch.setattr(roads, "FARTHEST", 0.001)
    assert NaiveBayes().fit(*letters(3000, 1)).slim().roots is None


def test_what_cannot_be_stays_so(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 600)
    frame = pd.DataFrame({"x": np.minimum(rng.integers(0, 4, 600), y + 1).astype(float), "s": np.array(list("abc"))[y]})
    frame.loc[::3, "s"] = "d"
    model = exact(NaiveBayes("equal-width(4)", smoothing="none").fit(frame, np.array(["p", "q", "r"])[y]))
    assert not coarsening.can_be_coarse(exact(NaiveBayes("normal").fit(frame[["x"]], y)))
    assert coarsening.can_be_coarse(model)
    coarse = coarsening.in_roots(model, 600, 1.0)
    for ours, theirs in zip(coarse.forms, model.forms, strict=True):
        assert np.isneginf(theirs.table).any()
        np.testing.assert_array_equal(np.isneginf(ours.table), np.isneginf(theirs.table))
    coarse.save(tmp_path / "slim.json")
    again = candide.load(tmp_path / "slim.json")
    np.testing.assert_array_equal(again.predict_proba(frame), coarse.predict_proba(frame))


@pytest.mark.parametrize("unit", [0.1, 0.5, 1.5])
def test_a_file_of_roots_scores_as_what_was_saved(unit: float, tmp_path: Path) -> None:
    X, _ = few_columns()
    small = coarsening.in_roots(exact(FEW), len(X), unit)
    assert {type(form) for form in small.forms} == {Lookup, Steps, Quadratic}
    small.save(tmp_path / "slim.json")
    again = candide.load(tmp_path / "slim.json")
    np.testing.assert_array_equal(again.predict_proba(X), small.predict_proba(X))
    np.testing.assert_allclose(again.predict_proba(X), FEW.predict_proba(X), atol=0.3 * unit + 0.01)
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "slim.json").read_bytes()


def test_a_stored_file_of_roots_is_read() -> None:
    """Whoever changes the scale, the primer, or what foretells a bit, makes another format."""
    expected = json.loads((MODELS / "roots.expected.json").read_text())
    chances = expected.pop("chances")
    small = candide.load(MODELS / "roots.json")
    assert small.roots is not None
    np.testing.assert_allclose(small.predict_proba(pd.DataFrame(expected)), chances, atol=1e-11)


BROKEN = {
    "no least": lambda told: told.update(roots=[0.1]),
    "a unit of nothing": lambda told: told.update(roots=[0, 0.1]),
    "a unit below zero": lambda told: told.update(roots=[-0.1, 0.1]),
    "a least of words": lambda told: told.update(roots=[0.1, "few"]),
    "a unit that is too large": lambda told: told.update(roots=[1e300, 0.1]),
    "no list": lambda told: told.update(roots=7),
    "steps": lambda told: told.pop("roots"),
    "a form that is none": lambda told: told["forms"][0].update(form="Roots"),
    "columns beyond the last": lambda told: told["forms"].insert(0, {"form": "Quadratic"}),
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_roots_that_do_not_fit_are_refused(broken, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = few_columns()
    two = NaiveBayes({"k": "bins", "x": "normal"}).fit(X[y != "neutral"], y[y != "neutral"])
    small = coarsening.in_roots(exact(two), len(X), 0.5)

    def changed(value, numbers):
        value = json.loads(json.dumps(value))
        broken(value)
        return packing.pack(value, numbers)

    monkeypatch.setattr("candide.estimator.slim.slim.pack", changed)
    small.save(tmp_path / "broken.json")
    with pytest.raises(files.ModelFileError):
        candide.load(tmp_path / "broken.json")


def test_parabolas_that_are_infinite_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = coarsening.in_roots(exact(FEW), 900, 0.5)
    monkeypatch.setattr(
        "candide.estimator.slim.slim.pack",
        lambda value, numbers: packing.pack(value, [*numbers[:-1], numbers[-1] + 2**29]),
    )
    small.save(tmp_path / "broken.json")
    with pytest.raises(files.ModelFileError, match="too large"):
        candide.load(tmp_path / "broken.json")


def test_roots_below_zero_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = coarsening.in_roots(exact(FEW), 900, 0.5)
    monkeypatch.setattr(
        "candide.estimator.slim.slim.pack",
        lambda value, numbers: packing.pack(value, [of if of.dtype.kind != "u" else -of.astype(int) for of in numbers]),
    )
    small.save(tmp_path / "broken.json")
    with pytest.raises(files.ModelFileError, match="roots below zero"):
        candide.load(tmp_path / "broken.json")
