"""What is promised to the rows of a private model, as JSON: one line a release and column."""

from __future__ import annotations

from typing import Any

from candide.estimator.format.encoding import RuleBook, decode, decode_key, encode
from candide.estimator.format.entries import Entry
from candide.estimator.format.layout import Lines, Section
from candide.private.releasing import CELLS_MOST
from candide.statistics.guarantee import MECHANISM, NEIGHBOURS, Guarantee, Release


def guarantee_to_json(guarantee: Guarantee, rules: RuleBook) -> Section:
    """Return the JSON form of a guarantee."""
    return Section(
        neighbours=NEIGHBOURS,
        mechanism=MECHANISM,
        rows_without_noise=guarantee.exact,
        releases=Lines(release_to_json(release, rules) for release in guarantee.releases),
    )


def release_to_json(release: Release, rules: RuleBook) -> Section:
    """Return the JSON form of a release: its budget, and what is public of each column."""
    columns = Lines(
        {"column": name, "bounds": encode(public, rules)}
        | ({"cells": release.cells[name]} if name in release.cells else {})
        | ({"promised": True} if name in release.promised else {})
        for name, public in release.bounds.items()
    )
    return Section(epsilon=release.epsilon, seeded=release.seeded, columns=columns)


def guarantee_from_json(entry: Entry, rules: RuleBook) -> Guarantee:
    """Read a guarantee back."""
    entry.check_keys(("neighbours", "mechanism", "rows_without_noise", "releases"))
    entry["neighbours"].word((NEIGHBOURS,))
    entry["mechanism"].word((MECHANISM,))
    releases = tuple(release_from_json(line, rules) for line in entry["releases"].items())
    if not releases:
        raise entry["releases"].wrong("holds no release")
    return Guarantee(releases, entry["rows_without_noise"].flag())


def release_from_json(entry: Entry, rules: RuleBook) -> Release:
    """Read a release back."""
    entry.check_keys(("epsilon", "seeded", "columns"))
    epsilon = entry["epsilon"].number()
    if epsilon <= 0:
        raise entry["epsilon"].wrong("is not above zero")
    bounds: dict[Any, Any] = {}
    cells: dict[Any, int] = {}
    promised: list[Any] = []
    for line in entry["columns"].items():
        line.check_keys(("column", "bounds", "cells", "promised"))
        name = decode_key(line["column"], rules)
        bounds[name] = decode(line["bounds"], rules)
        asked, said = line.get("cells"), line.get("promised")
        if asked is not None:
            cells[name] = asked.whole(CELLS_MOST)
        if said is not None and said.flag():
            promised.append(name)
    return Release(epsilon, bounds, cells, tuple(promised), entry["seeded"].flag())
