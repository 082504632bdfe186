"""ONNX: the model as a graph of standard operators on 64-bit floats."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import numpy as np

from candide.combination import TIE
from candide.distributions.bell import Bell
from candide.distributions.forms import Curve, Form, Linear, Lookup, Quadratic, Steps
from candide.export.scorer import TableScorer, domain_of
from candide.messages import need
from candide.schema.order import object_array

Array = np.ndarray[Any, Any]

OPSETS = {"": 17, "ai.onnx.ml": 3}
"""Versions of the operators, old enough for runtimes of some years ago."""
IR_VERSION = 8


def to_onnx(scorer: TableScorer) -> bytes:
    """Return the serialised model."""
    try:
        import onnx
    except ImportError:
        raise ImportError(need("ONNX files", "onnx")) from None
    if not scorer.used:
        raise ValueError("no column says anything, so that an ONNX file would have no input to tell its rows by")
    graph = OnnxGraph(scorer, onnx.helper)
    opsets = [onnx.helper.make_opsetid(domain, number) for domain, number in OPSETS.items()]
    model = onnx.helper.make_model(
        graph.made(),
        opset_imports=opsets,
        producer_name="candide",
        producer_version=version("candide"),
        ir_version=IR_VERSION,
    )
    onnx.checker.check_model(model, full_check=True)
    return bytes(model.SerializeToString())


class OnnxGraph:
    """The graph of a scorer: nodes that add up the terms (rows, K) of every attribute.

    Parameters
    ----------
    scorer : TableScorer
    helper : onnx.helper
    """

    def __init__(self, scorer: TableScorer, helper: Any) -> None:
        self.scorer, self.helper = scorer, helper
        self.nodes: list[Any] = []
        self.tensors: list[Any] = []
        self.zero, self.one = self.constant(np.zeros(1)), self.constant(np.ones(1))
        self.text = {
            j: not scorer.numeric(j) and all(isinstance(v, str) for v in scorer.levels(j)) for j in scorer.used
        }

    # -- building ----------------------------------------------------------------------------------------------------

    def node(self, operator: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Add an operator; return the name of its output."""
        name = f"n{len(self.nodes)}"
        self.nodes.append(self.helper.make_node(operator, list(inputs), [name], domain=domain, **attributes))
        return name

    def constant(self, values: Any) -> str:
        """Add a tensor of constants; return its name."""
        from onnx import numpy_helper

        name = f"c{len(self.tensors)}"
        self.tensors.append(numpy_helper.from_array(np.asarray(values), name))
        return name

    def place(self, level: str) -> str:
        """Return places (rows, 1) as (rows,) of whole numbers."""
        return self.node("Reshape", level, self.constant(np.array([-1], dtype=np.int64)))

    def cell(self, j: int) -> str:
        """Return the name of a column's input."""
        return self.scorer.names[j]

    # -- attributes --------------------------------------------------------------------------------------------------

    def terms(self, form: Form) -> str:
        """Return the terms (rows, K) of an attribute."""
        if isinstance(form, Lookup):
            return self.levels(form)
        x = self.cell(form.columns[0])
        if isinstance(form, Steps):
            known = self.gather(form.table, self.interval(x, form.cuts))
        elif isinstance(form, Curve):
            known = self.curve(form, x)
        else:
            known = self.formula(form, self.clip(x, form.low, form.high))
        return self.node("Where", self.node("IsNaN", x), self.constant(form.missing[None].astype(float)), known)

    def gather(self, table: Array, place: str) -> str:
        """Return the columns of a table (K, places) as (rows, K)."""
        return self.node("Gather", self.constant(np.ascontiguousarray(table.T, dtype=float)), place, axis=0)

    def interval(self, x: str, cuts: Array) -> str:
        """Return the number of cuts below x, (rows,)."""
        if not len(cuts):
            cuts = np.array([np.inf])
        above = self.node("Cast", self.node("Greater", x, self.constant(cuts[None].astype(float))), to=7)
        return self.node("ReduceSum", above, self.constant(np.array([1], dtype=np.int64)), keepdims=0)

    def clip(self, x: str, low: float, high: float) -> str:
        """Return x cut off below and above."""
        x = self.node("Max", x, self.constant(np.array([low]))) if np.isfinite(low) else x
        return self.node("Min", x, self.constant(np.array([high]))) if np.isfinite(high) else x

    def levels(self, form: Lookup) -> str:
        """Return the terms of levels, or of combinations of them."""
        cells, table = form.entries
        missing, unseen = form.missing[:, None], np.full((len(form.missing), 1), form.unseen)
        table = np.concatenate([table, unseen, missing], axis=1).astype(float)
        if not form.cuts:
            return self.gather(table, self.code(form.columns[0], cells))
        total, keys, radix = "", np.zeros(len(cells), dtype=np.int64), 1
        for at, (j, cuts) in enumerate(zip(form.columns, form.cuts, strict=True)):
            own = [cell[at] for cell in cells]
            if cuts is None:
                known = domain_of(form, at)
                # an unseen level is behind the last, and so is a missing cell; unless the two are told apart
                code, size = self.code(j, known, apart=not form.domains), len(known) + (not form.domains)
            else:
                known, size = list(range(len(cuts) + 1)), len(cuts) + 1
                nan = self.place(self.node("IsNaN", self.cell(j)))
                code = self.node("Where", nan, self.constant(np.int64(size)), self.interval(self.cell(j), cuts))
            position = {level: v for v, level in enumerate(known)}
            keys += radix * np.array([size if cell is None else position[cell] for cell in own], dtype=np.int64)
            scaled = self.node("Mul", code, self.constant(np.int64(radix)))
            total = self.node("Add", total, scaled) if total else scaled
            radix *= size + 1
            if radix > np.iinfo(np.int64).max >> 1:
                raise ValueError("too many combinations of columns for ONNX")
        order = np.argsort(keys)
        below = self.node("Less", self.constant(keys[order][None]), self.column(total))
        axis = self.constant(np.array([1], dtype=np.int64))
        at_least = self.node("ReduceSum", self.node("Cast", below, to=7), axis, keepdims=0)
        inside = self.node("Min", at_least, self.constant(np.int64(len(keys) - 1)))
        same = self.node("Equal", self.node("Gather", self.constant(keys[order]), inside, axis=0), total)
        place = self.node("Where", same, inside, self.constant(np.int64(len(keys))))
        return self.gather(np.concatenate([table[:, order], unseen], axis=1), place)

    def column(self, flat: str) -> str:
        """Return (rows,) as (rows, 1)."""
        return self.node("Unsqueeze", flat, self.constant(np.array([1], dtype=np.int64)))

    def code(self, j: int, levels: Sequence[Any], apart: bool = True) -> str:
        """Return the position of levels (rows,): behind the last of unseen ones, and then of missing ones if apart."""
        n, gone = len(levels), len(levels) + apart
        if self.text[j]:
            keys = {"": gone, **{level: v for v, level in enumerate(levels)}}
            code = self.node(
                "LabelEncoder",
                self.cell(j),
                domain="ai.onnx.ml",
                keys_strings=list(keys),
                values_int64s=list(keys.values()),
                default_int64=n,
            )
            return self.place(code)
        if any(isinstance(level, str) for level in levels):
            raise ValueError(f"column {self.scorer.names[j]!r} has levels of text and of numbers: ONNX has one type")
        x = self.cell(j)
        same = self.node("Equal", x, self.constant(np.array([[float(level) for level in levels]])))
        first = self.node("ArgMax", self.node("Cast", same, to=7), axis=1, keepdims=1)
        found = self.node("Cast", self.node("ReduceMax", self.node("Cast", same, to=7), axes=[1], keepdims=1), to=9)
        code = self.node("Where", found, first, self.constant(np.int64(n)))
        return self.place(self.node("Where", self.node("IsNaN", x), self.constant(np.int64(gone)), code))

    def formula(self, form: Form, x: str) -> str:
        """Return the terms of a number by a formula."""
        if isinstance(form, Quadratic):
            t = self.node("Log", x) if form.logarithm else x
            away = self.node("Sub", t, self.constant(form.mean[None]))
            square = self.node("Mul", self.node("Mul", away, self.constant(0.5 / form.var[None])), away)
            out = self.node("Sub", self.constant(form.height[None]), square)
            if not form.logarithm:
                return out
            outside = self.node("LessOrEqual", x, self.zero)
            return self.node("Where", outside, self.constant(np.array([-np.inf])), out)
        if isinstance(form, Bell):
            return self.bell(form, x)
        assert isinstance(form, Linear)
        product = self.node("Where", self.node("Equal", x, self.zero), self.zero, self.times(x, form.slope))
        out = self.node("Add", self.constant(form.intercept[None]), product)
        if form.log_slope is not None:
            out = self.node("Add", out, self.times(self.node("Log", x), form.log_slope))
        below = "LessOrEqual" if form.open else "Less"
        outside = self.node(below, x, self.constant(np.array([form.least])))
        if form.whole:
            fraction = self.node("Not", self.node("Equal", x, self.node("Floor", x)))
            outside = self.node("Or", outside, fraction)
        return self.node("Where", outside, self.constant(np.array([-np.inf])), out)

    def bell(self, form: Bell, x: str) -> str:
        """Return h − a d² − b log(1 + c d²)."""
        height, square, power, width = form.constants
        away = self.node("Sub", x, self.constant(form.mean[None]))
        near = self.node("Mul", away, self.constant(width[None]))
        fall = self.times(self.node("Log", self.node("Add", self.node("Mul", near, away), self.one)), power)
        if square.any():
            fall = self.node("Add", fall, self.node("Mul", self.times(away, square), away))
        return self.node("Sub", self.constant(height[None]), fall)

    def times(self, x: str, slope: Array) -> str:
        """Return x (rows, 1) times slopes (K,)."""
        return self.node("Mul", x, self.constant(slope[None].astype(float)))

    def curve(self, form: Curve, x: str) -> str:
        """Return the straight line that a number lies on."""
        slopes = np.diff(form.table, axis=1) / np.diff(form.knots)
        at = self.interval(x, form.knots[1:-1])
        x = self.clip(x, max(form.low, form.knots[0]), min(form.high, form.knots[-1]))
        along = self.node("Sub", x, self.gather(form.knots[None, :-1], at))
        return self.node("Add", self.gather(form.table[:, :-1], at), self.node("Mul", self.gather(slopes, at), along))

    # -- the whole ---------------------------------------------------------------------------------------------------

    def made(self) -> Any:
        """Return the graph."""
        from onnx import TensorProto

        h, prior = self.helper, self.constant(self.scorer.log_prior[None].astype(float))
        first = self.cell(self.scorer.used[0])
        rows = self.node("Shape", first)
        n = self.node("Gather", rows, self.constant(np.array([0], dtype=np.int64)), axis=0)
        whole = self.node("Concat", n, self.constant(np.array([len(self.scorer.classes)], dtype=np.int64)), axis=0)
        priors = self.node("Expand", prior, whole)
        score = self.node("Sum", priors, *(self.terms(form) for form in self.scorer.forms))
        log_p, code = self.posterior(score, priors)
        self.nodes.append(h.make_node("Identity", [log_p], ["log_probabilities"]))
        self.nodes.append(h.make_node("Exp", [log_p], ["probabilities"]))
        labels = np.array(self.scorer.classes)
        told = self.constant(object_array(self.scorer.classes) if labels.dtype.kind == "U" else labels)
        self.nodes.append(h.make_node("Gather", [told, code], ["label"]))
        kinds = {"U": TensorProto.STRING, "i": TensorProto.INT64, "b": TensorProto.BOOL, "f": TensorProto.DOUBLE}
        types = {True: TensorProto.STRING, False: TensorProto.DOUBLE}
        inputs = [h.make_tensor_value_info(self.cell(j), types[self.text[j]], [None, 1]) for j in self.scorer.used]
        k = len(self.scorer.classes)
        outputs = [
            h.make_tensor_value_info("label", kinds[labels.dtype.kind], [None]),
            h.make_tensor_value_info("log_probabilities", TensorProto.DOUBLE, [None, k]),
            h.make_tensor_value_info("probabilities", TensorProto.DOUBLE, [None, k]),
        ]
        return h.make_graph(self.nodes, "candide", inputs, outputs, self.tensors)

    def posterior(self, score: str, priors: str) -> tuple[str, str]:
        """Return log P(c | x) (rows, K), the prior where every class is impossible, and the code of its largest."""
        best = self.node("ReduceMax", score, axes=[1], keepdims=1)
        lost = self.node("Equal", best, self.constant(np.array([-np.inf])))
        below = self.node("Sub", score, self.node("Where", lost, self.zero, best))
        size = self.node("Max", self.node("Abs", best), self.constant(np.array([1.0])))
        tie = self.node("Mul", size, self.constant(np.array([-TIE])))
        near = self.node("Where", self.node("GreaterOrEqual", below, tie), self.zero, below)
        near = self.node("Where", lost, priors, near)
        total = self.node(
            "Log", self.node("ReduceSum", self.node("Exp", near), self.constant(np.array([1])), keepdims=1)
        )
        log_p = self.node("Sub", near, total)
        return log_p, self.node("ArgMax", log_p, axis=1, keepdims=0)
