"""Guarantee: what is promised to the rows behind sums that noise was added to, and what it has cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from candide.frozen import frozen

MECHANISM = "two-sided geometric noise on counts and bounded sums"
NEIGHBOURS = "one row more or less"


@frozen(eq=True)
class Release:
    """Noise that was added to the sums of some rows, once.

    Parameters
    ----------
    epsilon : float
        What it costs: a row more or less changes the probability of any outcome by a factor of e^epsilon at the most.
    bounds : mapping
        By column what is public of it: the least and the most number, or the levels.
    cells : mapping
        By column of numbers that are counted, how many public cells were asked for.
    promised : tuple
        Columns whose numbers were summed before bounds were known: that they lie within is promised, not made sure.
    seeded : bool
        Whether the noise came from a seed; whoever knows it can take the noise away.
    """

    epsilon: float
    bounds: Mapping[Any, Any] = field(default_factory=dict)
    cells: Mapping[Any, int] = field(default_factory=dict)
    promised: tuple[Any, ...] = ()
    seeded: bool = False

    def told(self) -> dict[str, Any]:
        """Return the release as a plain dict."""
        return {
            "epsilon": self.epsilon,
            "bounds": dict(self.bounds),
            "cells": dict(self.cells),
            "promised": list(self.promised),
            "seeded": self.seeded,
        }


@frozen(eq=True)
class Guarantee:
    """All noise in what was learnt.

    Parameters
    ----------
    releases : tuple of Release
        One for each model that was made private and added in.
    exact : bool
        Whether rows without noise were added as well: nothing is promised to those.
    """

    releases: tuple[Release, ...]
    exact: bool = False

    @property
    def epsilon(self) -> float:
        """What a row pays that is in every release: budgets add up."""
        return float(sum(release.epsilon for release in self.releases))

    @property
    def if_disjoint(self) -> float:
        """What a row pays where no row is in two releases, as of sites that share no customer."""
        return max(release.epsilon for release in self.releases)

    def told(self) -> dict[str, Any]:
        """Return the guarantee as a plain dict; bounds stand above the releases where all have the same."""
        first = self.releases[0].told()
        same = all(release.bounds == self.releases[0].bounds for release in self.releases)
        return {
            "epsilon": self.epsilon,
            "epsilon_if_disjoint": self.if_disjoint,
            "neighbours": NEIGHBOURS,
            "mechanism": MECHANISM,
            "bounds": first["bounds"] if same else None,
            "rows_without_noise": self.exact,
            "releases": [release.told() for release in self.releases],
        }


def composed(one: Guarantee | None, other: Guarantee | None, exact: bool) -> Guarantee | None:
    """Return the guarantee of a sum; `exact` says whether a side without noise has rows."""
    if one is None and other is None:
        return None
    sides = [side for side in (one, other) if side is not None]
    releases = tuple(release for side in sides for release in side.releases)
    return Guarantee(releases, exact or any(side.exact for side in sides))
