"""Taken: what a scorer that runs elsewhere takes in the place of cells that the library reads from text."""

from __future__ import annotations

from candide.reading import Amounts, Dates, TableReading, Truths

IN = {
    "moment": "seconds since 1970-01-01 00:00 UTC",
    "day": "seconds since 1970-01-01 00:00 UTC",
    "month": "the month, 1 to 12",
    "weekday": "the weekday, 0 for Monday to 6",
    "hour": "the hour, 0 to 23",
    "time of day": "seconds after midnight",
    "duration": "seconds",
}
"""In which numbers a measure is told."""


def taken(reading: TableReading) -> list[str]:
    r"""Return what is to be given for each column that is learnt from text of another form, a line each.

    Examples
    --------
    >>> from candide.reading import ReadAs
    >>> read = {"day": ReadAs(Dates("y-m")), "price": ReadAs(Amounts(unit="$", missing=("-1",)))}
    >>> print(*taken(TableReading(("day", "price"), read)), sep="\n")
    day: seconds since 1970-01-01 00:00 UTC
    day.month: the month, 1 to 12
    price: a number without '$', and none for -1
    """
    out = []
    for name, read in reading.items():
        reader = read.reader
        if isinstance(reader, Dates):
            parts = zip(reader.parts(str(name)), reader.measures, strict=False)
            out += [f"{part}: {IN[measure]}" for part, measure in parts]
        elif isinstance(reader, Amounts):
            gaps = ", ".join(f"{gap:g}" for gap in sorted(reader.gaps))
            unit, none = f" without {reader.unit!r}" if reader.unit else "", f", and none for {gaps}" if gaps else ""
            out.append(f"{name}: a number{unit}{none}")
        elif isinstance(reader, Truths):
            out.append(f"{name}: {reader.true!r} or {reader.false!r}")
    return out
