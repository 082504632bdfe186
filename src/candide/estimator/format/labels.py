"""Class labels and levels as JSON: what they may be, and in which order they stand."""

from __future__ import annotations

from operator import lt
from typing import Any

import numpy as np

from candide.estimator.format.encoding import RuleBook, decode_key, encode, is_json
from candide.estimator.format.entries import SHOWN, Entry
from candide.schema.axes import Classes
from candide.schema.order import object_array, sort_key

Array = np.ndarray[Any, Any]

TEXT, OBJECT = "text", "object"

WHOLE_TYPES = tuple(f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64))
NUMBER_TYPES = ("bool", *WHOLE_TYPES, "float16", "float32", "float64")
"""NumPy's types that labels of numbers have."""

LABELS = (str, bool, int, float)
"""What a label or a level is, or a tuple of these."""


# -- writing ---------------------------------------------------------------------------------------------------------


def classes_to_json(classes: Classes, rules: RuleBook) -> dict[str, Any]:
    """Return the labels with their type, and which of them are declared."""
    labels = classes.labels
    kind = {"U": TEXT, "O": OBJECT}.get(labels.dtype.kind, labels.dtype.name)
    if kind not in (TEXT, OBJECT, *NUMBER_TYPES):
        raise TypeError(
            f"class labels of type {kind} cannot be saved: convert them to text or whole numbers, and refit"
        )
    out = {"type": kind, "labels": values_to_json(labels.tolist(), rules, "the class label")}
    return {**out, **positions_to_json("declared", classes.stays)}


def values_to_json(values: list[Any], rules: RuleBook, what: str) -> list[Any]:
    """Return labels or levels, or a TypeError that says which one cannot be saved."""
    if not is_json(values):
        for value in values:
            if not is_label(value):
                raise TypeError(
                    f"{what} {SHOWN.repr(value)} of type {type(value).__name__} cannot be saved: convert it to text or "
                    "numbers before fitting"
                )
    out: list[Any] = encode(values, rules)
    return out


def is_label(value: Any) -> bool:
    """Tell whether a value may be a label or a level."""
    return all(map(is_label, value)) if isinstance(value, tuple) else isinstance(value, LABELS)


def positions_to_json(key: str, mask: Array) -> dict[str, Any]:
    """Return the positions of a mask under a key; nothing where there are none."""
    if not mask.any():
        return {}
    return {key: "all" if mask.all() else np.flatnonzero(mask).tolist()}


# -- reading ---------------------------------------------------------------------------------------------------------


def classes_from_json(entry: Entry, rules: RuleBook) -> Classes:
    """Read the class labels back: sorted, distinct and of one type."""
    entry.check_keys(("type", "labels", "declared"))
    kind = entry["type"].word((TEXT, OBJECT, *NUMBER_TYPES))
    values = values_from_json(entry["labels"], rules)
    check_ascending(entry["labels"], values)
    labels = object_array(values) if kind == OBJECT else typed(entry["labels"], values, kind)
    declared = entry.get("declared")
    return Classes(labels, np.zeros(len(labels), dtype=bool) if declared is None else declared.mask(len(labels)))


def typed(entry: Entry, values: list[Any], kind: str) -> Array:
    """Return labels in their NumPy type, which must hold every one of them as it is."""
    dtype = np.dtype(str if kind == TEXT else kind)
    wanted = {"U": str, "b": bool, "f": float}.get(dtype.kind, int)
    for value in values:
        if type(value) is not wanted:
            raise entry.wrong(f"holds {SHOWN.repr(value)}, which is no label of the type {kind}")
    try:
        labels = np.array(values, dtype=dtype)
    except OverflowError:
        labels = np.zeros(0)
    if labels.tolist() != values:
        raise entry.wrong(f"holds labels that the type {kind} does not hold")
    return labels


def values_from_json(entry: Entry, rules: RuleBook) -> list[Any]:
    """Read labels or levels back."""
    if isinstance(entry.value, list) and is_json(entry.value) and None not in entry.value:
        return list(entry.value)
    out = []
    for item in entry.items():
        value = decode_key(item, rules)
        if not is_label(value):
            raise item.unlike("text, number, boolean or tuple of these")
        out.append(value)
    return out


def check_ascending(entry: Entry, labels: list[Any]) -> None:
    """Refuse labels that are not sorted, or repeated, or of several types."""
    try:
        ascending = all(map(lt, labels, labels[1:]))
    except TypeError:
        raise entry.wrong("holds labels of several types") from None
    if not ascending:
        raise entry.wrong("does not hold ascending, distinct labels")


def check_levels(entry: Entry, levels: list[Any], declared: int) -> None:
    """Refuse levels that are repeated, or not in order behind the declared ones."""
    rest = levels[declared:]
    keys = rest if set(map(type, rest)) == {str} else [sort_key(level) for level in rest]
    if not all(map(lt, keys, keys[1:])):
        raise entry.wrong(f"does not hold ascending, distinct levels behind the {declared} declared ones")
    if declared and len(set(levels)) < len(levels):
        raise entry.wrong("holds a declared level twice")
