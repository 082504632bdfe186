"""candide serve: a model behind HTTP."""

from __future__ import annotations

import click

from candide.cli.options import model_argument


@click.command(short_help="Answer HTTP requests by a model.")
@model_argument
@click.option(
    "--host",
    metavar="HOST",
    default="127.0.0.1",
    show_default=True,
    help="Where to listen. The default is reached from this machine only; 0.0.0.0 is reached from everywhere.",
)
@click.option(
    "--port",
    "-p",
    metavar="PORT",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="The port; 0 takes any that is free.",
)
def serve(model_file: str, host: str, port: int) -> None:
    """Answer HTTP requests by MODEL, until Ctrl-C or a signal asks for the end.

    \b
    POST /predict     a row, {"energy": "petrol"}, or {"rows": [...]}:
                      labels and chances; ?interval=0.95
    POST /explain     what every column adds, and its points against the rival
    POST /questions   what to ask next about a row that is partly known
    GET  /            the report page; /facts /health /metrics /openapi.json

    \b
    candide serve desk.json
    curl -d '{"energy": "petrol", "wheels": 4}' http://127.0.0.1:8000/predict

    There is no password: whoever reaches the port can ask the model, though not change it.
    """  # noqa: D301
    import hashlib
    from pathlib import Path

    from candide.cli.models import announce, load_whole
    from candide.serve.running import serve as run

    model = load_whole(model_file)
    checksum = None if model_file == "-" else hashlib.sha256(Path(model_file).read_bytes()).hexdigest()
    run(model, host, port, checksum, lambda address: announce(f"serving {model_file} on {address}", model_file))
