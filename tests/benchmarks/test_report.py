"""The report: sections, columns, and what makes a run doubtful on top."""

import json
from dataclasses import replace

from benchmarks.checkouts import BEFORE, NOW
from benchmarks.participants import Measured
from benchmarks.results import Result
from benchmarks.tasks.task import APART, OURS, THEIRS, Targets

from benchmarks import record, report

ABOUT = {"candide": "0.2.0", "commit": "abc1234", "kernels": "native", "python": "3.11.7", "numpy": "2.4.6"}
RUN = record.Run("2025-01-02T03:04:05+00:00", {NOW: ABOUT}, "a processor", 2, {"first": 0.5}, 0.02, 7.5)
BOTH = replace(RUN, checkouts={BEFORE: ABOUT | {"candide": "0.1.0"}, NOW: ABOUT})


def result(name="a task", rows=10, section="", others=0.0, **more):
    seen = {(BEFORE, OURS): Measured(best=0.6, extra=2**20), (NOW, OURS): Measured(best=0.002, extra=2**21)}
    seen |= {(NOW, THEIRS): Measured(best=0.004)}
    return Result(name, rows, section, Targets(), seen | more.get("seen", {}), promised=True, others=others)


def cells(text, name="a task"):
    (line,) = [line for line in text.splitlines() if line.startswith(f"| {name} ")]
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_before_and_now_stand_side_by_side_with_their_ratio():
    text = report.markdown(BOTH, [result()])
    assert cells(text)[:7] == ["a task", "10", "600 ms", "2 ms", "", "300", "4 ms"]
    assert {"1.0 MB", "2.0 MB"} <= set(cells(text))
    assert "before" not in report.table([result()], before=False)


def test_most_rows_come_first_and_sections_of_their_own_last():
    results = [result("a", 10), result("b", 10, "Files"), result("c", 1000), result("d", 5, "Files"), result("e", 10)]
    found = report.sections(results)
    assert {title: [r.name for r in part] for title, part in found.items()} == {
        "1,000 rows": ["c"],
        "10 rows": ["a", "e"],
        "Files": ["b", "d"],
    }


def test_joined_columns_stand_beside_the_same_columns_apart():
    seen = {(NOW, APART): Measured(best=0.001), (BEFORE, APART): Measured(best=0.1)}
    joined = replace(result(seen=seen), targets=Targets(apart=3))
    assert [cells(report.table([joined], before=True))[i] for i in (4, 8, 10, 11, 12)] == [
        "6.0",
        "2.0",
        "300",
        "3",
        "yes",
    ]


def test_a_run_that_was_disturbed_says_so_on_top_and_at_the_task():
    assert "DISTURBED" not in report.markdown(RUN, [result()])
    text = report.markdown(replace(RUN, other_processes=0.5), [result(others=0.5)])
    assert text.splitlines()[2].startswith("**DISTURBED: other processes used 0.50 cores")
    assert "| a task † |" in text


def test_what_failed_is_listed_with_its_reason():
    failed = result(seen={(BEFORE, OURS): Measured(error="TypeError: no groups")})
    text = report.markdown(BOTH, [failed])
    assert cells(text)[2:5] == ["failed", "2 ms", ""]
    assert "- a task, before, ours: TypeError: no groups" in text
    assert "Failures" not in report.markdown(BOTH, [result()])


def test_units_suit_the_number():
    assert [report.seconds(t) for t in (2.5, 0.0123, 4.2e-5, None)] == ["2.50 s", "12.3 ms", "42 µs", ""]
    assert [report.number(x) for x in (12345.6, 12.34, 0.0026, None)] == ["12,346", "12.3", "0.0026", ""]
    assert [report.size(b) for b in (300 * 2**20, 2**20 // 2, None)] == ["300 MB", "0.5 MB", ""]


def test_the_record_holds_the_run_and_every_number(tmp_path):
    path = tmp_path / "speed.json"
    record.write(path, BOTH, [result().record()])
    found = json.loads(path.read_text())
    assert found["run"]["checkouts"]["before"]["candide"] == "0.1.0"
    assert found["run"]["cores"] == 2
    assert found["run"]["other_processes"] == 0.02
    assert found["results"][0]["seen"]["now, ours"]["best"] == 0.002
    assert found["results"][0]["seen"]["before, ours"]["extra"] == 2**20
