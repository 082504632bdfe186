"""An experiment, something seen of a model and a command that are new: reached as all others are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from tests.extending.cases import X, Y

from candide import NaiveBayes
from candide.cli import app, commands
from candide.combination import Combination
from candide.experiments import reproduce, reproducing
from candide.experiments.readings import PaperReading
from candide.experiments.reproducing import Experiment
from candide.experiments.sets import Settings
from candide.plot.canvas import axes_or_new
from candide.plot.told import facts_of
from candide.report import collecting, facts
from candide.report.columns import ByColumn
from candide.report.document import heading, table
from candide.report.page import rendering

# -- an experiment -----------------------------------------------------------------------------------------------------


def collect_coins(settings: Settings) -> tuple[pd.DataFrame, dict[str, Any]]:
    heads = np.random.default_rng(settings.seed).binomial(100, 0.5, settings.repeats or 5)
    rows = [[str(draw), str(n)] for draw, n in enumerate(heads)]
    blocks = [heading("Heads of a hundred"), table(["draw", "heads"], rows)]
    return pd.DataFrame({"heads": heads}), {"title": "Coins", "about": f"Seed {settings.seed}.", "blocks": blocks}


COINS = Experiment(collect_coins, {"strict": PaperReading("strict", "a fair coin", "it says so", None)}, "Laplace 1774")


def test_an_experiment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(reproducing.EXPERIMENTS, "coins", COINS)
    first, again = (reproduce("coins", tmp_path / part, seed=3) for part in ("first", "again"))
    assert [path.name for path in first] == ["coins.csv", "coins.md", "coins.html"]
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in again]
    assert len(pd.read_csv(first[0])) == 5
    for path in first[1:]:
        assert "Heads of a hundred" in path.read_text(encoding="utf-8")
        assert "The paper: Laplace 1774" in path.read_text(encoding="utf-8")
    out = tmp_path / "told"
    done = CliRunner().invoke(app.app, ["reproduce", "coins", "-o", str(out), "--seed", "3", "--reading", "strict"])
    assert done.exit_code == 0, done.output
    assert (out / "coins.csv").read_bytes() == first[0].read_bytes()


# -- something seen of a model -----------------------------------------------------------------------------------------


def tell_doubt(attributes: ByColumn, _: Combination) -> float:
    """Return how much is unknown of the class before anything is, in bits."""
    p = attributes.model.prior.alpha
    return float(-(p * np.log2(p)).sum())


def doubt_section(told: dict[str, Any], *_: Any) -> tuple[str, str, str]:
    return rendering.section("doubt", "Doubt", "How much is in doubt", f"<p>{told['doubt']:.3f} bits</p>")


def plot_doubt(model: Any, ax: Any = None) -> Any:
    ax = axes_or_new(ax, (3, 1))
    ax.barh(0, facts_of(model)["doubt"])
    return ax


def test_something_seen_of_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    monkeypatch.setitem(collecting.ENTRIES, "doubt", tell_doubt)
    monkeypatch.setattr(rendering, "SECTIONS", [*rendering.SECTIONS, doubt_section])
    nb = NaiveBayes().fit(X, Y)
    p = np.exp(nb.model_.log_prior)
    doubt = -(p * np.log2(p)).sum()
    assert facts(nb)["doubt"] == pytest.approx(doubt)
    report = nb.report(X, Y)
    assert f"<p>{doubt:.3f} bits</p>" in report.html
    assert '<a href="#doubt">Doubt</a>' in report.html
    report.save(tmp_path / "facts.json")
    assert json.loads((tmp_path / "facts.json").read_text(encoding="utf-8"))["doubt"] == pytest.approx(doubt)
    (bar,) = plot_doubt(nb).patches
    assert bar.get_width() == pytest.approx(doubt)


# -- a command ---------------------------------------------------------------------------------------------------------

WEIGH = """
import click

from candide.cli.failures import BadInput
from candide.cli.options import model_argument


@click.command(short_help="Tell how many rows a model has learnt.")
@model_argument
@click.option("--least", type=int, default=0)
def weigh(model_file, least):
    from candide.cli.models import load_model
    from candide.cli.screens import say

    rows = load_model(model_file).class_counts_.sum()
    if rows < least:
        raise BadInput(f"{model_file} has learnt {rows} rows only")
    say(str(rows))
"""


def test_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "weigh.py").write_text(WEIGH, encoding="utf-8")
    monkeypatch.setattr(commands, "__path__", [*commands.__path__, str(tmp_path)])
    monkeypatch.setitem(app.COMMANDS, "weigh", "weigh")
    path = tmp_path / "model.json"
    NaiveBayes().fit(X, Y).save(path)

    def run(*args: str) -> Any:
        return CliRunner().invoke(app.app, list(args))

    assert run("weigh", str(path)).output.strip() == str(len(X))
    few = run("weigh", str(path), "--least", "99")
    assert (few.exit_code, few.stderr) == (2, f"candide: {path} has learnt 50 rows only\n")
    assert "Tell how many rows a model has learnt." in run("--help").output
    assert "did you mean 'weigh'" in run("wiegh").stderr
