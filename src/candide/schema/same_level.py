"""The same level in another spelling: a number and its text, yes in another case or language; and what is nearly so."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from candide.messages import shortened, warn
from candide.reading.base import spelt
from candide.reading.numerals import plain_number
from candide.reading.texts import MISSING as MISSING_SPELLINGS
from candide.reading.texts import is_missing_spelling
from candide.reading.truths import DIGITS, MEANS, meaning
from candide.schema.cells import MISSING, UNSEEN, Levels

STARTS = "123456789.+-"
"""What a number begins with, without leading zeros."""

SHOWN = 3
"""Variants of levels that a warning shows."""


class NearLevels(UserWarning):  # a warning
    """Levels that are not known, and differ from known ones in case, spaces or leading zeros alone."""


def spellings(level: Any) -> Iterable[Any]:
    """Yield what else a level may be written as.

    Examples
    --------
    >>> list(spellings(1.0)), list(spellings("2"))
    (['1', '1.0', '1.0'], [2.0])
    """
    if isinstance(level, str):
        try:
            yield float(level)
        except ValueError:
            if level in ("True", "true", "False", "false"):
                yield level.lower() == "true"
    elif level is None:
        return
    elif isinstance(level, bool):
        yield from (str(level), str(level).lower(), str(level).upper(), str(int(level)))
    else:
        yield from (spelt(level), str(level), f"{float(level)}")


def truths(levels: Collection[Any]) -> dict[bool, Any]:
    """Return the levels that mean no and yes, where just two do and there are no others; nothing otherwise.

    Examples
    --------
    >>> truths(["nein", "ja"]), truths([False, True]), truths(["f", "m"])
    ({False: 'nein', True: 'ja'}, {False: False, True: True}, {})
    """
    if len(levels) != 2 or not all(isinstance(level, (str, bool)) for level in levels):
        return {}
    told = {means: level for level in levels if (means := meaning(str(level))) is not None}
    return told if len(told) == 2 else {}


def position(level: Any, axis: Levels) -> int:
    """Return the position of a level, in whichever of its spellings it is known.

    A number and its texts are one level, whichever of them was learnt: 1, "1" and the "1.0" of a file, unless several
    texts of a number are levels of their own. A code such as "01" is no number.

    An empty text is a missing cell, as it is in files, unless it is a level. Where levels are yes and no, so are words
    of other cases and languages, and what is usually written in a missing cell is one.

    Examples
    --------
    >>> axis = Levels.of([], ["no", "yes"])
    >>> [position(level, axis) for level in ("yes", "YES", True, 0, "", "n/a", "perhaps")]
    [1, 1, 1, 0, -1, -1, -2]
    >>> [position(level, Levels.of([], ["1", "1.50"])) for level in (1, "1.0", 1.5, "1.500", "01")]
    [0, 0, 1, 1, -2]
    """
    place = axis.place
    written = [level, *spellings(level)]
    found = next((place[other] for other in written if other in place), UNSEEN)
    if found != UNSEEN or level is None:
        return found
    number = plain_number(level)
    if number is not None and number in axis.by_number:
        return axis.by_number[number]
    told = truths(place)
    means = {meaning(spelt(other)) for other in written} - {None} if told else set()
    if means:
        return place[told[bool(means.pop())]]
    text = spelt(level)
    return MISSING if not text.strip() or (told and is_missing_spelling(text)) else UNSEEN


def odd(levels: Collection[Any]) -> set[str]:
    """Return texts, without case, ends and leading zeros, that may be levels in another spelling, or missing cells.

    Where a level is a number, any text that begins as one may be its: such a beginning stands behind a zero.

    Examples
    --------
    >>> sorted(odd(["First", "03"]))
    ['', '3', 'first']
    >>> sorted(odd(["7"]))[:5]
    ['', '0+', '0-', '0.', '01']
    """
    own = {"", *map(folded, levels)}
    others = {*MEANS, *DIGITS, *MISSING_SPELLINGS} if truths(levels) else set()
    numeric = any(plain_number(level) is not None for level in levels)
    return {text.lstrip("0") for text in own | others} | {f"0{start}" for start in STARTS if numeric}


def folded(level: Any) -> str:
    """Return a level without what is easily written otherwise: case, spaces around it, zeros before its digits.

    Examples
    --------
    >>> folded("First "), folded("03"), folded(3), folded(3.0), folded("0"), folded("0.5")
    ('first', '3', '3', '3', '0', '0.5')
    """
    text = spelt(level).strip().casefold()
    return (text.lstrip("0") or "0") if text.isdigit() else text


def near(level: Any, known: Iterable[Any]) -> Any:
    """Return the level that differs from another in case, spaces or leading zeros alone, None where none does.

    Examples
    --------
    >>> near("First ", ["first", "second"]), near(3, ["03", "10"])
    ('first', '03')
    """
    if level is None:
        return None
    wanted = folded(level)
    return next((k for k in known if isinstance(k, str) and folded(k) == wanted), None)


def warn_near(column: Any, unseen: Iterable[Any], known: Iterable[Any]) -> None:
    """Say which levels are not known though a variant of them is; Python tells the same text once."""
    for line in near_told(column, unseen, known):
        warn(line, NearLevels)


def near_told(column: Any, unseen: Iterable[Any], known: Iterable[Any]) -> list[str]:
    """Return the line that says which levels are not known though a variant of them is; none where none is so.

    Examples
    --------
    >>> near_told("class", ["First", "fourth"], ["first", "second"])
    ["column 'class': 'First' is not known; 'first' is"]
    """
    by_fold = {folded(k): k for k in known if isinstance(k, str)}
    pairs = [(u, by_fold[folded(u)]) for u in unseen if u is not None and folded(u) in by_fold]
    told = ", ".join(f"{shortened(u)} is not known; {shortened(k)} is" for u, k in pairs[:SHOWN])
    more = f", and {len(pairs) - SHOWN} more" if len(pairs) > SHOWN else ""
    return [f"column {column!r}: {told}{more}"] if pairs else []
