"""The report: means over sets, those that the recipe was changed on apart from the others."""

from pathlib import Path

import numpy as np
import pandas as pd

CHOSEN_ON = ("adult", "car", "cleve", "glass", "iris", "liver", "new_thyroid", "optdigits", "pima", "sonar", "vehicle")
CHOSEN_ON += ("vowel", "wine")
"""Every second set by name: changes of the recipe were tried on these alone. The recipe as it was given had been run on
nearly all sets before."""
WITHOUT_ADDITIVE = """Not fitted in this run (`--additive` does). When it last was, on one fold of crx, glass, pima,
vehicle and wdbc, it had accuracy .8291 and log-loss .3824, and took 94.5 s of a processor to fit."""
MEASURED = ["accuracy", "log_loss", "auc", "fit_seconds", "predict_seconds"]
SHOWN = ["accuracy", "log_loss", "auc", "calibration_error", "if_honest", "fit_seconds", "predict_seconds"]


def table(frame: pd.DataFrame, rounded: int = 4) -> str:
    """Return a frame as Markdown."""
    head = [str(frame.index.name), *map(str, frame.columns)]
    rows = [
        [str(name), *(f"{x:.{rounded}f}" for x in row)] for name, row in zip(frame.index, frame.to_numpy(), strict=True)
    ]
    ruled = [head, ["---", *["---:"] * len(frame.columns)], *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in ruled)


def calibration(lines: pd.DataFrame) -> pd.Series:
    """Return the expected calibration error of a set's folds together, and what an honest model would show there."""
    n = lines.judged.sum()
    sure, right, honest = (np.sum(lines[name].to_list(), axis=0) for name in ("sure", "right", "honest"))
    drawn = np.abs(sure - honest).sum(axis=1).mean()
    return pd.Series({"calibration_error": np.abs(sure - right).sum() / n, "if_honest": drawn / n})


def by_set(lines: pd.DataFrame) -> pd.DataFrame:
    """Return the means over the folds of every set, by model; calibration of all folds together."""
    folds = lines.groupby(["small", "set", "model"])
    calibrated = folds[["judged", "sure", "right", "honest"]].apply(calibration)
    return folds[MEASURED].mean().join(calibrated).reset_index()


def told_worse(lines: pd.DataFrame) -> list[str]:
    """Return the sets on which TunedNB loses more than naive Bayes by over two standard errors, all folds together.

    The errors are those of the differences row by row.
    """
    sums = lines[lines.model == "TunedNB"].groupby("set")[["judged", "more", "more_squared"]].sum()
    mean = sums.more / sums.judged
    error = np.sqrt((sums.more_squared / sums.judged - mean**2) / sums.judged)
    return [f"{name} ({mean[name]:.4f} ± {error[name]:.4f})" for name in sums.index[mean > 2 * error]]


def write(lines: Path) -> None:
    """Write the report beside the lines that it is made of."""
    all_lines = pd.read_json(lines, lines=True).drop_duplicates(["set", "small", "fold", "model"], keep="last")
    means = by_set(all_lines)
    everywhere = means.groupby(["small", "set"]).model.transform("nunique")
    parts = ["# Tuned weights on the papers' sets", "", (__doc__ or "").strip(), ""]
    parts += [
        "Stratified folds, the same for all models: five of the small sets, three of chess, mushroom, nursery,",
        "segmentation and soybean, one of adult, letter, optdigits and pendigits, and one for EBM. The small ones are",
        "learnt from a tenth of a fold.",
        "Seconds are processor seconds of one fold (all threads together), LightGBM on one thread.",
        "Calibration errors (the largest probability, ten cells of equal width) are of all folds of a set together: of",
        "few rows an honest model shows some as well, and more of each fold alone. `if_honest` is how much: the same",
        "with classes drawn by the model's own probabilities.",
        "",
    ]  # fmt: skip
    shared = means[(everywhere >= 5) & (means.model != "EBM")]
    for small, title in ((False, "Whole folds"), (True, "A tenth of each fold")):
        here = shared[shared.small == small]
        for chosen, whose in ((None, "all sets"), (False, "sets that nothing was chosen on"), (True, "sets chosen on")):
            some = here if chosen is None else here[here.set.isin(CHOSEN_ON) == chosen]
            if len(some):
                n = some.set.nunique()
                parts += [f"## {title}: {whose} ({n})", "", table(some.groupby("model")[SHOWN].mean()), ""]
        wide = here.pivot(index="set", columns="model", values="log_loss")
        if {"TunedNB", "LightGBM"} <= set(wide):
            won = {m: f"{(wide.TunedNB < wide[m]).sum()} of {len(wide)}" for m in wide if m != "TunedNB"}
            parts += [
                "Log-loss of TunedNB lower than that of " + ", ".join(f"{m} {w}" for m, w in won.items()) + ".",
                "",
            ]
        beside = all_lines[all_lines.small == small].dropna(subset=["more"]) if "more" in all_lines else all_lines[:0]
        if len(beside):
            worse = told_worse(beside)
            n = beside[beside.model == "TunedNB"].set.nunique()
            named = f": {', '.join(worse)}" if worse else ""
            said = "Log-loss of TunedNB higher than that of NaiveBayes by more than two standard errors of the rows'"
            parts += [f"{said} differences: {len(worse)} of {n}{named}.", ""]
    here = all_lines[all_lines.model == "EBM"][["set", "fold", "small"]]
    ebm = all_lines.merge(here, on=["set", "fold", "small"])  # the very folds that the additive model was fitted on
    if not len(ebm):
        parts += ["## Beside the additive model of `interpret`", "", WITHOUT_ADDITIVE, ""]
    else:
        parts += [f"## Beside the additive model of `interpret`: {', '.join(sorted(set(here.set)))}, one fold", ""]
        means_there = by_set(ebm).groupby("model")[SHOWN].mean()
        parts += [table(means_there), ""]
        if "TunedNB" in means_there.index:
            times = means_there.fit_seconds.EBM / means_there.fit_seconds.TunedNB
            parts += [f"TunedNB is fitted {times:.0f} times as fast.", ""]
    full = shared[~shared.small]
    sums = full.groupby("model")[["fit_seconds", "predict_seconds"]].sum()
    parts += ["## Seconds, summed over the sets (one fold each)", "", table(sums, 2), ""]
    if {"TunedNB", "LightGBM", "NaiveBayes"} <= set(sums.index):
        fit, predict = sums.fit_seconds, sums.predict_seconds
        errors = full.groupby("model").calibration_error.mean()
        parts += [
            (
                f"TunedNB's fits take {fit.TunedNB / fit.LightGBM:.2f} of LightGBM's time, and its predictions are "
                f"{predict.LightGBM / predict.TunedNB:.0f} times as fast. Its calibration error is "
                f"{errors.TunedNB / errors.NaiveBayes:.2f} of NaiveBayes'."
            ),
            "",
        ]
    for title, value in (
        ("Log-loss", "log_loss"),
        ("Accuracy", "accuracy"),
        ("Calibration error", "calibration_error"),
    ):
        parts += [f"## {title} by set", "", table(full.pivot(index="set", columns="model", values=value)), ""]
    lines.with_name("tuning.md").write_text("\n".join(parts))
