"""reproduce: run a paper's experiment and write its results and its report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from candide.experiments import indifferent, robust, summation
from candide.experiments.sets import Settings
from candide.messages import unknown
from candide.report.document import to_html, to_markdown
from candide.writing import replacing

EXPERIMENTS: dict[str, Callable[[Settings], tuple[Any, dict[str, Any]]]] = {
    "indifferent": indifferent.collect,
    "robust": robust.collect,
    "summation": summation.collect,
}


def reproduce(
    name: str,
    out: str | Path,
    data: str | Path | None = None,
    *,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: bool | None = None,
    partial: bool = False,
) -> list[Path]:
    """Rerun a paper's experiment: NAME.csv (all fold results), NAME.md and NAME.html in the folder `out`.

    The files are the same, byte for byte, for the same seed, data and library versions.

    Parameters
    ----------
    name : {"indifferent", "robust", "summation"}
        The indifferent naive Bayes classifier (Cerquides and López de Mántaras), the robust approach to zero
        probabilities (Chandra, Gupta and Gupta), the summation hack (Barabás and Kovács).
    out : path
        Folder to write to; made if it is not there.
    data : path, optional
        Data folder, instead of CANDIDE_DATA. "summation" makes its own data.
    seed : int
        Decides folds and made-up data.
    n_jobs : int, optional
        Processes, by default all cores.
    progress : bool, optional
        Show a progress bar; by default on a terminal.
    partial : bool
        Go without the data sets that cannot be had: the title and a warning say so. By default they are an error.

    Returns
    -------
    list of pathlib.Path
        The files written.
    """
    if name not in EXPERIMENTS:
        raise ValueError(unknown("experiment", name, list(EXPERIMENTS)))
    results, report = EXPERIMENTS[name](Settings(data, seed, n_jobs, progress, partial))
    files = {
        ".csv": results.to_csv(index=False, float_format="%.12g", lineterminator="\n"),
        ".md": to_markdown(report),
        ".html": to_html(report),
    }
    return [write(Path(out), f"{name}{suffix}", text) for suffix, text in files.items()]


def write(folder: Path, name: str, text: str) -> Path:
    """Write a file of a folder, which is made if it is not there, and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    with replacing(folder / name) as file:
        file.write(text.encode())
    return folder / name
