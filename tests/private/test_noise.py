"""The noise: exact probabilities, whole numbers, and the guarantee that follows from them."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from candide.private.noise import below, geometric, random_bytes, two_sided_geometric, with_probability_exp

DRAWS = 60_000
LEVEL = 1e-4  # of a test with a fixed seed: a right sampler fails it never again once it passed


def chi_square(found, probabilities, edge):
    """Return the p-value of draws of whole numbers -edge .. edge, and one cell for all beyond."""
    inside = found[np.abs(found) <= edge]
    counts = np.append(np.bincount(inside + edge, minlength=2 * edge + 1), len(found) - len(inside))
    expected = len(found) * np.append(probabilities, 1 - probabilities.sum())
    return stats.chisquare(counts, expected).pvalue


@pytest.mark.parametrize("rate", [Fraction(1, 10), Fraction(1, 2), Fraction(1), Fraction(7, 3)])
def test_noise_has_the_probabilities_of_the_two_sided_geometric(rate):
    alpha = math.exp(-rate)
    edge = max(1, min(40, int(6 / rate)))
    z = np.arange(-edge, edge + 1)
    exact = (1 - alpha) / (1 + alpha) * alpha ** np.abs(z)
    noise = two_sided_geometric(rate, DRAWS, random_bytes(11))
    assert noise.dtype == np.int64
    assert chi_square(noise, exact, edge) > LEVEL


def test_the_chi_square_would_tell_another_rate():
    alpha = math.exp(-0.5)
    exact = (1 - alpha) / (1 + alpha) * alpha ** np.abs(np.arange(-12, 13))
    assert chi_square(two_sided_geometric(Fraction(55, 100), DRAWS, random_bytes(11)), exact, 12) < LEVEL


def test_small_rates_give_wide_noise():
    noise = two_sided_geometric(Fraction(1, 10**6), 20_000, random_bytes(5))
    # the mean of |z| is 2α / (1 − α²), about one over the rate
    assert np.abs(noise).mean() == pytest.approx(1e6, rel=0.03)


def test_one_sided_noise_is_scipys_geometric():
    y = geometric(1 << 40, DRAWS, random_bytes(2))  # rate 1
    expected = stats.geom(1 - math.exp(-1), loc=-1)
    counts = np.bincount(np.minimum(y, 9), minlength=10)
    exact = np.append(expected.pmf(np.arange(9)), expected.sf(8))
    assert stats.chisquare(counts, DRAWS * exact).pvalue > LEVEL


@pytest.mark.parametrize("gamma", [0.0, 0.3, 1.0])
def test_events_of_probability_exp(gamma):
    found = with_probability_exp(np.full(DRAWS, int(gamma * 2**40)), random_bytes(3)).sum()
    assert stats.binomtest(int(found), DRAWS, math.exp(-gamma)).pvalue > LEVEL if gamma else found == DRAWS


def test_whole_numbers_below_another_are_equally_likely():
    counts = np.bincount(below(7, DRAWS, random_bytes(4)), minlength=7)
    assert len(counts) == 7
    assert stats.chisquare(counts).pvalue > LEVEL
    # more than half of the range: every second draw is beyond it, and drawn again
    assert (below(2**62 + 1, 1000, random_bytes(4)) <= 2**62).all()


@pytest.mark.parametrize("rate", [Fraction(0), Fraction(1, 2**41), Fraction(2**21)])
def test_rates_that_are_not_drawn_are_refused(rate):
    with pytest.raises(ValueError, match="between 2"):
        two_sided_geometric(rate, 1, random_bytes(0))


def test_noise_is_the_systems_unless_a_seed_is_given():
    one, two = (two_sided_geometric(Fraction(1, 100), 50, random_bytes()) for _ in range(2))
    assert (one != two).any()
    one, two = (two_sided_geometric(Fraction(1, 100), 50, random_bytes(8)) for _ in range(2))
    assert (one == two).all()


NOT_RANDOM = "the random bytes are not random: a number was tried 256 times"


@pytest.mark.parametrize("byte", [b"\x00", b"\x55"])
def test_bytes_that_are_not_random_end_in_an_error_and_not_never(byte):
    with pytest.raises(ValueError, match=NOT_RANDOM):
        two_sided_geometric(Fraction(1, 2), 5, lambda n: byte * n)


def test_a_number_is_drawn_from_the_first_bytes_that_fit():
    beyond, fits = b"\xff" * 8, (2 * 5).to_bytes(8, "little")  # 63 bits: the lowest falls away
    given = iter([beyond] * 200 + [fits])
    assert below(3 << 40, 1, lambda _: next(given)).tolist() == [5]
    with pytest.raises(ValueError, match=NOT_RANDOM):
        below(3 << 40, 1, lambda _: beyond)
