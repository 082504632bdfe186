"""Origin: what a reader needs to cite a report and to know what it was made of: release, day, data, model."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any

from candide.estimator.classifier import Classifier
from candide.estimator.format.hashes import hashes_of
from candide.estimator.learnt_from import told_tables
from candide.report.escaping import as_html

Facts = dict[str, Any]

CITED = "Candide developers: Candide, version {}. Software."
"""How the library is cited; CITATION.cff says the same."""


def origin(model: Classifier) -> Facts:
    """Return the day, the file that was learnt from, the hashes of the data and of the model, and how to cite them.

    Of a model whose rules are not in the library, which no file holds, there are no hashes.
    """
    from importlib.metadata import version

    try:
        data, checksum = hashes_of(model._payload())
    except (TypeError, ValueError):
        data, checksum = None, None
    tables = [PurePath(table).name for table in told_tables(model.told_)]
    more = f" and {len(tables) - 1} more" if len(tables) > 1 else ""
    return {
        "on": today(),
        "source": f"{tables[0]}{more}" if tables else None,
        "data": data,
        "checksum": checksum,
        "citation": CITED.format(version("candide")),
    }


def today() -> str:
    """Return the day of a report, which SOURCE_DATE_EPOCH sets where it must not change."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    day = datetime.now(UTC) if epoch is None else datetime.fromtimestamp(int(epoch), UTC)
    return f"{day:%Y-%m-%d}"


def origin_html(facts: Facts) -> str:
    """Return the last lines of a page; of facts that were collected for a glance there is little to say."""
    of = f" of {as_html(facts['source'])}" if facts.get("source") else ""
    on = f" on {facts['on']}" if "on" in facts else ""
    out = [f"Made by candide {as_html(facts['candide'])}{on}, from a model{of}."]
    if facts.get("data"):
        out.append(f"Data <code>{facts['data']}</code>: the hash of the sums it learnt, not of a file.")
        out.append(f"Model <code>{facts['checksum']}</code>.")
    out.append("Make the page again: <code>candide report model.json TABLE -o report.html</code>.")
    if "citation" in facts:
        out.append(f"Cite: {as_html(facts['citation'])}")
    return "".join(f'<p class="muted">{line}</p>' for line in out)
