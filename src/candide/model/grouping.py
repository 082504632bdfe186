"""Groups as the user names them: which columns they join, and whether these can be joined."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from candide.distributions import Distribution, MomentDistribution
from candide.messages import unknown

Groups = tuple[tuple[int, ...], ...]


def listed_groups(groups: Any) -> list[Sequence[Any]]:
    """Return the groups as they were named, each a list of columns.

    Examples
    --------
    >>> listed_groups(None), listed_groups([["energy", "wheels"]])
    ([], [['energy', 'wheels']])
    """
    if groups is None:
        return []
    named = list(groups) if isinstance(groups, Collection) and not isinstance(groups, str) else [groups]
    if any(isinstance(group, str) or not isinstance(group, Collection) for group in named):
        raise ValueError(f"groups={groups!r:.60}: a list of lists of columns, such as [['energy', 'wheels']]")
    return named


def group_positions(groups: Any, names: Sequence[str | int]) -> Groups:
    """Return the positions of the columns of each group, each column once."""
    out: list[tuple[int, ...]] = []
    taken: set[int] = set()
    for group in listed_groups(groups):
        if len(group) < 2:
            raise ValueError(f"a group joins at least two columns, {group!r} does not")
        positions = tuple(group_column(name, names) for name in group)
        for j in positions:
            if j in taken:
                raise ValueError(f"column {names[j]!r} stands twice in groups")
            taken.add(j)
        out.append(positions)
    return tuple(out)


def group_column(name: Any, names: Sequence[str | int]) -> int:
    """Return the position of a group's column."""
    if name not in names:
        raise ValueError(f"groups: {unknown('column', name, list(names))}")
    return list(names).index(name)


def check_groups(groups: Groups, names: Sequence[str | int], rules: Sequence[Distribution]) -> None:
    """Refuse groups with documents, without a discrete column, with several densities, or one without moments."""
    for group in groups:
        told = [names[j] for j in group]
        for j in group:
            if rules[j].kind == "bags":
                raise ValueError(
                    f"the group {told!r}: column {names[j]!r} holds documents, which are counted word by word and join "
                    "no group"
                )
        densities = [j for j in group if not rules[j].discrete]
        if len(densities) > 1:
            raise ValueError(f"the group {told!r} has more than one density column: {[names[j] for j in densities]}")
        if len(densities) == len(group):
            raise ValueError(f"the group {told!r} has no discrete column")
        for j in group:
            check_member(names[j], rules[j])


def check_member(name: str | int, rule: Distribution) -> None:
    """Refuse a distribution with which a column cannot join a group."""
    if rule.discrete and rule.needs != ("cells",):
        raise ValueError(f"column {name!r} joins a group as 'categorical' or 'bins', not as {rule!r}")
    if not rule.discrete and not isinstance(rule, MomentDistribution):
        raise ValueError(
            f"the density column {name!r} of a group is estimated from moments within each combination of levels: "
            f"{rule!r} is not; use 'normal', 'lognormal', 'gamma', 'exponential', 'poisson' or 'student'"
        )
