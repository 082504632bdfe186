"""Reading: what the text of a column means, recognised once, said, and kept, so that later rows are read alike."""

from candide.reading.amounts import Amounts
from candide.reading.base import ColumnReader, ReadAs, UnreadableError
from candide.reading.dates import Dates
from candide.reading.documents import Documents
from candide.reading.finding import find
from candide.reading.looking import as_reading, look
from candide.reading.omitted import Omitted
from candide.reading.table_reading import ReadingWarning, TableReading
from candide.reading.texts import Texts
from candide.reading.truths import Truths

READERS: tuple[type[ColumnReader], ...] = (Amounts, Dates, Truths, Texts, Documents, Omitted)
"""Every way in which a column is read."""

__all__ = [
    "READERS",
    "Amounts",
    "Dates",
    "Documents",
    "Omitted",
    "ReadAs",
    "ReadingWarning",
    "ColumnReader",
    "TableReading",
    "Truths",
    "UnreadableError",
    "Texts",
    "as_reading",
    "find",
    "look",
]
