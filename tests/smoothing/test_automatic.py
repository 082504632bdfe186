from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide.schema.domain import Domain
from candide.smoothing import Laplace, Lidstone, MEstimate
from candide.smoothing.automatic import CANDIDATES, choose_smoothing, score

CLASSES = np.array(["a", "b", "c"])


@st.composite
def tables(draw):
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    rows = draw(
        st.lists(st.tuples(st.integers(0, 2), *(st.integers(0, s - 1) for s in sizes)), min_size=2, max_size=20)
    )
    domain = Domain(tuple(range(len(sizes))), tuple(np.arange(s) for s in sizes), CLASSES)
    counts = np.zeros((3, sum(sizes)), dtype=int)
    for c, *row in rows:
        counts[c, domain.offsets[:-1] + row] += 1
    return domain, counts, np.bincount([row[0] for row in rows], minlength=3)


def softened(rule, domain, counts, class_counts):
    marginal = counts.sum(axis=0)
    total = domain.total(marginal)
    pseudo = rule.value_pseudo(domain, np.arange(counts.shape[1]), marginal, total[domain.attribute])
    mass = rule.value_mass(domain, np.arange(len(domain.names)), total)
    known = domain.total(counts) + mass.T
    prior = class_counts + rule.class_pseudo(domain)
    return (counts + pseudo.T) / known[:, domain.attribute], prior / prior.sum()


@pytest.mark.parametrize("rule", [Laplace(), MEstimate(2.0), Lidstone(0.1, class_alpha=1.0)], ids=repr)
@given(tables())
def test_scores_are_those_of_the_counts_without_the_row(rule, table):
    domain, counts, class_counts = table
    cell, c = np.nonzero(counts.T > 0)
    scores = score(rule, domain, counts, class_counts, cell, c)
    for found, at, k in zip(scores, cell, c, strict=True):
        without, classes = counts.copy(), class_counts.copy()
        without[k, at] -= 1
        classes[k] -= 1
        theta, alpha = softened(rule, domain, without, classes)
        joint = theta[:, at] * alpha
        np.testing.assert_allclose(found, np.log(joint[k] / joint.sum()))


@given(tables())
def test_any_table_gets_a_rule(table):
    choice = choose_smoothing(*table)
    assert choice.rule in CANDIDATES
    assert all(np.isfinite(s) for s in choice.scores.values())


def test_little_data_leaves_laplace():
    domain = Domain(("x",), (np.arange(2),), CLASSES)
    assert choose_smoothing(domain, np.array([[1, 0], [1, 1], [0, 1]]), np.array([1, 2, 1])).rule == Laplace()


def test_rare_values_that_tell_the_class_are_softened_less_than_by_laplace():
    domain = Domain(("x",), (np.arange(200),), CLASSES)
    counts = np.zeros((3, 200), dtype=int)
    for c in range(3):
        counts[c, c::3] = 3
    choice = choose_smoothing(domain, counts, counts.sum(axis=1))
    assert choice.scores[repr(choice.rule)] > choice.scores[repr(Laplace())] + 0.1
    added = choice.rule.value_mass(domain, np.zeros(1, int), np.array([200.0]))
    assert added.max() < 200 / 5


def test_values_that_tell_nothing_are_softened_more():
    rng = np.random.default_rng(0)
    domain = Domain(("x",), (np.arange(300),), CLASSES)
    counts = np.stack([np.bincount(rng.integers(0, 300, 900), minlength=300) for _ in range(3)])
    choice = choose_smoothing(domain, counts, counts.sum(axis=1))
    assert choice.scores[repr(choice.rule)] > choice.scores[repr(Laplace())]
    assert choice.rule in (Lidstone(5.0, class_alpha=1.0), MEstimate(20.0), Lidstone(2.0, class_alpha=1.0))
