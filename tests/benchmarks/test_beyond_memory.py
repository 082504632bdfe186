"""The page of tables beyond memory says what its record says."""

from __future__ import annotations

import pytest
from benchmarks.beyond_memory import COUNTERS, READERS, files, group, page

pytest.importorskip("pyarrow", reason="the tables are Parquet files")


def record():
    def turn(seconds):
        return {"seconds": seconds, "processor": 2 * seconds, "peak": 400 << 20}

    others = {part.__name__: {"rows": 10**7, **turn(2.0 + n)} for n, part in enumerate((*READERS, *COUNTERS))}
    rows = {str(10**n): turn(3.0 * 10 ** (n - 7)) for n in (5, 6, 7)}
    about = {"candide": "0.2.0", "home": "/somewhere"}
    return {"about": about, "rows": rows, "others": others, "threads": {"1": turn(4.0), "2": turn(3.0)}} | {
        "bytes": 1 << 20,
        "add_seconds": 0.005,
    }


def test_the_page_tells_slopes_and_how_the_fit_stands_beside_the_fastest_reader():
    text = "\n".join(page(record()))
    assert "| 10,000,000 | 3.00 | 1.00 | 6.00 | 400 |" in text
    assert "The fit takes 1.50 times what the fastest reader takes." in text
    # 6e-7 processor seconds a row, 1e11 rows, 1,600 cores: 37.5 seconds
    assert "counting takes 0.6 minutes of all cores" in text
    assert "1.0 MB as it is sent" in text
    assert "/somewhere" not in text


def test_rows_lie_in_as_many_files_as_they_need(tmp_path):
    assert files(tmp_path, 10**5) == [str(tmp_path / "rows-100000.parquet")]
    assert len(files(tmp_path, 10**8)) == 10


def test_a_group_is_always_the_same_and_has_what_it_says():
    one, again = group((0, 1), 500), group((0, 1), 500)
    assert one.equals(again)
    assert one.num_columns == 11
    assert one["power"].null_count > 0
    assert not one.equals(group((0, 2), 500))
