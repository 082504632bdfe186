"""The model: statistics and rules in, a log prior and the parameters of each block of columns out. Immutable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from candide import native
from candide.arithmetic import difference, log, ratio, shares
from candide.distributions import Block, Distribution, Rules
from candide.distributions.base import REAL, Choice
from candide.distributions.discrete import Discrete
from candide.distributions.group import GroupBlock, estimate_group
from candide.schema.domain import join
from candide.schema.rows import Rows
from candide.smoothing.base import Smoothing, per_class
from candide.statistics.evidence import Evidence

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class Prior:
    """P(c) = (N_c + a_c) / Σ (N_c + a_c), or as given."""

    counts: Array
    pseudo: Array
    given: Array | None = None

    @cached_property
    def alpha(self) -> Array:
        """The probabilities of the classes."""
        if self.given is not None:
            return self.given
        return shares(self.counts + self.pseudo)

    def leave_one_out(self, y: Array, weight: Array) -> Array:
        """Return log P(c) (rows, classes), each row left out of its own class."""
        if self.given is not None:
            return np.broadcast_to(log(self.given), (len(y), len(self.given)))
        k = len(self.counts)
        y = np.maximum(y, 0)  # a row of a class that was never learnt weighs nothing
        weights = native.distinct(weight, len(y) // k)
        if weights is None:
            return self._without(y, weight)
        # rows of one class and one weight leave the same counts
        table = self._without(np.tile(np.arange(k), len(weights)), np.repeat(weights, k))
        return np.take(table, np.searchsorted(weights, weight) * k + y, axis=0)

    def _without(self, y: Array, weight: Array) -> Array:
        """Return log P(c) (M, classes), a weight (M,) less in class y (M,)."""
        counts = np.tile(self.counts.astype(float), (len(y), 1))
        at = np.arange(len(y))
        counts[at, y] = np.maximum(difference(counts[at, y], weight), 0.0)
        return log(shares(counts + self.pseudo))

    def draw(self, rng: np.random.Generator) -> Prior:
        """Draw alpha ~ Dirichlet(N + a); a given prior is fixed."""
        if self.given is not None:
            return self
        gamma = rng.standard_gamma(self.counts + self.pseudo)
        return replace(self, given=ratio(gamma, gamma.sum()))


def make_prior(given: Any, classes: Array, counts: Array, pseudo: Array) -> Prior:
    """Return the prior the user asked for: None as smoothed, "uniform", a sequence in class order, or {label: p}."""
    if given is None:
        return Prior(counts, pseudo)
    if isinstance(given, str):
        if given != "uniform":
            raise ValueError(f"prior={given!r} is not known; use None, 'uniform', a sequence or {{label: probability}}")
        return Prior(counts, pseudo, np.full(len(classes), 1.0 / len(classes)))
    if isinstance(given, Mapping):
        unknown = [label for label in given if label not in classes.tolist()]
        if unknown:
            raise ValueError(f"prior names the class {unknown[0]!r}; the classes are {classes.tolist()}")
    elif np.ndim(given) != 1:
        raise TypeError(f"prior={given!r}: use None, 'uniform', a sequence or {{label: probability}}")
    wrong = [p for p in (given.values() if isinstance(given, Mapping) else given) if not 0 <= p <= 1]
    if wrong:
        raise ValueError(f"prior: {wrong[0]!r} is not a probability")
    p = per_class(given, classes, "prior")
    if not np.isclose(p.sum(), 1.0):
        raise ValueError(f"the probabilities of prior add up to {p.sum():g}, not to 1")
    return Prior(counts, pseudo, p / p.sum())


@dataclass(frozen=True, eq=False)
class Model:
    """log P(c) and, for each block of columns, what P(x | c) needs.

    Parameters
    ----------
    classes : ndarray
    prior : Prior
    blocks : tuple of Block
    choices : tuple of Distribution
        The distribution of each column as used, with its cut points.
    names : tuple
        The columns.
    picks : tuple of Choice
        What was chosen for each column, with the scores of the candidates.
    smoothing : Smoothing
        The rule used, chosen where it was automatic.
    """

    classes: Array
    prior: Prior
    blocks: tuple[Block, ...]
    choices: tuple[Distribution, ...]
    names: tuple[Any, ...]
    picks: tuple[Choice, ...]
    smoothing: Smoothing

    def __repr__(self) -> str:
        return f"Model({len(self.classes)} classes, {len(self.attributes)} attributes, {self.smoothing!r})"

    def describe(self, name: Any) -> dict[str, Array]:
        """Return the parameters of a column, or of a joined attribute, by name; one number per class."""
        for block, i in self.attributes:
            if block.names[i] == name:
                return block.describe(i)
        raise ValueError(f"there is no attribute {name!r}; there are {self.attribute_names[:20]}")

    @property
    def chosen(self) -> dict[Any, str]:
        """What was chosen automatically for each column, in words."""
        return {
            name: f"{pick.name} ({pick.scores[pick.name] - pick.scores['nothing']:+.3f} nats)"
            for name, pick in zip(self.names, self.picks, strict=True)
            if pick.scores
        }

    @property
    def scores(self) -> tuple[Mapping[str, float], ...]:
        """How well every candidate did for each column; empty where there was no choice."""
        return tuple(pick.scores for pick in self.picks)

    @property
    def combinations(self) -> tuple[tuple[Any, ...], ...]:
        """The values of each joined attribute, in the order of the groups."""
        return tuple(tuple(block.domain.levels[0]) for block in self.blocks if isinstance(block, GroupBlock))

    @cached_property
    def log_prior(self) -> Array:
        """Log P(c)."""
        return log(self.prior.alpha)

    @cached_property
    def order(self) -> Array:
        """The attributes of all blocks in the order of their columns."""
        places = np.concatenate([block.places for block in self.blocks]) if self.blocks else np.zeros(0)
        return np.argsort(places, kind="stable")

    @cached_property
    def attributes(self) -> list[tuple[Block, int]]:
        """Block and position within it of each attribute, in the order of the columns."""
        flat = [(block, i) for block in self.blocks for i in range(len(block.names))]
        return [flat[j] for j in self.order]

    @property
    def attribute_names(self) -> list[Any]:
        """Names of the attributes, in the order of the columns."""
        return [block.names[i] for block, i in self.attributes]

    def log_likelihood(self, rows: Rows) -> Array:
        """Return log P(x_i | c) per row, class and attribute."""
        return self._stack([block.log_likelihood(rows) for block in self.blocks], len(rows))

    def leave_one_out(self, rows: Rows, y: Array, weight: Array) -> Array:
        """Return log P(x_i | c), each row scored without itself."""
        return self._stack([block.leave_one_out(rows, y, weight) for block in self.blocks], len(rows))

    def _stack(self, parts: list[Array], n: int) -> Array:
        if not parts:
            return np.zeros((n, len(self.classes), 0))
        return np.concatenate(parts, axis=2)[:, :, self.order]

    def draw(self, rng: np.random.Generator) -> Model:
        """Return a model drawn from the posterior of its parameters."""
        return replace(self, prior=self.prior.draw(rng), blocks=tuple(block.draw(rng) for block in self.blocks))


def estimate(
    evidence: Evidence, plans: Sequence[Distribution], rules: Rules, prior: Any, discrete: bool = False
) -> Model:
    """Estimate a model from statistics and rules.

    Parameters
    ----------
    evidence : Evidence
    plans : sequence of Distribution
        One per column.
    rules : Rules
        Smoothing and the meaning of a missing cell.
    prior : None, "uniform", sequence or mapping
    discrete : bool
        Whether an automatic choice must be discrete.
    """
    schema = evidence.schema
    grouped = {j for group in schema.groups for j in group}
    choices = [rule.settle(evidence, j, discrete or j in grouped) for j, rule in enumerate(plans)]
    settled = [choice.distribution for choice in choices]
    blocks, fixed = make_blocks(evidence, settled, grouped, rules)
    counts = evidence.statistics.classes.table
    smoothing = settle_smoothing(rules.smoothing, blocks, schema.classes, counts)
    if smoothing is not rules.smoothing:
        rules = replace(rules, smoothing=smoothing)
        blocks, fixed = make_blocks(evidence, settled, grouped, rules)
    domain = join([block.domain for block in blocks if block.domain is not None], schema.classes)
    made = make_prior(prior, schema.classes, counts, smoothing.class_pseudo(domain))
    return Model(schema.classes, made, tuple(blocks), tuple(fixed), tuple(schema.names), tuple(choices), smoothing)


def make_blocks(
    evidence: Evidence, settled: Sequence[Distribution], grouped: set[int], rules: Rules
) -> tuple[list[Block], list[Distribution]]:
    """Estimate every block of columns; return the blocks and each column's distribution with its cut points."""
    blocks: list[Block] = []
    choices = list(settled)
    for rule, positions in alike(settled, grouped):
        check_inside(evidence, rule, positions)
        block = rule.estimate(evidence, positions, rules)
        blocks.append(block)
        for j in positions:
            choices[j] = rule.fixed(block, int(j))
    for g in range(len(evidence.schema.groups)):
        joined = estimate_group(evidence, g, settled, rules)
        blocks.append(joined)
        for member in joined.coder.members:
            choices[member.position] = settled[member.position].fixed(member.block, member.position)
    return blocks, choices


def settle_smoothing(rule: Smoothing, blocks: Sequence[Block], classes: Array, class_counts: Array) -> Smoothing:
    """Return the smoothing rule, chosen from the counts of all discrete attributes where it is automatic."""
    tables = [block.table if isinstance(block, GroupBlock) else block for block in blocks]
    discrete = [table for table in tables if isinstance(table, Discrete)]
    counts = [np.zeros((len(classes), 0)), *(table.counts for table in discrete)]
    return rule.settle(
        join([table.domain for table in discrete], classes), np.concatenate(counts, axis=1), class_counts
    )


def check_inside(evidence: Evidence, rule: Distribution, positions: Array) -> None:
    """Refuse a distribution chosen after the data were read, where the numbers kept tell that it cannot give them."""
    for j in positions if rule.kind == "numbers" and rule.support is not REAL else ():
        column = evidence.schema.columns[j]
        if column.storage == "values":
            values, counts = evidence.values(int(j))
            outside = values[rule.support.outside(values) & counts.any(axis=0)]
        elif column.storage in ("moments", "log_moments"):
            mean = evidence.moments(np.array([j])).mean
            outside = mean[mean < 0]
        else:
            continue
        if len(outside):
            raise ValueError(
                f"column {column.name!r} has learnt {outside[0]:g}, or more than that below zero, which is outside the "
                f"support of {rule.name!r}: it takes {rule.support.says}"
            )


def alike(rules: Sequence[Distribution], grouped: set[int]) -> list[tuple[Distribution, Array]]:
    """Gather the columns that share a rule into blocks, leaving out those that are in a group."""
    blocks: dict[Any, list[int]] = {}
    first: dict[Any, Distribution] = {}
    keys: dict[int, Any] = {}
    for j, rule in enumerate(rules):
        if j not in grouped:
            key = keys.setdefault(id(rule), rule.key())
            # levels are declared per column in the schema: they do not part a block
            key = type(rule).__name__ if rule.storage == "levels" else key
            blocks.setdefault(key, []).append(j)
            first.setdefault(key, rule)
    return [(first[key], np.array(positions)) for key, positions in blocks.items()]
