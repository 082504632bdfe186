"""Class labels of several batches."""

from __future__ import annotations

import numpy as np
import pytest

from candide import NaiveBayes
from candide.schema.labels import label_kind, unite_labels

X = [[1.0], [2.0]]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (np.array([2**53, 2**53 + 1], np.uint64), np.array([2**53 + 2, -1], np.int64)),
        (np.array([1, 2], np.uint64), np.array([3, -1], np.int64)),
        (np.array([1, 2], np.int8), np.array([300, 1], np.int16)),
        (np.array(["a", "b"]), np.array(["something longer", "b"])),
    ],
    ids=["beyond exact floats", "unsigned and signed", "narrow and wide", "text"],
)
def test_labels_of_a_later_batch_are_themselves(first: np.ndarray, second: np.ndarray) -> None:
    nb = NaiveBayes(distributions="normal").fit(X, first).partial_fit(X, second)
    assert nb.classes_.tolist() == sorted({*first.tolist(), *second.tolist()})
    assert {type(label) for label in nb.classes_.tolist()} == {type(first.tolist()[0])}
    assert nb.class_counts_.sum() == 4
    assert set(nb.predict(X).tolist()) <= set(nb.classes_.tolist())
    nb.forget(X, second)
    assert nb.classes_.tolist() == sorted(first.tolist())


@pytest.mark.parametrize(
    ("labels", "kind"),
    [([1, 2], "number"), ([1.0], "number"), ([True], "bool"), (["a"], "str"), (np.array([1, 2], object), "number")],
)
def test_kinds(labels: object, kind: str) -> None:
    assert label_kind(np.asarray(labels)) == kind


def test_no_label_is_changed_by_the_type_that_two_have_in_common() -> None:
    wide = unite_labels(np.array([2**63 + 1], np.uint64), np.array([-1], np.int64))
    assert wide.tolist() == [-1, 2**63 + 1]
    assert wide.dtype == object
