"""BayesNetwork: a network given by the user over the columns and the class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from candide import table as tables
from candide.model.plan import Plan
from candide.schema.alignment import align
from candide.schema.rows import Rows
from candide.schema.schema import Schema
from candide.structure.base import Structure
from candide.structure.graph import Graph, make_graph
from candide.structure.inference import Inference
from candide.structure.network_block import NetworkBlock
from candide.structure.network_plan import NetworkPlan
from candide.structure.plan import StructurePlan
from candide.table.labels import code_labels, column_labels

Array = np.ndarray[Any, Any]


class BayesNetwork(Structure):
    """A Bayesian network over the columns and the class: P(x, c) = Π over nodes of P(node | parents).

    The class is a node like any other, called by the name of the target column ("class" where labels come without a
    name); it may have parents. Columns of numbers are cut; the cuts are settled from the values of the first rows
    learnt and stay. What is unknown is summed out exactly.

    Parameters
    ----------
    parents : None or {node: [parents]}
        What each node depends on; a node that is not named depends on nothing. Without parents and edges the network is
        that of naive Bayes.
    edges : None or list of (parent, child)
        The same, arc by arc.
    learn : None or "chow-liu"
        "chow-liu" finds the tree of most mutual information over all columns and the class.
    distributions : "auto", a name, an object, or {column: name or object}
        Which columns are categorical, and how columns of numbers are cut.
    smoothing : str or Smoothing
        Pseudo-counts, within each combination of the parents' values.
    prior, costs, missing, unseen, schema
        As in `NaiveBayes`; a class that has parents has no prior of its own.

    Attributes
    ----------
    parents_ : dict
        The parents of each node.

    Examples
    --------
    >>> import pandas as pd
    >>> from candide.structure import BayesNetwork
    >>> frame = pd.DataFrame({"age": ["young", "old"] * 4, "buy": ["no", "yes"] * 3 + ["yes", "yes"]})
    >>> net = BayesNetwork(parents={"buy": ["age"]}).fit(frame, "buy")
    >>> {label: round(p, 3) for label, p in net.query("buy", {"age": "young"}).items()}
    {'no': 0.667, 'yes': 0.333}
    """

    reading = "plain"  # every node is a column

    PLANNED = ("parents", "edges", "learn", "distributions", "smoothing", "prior", "missing", "schema")

    def __init__(
        self,
        parents: Any = None,
        edges: Any = None,
        learn: Any = None,
        distributions: Any = "auto",
        smoothing: Any = "laplace",
        prior: Any = None,
        costs: Any = None,
        missing: str = "ignore",
        unseen: str = "ignore",
        schema: Schema | None = None,
    ) -> None:
        self.parents = parents
        self.edges = edges
        self.learn = learn
        self.distributions = distributions
        self.smoothing = smoothing
        self.prior = prior
        self.costs = costs
        self.missing = missing
        self.unseen = unseen
        self.schema = schema

    def _structured(self, plan: Plan) -> StructurePlan:
        node = plan.target or ("class" if "class" not in plan.names else "(class)")
        if self.learn is not None:
            if self.learn != "chow-liu":
                raise ValueError(f"learn={self.learn!r} is not known; use None or 'chow-liu'")
            if self.parents is not None or self.edges is not None:
                raise ValueError("a network is given by parents= or edges=, or learnt by learn=, not both")
            return NetworkPlan.of(plan, together=2, graph=None, node=node)
        graph = make_graph(self.parents, self.edges, plan.names, node)
        return NetworkPlan.of(plan, groups=families(graph, list(plan.names)), graph=graph, node=node)

    # -- the graph ---------------------------------------------------------------------------------------------------

    @property
    def graph_(self) -> Graph:
        """The graph: who depends on whom."""
        parents = self.model_.settled.parents
        assert parents is not None
        return Graph(parents)

    @property
    def parents_(self) -> dict[Any, list[Any]]:
        """The parents of each node."""
        return {node: list(found) for node, found in self.graph_.parents.items()}

    def independent(self, a: Any, b: Any, given: Any = ()) -> bool:
        """Return whether a and b are independent given others, by d-separation: in every network of this graph.

        Parameters
        ----------
        a, b, given : a node, or a list of nodes
        """
        return self.graph_.independent(a, b, given)

    def to_dot(self) -> str:
        """Return the graph in the DOT language of Graphviz."""
        return self.graph_.to_dot()

    # -- what it says ------------------------------------------------------------------------------------------------

    @property
    def _block(self) -> NetworkBlock:
        (block,) = self.model_.blocks
        assert isinstance(block, NetworkBlock)
        return block

    @property
    def _inference(self) -> Inference:
        block = self._block
        log_prior = self.model_.log_prior if block.of_class is None else np.zeros(len(self.classes_))
        return Inference(block.factors, block.target, log_prior, self._state.learnt.schema)

    def query(self, target: Any, evidence: Mapping[Any, Any] | None = None) -> dict[Any, float]:
        """Return P(target | evidence) by value, all other nodes summed out exactly.

        Parameters
        ----------
        target : node
        evidence : {node: value} or None
            What is known; a number of a column that was cut stands for its interval.
        """
        return self._inference.query(target, evidence or {})

    def predict_target(self, X: Any, target: Any) -> tuple[Array, Array]:
        """Return the most probable value of any node for each row, and the probabilities of all its values.

        Parameters
        ----------
        X : data frame or array
            Its columns; of the target's column nothing is used. A column of the class is used where it is there.
        target : node

        Returns
        -------
        values : ndarray (rows,)
        probabilities : ndarray (rows, values)
        """
        node = self._block.target
        if target == node:
            return self.predict(X), self.predict_proba(X)
        schema: Schema = self._state.learnt.schema
        table = tables.read(X)
        label = None
        if table.names is not None and node in table.names:
            labels = column_labels(table.column(table.index(node)))
            label = code_labels(labels.classes, schema.classes)[labels.codes]
        rows = Rows(align(table, schema, type(self).__name__, reading=self.reading), schema, self.unseen)
        return self._inference.of_rows(rows, target, label)

    def _drawn(self, n: int, random_state: Any) -> tuple[dict[int, Array], Array]:
        """Return cells and classes that are drawn from the network, whose class may have parents."""
        block = self._block
        if block.of_class is None or n < 1:
            return super()._drawn(n, random_state)
        rng = np.random.default_rng(random_state)
        y = rng.choice(block.n_classes, size=n, p=block.factors.class_shares())
        return block.sample(rng, y), y

    def log_likelihood(self) -> float:
        """Return the log-likelihood of what was learnt: Σ N log P(node | parents), of the rows that know a family."""
        block = self._block
        total = sum(family.log_likelihood() for family in block.factors.families)
        if block.of_class is not None:
            return total
        used = self.class_counts_ > 0
        return total + float((self.class_counts_[used] * self.model_.log_prior[used]).sum())

    def bic(self) -> float:
        """Return the Bayesian information criterion, k log N − 2 log-likelihood: the less, the better."""
        block = self._block
        k = sum(family.freedom for family in block.factors.families)
        k += len(self.classes_) - 1 if block.of_class is None else 0
        return float(k * np.log(self.class_counts_.sum()) - 2.0 * self.log_likelihood())


def families(graph: Graph, names: list[Any]) -> tuple[tuple[int, ...], ...]:
    """Return the columns of every family that has more than one: these are counted together."""
    out: dict[tuple[int, ...], None] = {}
    for node, parents in graph.parents.items():
        columns = tuple(sorted(names.index(one) for one in (node, *parents) if one in names))
        if len(columns) > 1:
            out[columns] = None
    return tuple(out)
