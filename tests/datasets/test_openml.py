"""OpenML: its types are the kinds, and its absence is explained."""

from types import SimpleNamespace

import pandas as pd
import pytest

from candide.datasets.openml import Location, from_bunch, load_openml


def test_openml_types_give_the_kinds():
    frame = pd.DataFrame(
        {"a": pd.Categorical(["x", "y", "z"]), "b": [1.0, 2, 3], "id": [1, 2, 3], "c": ["p", "q", "p"]}
    )
    bunch = SimpleNamespace(frame=frame, target_names=["c"])
    got = from_bunch("toy", bunch, Location(1, 3, drop=("id",)))
    assert got.kinds == {"a": "categorical", "b": "numeric", "c": "binary"}
    with pytest.raises(ValueError, match="another set"):
        from_bunch("toy", bunch, Location(1, 4))


def test_without_a_network_the_error_says_what_to_do(monkeypatch):
    def refuse(**_):
        raise OSError("no route to host")

    monkeypatch.setattr("sklearn.datasets.fetch_openml", refuse)
    with pytest.raises(ConnectionError, match="CANDIDE_DATA"):
        load_openml("car")
