"""A report: the facts of a model, as a page to save or open, and as what a notebook shows of them."""

from __future__ import annotations

import json
import os
import tempfile
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from candide.report import sentences
from candide.report.notebook import model_html, performance_html
from candide.report.page.rendering import MOST_COLUMNS, render
from candide.writing import check_apart, replacing


class Report:
    """What there is to see of a model.

    Parameters
    ----------
    facts : dict
        Of `candide.report.facts`.
    columns : int
        How many columns the page carries, those of most evidence.
    inputs : sequence of paths
        The tables that it was made of, which it is not written over.

    Examples
    --------
    >>> import pandas as pd
    >>> from candide import NaiveBayes
    >>> frame = pd.DataFrame({"wind": ["weak", "weak", "strong", "strong"], "play": ["yes", "yes", "no", "yes"]})
    >>> report = NaiveBayes().fit(frame, "play").report()
    >>> report.facts["rows"], report.html[:15]
    (4, '<!DOCTYPE html>')
    """

    def __init__(self, facts: dict[str, Any], columns: int = MOST_COLUMNS, inputs: Sequence[str] = ()) -> None:
        self.facts = facts
        self.columns = columns
        self.inputs = inputs

    @property
    def html(self) -> str:
        """The page: one file that needs no other, and no network."""
        return render(self.facts, self.columns)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page, or the facts as JSON where the name ends in .json; whole or not at all."""
        check_apart(path, self.inputs, "the report")
        if Path(path).suffix.lower() == ".json":
            text = json.dumps(self.facts, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
        else:
            text = self.html
        with replacing(path) as file:
            file.write(text.encode("utf-8", "backslashreplace"))

    def open(self) -> Path:
        """Write the page to a temporary file and show it in a browser; return the file."""
        folder = Path(tempfile.mkdtemp(prefix="candide-"))
        path = folder / "report.html"
        self.save(path)
        webbrowser.open(path.as_uri())
        return path

    def __repr__(self) -> str:
        return "\n".join([sentences.subtitle(self.facts), *sentences.verdict(self.facts)])

    def _repr_html_(self) -> str:
        found = self.facts.get("performance")
        shown = model_html(self.facts)
        if found is None:
            return shown
        return shown + performance_html(found, self.facts["classes"], self.facts["asked"], sentences.method(found))
