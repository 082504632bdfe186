"""Layout: how wide the columns of a table on a terminal are, and where their words go on in the next line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

WORD = 36
"""Characters of a word, such as a name or a level, beyond which it may be broken."""

BETWEEN, EDGE = 3, 1
"""Characters that the table on a terminal puts beside each column, and around all of them."""
JOINTS = (",", "./", "_-")
"""Where a word may go on in the next line: those of a kind only where there is none of those before."""


SIGNS = "<>+-−×÷ "
"""What may stand before a number, and stays with it."""


def longest_word(texts: Iterable[str]) -> int:
    """Return the width below which some text would be broken within a word; a number goes with its unit.

    Examples
    --------
    >>> longest_word(["balanced accuracy", "0.5"]), longest_word(["61.67 ± 1.76"]), longest_word(["< 0.001"])
    (8, 12, 7)
    """
    from rich.cells import cell_len

    words = (word for text in texts for word in ([text] if _measured(text) else text.split()))
    return max(map(cell_len, words), default=0)


def at_joints(text: str, width: int) -> str:
    r"""Return text whose words that are wider than a column go on in the next line, behind a joint where they have one.

    Examples
    --------
    >>> at_joints("mean_of_consumption in kWh", 12)
    'mean_of_\nconsumption in kWh'
    >>> at_joints("linear.Regression,max_iter=1", 24)
    'linear.Regression,\nmax_iter=1'
    """
    words = []
    for word in text.split(" "):
        pieces, rest = [], word
        while len(rest) > width > 0:  # ends: the rest is shorter each time
            cuts = (max(rest.rfind(joint, 0, width) for joint in kind) + 1 for kind in JOINTS)
            cut = next(filter(None, cuts), 0)
            pieces.append(rest[: cut or width])
            rest = rest[cut or width :]
        words.append("\n".join([*pieces, rest]))
    return " ".join(words)


def _measured(text: str) -> bool:
    """Whether a text is a number with what belongs to it."""
    return text.lstrip(SIGNS)[:1].isdigit() and len(text) <= WORD and not any(map(str.isalpha, text))


def side_by_side(widths: Sequence[int], room: int) -> list[list[int]]:
    """Return which columns stand side by side in each part of a table, the first of them in every part.

    Examples
    --------
    >>> side_by_side([10, 20, 30, 5], 80), side_by_side([10, 20, 30, 5], 55)
    ([[0, 1, 2, 3]], [[0, 1], [0, 2, 3]])
    """
    parts: list[list[int]] = [[0]]
    for j in range(1, len(widths)):
        if len(parts[-1]) > 1 and sum(widths[k] + BETWEEN for k in [*parts[-1], j]) > room:
            parts.append([0])
        parts[-1].append(j)
    return parts


def shared(widest: Sequence[int], narrowest: Sequence[int], room: int) -> list[int]:
    """Return the widths of columns that share some room: as wide as their cells, or the widest of them less.

    Where there is no room for the longest words either, these go on behind their joints.

    Examples
    --------
    >>> shared([10, 40, 12], [10, 6, 6], 80), shared([10, 40, 12], [10, 6, 6], 30), shared([36, 32], [36, 32], 54)
    ([10, 40, 12], [10, 10, 10], [27, 27])
    """
    widths = list(widest)
    while sum(widths) > max(room, len(widths)):  # ends: the sum falls by one each time
        slack = [w if w > least else 0 for w, least in zip(widths, narrowest, strict=True)]
        wide = slack if any(slack) else widths
        widths[wide.index(max(wide))] -= 1
    return widths
