"""Pictures of models show the numbers of the facts."""

import numpy as np
import pytest
from tests.report.models import many, mixed, tables

from candide import NaiveBayes, TunedNB, plot
from candide.plot.columns import steps
from candide.plot.drift import came_in, moved
from candide.report import facts

pytest.importorskip("matplotlib", reason="matplotlib is not installed")


@pytest.fixture
def ax():
    from matplotlib.figure import Figure

    return Figure().subplots()


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_the_nomogram_has_every_column_on_one_scale(ax):
    nb, _ = mixed()
    assert plot.nomogram(nb, ax) is ax
    names = [tick.get_text() for tick in ax.get_yticklabels()]
    assert set(names) <= set(nb.feature_names_in_)
    assert "sex" in names
    female = np.array(facts(nb)["columns"][0]["weights"], dtype=float)
    p = female / female.sum(axis=1, keepdims=True)
    points = 10 * np.log2(p[1, 0] / p[0, 0])
    dots = np.concatenate([c.get_offsets()[:, 0] for c in ax.collections if len(c.get_offsets())])
    assert np.isclose(np.asarray(dots, dtype=float), points).any()
    plot.nomogram(many()[0], label="disease-of-kind-03")


def test_the_nomogram_says_which_pairs_it_leaves_out(ax):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1500, 3))
    nb = TunedNB().fit(x, np.where(x[:, 0] * x[:, 1] + 0.3 * rng.normal(size=1500) > 0, "in", "out"))
    assert nb.pairs_ == [(0, 1)]
    assert plot.nomogram(nb, ax).get_xlabel() == "points, without 0 × 1"
    told = facts(nb)
    told["joint"] = [{**told["joint"][0], "name": f"{i} & x"} for i in range(5)]
    assert plot.nomogram(told).get_xlabel() == "points, without 0 & x, 1 & x, 2 & x, 2 more"


def test_the_nomogram_of_an_unknown_class_says_so():
    with pytest.raises(ValueError, match="there is no class 'lost'"):
        plot.nomogram(tables()[0], label="lost")


def test_the_bars_of_evidence_add_up_to_the_log_odds(ax):
    nb, frame = tables()
    why = nb.explain(frame[:1])
    plot.evidence(why, ax=ax)
    c, rival = why.pair(0)
    start = why.prior[c] - why.prior[rival]
    total = start + sum(bar.get_width() for bar in ax.patches)
    assert total == pytest.approx(why.scores[0, c] - why.scores[0, rival])
    assert f"{why.classes[c]} against {why.classes[rival]}" == ax.get_title()


def test_evidence_refuses_what_has_none():
    nb, frame = tables(combination="sum")
    with pytest.raises(ValueError, match="adds probabilities"):
        plot.evidence(nb.explain(frame[:1]))


def test_columns_are_ranked_by_what_they_settle_alone(ax):
    nb, frame = mixed()
    told = facts(nb, frame)
    plot.columns(told, ax=ax)
    alone = {c["name"]: c["alone"]["mean"] for c in told["columns"]}
    names = [tick.get_text() for tick in ax.get_yticklabels()]
    assert names == sorted(alone, key=lambda name: -alone[name])
    assert len(ax.patches) == len(names)  # a bar for each, beyond the others


def test_a_column_of_levels_has_a_bar_for_each_class_and_one_of_numbers_two_curves(ax):
    nb, _ = mixed()
    plot.column(nb, "deck", ax)
    weights = np.array(facts(nb)["columns"][1]["weights"], dtype=float)
    p = weights / weights.sum(axis=1, keepdims=True)
    assert [bar.get_width() for bar in ax.patches] == pytest.approx([*(100 * p[1]), *(100 * p[0])])
    assert len(plot.column(nb, "age").lines) == 2
    with pytest.raises(ValueError, match="did you mean 'age'"):
        plot.column(nb, "agee")


def test_drift_beside_what_chance_would_move(ax):
    nb, frame = tables()
    older = NaiveBayes(distributions=nb.distributions).fit(frame[:150], "fate")
    plot.drift(nb, older, ax)
    told = facts(nb, older=older)["drift"]["columns"]
    farthest = max(moved(column, 1, 0)[0] for column in told)
    assert max(ax.lines[0].get_xdata()) == pytest.approx(farthest)
    beside = ax.figure.axes[-1]
    assert beside is not ax
    assert beside.lines[0].get_ydata().tolist() == ax.lines[0].get_ydata().tolist()
    assert max(beside.lines[0].get_xdata()) == pytest.approx(max(came_in(column)[0] for column in told))
    assert [beside.xaxis.get_major_formatter()(share) for share in (0.025, 0.05)] == ["2.5 %", "5 %"]
    assert sorted(bar.get_width() for bar in beside.patches) == pytest.approx(sorted(came_in(c)[1] for c in told))
    same = facts(nb, older=nb)["drift"]["columns"]
    for by, chance in [*(moved(column, 1, 0) for column in same), *map(came_in, same)]:
        assert by == 0 < chance
    with pytest.raises(ValueError, match="give older="):
        plot.drift(nb)


def test_what_comes_in_moves_by_chance_as_much_as_it_is_said_to():
    rng = np.random.default_rng(2)
    p = np.array([0.5, 0.3, 0.15, 0.05])
    drawn = [{w: {"counts": rng.multinomial(n, p)} for w, n in (("before", 900), ("after", 300))} for _ in range(400)]
    by, chance = np.mean([came_in(column) for column in drawn], axis=0)
    assert by == pytest.approx(chance, rel=0.1)


def test_a_claim_that_its_interval_misses_is_a_diamond(ax):
    rng = np.random.default_rng(0)
    proba = rng.random(2000)
    plot.reliability(rng.random(2000) < proba**3, proba, ax=ax)
    wrong = [c for c in ax.collections if len(c.get_paths()) == 1 and len(c.get_paths()[0].vertices) == 5]
    assert any(len(c.get_offsets()) > 3 for c in wrong)


def test_a_column_that_is_weighed_is_drawn_by_how_often_its_cells_occur(ax):
    nb = TunedNB().fit(mixed()[1], "fate")
    widths = np.array([bar.get_width() for bar in plot.column(nb, "deck", ax).patches])
    assert widths.reshape(2, -1).sum(axis=1) == pytest.approx([100, 100])
    curves = [patch.get_data() for patch in plot.column(nb, "age").patches if not patch.get_fill()]
    assert [float(heights @ np.diff(ends)) for heights, ends, _ in curves] == pytest.approx([1, 1], abs=0.2)


def test_a_column_whose_probabilities_are_added_has_shares_of_rows_and_no_factors(ax):
    nb = NaiveBayes(combination="sum").fit(tables()[1], "fate")
    widths = np.array([bar.get_width() for bar in plot.column(nb, "deck", ax).patches])
    assert widths.reshape(2, -1).sum(axis=1) == pytest.approx([100, 100])
    assert texts(ax) == []


def test_a_table_of_many_intervals_is_drawn_in_steps_that_keep_its_mass(ax):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 1000)
    nb = NaiveBayes(distributions="smooth").fit((rng.normal(size=1000) + y)[:, None], y)
    told = facts(nb)["columns"][0]
    heights, ends = steps(told, np.exp(np.array(told["log"][0])))
    assert len(heights) <= 17
    assert float(heights @ np.diff(ends)) == pytest.approx(1.0)
    assert len(plot.column(nb, 0, ax).patches) == 4  # bars and steps of both classes
