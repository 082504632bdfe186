"""What was given, as named columns of numbers, symbols and bags."""

from candide.table.bags import Bags
from candide.table.columns import Numbers, Symbols, as_symbols, booleans_as_numbers
from candide.table.read import read
from candide.table.table import Kind, Table

__all__ = ["Bags", "Kind", "Numbers", "Symbols", "Table", "booleans_as_numbers", "as_symbols", "read"]
