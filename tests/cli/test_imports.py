"""What a command imports: what it uses, since a small table is learnt in less time than most libraries take to load."""

from __future__ import annotations

import subprocess
import sys

import pandas as pd
import pytest

HEAVY = ("sklearn", "scipy", "pandas", "pyarrow.compute", "numpy.ma", "importlib.metadata", "matplotlib")
TOLD = (
    f"import sys; from candide.cli import main\ntry: main()\nfinally: print([m for m in {HEAVY} if m in sys.modules])"
)


@pytest.mark.parametrize("options", [[], ["--plain"]])
@pytest.mark.parametrize("labels", [(0, 1), ("off", "on")])
def test_a_fit_of_plain_csv_imports_no_library_that_it_does_not_use(tmp_path, labels, options):
    rows = range(6000)
    words = [("red", "blue", "green")[i % 3] for i in rows]
    pd.DataFrame({"x": [i % 97 / 8 for i in rows], "word": words, "y": [labels[i % 2] for i in rows]}).to_csv(
        tmp_path / "table.csv", index=False
    )
    assert (tmp_path / "table.csv").stat().st_size > 1 << 16  # fewer bytes are read without PyArrow
    asked = ["fit", "table.csv", "--target", "y", "-o", "model.json", *options]
    done = subprocess.run(
        [sys.executable, "-c", TOLD, *asked], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"
    assert (tmp_path / "model.json").exists()
