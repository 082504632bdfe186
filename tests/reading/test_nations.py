"""Tables written as five nations write them are read back equal."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris, load_wine
from tests.reading.corpus import french

from candide import NaiveBayes, datasets
from candide.datasets import insurance
from candide.scoring.explanation import readable
from candide.sources import Reading, open_source
from candide.table import read

PAPERS = ("glass", "diabetes", "vehicle", "heart-statlog", "segment")


def grouped(x: float) -> str:
    """Return a number with all its digits, and commas between thousands."""
    text = np.format_float_positional(x, trim="-")
    whole, point, rest = text.partition(".")
    return f"{int(whole):,}" + point + rest if not whole.startswith("-0") else text


def swapped(text: str, thousands: str, decimal: str) -> str:
    """Return an American number with other marks."""
    return text.translate({ord(","): thousands, ord("."): decimal})


def indian(x: float) -> str:
    """Return a number with its last three digits apart, and the others in pairs."""
    whole, point, rest = np.format_float_positional(x, trim="-").partition(".")
    sign, digits = ("-", whole[1:]) if whole.startswith("-") else ("", whole)
    head, last = digits[:-3], digits[-3:]
    pairs = [head[max(0, i - 2) : i] for i in range(len(head), 0, -2)][::-1]
    return sign + ",".join([*pairs, last]) + point + rest


NATIONS = {
    "American": grouped,
    "German": lambda x: swapped(grouped(x), ".", ","),
    "French": lambda x: swapped(grouped(x), "\u202f", ","),
    "Swiss": lambda x: swapped(grouped(x), "’", "."),
    "Indian": indian,
}


def tables() -> dict[str, pd.DataFrame]:
    found = {"insurance": insurance(n=300, seed=0).frame.rename(columns={"desk": "class"})}
    for name, load in (("iris", load_iris), ("wine", load_wine)):
        frame = load(as_frame=True).frame.rename(columns={"target": "class"})
        found[name] = frame.assign(**{"class": "c" + frame["class"].astype(str)})
    if os.environ.get("CANDIDE_DATA"):
        for name in PAPERS:
            try:
                d = datasets.load(name)
            except (KeyError, ValueError, FileNotFoundError):
                continue
            found[name] = d.X.assign(**{"class": d.y})
    return found


TABLES = tables()


@pytest.mark.filterwarnings("ignore::candide.reading.table_reading.ReadingWarning")
@pytest.mark.parametrize("nation", NATIONS)
@pytest.mark.parametrize("name", TABLES)
def test_a_table_written_by_a_nation_is_read_back_equal(name: str, nation: str, tmp_path: Path) -> None:
    frame, write = TABLES[name], NATIONS[nation]
    numeric = [c for c in frame.columns if frame[c].dtype.kind in "iuf"]
    spelt = frame.copy().astype(dict.fromkeys(numeric, object))
    for column in numeric:
        spelt[column] = [None if pd.isna(x) else write(x) for x in frame[column]]
    path = tmp_path / "table.csv"
    spelt.to_csv(path, index=False, sep=";")
    # a table of whole numbers does not tell whether 1.018 is a thousand and eighteen: somebody has to
    whole = all((frame[c].dropna() % 1 == 0).all() for c in numeric)
    decimal = "," if whole and nation in ("German", "French") else "."
    nb = NaiveBayes().fit(open_source(path, Reading(decimal=decimal)), "class")
    schema = nb.schema_
    table = read(spelt.drop(columns="class"))
    told = schema.reading.apply(table)
    for j, column in enumerate(schema.names):
        if column in numeric:
            values = [np.nan if cell is None else float(cell) for cell in readable(told.column(j))]
            np.testing.assert_array_equal(np.asarray(values, float), frame[column].to_numpy(float), err_msg=str(column))


@pytest.mark.parametrize("space", [" ", "\xa0", "\u202f", "\u2009"])
def test_every_space_between_thousands_is_one(space: str) -> None:
    from candide.reading import Amounts

    assert Amounts(",", " ").value(french(1234567.5, space)) == 1234567.5
