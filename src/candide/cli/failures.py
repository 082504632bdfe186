"""Failures: one clear line for each, and the exit code that says whose fault it is."""

from __future__ import annotations

import os
import re
import traceback

import click

from candide.messages import visible

BAD_INPUT, DEFECT = 2, 1

PARAMETER = re.compile(r"\b(smoothing|combination|prior|unseen)=((['\"])[\w.-]+\3)")
"""A parameter that the command calls as the library does, with a word as its value."""


class BadInput(click.ClickException):
    """Something given by the user that cannot be used; the message says what, where, and what to do."""

    exit_code = BAD_INPUT


class ClosedPipe(Exception):  # noqa: N818  # no error: the reader has seen enough
    """Whoever read our output has gone."""


def explained(error: Exception) -> tuple[int, str]:
    """Return the exit code and the line that stand for an error."""
    code, line = _explained(error)
    return code, visible(line)


def _explained(error: Exception) -> tuple[int, str]:
    if isinstance(error, click.UsageError) and error.ctx is not None:
        return BAD_INPUT, f"{error.ctx.command_path}: {one_line(error.format_message())} (see {_help(error.ctx)})"
    if isinstance(error, click.ClickException):
        return BAD_INPUT, f"candide: {one_line(error.format_message())}"
    if isinstance(error, OSError):
        name = "" if error.filename is None else f"{os.fsdecode(error.filename)}: "
        return BAD_INPUT, f"candide: {name}{error.strerror or one_line(str(error))}"
    if isinstance(error, ImportError) and _ours(error):
        return BAD_INPUT, f"candide: {one_line(str(error))}"
    if isinstance(error, (ValueError, TypeError)) and _ours(error):
        notes = "".join(f" ({note})" for note in getattr(error, "__notes__", ()))
        return BAD_INPUT, f"candide: {in_words_of_the_command(one_line(str(error) + notes))}"
    name = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return DEFECT, f"candide: unexpected {one_line(name)}; 'candide --debug ...' shows where, please report it"


def in_words_of_the_command(text: str) -> str:
    """Return a message of the library with the options that its parameters are.

    Examples
    --------
    >>> in_words_of_the_command("use combination='product', or unseen='ignore'")
    "use --combination 'product', or --unseen 'ignore'"
    """
    return PARAMETER.sub(r"--\1 \2", text)


def _help(ctx: click.Context) -> str:
    return f"{ctx.command_path} --help"


def _ours(error: Exception) -> bool:
    """Whether the library refused something; this package says BadInput, other libraries do not know the user."""
    frames = [str(frame.f_globals.get("__name__")) for frame, _ in traceback.walk_tb(error.__traceback__)]
    return bool(frames) and frames[-1].startswith("candide.") and not frames[-1].startswith("candide.cli.")


def one_line(text: str, limit: int = 500) -> str:
    r"""Return a message as one line of bounded length.

    Examples
    --------
    >>> one_line("columns differ:\n- weight\n- wheels\n")
    'columns differ: weight, wheels'
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    out = ""
    for line in lines:
        item = line.removeprefix("- ")
        out += f"{', ' if item != line and not out.endswith(':') else ' '}{item}"
    out = out.strip().removesuffix(".")
    return out if len(out) <= limit else f"{out[: limit - 3]}..."
