"""Mean ranks and Nemenyi's critical differences against Demšar's published table."""

import pandas as pd
import pytest
from scipy import stats

from candide.evaluate import critical_difference, mean_ranks

# Demšar 2006, table 5(a): critical values for the two-tailed Nemenyi test
Q_05 = {2: 1.960, 3: 2.343, 4: 2.569, 5: 2.728, 6: 2.850, 7: 2.949, 8: 3.031, 9: 3.102, 10: 3.164}
Q_10 = {2: 1.645, 3: 2.052, 4: 2.291, 5: 2.459, 6: 2.589, 7: 2.693, 8: 2.780, 9: 2.855, 10: 2.920}


@pytest.mark.parametrize(("alpha", "table"), [(0.05, Q_05), (0.10, Q_10)])
def test_critical_values_are_the_published_ones(alpha, table):
    for k, q in table.items():
        assert critical_difference(k, 30, alpha) == pytest.approx(q * (k * (k + 1) / 180) ** 0.5, abs=1e-3)


def frame(metric="accuracy"):
    rows = {"x": [0.9, 0.8, 0.8], "y": [0.7, 0.9, 0.1], "z": [0.5, 0.6, 0.4]}
    lines = [
        {"dataset": d, "model": m, "fold": f, metric: value}
        for d, values in rows.items()
        for m, value in zip("abc", values, strict=True)
        for f in range(2)
    ]
    return pd.DataFrame(lines)


def test_ranks_share_ties_and_losses_rank_the_other_way():
    ranks = mean_ranks(frame())
    expected = dict(zip("abc", (5 / 3, 4.5 / 3, 8.5 / 3), strict=True))
    assert ranks.to_dict() == pytest.approx(expected)
    assert ranks.index.tolist() == ["b", "a", "c"]
    assert mean_ranks(frame("log_loss"), "log_loss").to_dict() == pytest.approx({m: 4 - r for m, r in expected.items()})


def test_ranks_are_scipys():
    table = frame().groupby(["dataset", "model"])["accuracy"].mean().unstack()
    by_hand = stats.rankdata(-table.to_numpy(), axis=1).mean(axis=0)
    assert mean_ranks(frame())[["a", "b", "c"]].to_numpy() == pytest.approx(by_hand)


def test_ranks_need_data_sets_and_every_model_on_each():
    with pytest.raises(ValueError, match="column 'dataset'"):
        mean_ranks(frame().drop(columns="dataset"))
    with pytest.raises(ValueError, match="every model"):
        mean_ranks(frame().query("not (dataset == 'x' and model == 'a')"))
