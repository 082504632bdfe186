"""Questions to a network: P(target | evidence) of any node, all other nodes summed out exactly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from candide.arithmetic import log_sum_exp
from candide.frozen import frozen
from candide.schema.order import object_array
from candide.schema.rows import Rows
from candide.schema.schema import Schema
from candide.structure.attributes import value_codes
from candide.structure.factors import Factors
from candide.table import Numbers, Symbols, Table

Array = np.ndarray[Any, Any]


@frozen
class Inference:
    """What a network says of any of its nodes.

    Parameters
    ----------
    factors : Factors
    target : str
        What the class is called.
    log_prior : ndarray (K,)
        Log P(c) where it is not among the factors; else zeros.
    schema : Schema
    """

    factors: Factors
    target: str
    log_prior: Array
    schema: Schema

    def query(self, target: Any, evidence: Mapping[Any, Any]) -> dict[Any, float]:
        """Return P(target | evidence) by value."""
        given = dict(evidence)
        for node in (target, *given):
            if node != self.target:
                self._position(node)
        if target in given:
            raise ValueError(f"{target!r} is both asked for and given")
        label = given.pop(self.target, None)
        codes = self._codes_of(given)
        if target == self.target:
            scores, values = self._joint(codes)[0], self.schema.classes
        else:
            column = self._asked(target)
            table = self.factors.distribution(codes, column)[0] + self.log_prior
            c = slice(None) if label is None else [self._class_code(label)]
            scores, values = log_sum_exp(table[:, c]), self.factors.plain.domain.levels[column]
        total = log_sum_exp(scores[None, :])[0]
        if not np.isfinite(total):
            raise ValueError(f"the evidence {dict(evidence)!r} has probability zero in this network")
        return dict(zip(values.tolist(), np.exp(scores - total).tolist(), strict=True))

    def of_rows(self, rows: Rows, target: Any, label: Array | None) -> tuple[Array, Array]:
        """Return the most probable value of a column for each row, and the probabilities of all its values.

        Parameters
        ----------
        rows : Rows
        target : node
        label : None or ndarray of int (rows,)
            The class of each row, -1 where it is not known.
        """
        column = self._asked(target)
        joint = self.factors.distribution(value_codes(self.factors.plain, rows), column) + self.log_prior
        if label is not None:
            other = np.arange(self.factors.n_classes) != label[:, None]
            joint = np.where((other & (label >= 0)[:, None])[:, None, :], -np.inf, joint)
        scores = log_sum_exp(joint)
        p = np.exp(scores - log_sum_exp(scores)[:, None])
        return self.factors.plain.domain.levels[column][p.argmax(axis=1)], p

    def _joint(self, codes: Array) -> Array:
        """Return log P(x, c) (rows, K)."""
        out = np.empty((len(codes), self.factors.n_classes))
        for some, unknown in self.factors.patterns(codes):
            out[some] = self.factors.joint(codes[some], unknown, None)
        return out + self.log_prior

    def _position(self, node: Any) -> int:
        names = list(self.factors.plain.names)
        if node not in names:
            raise ValueError(f"there is no column {node!r}; there are {[*names, self.target][:20]}")
        return names.index(node)

    def _asked(self, node: Any) -> int:
        column = self._position(node)
        if not self.factors.plain.domain.sizes[column]:
            raise ValueError(f"column {node!r} has no value to ask for: none of its cells was ever known")
        return column

    def _class_code(self, label: Any) -> int:
        classes = self.schema.classes.tolist()
        if label not in classes:
            raise ValueError(f"{label!r} is no value of {self.target!r}; it has {classes[:20]}")
        return int(classes.index(label))

    def _codes_of(self, given: Mapping[Any, Any]) -> Array:
        """Return the values (1, columns) of one row that knows some columns."""
        codes = self.factors.plain.codes(Rows(one_row(given, self.schema), self.schema))
        for name, value in given.items():
            j = self.schema.position(name)
            if codes[0, j] < 0:
                known = self.factors.plain.domain.levels[j].tolist()
                raise ValueError(f"{value!r} is no value of {name!r}; it has {known[:20]}")
        return np.maximum(codes, -1)


def one_row(given: Mapping[Any, Any], schema: Schema) -> Table:
    """Return a table of one row that knows some columns."""

    def column(j: int) -> Numbers | Symbols:
        known, cell = schema.columns[j], given.get(schema.names[j])
        if known.kind == "numbers":
            return Numbers(np.array([np.nan if cell is None else cell], dtype=float))
        return Symbols(np.array([-1 if cell is None else 0], dtype=np.int32), object_array([cell]))

    return Table((1, len(schema.columns)), None, column)
