"""The command's root: subcommands loaded when asked for, and every failure told in one line."""

from __future__ import annotations

import os
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from candide import process
from candide.cli import signals
from candide.cli.failures import ClosedPipe, explained
from candide.cli.screens import filled, note
from candide.writing import steady

COMMANDS = {
    "fit": "fit",
    "predict": "predict",
    "explain": "explain",
    "questions": "questions",
    "inspect": "inspect",
    "report": "report",
    "merge": "algebra",
    "update": "algebra",
    "forget": "algebra",
    "evaluate": "evaluate",
    "slim": "slim",
    "privatize": "privatize",
    "serve": "serve",
    "export": "export",
    "reproduce": "reproduce",
    "demo": "demo",
}
"""Each subcommand and the module of `candide.cli.commands` that holds it."""

ALONE = ("fit", "predict", "merge", "update", "forget")
"""The subcommands that meet no estimator but the library's own."""


LONGEST_WORD = 34
"""Signs that the words of a help may have, and are not broken: on narrow screens options leave them the room."""


class Help(click.HelpFormatter):
    """Helps whose words are not broken, on screens of 50 columns and more."""

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        super().write_dl(rows, max(8, min(col_max, self.width - LONGEST_WORD - col_spacing - 2)), col_spacing)


class Context(click.Context):
    """What a command is run in."""

    formatter_class = Help


class Application(click.Group):
    """A group of lazily loaded commands that ends with 0, 2 (bad input) or 1 (a defect), never a traceback."""

    context_class = Context

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        process.alone = process.alone and cmd_name in ALONE
        command: click.Command = getattr(import_module(f"candide.cli.commands.{COMMANDS[cmd_name]}"), cmd_name)
        command.context_class = Context
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS:
            from candide.messages import unknown

            raise click.UsageError(unknown("command", args[0], list(COMMANDS)))
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None:
            check_once(click.Context(command, ctx, name), rest)
        return name, command, rest

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("always")
                warnings.showwarning = _telling_once()
                result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            raise ClosedPipe from None
        return result

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> NoReturn:
        """Run, and turn whatever goes wrong into one line on standard error and an exit code."""
        given = list(sys.argv[1:] if args is None else args) or ["--help"]
        extra["standalone_mode"] = False
        sys.stdout = steady(sys.stdout)
        try:
            code = super().main(given, *rest, **extra)
        except ClosedPipe:
            _drop_output()
            sys.exit(141)
        except click.Abort:
            sys.exit(signals.code())
        except Exception as error:
            if signals.HEARD:  # whatever it was turned into on its way
                sys.exit(signals.code())
            if "--debug" in given:
                raise
            code, line = explained(error)
            click.echo(filled(line, sys.stderr), err=True)
            _drop_output()
        if signals.HEARD:  # a library that was not loaded may have been done without
            sys.exit(signals.code())
        sys.exit(code if isinstance(code, int) else 0)


def check_once(ctx: click.Context, args: list[str]) -> None:
    """Refuse an option of one value that is given twice: the last would count, and the other be lost in silence."""
    try:
        _, _, given = ctx.command.make_parser(ctx).parse_args(list(args))
    except click.UsageError:
        return  # which is told when the command is run
    options = (of for of in given if isinstance(of, click.Option) and not (of.multiple or of.is_flag or of.count))
    twice = next((option for option, times in Counter(options).items() if times > 1), None)
    if twice is not None:
        raise click.UsageError(f"{max(twice.opts, key=len)} is given more than once", ctx)


def _drop_output() -> None:
    """Let go of output that cannot be written, so that Python does not fail over it once more when it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _telling_once() -> Callable[..., None]:
    """Return what tells Candide's own warnings in a line, each once; those of other libraries speak to programmers."""
    told: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        if category.__module__.startswith("candide") and str(message) not in told:
            told.add(str(message))
            note(str(message))

    return show


@click.group(
    "candide",
    cls=Application,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Tables are CSV, TSV, NDJSON (also .gz, .bz2, .zst), Excel, Parquet or Arrow files; '-' is standard input "
    "or output. 'candide COMMAND --help' tells the options of a command, 'candide demo' shows all of it at work.",
)
@click.version_option(package_name="candide", message="candide %(version)s")
@click.option("--debug", is_flag=True, help="Show Python's traceback where something fails.")
def app(debug: bool) -> None:
    """Naive Bayes for mixed tables: learn, predict, explain, merge.

    \b
    candide fit requests.csv --target desk -o desk.json
    candide predict desk.json new.csv --proba -o routed.csv
    candide explain desk.json new.csv --row 0
    """  # noqa: D301  # click's mark for lines that must not be filled
