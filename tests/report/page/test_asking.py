"""A page that a server gives asks it for the columns that the page does not carry."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("uvicorn", reason="uvicorn is not installed")
from tests.report.page.conftest import READY, wait_for
from tests.serve.conftest import serving

from candide import NaiveBayes
from candide.report.page import rendering
from candide.serve.answering import Answering
from candide.text import TextNB

pytestmark = pytest.mark.long


@pytest.fixture
def visit(browser):
    """Return a function that opens the page of a server; and what went wrong on it."""
    contexts = []

    def opened(address: str):
        context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
        contexts.append(context)
        page, trouble = context.new_page(), []
        page.on("console", lambda message: trouble.append(message.text))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.goto(address)
        wait_for(page, READY)
        return page, trouble

    yield opened
    for context in contexts:
        context.close()


def wide(n: int = 400, seed: int = 0) -> pd.DataFrame:
    """Return a table whose first columns tell most, and whose others tell little."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    frame = pd.DataFrame({
        "colour": np.array(["red", "green", "blue"], dtype=object)[np.where(rng.random(n) < 0.8, y, 0)],
        "size": rng.normal(size=n).round(2) + 2 * y,
        "age": rng.normal(size=n).round(2) + 0.4 * y,
        "new": rng.random(n) < 0.3 + 0.2 * (y == 1),
        "place": np.array(["here", "there"], dtype=object)[(rng.random(n) < 0.4 + 0.2 * (y == 2)).astype(int)],
    })  # fmt: skip
    frame["kind"] = np.array(["ash", "beech", "cedar"])[y]
    return frame


def fill(page, name: str, text: str) -> None:
    """Type into the field of a column, wherever it is folded."""
    page.evaluate("document.querySelectorAll('.form details').forEach(d => { d.open = true; })")
    with page.expect_response("**/explain"):
        page.get_by_label(name, exact=True).fill(text)
        page.keyboard.press("Tab")


def test_columns_that_are_not_carried_are_asked_of_the_server_and_add_up(visit, monkeypatch):
    frame = wide()
    nb = NaiveBayes().fit(frame, "kind")
    monkeypatch.setattr(rendering.render, "__defaults__", (2, None))
    with serving(Answering(nb)) as address:
        page, trouble = visit(f"{address}/#colour=green")
        assert page.evaluate("JSON.parse(document.getElementById('facts').textContent).columns.length") == 2
        assert "of 3 others the server is asked" in page.locator("#about").inner_text()
        row = {"colour": "green"}
        for name, text, cell in [("age", "0.25", 0.25), ("new", "true", True), ("place", "there", "there")]:
            fill(page, name, text)
            row[name] = cell
            wait_for(page, ".step", len(row))
            wanted = nb.predict_proba(pd.DataFrame([row], columns=frame.columns[:-1]))[0]
            found = page.evaluate("candide.now()")
            np.testing.assert_allclose(found, wanted, atol=1e-9)
        assert page.locator(".answer .muted").first.text_content().count("credible") == 0  # of these it is not told
        page.reload()
        wait_for(page, ".step", 4)
        np.testing.assert_allclose(page.evaluate("candide.now()"), wanted, atol=1e-9)
        assert trouble == []


def test_what_the_server_refuses_is_told_beside_the_answer(visit, monkeypatch):
    nb = NaiveBayes().fit(wide(), "kind")
    monkeypatch.setattr(rendering.render, "__defaults__", (2, None))
    with serving(Answering(nb)) as address:
        page, _ = visit(address)
        fill(page, "age", "old")
        page.wait_for_selector(".refusal")
        assert page.locator(".refusal").text_content() == "column 'age' takes a number, not the text 'old'"
        fill(page, "age", "1")
        page.wait_for_selector(".refusal", state="detached")


def test_documents_are_asked_of_the_server(visit):
    texts = ["a claim about a red car", "the truck is late", "my bike was stolen"] * 8
    nb = TextNB().fit(texts, ["car", "truck", "bike"] * 8)
    with serving(Answering(nb)) as address:
        page, trouble = visit(address)
        fill(page, "The text", "the late truck")
        page.wait_for_selector(".step")
        np.testing.assert_allclose(page.evaluate("candide.now()"), nb.predict_proba(["the late truck"])[0], atol=1e-9)
        assert page.locator("#nomogram").count() == 0
        assert trouble == []


def test_a_page_without_a_server_asks_nobody(show):
    from candide.report import facts

    nb = NaiveBayes().fit(wide(), "kind")
    opened = show(rendering.render(facts(nb), columns=2))
    assert "the others count as unknown" in opened.page.locator("#about").inner_text()
    assert opened.page.locator(".form .field").count() == 2
    assert opened.trouble == []
