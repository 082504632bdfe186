"""Numbers of the page's script, beside those of Python."""

from __future__ import annotations

import numpy as np

from candide.report.escaping import unbroken
from candide.report.page.script import part
from candide.shares import chance, share


def test_the_page_says_what_python_says(browser):
    rng = np.random.default_rng(0)
    ends = [0, 1, 1e-9, 1 - 1e-9, 0.001, 0.999, 0.1, 0.9, 0.125, 0.005, 0.995, 0.0005, 0.9995, 0.285, 0.0115]
    ps = [*ends, *rng.random(2000), *np.round(rng.random(500), 3), *(rng.random(200) * 1e-3), *(-rng.random(100))]
    ps = [float(p) for p in ps]
    page = browser.new_page()
    asked = "ps.map((p) => [chance(p), ...[0, 1, 2].map((digits) => share(p, digits))])"
    found = page.evaluate(f"(ps) => {{ {part('numbers.js')}; return {asked}; }}", ps)
    page.close()
    told = [[unbroken(text) for text in (chance(p), *(share(p, digits) for digits in (0, 1, 2)))] for p in ps]
    assert found == told
    assert " " not in "".join(text for line in told for text in line)
