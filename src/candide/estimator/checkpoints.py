"""Checkpoints: a long fit that is written down on its way, and goes on where it was when it was killed.

Statistics add up, so that a fit that was stopped after n rows is the model of the first n rows: teaching it the others
gives what one fit of all of them gives. A checkpoint is that model, and beside it how many rows it has seen, of what.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from candide.frozen import frozen
from candide.sources.base import Reading
from candide.sources.files import Files
from candide.sources.streams import Frames
from candide.writing import replacing

if TYPE_CHECKING:
    from candide.estimator.classifier import Classifier


@frozen(eq=True)
class Checkpoint:
    """Where a fit is written down.

    Parameters
    ----------
    path : str
        The file that says how far the fit is; the model is in `path` + ".model".
    every : int
        Rows between two.
    """

    path: str
    every: int = 1

    @property
    def model(self) -> str:
        """The file of the model so far."""
        return f"{self.path}.model"

    def read(self, asked: Any) -> int:
        """Return how many rows the model so far has seen; none where there is no checkpoint.

        Parameters
        ----------
        asked : JSON value
            What is learnt, and by what rules: a checkpoint of something else is refused.
        """
        try:
            found = json.loads(Path(self.path).read_text())
        except FileNotFoundError:
            return 0
        except ValueError:
            found = None
        if not isinstance(found, dict) or set(found) != {"asked", "rows"} or type(found["rows"]) is not int:
            raise ValueError(f"{self.path} is no checkpoint: give another file, or remove it")
        if found["asked"] != asked:
            raise ValueError(
                f"{self.path} is the checkpoint of another fit: of other tables, of tables that were changed since, or "
                "by other rules; remove it to begin anew"
            )
        rows: int = found["rows"]
        return rows

    def write(self, model: Classifier, rows: int, asked: Any) -> None:
        """Write down a model and the rows that it has seen.

        The model goes first, under a name of its own: whenever the fit is killed, the file at `path` tells of a model
        that is there whole.
        """
        place = f"{self.model}.{rows}"
        model.save(place)
        before = self._files()
        with replacing(self.path) as file:
            file.write(json.dumps({"asked": asked, "rows": rows}).encode())
        for old in before - {place}:
            Path(old).unlink(missing_ok=True)

    def load(self, rows: int, read: Callable[[str], Classifier]) -> Classifier:
        """Return the model that has seen so many rows."""
        return read(f"{self.model}.{rows}")

    def _files(self) -> set[str]:
        folder, name = os.path.split(self.model)
        return {str(file) for file in Path(folder or ".").glob(f"{name}.*") if file.suffix[1:].isdigit()}

    def remove(self) -> None:
        """Leave nothing behind: the fit is done."""
        for file in (self.path, *self._files()):
            with suppress(FileNotFoundError):
                Path(file).unlink()


def fit_on(
    model: Classifier,
    so_far: Classifier | None,
    source: Files,
    target: str,
    weight: str | None,
    checkpoint: Checkpoint,
    done: int,
    asked: Any,
) -> Classifier:
    """Teach a model the rows of a source behind those that it has seen, writing it down on the way.

    Weights that are settled on rows are settled when all are learnt, in one more reading.

    Parameters
    ----------
    model : Classifier
        Not fitted.
    so_far : Classifier or None
        What a checkpoint holds.
    source : Files
    target, weight : str
        The columns of the labels and of the weights.
    checkpoint : Checkpoint
    done : int
        Rows that the model has seen.
    asked : JSON value
        As in `Checkpoint.read`.
    """
    weights = model.get_params(deep=False).get("weights")
    if weights is not None:
        model.set_params(weights=None)
    if so_far is not None:
        model = so_far
    seen = done
    rest, first = source.behind(done)
    frames = behind(rest.batches(), first)
    for frame in frames:
        if seen == done == 0:
            check_sums(model, frame, target, weight)
        stretch = Stretch(frame, frames, checkpoint.every, rest.readers())
        model.partial_fit(stretch, target, sample_weight=weight)
        seen += stretch.rows
        checkpoint.write(model, seen, asked)
    source.rows = seen  # those that were passed over as well
    if weights is not None:
        model.set_params(weights=weights)
        if not isinstance(weights, dict):
            model.tune(source, target, sample_weight=weight)
    return model


def check_sums(model: Classifier, frame: Any, target: str, weight: str | None) -> None:
    """Refuse a model that is more than sums of its rows."""
    if model._open(iter([frame]), target, weight, None)[2].tunable:
        raise ValueError(
            f"this {type(model).__name__} settles weights on a sample of all rows, which a checkpoint of some does not "
            "hold: fit it without one"
        )


def behind(frames: Iterator[Any], rows: int) -> Iterator[Any]:
    """Yield the frames behind some rows."""
    for frame in frames:
        n = len(frame)
        if rows < n:
            yield frame.slice(rows) if rows else frame
        rows = max(0, rows - n)


class Stretch(Frames):
    """The frames between two checkpoints, taken from those that are left as they are asked for.

    Parameters
    ----------
    first, rest : frame, iterator of frames
    most : int
        Rows behind which a stretch ends.
    readers : mapping
        How columns are to be read, as all cells of the source show.
    """

    looks_at_all = True

    def __init__(self, first: Any, rest: Iterator[Any], most: int, readers: Mapping[str, Any]) -> None:
        self.told, self.given_rows = readers, [0]  # the rows of all copies of this stretch
        super().__init__(self._taken(first, rest, most), Reading())

    def _taken(self, frame: Any, rest: Iterator[Any], most: int) -> Iterator[Any]:
        while frame is not None:  # ends: with the frames
            self.given_rows[0] += len(frame)
            yield frame
            frame = next(rest, None) if self.given_rows[0] < most else None

    @property
    def rows(self) -> int:
        """How many rows were given."""
        return self.given_rows[0]

    def readers(self) -> Mapping[str, Any]:
        """Return how columns are to be read."""
        return self.told
