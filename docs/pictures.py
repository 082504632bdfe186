"""Draw the pictures of the README and the guide: python docs/pictures.py

They are of the reference environment's requests, which come with the library. The plots are the same byte for byte each
time; the page is shown as the browser of this machine shows it (Chromium, through playwright).
"""

import shutil
import tempfile
from pathlib import Path

from candide import NaiveBayes, plot
from candide.datasets import insurance
from candide.report.figures import draw

FOLDER = Path(__file__).parent / "pictures"
ROWS = 2000
ASKED = "#energy=diesel&power=105–136&color=white&multimedia=yes"
"""What the page is asked, as its address has it."""


def main():
    requests = insurance(ROWS).frame.rename(columns={"horse_power": "power"})
    requests["wheels"] = requests["wheels"].map("{:.0f}".format, na_action="ignore")
    bins = dict.fromkeys(["weight", "power"], "equal-frequency(5)")
    nb = NaiveBayes(distributions=bins).fit(requests, "desk")
    row = requests[requests["desk"] == "professional truck"].iloc[[11]]
    FOLDER.mkdir(exist_ok=True)
    nomogram = draw(lambda ax: plot.nomogram(nb, ax, label="professional truck"), (7.4, 4.8))
    evidence = draw(lambda ax: plot.evidence(nb.explain(row), ax=ax), (6.4, 3.0))
    (FOLDER / "nomogram.svg").write_bytes(nomogram)
    (FOLDER / "evidence.svg").write_bytes(evidence)
    shoot(nb.report(requests, title="Requests"), FOLDER / "page.png")


def shoot(report, path):
    """Take a picture of the top of a page, with some of its questions answered."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = Path(folder) / "report.html"
        report.save(page)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
        tab = browser.new_page(viewport={"width": 1180, "height": 1100})
        tab.goto(page.as_uri() + ASKED)
        tab.wait_for_function("document.documentElement.dataset.ready === 'true'")
        tab.screenshot(path=path)
        browser.close()


if __name__ == "__main__":
    main()
