"""Literals: parameters of rules, and tables of numbers by label, as they are written in a shell or in a JSON file."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from candide.cli.failures import BadInput
from candide.messages import unknown

FILE = re.compile(r"@([^\s,()]+)")
"""A JSON file in the place of a parameter."""


def arguments(inside: str, text: str) -> tuple[list[Any], dict[str, Any]]:
    """Read literal parameters, by position or by name; a bare word is text, and @FILE what a JSON file holds.

    Examples
    --------
    >>> arguments("frequencies, rate=0.5", "rule(...)")
    (['frequencies'], {'rate': 0.5})
    """
    from candide.messages import shortened

    try:
        call = ast.parse(f"f({FILE.sub(lambda found: repr(json_file(found[1])), inside)})", mode="eval").body
        assert isinstance(call, ast.Call)
        named = {str(k.arg): _literal(k.value) for k in call.keywords}
        return [_literal(a) for a in call.args], named
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the last two: thousands of signs or brackets
        raise BadInput(
            f"{shortened(text)}: write parameters as numbers, such as lidstone(0.5) or outlier(rate=0.05), or as "
            "@FILE.json"
        ) from None


def _literal(node: ast.expr) -> Any:
    return node.id if isinstance(node, ast.Name) else ast.literal_eval(node)


def option_files(*given: Any) -> list[str]:
    """Return the files that the words of options name by @FILE, also in the middle of a rule.

    Examples
    --------
    >>> option_files("dirichlet(1, @values.json)", None, ("@my costs.json", "a=0:1"), True)
    ['values.json', 'my costs.json', 'my']
    """
    words = [word for value in given for word in (value if isinstance(value, (tuple, list)) else [value])]
    texts = [word for word in words if isinstance(word, str)]
    return [file for text in texts for file in ([text[1:]] * text.startswith("@") + FILE.findall(text))]


def json_file(path: str) -> Any:
    """Return what a JSON file holds."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise BadInput(f"{path} is not JSON: {error}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not JSON: it is not text") from None


def costs_by_label(text: str) -> dict[str, dict[str, float]]:
    """Return "DECIDED:TRUE=COST,...", or a JSON object of objects, in the text or in @FILE, as costs by label.

    Examples
    --------
    >>> costs_by_label("car:truck=5,truck:car=1")
    {'car': {'truck': 5.0}, 'truck': {'car': 1.0}}
    """
    if text.startswith(("@", "{")):
        return _json_costs(text)
    out: dict[str, dict[str, float]] = {}
    for item in text.split(","):
        pair, equals, cost = item.rpartition("=")
        decided, colon, true = pair.partition(":")
        if not (equals and colon):
            raise BadInput(f"--costs {item!r}: write DECIDED:TRUE=COST, such as car:truck=5, or @FILE.json")
        out.setdefault(decided, {})[true] = _cost(cost)
    return out


def _json_costs(text: str) -> dict[str, dict[str, float]]:
    try:
        found = json_file(text[1:]) if text.startswith("@") else json.loads(text)
    except json.JSONDecodeError as error:
        raise BadInput(f"--costs is not JSON: {error}") from None
    if not isinstance(found, dict) or not all(isinstance(row, dict) for row in found.values()):
        raise BadInput('--costs: write an object of objects, {"DECIDED": {"TRUE": COST}}')
    return {decided: {true: _cost(cost) for true, cost in row.items()} for decided, row in found.items()}


def _cost(cost: Any) -> float:
    try:
        return float(cost)
    except (TypeError, ValueError):
        raise BadInput(f"--costs: {cost!r} is not a number") from None


def labels_of(option: str, written: Sequence[str], labels: Sequence[Any]) -> dict[str, Any]:
    """Return the labels that were learnt by how they are written, or say which of those written is none."""
    by_text = {str(label): label for label in labels}
    for label in written:
        if label not in by_text:
            raise BadInput(f"{option}: {unknown('class', label, list(by_text))}")
    return by_text


def cost_rule(text: str | None, classes: Any) -> dict[Any, dict[Any, float]] | None:
    """Return the costs of a text as a mapping of the labels that were learnt; every wrong decision must be named."""
    from candide.scoring.decision import cost_matrix

    if text is None:
        return None
    by_text = costs_by_label(text)
    of = labels_of("--costs", [*by_text, *(true for row in by_text.values() for true in row)], classes.tolist())
    costs = {of[decided]: {of[true]: cost for true, cost in row.items()} for decided, row in by_text.items()}
    try:
        cost_matrix(costs, classes)
    except ValueError as error:
        raise BadInput(f"--costs: {error}") from None
    return costs
