"""reproduce writes three files, and the same bytes every time."""

import re
from dataclasses import replace

import pandas as pd
import pytest

import candide
from candide.experiments import indifferent, reproduce, robust, robust_claims, summation, summation_report
from candide.experiments.published import CITATIONS, ROBUST_TABLE

pytestmark = pytest.mark.long

pytest.importorskip("matplotlib", reason="matplotlib is not installed")


@pytest.fixture
def small(monkeypatch):
    """The experiments on what comes with scikit-learn, and small environments."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.setattr(indifferent, "INDIFFERENT_SETS", {"IRIS": "iris", "WINE": "wine"})
    kept = {name: ROBUST_TABLE[name] for name in ("Wine", "Iris")}
    for module in (robust, robust_claims):
        monkeypatch.setattr(module, "ROBUST_TABLE", kept)
    for module in (summation, summation_report):
        monkeypatch.setattr(module, "SUMMATION_MAX_VALUES", (5, 20))
    sizes = {"tree_samples": 200, "testing_samples": 50, "sizes": (10, 18)}
    readings = {n: replace(r, setting=replace(r.setting, **sizes)) for n, r in summation.READINGS.items()}
    monkeypatch.setattr(summation, "READINGS", readings)


# readings × sets × fractions × models × repeats × folds; readings × layouts × maxima × environments × sizes × rules
LINES = {"indifferent": 2 * 2 * 2 * 3 * 2 * 10, "robust": 2 * 2 * 3 * 2 * 10, "summation": 2 * 2 * 2 * 2 * 2 * 2}
CLAIMED = {"indifferent": "Figure 4(a)", "robust": "45 accuracies", "summation": "as accurate as the decision tree"}


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", list(LINES))
def test_the_files_are_written_and_are_the_same_bytes_again(name, tmp_path):
    written = reproduce(name, tmp_path / "a" / "b", repeats=2)
    again = reproduce(name, tmp_path / "again", repeats=2)
    assert [path.name for path in written] == [f"{name}.csv", f"{name}.md", f"{name}.html"]
    for first, second in zip(written, again, strict=True):
        assert first.read_bytes() == second.read_bytes()
    results = pd.read_csv(written[0])
    assert len(results) == LINES[name]
    assert results["reading"].unique().tolist() == ["strict", "paper"]
    text = written[1].read_text()
    assert CLAIMED[name] in text
    assert "| where" in text
    page = written[2].read_text()
    assert 'src="data:image/svg+xml' in page
    for said in (CITATIONS[name].split(":")[0], candide.__version__, "2023-11-14", "seed"):
        assert said in page
    assert (re.search(r"; data [0-9a-f]{16}\.", page) is not None) == (name != "summation")  # whose worlds are drawn


@pytest.mark.usefixtures("small")
def test_one_reading_alone_and_every_one_of_them(tmp_path):
    alone, every = (pd.read_csv(reproduce("robust", tmp_path / r, reading=r, repeats=2)[0]) for r in ("first", "all"))
    assert alone["reading"].unique().tolist() == ["first"]
    assert every["reading"].unique().tolist() == ["strict", "first", "paper"]
    same = every[every["reading"] == "first"].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, same)


@pytest.mark.usefixtures("small")
def test_another_seed_is_another_result(tmp_path):
    first, second = (reproduce("robust", tmp_path / str(seed), seed=seed, repeats=2)[0].read_bytes() for seed in (0, 1))
    assert first != second


@pytest.mark.usefixtures("small")
def test_what_cannot_be_run_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"there is no experiment 'robbust'; did you mean 'robust'\?"):
        reproduce("robbust", tmp_path)
    with pytest.raises(ValueError, match="there is no reading 'strikt'"):
        reproduce("robust", tmp_path, reading="strikt")
    with pytest.raises(ValueError, match="from two draws on"):
        reproduce("robust", tmp_path, repeats=1)
    assert not list(tmp_path.iterdir())
