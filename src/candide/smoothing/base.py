"""Smoothing: every softening rule is a pair of pseudo-counts, for classes and for the values of attributes.

alpha_c = (N_c + a_c) / Σ_c' (N_c' + a_c') and theta_ivc = (N_ivc + s_ivc) / (N_i.c + Σ_v' s_iv'c).

A rule gives a_c (`class_pseudo`), s_ivc at any cells (`value_pseudo`) and Σ_v s_ivc (`value_mass`). The marginal
counts N_iv. and N_i.. are handed in, so that the same rule serves the whole table and a table with one row left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from candide.arithmetic import ratio
from candide.messages import few_of
from candide.rules import Rule
from candide.schema.domain import Domain

Array = np.ndarray[Any, Any]


def softened(counts: Array, known: Array, pseudo: Array, mass: Array) -> Array:
    """Return theta = (N_ivc + s_ivc) / (N_i.c + Σ_v s_ivc), with 0/0 = 0."""
    return ratio(counts + pseudo, known + mass)


class Smoothing(Rule):
    """Base of the softening rules."""

    alike: ClassVar[bool] = False
    """Whether s_ivc is the same for all values of an attribute and all classes, however often they are counted."""

    def class_pseudo(self, domain: Domain) -> Array:
        """Return a_c, one per class."""
        raise NotImplementedError

    def value_pseudo(self, domain: Domain, cells: Array, marginal: Array, total: Array) -> Array:
        """Return s_ivc at flat cells (M,), as (M, 1) or (M, K).

        Parameters
        ----------
        domain : Domain
        cells : ndarray of int (M,)
        marginal : ndarray (M,)
            N_iv. of the cells.
        total : ndarray (M,)
            N_i.. of the cells' attributes.
        """
        raise NotImplementedError

    def value_mass(self, domain: Domain, attributes: Array, total: Array) -> Array:
        """Return Σ_v s_ivc for attributes (M,) with N_i.. = total, as (M, 1) or (M, K)."""
        raise NotImplementedError

    def scale(self, known: Array) -> Array | float:
        """Return what the pseudo-counts are multiplied by where N_i.c rows of a class are known: 1.

        A rule that adds to relative frequencies N_ivc / N_i.c, and not to counts, returns N_i.c.
        """
        return 1.0

    def pseudo_counts(
        self, domain: Domain, cells: Array, marginal: Array, total: Array, known: Array
    ) -> tuple[Array, Array]:
        """Return s_ivc and Σ_v s_ivc at flat cells (M,), each as (M, 1) or (M, K).

        Parameters
        ----------
        domain, cells, marginal, total
            As in `value_pseudo`.
        known : ndarray (M, K)
            N_i.c of the cells' attributes.
        """
        scale = self.scale(known)
        pseudo = self.value_pseudo(domain, cells, marginal, total)
        return pseudo * scale, self.value_mass(domain, domain.attribute[cells], total) * scale

    def within(self, pseudo: Array, mass: Array, theta: Array, contexts: int) -> tuple[Array, Array]:
        """Return s and Σ_v s of P(x_i | parents, c), within each of the parents' values, from those of P(x_i | c).

        By default they are the same.

        Parameters
        ----------
        pseudo, mass : ndarray (M, 1) or (M, K)
            s_ivc and Σ_v s_ivc at some cells.
        theta : ndarray (M, K)
            P(x_i | c) there.
        contexts : int
            How many values the parents have together.
        """
        return pseudo, mass

    def settle(self, domain: Domain, counts: Array, class_counts: Array) -> Smoothing:
        """Return the rule to be used; an automatic one chooses here, from the counts (K, cells)."""
        return self

    def settle_strength(self, tables: Sequence[Any]) -> Smoothing:
        """Return the rule with the strength chosen by which it softens the tables of joined columns (`Discrete`)."""
        return self


def nonnegative(value: Any, what: str) -> float:
    """Return a pseudo-count, or say that it cannot be negative."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{what}={value!r}: a pseudo-count is a number") from None
    if not np.isfinite(number) or number < 0:
        raise ValueError(f"{what}={value!r}: a pseudo-count is a number that is not negative")
    return number


def per_class(given: Any, classes: Array, what: str) -> Array:
    """Return one number per class from a number, a sequence in class order, or {label: number}."""
    labels = classes.tolist()
    if isinstance(given, Mapping):
        absent = [label for label in labels if label not in given]
        if absent:
            raise ValueError(f"{what} says nothing of class {absent[0]!r}; it knows {few_of(list(given))}")
        return np.array([nonnegative(given[label], what) for label in labels])
    if np.ndim(given) == 0:
        return np.full(len(labels), nonnegative(given, what))
    if len(given) != len(labels):
        raise ValueError(f"{what} has {len(given)} entries for {len(labels)} classes: {few_of(labels)}")
    return np.array([nonnegative(v, what) for v in given])
