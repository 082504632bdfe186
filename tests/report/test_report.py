"""A report is saved as a page or as facts, whole or not at all."""

from __future__ import annotations

import json
import re
import webbrowser
from pathlib import Path

import pytest
from tests.report.models import mixed, tables

from candide.report import facts
from candide.report.page.rendering import TOGETHER
from candide.report.page.script import script_of, style_sheet
from candide.structure import TreeAugmentedNB


def test_a_report_is_saved_as_a_page_or_as_its_facts(tmp_path):
    nb, frame = tables()
    report = nb.report(frame)
    report.save(tmp_path / "page.html")
    report.save(tmp_path / "facts.json")
    assert (tmp_path / "page.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    assert json.loads((tmp_path / "facts.json").read_text("utf-8")) == report.facts == facts(nb, frame)
    assert "It names the right class for" in repr(report)


def test_a_report_opens_in_a_browser(monkeypatch):
    shown = []
    monkeypatch.setattr(webbrowser, "open", shown.append)
    path = tables()[0].report().open()
    assert shown == [path.as_uri()]
    assert path.stat().st_size > 10_000


def test_labels_may_be_given_apart():
    nb, frame = tables()
    report = nb.report(frame.drop(columns="fate"), frame["fate"])
    assert report.facts["performance"]["how"] == "learnt"


def test_the_page_keeps_within_its_size():
    nb, frame = mixed()
    script = script_of(nb.report(frame).facts)
    assert 40_000 < len(script.encode()) <= 50_000
    assert len(script.encode()) + len(style_sheet().encode()) <= 60_000
    assert len(nb.report(frame).html.encode()) <= 180_000


@pytest.mark.filterwarnings("ignore:.*identifiers, ignored")
def test_the_page_holds_no_rows():
    nb, frame = tables()
    frame["name"] = [f"passenger {i}" for i in range(len(frame))]
    html = type(nb)(distributions=nb.distributions).fit(frame, "fate").report(frame).html
    assert "passenger 7" not in html


def test_the_same_model_gives_the_same_page():
    nb, frame = mixed()
    assert nb.report(frame).html == nb.report(frame).html


def test_a_nomogram_says_that_columns_together_have_no_scale():
    nb, frame = tables()
    assert TOGETHER not in nb.report(frame).html
    assert TOGETHER in TreeAugmentedNB().fit(frame, "fate").report(frame).html


def test_the_readme_shows_the_page_and_a_nomogram():
    root = Path(__file__).parents[2]
    shown = re.findall(r"!\[[^]]+\]\(([^)]+)\)", "".join((root / "README.md").read_text("utf-8").splitlines(True)[:45]))
    assert {"docs/pictures/page.png", "docs/pictures/nomogram.svg"} <= set(shown)
    assert all((root / path).stat().st_size > 5_000 for path in shown)
