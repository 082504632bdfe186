"""What a run was: who took part, on what, when, and how busy the machine was; kept as JSON beside each table."""

import json
import os
import platform
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.channel import Message
from benchmarks.others import Others

LIBRARIES = ("scikit-learn", "numpy", "pandas", "pyarrow", "polars")
"""Those that a table names; the record has more."""


@dataclass(frozen=True)
class Run:
    """The circumstances of a run."""

    date: str
    checkouts: dict[str, Message]
    processor: str
    cores: int | None
    load_averages: dict[str, float]
    other_processes: float | None
    minutes: float


def now() -> datetime:
    """Return the time, in UTC."""
    return datetime.now(UTC)


def run_of(begun: datetime, checkouts: dict[str, Message], others: Others) -> Run:
    """Return the circumstances of the run that ends here."""
    averages = others.averages or [os.getloadavg()[0]]
    return Run(
        begun.isoformat(timespec="seconds"),
        checkouts,
        processor(),
        os.cpu_count(),
        {"first": averages[0], "highest": max(averages), "last": averages[-1]},
        others.mean(),
        round((now() - begun).total_seconds() / 60, 1),
    )


def processor() -> str:
    """Return the name of the processor, or at least its architecture."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return f"{next(names, '')} {platform.machine()}".strip()


def sentence(run: Run) -> str:
    """Say in Markdown who took part, on what and when."""
    about = list(run.checkouts.values())[-1]
    libraries = ", ".join(f"{name} {about[name]}" for name in LIBRARIES if name in about)
    quiet = "not known" if run.other_processes is None else f"{run.other_processes:.2f} cores"
    averages = ", ".join(f"{value:.2f} {when}" for when, value in run.load_averages.items())
    return (
        f"{'; '.join(f'**{name}**: {one(about)}' for name, about in run.checkouts.items())}. "
        f"{libraries}, Python {about['python']}, {run.processor}, {run.cores} cores. {run.date}, "
        f"{run.minutes:g} minutes. Other processes used: {quiet}. Load average: {averages}.\n"
    )


def one(about: Message) -> str:
    """Name a checkout by version, commit and kernels."""
    commit = f", commit {about['commit']}" if about["commit"] else ""
    return f"candide {about['candide']}{commit}, {about['kernels']} kernels"


def write(path: Path, run: Run, results: list[dict[str, Any]]) -> None:
    """Write the record of a run beside its table."""
    path.write_text(json.dumps({"run": asdict(run), "results": results}, indent=1) + "\n")
