"""Model files: whole or an error, never a wrong model, never code."""

from __future__ import annotations

import json
import os
import pickle
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import candide
from candide import NaiveBayes
from candide.combination import Outlier, Product
from candide.discretizers import EqualWidth
from candide.distributions import Bins, Categorical
from candide.estimator import files as persistence
from candide.estimator.files import ModelFileError, checksum, decode, encode
from candide.rules import Rule
from candide.smoothing import Dirichlet, Lidstone, NaiveDistribution, Smoothing

X = pd.DataFrame(
    {
        "wheels": [2, 4, 4, 6, 4, 2],
        "energy": ["petrol", "petrol", "diesel", None, "diesel", "petrol"],
        "colour": pd.Categorical(["red", None, "blue", "red", "red", "blue"], categories=["red", "blue", "green"]),
        "weight": [0.2, 1.5, 1.1, 9.0, np.nan, 0.3],
    }
)
Y = ["bike", "car", "car", "truck", "car", "bike"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "model.json"


@pytest.fixture
def nb() -> NaiveBayes:
    return NaiveBayes(distributions={"weight": "normal", "wheels": "categorical"}).fit(X, Y)


def rewrite(path: Path, change: Any, seal: bool = True) -> None:
    """Change the payload of a file, with a fitting checksum where asked."""
    content = json.loads(path.read_text())
    change(content["model"])
    if seal:
        content["sha256"] = checksum(content["model"])
    path.write_text(json.dumps(content))


# -- everything is kept ----------------------------------------------------------------------------------------------

PARAMS: list[dict[str, Any]] = [
    {},
    {"smoothing": Lidstone(0.25, class_alpha=1), "combination": Outlier(0.1, "uniform")},
    {
        "smoothing": Dirichlet({"bike": 1, "car": 2.5, "truck": 0}, 0.5),
        "prior": {"bike": 0.2, "car": 0.3, "truck": 0.5},
    },
    {"smoothing": NaiveDistribution(), "prior": np.array([0.2, 0.3, 0.5])},
    {"distributions": {"wheels": Bins(EqualWidth(3)), "energy": Categorical(levels=["petrol", "steam"])}},
    {"groups": [["wheels", "energy", "weight"]], "distributions": {"weight": "normal", "wheels": "categorical"}},
    {"missing": "level", "unseen": "error", "costs": {a: {b: float(a != b) for b in Y} for a in Y}},
    {"costs": [[0, 1, 2], [1, 0, 1], [np.float64(3), 1, 0]], "prior": "uniform"},
    {"groups": (("energy", "colour"),)},
]


@pytest.mark.parametrize("params", PARAMS, ids=",".join)
def test_everything_is_kept_and_learning_goes_on(params: dict[str, Any], path: Path) -> None:
    nb = NaiveBayes(**params).fit(X, Y)
    nb.save(path)
    again = candide.load(path)
    assert type(again) is NaiveBayes
    for name, value in nb.get_params(deep=False).items():
        np.testing.assert_equal(
            again.get_params(deep=False)[name], value.tolist() if hasattr(value, "tolist") else value
        )
    np.testing.assert_array_equal(again.predict_joint_log_proba(X), nb.predict_joint_log_proba(X))
    assert again.predict(X).tolist() == nb.predict(X).tolist()
    assert again.classes_.dtype == nb.classes_.dtype
    assert again.feature_names_in_.tolist() == nb.feature_names_in_.tolist()
    assert again.n_features_in_ == 4
    assert again.schema_.columns[2].declared == 3
    again.partial_fit(X, Y).forget(X, Y)
    np.testing.assert_allclose(again.predict_proba(X), nb.predict_proba(X))
    first = path.read_bytes()
    candide.load(path).save(path)
    assert path.read_bytes() == first


def test_the_target_column_and_the_schema_are_kept(path: Path) -> None:
    whole = X.assign(kind=Y)
    nb = NaiveBayes(schema=NaiveBayes().fit(X, Y).schema_).fit(whole, "kind")
    nb.save(path)
    again = candide.load(path)
    assert again.predict(whole).tolist() == nb.predict(whole).tolist()
    assert again.score(whole, "kind") == nb.score(whole, "kind")
    assert again.schema.names == nb.schema.names
    assert (again + nb).class_counts_.sum() == 12


@pytest.mark.parametrize(
    "labels",
    [
        [3, 1, 2],
        [True, False, True],
        ["é", "b", "ü"],
        [2**60, 2**60 + 1, -1],
        [1.0, 2.0, 1.0],
        np.array([1, 2, 1], np.uint8),
    ],
    ids=str,
)
def test_labels_keep_value_and_type(labels: Any, path: Path) -> None:
    nb = NaiveBayes().fit([[1.0], [2.0], [3.0]], labels)
    nb.save(path)
    again = candide.load(path)
    assert again.classes_.tolist() == nb.classes_.tolist()
    assert again.classes_.dtype == nb.classes_.dtype
    assert again.predict([[2.0]]).tolist() == nb.predict([[2.0]]).tolist()


def test_levels_keep_value_and_type(path: Path) -> None:
    levels = ["1", "x", "é", ""]
    table = pd.DataFrame(
        {"a": pd.Series(levels, dtype=object), "b": [True, False, None, True], "c": [1.5, 2.0, 0.1, 1e300]}
    )
    nb = NaiveBayes(distributions={"c": "categorical"}).fit(table, list("pqpq"))
    nb.save(path)
    for a, b in zip(nb.schema_.columns, candide.load(path).schema_.columns, strict=True):
        assert a.levels.tolist() == b.levels.tolist()
        assert [type(v) for v in a.levels.tolist()] == [type(v) for v in b.levels.tolist()]


def test_counts_stay_integers_and_a_frozen_grid_stays_frozen(path: Path) -> None:
    x = np.random.default_rng(0).normal(size=(11_000, 1))
    nb = NaiveBayes(distributions="bins").fit(x, np.arange(11_000) % 2)
    nb.save(path)
    again = candide.load(path)
    assert again.statistics_.cells.table.dtype.kind == "i"
    assert again.schema_.columns[0].frozen
    assert (again + nb).class_counts_.sum() == 22_000


def test_the_file_is_plain_json(nb: NaiveBayes, path: Path) -> None:
    nb.save(path)
    content = json.loads(path.read_text(encoding="utf-8"))
    assert content["format"] == "candide.model"
    assert isinstance(content["version"], int)
    assert len(content["sha256"]) == 64
    assert "NaN" not in path.read_text()
    assert "Infinity" not in path.read_text()


def test_paths_may_be_text_and_relative(nb: NaiveBayes, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    nb.save("here.json")
    assert candide.load("here.json").predict(X).tolist() == nb.predict(X).tolist()
    assert [p.name for p in path.parent.iterdir()] == ["here.json"]


def test_a_model_must_be_fitted_to_be_saved(path: Path) -> None:
    with pytest.raises(ValueError, match="not fitted"):
        NaiveBayes().save(path)
    assert not path.exists()


def test_what_cannot_be_saved_is_an_error_that_leaves_the_old_file(nb: NaiveBayes, path: Path) -> None:
    nb.save(path)
    before = path.read_bytes()
    nb.set_params(costs=object())
    with pytest.raises(TypeError, match="cannot be saved"):
        nb.save(path)
    assert path.read_bytes() == before


def test_files_of_earlier_releases_are_read() -> None:
    nb = candide.load(Path(__file__).parent / "models" / "version1.json")
    with (Path(__file__).parent / "models" / "version1.expected.json").open() as file:
        expected = json.load(file)
    np.testing.assert_allclose(nb.predict_proba(X), expected, rtol=1e-12)
    nb.partial_fit(X, Y)


# -- a crash leaves the old file whole -------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["os.fsync", "pathlib.Path.replace", "os.fchmod"])
def test_a_failure_while_writing_leaves_the_old_file_and_no_litter(
    where: str, nb: NaiveBayes, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nb.save(path)
    before = path.read_bytes()

    def fail(*_: object, **__: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(where, fail)
    with pytest.raises(OSError, match="no space"):
        nb.partial_fit(X, Y).save(path)
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_a_killed_process_leaves_the_old_file_whole(nb: NaiveBayes, path: Path) -> None:
    nb.save(path)
    before = path.read_bytes()
    code = f"""
import os, candide
nb = candide.load({str(path)!r})
os.fsync = lambda handle: os._exit(9)
(nb + nb).save({str(path)!r})
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 9
    assert path.read_bytes() == before
    candide.load(path)


def test_a_new_file_has_the_permissions_of_any_new_file(nb: NaiveBayes, path: Path) -> None:
    nb.save(path)
    other = path.with_name("other")
    other.write_text("")
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(other.stat().st_mode)


def test_saving_through_a_link_replaces_the_model_and_keeps_the_link_and_the_mode(nb: NaiveBayes, path: Path) -> None:
    path.touch(mode=0o600)
    path.with_name("link").symlink_to(path)
    nb.save(path.with_name("link"))
    assert path.with_name("link").is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (candide.load(path).predict(X) == nb.predict(X)).all()


def test_saving_to_a_fifo_writes_into_it(nb: NaiveBayes, path: Path) -> None:
    os.mkfifo(path)
    heard: list[bytes] = []
    reader = threading.Thread(target=lambda: heard.append(path.read_bytes()))
    reader.start()
    nb.save(path)
    reader.join()
    assert stat.S_ISFIFO(path.stat().st_mode)
    assert json.loads(heard[0])["format"] == "candide.model"


# -- damaged, foreign and newer files --------------------------------------------------------------------------------


def test_every_truncation_is_an_error(nb: NaiveBayes, path: Path) -> None:
    nb.save(path)
    whole = path.read_bytes()
    for length in [*range(0, len(whole) - 2, 97), len(whole) - 3]:
        path.write_bytes(whole[:length])
        with pytest.raises(ModelFileError):
            candide.load(path)


def test_every_changed_digit_is_an_error(nb: NaiveBayes, path: Path) -> None:
    nb.save(path)
    whole = path.read_text()
    start = whole.index('"model"')
    places = [i for i in range(start, len(whole)) if whole[i].isdigit()]
    for i in places[:: max(1, len(places) // 60)]:
        other = "7" if whole[i] != "7" else "3"
        path.write_text(whole[:i] + other + whole[i + 1 :])
        with pytest.raises(ModelFileError):
            candide.load(path)


FOREIGN = {
    "empty": b"",
    "binary": bytes(range(256)),
    "text": b"hello",
    "json of another kind": b'{"a": 1}',
    "a list": b"[1, 2, 3]",
    "a number": b"12",
    "deeply nested": b"[" * 100_000,
    "an enormous number": b'{"format": "candide.model", "version": 1, "model": {"a": ' + b"9" * 5000 + b"}}",
    "not a number": b'{"format": "candide.model", "version": 1, "sha256": "", "model": {"a": NaN}}',
    "no payload": b'{"format": "candide.model", "version": 1, "sha256": ""}',
    "a list for a payload": b'{"format": "candide.model", "version": 1, "sha256": "", "model": []}',
}


@pytest.mark.parametrize("name", FOREIGN)
def test_foreign_files_are_errors(name: str, path: Path) -> None:
    path.write_bytes(FOREIGN[name])
    with pytest.raises(ModelFileError, match=r"model\.json"):
        candide.load(path)


@pytest.mark.parametrize("version", [0, 2, 99, "1", None])
def test_other_versions_are_errors_that_say_so(version: object, nb: NaiveBayes, path: Path) -> None:
    nb.save(path)
    content = json.loads(path.read_text())
    content["version"] = version
    path.write_text(json.dumps(content))
    with pytest.raises(ModelFileError, match="version"):
        candide.load(path)


def test_a_missing_file_is_the_systems_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        candide.load(tmp_path / "none.json")


@pytest.mark.parametrize(
    "change",
    [
        lambda m: m.pop("statistics"),
        lambda m: m.pop("schema"),
        lambda m: m.update(params={"smoothing": {"rule": "Lidstone"}}),
        lambda m: m.update(params={"nonsense": 1}),
        lambda m: m["schema"].pop("classes"),
        lambda m: m["schema"].update(columns=[]),
        lambda m: m["statistics"]["classes"].update(data=[1, 2]),
        lambda m: m["statistics"]["cells"].update(shape=[1, 1], data=[4]),
        lambda m: m["schema"]["classes"].update(dtype="O"),
        lambda m: m.update(params={"smoothing": {"strange": 1}}),
    ],
    ids=range(10),
)
def test_a_sealed_file_of_the_wrong_form_is_an_error(change: Any, nb: NaiveBayes, path: Path) -> None:
    nb.save(path)
    rewrite(path, change)
    with pytest.raises(ModelFileError, match=r"model\.json"):
        candide.load(path)


# -- nothing is executed ---------------------------------------------------------------------------------------------


class Bomb:
    def __reduce__(self) -> tuple[Any, tuple[str, ...]]:
        return (os.system, ("touch /tmp/candide_bomb",))


def test_a_pickle_is_refused_unread(path: Path) -> None:
    Path("/tmp/candide_bomb").unlink(missing_ok=True)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        path.write_bytes(pickle.dumps(Bomb(), protocol))
        with pytest.raises(ModelFileError):
            candide.load(path)
    assert not Path("/tmp/candide_bomb").exists()


@pytest.mark.parametrize("name", ["os.system", "system", "Popen", "NaiveBayes", "object", "eval", "__import__", "Rule"])
def test_only_rules_are_made_from_names(name: str, nb: NaiveBayes, path: Path) -> None:
    nb.save(path)
    rewrite(
        path, lambda m: m["params"].update(smoothing={"rule": name, "params": {"command": "touch /tmp/candide_bomb"}})
    )
    with pytest.raises(ModelFileError):
        candide.load(path)
    rewrite(path, lambda m: m.update(estimator=name))
    with pytest.raises(ModelFileError):
        candide.load(path)


def test_a_rule_of_the_wrong_kind_is_refused_when_used(nb: NaiveBayes, path: Path) -> None:
    nb.save(path)
    rewrite(path, lambda m: m["params"].update(smoothing=encode(Product())))
    with pytest.raises((ModelFileError, TypeError)):
        candide.load(path).predict(X)


# -- rules -----------------------------------------------------------------------------------------------------------


class HalfCount(Smoothing):
    """A rule of a user: half a count for everything."""

    def __init__(self, share: float = 0.5) -> None:
        self.share = share

    def class_pseudo(self, domain: Any) -> Any:
        return np.full(len(domain.classes), self.share)

    def value_pseudo(self, domain: Any, cells: Any, marginal: Any, total: Any) -> Any:
        return np.full((len(cells), 1), self.share)

    def value_mass(self, domain: Any, attributes: Any, total: Any) -> Any:
        return self.share * domain.sizes[attributes][:, None]


def test_a_rule_of_ones_own_is_kept_while_it_is_defined(path: Path) -> None:
    nb = NaiveBayes(smoothing=HalfCount(0.25)).fit(X, Y)
    nb.save(path)
    again = candide.load(path)
    assert again.smoothing == HalfCount(0.25)
    np.testing.assert_array_equal(again.predict_proba(X), nb.predict_proba(X))
    np.testing.assert_allclose(
        nb.predict_proba(X), NaiveBayes(smoothing=Lidstone(0.25, 0.25)).fit(X, Y).predict_proba(X), rtol=1e-12
    )
    rewrite(path, lambda m: m["params"]["smoothing"].update(rule="QuarterCount"))
    with pytest.raises(ModelFileError, match="'QuarterCount', which is not defined here: import it"):
        candide.load(path)


def test_names_of_rules_are_unique() -> None:
    found: dict[str, type[Rule]] = {}
    todo = list(Rule.__subclasses__())
    while todo:
        rule = todo.pop()
        todo += rule.__subclasses__()
        if rule.__module__.startswith("candide."):
            assert found.setdefault(rule.__name__, rule) is rule
    assert len(found) > 20


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        3,
        2.5,
        "x",
        float("inf"),
        [1, [2, "a"]],
        (1, (2,)),
        {"a": {1: 2.0}},
        {True: [None]},
        Lidstone(0.1),
        {"float": 1},
    ],
    ids=str,
)
def test_parameters_survive_json(value: object) -> None:
    again = decode(json.loads(json.dumps(encode(value), allow_nan=False)))
    assert again == value
    assert type(again) is type(value)


def test_not_a_number_survives_json() -> None:
    assert np.isnan(decode(json.loads(json.dumps(encode(float("nan")), allow_nan=False))))


def test_pickle_keeps_a_model_and_its_learning(nb: NaiveBayes) -> None:
    again = pickle.loads(pickle.dumps(nb))
    np.testing.assert_array_equal(again.predict_proba(X), nb.predict_proba(X))
    assert again.partial_fit(X, Y).class_counts_.sum() == 12
    assert nb.class_counts_.sum() == 6


def test_the_payload_is_checked_before_it_is_used(nb: NaiveBayes, path: Path) -> None:
    nb.save(path)
    rewrite(path, lambda m: m["statistics"]["classes"].update(data=[9, 9, 9]), seal=False)
    with pytest.raises(ModelFileError, match="damaged: its checksum"):
        persistence.read(path)
