"""Links: how a likelihood enters the sum, against the same computed from probabilities; and without each row."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.laws import tolerance
from tests.strategies import DISCRETE, KINDS, learning_table

from candide import NaiveBayes
from candide import table as tables
from candide.distributions.blocks import LeftOut
from candide.distributions.links import LOG, PROBABILITY, ZERO, Link, Mixed
from candide.schema.rows import Rows

PLAIN: dict[str, Link] = {"log": LOG, "probability": PROBABILITY, "zero": ZERO}
RATE = 0.2
probabilities = st.floats(1e-290, 1) | st.sampled_from([0.0, 1.0])
"""Denormals aside, which a product rounds to zero and a sum of logarithms does not."""


# -- g itself ----------------------------------------------------------------------------------------------------------


@given(probabilities, probabilities)
def test_links_of_logarithms_are_those_of_probabilities(p: float, b: float) -> None:
    with np.errstate(divide="ignore"):
        log_p, log_b = np.log([p]), np.log([b])
    links = [*PLAIN.values(), Mixed(RATE, "marginal", np.zeros(1)), Mixed(0.0, "uniform", np.zeros(1))]
    for link in links:
        np.testing.assert_allclose(link.of_log(log_p, lambda: log_b), link.of(np.array([p]), b), rtol=1e-10, atol=1e-12)


@given(probabilities, probabilities)
def test_links_by_hand(p: float, b: float) -> None:
    with np.errstate(divide="ignore"):
        assert LOG.of(np.array([p]))[0] == np.log(p)
        mixed = np.log((1 - RATE) * p + RATE * b)
    assert PROBABILITY.of(np.array([p]))[0] == p
    assert ZERO.of(np.array([p]))[0] == (p == 0)
    np.testing.assert_allclose(Mixed(RATE, "uniform", np.zeros(1)).of(np.array([p]), b), [mixed])


def test_what_says_nothing_stays_so_under_every_link() -> None:
    nothing = np.array([np.nan])
    for link in (*PLAIN.values(), Mixed(RATE, "marginal", np.zeros(1))):
        assert np.isnan(link.of_log(nothing, lambda: nothing)).all()


def test_what_a_number_adds_that_no_class_allows() -> None:
    assert [link.outside for link in PLAIN.values()] == [-np.inf, 0.0, 1.0]
    assert Mixed(RATE, "marginal", np.zeros(1)).outside == -np.inf


def test_only_a_mixture_asks_for_a_background() -> None:
    assert [link.background for link in PLAIN.values()] == [None, None, None]
    assert Mixed(RATE, "uniform", np.zeros(1)).background == "uniform"


# -- blocks under links ------------------------------------------------------------------------------------------------

GROUPS = {"groups": [["categorical0", "bins1"]]}
CASES: dict[str, dict[str, object]] = {
    **{kind: {"kinds": (kind, kind)} for kind in KINDS},
    "a group": {"kinds": ("categorical", "bins", "normal"), **GROUPS},
    "a density within a group": {"kinds": ("categorical", "bins", "normal"), "groups": [["categorical0", "normal2"]]},
}
every_case = pytest.mark.parametrize("name", CASES)
every_missing = pytest.mark.parametrize("missing", ["ignore", "level"])


@cache
def fitted(name: str, missing: str, smoothing: str = "laplace") -> tuple[NaiveBayes, Rows, pd.DataFrame, np.ndarray]:
    """Return a model, its rows, and the table they were learnt from."""
    params = dict(CASES[name])
    case = learning_table(params.pop("kinds"), seed=8, n=24)
    nb = NaiveBayes(case.distributions, missing=missing, smoothing=smoothing, **params).fit(case.X, case.y)
    return nb, Rows(tables.read(case.X), nb.schema_), case.X, case.y


def links(log_prior: np.ndarray) -> dict[str, Link]:
    """Return every link; a mixture weighs classes by their prior."""
    mixed: dict[str, Link] = {f"mixed, {b}": Mixed(RATE, b, log_prior) for b in ("marginal", "uniform")}
    return {**PLAIN, **mixed}


@every_missing
@every_case
def test_terms_are_links_of_probabilities(name: str, missing: str) -> None:
    nb, rows, _, _ = fitted(name, missing)
    log_p = nb.model_.terms(rows, LOG)
    np.testing.assert_allclose(nb.model_.terms(rows, PROBABILITY), np.exp(log_p), rtol=1e-11, atol=1e-300)
    # a density that vanishes in floats is not zero
    zero = np.where(np.isnan(log_p), np.nan, log_p == -np.inf)
    np.testing.assert_array_equal(nb.model_.terms(rows, ZERO), zero)


@every_missing
@every_case
def test_what_is_added_is_the_sum_of_the_terms(name: str, missing: str) -> None:
    nb, rows, _, y = fitted(name, missing)
    left = LeftOut(np.searchsorted(nb.classes_, y), np.ones(len(y)))
    for without in (None, left):
        log_prior = nb.model_.log_prior if without is None else nb.model_.prior.without(left)
        for link in links(log_prior).values():
            added = np.zeros((len(rows), len(nb.classes_)))
            nb.model_.add(rows, link, added, without)
            apart = np.nansum(nb.model_.terms(rows, link, without), axis=2)
            np.testing.assert_allclose(added, apart, rtol=1e-10, atol=1e-11)


@pytest.mark.parametrize("name", [name for name in CASES if name not in {*DISCRETE, "a group", "smooth"}])
def test_the_background_of_a_density_is_its_mixture_over_classes(name: str) -> None:
    nb, rows, _, _ = fitted(name, "ignore")
    alpha = nb.model_.prior.alpha
    p = np.exp(nb.model_.terms(rows, LOG))
    b = np.einsum("k,rka->ra", alpha, p)[:, None, :]
    for background in ("marginal", "uniform"):
        got = nb.model_.terms(rows, Mixed(RATE, background, nb.model_.log_prior))
        wanted = np.log((1 - RATE) * p + RATE * b)
        densities = [
            i for i, (block, _) in enumerate(nb.model_.attributes) if not block.tables or "&" in block.names[0]
        ]
        np.testing.assert_allclose(got[:, :, densities], wanted[:, :, densities], rtol=1e-9)


@every_missing
def test_the_background_of_symbols_is_their_softened_marginal_or_uniform(missing: str) -> None:
    nb, rows, X, _ = fitted("categorical", missing)
    p = np.exp(nb.model_.terms(rows, LOG))
    for background in ("marginal", "uniform"):
        got = nb.model_.terms(rows, Mixed(RATE, background, nb.model_.log_prior))
        for i, column in enumerate(X):
            cells = [None if cell != cell else cell for cell in X[column]]
            told = Counter(cell for cell in cells if cell is not None or missing == "level")
            for row, cell in enumerate(cells):
                if cell not in told:
                    assert np.isnan(got[row, :, i]).all()
                    continue
                b = (told[cell] + 1) / (sum(told.values()) + len(told)) if background == "marginal" else 1 / len(told)
                np.testing.assert_allclose(got[row, :, i], np.log((1 - RATE) * p[row, :, i] + RATE * b), rtol=1e-12)


# -- leaving a row out under every link --------------------------------------------------------------------------------


@every_missing
@every_case
def test_without_a_row_a_link_is_that_of_the_model_fitted_without_it(name: str, missing: str) -> None:
    nb, rows, X, y = fitted(name, missing)
    left = LeftOut(np.searchsorted(nb.classes_, y), np.ones(len(y)))
    got = {said: nb.model_.terms(rows, link, left) for said, link in links(nb.model_.prior.without(left)).items()}
    for row in range(0, len(y), 3):
        keep = np.arange(len(y)) != row
        again = NaiveBayes(**{**nb.get_params(deep=False), "schema": nb.schema_}).fit(X[keep], y[keep])
        here = Rows(tables.read(X.iloc[[row]]), again.schema_)
        for said, link in links(again.model_.log_prior).items():
            wanted = again.model_.terms(here, link)[0]
            np.testing.assert_allclose(
                got[said][row], wanted, rtol=tolerance(name), atol=tolerance(name), err_msg=f"{said}, row {row}"
            )
