"""The command `candide`: learn, predict, explain, inspect, merge and evaluate from a shell."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line."""
    from candide.cli import signals

    try:
        signals.listen()
        _run()
    except KeyboardInterrupt:  # before the first command could catch it
        sys.exit(signals.code())


def _run() -> None:
    try:
        import click  # noqa: F401
        import rich  # noqa: F401  # used when something is shown; better missed now than in the middle
    except ImportError:
        from candide.messages import need

        print(f"candide: {need('commands', 'cli')}", file=sys.stderr)
        sys.exit(2)
    from candide import process
    from candide.cli.app import app

    # the kernels have threads of their own; those of NumPy's algebra would be awake for as long as all imports take
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    process.alone = True  # unless the command asked for is one that meets others' estimators
    app()
