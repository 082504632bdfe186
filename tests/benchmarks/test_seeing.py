"""The benchmark of reports runs as it stands, and measures the page that is made."""

from tests.report.models import mixed

from benchmarks import seeing
from candide import NaiveBayes
from candide.report.page.script import script_of


def test_a_line_tells_sizes_and_times_of_a_page(monkeypatch):
    monkeypatch.setattr(seeing, "in_browser", lambda _: (None, None))
    nb, frame = mixed()
    older = NaiveBayes(distributions=nb.distributions).fit(frame[:200], "fate")
    name, shape, collecting, rendering, script, page, *seen = seeing.line("passengers", nb, frame, older=older)
    told = nb.report(frame, older=older).facts
    assert (name, shape, seen) == ("passengers", f"{len(frame)} × {len(frame.columns) - 1} × 2", ["–", "–"])
    assert float(script) == round(len(script_of(told).encode()) / 1000, 1)
    assert float(page) > float(script) + 9
    assert float(collecting) >= 0
    assert float(rendering) >= 0
