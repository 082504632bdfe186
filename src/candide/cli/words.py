"""Rules: what the words of the command line stand for among Candide's classifiers and rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import click

from candide.cli.documents import text_options, text_rules
from candide.cli.failures import BadInput
from candide.cli.literals import arguments, costs_by_label, labels_of
from candide.messages import unknown

CALL = re.compile(r"([A-Za-z-]+)\((.*)\)")
OF_COLUMN = re.compile(r"(?s:(.*)=)?([^=()]*(?:\(.*\))?)")
"""A rule, by name, behind the column that it is for; both may have an = of their own."""

STRUCTURES: dict[str, tuple[str, dict[str, Any]]] = {
    "tan": ("TreeAugmentedNB", {}),
    "aode": ("AveragedOneDependence", {}),
    "a2de": ("AveragedOneDependence", {"n": 2}),
}
"""The words of --structure: the class, and its parameters."""


def smoothing_rule(text: str) -> Any:
    """Return the smoothing that a word stands for, with its parameters: "laplace", "lidstone(0.5)".

    Examples
    --------
    >>> smoothing_rule("lidstone(0.5)")
    Lidstone(alpha=0.5)
    """
    from candide.smoothing import as_smoothing

    return _rule("smoothing", text, as_smoothing)


def combination_rule(text: str) -> Any:
    """Return the combination that a word stands for, with its parameters: "product", "outlier(0.05)"."""
    from candide.combination import as_combination

    return _rule("combination", text, as_combination)


def _rule(what: str, text: str, named: Callable[[Any], Any]) -> Any:
    """Return a name as it is, once it is known to be one; "name(...)" as the rule made with these parameters."""
    spelt = CALL.fullmatch(text.strip())
    name = spelt[1] if spelt else text.strip()
    if spelt is None:
        named(name)
        return name
    args, kwargs = arguments(spelt[2], text)
    try:
        return type(named(name))(*args, **kwargs)
    except TypeError as error:
        raise BadInput(f"{what} {text!r}: {re.sub(r'^.*__init__[(][)] ', '', str(error))}") from None


def preset_class(name: str, what: str = "preset", others: Sequence[str] = ()) -> Any:
    """Return a classifier of Candide by name, with or without its NB: "RobustNB", "robust".

    Parameters
    ----------
    name : str
    what, others
        What the name is of, and what else it could be, for the error.

    Examples
    --------
    >>> preset_class("robust").__name__
    'RobustNB'
    """
    from candide import NaiveBayes, presets

    known = {n.lower(): getattr(presets, n) for n in presets.__all__} | {"naivebayes": NaiveBayes}
    wanted = name.lower()
    if wanted not in known and f"{wanted}nb" not in known:
        raise BadInput(unknown(what, name, [*(c.__name__ for c in known.values()), *others]))
    return known.get(wanted) or known[f"{wanted}nb"]


def distribution_rules(items: Sequence[str], names: Sequence[str]) -> Any:
    """Return "COL=NAME" items as a mapping, one plain NAME as it is, None for none."""
    from candide.distributions import as_distribution

    if not items:
        return None
    split = [of_column(item) for item in items]
    for item, (column, name) in zip(items, split, strict=True):
        if column is not None and column not in names:
            raise BadInput(f"--distribution {item!r}: {unknown('column', column, names)}")
        if name.startswith("text("):
            raise BadInput(
                f"--distribution {item!r}: --text names a column of documents, and options such as --stem english say "
                "how they are read"
            )
        if name != "auto":
            as_distribution(name)
    if any(column is None for column, _ in split):
        if len(items) > 1:
            raise BadInput("--distribution: one name for all columns, or COL=NAME for each, not both")
        return split[0][1]
    return dict(split)


def of_column(item: str) -> tuple[str | None, str]:
    """Return the column and the name of "COL=NAME", and None where no column is said.

    Examples
    --------
    >>> of_column("a=b=text(stem=english)"), of_column("equal-width(10)")
    (('a=b', 'text(stem=english)'), (None, 'equal-width(10)'))
    """
    split = OF_COLUMN.fullmatch(item)
    return (None, item) if split is None else (split[1], split[2])


def columns_of(items: Iterable[str], distribution: str) -> list[str]:
    """Return the columns that are declared to have a distribution."""
    return [column for column, name in map(of_column, items) if column is not None and name == distribution]


def column_groups(items: Sequence[str], names: Sequence[str]) -> list[list[str]] | None:
    """Return "A,B" items as lists of columns."""
    groups = [item.split(",") for item in items]
    for column in (name for group in groups for name in group):
        if column not in names:
            raise BadInput(f"--group: {unknown('column', column, names)}")
    return groups or None


def prior_shares(text: str) -> dict[str, float]:
    """Return "LABEL=P,LABEL=P" as probabilities by label.

    Examples
    --------
    >>> prior_shares("bike=0.3,car=0.7")
    {'bike': 0.3, 'car': 0.7}
    """
    shares = {}
    for item in text.split(","):
        label, equals, p = item.rpartition("=")
        if not equals:
            raise BadInput(f"--prior {text!r}: write 'uniform', or a probability for each class: a=0.3,b=0.7")
        try:
            shares[label] = float(p)
        except ValueError:
            raise BadInput(f"--prior: {p!r} is not a probability") from None
    return shares


def prior_rule(text: str | None, labels: Sequence[Any]) -> Any:
    """Return "uniform" as it is, probabilities by label as a mapping of the labels that were learnt."""
    if text is None or text == "uniform":
        return text
    shares = prior_shares(text)
    of = labels_of("--prior", list(shares), labels)
    return {of[label]: p for label, p in shares.items()}


def rule_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say how a model is made."""
    options: list[Callable[..., Any]] = [
        click.option("--preset", metavar="NAME", help="A classifier to start from: TunedNB, or one of the papers', "
                     "FrequencyNB, LaplaceNB, IndifferentNB, EstimateNB, RobustNB, SummationNB."),
        click.option("--structure", type=click.Choice(list(STRUCTURES)),
                     help="Attributes that depend on each other: tan (a tree), aode or a2de (averages over one or two "
                     "super-parents)."),
        click.option("--network", metavar="FILE", help="A network of the columns and the target: JSON that holds "
                     "{\"parents\": {\"child\": [\"parent\", ...]}}, {\"edges\": [[\"parent\", \"child\"], ...]} or "
                     "{\"learn\": \"chow-liu\"}."),
        click.option("--distribution", "distributions", metavar="[COL=]NAME", multiple=True,
                     help="P(x | class) of a column, or of all numeric ones: categorical, bernoulli, multinomial, "
                     "normal, lognormal, gamma, exponential, poisson, student, kde, mixture, bins, smooth, text, auto, "
                     "or a way to cut such as equal-width(10), or equal-width(10, ordinal) for one attribute "
                     "'x > cut' a cut. May be repeated."),
        text_options,
        click.option("--smoothing", metavar="RULE",
                     help="none, laplace (default), lidstone(0.5), m-estimate(2), marginal, marginal(frequencies), "
                     "indifferent, backoff, dirichlet(CLASSES, VALUES), naive-distribution(COUNTS) or auto. "
                     "Hyperparameters "
                     "are numbers, or by column and level, {'wind': {'weak': 2, 'strong': 1}}, also in a JSON file: "
                     "dirichlet(1, @values.json)."),
        click.option("--combination", metavar="RULE", help="product (default), sum, robust or outlier(0.01)."),
        click.option("--prior", metavar="PRIOR", help="uniform, or probabilities of the classes: a=0.3,b=0.7. "
                     "By default the classes' shares."),
        click.option("--costs", metavar="COSTS", help="What a decision costs, DECIDED:TRUE=COST,... such as "
                     "car:truck=5,truck:car=1, or a JSON file, @costs.json: the decision of least risk is taken."),
        click.option("--group", "groups", metavar="A,B", multiple=True,
                     help="Columns joined into one attribute. May be repeated."),
        click.option("--missing-level", is_flag=True,
                     help="A missing cell is a level of its own, as it is in tuned models by default; in others, "
                     "--plain among them, it says nothing without this."),
        click.option("--unseen", type=click.Choice(["ignore", "error"]),
                     help="A level never seen says nothing (default), or is an error."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def make_model(rules: dict[str, Any], names: Sequence[str], tuned: bool = False) -> Any:
    """Return the untaught classifier that the options of `rule_options` ask for, tuned where it can be.

    Its prior and costs wait for the labels; what can be seen to be wrong of them is refused at once.
    """
    if rules["costs"] is not None:
        costs_by_label(rules["costs"])
    if rules["prior"] not in (None, "uniform"):
        prior_shares(rules["prior"])
    made = {
        "distributions": text_rules(rules, distribution_rules(rules["distributions"], names), names),
        "smoothing": None if rules["smoothing"] is None else smoothing_rule(rules["smoothing"]),
        "combination": None if rules["combination"] is None else combination_rule(rules["combination"]),
        "groups": column_groups(rules["groups"], names),
        "missing": "level" if rules["missing_level"] else None,
        "unseen": rules["unseen"],
    }
    made = {name: value for name, value in made.items() if value is not None}
    if rules["structure"] is not None or rules["network"] is not None:
        return make_structure(rules, made)
    tuned = tuned and rules["combination"] in (None, "product")  # another combination has no weights
    return preset_class(rules["preset"] or ("TunedNB" if tuned else "NaiveBayes"))(**made)


def make_structure(rules: dict[str, Any], made: dict[str, Any]) -> Any:
    """Return the untaught structure that --structure or --network asks for, with what other options ask for."""
    from candide import structure

    asked = [f"--{name}" for name in ("structure", "network", "preset") if rules[name] is not None]
    if len(asked) > 1:
        raise BadInput(f"{' and '.join(asked)}: a model is one of these, not both")
    if rules["network"] is not None:
        kind, params = structure.BayesNetwork, network_of(rules["network"])
    else:
        name, params = STRUCTURES[rules["structure"]]
        kind = getattr(structure, name)
    for name, option in (("groups", "--group"), ("combination", "--combination")):
        if name in made and name not in kind._get_param_names():
            raise BadInput(f"{option} cannot be given with {asked[0]}: {kind.__name__} has no such parameter")
    return kind(**params, **made)


def network_of(path: str) -> dict[str, Any]:
    """Return the parameters of a network that a JSON file holds."""
    import json
    from pathlib import Path

    from candide.sources.opening import check_file

    check_file(path)
    form = '{"parents": {"child": ["parent", ...]}}, {"edges": [["parent", "child"], ...]} or {"learn": "chow-liu"}'
    try:
        found = json.loads(Path(path).read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path}: this is not JSON ({error}); a network is {form}") from None
    if not isinstance(found, dict) or len(found) != 1 or not set(found) <= {"parents", "edges", "learn"}:
        raise BadInput(f"{path}: this is no network, which is {form}")
    return found
