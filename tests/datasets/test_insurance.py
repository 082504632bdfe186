"""The insurance generator draws from the distributions its tables state."""

import numpy as np
import pytest
from scipy import stats

from candide.datasets import insurance
from candide.datasets.insurance import CLASSES, HORSE_POWER, SYMBOLS, WEIGHT, WHEELS

N = 20_000
LEAST_P = 1e-4  # with a fixed seed this either always passes or never does


@pytest.fixture(scope="module")
def requests():
    return insurance(N, missing=0.0, seed=5)


def _fits(observed, table):
    expected = np.array(list(table.values())) * len(observed)
    counts = np.array([(observed == value).sum() for value in table])
    assert counts[expected == 0].sum() == 0
    return stats.chisquare(counts[expected > 0], expected[expected > 0]).pvalue > LEAST_P


def test_each_column_follows_its_class_conditional_distribution(requests):
    assert _fits(requests.y, CLASSES)
    for label, part in requests.frame.groupby("desk"):
        median, sigma = WEIGHT[label]
        assert stats.kstest(np.log(part["weight"]), "norm", (np.log(median), sigma)).pvalue > LEAST_P
        for energy, rest in part.groupby("energy", observed=True):
            shape, scale = HORSE_POWER[label][energy]
            assert stats.kstest(rest["horse_power"], "gamma", (shape, 0, scale)).pvalue > LEAST_P
        assert _fits(part["wheels"], WHEELS[label])
        for name, tables in SYMBOLS.items():
            assert _fits(part[name], tables[label])


def test_missing_cells_have_the_rate_asked_for_and_never_hit_the_target():
    frame = insurance(N, missing=0.2, seed=1).frame
    assert frame["desk"].notna().all()
    assert frame.drop(columns="desk").isna().mean().between(0.19, 0.21).all()


def test_symbols_declare_their_domain():
    assert insurance(3).frame["energy"].cat.categories.tolist() == ["diesel", "electric", "gas", "petrol"]


def test_the_seed_decides_and_bad_sizes_are_refused():
    assert insurance(50, seed=1).frame.equals(insurance(50, seed=1).frame)
    assert not insurance(50, seed=1).frame.equals(insurance(50, seed=2).frame)
    with pytest.raises(ValueError, match="n >= 1"):
        insurance(0)
