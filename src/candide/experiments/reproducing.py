"""reproduce: run a paper's experiment and write its results and its report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from candide import __version__
from candide.experiments import indifferent, robust, summation
from candide.experiments.published import CITATIONS
from candide.experiments.readings import PaperReading
from candide.experiments.sets import Settings
from candide.frozen import frozen
from candide.messages import unknown
from candide.report.document import Block, footer, to_html, to_markdown
from candide.report.origin import CITED, today
from candide.writing import replacing


@frozen(eq=True)
class Experiment:
    """How a paper's experiment is run, how the paper can be read, and how it is cited."""

    collect: Callable[[Settings], tuple[Any, dict[str, Any]]]
    readings: Mapping[str, PaperReading]
    citation: str


EXPERIMENTS = {
    "indifferent": Experiment(indifferent.collect, indifferent.READINGS, CITATIONS["indifferent"]),
    "robust": Experiment(robust.collect, robust.READINGS, CITATIONS["robust"]),
    "summation": Experiment(summation.collect, summation.READINGS, CITATIONS["summation"]),
}


def reproduce(
    name: str,
    out: str | Path,
    data: str | Path | None = None,
    *,
    reading: str | Sequence[str] = (),
    seed: int = 0,
    repeats: int | None = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
    partial: bool = False,
) -> list[Path]:
    """Rerun a paper's experiment: NAME.csv (all results), NAME.md and NAME.html in the folder `out`.

    The files are the same, byte for byte, for the same seed, data, library versions and day (SOURCE_DATE_EPOCH is
    obeyed).

    Parameters
    ----------
    name : {"indifferent", "robust", "summation"}
        The indifferent naive Bayes classifier (Cerquides and López de Màntaras), the robust approach to zero
        probabilities (Chandra, Gupta and Gupta), the summation hack (Barabás and Kovács).
    out : path
        Folder to write to; made if it is not there.
    data : path, optional
        Data folder, instead of CANDIDE_DATA. "summation" makes its own data.
    reading : str or sequence of str
        How the paper is read where it leaves things open. By default "strict" (at its word) beside "paper" (what comes
        nearest to its numbers); every experiment has others, and "all" takes all of them.
    seed : int
        Decides folds and made-up data.
    repeats : int, optional
        Draws of folds, or made-up worlds; by default 10, or 5 for "indifferent".
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
    readings = (reading,) if isinstance(reading, str) else tuple(reading)
    settings = Settings(data, seed, readings, repeats, n_jobs, progress, partial)
    results, report = EXPERIMENTS[name].collect(settings)
    report["blocks"] = [*report["blocks"], _citation(name, report["about"])]
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


def _citation(name: str, about: str) -> Block:
    """What a reader needs to cite the report and to run it again."""
    return footer(
        [
            f"The paper: {EXPERIMENTS[name].citation}",
            f"This report: candide {__version__}, “candide reproduce {name}”, {today()}. {about}",
            f"The library: {CITED.format(__version__)}",
        ]
    )
