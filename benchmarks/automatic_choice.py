"""The automatic choice on real tables, before and now, beside single methods and scikit-learn.

Stratified folds of every data set (those of papers 000 and 001 unless named), Laplace smoothing throughout. Every
checkout is given the same rows. `CANDIDE_DATA` names the folder of the data.
"""

import argparse
import pickle
import sys
import tempfile
import warnings
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np
from sklearn.model_selection import StratifiedKFold

from benchmarks import record
from benchmarks.channel import Message
from benchmarks.checkouts import BEFORE, NOW, Checkout, checkouts
from benchmarks.choice import models, report
from benchmarks.choice.report import ACCURACY, LOG_LOSS, Scored
from benchmarks.others import Others
from candide.datasets import load

PAPER_000 = ["adult", "breast", "car", "chess", "cleve", "crx", "glass", "iris", "letter", "mushroom", "nursery"]
PAPER_000 += ["optdigits", "pima", "soybean", "votes"]
PAPER_001 = ["glass", "ionosphere", "iris", "letter", "liver", "new_thyroid", "pendigits", "pima", "segmentation"]
PAPER_001 += ["sonar", "vehicle", "vowel", "wdbc", "wine", "wpbc"]
PAPERS = sorted({*PAPER_000, *PAPER_001})
RESULTS = Path(__file__).parent / "results"


class Scorer:
    """A process of a checkout, and a thread that waits for it, so that checkouts work side by side."""

    def __init__(self, checkout: Checkout) -> None:
        self.name = checkout.name
        self.process, self.channel = checkout.start("benchmarks.choice.scorer")
        self.about = checkout.greet(self.channel)
        self.thread = ThreadPoolExecutor(1)

    def score(self, table: Path) -> Future[Message]:
        """Let the process score a table: this checkout all models, that of before the automatic choice."""
        return self.thread.submit(self._score, {"table": str(table), "all": self.name == NOW})

    def close(self) -> None:
        """End process and thread; what has not begun is not done."""
        self.thread.shutdown(cancel_futures=True)
        self.process.communicate()

    def _score(self, order: Message) -> Message:
        self.channel.send(order)
        return self.channel.receive()


def arguments() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.automatic_choice", description=__doc__)
    parser.add_argument("names", nargs="*", default=PAPERS, help="data sets")
    parser.add_argument("--against", type=Path, metavar="PATH", help="another checkout, set up by `make setup`")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder for automatic_choice.md and .json")
    return parser.parse_args()


def dealt(name: str, folds: int, folder: Path) -> Path:
    """Write a data set and the fold of each row, and return where."""
    data = load(name)
    y = np.asarray(data.y)
    fold = np.empty(len(y), dtype=np.int64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a class of fewer rows than folds is in as many folds as it has rows
        for k, (_, rows) in enumerate(StratifiedKFold(folds, shuffle=True, random_state=0).split(y, y)):
            fold[rows] = k
    path = folder / f"{name}.pickle"
    path.write_bytes(pickle.dumps((data.X, y, fold)))
    return path


def scored(names: list[str], folds: int, scorers: list[Scorer]) -> Iterator[Scored]:
    """Yield the scores of each data set."""
    with tempfile.TemporaryDirectory(prefix="candide-benchmark-") as folder:
        tables = {name: dealt(name, folds, Path(folder)) for name in names}
        waiting = [(name, {s.name: s.score(table) for s in scorers}) for name, table in tables.items()]
        for name, answers in waiting:
            found = {checkout: answer.result()["scores"] for checkout, answer in answers.items()}
            now = {model: np.array(values) for model, values in found[NOW].items()}
            before = np.array(found[BEFORE][models.AUTO]) if BEFORE in found else None
            yield Scored(name, now, before)


def say(result: Scored) -> None:
    """Print what is known so far."""
    line = f"{result.name}: accuracy {100 * result.now[models.AUTO][:, 0].mean():.1f}"
    if result.before is not None:
        for word, measure in (("accuracy", ACCURACY), ("log-loss", LOG_LOSS)):
            change = result.gained(measure)
            line += f"; {word} gained {report.signed(change, '.3f')}{change.says() and f' ({change.says()})'}"
    print(line, flush=True)


def main() -> None:
    """Score, print, and write table and record."""
    options = arguments()
    begun = record.now()
    scorers = [Scorer(checkout) for checkout in checkouts(options.against)]
    others = Others(lambda: [scorer.process.pid for scorer in scorers])
    results = []
    try:
        for result in scored(options.names, options.folds, scorers):
            results.append(result)
            say(result)
            others.lap()
    finally:
        for scorer in scorers:
            scorer.close()
    run = record.run_of(begun, {scorer.name: scorer.about for scorer in scorers}, others)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "automatic_choice.md").write_text(report.markdown(run, results, list(models.theirs(1))))
    record.write(options.out / "automatic_choice.json", run, [result.record() for result in results])
    print(f"\nwritten to {options.out}", file=sys.stderr)


if __name__ == "__main__":
    main()
