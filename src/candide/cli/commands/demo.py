"""candide demo: an insurance company routes requests to its motorcycle, private car and truck desks."""

from __future__ import annotations

import shlex
import tempfile
from pathlib import Path
from typing import Any

import click
import numpy as np

from candide.cli.failures import BadInput
from candide.shares import share
from candide.writing import replacing

ROWS, LEARNT, GAPS = 2000, 1500, 0.3
KNOWN = 6
"""Cells, the desk among them, that a request has to have to be explained."""
DISTRIBUTIONS = {"weight": "lognormal", "horse_power": "gamma", "wheels": "categorical", "message": "text"}
JOINED = [["energy", "horse_power"]]
"""Columns that depend on each other given the desk: P(horse_power | desk, energy)."""


@click.command(short_help="Show all of it at work, on made-up insurance requests.")
@click.option(
    "--output",
    "-o",
    metavar="DIR",
    help="The folder to save the model and requests in; by default a new temporary one.",
)
@click.option("--seed", metavar="N", type=int, default=0, show_default=True, help="Decides the made-up requests.")
def demo(output: str | None, seed: int) -> None:
    """Show all of it at work: requests to an insurance company are routed to the right desk.

    The requests are made up, from a documented generator. Some cells are missing. A model is learnt, evaluated on
    requests it has not seen, explained, saved and loaded again.
    """
    folder = Path(output or tempfile.mkdtemp(prefix="candide-demo-"))
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder} is a file; -o takes a folder")
    folder.mkdir(parents=True, exist_ok=True)
    run_demo(folder, seed)


def run_demo(folder: Path, seed: int) -> None:
    """Go through the screens."""
    from candide import NaiveBayes
    from candide.cli.screens import heading, say
    from candide.datasets import insurance

    data = insurance(ROWS, missing=GAPS, seed=seed, messages=True)
    frame, target = data.frame, data.target
    heading("1. Requests come in, with gaps")
    show_requests(frame)
    learnt, held_out = frame[:LEARNT], frame[LEARNT:]
    heading("2. Learn")
    model = NaiveBayes(distributions=DISTRIBUTIONS).fit(learnt, target)
    say(f"A model is learnt from {len(learnt)} requests; a missing cell says nothing.")
    show_model(model)
    heading("3. Evaluate")
    show_evaluation(model, held_out, target)
    heading("4. Join what depends on each other")
    show_joined(model, NaiveBayes(distributions=DISTRIBUTIONS, groups=JOINED).fit(learnt, target), held_out, target)
    heading("5. Explain")
    explain_one(model, held_out, target)
    heading("6. Save, load, go on")
    save_and_load(model, held_out, target, folder)


def show_requests(frame: Any) -> None:
    """Show some requests, those with gaps among them."""
    from candide.cli.screens import cell, say, show_table
    from candide.table.objects import is_missing

    say("An insurance company gets requests and sends each to its motorcycle, private car or professional truck desk.")
    gaps = frame.isna().any(axis=1).to_numpy()
    some = np.sort(np.concatenate([np.flatnonzero(gaps)[:4], np.flatnonzero(~gaps)[:4]]))
    rows = [[str(n), *("-" if is_missing(v) else shortened(cell(v, 4)) for v in frame.iloc[n])] for n in some.tolist()]
    show_table("", ["row", *frame.columns], rows)
    say(f"{len(frame)} requests; {100 * frame.isna().to_numpy().mean():.1f} % of the cells are missing (-).")
    say()


def shortened(text: str, most: int = 44) -> str:
    """Return the beginning of a long text."""
    return text if len(text) <= most else text[: most - 3] + "..."


def show_model(model: Any) -> None:
    """Show the columns of the model and two of them in numbers."""
    from candide.cli.commands.inspect import attributes, show_columns
    from candide.cli.parameters import show_parameters

    show_columns(model)
    names = attributes(model)
    show_parameters(model, *names["energy"])


def show_evaluation(model: Any, held_out: Any, target: str) -> None:
    """Show accuracy and log-loss beside those of the majority class, and the confusion table."""
    from candide.cli.screens import say, show_table

    truth = held_out[target].to_numpy()
    classes = model.classes_.tolist()
    codes = np.array([classes.index(label) for label in truth])
    shares = model.class_counts_ / model.class_counts_.sum()
    majority = int(shares.argmax())
    say(f"On {len(truth)} requests it has not seen, against always answering {classes[majority]!r}:")
    decided = model.predict(held_out)
    always = [share(np.mean(codes == majority)), f"{-np.log(shares[codes]).mean():.4f}"]
    show_table("", SCORES, [["candide", *scores(model, held_out, target)], ["majority", *always]])
    counts = [[int(np.sum((truth == a) & (decided == b))) for b in classes] for a in classes]
    show_table("true desk, and where the request was sent", ["true desk", *classes],
               [[label, *row] for label, row in zip(classes, counts, strict=True)])  # fmt: skip


SCORES = ["", "accuracy", "log-loss"]


def scores(model: Any, held_out: Any, target: str) -> list[str]:
    """Return accuracy and log-loss for a table."""
    truth = held_out[target].to_numpy()
    log_p = model.predict_log_proba(held_out)[np.arange(len(truth)), np.searchsorted(model.classes_, truth)]
    return [share(np.mean(model.predict(held_out) == truth)), f"{-log_p.mean():.4f}"]


def show_joined(apart: Any, joined: Any, held_out: Any, target: str) -> None:
    """Show what joining the two columns that depend on each other is worth."""
    from candide.cli.screens import say, show_table

    say(
        "Naive Bayes takes columns for independent within a desk. Horse power is not: an electric motorcycle is weak, "
        "an electric car strong. Joined into one attribute, horse power has a density for each desk and energy:"
    )
    rows = [[name, *scores(model, held_out, target)] for name, model in (("apart", apart), ("joined", joined))]
    show_table("energy and horse_power", SCORES, rows)
    say(f"NaiveBayes(groups={JOINED}), or --group {','.join(JOINED[0])}.")
    say()


def explain_one(model: Any, held_out: Any, target: str) -> None:
    """Explain the well-filled request that the model is least sure of, with a credible interval."""
    from candide.cli.commands.explain import show_explanation
    from candide.cli.screens import say

    p = model.predict_proba(held_out)
    known = held_out.notna().to_numpy().sum(axis=1)
    doubtful = int(np.where(known >= KNOWN, p.max(axis=1), 1.0).argmin())
    one = held_out.iloc[[doubtful]]
    say("Of the requests without many gaps, the one that the model is least sure of, and why:")
    say()
    show_explanation(model.explain(one), int(one.index[0]), top=10)
    winner = int(p[doubtful].argmax())
    low, high = model.predict_interval(one)[0, winner]
    say(
        f"With the {LEARNT} requests learnt, the probability of {str(model.classes_[winner])!r} lies between "
        f"{low:.2f} and {high:.2f} (95 % credible interval, what words say taken as it is). "
        f"The right desk was {one[target].iloc[0]!r}."
    )
    say()


def save_and_load(model: Any, held_out: Any, target: str, folder: Path) -> None:
    """Save the model and the requests, load the model, and check that it answers the same."""
    import candide
    from candide.cli.screens import say

    model_file, table = folder / "desk.json", folder / "requests.csv"
    model.save(model_file)
    with replacing(table) as file:
        held_out.to_csv(file, index=False)
    again = candide.load(model_file)
    same = bool((again.predict_proba(held_out) == model.predict_proba(held_out)).all())
    say(f"Saved as {model_file} ({model_file.stat().st_size / 1024:.1f} kB of JSON) and loaded again: "
        f"{'the same' if same else 'NOT the same'} answers.")  # fmt: skip
    more = again.partial_fit(held_out, target)
    say(f"It goes on learning: now from {int(more.class_counts_.sum())} requests.")
    say(f"The held-out requests are in {table}. Try:")
    say()
    for line in (
        f"cd {shlex.quote(str(folder))}",  # and then lines that fit a screen, to be copied whole
        f"candide inspect {model_file.name} --column weight",
        f"candide predict {model_file.name} {table.name} --proba",
        f"candide explain {model_file.name} {table.name} --row 3",
        f"candide evaluate {table.name} -t {target} -m NaiveBayes -m sklearn.GaussianNB",
    ):
        say(f"  {line}")
