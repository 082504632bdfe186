"""Columns of Polars: its own codes and numbers serve where it holds them."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.table.arrays import encode_array, installed, text_symbols, unreadable
from candide.table.arrow import arrow_text, from_dictionary, single
from candide.table.columns import Array, Numbers, Symbols, booleans, holed_integers, level_array
from candide.table.objects import SMALL, plain_levels


def encode_polars(values: Any, where: str) -> Numbers | Symbols:
    """Return the column of a Polars series."""
    import polars as pl

    dtype = values.dtype
    if dtype == pl.Enum:
        return Symbols(_physical(values), plain_levels(dtype.categories.to_list(), where), declared=True)
    if dtype in (
        pl.String,
        pl.Categorical,
    ):  # a set would compare hashes, which differ from class to instance
        return _polars_text(values, where)
    if dtype == pl.Binary:
        return text_symbols(values.to_list(), where)
    if dtype == pl.Boolean:
        return booleans(values.cast(pl.Int8).fill_null(-1).to_numpy())
    if dtype.is_integer() and values.null_count() and "128" not in str(dtype):
        return holed_integers(values.fill_null(0).to_numpy(), values.is_not_null().to_numpy())
    return encode_array(_polars_numbers(values, where), where)


def _polars_numbers(values: Any, where: str) -> Array:
    import polars as pl

    dtype = values.dtype
    if dtype == pl.Null or dtype.is_decimal() or "128" in str(dtype):
        values = values.cast(pl.Float64)
    elif dtype == pl.Time:
        values = values.cast(pl.Duration("ns"))
    elif dtype == pl.Object:
        return level_array(values.to_list())
    elif not (dtype.is_numeric() or dtype.is_temporal()):
        raise unreadable(dtype, where)
    cells: Array = values.to_numpy()
    return cells


def _polars_text(values: Any, where: str) -> Symbols:
    """Code Polars text: through Arrow where PyArrow is installed, otherwise by its own casts."""
    import polars as pl

    if len(values) <= SMALL:
        return text_symbols(values.to_list(), where)
    if installed("pyarrow"):
        if values.dtype == pl.String:
            return arrow_text(_shared(values), where)
        return from_dictionary(single(values.to_arrow()), where, declared=False)
    values = values.cast(pl.String)
    levels = values.drop_nulls().unique(maintain_order=True)
    return Symbols(_physical(values.cast(pl.Enum(levels))), plain_levels(levels.to_list(), where))


def _shared(values: Any) -> Any:
    """Return Polars text as an Arrow array in the same memory, where this release of Polars can; else copied."""
    import polars as pl

    level = getattr(pl, "CompatLevel", None)
    return values.to_arrow() if level is None else values.to_arrow(compat_level=level.newest())


def _physical(values: Any) -> Array:
    """Return the codes of a Polars Enum series; a view where no null has to be filled."""
    import polars as pl

    physical = values.to_physical()
    kind = np.dtype(str(physical.dtype).lower())
    if physical.null_count() or len(values.dtype.categories) > np.iinfo(f"i{kind.itemsize}").max:
        physical = physical.cast(pl.Int32).fill_null(-1)
    codes: Array = physical.to_numpy()
    return codes.view(f"i{codes.itemsize}")
