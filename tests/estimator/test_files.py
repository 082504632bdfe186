"""Model files: whole or an error, never a wrong model, never code."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import stat
import subprocess
import sys
import threading
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from tests import laws
from tests.estimator.format.sealed import X, Y, payload, rewrite
from tests.strategies import cases

import candide
from candide import NaiveBayes
from candide.combination import Outlier
from candide.discretizers import Cuts, EqualWidth
from candide.distributions import Bins, Categorical
from candide.estimator import files
from candide.estimator.files import ModelFileError
from candide.smoothing import Dirichlet, Lidstone, NaiveDistribution


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "model.json"


@pytest.fixture
def nb() -> NaiveBayes:
    return NaiveBayes(distributions={"weight": "normal", "wheels": "categorical"}).fit(X, Y)


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
    {"smoothing": "auto", "distributions": {"weight": "kde", "wheels": "mixture"}},
    {"distributions": {"weight": "gamma", "wheels": "multinomial"}},
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
    np.testing.assert_allclose(again.predict_joint_log_proba(X), nb.predict_joint_log_proba(X), rtol=1e-12)
    assert again.predict(X).tolist() == nb.predict(X).tolist()
    assert again.classes_.dtype == nb.classes_.dtype
    assert again.feature_names_in_.tolist() == nb.feature_names_in_.tolist()
    assert again.n_features_in_ == 4
    again.partial_fit(X, Y).forget(X, Y)
    np.testing.assert_allclose(again.predict_proba(X), nb.predict_proba(X))
    first = path.read_bytes()
    candide.load(path).save(path)
    assert path.read_bytes() == first


@pytest.mark.parametrize("params", PARAMS, ids=",".join)
def test_what_the_schema_shows_is_kept(params: dict[str, Any], path: Path) -> None:
    nb = NaiveBayes(**params).fit(X.assign(kind=Y), "kind")
    nb.save(path)
    again = candide.load(path)
    laws.same_schema(laws.learnt(nb), laws.learnt(again))
    laws.same_statistics(laws.learnt(nb), laws.learnt(again))
    assert again.schema_.target == "kind"
    assert again.schema_.groups == nb.schema_.groups
    assert again.schema_.choices == nb.schema_.choices
    for name in nb.schema_.names:
        assert again.schema_.score(name) == nb.schema_.score(name)
    assert again.schema_.settled.smoothing == nb.schema_.settled.smoothing
    assert again.schema_.settled.in_words(tuple(X)) == nb.schema_.settled.in_words(tuple(X))


def test_the_schema_that_was_given_is_kept_with_its_choices_and_scores(path: Path) -> None:
    whole = X.assign(kind=Y)
    params: dict[str, Any] = {"groups": [["energy", "colour"]], "missing": "level"}
    given = NaiveBayes(**params).fit(X, Y).schema_
    nb = NaiveBayes(schema=given, **params).fit(whole.iloc[:4], "kind")
    nb.save(path)
    again = candide.load(path)
    assert again.predict(whole).tolist() == nb.predict(whole).tolist()
    assert again.score(whole, "kind") == nb.score(whole, "kind")
    for one, other in ((again.schema, given), (again.schema_, nb.schema_)):
        assert one.choices == other.choices
        assert [one.score(name) for name in one.names] == [other.score(name) for name in one.names]
        for mine, theirs in zip(one.columns, other.columns, strict=True):
            assert (mine.missing, mine.declared) == (theirs.missing, theirs.declared)
            np.testing.assert_array_equal(mine.axis.stays, theirs.axis.stays)
        np.testing.assert_array_equal(one.combinations[0].stays, other.combinations[0].stays)
    laws.same_schema(laws.learnt(nb), laws.learnt(again))
    assert (again + nb).class_counts_.sum() == 8
    assert NaiveBayes(schema=again.schema_, **params).fit(X, Y).schema_.names == list(X)


@pytest.mark.parametrize(
    "labels",
    [
        [3, 1, 2],
        [True, False, True],
        ["é", "b", "ü"],
        ["\ud800", "b", ""],
        [2**60, 2**60 + 1, -1],
        [2**53, 2**53 + 1, 2**53 + 2],
        [2**70, 2**70 + 1, -(2**80)],
        [1.0, 2.0, 1.0],
        np.array([1, 2, 1], np.uint8),
        np.array([2**63, 2**63 + 1, 5], np.uint64),
        np.array([1, 2, 1], np.float32),
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
    table = pd.DataFrame(
        {
            "a": pd.Series(["1", "x", "é", ""], dtype=object),
            "b": [True, False, None, True],
            "c": [1.5, 2.0, 0.1, 1e300],
            "d": [2**60, 2**60 + 1, -5, 0],
            "e": pd.Series(["\udfff", "𝒩", "a\nb", '"}'], dtype=object),
        }
    )
    nb = NaiveBayes(distributions={"c": "categorical", "d": "categorical"}).fit(table, list("pqpq"))
    nb.save(path)
    for a, b in zip(nb.schema_.columns, candide.load(path).schema_.columns, strict=True):
        assert a.levels.tolist() == b.levels.tolist()
        assert [type(v) for v in a.levels.tolist()] == [type(v) for v in b.levels.tolist()]


def test_many_values_are_written_compactly_and_kept_to_the_last_bit(path: Path) -> None:
    x = np.random.default_rng(0).normal(size=(11_000, 1))
    x[0] = -0.0
    nb = NaiveBayes(distributions="bins").fit(x, np.arange(11_000) % 2)
    nb.save(path)
    again = candide.load(path)
    assert again.statistics_["cells"].table.dtype.kind == "i"
    assert again.schema_.columns[0].axis.values.tobytes() == nb.schema_.columns[0].axis.values.tobytes()
    laws.same_model(nb, again, x)
    assert (again + nb).class_counts_.sum() == 22_000
    assert path.stat().st_size < 10 * len(nb.schema_.columns[0].levels)


def test_whole_weights_stay_whole_and_broken_ones_broken(path: Path) -> None:
    for weight, kind in (([1, 2, 3, 1, 2, 3], "i"), ([0.1, 0.2, 0.7, 1, 1, 1], "f")):
        nb = NaiveBayes(distributions={"weight": "normal"}).fit(X, Y, sample_weight=weight)
        nb.save(path)
        again = candide.load(path)
        for part in ("classes", "cells", "moments"):
            assert again.statistics_[part].weight.dtype.kind == kind
            assert again.statistics_[part].weight.tolist() == nb.statistics_[part].weight.tolist()


def test_a_model_that_has_forgotten_everything_is_kept(nb: NaiveBayes, path: Path) -> None:
    nb.forget(X, Y).save(path)
    again = candide.load(path)
    assert len(again.classes_) == 0
    again.partial_fit(X, Y)
    np.testing.assert_allclose(again.predict_proba(X), NaiveBayes(nb.distributions).fit(X, Y).predict_proba(X))


@given(st.data())
def test_whatever_was_learnt_and_forgotten_is_kept(data: st.DataObject) -> None:
    case = data.draw(cases(min_rows=2))
    discrete = [name for name, kind in case.distributions.items() if kind in {"categorical", "bins"}]
    groups = [discrete] if len(discrete) > 1 and data.draw(st.booleans()) else None
    params = {"distributions": case.distributions, "missing": data.draw(st.sampled_from(["ignore", "level"]))}
    nb = NaiveBayes(**params, groups=groups).fit(case.X, case.y, case.weight)
    rows = case.rows(np.arange(len(case) // 2))
    change = data.draw(st.sampled_from(["nothing", "forget", "add", "scale", "schema", "classes"]))
    if change == "forget" and (rows.weight is None or rows.weight.any()):
        nb.forget(rows.X, rows.y, rows.weight)
    elif change == "add":
        nb = nb + clone(nb).fit(rows.X, rows.y) + 0.3 * nb
    elif change == "scale":
        nb = 0.7 * nb
    elif change == "schema" and len(rows):
        nb = NaiveBayes(**params, groups=groups, schema=nb.schema_).fit(rows.X, rows.y)
    elif change == "classes":
        nb.partial_fit(rows.X, rows.y, classes=["maybe", "never", "no", "yes"])
    with TemporaryDirectory() as folder:
        path = Path(folder, "model.json")
        nb.save(path)
        again, first = candide.load(path), path.read_bytes()
        again.save(path)
        assert path.read_bytes() == first
    if len(nb.classes_):
        laws.same_model(nb, again, case.X)


# -- what was settled ------------------------------------------------------------------------------------------------


@pytest.fixture
def choosing(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list of what was chosen automatically since it was made."""
    heard: list[str] = []
    for module, function in (("distributions", "choose"), ("smoothing", "choose_smoothing")):
        where = f"candide.{module}.automatic.{function}"
        original = getattr(sys.modules[f"candide.{module}.automatic"], function)
        monkeypatch.setattr(where, lambda *a, f=original, name=function: heard.append(name) or f(*a))
    return heard


@pytest.mark.parametrize("way", ["file", "pickle"])
def test_what_was_settled_is_not_chosen_again(way: str, path: Path, choosing: list[str]) -> None:
    nb = NaiveBayes(smoothing="auto").fit(X, Y)
    assert set(choosing) == {"choose", "choose_smoothing"}
    choosing.clear()
    if way == "file":
        nb.save(path)
        again = candide.load(path)
    else:
        again = pickle.loads(pickle.dumps(nb))
    np.testing.assert_array_equal(again.predict_proba(X), nb.predict_proba(X))
    assert again.schema_.score("weight") == nb.schema_.score("weight")
    assert not choosing
    again.partial_fit(X, Y).predict(X)
    assert choosing


def test_what_was_settled_under_other_parameters_is_settled_anew(path: Path) -> None:
    nb = NaiveBayes().fit(X, Y).set_params(smoothing="none", distributions="equal-width(2)")
    nb.save(path)
    assert payload(path)["schema"]["settled"]["smoothing"]["rule"] == "candide.smoothing.Frequencies"
    again = candide.load(path)
    assert again.schema_.choice("weight") == nb.schema_.choice("weight") == Bins(Cuts([4.6]))
    np.testing.assert_allclose(again.predict_proba(X), nb.predict_proba(X), rtol=1e-12)


def test_what_was_learnt_is_kept_where_nothing_can_be_settled(nb: NaiveBayes, path: Path) -> None:
    nb.set_params(distributions={"weight": "kde", "wheels": "categorical"}).save(path)
    assert payload(path)["schema"]["settled"] is None
    again = candide.load(path)
    with pytest.raises(ValueError, match="column 'weight' was kept as moments, which does not hold its values: refit"):
        again.predict(X)
    again.set_params(distributions={"weight": "normal", "wheels": "categorical"})
    assert again.predict(X).tolist() == nb.set_params(distributions=again.distributions).predict(X).tolist()


def test_pickle_keeps_a_model_and_its_learning(nb: NaiveBayes) -> None:
    again = pickle.loads(pickle.dumps(nb))
    np.testing.assert_array_equal(again.predict_proba(X), nb.predict_proba(X))
    assert again.partial_fit(X, Y).class_counts_.sum() == 12
    assert nb.class_counts_.sum() == 6


# -- the text --------------------------------------------------------------------------------------------------------


def test_the_file_is_plain_json_under_a_checksum_of_its_bytes(nb: NaiveBayes, path: Path) -> None:
    nb.save(path)
    content = json.loads(path.read_text(encoding="utf-8"))
    assert list(content) == ["format", "version", "sha256", "model"]
    assert (content["format"], content["version"]) == ("candide.model", 2)
    rest = path.read_bytes().partition(b"\n")[2]
    assert content["sha256"] == hashlib.sha256(rest).hexdigest()
    assert list(content["model"]) == ["estimator", "made", "parameters", "given", "schema", "statistics"]
    assert content["model"]["statistics"]["moments"]["axes"] == ["classes", "columns of moments"]


def test_two_files_differ_in_the_lines_of_the_columns_that_differ(path: Path) -> None:
    other = X.assign(energy=["petrol", "petrol", "diesel", "steam", "diesel", "petrol"])
    lines = []
    for table in (X, other):
        NaiveBayes({"weight": "normal", "wheels": "categorical"}).fit(table, Y).save(path)
        lines.append(path.read_text().splitlines()[1:])
    assert len(lines[0]) == len(lines[1])
    differing = [b for a, b in zip(*lines, strict=True) if a != b]
    assert len(differing) == 2  # its levels, and their counts
    assert all('"energy"' in line for line in differing)


def test_paths_may_be_text_and_relative(nb: NaiveBayes, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    nb.save("here.json")
    assert candide.load("here.json").predict(X).tolist() == nb.predict(X).tolist()
    assert [p.name for p in path.parent.iterdir()] == ["here.json"]


# -- what cannot be saved --------------------------------------------------------------------------------------------


def test_a_model_must_be_fitted_to_be_saved(path: Path) -> None:
    with pytest.raises(ValueError, match="not fitted"):
        NaiveBayes().save(path)
    assert not path.exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"costs": object()}, "object object .* of type object cannot be saved"),
        ({"smoothing": "laplaace"}, "smoothing='laplaace' is not known"),
        ({"distributions": {"height": "normal"}}, "there is no column 'height'"),
        ({"distributions": Bins(EqualWidth(10**9))}, "cannot be saved: .* a file holds 0 to 100,000"),
        ({"distributions": "equal-width(1000000000)"}, "cannot be saved: .* a file holds 0 to 100,000"),
    ],
    ids=["object", "smoothing", "column", "bins", "bins by name"],
)
def test_what_cannot_be_saved_is_an_error_that_leaves_the_old_file(
    change: dict[str, Any], message: str, nb: NaiveBayes, path: Path
) -> None:
    nb.save(path)
    before = path.read_bytes()
    nb.set_params(**change)
    with pytest.raises((TypeError, ValueError), match=message):
        nb.save(path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


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
    for length in [*range(0, len(whole) - 2, 97), len(whole) - 3, len(whole) - 1]:
        path.write_bytes(whole[:length])
        with pytest.raises(ModelFileError):
            candide.load(path)


def test_every_changed_byte_is_an_error(nb: NaiveBayes, path: Path) -> None:
    nb.save(path)
    whole = path.read_bytes()
    start = whole.index(b"\n") + 1
    for i in range(start, len(whole), max(1, len(whole) // 200)):
        path.write_bytes(whole[:i] + bytes([whole[i] ^ 1]) + whole[i + 1 :])
        with pytest.raises(ModelFileError, match="damaged"):
            candide.load(path)


@pytest.mark.parametrize("more", [b"x", b"{}", b"\n", b"\0"])
def test_nothing_stands_behind_a_model(more: bytes, nb: NaiveBayes, path: Path) -> None:
    nb.save(path)
    path.write_bytes(path.read_bytes() + more)
    with pytest.raises(ModelFileError, match="damaged"):
        candide.load(path)


def test_a_file_laid_out_anew_is_an_error_that_says_so(nb: NaiveBayes, path: Path) -> None:
    nb.save(path)
    path.write_text(json.dumps(json.loads(path.read_text()), indent=2))
    with pytest.raises(ModelFileError, match="laid out anew since it was saved"):
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
    "another encoding": '{"format": "candide.model"}'.encode("utf-16"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_foreign_files_are_errors(name: str, path: Path) -> None:
    path.write_bytes(FOREIGN[name])
    with pytest.raises(ModelFileError, match=r"model\.json"):
        candide.load(path)


@pytest.mark.parametrize("version", [0, 3, 99, "1", "2", None, True, 1.0, 2.0, [2], 10**30])
def test_other_versions_are_errors_that_say_so(version: object, nb: NaiveBayes, path: Path) -> None:
    nb.save(path)
    text = path.read_text()
    path.write_text(text.replace('"version": 2', f'"version": {json.dumps(version)}', 1))
    with pytest.raises(ModelFileError, match=r"version .*; this release reads versions 1 and 2"):
        candide.load(path)


def test_a_key_that_stands_twice_is_an_error(nb: NaiveBayes, path: Path) -> None:
    nb.save(path)
    text = path.read_text().partition("\n")[2].replace('"target": null', '"target": null, "target": null')
    path.write_bytes(files.seal("{\n" + text.removesuffix("}\n")))
    with pytest.raises(ModelFileError, match="the key 'target' stands twice"):
        candide.load(path)


def test_a_missing_file_is_the_systems_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        candide.load(tmp_path / "none.json")


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


@pytest.mark.parametrize(
    "name",
    ["os.system", "subprocess.Popen", "candide.NaiveBayes", "builtins.object", "this.Laplace", "candide.rules.Rule"],
)
def test_only_rules_are_made_from_names_and_nothing_is_imported(name: str, nb: NaiveBayes, path: Path) -> None:
    nb.save(path)
    rule = {"rule": name, "params": {"command": "touch /tmp/candide_bomb"}}
    rewrite(path, lambda m: m["parameters"].update(smoothing=rule))
    with pytest.raises(ModelFileError, match="which is not defined here: import its module before loading"):
        candide.load(path)
    rewrite(path, lambda m: m.update(estimator="this.Model"))
    with pytest.raises(ModelFileError, match=r"names the estimator 'this\.Model', which is not defined here"):
        candide.load(path)
    assert "this" not in sys.modules


@pytest.mark.parametrize("wrong", [{"prior": [0.5, 0.6]}, {"smoothing": Dirichlet(1, {"nothing": 1})}])
def test_rules_that_are_wrong_in_themselves_are_not_saved(nb: NaiveBayes, path: Path, wrong: dict[str, Any]) -> None:
    nb.save(path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match=r"prior|says nothing of"):
        nb.set_params(**wrong).save(path)
    assert path.read_bytes() == before


# -- tables are kept -------------------------------------------------------------------------------------------------


class TestTablesAreKept:
    """Nothing that is made of a model is written over the tables that it was learnt from."""

    @pytest.fixture
    def table(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.chdir(tmp_path)
        table = tmp_path / "tables" / "t.csv"
        table.parent.mkdir()
        table.write_text("power,desk\n5,bike\n9,bike\n100,car\n90,car\n")
        (tmp_path / "link.csv").symlink_to(table)
        (tmp_path / "hard.csv").hardlink_to(table)
        return table

    @pytest.mark.parametrize("given", ["tables/t.csv", "tables", "tables/*.csv", ["tables/t.csv"], Path("link.csv")])
    @pytest.mark.parametrize("name", ["tables/t.csv", "link.csv", "hard.csv"])
    def test_by_a_model(self, table, given, name):
        before = table.read_bytes()
        nb = NaiveBayes().fit(given, "desk")
        for write in (nb.save, nb.to_onnx, nb.to_pmml, nb.report().save):
            with pytest.raises(ValueError, match=r"is a table that was read, and the .* would overwrite it"):
                write(name)
        assert table.read_bytes() == before
        nb.save("model.json")

    def test_when_it_learns_more_and_from_elsewhere(self, table, monkeypatch):
        nb = NaiveBayes().partial_fit("tables/t.csv", "desk")
        monkeypatch.chdir(table.parent)
        with pytest.raises(ValueError, match="would overwrite"):
            nb.save("t.csv")

    @pytest.mark.parametrize("given", ["tables/t.csv", "tables", "tables/*.csv"])
    def test_by_what_is_made_of_a_model_that_was_loaded(self, table, given):
        NaiveBayes("normal").fit(given, "desk").save("model.json")
        nb, other = candide.load("model.json"), NaiveBayes("normal").fit(pd.read_csv(table), "desk")
        for made in (nb, nb + other, other + nb, nb - other, nb * 2, nb.slim(), nb.privatize(1.0, {"power": (0, 100)})):
            with pytest.raises(ValueError, match="would overwrite"):
                made.save("link.csv")

    def test_by_a_sum_of_models(self, table):
        nb, other = (NaiveBayes("normal").fit(rows, "desk") for rows in ("tables/t.csv", pd.read_csv(table)))
        for total in (nb + other, other + nb, sum([nb, other]), nb * 2):
            with pytest.raises(ValueError, match="would overwrite"):
                total.save("link.csv")

    @pytest.mark.parametrize("scale", [1, 2])
    def test_by_a_sum_of_models_once_it_was_loaded(self, table, scale):
        second = table.with_name("second.csv")
        second.write_bytes(table.read_bytes())
        one, other = (NaiveBayes("normal").fit(f"tables/{name}.csv", "desk") for name in ("t", "second"))
        (scale * (one + other)).save("model.json")
        for name in ("hard.csv", "tables/second.csv"):
            with pytest.raises(ValueError, match="would overwrite"):
                candide.load("model.json").save(name)

    def test_by_a_model_that_was_taught_more_once_it_was_loaded(self, table):
        second = table.with_name("second.csv")
        second.write_bytes(table.read_bytes())
        nb = NaiveBayes("normal").fit(["tables/t.csv"], "desk").partial_fit("tables/second.csv", "desk")
        nb.save("model.json")
        assert candide.load("model.json").told_ == {"tables": ["tables/t.csv", "tables/second.csv"]}
        nb.forget("tables/second.csv", "desk").partial_fit(pd.read_csv(table), "desk").save("model.json")
        for name in ("hard.csv", "tables/second.csv"):
            with pytest.raises(ValueError, match="would overwrite"):
                candide.load("model.json").save(name)

    def test_of_many_the_latest(self, table, monkeypatch):
        monkeypatch.setattr("candide.estimator.learnt_from.MOST", 3)
        nb = NaiveBayes("normal")
        for day in range(5):
            table.with_name(f"{day}.csv").write_bytes(table.read_bytes())
            nb.partial_fit(f"tables/{day}.csv", "desk")
        assert nb.told_["tables"] == ["tables/2.csv", "tables/3.csv", "tables/4.csv"]

    def test_an_evaluation_is_of_the_rows_that_were_learnt(self, table):
        nb = NaiveBayes("normal").fit("tables/t.csv", "desk")
        nb.told_ = {**nb.told_, "evaluation": {"rows": 4, "accuracy": 1.0}}
        nb.partial_fit(pd.read_csv(table), "desk")
        assert nb.told_ == {"source": "tables/t.csv"}

    def test_once_it_was_loaded(self, table):
        NaiveBayes().fit("tables/t.csv", "desk").save("model.json")
        with pytest.raises(ValueError, match="would overwrite"):
            candide.load("model.json").save("hard.csv")
        candide.load("model.json").save("model.json")
        assert table.read_text().startswith("power")

    def test_by_a_report_of_other_rows(self, table):
        nb = NaiveBayes().fit(pd.read_csv(table), "desk")
        with pytest.raises(ValueError, match="the report would overwrite"):
            nb.report("tables/t.csv", "desk").save("link.csv")
