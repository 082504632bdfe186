"""Readings of a paper: what it leaves open, settled in a named way, and its claims answered under each of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from candide.frozen import frozen
from candide.messages import unknown
from candide.report.document import Block, bullets, heading, paragraph, table

STRICT, PAPER = "strict", "paper"
"""The reading that takes the paper at its word, and the one that comes nearest to its numbers."""


@frozen(eq=True)
class PaperReading:
    """One way to settle what a paper leaves open.

    Parameters
    ----------
    name : str
    assumes : str
        What it assumes, in a sentence.
    because : str
        What the paper says of it.
    setting : object
        What the experiment does differently under it.
    """

    name: str
    assumes: str
    because: str
    setting: Any


@frozen(eq=True)
class Finding:
    """What was found of a claim under a reading, and whether the paper says the same; None where it cannot be seen."""

    found: str
    holds: bool | None


@frozen(eq=True)
class Claim:
    """A claim of a paper.

    Parameters
    ----------
    where : str
        Where the paper makes it.
    says : str
        What the paper says.
    check : callable
        From the results under one reading to a `Finding`.
    """

    where: str
    says: str
    check: Callable[[Any], Finding]


def chosen(readings: Mapping[str, PaperReading], names: Sequence[str]) -> list[PaperReading]:
    """Return the readings asked for by name: by default the strict one and the one that fits best; "all" for all."""
    wanted = list(names) or [STRICT, PAPER]
    if "all" in wanted:
        return list(readings.values())
    for name in wanted:
        if name not in readings:
            raise ValueError(unknown("reading", name, [*readings, "all"]))
    return [readings[name] for name in dict.fromkeys(wanted)]


def told_readings(readings: Sequence[PaperReading]) -> list[Block]:
    """Say what each reading assumes, what the paper says of it, and which was chosen after seeing the numbers."""
    note = paragraph(
        f"The reading “{PAPER}” was found by trying settings against the paper's numbers: that it comes near to them "
        "is no evidence for the paper, only for what its authors may have done."
    )
    rows = [[r.name, r.assumes, r.because] for r in readings]
    return [
        heading("How the paper is read"),
        table(["reading", "it assumes", "the paper says"], rows, prose=True),
        *([note] if any(r.name == PAPER for r in readings) else []),
    ]


def answer(findings: Mapping[str, Finding]) -> str:
    """Answer a claim in a plain sentence, from what was found under each reading.

    Examples
    --------
    >>> answer({"strict": Finding("7 of 16", False), "paper": Finding("12 of 16", True)})
    'depends on the reading: holds under “paper”, not under “strict”'
    """
    yes = [f"“{name}”" for name, finding in findings.items() if finding.holds]
    no = [f"“{name}”" for name, finding in findings.items() if finding.holds is not None and not finding.holds]
    if not (yes or no):
        return "cannot be seen"
    if not no:
        return "reproduces"
    if not yes:
        return "does not reproduce"
    return f"depends on the reading: holds under {' and '.join(yes)}, not under {' and '.join(no)}"


def answered(claims: Sequence[Claim], results: Mapping[str, Any], criteria: str) -> list[Block]:
    """Every claim beside what was found under each reading, and the answer in words.

    Parameters
    ----------
    claims : sequence of Claim
    results : mapping of a reading's name to its results
    criteria : str
        What counts as reproduced.
    """
    rows, answers = [], []
    for claim in claims:
        findings = {name: claim.check(found) for name, found in results.items()}
        verdict = answer(findings)
        rows.append([claim.where, claim.says, *(f.found for f in findings.values()), verdict])
        answers.append(verdict)
    counts = [
        f"{sum(a == verdict for a in answers)} {words}"
        for verdict, words in (("reproduces", "reproduce"), ("does not reproduce", "do not"))
    ]
    rest = sum(a.startswith("depends") for a in answers)
    columns = ["where", "the paper says", *(f"found, {name}" for name in results), "answer"]
    return [
        heading("The paper's claims, one by one"),
        table(columns, rows, prose=True),
        bullets([f"Of {len(claims)} claims {', '.join(counts)}, and {rest} depend on the reading."]),
        paragraph(f"What counts as reproduced is our choice: {criteria}"),
    ]
