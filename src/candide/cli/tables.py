"""Tables: opened as sources by the words of a shell, and looked at before anything is learnt from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from candide.cli.failures import BadInput
from candide.messages import unknown
from candide.reading.omitted import INDEX
from candide.sources.base import Reading
from candide.sources.opening import STANDARD_INPUT
from candide.sources.spelling import looks_numeric

if TYPE_CHECKING:
    from candide.sources.files import Files

ABOVE = "; if lines stand above the names of the columns, take them away, or have them begin with #"

UNNAMED = "; does the first line name the columns?"


def open_tables(tables: Sequence[str], reading: Reading) -> Files:
    """Return tables as one source; "-" is standard input."""
    from candide.sources.files import Files

    return Files(table_files(tables), reading)


def table_files(tables: Sequence[str]) -> list[str]:
    """Return the files that tables, folders and patterns name; "-" is standard input."""
    from candide.sources.paths import expand

    if STANDARD_INPUT not in tables:
        return expand(tables)
    if len(tables) > 1:
        raise BadInput("standard input is one table: it is read alone, or not at all")
    return list(tables)


def open_arriving(reading: Reading, most: int | None) -> Any:
    """Return standard input as a source that is answered as it comes, or, where it is no text, as a file is."""
    from candide.sources.arriving import Arriving
    from candide.sources.decoding import decoded
    from candide.sources.files import Files
    from candide.sources.formats import FORMATS, LONGEST_MAGIC, format_of
    from candide.sources.opening import open_bytes, spooled, whole

    stream, _ = open_bytes(STANDARD_INPUT, Arriving.name)
    with whole(Arriving.name):
        start = stream.peek(LONGEST_MAGIC)
    kind = reading.format or format_of(start) or "csv"
    if not FORMATS[kind].in_lines or start.lstrip().startswith(b"["):
        source = Files([STANDARD_INPUT], reading)
        source.keep(spooled(stream))
        return source
    comment = reading.comment if FORMATS[kind].cells == "text" else None
    text = decoded(stream, reading.encoding, comment, Arriving.name, reading.replace_invalid)
    return Arriving(text, replace(reading, format=kind), most)


def attribute_names(source: Files, reading: Reading) -> list[str]:
    """Return the columns to learn from, after a look at the names of all."""
    here = source.names()
    loose = here is None
    names = list(source.cell_types()) if here is None else here
    if not names:
        raise BadInput(f"{source.name} has no rows to learn from")
    for what, name in _named(reading):
        some_have = loose or INDEX.fullmatch(name) is not None  # objects, and files that pandas wrote, may differ in it
        if name not in names and not (some_have and name in reading.exclude):
            above = ABOVE if len(names) == 1 else UNNAMED if any(map(looks_numeric, names)) else ""
            raise BadInput(f"{source.name}: {what}{unknown('column', name, names)}{above}")
    apart = {reading.target, reading.weight}
    if reading.target == reading.weight:
        raise BadInput(f"the target {reading.target!r} cannot be the weight as well")
    lost = next((name for name in reading.exclude if name in apart), None)
    if lost is not None:
        raise BadInput(f"--exclude: {lost!r} is the target or the weights, which cannot be left out")
    if "" in names and "" not in reading.exclude:
        at = names.index("")
        last = "a separator at the end of each line" if at == len(names) - 1 else "names in two lines, or joined cells"
        why = "an index that pandas wrote" if at == 0 else last
        raise BadInput(f"{source.name}: column {at} has no name ({why}?): name it, or leave it out with --exclude ''")
    found = [name for name in names if name not in apart | set(reading.exclude)]
    if not found:
        raise BadInput(f"{source.name} has no column besides {reading.target!r} to learn from")
    return found


def _named(reading: Reading) -> list[tuple[str, str]]:
    """Return the columns that the options name, and the option to name in a message."""
    named = [("", reading.target), ("--weight: ", reading.weight), *(("--exclude: ", name) for name in reading.exclude)]
    return [(what, name) for what, name in named if name is not None]
