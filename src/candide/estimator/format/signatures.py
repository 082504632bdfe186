"""Signatures: whether the parameters of a library rule are what its constructor says, and no larger than is sane.

Constructors only store, and a rule says what is wrong with a parameter when it is used. A file is checked before: its
rules hold what the annotations of their constructors allow. Numbers of bins, components and ascents have a limit: a
short file could otherwise ask for hours or gigabytes.
"""

from __future__ import annotations

import collections.abc
import math
import types
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from candide.analysis import Analyzer
from candide.analysis.analyzer import LONGEST_RUN
from candide.discretizers import EqualFrequency, EqualWidth
from candide.distributions import Mixture, Smooth, Text
from candide.rules import Rule, parameters_of
from candide.tuning import Tuned

LARGEST_PARAMETERS: dict[tuple[type[Rule], str], float] = {
    (EqualWidth, "k"): 100_000,
    (EqualFrequency, "k"): 100_000,
    (Smooth, "cells"): 1 << 16,
    (Mixture, "k"): 1_000,
    (Mixture, "starts"): 1_000,
    (Mixture, "seed"): math.inf,
    (Analyzer, "hashing"): 1 << 28,
    (Text, "hashing"): 1 << 28,
    (Analyzer, "ngrams"): LONGEST_RUN,
    (Text, "ngrams"): LONGEST_RUN,
    (Analyzer, "characters"): LONGEST_RUN,
    (Text, "characters"): LONGEST_RUN,
    (Text, "min_df"): math.inf,
    (Text, "max_df"): math.inf,
    (Text, "max_features"): math.inf,
    (Tuned, "pairs"): 100_000,
    (Tuned, "seed"): math.inf,
}
"""The largest whole numbers that parameters have in a file; the least is 0."""

SEQUENCES = (collections.abc.Sequence, collections.abc.Iterable, list, tuple)


HINTS: dict[type[Rule], dict[str, Any]] = {}
"""The types read so far."""


def hints_of(rule: type[Rule]) -> dict[str, Any]:
    """Return the types of a rule's parameters."""
    if rule not in HINTS:
        HINTS[rule] = get_type_hints(rule.__init__) if parameters_of(rule) else {}
    return HINTS[rule]


def check_rule(rule: type[Rule], params: dict[str, Any]) -> None:
    """Refuse parameters of a library rule by a ValueError that says which, and why."""
    hints = hints_of(rule)
    for name, value in params.items():
        if not fits(value, hints[name]):
            raise ValueError(f"has the {name} {value!r:.60}, and {rule.__name__} takes {name_type(hints[name])}")
        most = LARGEST_PARAMETERS.get((rule, name))
        numbers = value if isinstance(value, (list, tuple)) else [value]
        if most is not None and any(isinstance(n, int) and not 0 <= n <= most for n in numbers):
            raise ValueError(f"has the {name} {value!r:.60}, and a file holds 0 to {most:,} for {rule.__name__}")


def name_type(hint: Any) -> str:
    """Return a type as a person reads it."""
    return hint.__name__ if isinstance(hint, type) else str(hint).replace("typing.", "").replace("collections.abc.", "")


def fits(value: Any, hint: Any) -> bool:  # noqa: PLR0911  # one line per kind of type
    """Tell whether a value is of a type as constructors spell it; lists and tuples are alike, and 1 is a float.

    Examples
    --------
    >>> fits([1, 0.5], float | list[float]), fits("1", float), fits(True, int)
    (True, False, False)
    """
    if hint is Any:
        return True
    if hint is None or hint is type(None):
        return value is None
    origin, inner = get_origin(hint) or hint, get_args(hint)
    if origin in {Union, types.UnionType}:
        return any(fits(value, one) for one in inner)
    if origin is Literal:
        return value in inner
    if origin in SEQUENCES:
        return isinstance(value, (list, tuple)) and (not inner or all(fits(v, inner[0]) for v in value))
    if hint is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, origin)
