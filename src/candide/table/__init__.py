"""What was given, as named columns of numbers and symbols."""

from candide.table.columns import Numbers, Symbols, as_symbols, booleans_as_numbers
from candide.table.read import read
from candide.table.table import Table

__all__ = ["Numbers", "Symbols", "Table", "booleans_as_numbers", "as_symbols", "read"]
