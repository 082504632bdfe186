"""Sources that are read batch by batch: the kinds of columns, weights and refusals."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from tests import laws

from candide import NaiveBayes
from candide.sources.base import open_source
from candide.sources.files import Files


def test_columns_that_show_something_in_different_batches_have_their_own_kinds() -> None:
    one = pd.DataFrame({"a": ["p", "q"], "b": [None, None], "x": [np.nan, np.nan], "y": [0, 1]}, dtype=object)
    two = pd.DataFrame({"a": [None, None], "b": ["u", "v"], "x": [1.5, 2.5], "y": [0, 1]}, dtype=object)
    whole = pd.concat([one, two], ignore_index=True).astype({"x": float, "y": int})
    parts = [whole[:2], whole[2:]]
    laws.same_model(NaiveBayes().fit(iter(parts), "y"), NaiveBayes().fit(whole, "y"), whole.drop(columns="y"))


def test_batches_without_weight_teach_nothing() -> None:
    frame = pd.DataFrame({"a": list("pqpq"), "w": [0, 0, 2, 1], "y": [0, 1, 0, 1]})
    nb = NaiveBayes().fit(iter([frame[:2], frame[2:]]), "y", sample_weight="w")
    assert nb.class_counts_.tolist() == [2, 1]
    with pytest.raises(ValueError, match="no rows with a weight in 'w'"):
        NaiveBayes().fit(iter([frame[:2]]), "y", sample_weight="w")


@pytest.fixture
def in_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[pd.DataFrame], list[str]]:
    """Writes a frame to two Parquet files of groups of ten rows, each of which is read as a part."""
    monkeypatch.setattr("candide.sources.batch.BATCH_CELLS", 40)

    def write(frame: pd.DataFrame) -> list[str]:
        paths = [str(tmp_path / f"{n}.parquet") for n in range(2)]
        for path, half in zip(paths, (frame[:35], frame[35:]), strict=True):
            half.to_parquet(path, row_group_size=10, index=False)
        return paths

    return write


def table(n: int = 72) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    x = np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n))
    words = rng.choice(np.array(["red", "blue", None], dtype=object), n)
    return pd.DataFrame({"x": x, "color": words, "on": rng.random(n) < 0.5, "y": rng.choice(["u", "v"], n)})


def test_the_second_part_is_read_while_the_first_is_looked_at(in_groups, monkeypatch) -> None:
    monkeypatch.setattr("candide.engines.batches.workers", lambda: 2)
    batches, together, calls = Files.batches, threading.Barrier(2, timeout=30), itertools.count()

    def waiting(self, *given):
        for frame in batches(self, *given):
            if next(calls) < 2:
                together.wait()  # nobody passes before both have read
            yield frame

    monkeypatch.setattr(Files, "batches", waiting)
    frame = table()
    found = NaiveBayes().fit(in_groups(frame), "y")
    laws.same_model(found, NaiveBayes().fit(frame, "y"), frame.drop(columns="y"))


def test_parts_read_by_several_threads_teach_what_the_whole_table_teaches(in_groups, monkeypatch) -> None:
    monkeypatch.setattr("candide.engines.batches.workers", lambda: 3)
    frame = table()
    frame.loc[:44, "color"] = None  # what it holds is seen in a later part
    whole = NaiveBayes().fit(frame, "y")
    source = open_source(in_groups(frame)).learning("y", None)
    seen: list[float] = []
    source.done = seen.append
    parted = NaiveBayes().fit(source, "y")
    laws.same_model(parted, whole, frame.drop(columns="y"))
    laws.same_statistics(parted.learnt_, whole.learnt_)
    assert source.rows == len(frame)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    again = NaiveBayes().fit(in_groups(frame), "y").partial_fit(in_groups(frame), "y")
    assert again.class_counts_.tolist() == (2 * whole.class_counts_).tolist()


def test_what_is_wrong_in_a_part_is_told_by_its_row(in_groups) -> None:
    frame = table()
    frame.loc[58, "x"] = np.inf
    nb = NaiveBayes().fit(table(), "y")
    before = nb.class_counts_.tolist()
    with pytest.raises(ValueError, match="infinity: column 'x', row 58"):
        nb.partial_fit(in_groups(frame), "y")
    assert nb.class_counts_.tolist() == before


def test_files_of_other_columns_are_refused_in_parts_as_well(in_groups) -> None:
    paths = in_groups(table())
    table().rename(columns={"x": "z"}).to_parquet(paths[1], row_group_size=10)
    with pytest.raises(ValueError, match="differ in the column 'x'"):
        NaiveBayes().fit(paths, "y")


def test_a_refusal_says_from_which_row_of_the_source_its_rows_are_counted() -> None:
    frames = [pd.DataFrame({"x": [1.0, 2.0], "y": ["u", "v"], "w": weights}) for weights in ([1, 1], [1, -1])]
    with pytest.raises(ValueError, match=r"Negative values.*in row 1") as refused:
        NaiveBayes().fit(iter(frames), "y", sample_weight="w")
    assert "rows counted from row 2" in refused.value.__notes__
