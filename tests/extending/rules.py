"""New rules, a statistic and an engine, in as few lines as the table of CONTRIBUTING says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import xlog1py

from candide import table as tables
from candide.arithmetic import log
from candide.combination import Combination
from candide.discretizers import Discretizer
from candide.distributions import Distribution, MomentDistribution, Rules
from candide.distributions.base import WHOLE
from candide.distributions.blocks import Block
from candide.distributions.coders import Told
from candide.distributions.density import Parameters, floored
from candide.distributions.discrete import Discrete
from candide.distributions.forms import Form, Linear
from candide.distributions.links import Link
from candide.engines import Given, Memory
from candide.engines.memory import Counting
from candide.schema.cells import MISSING
from candide.schema.column import Kind
from candide.schema.domain import Domain
from candide.schema.order import object_array
from candide.schema.rows import Rows
from candide.schema.schema import Schema
from candide.scoring.decision import Costs
from candide.smoothing import Smoothing
from candide.statistics import Learnt, Moments
from candide.statistics.evidence import Evidence
from candide.statistics.request import Request
from candide.table.labels import read_labels

Array = np.ndarray[Any, Any]


# -- a distribution ----------------------------------------------------------------------------------------------------


class Geometric(MomentDistribution):
    """P(x | c) = p (1 − p)^x for whole numbers, p = 1 / (1 + mean)."""

    name = "geometric"
    support = WHOLE

    def parameters(self, x: Moments, log_x: Moments | None) -> Parameters:
        mean, _, silent = floored(x)
        return {"p": 1.0 / (1.0 + mean), "silent": silent}

    def log_density(self, x: Array, p: Parameters) -> Array:
        return np.asarray(np.log(p["p"]) + xlog1py(x, -p["p"]))

    def draw(self, rng: np.random.Generator, x: Moments, log_x: Moments | None, p: Parameters) -> Parameters:
        return {"p": rng.beta(x.n + 1.0, x.n * x.mean + 0.5)}

    def draw_cells(self, rng: np.random.Generator, p: Parameters) -> Array:
        return rng.geometric(p["p"]) - 1.0

    def form(self, p: Parameters, told: Told) -> Form:
        line = {"intercept": np.log(p["p"]), "slope": np.log1p(-p["p"]), "least": 0.0, "whole": True}
        return Linear(columns=told.columns, missing=told.missing, **line)


class Formless(Geometric):
    """The same, told in no table."""

    name = "formless"
    form = MomentDistribution.form


# -- a smoothing rule --------------------------------------------------------------------------------------------------


class Perks(Smoothing):
    """a_c = strength / #C, s_ivc = strength / #A_i."""

    name = "perks"

    def __init__(self, strength: float = 1.0) -> None:
        self.strength = strength

    def class_pseudo(self, domain: Domain) -> Array:
        return np.full(len(domain.classes), self.strength / len(domain.classes))

    def value_pseudo(self, domain: Domain, cells: Array, marginal: Array, total: Array) -> Array:
        return np.asarray((self.strength / domain.sizes[domain.attribute[cells]])[:, None])

    def value_mass(self, domain: Domain, attributes: Array, total: Array) -> Array:
        return np.full((len(attributes), 1), self.strength)


# -- a discretizer -----------------------------------------------------------------------------------------------------


class Doublings(Discretizer):
    """Cuts at base, 2 base, 4 base, ... within the range of the column."""

    name = "doublings"

    def __init__(self, base: float = 1.0) -> None:
        self.base = base

    def _cuts(self, values: Array, counts: Array) -> Array:
        cuts = self.base * 2.0 ** np.arange(64)
        return np.asarray(cuts[(cuts >= values[0]) & (cuts < values[-1])])


# -- a combination -----------------------------------------------------------------------------------------------------


class Tempered(Combination):
    """log P(c) + strength · Σ_i log P(x_i | c)."""

    name = "tempered"

    def __init__(self, strength: float = 0.5) -> None:
        self.strength = strength

    def finish(self, total: Array, log_prior: Array) -> Array:
        return log_prior + self.strength * total

    def contributions(self, terms: Array, log_prior: Array) -> tuple[Array, Array]:
        return log_prior, self.strength * terms


class Floored(Link):
    """g = max(log p, floor)."""

    def __init__(self, floor: float) -> None:
        self.floor = floor

    def of(self, p: Array, b: Array | float = 0.0) -> Array:
        return np.maximum(log(p), self.floor)

    def of_log(self, log_p: Array, log_b: Callable[[], Array]) -> Array:
        return np.maximum(log_p, self.floor)


class Patient(Combination):
    """log P(c) + Σ_i max(log P(x_i | c), floor): no attribute excludes a class for good."""

    name = "patient"

    def __init__(self, floor: float = -3.0) -> None:
        self.floor = floor

    def link(self, log_prior: Array) -> Link:
        return Floored(self.floor)


# -- a decision rule ---------------------------------------------------------------------------------------------------


class Ordinal(Costs):
    """|d − c|^power by the order of the classes: the nearer a decision is to the truth, the less it costs."""

    def __init__(self, power: float = 1.0) -> None:
        self.power = power

    def matrix(self, classes: Array) -> Array:
        at = np.arange(len(classes))
        return np.asarray(np.abs(at - at[:, None]) ** self.power)


# -- a statistic -------------------------------------------------------------------------------------------------------


def count_zeros(counting: Counting) -> Mapping[str, Any]:
    """Count the known numbers of columns that are zero, and those that are not."""
    positions = counting.rows.schema.keeping("zero")
    if not len(positions):
        return {}
    x = counting.rows.numbers(positions).astype(float)
    weight = np.ones(len(x)) if counting.weight is None else counting.weight
    classes = np.eye(counting.n_classes)[:, counting.y] * weight
    return {"zero": counting.counts(classes @ (x == 0)), "other": counting.counts(classes @ ((x != 0) & ~np.isnan(x)))}


@dataclass(frozen=True, eq=False)
class ZeroCoder:
    """Whether numbers are zero (0) or not (1)."""

    places: Array

    def codes(self, rows: Rows) -> Array:
        x = rows.numbers(self.places).astype(float)
        return np.where(np.isnan(x), MISSING, x != 0).astype(np.int32)

    def add(self, rows: Rows, table: Array, out: Array) -> bool:
        return False

    def sample(self, rng: np.random.Generator, codes: Array) -> dict[int, Array]:
        return {int(j): codes[:, i].astype(float) for i, j in enumerate(self.places)}

    def form(self, attribute: int, levels: Array, table: Array, told: Told) -> Form:
        return told.lookup(levels, table)


class Zeros(Distribution):
    """P(x = 0 | c), from how many known numbers are zero and how many are not."""

    name = "zeros"
    needs = ("zero", "other")
    discrete = True

    def estimate(self, evidence: Evidence, positions: Array, rules: Rules) -> Block:
        tables = [evidence.statistics[part].table[:, evidence.schema.slots[part][positions]] for part in self.needs]
        names = tuple(evidence.schema.columns[j].name for j in positions)
        domain = Domain(names, tuple(object_array(["zero", "other"]) for _ in names), evidence.classes)
        counts = np.stack(tables, axis=2).reshape(len(evidence.classes), -1)
        return Discrete.estimate(
            ZeroCoder(positions), domain, counts, rules.smoothing, np.zeros(len(names), dtype=bool)
        )


# -- an engine ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chunks:
    """Counts a list of (X, y)."""

    def columns(self, source: list[tuple[Any, Any]]) -> tuple[Sequence[str | int], Sequence[Kind]]:
        return Memory().columns(self._given(*source[0]))

    def learn(self, source: list[tuple[Any, Any]], request: Request, known: Schema | None = None) -> Iterator[Learnt]:
        for chunk in source:
            yield from Memory().learn(self._given(*chunk), request, known)

    def _given(self, X: Any, y: Any) -> Given:
        table = tables.read(X)
        return Given(table, read_labels(y, table.n_rows))
