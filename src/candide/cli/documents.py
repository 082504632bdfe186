"""Documents: the options that say how columns of text are read, and the rule that they stand for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from candide.cli.failures import BadInput
from candide.messages import unknown

EVENTS = ("multinomial", "bernoulli", "complement", "normalized-complement")
"""What a word of a document may say."""


OPTIONS: dict[str, Callable[..., Any]] = {
    "event_model": click.option("--event-model", metavar="NAME", type=click.Choice(["auto", *EVENTS]),
                                help=f"What a word of a document says: auto (default), {', '.join(EVENTS)}."),
    "analyzer": click.option("--analyzer", type=click.Choice(["word", "char"]),
                             help="What a document is made of: words (default), or runs of characters, as many as "
                             "--ngrams says."),
    "ngrams": click.option("--ngrams", metavar="A,B",
                           help="How many words, or characters, of a document follow each other in one: 1,2."),
    "characters": click.option("--characters", metavar="A,B",
                               help="Runs of so many characters beside the words, such as 2,5: for short messages."),
    "numbers": click.option("--numbers", type=click.Choice(["keep", "drop"]),
                            help="Whether words without a letter, such as the 55 of 55.3, are kept (default)."),
    "fold": click.option("--fold", type=click.Choice(["accents"]), help="Take accents away: é is e."),
    "stop_words": click.option("--stop-words", metavar="LANGUAGE|@FILE",
                               help="Words of a document that are dropped: those of a language, such as english, or of "
                               "a file, one a line."),
    "stem": click.option("--stem", metavar="LANGUAGE", help="Words of a document are cut to their stems."),
    "lemmatize": click.option("--lemmatize", metavar="LANGUAGE",
                              help="Words of a document are brought to the form of a dictionary."),
    "min_df": click.option("--min-df", metavar="N",
                           help="Leave out words in fewer documents: so many, or with a point a share of all, 0.001."),
    "max_df": click.option("--max-df", metavar="N", help="Leave out words in more documents, likewise."),
    "max_features": click.option("--max-features", metavar="N", type=click.IntRange(min=1),
                                 help="Use so many words at the most, those that stand most often."),
    "hashing": click.option("--hashing", metavar="N", type=click.IntRange(min=1),
                            help="Throw words into so many buckets, such as 1048576, for vocabularies without bound."),
    "tf_idf": click.option("--tf-idf", is_flag=True, default=None,
                           help="Multiply counts by the inverse document frequency; not with --event-model auto."),
    "binary": click.option("--binary", is_flag=True, default=None,
                           help="Count a word once in a document; not with --event-model auto."),
}  # fmt: skip
"""The options of documents, by the parameters of `Text` that they stand for."""


def text_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say which columns are documents, and how these are read."""
    for option in reversed(OPTIONS.values()):
        command = option(command)
    column = click.option("--text", "texts", metavar="COL", multiple=True,
                          help="A column of documents, each a bag of words. May be repeated.")  # fmt: skip
    return column(command)


def text_rules(rules: dict[str, Any], given: Any, names: Sequence[str]) -> Any:
    """Return the distributions with those of the columns of documents."""
    from candide.distributions import Text

    asked = {name: rules[name] for name in OPTIONS if rules[name] is not None}
    if not rules["texts"]:
        if asked:
            raise BadInput(f"--{next(iter(asked)).replace('_', '-')} is said of documents: name their column by --text")
        return given
    for column in rules["texts"]:
        if column not in names:
            raise BadInput(f"--text: {unknown('column', column, names)}")
        if isinstance(given, dict) and given.get(column, Text.name) != Text.name:
            raise BadInput(f"--text {column}: --distribution says {given[column]} of it; say one of them")
    if given is not None and not isinstance(given, dict):
        raise BadInput("--distribution: beside --text, say COL=NAME for each column")
    rule = Text(**{name: READ[name](value) if name in READ else value for name, value in asked.items()})
    rule.check()
    return {**(given or {}), **dict.fromkeys(rules["texts"], rule)}


def lengths(text: str) -> tuple[int, int]:
    """Return "A,B" or "A-B" as two whole numbers, and "A" as twice the same.

    Examples
    --------
    >>> lengths("1,2"), lengths("1-2"), lengths("1")
    ((1, 2), (1, 2), (1, 1))
    """
    parts = [part.strip() for part in re.split("[,-]", text)]
    if len(parts) > 2 or not all(part.isdecimal() for part in parts):
        raise BadInput(
            f"--ngrams and --characters take the least and the most words, or characters, such as 1,2, not {text!r}"
        )
    return int(parts[0]), int(parts[-1])


def stop_words(text: str) -> str | list[str]:
    """Return a language as it is, and "@FILE" as the words that a file holds."""
    if not text.startswith("@"):
        from candide.analysis.stop_words import STOP_WORDS

        if text not in STOP_WORDS:
            raise BadInput(f"--stop-words {text!r}: {unknown('language', text, sorted(STOP_WORDS))}; or give @FILE")
        return text
    from candide.sources.opening import check_file

    check_file(text[1:])
    try:
        return Path(text[1:]).read_text(encoding="utf-8-sig").split()
    except UnicodeDecodeError:
        raise BadInput(f"--stop-words {text}: this is not text in UTF-8") from None


def limit(text: str) -> float:
    """Return a number of documents, or with a point a share of them.

    Examples
    --------
    >>> limit("2"), limit("0.5")
    (2, 0.5)
    """
    try:
        return int(text) if text.strip().lstrip("+-").isdecimal() else float(text)
    except ValueError:
        raise BadInput(f"--min-df and --max-df take a number of documents, 2, or a share, 0.5, not {text!r}") from None


READ: dict[str, Callable[[str], Any]] = {
    "ngrams": lengths,
    "characters": lengths,
    "stop_words": stop_words,
    "min_df": limit,
    "max_df": limit,
}
"""How the words of some options are read."""
