"""The plan: which distribution each column gets, from what the user said and what the columns are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from candide.distributions import Categorical, Distribution, as_distribution
from candide.distributions.automatic import Automatic
from candide.schema.schema import Schema

AUTOMATIC = "auto"


def plan(
    distributions: Any, names: Sequence[str | int], symbols: Sequence[bool], known: Schema | None = None
) -> list[Distribution]:
    """Return the distribution of each column.

    Parameters
    ----------
    distributions : "auto", a name, a Distribution, or {column: name or Distribution}
        Columns not named stay automatic. A numeric distribution given for all applies to the numeric columns.
    names : sequence
        The columns' names (positions in an array).
    symbols : sequence of bool
        Whether each column holds symbols rather than numbers.
    known : Schema or None
        A schema whose choices (cut points) numeric columns take over, unless another distribution is asked for.
    """
    if isinstance(distributions, Mapping):
        given = {
            column_named(key, names): as_distribution(value)
            for key, value in distributions.items()
            if value != AUTOMATIC
        }
        rules = [given.get(j) or automatic(s) for j, s in enumerate(symbols)]
    elif distributions is None or (isinstance(distributions, str) and distributions == AUTOMATIC):
        rules = [automatic(s) for s in symbols]
    else:
        rule = as_distribution(distributions)
        rules = [automatic(s) if s and rule.kind == "numbers" else rule for s in symbols]
    if known is not None and known.choices:
        known.check_names(list(names))
        rules = [
            choice if isinstance(rule, Automatic) or (type(rule) is type(choice) and rule.kind == "numbers") else rule
            for rule, choice in zip(rules, known.choices, strict=True)
        ]
    return rules


def automatic(symbols: bool) -> Distribution:
    """Return what a column gets when nothing is said of it."""
    return Categorical() if symbols else Automatic()


def column_named(key: Any, names: Sequence[str | int]) -> int:
    """Return the position of a column the user named."""
    if key in names:
        return list(names).index(key)
    raise ValueError(
        f"distributions names the column {key!r}, which the table does not have; it has {list(names)[:20]}"
    )


def check_discrete(rules: Sequence[Distribution], names: Sequence[str | int], combination: str) -> None:
    """Refuse densities under a combination that speaks of discrete attributes only."""
    for rule, name in zip(rules, names, strict=True):
        if not rule.discrete:
            raise ValueError(
                f"combination={combination!r} speaks of discrete attributes: column {name!r} cannot have the "
                f"distribution "
                f"{rule!r}; use bins"
            )


def group_positions(
    groups: Sequence[Sequence[Any]] | None, names: Sequence[str | int], rules: Sequence[Distribution]
) -> tuple[tuple[int, ...], ...]:
    """Return the positions of the columns of each group, checked."""
    out: list[tuple[int, ...]] = []
    taken: dict[int, Any] = {}
    for group in groups or ():
        if isinstance(group, str) or len(group) < 2:
            raise ValueError(f"a group joins at least two columns, {group!r} does not")
        positions = tuple(group_column(name, names) for name in group)
        for j in positions:
            if j in taken:
                raise ValueError(f"column {names[j]!r} stands twice in groups")
            taken[j] = group
        densities = [j for j in positions if not rules[j].discrete]
        if len(densities) > 1:
            raise ValueError(
                f"the group {list(group)!r} has more than one density column: {[names[j] for j in densities]}"
            )
        if densities and rules[densities[0]].storage != "moments":
            raise ValueError(
                f"the density column {names[densities[0]]!r} of a group is estimated from moments within each "
                f"combination of "
                f"levels: {rules[densities[0]]!r} is not; use 'normal', 'exponential', 'poisson' or 'student'"
            )
        if len(positions) == len(densities):
            raise ValueError(f"the group {list(group)!r} has no discrete column")
        unfit = [names[j] for j in positions if rules[j].discrete and rules[j].storage not in ("levels", "values")]
        if unfit:
            raise ValueError(f"column {unfit[0]!r} joins a group as 'categorical' or 'bins', not as {rules[j]!r}")
        out.append(positions)
    return tuple(out)


def group_column(name: Any, names: Sequence[str | int]) -> int:
    """Return the position of a group's column."""
    if name not in names:
        raise ValueError(f"groups names the column {name!r}, which the table does not have; it has {list(names)[:20]}")
    return list(names).index(name)
