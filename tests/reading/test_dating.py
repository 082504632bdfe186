"""Dates that a model has drawn, and the words in which it tells what it has learnt of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide import NaiveBayes
from candide.estimator.slim.drawn_rows import drawn_rows
from candide.reading import Dates
from candide.structure import AveragedOneDependence, TreeAugmentedNB
from candide.table import Numbers

RNG = np.random.default_rng(0)
N = 400
Y = RNG.choice(["early", "late"], N)
LATE = Y == "late"
DAYS = pd.Series(pd.to_datetime("2022-11-20") + pd.to_timedelta(RNG.integers(0, 90, N) + 30 * LATE, unit="D"))
FRAME = pd.DataFrame(
    {
        "iso": DAYS.dt.strftime("%Y-%m-%d"),
        "dmy": DAYS.dt.strftime("%d.%m.%Y"),
        "day": DAYS,
        "when": DAYS + pd.to_timedelta(np.where(LATE, 3600 * 18, 3600 * 6) + RNG.integers(0, 7200, N), unit="s"),
        "month": DAYS.dt.strftime("%Y-%m"),
        "week": DAYS.dt.strftime("%G-W%V"),
        "time": [f"{h:02d}:{m:02d}" for h, m in zip(8 + 4 * LATE, RNG.integers(0, 60, N), strict=True)],
        "took": pd.to_timedelta(RNG.gamma(2, 0.2, N) * (1 + LATE), unit="s"),
        "x": RNG.normal(size=N) + LATE,
    }
)
RULES = ["auto", "normal", "bins", "kde", "smooth"]


@pytest.fixture(scope="module", params=RULES)
def nb(request: pytest.FixtureRequest) -> NaiveBayes:
    return NaiveBayes(request.param).fit(FRAME, Y)


def test_drawn_rows_have_the_columns_that_were_given_and_dates_in_them(nb: NaiveBayes) -> None:
    drawn, labels = nb.sample(500, random_state=0)
    assert list(drawn.columns) == list(FRAME.columns)
    for name in ("iso", "dmy", "day", "when", "month", "week"):
        assert drawn[name].dtype.kind == "M", name
    assert drawn["took"].dtype.kind == "m"
    assert drawn["time"].str.fullmatch(r"\d\d:\d\d(:\d\d)?").all()
    for name in ("iso", "dmy", "day", "month", "week"):
        assert (drawn[name] == drawn[name].dt.normalize()).all(), name
    assert (drawn["month"].dt.day == 1).all()
    assert (drawn["week"].dt.day_of_week == 0).all()
    assert (nb.predict(drawn) == labels).mean() > 0.9


def test_drawn_dates_are_read_as_they_were_drawn(nb: NaiveBayes) -> None:
    drawn, _ = nb.sample(50, random_state=0)
    written = drawn.assign(
        iso=drawn["iso"].dt.strftime("%Y-%m-%d"), dmy=drawn["dmy"].dt.strftime("%d.%m.%Y"),
        month=drawn["month"].dt.strftime("%Y-%m"), week=drawn["week"].dt.strftime("%G-W%V"),
    )  # fmt: skip
    np.testing.assert_array_equal(nb.predict_log_proba(drawn), nb.predict_log_proba(written))
    np.testing.assert_allclose(nb.predict_proba(drawn.to_dict("records")), nb.predict_proba(drawn), rtol=1e-9)


def test_the_hour_of_a_drawn_date_is_that_of_its_class(nb: NaiveBayes) -> None:
    drawn, labels = nb.sample(500, random_state=1)
    assert ((drawn["when"].dt.hour >= 12) == (labels == "late")).mean() > 0.8


def test_slim_models_and_what_they_are_compared_by_draw_numbers(nb: NaiveBayes) -> None:
    rows = drawn_rows(nb, 20, 0)
    assert list(rows.names or ()) == nb.schema_.names
    assert all(isinstance(rows.column(j), Numbers) for j in range(rows.n_columns))
    drawn, _ = nb.sample(200, random_state=2)
    assert (nb.slim().predict(drawn) == nb.predict(drawn)).mean() > 0.98


def test_averages_and_trees_draw_dates_as_well() -> None:
    for model in (TreeAugmentedNB(), AveragedOneDependence()):
        nb = model.fit(FRAME[["iso", "x"]], Y)
        drawn, _ = nb.sample(5, random_state=0)
        assert drawn["iso"].dtype.kind == "M"
        assert len(nb.predict(drawn)) == 5


def test_arrays_of_text_give_arrays_of_dates() -> None:
    X = FRAME[["dmy", "time"]].to_numpy(dtype=object)
    nb = NaiveBayes().fit(X, Y)
    drawn, _ = nb.sample(5, random_state=0)
    assert drawn.shape == (5, 2)
    assert all(cell.year in (2022, 2023) for cell in drawn[:, 0])
    assert len(nb.predict(drawn)) == 5


def test_what_is_missing_is_drawn_as_missing() -> None:
    table = FRAME[["iso", "time", "took"]].copy()
    table[::2] = None
    nb = NaiveBayes(missing="level").fit(table, Y)
    drawn, _ = nb.sample(400, random_state=0)
    assert drawn.isna().mean().between(0.3, 0.7).all()
    assert len(nb.predict(drawn)) == 400


days = st.integers(-20_000, 40_000)


@given(st.lists(st.tuples(days, st.integers(1, 12), st.integers(0, 6), st.integers(0, 23)), min_size=1))
def test_dates_have_the_parts_that_were_drawn(rows: list[tuple[int, int, int, int]]) -> None:
    day, month, weekday, hour = np.array(rows, dtype=float).T
    read = Dates(clock=True)
    moments = read.unread([day * 86400.0 + 1234.0, month, weekday, hour], (-1e11, 1e11))
    seconds = moments.astype("datetime64[s]").astype(float)
    again = read.read(Numbers(seconds, "moment"), "it")
    for part, wanted in zip(again[1:], (month, weekday, hour), strict=True):
        np.testing.assert_array_equal(part.values, wanted)
    assert (np.abs(seconds / 86400.0 - day) < 366 / 2 + 32).all()


# -- in words ----------------------------------------------------------------------------------------------------------


def test_means_and_spreads_of_dates_are_described_as_a_person_reads_them() -> None:
    nb = NaiveBayes("normal").fit(FRAME, Y)
    mean = DAYS[~LATE].mean()
    assert nb.describe("iso")["mean"]["early"] == str(mean.date())
    assert nb.describe("iso")["var"]["early"] == f"({DAYS[~LATE].std(ddof=0).total_seconds() / 86400:.5g} days)²"
    assert nb.describe("time")["mean"]["late"].startswith("12:")
    assert nb.describe("took")["mean"]["early"] == f"{FRAME['took'][~LATE].mean().total_seconds():.6g} s"
    assert nb.describe("when.hour")["mean"]["late"].endswith(" h")
    assert isinstance(nb.describe("x")["mean"]["late"], float)
    assert isinstance(nb.model_.describe("iso")["mean"][0], float)


def test_several_components_are_described_each() -> None:
    means = NaiveBayes({"iso": "mixture"}).fit(FRAME[["iso"]], Y).describe("iso")["mean"]["early"]
    assert all(text.startswith(("2022-", "2023-")) for text in np.ravel(means).tolist())


def test_means_of_logarithms_are_no_durations() -> None:
    nb = NaiveBayes({"took": "lognormal"}).fit(FRAME[["took", "x"]], Y)
    logs = np.log(FRAME["took"].dt.total_seconds())
    assert nb.describe("took")["mean"]["late"] == pytest.approx(logs[LATE].mean())


def test_intervals_and_levels_of_dates_are_called_as_they_are() -> None:
    nb = NaiveBayes({"day": "bins", "day.month": "categorical", "took": "bins"}).fit(FRAME[["day", "took"]], Y)
    assert next(iter(nb.describe("day"))).startswith("≤ 2022-")
    assert {"November", "December", "January"} <= set(nb.describe("day.month"))
    assert next(iter(nb.describe("took"))).endswith(" s")
    one = AveragedOneDependence().fit(FRAME[["day", "x"]], Y)
    assert next(iter(one.describe("day"))).startswith("≤ 2022-")


def test_a_column_of_dates_that_says_nothing_has_no_parameters() -> None:
    table = pd.DataFrame({"day": np.repeat(DAYS[:50], 2), "x": np.arange(100) % 2 + RNG.normal(size=100)})
    nb = NaiveBayes().fit(table, ["early", "late"] * 50)
    assert nb.model_.chosen["day"] == "ignored"
    assert nb.describe("day") == {}
