"""Hashes: by which what a model has learnt, and the model, are told from others, whenever and wherever it was saved."""

from __future__ import annotations

import hashlib

from candide.estimator.format.layout import Section, lay_out

LEARNT = ("classes", "columns", "groups")
"""What of a schema was learnt; the rest was asked for or settled."""


def hashes_of(payload: Section) -> tuple[str, str]:
    """Return the SHA-256 of what was learnt, and of the whole model, without the day and the release that saved it.

    What was learnt are sums: the same rows have the same, in any order and any number of parts, where they are counts;
    means and squares are rounded as they are added.
    """
    schema = payload["schema"]
    learnt = Section({name: schema[name] for name in LEARNT}, statistics=payload["statistics"])
    data = digest(learnt)
    asked = {name: value for name, value in payload.items() if name not in {"made", "schema", "statistics"}}
    settled = {name: value for name, value in schema.items() if name not in LEARNT}
    return data, digest(Section(data=data, **asked, schema=settled))


def digest(section: Section) -> str:
    """Return the SHA-256 of the text that a section has in a file."""
    return hashlib.sha256(lay_out(section).encode("utf-8", "backslashreplace")).hexdigest()
