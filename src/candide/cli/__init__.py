"""The command `candide`: learn, predict, explain, inspect, merge and evaluate from a shell."""

from __future__ import annotations

import sys

from candide.messages import need


def main() -> None:
    """Run the command line."""
    try:
        import click
        import rich  # noqa: F401  # used when something is shown; better missed now than in the middle
    except ImportError:
        print(f"candide: {need('commands', 'cli')}", file=sys.stderr)
        sys.exit(2)
    del click
    try:
        from candide.cli.app import app

        app()
    except KeyboardInterrupt:  # before the first command could catch it
        sys.exit(130)
