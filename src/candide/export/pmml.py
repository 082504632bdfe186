"""PMML: the model as a regression whose predictors are the terms of its attributes, and its softmax the posterior.

PMML has naive Bayes as well, of counts and of normal densities; a regression over derived fields holds every form. What
all classes share is taken off the tables, so that scores stay small.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np

from candide.distributions.bell import Bell
from candide.distributions.forms import Form, Linear, Lookup, Quadratic, Steps, centred
from candide.export.scorer import TableScorer, domain_of

Array = np.ndarray[Any, Any]

NAMESPACE = "http://www.dmg.org/PMML-4_4"
FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML does not have."""


def to_pmml(scorer: TableScorer) -> bytes:
    """Return the document."""
    return Document(scorer).text()


class Document:
    """The parts of the document of a scorer."""

    def __init__(self, scorer: TableScorer) -> None:
        self.scorer = scorer
        self.names = [legal(name) for name in scorer.names]
        self.target = unlike("prediction", self.names)
        self.derived: list[ET.Element] = []
        self.predictors: list[list[str]] = [[] for _ in scorer.classes]
        for i, form in enumerate(scorer.forms):
            self._add(i, form)

    # -- attributes --------------------------------------------------------------------------------------------------

    def _add(self, i: int, form: Form) -> None:
        name = self.names[form.columns[0]]
        if isinstance(form, (Lookup, Steps)):
            self._tables(i, form, name)
        elif not np.isfinite(np.concatenate([np.ravel(part) for part in parameters(form)])).all():
            raise zero(name)
        else:
            x = self._clipped(i, form, name)
            for c in range(len(self.predictors)):
                self._field(f"t{i}_{c}", formula(x, form, c), form.missing[c], c, name)

    def _tables(self, i: int, form: Lookup | Steps, name: str) -> None:
        table = form.entries[1] if isinstance(form, Lookup) else form.table
        missing = form.missing[:, None]
        if not np.isfinite(np.concatenate([table, missing], axis=1)).all():
            raise zero(name)
        if isinstance(form, Lookup) and not np.isfinite(form.unseen):
            form = Lookup(columns=form.columns, missing=form.missing, levels=form.levels, table=form.table)
        table, missing = centred(table.T).T, centred(missing.T).T[:, 0]
        for c in range(len(self.predictors)):
            if isinstance(form, Steps):
                expression = steps(name, form.cuts, table[c], missing[c])
            else:
                expression = self._look_up(i, form, table[c], missing[c])
            self._append(f"t{i}_{c}", expression, c)

    def _look_up(self, i: int, form: Lookup, terms: Array, missing: float) -> ET.Element:
        """Return a table by level, or by the levels of several columns."""
        cells = form.entries[0]
        fields = (
            [self.names[form.columns[0]]]
            if not form.cuts
            else [self._code(i, form, at) for at in range(len(form.cuts))]
        )
        out = ET.Element("MapValues", outputColumn="out", dataType="double", defaultValue=number(form.unseen))
        if not form.cuts:
            out.set("mapMissingTo", number(missing))
        for k, field in enumerate(fields):
            ET.SubElement(out, "FieldColumnPair", field=field, column=f"in{k}")
        table = ET.SubElement(out, "InlineTable")
        for cell, term in zip(cells, terms.tolist(), strict=True):
            row = ET.SubElement(table, "row")
            parts = (
                [UNKNOWN if part is None else KNOWN + written(part) for part in cell] if form.cuts else [written(cell)]
            )
            for k, part in enumerate(parts):
                ET.SubElement(row, f"in{k}").text = part
            ET.SubElement(row, "out").text = number(term)
        return out

    def _code(self, i: int, form: Lookup, at: int) -> str:
        """Return a derived field of text: the level or interval of a column in a joined attribute, or UNKNOWN."""
        name, cuts, field = self.names[form.columns[at]], form.cuts[at], f"k{i}_{at}"
        if any(element.get("name") == field for element in self.derived):
            return field
        if cuts is not None:
            expression = ET.Element("Discretize", field=name, mapMissingTo=UNKNOWN, dataType="string")
            bins(expression, cuts, [f"{KNOWN}{v}" for v in range(len(cuts) + 1)])
        else:
            domain, other = domain_of(form, at), UNKNOWN if form.domains else UNSEEN
            expression = ET.Element(
                "MapValues", outputColumn="out", dataType="string", defaultValue=other, mapMissingTo=UNKNOWN
            )
            ET.SubElement(expression, "FieldColumnPair", field=name, column="in")
            table = ET.SubElement(expression, "InlineTable")
            for level in domain:
                row = ET.SubElement(table, "row")
                ET.SubElement(row, "in").text = written(level)
                ET.SubElement(row, "out").text = KNOWN + written(level)
        self.derived.append(derived(field, expression, "categorical", "string"))
        return field

    def _clipped(self, i: int, form: Form, name: str) -> ET.Element:
        """Return a number cut off below and above."""
        x: ET.Element = ET.Element("FieldRef", field=name)
        if np.isfinite(form.low):
            x = apply("max", x, constant(form.low))
        if np.isfinite(form.high):
            x = apply("min", x, constant(form.high))
        return x

    def _field(self, field: str, expression: ET.Element, missing: float, c: int, name: str) -> None:
        gone = apply("isMissing", ET.Element("FieldRef", field=name))
        self._append(field, apply("if", gone, constant(missing), expression), c)

    def _append(self, field: str, expression: ET.Element, c: int) -> None:
        self.derived.append(derived(field, expression, "continuous", "double"))
        self.predictors[c].append(field)

    # -- the document ------------------------------------------------------------------------------------------------

    def text(self) -> bytes:
        """Return the document as UTF-8."""
        root = ET.Element("PMML", version="4.4", xmlns=NAMESPACE)
        header = ET.SubElement(root, "Header")
        ET.SubElement(header, "Application", name="candide", version=version("candide"))
        self._dictionary(root)
        model = ET.SubElement(
            root,
            "RegressionModel",
            functionName="classification",
            normalizationMethod="softmax",
            algorithmName="naive Bayes",
        )
        schema = ET.SubElement(model, "MiningSchema")
        ET.SubElement(schema, "MiningField", name=self.target, usageType="target")
        for j in self.scorer.used:
            ET.SubElement(schema, "MiningField", name=self.names[j], invalidValueTreatment="asIs")
        self._output(model)
        ET.SubElement(model, "LocalTransformations").extend(self.derived)
        for label, p, fields in zip(self.labels, self.scorer.log_prior.tolist(), self.predictors, strict=True):
            if not np.isfinite(p):
                raise ValueError(f"the class {label!r} has a prior of zero, which PMML has no word for: leave it out")
            table = ET.SubElement(model, "RegressionTable", intercept=number(p), targetCategory=label)
            for field in fields:
                ET.SubElement(table, "NumericPredictor", name=field, coefficient="1")
        ET.indent(root, " ")
        return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True))

    @property
    def labels(self) -> list[str]:
        """The classes as text."""
        return [written(label) for label in self.scorer.classes]

    def _dictionary(self, root: ET.Element) -> None:
        fields = ET.SubElement(root, "DataDictionary", numberOfFields=str(len(self.scorer.used) + 1))
        target = ET.SubElement(fields, "DataField", name=self.target, optype="categorical", dataType="string")
        for label in self.labels:
            ET.SubElement(target, "Value", value=label)
        for j in self.scorer.used:
            numeric = self.scorer.numeric(j) or not self.scorer.textual(j)
            optype, kind = ("continuous", "double") if numeric else ("categorical", "string")
            ET.SubElement(fields, "DataField", name=self.names[j], optype=optype, dataType=kind)

    def _output(self, model: ET.Element) -> None:
        output = ET.SubElement(model, "Output")
        named = {"optype": "categorical", "dataType": "string", "feature": "predictedValue"}
        ET.SubElement(output, "OutputField", {"name": f"predicted_{self.target}", **named})
        for label in self.labels:
            given = {"optype": "continuous", "dataType": "double", "feature": "probability", "value": label}
            ET.SubElement(output, "OutputField", {"name": f"probability_{label}", **given})


UNSEEN, UNKNOWN = "unseen", "unknown"
"""What stands for such a cell of a joined attribute; known ones have a mark before them."""
KNOWN = "="
"""The mark."""


def written(value: Any) -> str:
    """Return a level or a label as text."""
    if isinstance(value, bool):
        return str(value).lower()
    return legal(value) if isinstance(value, str) else repr(value)


def legal(text: str) -> str:
    """Return text that XML can hold, or refuse it."""
    if FORBIDDEN.search(text):
        raise ValueError(f"the text {text!r} cannot be written as PMML: XML has no such characters")
    return text


def unlike(name: str, others: Sequence[str]) -> str:
    """Return a name that others do not have."""
    while name in others:  # ends: longer than the longest of them, it is none
        name += "_"
    return name


def zero(name: str) -> ValueError:
    """Return the refusal of a column that excludes a class."""
    return ValueError(
        f"column {name!r} cannot be written as PMML: it has probabilities of zero, and PMML no infinity; use a "
        "smoothing rule, such as 'laplace'"
    )


def number(value: float) -> str:
    """Return a float with all its digits."""
    return repr(float(value))


def constant(value: float) -> ET.Element:
    """Return a number."""
    out = ET.Element("Constant", dataType="double")
    out.text = number(value)
    return out


def apply(function: str, *arguments: ET.Element) -> ET.Element:
    """Return a function of expressions."""
    out = ET.Element("Apply", function=function)
    out.extend(arguments)
    return out


def derived(name: str, expression: ET.Element, optype: str, kind: str) -> ET.Element:
    """Return a derived field."""
    out = ET.Element("DerivedField", name=name, optype=optype, dataType=kind)
    out.append(expression)
    return out


def steps(name: str, cuts: Array, terms: Array, missing: float) -> ET.Element:
    """Return a table by interval."""
    out = ET.Element("Discretize", field=name, mapMissingTo=number(missing), dataType="double")
    bins(out, cuts, [number(term) for term in terms.tolist()])
    return out


def bins(out: ET.Element, cuts: Array, values: Sequence[str]) -> None:
    """Add the intervals (a, b] between cuts, open at both ends, with their values."""
    edges: list[float | None] = [None, *cuts.tolist(), None]
    for low, high, value in zip(edges, edges[1:], values, strict=False):
        found = ET.SubElement(out, "DiscretizeBin", binValue=value)
        ends = {"leftMargin": low, "rightMargin": high}
        margins = {end: number(cut) for end, cut in ends.items() if cut is not None}
        ET.SubElement(found, "Interval", {"closure": "openOpen" if high is None else "openClosed", **margins})


def parameters(form: Form) -> list[Array]:
    """Return the numbers of a formula."""
    if isinstance(form, Quadratic):
        return [form.height, form.mean, 0.5 / form.var]
    if isinstance(form, Bell):
        return [form.mean, *form.constants]
    assert isinstance(form, Linear)
    return [form.intercept, form.slope, *([] if form.log_slope is None else [form.log_slope])]


def formula(x: ET.Element, form: Form, c: int) -> ET.Element:
    """Return the term of a number for one class, inside its support."""
    if isinstance(form, Quadratic):
        t = apply("ln", x) if form.logarithm else x
        away = apply("-", t, constant(form.mean[c]))
        return apply("-", constant(form.height[c]), apply("*", constant(0.5 / form.var[c]), apply("*", away, away)))
    if isinstance(form, Bell):
        height, square, power, width = (constant(of[c]) for of in form.constants)
        away = apply("-", x, constant(form.mean[c]))
        far = apply("*", away, away)
        tail = apply("ln", apply("+", constant(1.0), apply("*", width, far)))
        return apply("-", height, apply("+", apply("*", square, far), apply("*", power, tail)))
    assert isinstance(form, Linear)
    out = apply("+", constant(form.intercept[c]), apply("*", constant(form.slope[c]), x))
    return out if form.log_slope is None else apply("+", out, apply("*", constant(form.log_slope[c]), apply("ln", x)))
