"""A real browser: Debian's Chromium driven by Playwright; without one the tests say so and are skipped."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def browser():
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("there is no Chromium on this machine")
    with api.sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=path)
        yield made
        made.close()


READY = "html[data-ready=true]"
"""A page that its script has drawn."""


def wait_for(page: Any, selector: str, count: int = 1) -> None:
    """Wait until so many elements are there: a predicate would be asked again by eval, which the page refuses."""
    from playwright.sync_api import expect

    expect(page.locator(selector)).to_have_count(count, timeout=60_000)


class Opened:
    """A page that is open, and all that went wrong on it or was fetched by it."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.trouble: list[str] = []
        page.on("console", lambda message: self.trouble.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: self.trouble.append(f"error: {error}"))
        page.on("dialog", lambda dialog: self.trouble.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: self.fetched(request.url))

    def fetched(self, url: str) -> None:
        if not url.startswith("file:"):
            self.trouble.append(f"request: {url}")


@pytest.fixture
def show(browser, tmp_path: Path):
    """Return a function that opens HTML in a window of its own."""
    contexts = []

    def opened(html: str, width: int = 1280, scheme: str = "light", address: str = "", **more: Any) -> Opened:
        file = tmp_path / f"page{len(contexts)}.html"
        file.write_text(html, encoding="utf-8")
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True, reduced_motion="reduce", **more
        )
        contexts.append(context)
        out = Opened(context.new_page())
        out.page.goto(file.as_uri() + address)
        if more.get("java_script_enabled", True):
            wait_for(out.page, READY)
        return out

    yield opened
    for context in contexts:
        context.close()
