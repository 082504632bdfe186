"""Documents beside other columns: neither the order of rows nor the batches that they are read in matter."""

from __future__ import annotations

import numpy as np
import pytest

from candide import TunedNB
from candide.datasets import insurance


@pytest.fixture(scope="module")
def requests():
    return insurance(800, messages=True).frame


def test_the_order_of_rows_with_documents_does_not_matter(requests):
    X = requests.drop(columns="desk")
    one, other = (TunedNB().fit(rows, "desk") for rows in (requests, requests.sample(frac=1.0, random_state=1)))
    assert "message" in one.weights_
    # what documents say that are left out is in single precision
    np.testing.assert_allclose(list(one.weights_.values()), list(other.weights_.values()), rtol=1e-4)
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X), atol=1e-5)


def test_a_file_of_many_parts_settles_what_its_frame_does(requests, tmp_path):
    requests.to_parquet(tmp_path / "requests.parquet", row_group_size=100, index=False)
    one, other = (TunedNB().fit(given, "desk") for given in (requests, str(tmp_path / "requests.parquet")))
    np.testing.assert_allclose(list(one.weights_.values()), list(other.weights_.values()), rtol=1e-4)


@pytest.mark.parametrize("columns", [["message"], ["message", "energy"], ["message", "weight"]])
def test_weights_are_settled_where_every_document_is_missing(requests, columns):
    X, y = requests[columns].assign(message=None), requests["desk"]
    nb = TunedNB(distributions={"message": "text"}).fit(X, y)
    np.testing.assert_allclose(nb.predict_proba(X).sum(axis=1), 1.0)
