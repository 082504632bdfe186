"""Labels: the class of every row, as a code into the sorted classes."""

from __future__ import annotations

import numbers
import warnings
from collections.abc import KeysView, Sequence, ValuesView
from dataclasses import dataclass
from typing import Any

import numpy as np

from candide import native
from candide.messages import shortened
from candide.table.arrays import is_masked
from candide.table.columns import Array, Numbers, Symbols, factorize_numbers, level_array, whole_numbers
from candide.table.encode import encode, library
from candide.table.objects import BOOLEAN, NUMBER, TEXT, WRITABLE, MixedKindsError, code_objects, kind_of

SHORT: dict[int, Any] = {4: np.uint32, 8: np.uint64}
"""Integers of as many bytes as one and two characters have in an array."""


@dataclass(frozen=True, eq=False, slots=True)
class Labels:
    """Labels, coded.

    Parameters
    ----------
    codes : (n_rows,) int8 to int64
        Positions in `classes`.
    classes : (n_classes,) array
        The labels that occur, sorted.
    """

    codes: Array
    classes: Array


def read_labels(y: Any, n_rows: int) -> Labels:
    """Code one label per row.

    Labels are text, booleans or whole numbers, or tuples of these: what a file can hold. Numbers keep their NumPy
    type; a declared category without rows is not a class.

    Parameters
    ----------
    y : sequence, array or series of n_rows labels
    n_rows : int
        How many are needed.

    Examples
    --------
    >>> labels = read_labels(["yes", "no", "yes"], 3)
    >>> labels.codes.tolist(), labels.classes.tolist()
    ([1, 0, 1], ['no', 'yes'])
    """
    if y is None:
        raise ValueError("This classifier requires y to be passed, but the target y is None")
    if isinstance(y, (KeysView, ValuesView)):
        y = list(y)
    if type(y) is list and len(y) == n_rows and native.kernels() == "native":
        texts = native.text_codes(y)
        if texts is not None:
            return _label_coded_texts(*texts)
    y = _one_dimension(y)
    if len(y) != n_rows:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {[n_rows, len(y)]}")
    if isinstance(y, np.ndarray) and y.dtype.kind == "U" and y.dtype.itemsize in SHORT and y.dtype.isnative:
        return _label_short_texts(np.ascontiguousarray(y))
    if isinstance(y, np.ndarray) and y.dtype.kind == "U" and y.dtype.itemsize and native.kernels() == "native":
        return _label_fixed_texts(np.ascontiguousarray(y))
    if isinstance(y, np.ndarray) and y.dtype.kind in "OUST":
        return _label_objects(y.astype(object, copy=False))
    if isinstance(y, np.ndarray) and y.dtype.kind == "b":
        return Labels(*_code(y))
    column = encode(y, "y")
    return _label_numbers(column) if isinstance(column, Numbers) else _label_symbols(column)


def column_labels(column: Numbers | Symbols) -> Labels:
    """Return the labels that a column of a table holds."""
    if isinstance(column, Symbols):
        return _label_symbols(column)
    return _label_numbers(column) if column.exact is None else _label_symbols(column.exact)


def code_labels(y: Any, classes: Array) -> Array:
    """Code labels by classes known before; -1 where a label is none of them.

    Examples
    --------
    >>> import numpy as np
    >>> code_labels(["b", "c", "a"], np.array(["a", "b"])).tolist()
    [1, -1, 0]
    """
    labels = read_labels(y, len(y))
    code = {label: i for i, label in enumerate(classes.tolist())}
    place = np.array([code.get(label, -1) for label in labels.classes.tolist()], np.int32)
    codes: Array = place[labels.codes]
    return codes


def _one_dimension(y: Any) -> Any:
    """Return labels as a NumPy or another library's 1-d array; a single column serves, with a warning."""
    origin = library(y)
    if hasattr(y, "collect"):
        raise TypeError(f"y is a {type(y).__name__}, whose rows are not there yet: collect it, and give its column")
    if origin is not None and hasattr(y, "columns"):
        y = _only_column(y, origin)
    if origin == "pandas":
        return np.asarray(y) if isinstance(y.dtype, np.dtype) else getattr(y, "array", y)
    if origin is not None:
        return y
    if is_masked(y) and np.ma.is_masked(y):
        raise _missing(int(np.ma.getmaskarray(y).argmax()))
    array = listed(y) if isinstance(y, (list, tuple)) else np.asarray(y)
    if array.ndim == 2 and array.shape[1] == 1:
        _warn_column()
        array = array[:, 0]
    if array.ndim == 0:
        raise ValueError(f"y is {shortened(y)}: give a label for each row, or the name of a column, which is text")
    if array.ndim != 1:
        raise _not_1d(array.shape)
    return array


def listed(y: Sequence[Any]) -> Array:
    """Return a list of labels as an array that changes none of them."""
    kinds = set(map(type, y))
    dtypes: dict[type, type] = {int: np.int64, float: np.float64, bool: np.bool_}
    try:
        return np.array(y, dtypes.get(kinds.pop(), object) if len(kinds) == 1 else object)
    except OverflowError:
        return np.array(y, object)


def _only_column(frame: Any, origin: str) -> Any:
    if frame.shape[1] != 1:
        raise _not_1d(frame.shape)
    _warn_column()
    if origin == "pandas":
        return frame.iloc[:, 0]
    return frame.to_series(0) if origin == "polars" else frame.column(0)


def _not_1d(shape: tuple[int, ...]) -> ValueError:
    return ValueError(f"y should be a 1d array, got an array of shape {shape} instead.")


def _warn_column() -> None:
    from sklearn.exceptions import DataConversionWarning

    message = (
        "A column-vector y was passed when a 1d array was expected. "
        "Please change the shape of y to (n_samples, ), for example using ravel()."
    )
    warnings.warn(message, DataConversionWarning, stacklevel=5)


def _code(values: Array) -> tuple[Array, Array]:
    codes, classes = native.label_codes(values)
    return codes, classes.astype(values.dtype)


def _label_numbers(column: Numbers) -> Labels:
    """Code numbers; they must be whole."""
    values = column.values
    if column.measure in ("moment", "duration"):
        raise TypeError("y holds dates or durations; labels are text, booleans or whole numbers: convert it to text")
    if whole_numbers(values) is None:
        _check_whole(values)
    return Labels(*factorize_numbers(values))


def _check_whole(values: Array) -> None:
    """Say which label is missing, infinite or not whole, if one is."""
    for wrong, error in ((np.isnan, _missing), (np.isinf, _infinite)):
        if wrong(values).any():
            raise error(int(wrong(values).argmax()))
    broken = np.trunc(values) != values
    if broken.any():
        row = int(broken.argmax())
        raise ValueError(
            f"Unknown label type: continuous. The label of row {row} is {values[row]}; "
            "a classifier needs classes, so cut the numbers into intervals or use text labels"
        )


def _infinite(row: int) -> ValueError:
    return ValueError(
        f"Input y contains infinity or a value too large for dtype('float64'). The label of row {row} is infinite"
    )


def _missing(row: int) -> ValueError:
    return ValueError(f"Input y contains NaN. The label of row {row} is missing; leave such rows out")


def _label_symbols(column: Symbols, all_occur: bool = False) -> Labels:
    """Code a column of symbols: keep the levels that occur, sorted."""
    if all_occur:
        seen = np.arange(len(column.levels))
    else:
        found = native.distinct(column.codes, len(column.levels) + 1)
        assert found is not None  # there are no more codes than levels, and the missing one
        seen = found.astype(np.int64)
    if len(seen) and seen[0] < 0:
        raise _missing(int((column.codes < 0).argmax()))
    levels = column.levels[seen].tolist()
    for code, level in zip(seen.tolist(), levels, strict=True):
        if not _is_label(level):
            raise TypeError(
                f"the label of row {int((column.codes == code).argmax())} is {level!r} of type {type(level).__name__}; "
                "labels are text, booleans or whole numbers: convert them to text"
            )
    if any(isinstance(level, float) for level in levels):
        _check_whole(column.levels.astype(float)[column.codes])
    try:
        order = np.array(sorted(range(len(levels)), key=levels.__getitem__), np.intp)
    except TypeError:
        raise TypeError("labels that are tuples of several types have no order; use text labels") from None
    rank = np.zeros(max(len(column.levels), 1), np.int32)
    rank[seen[order]] = np.arange(len(levels), dtype=np.int32)
    in_order = len(levels) == len(rank) and bool((rank[:-1] < rank[1:]).all())
    as_they_are = in_order and column.codes.dtype.kind == "i"  # small ones stay so
    codes = column.codes if as_they_are else rank.take(column.codes, mode="clip")
    return Labels(codes, _class_array([levels[i] for i in order]))


def _class_array(classes: list[Any]) -> Array:
    """Return sorted classes in NumPy's type for them, or as objects where it would change one."""
    if not all(isinstance(label, (str, bool, int, float)) for label in classes):
        return level_array(classes)
    result = np.array(classes)
    # 2**63 and -1 have float64 in common, which is equal to both and neither of them
    whole = result.dtype.kind != "f" or any(isinstance(label, float) for label in classes)
    return result if whole and result.tolist() == classes else level_array(classes)


def _label_short_texts(texts: Array) -> Labels:
    """Code texts of so few characters that each is an integer."""
    codes, keys = native.label_codes(texts.view(SHORT[texts.dtype.itemsize]))
    levels = keys.astype(SHORT[texts.dtype.itemsize]).view(texts.dtype).tolist()
    return _label_symbols(Symbols(codes, level_array(levels)))


def _label_fixed_texts(texts: Array) -> Labels:
    """Code texts that lie in an array, of which no objects are made."""
    codes, first = native.fixed_codes(texts.view(np.uint8).reshape(len(texts), -1))
    classes = texts[first].tolist()
    order = sorted(range(len(classes)), key=classes.__getitem__)
    if order != list(range(len(classes))):
        rank = np.empty(len(classes), np.int32)
        rank[order] = np.arange(len(classes), dtype=np.int32)
        codes = rank.take(codes)
    return Labels(codes, np.array([classes[i] for i in order]))


def _label_objects(values: Array) -> Labels:
    """Code labels given as Python objects."""
    try:
        codes, levels = code_objects(values)
    except TypeError:
        row = next(row for row, label in enumerate(values) if not _hashable(label))
        raise TypeError(f"the label of row {row} is a {type(values[row]).__name__}, which has no hash") from None
    if all(isinstance(level, str) for level in levels):
        return _label_coded_texts(codes, levels)
    _check_there(codes)
    _check_one_type(values)
    if isinstance(levels[0], (bool, np.bool_)):
        return Labels(*_code(values.astype(bool)))
    if isinstance(levels[0], numbers.Real):
        return _label_python_numbers(values, codes, levels)
    return _label_symbols(Symbols(codes, level_array(levels)))


def _label_coded_texts(codes: Array, levels: list[str]) -> Labels:
    """Code texts that were coded as they came."""
    _check_there(codes)
    return _label_symbols(Symbols(codes, level_array(list(map(str, levels)))), all_occur=True)


def _check_there(codes: Array) -> None:
    """Say which label is missing, if one is."""
    if len(codes) and codes.min() < 0:
        raise _missing(int((codes < 0).argmax()))


def _label_python_numbers(values: Array, codes: Array, levels: list[Any]) -> Labels:
    if all(isinstance(level, numbers.Integral) for level in levels):
        return _label_symbols(Symbols(codes, level_array([int(level) for level in levels])))
    return _label_numbers(Numbers(values.astype(float)))


def _check_one_type(values: Array) -> None:
    """Refuse labels of several types, such as text and numbers, or booleans and numbers."""
    if len({_type_name(kind) for kind in set(map(type, values.tolist()))}) == 1:
        return
    first = _type_name(type(values[0]))
    row = next(row for row, label in enumerate(values) if _type_name(type(label)) != first)
    writable = WRITABLE.issuperset(kind_of(kind) for kind in set(map(type, values.tolist())))
    raise (MixedKindsError if writable else TypeError)(
        f"labels must be of one type: row 0 has {values[0]!r} ({type(values[0]).__name__}), "
        f"row {row} has {values[row]!r} ({type(values[row]).__name__})"
    )


def _type_name(type_: type) -> str:
    kind = kind_of(type_)
    return kind if kind in {TEXT, BOOLEAN, NUMBER} else type_.__name__


def _is_label(label: Any) -> bool:
    """Whether a label is text, a boolean, a number or a tuple of these, as files hold them."""
    return all(map(_is_label, label)) if isinstance(label, tuple) else isinstance(label, (str, bool, int, float))


def _hashable(label: Any) -> bool:
    try:
        hash(label)
    except TypeError:
        return False
    return True
