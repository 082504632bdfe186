"""The reading of a table as JSON: the columns as they are given, and one line for each that needs a reader."""

from __future__ import annotations

from typing import Any

from candide.estimator.format.encoding import RuleBook, decode, encode
from candide.estimator.format.entries import Entry
from candide.estimator.format.layout import Lines, Section
from candide.reading import ColumnReader, ReadAs, TableReading
from candide.schema.schema import Schema


def reading_to_json(reading: TableReading, rules: RuleBook) -> Section:
    """Return the JSON form of a reading."""
    lines = (
        {"column": name, "reader": encode(read.reader, rules), "said": read.said} for name, read in reading.items()
    )
    return Section(given=list(reading.names), columns=Lines(lines))


def reading_from_json(entry: Entry, schema: Schema, rules: RuleBook) -> TableReading:
    """Read a reading back: of the columns given, and giving those of the schema."""
    entry.check_keys(("given", "columns"))
    odd = next((name for name in entry["given"].items() if type(name.value) not in {str, int}), None)
    if odd is not None:
        raise odd.unlike("name of a column")
    names = tuple(name.value for name in entry["given"].items())
    columns: dict[Any, ReadAs] = {}
    for line in entry["columns"].items():
        line.check_keys(("column", "reader", "said"))
        name = line["column"].value
        if type(name) not in {str, int} or name not in names or name in columns:
            raise line["column"].wrong("is none of the columns that are given, or stands there twice")
        reader = decode(line["reader"], rules)
        if not isinstance(reader, ColumnReader):
            raise line["reader"].unlike("reader of a column")
        columns[name] = ReadAs(reader, line["said"].text())
    reading = TableReading(names, columns)
    if list(reading.learnt) != schema.names:
        raise entry["given"].wrong("are not the columns that those of the schema are made of")
    return reading
