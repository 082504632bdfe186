"""reproduce writes three files, and the same bytes every time."""

import pandas as pd
import pytest

from candide.experiments import indifferent, reproduce, robust, summation
from candide.experiments.published import ROBUST_TABLE

pytest.importorskip("matplotlib", reason="matplotlib is not installed")


@pytest.fixture
def small(monkeypatch):
    """The experiments on what comes with scikit-learn, and small environments."""
    monkeypatch.setattr(indifferent, "INDIFFERENT_SETS", {"IRIS": "iris", "WINE": "wine", "WDBC": "wdbc"})
    kept = ("Wine", "Iris")
    monkeypatch.setattr(robust, "ROBUST_TABLE", {name: ROBUST_TABLE[name] for name in kept})
    monkeypatch.setattr(summation, "SIZES", (20, 60))
    monkeypatch.setattr(summation, "ENVIRONMENTS", 2)
    monkeypatch.setattr(summation, "SUMMATION_MAX_VALUES", (5, 20))
    monkeypatch.setitem(summation.PARAMETERS, "tree_samples", 200)
    monkeypatch.setitem(summation.PARAMETERS, "training_samples", 60)
    monkeypatch.setitem(summation.PARAMETERS, "testing_samples", 50)


LINES = {"indifferent": 3 * 2 * 3 * 10, "robust": 2 * 3 * 10, "summation": 2 * 2 * 2 * 2 * 2}


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", list(LINES))
def test_the_files_are_written_and_are_the_same_bytes_again(name, tmp_path):
    written = reproduce(name, tmp_path / "a" / "b")
    again = reproduce(name, tmp_path / "again")
    assert [path.name for path in written] == [f"{name}.csv", f"{name}.md", f"{name}.html"]
    for first, second in zip(written, again, strict=True):
        assert first.read_bytes() == second.read_bytes()
    assert len(pd.read_csv(written[0])) == LINES[name]
    assert "Against the paper" in written[1].read_text() or "Table 1" in written[1].read_text()
    assert 'src="data:image/svg+xml' in written[2].read_text()


@pytest.mark.usefixtures("small")
def test_another_seed_is_another_result(tmp_path):
    first, second = (reproduce("robust", tmp_path / str(seed), seed=seed)[0].read_bytes() for seed in (0, 1))
    assert first != second


def test_an_unknown_experiment_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"there is no experiment 'robbust'; did you mean 'robust'\?"):
        reproduce("robbust", tmp_path)
