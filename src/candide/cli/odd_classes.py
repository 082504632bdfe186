"""Odd classes: targets whose classes are none, or not all that were meant."""

from __future__ import annotations

from typing import Any

from candide.messages import shortened

MOST_CLASSES = 0.5
"""Classes for each row, beyond which the target may be none."""

FEW_CLASSES = 10
"""Classes that may be learnt from any number of rows."""

UNKNOWN = frozenset({"?", "na", "n/a", "n.a.", "nan", "null", "#n/a"})
"""What hardly anybody calls a class, in small letters."""


def odd_classes(target: str, counts: dict[Any, float], rows: int) -> list[str]:
    """Say where the classes of a target, each with how many rows it has, are none or not all that were meant.

    Examples
    --------
    >>> odd_classes("price", dict.fromkeys(map(str, range(90)), 1.0), 100)
    ['price: 90 classes in 100 rows, too many to learn; cut numbers into intervals, or give another target']
    >>> odd_classes("fate", {"died": 9.0, "lived": 8.0, "Died": 1.0}, 18)
    ["fate: 'Died' beside 'died': they differ in case or spaces alone, and count apart"]
    """
    from candide.reading.oddities import find_variants

    classes = list(counts)
    if len(classes) == 1:
        return [f"{target}: always {shortened(classes[0])}, so that the model has no other answer"]
    if len(classes) > max(MOST_CLASSES * rows, FEW_CLASSES):
        too_many = f"{len(classes)} classes in {rows} rows, too many to learn"
        return [f"{target}: {too_many}; cut numbers into intervals, or give another target"]
    texts = {label: n for label, n in counts.items() if isinstance(label, str)}
    varied = find_variants(texts)  # type: ignore[arg-type]  # rows may be weighed
    said = [] if varied is None else [varied.said]
    if target in texts:
        said.append(f"{target!r} is a class itself: does a line repeat the names of the columns?")
    unknown_ = next((label for label in texts if label.strip().lower() in UNKNOWN), None)
    if unknown_ is not None:
        said.append(f"{unknown_!r} is learnt as a class; where it says that the class is not known, leave the row out")
    return [f"{target}: {line}" for line in said]
