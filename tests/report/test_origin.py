"""What a reader needs to cite a page: the release, the day, the data and the model, whenever it was saved."""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import candide
from candide import NaiveBayes, TunedNB
from candide.report import facts
from candide.report.origin import CITED
from candide.text import TextNB

ROWS = 400
RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "a": RNG.choice(list("zxy"), ROWS),
        "x": RNG.normal(size=ROWS),
        "k": RNG.integers(0, 9, ROWS),
        "y": RNG.choice(["no", "yes"], ROWS),
    }
)


@pytest.fixture(autouse=True)
def day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")


def hashes(model: object) -> tuple[str, str]:
    told = facts(model)
    return told["data"], told["checksum"]


def test_the_same_rows_have_the_same_hash_in_any_order_and_any_number_of_parts() -> None:
    whole = NaiveBayes().fit(FRAME, "y")
    mixed = NaiveBayes().fit(FRAME.sample(frac=1, random_state=1), "y")
    parts = [NaiveBayes().fit(part, "y") for part in (FRAME[:150], FRAME[150:])]
    assert hashes(mixed) == hashes(whole) == hashes(parts[0] + parts[1])


@pytest.mark.parametrize(
    "other",
    [
        FRAME[1:],
        FRAME.assign(a=FRAME["a"].replace({"z": "w"})),
        FRAME.assign(k=FRAME["k"] + 1),
        FRAME.rename(columns={"a": "b"}),
        FRAME.assign(y=FRAME["y"].replace({"no": "nay"})),
    ],
    ids=["a row less", "another level", "another number", "another name", "another label"],
)
def test_other_rows_have_another_hash(other: pd.DataFrame) -> None:
    data, checksum = hashes(NaiveBayes().fit(FRAME, "y"))
    assert not {data, checksum} & set(hashes(NaiveBayes().fit(other, "y")))


def test_other_rules_of_the_same_rows_are_another_model_of_the_same_data() -> None:
    nb, other = (NaiveBayes(smoothing=rule).fit(FRAME, "y") for rule in ("laplace", "none"))
    assert hashes(nb)[0] == hashes(other)[0]
    assert hashes(nb)[1] != hashes(other)[1]


@pytest.mark.parametrize("make", [NaiveBayes, TunedNB])
def test_a_model_that_was_saved_on_another_day_has_the_same_hashes(make: type[NaiveBayes], tmp_path: Path) -> None:
    nb = make().fit(FRAME, "y")
    nb.save(tmp_path / "model.json")
    again = candide.load(tmp_path / "model.json")
    again.told_ = {"source": "somewhere/else.csv"}
    assert hashes(again) == hashes(nb)


def test_the_page_says_release_day_source_data_model_and_citation(tmp_path: Path) -> None:
    FRAME.to_csv(tmp_path / "requests.csv", index=False)
    report = NaiveBayes().fit(tmp_path / "requests.csv", "y").report()
    words = re.sub("<[^>]*>", "", report.html)
    told = report.facts
    assert f"Made by candide {version('candide')} on 2023-11-14, from a model of requests.csv." in words
    assert str(tmp_path) not in report.html
    assert f"Data {told['data']}" in words
    assert f"Model {told['checksum']}" in words
    assert f"Cite: {CITED.format(version('candide'))}" in words


def test_a_model_that_no_file_holds_has_a_page_without_hashes() -> None:
    nb = TextNB(tokenizer=str.split).fit(["a b", "c d"], ["x", "y"])
    report = nb.report()
    assert report.facts["data"] is None
    assert "Data <code>" not in report.html
    assert "Cite: " in report.html


def test_the_citation_is_the_one_of_the_file() -> None:
    lines = (Path(__file__).parents[2] / "CITATION.cff").read_text(encoding="utf-8")
    told = dict(re.findall(r"^(?:  - )?(\w+): (.+)$", lines, re.MULTILINE))
    assert CITED.format(told["version"]) == f"{told['name']}: {told['title']}, version {told['version']}. Software."
