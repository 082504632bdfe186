"""Reports of experiments in a real browser: at 1,200 px and on paper no column is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from candide.report.document import paragraph, table, to_html

pytestmark = pytest.mark.long

HEADS = [
    "data set",
    *(f"{what} {of}" for what in ("accuracy", "log-loss", "published") for of in ("basic", "proposed", "m")),
]
ROWS = [[name, *(f"{0.1234 * j:.4f} ± 0.0123" for j in range(9))] for name in ("P-I-Diabetes", "New-Thyroid", "Wpbc")]
BEYOND = """() => [...document.querySelectorAll('table, th, td, p')]
    .map(e => e.getBoundingClientRect()).filter(box => box.right > innerWidth + 1 || box.left < 0).length"""


@pytest.mark.parametrize(("width", "medium"), [(1200, "screen"), (1200, "print"), (794, "print")])
def test_no_column_lies_beyond_the_window_or_the_sheet(browser, tmp_path: Path, width: int, medium: str) -> None:
    claims = table(
        ["where", "the paper says", "found"], [["Table 1", "the proposed rule wins " * 9, "it wins " * 20]], prose=True
    )
    report = {"title": "Reproduced", "blocks": [paragraph("What was done. " * 40), table(HEADS, ROWS), claims]}
    (tmp_path / "report.html").write_text(to_html(report), encoding="utf-8")
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.emulate_media(media=medium)
    page.goto((tmp_path / "report.html").as_uri())
    assert page.evaluate("document.querySelectorAll('th').length") == len(HEADS) + 3
    assert page.evaluate(BEYOND) == 0
    page.close()
