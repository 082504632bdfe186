"""More than forty small tables as they are, each named for what is odd about it, with what must be read from it."""

from __future__ import annotations

import datetime as dt
import gzip
import io
from dataclasses import dataclass, field
from typing import Any

from candide.reading import Amounts, ColumnReader, Dates, Documents, Omitted, Texts, Truths
from candide.reading.table_reading import AS_GIVEN

N = 40
CLASSES = [("bike", "car")[i % 2] for i in range(N)]


@dataclass(frozen=True)
class Messy:
    """A file, how it is opened, and what must be read from its column "x": a reader, or cells."""

    name: str
    content: bytes
    reader: ColumnReader | None = None
    cells: list[Any] | None = None
    ending: str = ".csv"
    options: dict[str, Any] = field(default_factory=dict)


def table(cells: list[str], separator: str = ",", head: str = "", newline: str = "\n", quote: bool = False) -> str:
    """Return a table of a column x, of a column of levels, and of the class y."""
    lines = [separator.join(("x", "level", "y"))]
    for cell, level, label in zip(cells, ["low", "high", "low", "mid"] * 10, CLASSES, strict=True):
        lines.append(separator.join((f'"{cell}"' if quote else cell, level, label)))
    return head + newline.join(lines) + newline


NUMBERS = [1234.5 * (i + 1) for i in range(N)]
SMALL = [i / 4 for i in range(N)]
DAYS = [f"2023-{1 + i % 12:02d}-{1 + i % 28:02d}" for i in range(N)]


def us(x: float) -> str:
    """1,234.50"""
    return f"{x:,.2f}"


def german(x: float) -> str:
    """1.234,50"""
    return us(x).translate(str.maketrans(",.", ".,"))


def french(x: float, space: str = "\u202f") -> str:
    """1 234,50"""
    return us(x).replace(",", space).replace(".", ",")


def lakh(x: float) -> str:
    """1,23,456.50"""
    whole, _, broken = f"{x:.2f}".partition(".")
    head, last = whole[:-3], whole[-3:]
    pairs = [head[max(end - 2, 0) : end] for end in range(len(head), 0, -2)][::-1]
    return ",".join([*pairs, last]) + f".{broken}"


ARABIC = str.maketrans("0123456789.,", "٠١٢٣٤٥٦٧٨٩٫٬")
WIDE = str.maketrans("0123456789.", "".join(map(chr, [*range(0xFF10, 0xFF1A), 0xFF0E])))


def swiss(x: float) -> str:
    """1'234.50"""
    return us(x).replace(",", "'")


def indian(x: float) -> str:
    """12,34,567.50"""
    whole, _, cents = f"{x:.2f}".partition(".")
    last, rest = whole[-3:], whole[:-3]
    pairs = []
    while rest:
        pairs.insert(0, rest[-2:])
        rest = rest[:-2]
    return ",".join([*pairs, last]) + "." + cents


def day(date: str, order: str, between: str) -> str:
    """Return an ISO date in another order."""
    parts = dict(zip("ymd", date.split("-"), strict=True))
    return between.join(parts[c] for c in order)


def with_some(cells: list[str], other: str) -> list[str]:
    """Return cells of which every fifth is another."""
    return [other if i % 5 == 0 else cell for i, cell in enumerate(cells)]


def holed(values: list[float]) -> list[float | None]:
    """Return values of which every fifth is missing."""
    return [None if i % 5 == 0 else value for i, value in enumerate(values)]


def utf8(text: str) -> bytes:
    """Return text as most files are written."""
    return text.encode()


def workbook(cells: list[Any]) -> bytes:
    """Return an Excel file."""
    import openpyxl

    book = openpyxl.Workbook()
    book.active.append(["x", "level", "y"])
    for cell, label in zip(cells, CLASSES, strict=True):
        book.active.append([cell, "low", label])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def weekday(date: str) -> str:
    """Return the name of a day."""
    return f"{dt.date.fromisoformat(date):%a}"


def iso_week(date: str, between: str) -> str:
    """Return a day by its year, its week and its number in that."""
    year, week, number = dt.date.fromisoformat(date).isocalendar()
    return between.join((f"{year}", f"W{week:02d}", f"{number}"))


MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
WORDS = [f"the request of client {i} came in by post on a day of rain" for i in range(N)]

CORPUS = [
    Messy("plain numbers", utf8(table([f"{x}" for x in SMALL])), None, SMALL),
    Messy("thousands apart", utf8(table([us(x) for x in NUMBERS], ";")), Amounts(".", ","), NUMBERS),
    Messy("quoted thousands", utf8(table([us(x) for x in NUMBERS], quote=True)), Amounts(".", ","), NUMBERS),
    Messy("german numbers", utf8(table([german(x) for x in NUMBERS], ";")), Amounts(",", "."), NUMBERS),
    Messy("french numbers", utf8(table([french(x) for x in NUMBERS], ";")), Amounts(",", " "), NUMBERS),
    Messy("unbreakable spaces", utf8(table([french(x, "\xa0") for x in NUMBERS], ";")), Amounts(",", " "), NUMBERS),
    Messy("swiss numbers", utf8(table([swiss(x) for x in NUMBERS])), Amounts(".", "'"), NUMBERS),
    Messy(
        "indian numbers",
        utf8(table([indian(1e5 * x) for x in NUMBERS], ";")),
        Amounts(".", ","),
        [1e5 * x for x in NUMBERS],
    ),
    Messy("decimal commas", utf8(table([f"{x}".replace(".", ",") for x in SMALL], ";")), Amounts(","), SMALL),
    Messy("dollars", utf8(table([f"$ {us(x)}" for x in NUMBERS], ";")), Amounts(".", ",", "$"), NUMBERS),
    Messy("euros behind", utf8(table([f"{german(x)} €" for x in NUMBERS], ";")), Amounts(",", ".", "€"), NUMBERS),
    Messy("per cent", utf8(table([f"{x} %" for x in SMALL])), Amounts(".", "", "%"), SMALL),
    Messy(
        "brackets for minus",
        utf8(table([f"({x})" if i % 2 else f"{x}" for i, x in enumerate(SMALL)])),
        Amounts(),
        [-x if i % 2 else x for i, x in enumerate(SMALL)],
    ),
    Messy("a minus sign of its own", utf8(table([f"−{x + 1}" for x in SMALL])), Amounts(), [-x - 1 for x in SMALL]),
    Messy(
        "question marks", utf8(table(with_some([f"{x}" for x in SMALL], "?"))), Amounts(missing=("?",)), holed(SMALL)
    ),
    Messy(
        "a minus behind, as ledgers have it",
        utf8(table([f"{german(x)}-" if i % 3 else f"{german(x)} " for i, x in enumerate(NUMBERS)], ";")),
        Amounts(",", "."),
        [-x if i % 3 else x for i, x in enumerate(NUMBERS)],
    ),
    Messy(
        "a dash for a minus",
        utf8(table([f"\u2013{x}" if i % 3 else f"{x}" for i, x in enumerate(SMALL)])),
        Amounts(),
        [-x if i % 3 else x for i, x in enumerate(SMALL)],
    ),
    Messy(
        "brackets with spaces and a currency",
        utf8(table([f"( ${us(x)} )" if i % 3 else f" ${us(x)} " for i, x in enumerate(NUMBERS)], ";")),
        Amounts(".", ",", "$"),
        [-x if i % 3 else x for i, x in enumerate(NUMBERS)],
    ),
    Messy(
        "arabic digits",
        utf8(table([us(x).translate(ARABIC) for x in NUMBERS])),
        Amounts(".", ","),
        NUMBERS,
    ),
    Messy("marks that nobody sees", utf8(table([f"\u200e{x}\u200b" for x in SMALL])), Amounts(), SMALL),
    Messy("wide digits", utf8(table([f"{x}".translate(WIDE) for x in SMALL])), Amounts(), SMALL),
    Messy(
        "exponents behind a decimal comma",
        utf8(table([f"{x:.3E}".replace(".", ",") for x in NUMBERS], ";")),
        Amounts(",", ""),
        [float(f"{x:.3E}") for x in NUMBERS],
    ),
    Messy("rupees by lakh", utf8(table([f"₹ {lakh(x)}" for x in NUMBERS], ";")), Amounts(".", ",", "₹"), NUMBERS),
    Messy(
        "errors of a spreadsheet",
        utf8(table(["#DIV/0!", "#N/A", *(f"{x}" for x in SMALL[2:])])),
        Amounts(missing=("#DIV/0!", "#N/A")),
        [None, None, *SMALL[2:]],
    ),
    Messy("a line that says the separator", utf8("sep=;\n" + table([f"{x}" for x in SMALL], ";")), None, SMALL),
    Messy("NA", utf8(table(with_some([f"{x}" for x in SMALL], "NA"))), Amounts(missing=("NA",)), holed(SMALL)),
    Messy(
        "N/A in German",
        utf8(table(with_some([german(x) for x in NUMBERS], "N/A"), ";")),
        Amounts(",", ".", missing=("N/A",)),
        holed(NUMBERS),
    ),
    Messy("dashes", utf8(table(with_some([f"{x}" for x in SMALL], "-"))), Amounts(missing=("-",)), holed(SMALL)),
    Messy("null", utf8(table(with_some([f"{x}" for x in SMALL], "null"))), Amounts(missing=("null",)), holed(SMALL)),
    Messy("empty cells", utf8(table(with_some([f"{x}" for x in SMALL], ""))), None, holed(SMALL)),
    Messy(
        "NA among words",
        utf8(table(with_some(["red", "blue"] * 20, "NA"))),
        None,
        with_some(["red", "blue"] * 20, "NA"),
    ),
    Messy(
        "a declared spelling",
        utf8(table(with_some(["red", "blue"] * 20, "none of these"))),
        Texts(("none of these",)),
        holed(["red", "blue"] * 20),
        options={"missing": ["none of these"]},
    ),
    Messy("iso dates", utf8(table(DAYS)), Dates("ymd"), DAYS),
    Messy("german dates", utf8(table([day(d, "dmy", ".") for d in DAYS])), Dates("dmy"), DAYS),
    Messy("american dates", utf8(table([day(d, "mdy", "/") for d in DAYS])), Dates("mdy"), DAYS),
    Messy(
        "dates with a name",
        utf8(table([f"{int(d[8:])} {MONTHS[int(d[5:7]) - 1]} {d[:4]}" for d in DAYS])),
        Dates("d name y"),
        DAYS,
    ),
    Messy(
        "american names",
        utf8(table([f"{MONTHS[int(d[5:7]) - 1]} {int(d[8:])}, {d[:4]}" for d in DAYS], ";")),
        Dates("name d y"),
        DAYS,
    ),
    Messy(
        "dates and times",
        utf8(table([f"{d}T{i % 24:02d}:30:00Z" for i, d in enumerate(DAYS)])),
        Dates("ymd", True),
        [f"{d} {i % 24:02d}:30:00" for i, d in enumerate(DAYS)],
    ),
    Messy(
        "dates of several zones",
        utf8(table([f"{d}T{1 + i % 22:02d}:30:00{('+01:00', '-0100')[i % 2]}" for i, d in enumerate(DAYS)])),
        Dates("ymd", True),
        [f"{d} {1 + i % 22 + (-1, 1)[i % 2]:02d}:30:00" for i, d in enumerate(DAYS)],
    ),
    Messy(
        "dates of mails",
        utf8(table([f"{weekday(d)}, {int(d[8:])} {MONTHS[int(d[5:7]) - 1]} {d[:4]} 08:30:00 GMT" for d in DAYS], ";")),
        Dates("d name y", True),
        [f"{d} 08:30:00" for d in DAYS],
    ),
    Messy(
        "dates of logs",
        utf8(table([f"{weekday(d)} {MONTHS[int(d[5:7]) - 1]} {int(d[8:]):2d} 08:30:00 {d[:4]}" for d in DAYS])),
        Dates("name d clock y", True),
        [f"{d} 08:30:00" for d in DAYS],
    ),
    Messy(
        "dates of servers",
        utf8(table([f"{d[8:]}/{MONTHS[int(d[5:7]) - 1]}/{d[:4]}:08:30:00 +0000" for d in DAYS])),
        Dates("d name y", True),
        [f"{d} 08:30:00" for d in DAYS],
    ),
    Messy(
        "halves of the day",
        utf8(table([f"{day(d, 'mdy', '/')} {1 + i % 12}:30 {'ap'[i % 2]}m" for i, d in enumerate(DAYS)])),
        Dates("mdy", True),
        [f"{d} {(1 + i % 12) % 12 + 12 * (i % 2):02d}:30:00" for i, d in enumerate(DAYS)],
    ),
    Messy(
        "days that could be months",
        utf8(table([f"{1 + i % 12:02d}/{1 + i // 12:02d}/2023" for i in range(N)])),
        Dates("dmy"),
        [f"2023-{1 + i // 12:02d}-{1 + i % 12:02d}" for i in range(N)],
    ),
    Messy("a day that is none", utf8(table(["2023-02-31", *DAYS[1:]])), Texts(), ["2023-02-31", *DAYS[1:]]),
    Messy(
        "dates of two spellings",
        utf8(table([d if i % 2 else day(d, "dmy", ".") for i, d in enumerate(DAYS)])),
        Omitted(),
        None,
    ),
    Messy(
        "levels in several cases",
        utf8(table(["red", "blue", "RED", "red"] * 10)),
        Texts(),
        ["red", "blue", "RED", "red"] * 10,
    ),
    Messy("one level", utf8(table(["same"] * N)), AS_GIVEN, ["same"] * N),
    Messy("two-digit years", utf8(table([day(d, "dmy", "/")[:6] + d[2:4] for d in DAYS])), Dates("dmy"), DAYS),
    Messy("days in eight digits", utf8(table([d.replace("-", "") for d in DAYS])), Dates("compact"), DAYS),
    Messy(
        "days in eight digits, some unknown",
        utf8(table(with_some([d.replace("-", "") for d in DAYS], "NA"))),
        Dates("compact", missing=("NA",)),
        holed(DAYS),
    ),
    Messy(
        "moments without marks",
        utf8(table([f"{d.replace('-', '')}T{i % 24:02d}3000Z" for i, d in enumerate(DAYS)])),
        Dates("compact", True),
        [f"{d} {i % 24:02d}:30:00" for i, d in enumerate(DAYS)],
    ),
    Messy(
        "eight digits that are no days",
        utf8(table([f"{20230000 + 100 * i}" for i in range(N)])),
        None,
        [20230000.0 + 100 * i for i in range(N)],
    ),
    Messy(
        "months as a spreadsheet has them",
        utf8(table([f"{MONTHS[int(d[5:7]) - 1]}-{d[2:4]}" for d in DAYS])),
        Dates("name y"),
        [f"{d[:7]}-01" for d in DAYS],
    ),
    Messy("months of a year", utf8(table([d[:7] for d in DAYS])), Dates("y-m"), [f"{d[:7]}-01" for d in DAYS]),
    Messy(
        "months before the year",
        utf8(table([f"{d[5:7]}/{d[:4]}" for d in DAYS])),
        Dates("m-y"),
        [f"{d[:7]}-01" for d in DAYS],
    ),
    Messy("kilograms", utf8(table([f"{x} kg" for x in SMALL])), Amounts(".", "", "kg"), SMALL),
    Messy("speeds", utf8(table([german(x) + " km/h" for x in NUMBERS], ";")), Amounts(",", ".", "km/h"), NUMBERS),
    Messy("two units", utf8(table(["12 kg", "26 lb"] * 20)), None, ["12 kg", "26 lb"] * 20),
    Messy(
        "numbers joined with words",
        utf8(table([f"{i % 12}-door" for i in range(N)])),
        None,
        [f"{i % 12}-door" for i in range(N)],
    ),
    Messy(
        "ranges", utf8(table([f"{i % 6}0-{i % 6}9" for i in range(N)])), None, [f"{i % 6}0-{i % 6}9" for i in range(N)]
    ),
    Messy("names of digits and letters", utf8(table(["2WD", "4WD"] * 20)), None, ["2WD", "4WD"] * 20),
    Messy("unknown dates", utf8(table(with_some(DAYS, "?"))), Dates("ymd", missing=("?",)), holed(DAYS)),
    Messy(
        "times of day",
        utf8(table([f"{i % 24}:{i:02d}" for i in range(N)])),
        Dates("time"),
        [f"{i % 24:02d}:{i:02d}" for i in range(N)],
    ),
    Messy(
        "yes in several words",
        utf8(table(["yes", "no", "Y", "no", "true"] * 8)),
        Truths("yes", "no"),
        ["yes", "no", "yes", "no", "yes"] * 8,
    ),
    Messy("letters that are codes", utf8(table(["t", "f", "n", "t"] * 10)), None, ["t", "f", "n", "t"] * 10),
    Messy(
        "two units beside each number",
        utf8(table([f"${n % 13}.5k" for n in range(N)])),
        None,
        [f"${n % 13}.5k" for n in range(N)],
    ),
    Messy("ja and nein", utf8(table(["ja", "Nein", "Ja", "Nein"] * 10)), Truths("ja", "Nein"), ["ja", "Nein"] * 20),
    Messy(
        "yes and no and ?",
        utf8(table(["yes", "no", "?", "no"] * 10)),
        Truths("yes", "no", ("?",)),
        ["yes", "no", None, "no"] * 10,
    ),
    Messy("identifiers", utf8(table([f"REQ-{i:06d}" for i in range(N)])), Omitted(), None),
    Messy("free text", utf8(table(WORDS)), Documents(), WORDS),
    Messy(
        "zip codes",
        utf8(table(["01234", "99999", "00501", "10115"] * 10)),
        Texts(),
        ["01234", "99999", "00501", "10115"] * 10,
    ),
    Messy(
        "zip codes that are declared",
        utf8(table(["01234", "99999", "00501", "10115"] * 10)),
        None,
        ["01234", "99999", "00501", "10115"] * 10,
        options={"text": ["x"]},
    ),
    Messy("zip codes of every row", utf8(table([f"{2617 * i:05d}" for i in range(N)])), Omitted(), None),
    Messy("numbers in printed quotes", utf8(table([f"“{x}”" for x in SMALL])), Amounts(), SMALL),
    Messy(
        "per cent in some cells",
        utf8(table([f"{x} %" if i % 2 else f"{x}" for i, x in enumerate(SMALL)])),
        Amounts(".", "", "%"),
        SMALL,
    ),
    Messy(
        "points and commas",
        utf8(table([f"{1 + i % 13}.55" if i % 2 else f"{1 + i % 13},5" for i in range(N)], ";")),
        Texts(),
        [f"{1 + i % 13}.55" if i % 2 else f"{1 + i % 13},5" for i in range(N)],
    ),
    Messy("days of weeks", utf8(table([iso_week(d, "-") for d in DAYS])), Dates("y-week-d"), DAYS),
    Messy("days of weeks, joined", utf8(table([iso_week(d, "") for d in DAYS])), Dates("y-week-d"), DAYS),
    Messy(
        "weeks",
        utf8(table([iso_week(d, "-")[:8] for d in DAYS])),
        Dates("y-week"),
        [str(dt.date.fromisoformat(d) - dt.timedelta(dt.date.fromisoformat(d).weekday())) for d in DAYS],
    ),
    Messy(
        "hours beyond a day",
        utf8(table([f"{3 * i}:{i:02d}:30" for i in range(N)])),
        Dates("hours"),
        [f"{10860 * i + 30} s" for i in range(N)],
    ),
    Messy(
        "latin-1",
        table(["größer", "klein"] * 20).encode("latin-1"),
        None,
        ["größer", "klein"] * 20,
        options={"encoding": "latin-1"},
    ),
    Messy("utf-16", table(["größer", "klein"] * 20).encode("utf-16"), None, ["größer", "klein"] * 20),
    Messy(
        "a mark and Windows line ends",
        b"\xef\xbb\xbf" + utf8(table([f"{x}" for x in SMALL], newline="\r\n")),
        None,
        SMALL,
    ),
    Messy("comments above", utf8(table([f"{x}" for x in SMALL], head="# made on Monday\n# by hand\n")), None, SMALL),
    Messy(
        "comments between", utf8(table(["%1", *(f"{x}" for x in SMALL[1:])])), None, SMALL[1:], options={"comment": "%"}
    ),
    Messy(
        "packed", gzip.compress(utf8(table([german(x) for x in NUMBERS], ";"))), Amounts(",", "."), NUMBERS, ".csv.gz"
    ),
    Messy(
        "a workbook",
        workbook(with_some([f"{x}" for x in SMALL], "n/a")),
        Amounts(missing=("n/a",)),
        holed(SMALL),
        ".xlsx",
    ),
]
"""All of them."""
