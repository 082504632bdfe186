"""What a report costs: facts, page, and how soon a browser has drawn it.

    python -m benchmarks.seeing -o benchmarks/results/seeing.md

Tables come from the folder in CANDIDE_DATA, the widest one is made up: 1,000 columns of 100 levels in 50 classes. The
browser is Debian's Chromium, driven by Playwright; without one the last columns stay empty.
"""

import argparse
import shutil
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from candide import NaiveBayes
from candide.datasets import load
from candide.report import facts
from candide.report.page import render
from candide.report.page.script import style_sheet

SETS = ("titanic_passengers", "soybean", "adult", "letter")
CHANGES = 20
"""Changes of what is known whose mean time is taken."""


def widest(rows=100_000, columns=1000, levels=100, classes=50, seed=0):
    """Return the model of a table as wide as a page may have to carry."""
    rng = np.random.default_rng(seed)
    nb = NaiveBayes()
    y = np.array([f"class {c}" for c in range(classes)])
    names = np.array([f"level {v}" for v in range(levels)])
    for _ in range(rows // 5000):
        cells = {f"column {j}": pd.Categorical.from_codes(rng.integers(0, levels, 5000), names) for j in range(columns)}
        nb.partial_fit(pd.DataFrame(cells), y[rng.integers(0, classes, 5000)])
    return nb


def timed(work):
    start = time.process_time()
    out = work()
    return out, time.process_time() - start


def in_browser(page):
    """Return how long a page takes from its address to being drawn, and to change."""
    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        return None, None
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "page.html")
        file.write_text(page, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=path)
        shown = browser.new_context(offline=True, viewport={"width": 1280, "height": 900}).new_page()
        shown.goto(file.as_uri())
        shown.wait_for_function("document.documentElement.dataset.ready === 'true'")
        ready = shown.evaluate("performance.getEntriesByName('drawn')[0].startTime")
        field = "document.querySelector('.field select, .field input[type=range]')"
        change = shown.evaluate(
            f"""() => {{ const f = {field}; const start = performance.now();
            for (let i = 0; i < {CHANGES}; i++) {{
              if (f.tagName === 'SELECT') {{
                f.selectedIndex = i % f.options.length; f.dispatchEvent(new Event('change')); }}
              else {{ f.value = i; f.dispatchEvent(new Event('input')); }} }}
            return (performance.now() - start) / {CHANGES}; }}"""
        )
        browser.close()
    return ready / 1000, change


def script_in(page):
    """Return the script of a page, which is its last."""
    return page.rpartition("<script>")[2].partition("</script>")[0]


def line(name, model, table=None, columns=200, older=None):
    told, collecting = timed(lambda: facts(model, table, older))
    page, rendering = timed(lambda: render(told, columns))
    ready, change = in_browser(page)
    shape = f"{int(told['rows']):,} × {len(told['columns'])} × {len(told['classes'])}"
    seen = ["–", "–"] if ready is None else [f"{ready:.2f}", f"{change:.0f}"]
    print(name, shape, f"{collecting:.2f} s", f"{len(page.encode()) / 1e6:.2f} MB", *seen, flush=True)
    sizes = [f"{len(text.encode()) / 1000:,.1f}" for text in (script_in(page), page)]
    return [name, shape, f"{collecting:.2f}", f"{rendering:.2f}", *sizes, *seen]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", default="benchmarks/results/seeing.md")
    parser.add_argument("--quick", action="store_true", help="leave the widest table out")
    args = parser.parse_args()
    lines = []
    for name in SETS:
        frame = load(name).frame
        target = load(name).target
        lines.append(line(name, NaiveBayes().fit(frame, target), frame))
    bank = load("bank")
    early, late = bank.frame[:30_000], bank.frame[30_000:]
    lines.append(line("bank against its past", NaiveBayes().fit(late, "y"), late, older=NaiveBayes().fit(early, "y")))
    if not args.quick:
        lines.append(line("made up", widest(), columns=1000))
    heads = ["table", "rows × columns × classes", "facts, cpu s", "page, cpu s", "script kB", "page kB", "ready s",
             "change ms"]  # fmt: skip
    told = (
        "`python -m benchmarks.seeing`: facts with every row left out (the made-up table without rows), the page, and "
        "in Chromium the time from opening the file to the whole page drawn, and to draw it again after a change. "
        "Seconds of the processor for facts and page; by the clock, whatever else the machine does, for Chromium. The "
        f"style sheet has {len(style_sheet().encode()) / 1000:.0f} kB."
    )
    text = [
        "# What a report costs",
        "",
        told,
        "",
        "| " + " | ".join(heads) + " |",
        "|" + "---|" * 2 + "---:|" * 6,
        *("| " + " | ".join(row) + " |" for row in lines),
    ]
    Path(args.output).write_text("\n".join(text) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
