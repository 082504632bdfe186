"""Graphs of networks: who depends on whom, what is independent of what, and how it is written down."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import combinations
from typing import Any

from candide.frozen import frozen
from candide.messages import unknown

Node = Any
Parents = Mapping[Node, tuple[Node, ...]]


@frozen
class Graph:
    """A directed graph without cycles.

    Parameters
    ----------
    parents : mapping of node to tuple of nodes
        Every node is a key.

    Examples
    --------
    >>> graph = Graph({"age": (), "buy": ("age",), "insurance": ("buy",)})
    >>> graph.independent("age", "insurance"), graph.independent("age", "insurance", ["buy"])
    (False, True)
    """

    parents: Parents

    @property
    def nodes(self) -> list[Node]:
        """All nodes."""
        return list(self.parents)

    @property
    def edges(self) -> list[tuple[Node, Node]]:
        """All arcs, from parent to child."""
        return [(p, node) for node, found in self.parents.items() for p in found]

    @cached_property
    def order(self) -> list[Node]:
        """The nodes, parents before their children."""
        return list(TopologicalSorter(self.parents).static_order())

    def ancestors(self, nodes: Iterable[Node]) -> set[Node]:
        """Return some nodes, their parents, the parents of these, and so on."""
        out: set[Node] = set()
        todo = list(nodes)
        while todo:  # ends: every arc is followed once
            node = todo.pop()
            if node not in out:
                out.add(node)
                todo += self.parents[node]
        return out

    def independent(self, a: Any, b: Any, given: Any = ()) -> bool:
        """Whether a and b are independent given others in every distribution of this graph: d-separation.

        In the graph of all ancestors, with parents of one child joined and directions left out, no way from a to b
        avoids the nodes that are given.
        """
        first, second, known = (self._some(nodes) for nodes in (a, b, given))
        neighbours = self._joined(self.ancestors(first | second | known))
        reached, todo = set(), list(first - known)
        while todo:  # ends: every arc is followed once
            node = todo.pop()
            if node not in reached:
                reached.add(node)
                todo += neighbours[node] - known
        return not reached & (second - known)

    def _joined(self, kept: set[Node]) -> dict[Node, set[Node]]:
        """Return the neighbours of nodes, directions left out and parents of one child joined."""
        neighbours: dict[Node, set[Node]] = {node: set() for node in kept}
        for node in kept:
            family = {node, *self.parents[node]}
            for one in family:
                neighbours[one] |= family - {one}
        return neighbours

    @property
    def markov(self) -> list[tuple[Node, Node]]:
        """The lines of the Markov network: who is joined to whom, directions left out and parents of one child joined.

        Examples
        --------
        >>> Graph({"wind": (), "play": ("wind",)}).markov == Graph({"wind": ("play",), "play": ()}).markov
        True
        """
        neighbours = self._joined(set(self.nodes))
        return [(a, b) for a, b in combinations(self.nodes, 2) if b in neighbours[a]]

    def _some(self, nodes: Any) -> set[Node]:
        """Return one node, or several, as a set."""
        several = isinstance(nodes, (list, tuple, set, frozenset))
        out = set(nodes) if several else {nodes}
        for node in out:
            if node not in self.parents:
                raise ValueError(f"there is no column {node!r}; there are {self.nodes[:20]}")
        return out

    def to_dot(self) -> str:
        """Return the graph in the DOT language of Graphviz."""
        lines = [f"  {quoted(node)};" for node in self.nodes]
        lines += [f"  {quoted(p)} -> {quoted(node)};" for p, node in self.edges]
        return "\n".join(["digraph {", *lines, "}"])


def quoted(node: Node) -> str:
    """Return the name of a node as DOT has it."""
    escaped = str(node).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def make_graph(parents: Any, edges: Any, names: Sequence[Any], target: Any) -> Graph:
    """Return the graph over columns and the class that the user's parents or edges mean; without either, naive Bayes.

    Parameters
    ----------
    parents : None or {node: [parents]}
        A node that is not named has no parents.
    edges : None or list of (parent, child)
    names : sequence
        The columns.
    target : name of the class
    """
    if parents is not None and edges is not None:
        raise ValueError("a network is given by parents= or by edges=, not by both")
    if parents is None and edges is None:
        return Graph({**dict.fromkeys(names, (target,)), target: ()})
    arcs = arcs_of_parents(parents) if edges is None else arcs_of_edges(edges)
    found: dict[Node, list[Node]] = {node: [] for node in (*names, target)}
    for parent, node in arcs:
        for one in (parent, node):
            if one not in found:
                raise ValueError(f"the network: {unknown('column', one, [*names, target])}")
        if parent in found[node]:
            raise ValueError(f"the arc from {parent!r} to {node!r} stands twice in the network")
        found[node].append(parent)
    graph = Graph({node: tuple(some) for node, some in found.items()})
    try:
        _ = graph.order
    except CycleError as error:
        cycle = " → ".join(repr(node) for node in reversed(error.args[1]))
        raise ValueError(f"the network has a cycle: {cycle}; leave one of these arcs out") from None
    return graph


def arcs_of_parents(parents: Any) -> list[tuple[Node, Node]]:
    """Return (parent, child) pairs of {child: [parents]}."""
    if not isinstance(parents, Mapping):
        raise TypeError(f"parents takes {{column: [columns it depends on]}}, not {parents!r}")
    out = []
    for node, some in parents.items():
        if isinstance(some, str) or not isinstance(some, (list, tuple, set, frozenset)):
            raise TypeError(f"parents[{node!r}] is a list of columns, not {some!r}")
        out += [(parent, node) for parent in some]
    return out


def arcs_of_edges(edges: Any) -> list[tuple[Node, Node]]:
    """Return (parent, child) pairs, checked."""
    if isinstance(edges, (str, Mapping)) or not isinstance(edges, Iterable):
        raise TypeError(f"edges takes a list of (parent, child), not {edges!r}")
    out = []
    for edge in edges:
        if not isinstance(edge, Collection) or isinstance(edge, str) or len(edge) != 2:
            raise TypeError(f"an edge is a pair (parent, child), {edge!r} is not")
        parent, child = edge
        out.append((parent, child))
    return out
