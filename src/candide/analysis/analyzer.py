"""The analyzer: which words a document is a bag of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from types import NoneType
from typing import Any

import numpy as np

from candide import native
from candide.analysis.characters import characters, folded
from candide.analysis.forms import Forms, forms_of
from candide.analysis.languages import stop_list
from candide.analysis.tokens import Tokens
from candide.analysis.word_list import WordList
from candide.messages import not_known, shortened
from candide.rules import Rule
from candide.table.bags import Bags

Array = np.ndarray[Any, Any]


MOST_BUCKETS = 1 << 28
"""Buckets that words may be thrown into: kernels number them twice over, in 32 bits."""

LONGEST_RUN = 1_000
"""Words, or characters, that may follow each other in one."""

MARK = "~"
"""What runs of characters stand behind where they stand beside words, none of which begins so."""

SPACE = "␣"
"""What stands for a space of a run where it is shown."""


class Analyzer(Rule):
    r"""What the words of a document are: runs of letters and digits in lower case, as `\b\w\w+\b` finds them.

    Parameters
    ----------
    analyzer : "word" or "char"
        Words, or runs of characters.
    ngrams : (least, most)
        How many words, or characters, follow each other in one.
    numbers : "keep" or "drop"
        Whether words without a letter, such as the 55 of 55.3, are kept.
    fold : None or "accents"
        Whether accents and compatibility forms are taken away.
    stop_words : None, a language, or a list of words
        Words that are dropped, read as documents are: in lower case, and folded where these are.
    stem, lemmatize : None or a language
        Words are cut to their stems, or brought to the form of a dictionary.
    hashing : int or None
        How many buckets words are thrown into; None keeps the words themselves.
    tokenizer : callable or None
        A function that returns the words of a text, in the place of the pattern.
    characters : None or (least, most)
        Runs of so many characters beside the words, each behind a ~; None: words alone.

    Examples
    --------
    >>> Analyzer(stop_words="english").words_of("The claims, and the 2 claimants!")
    ['claims', 'claimants']
    >>> Analyzer(characters=(2, 3)).words_of("A bus")
    ['bus', '~a ', '~ b', '~bu', '~us', '~a b', '~ bu', '~bus']
    """

    def __init__(
        self,
        analyzer: str = "word",
        ngrams: Sequence[int] = (1, 1),
        numbers: str = "keep",
        fold: str | None = None,
        stop_words: str | Sequence[str] | None = None,
        stem: str | None = None,
        lemmatize: str | None = None,
        hashing: int | None = None,
        tokenizer: Callable[[str], Sequence[str]] | None = None,
        characters: Sequence[int] | None = None,
    ) -> None:
        self.analyzer = analyzer
        self.ngrams = ngrams
        self.numbers = numbers
        self.fold = fold
        self.stop_words = stop_words
        self.stem = stem
        self.lemmatize = lemmatize
        self.hashing = hashing
        self.tokenizer = tokenizer
        self.characters = characters

    def key(self, apart_from: Sequence[str] = ()) -> tuple[Any, ...]:
        """Return the parameters; words that are dropped are the same in any order, and in whatever holds them."""
        if self.stop_words is None or isinstance(self.stop_words, str) or "stop_words" in apart_from:
            return super().key(apart_from)
        return (*super().key((*apart_from, "stop_words")), frozenset(self.stop_words))

    def check(self) -> None:
        """Refuse parameters that are not known, or do not go together."""
        for name, known in (("analyzer", ("word", "char")), ("numbers", ("keep", "drop")), ("fold", (None, "accents"))):
            if getattr(self, name) not in known:
                raise ValueError(not_known(name, getattr(self, name), known))
        self._check_runs()
        if self.hashing is not None and not (is_positive(self.hashing) and self.hashing <= MOST_BUCKETS):
            raise ValueError(f"hashing={self.hashing!r}: a number of buckets up to 2**28, such as 2**20, or None")
        if self.tokenizer is not None and not callable(self.tokenizer):
            raise TypeError(f"tokenizer={self.tokenizer!r}: a function from a text to its words, or None")
        given = [n for n in ("stop_words", "stem", "lemmatize", "tokenizer") if getattr(self, n) is not None]
        if self.analyzer == "char" and (given or self.numbers == "drop"):
            raise ValueError(f"analyzer='char' has no words: {(given or ['numbers'])[0]} does not go with it")
        for name in ("stem", "lemmatize"):
            if not isinstance(getattr(self, name), (str, NoneType)):
                raise TypeError(f"{name}={shortened(getattr(self, name))}: a language, or None")
        if self.stop_words is not None or self.stem is not None or self.lemmatize is not None:
            _ = self._dropped, self._become  # languages that are not known, and libraries that are not there

    def _check_runs(self) -> None:
        """Refuse lengths of runs that are none, and runs of characters where they have no words to stand beside."""
        if not is_range(self.ngrams):
            raise ValueError(
                f"ngrams={self.ngrams!r}: two whole numbers, the least and the most words, such as (1, 2), up to "
                f"{LONGEST_RUN:,}"
            )
        if self.characters is not None and not is_range(self.characters):
            raise ValueError(
                f"characters={self.characters!r}: two whole numbers, the least and the most characters, such as "
                f"(2, 5), up to {LONGEST_RUN:,}, or None"
            )
        if self.characters is not None and self.analyzer == "char":
            raise ValueError("characters stand beside words: analyzer='char' has them alone, as many as ngrams says")
        if self.characters is not None and self.tokenizer is not None:
            raise ValueError("characters stand beside words that are found here: let the tokenizer give them too")

    @property
    def direct(self) -> bool:
        """Whether the words that are known are found as they stand, those that are dropped being none of them."""
        changed = self.stem is not None or self.lemmatize is not None or self.tokenizer is not None
        return not changed and self.characters is None and (self.analyzer == "char" or tuple(self.ngrams) == (1, 1))

    @property
    def plain(self) -> bool:
        """Whether all words are kept as they stand."""
        return self.direct and self.stop_words is None and self.numbers == "keep"

    @property
    def single(self) -> bool:
        """Whether each word is one that stands in documents, or what that becomes."""
        found = self.tokenizer is None and self.characters is None
        return found and self.analyzer == "word" and tuple(self.ngrams) == (1, 1)

    @property
    def n_runs(self) -> int:
        """How many lengths the runs of words have that are told apart by their spaces; 1 where they are not."""
        words = self.analyzer == "word" and self.tokenizer is None and self.characters is None
        told_apart = words and self.hashing is None
        return self.ngrams[1] - self.ngrams[0] + 1 if told_apart else 1

    @property
    def abundance(self) -> int:
        """How many words are held of a character of text at the most, where each is held; one where there are fewer."""
        return 1 if self.characters is None else self.characters[1] - self.characters[0] + 1

    @property
    def counted(self) -> bool:
        """Whether words are summed in the pass that finds them, or when it is known what they become."""
        return self.plain or (self.single and self.hashing is None)

    def _arguments(self, bags: Bags, runs: Sequence[int] | None = None) -> tuple[Any, Array, Array, int, int]:
        """Return documents and how they are read, as the kernels take them: in runs of so many characters, or words."""
        table = characters(self.fold is not None)
        least, most = runs or (self.ngrams if self.analyzer == "char" else (0, 0))
        return bags.given, table.table, table.expansions, least, most

    def count(
        self, bags: Bags, y: Array, n_classes: int, w: Array | None, units: float
    ) -> tuple[tuple[Array, ...], WordList]:
        """Return the sums of `native.word_sums` of documents whose words are `counted`, and the words, in one pass."""
        given, noted = self._arguments(bags), bags.notes is not None
        if self.plain:
            sums, data, starts, rows = native.count_words(*given, y, n_classes, w, units, self.hashing or 0, noted)
            words = WordList(data, starts)
        else:
            found: list[WordList] = []

            def become(data: Array, starts: Array) -> tuple[Array, int]:
                meaning, kept = self.forms(WordList(data, starts))
                found.append(kept)
                return meaning, len(kept)

            sums, rows = native.count_forms(*given, become, y, n_classes, w, units, noted)
            (words,) = found
        if bags.notes is not None:
            bags.notes.write(words, rows)
        return sums, words

    def look_up(self, bags: Bags, place: Array, units: float, known: WordList | Array) -> tuple[Array, Array, Array]:
        """Return the rows of `native.read_words`: documents in known words, which are `direct`, or in buckets, by their
        slots.
        """
        buckets = (known, None, None, self.hashing)
        table = (known.slots, known.bytes, known.starts) if isinstance(known, WordList) else buckets
        return native.read_words(*self._arguments(bags), place, units, *table)

    def score(
        self,
        bags: Bags,
        units: float,
        slots: Array,
        evidence: tuple[Array | None, ...],
        known: WordList | Array,
        out: Array,
    ) -> Array:
        """Add what the words of the same rows say, as `native.score_words` does; returns how many each document has."""
        _, classes, values, _, of_class, _ = evidence
        words = (known.bytes, known.starts) if isinstance(known, WordList) else (None, None, known, self.hashing)
        assert classes is not None
        assert values is not None
        return native.score_words(*self._arguments(bags), slots, units, classes, values, of_class, out, *words)

    def score_noting(
        self, bags: Bags, slots: Array, evidence: tuple[Array | None, ...], known: WordList, out: Array
    ) -> tuple[Array, WordList]:
        """Add the same of words as often as they stand there, and return the words that are not known as well."""
        _, classes, values, _, of_class, _ = evidence
        assert classes is not None
        assert values is not None
        said = (slots, classes, values, of_class, out)
        held, data, starts = native.score_noting(*self._arguments(bags), *said, known.bytes, known.starts)
        return held, WordList(data, starts)

    def read(self, bags: Bags) -> Tokens:
        """Return the words of documents, and the runs of characters beside them."""
        words = self._words(bags)
        if self.characters is None:
            return words
        ids, starts, *runs = native.tokenize(*self._arguments(bags, self.characters))
        return words.beside(Tokens(ids, starts, WordList(*runs).behind(MARK)))

    def _words(self, bags: Bags) -> Tokens:
        """Return the words of documents, or their runs."""
        least, most = self.ngrams
        if self.tokenizer is not None:
            tokens = self._called(bags)
        else:
            ids, starts, *words = native.tokenize(*self._arguments(bags))
            tokens = Tokens(ids, starts, WordList(*words))
        meaning, kept = self.forms(tokens.words)
        if kept is not tokens.words:
            tokens = tokens.renamed(meaning, kept)
        if self.analyzer == "word" and (least, most) != (1, 1):
            w = tokens.words
            ids, starts, *words = native.word_grams(tokens.ids, tokens.starts, w.bytes, w.starts, least, most)
            tokens = Tokens(ids, starts, WordList(*words))
        return tokens

    def buckets_of(self, words: WordList) -> Array:
        """Return the bucket that each word of a list is thrown into."""
        assert self.hashing is not None
        return native.hash_words(words.bytes, words.starts, self.hashing)

    def words_of(self, text: str) -> list[str]:
        """Return the words of one text, in their order."""
        tokens = self.read(Bags([text]))
        return [tokens.words.text[i] for i in tokens.ids.tolist() if i >= 0]

    def written(self, words: Iterable[str]) -> list[bool]:
        """Return which of its words documents are written in: all but runs of characters beside words."""
        return [self.analyzer == "char" or not self._is_run(word) for word in words]

    def shown(self, words: Sequence[str]) -> list[str]:
        """Return words as a person sees them: spaces of runs of characters, which end some of them, as ␣."""
        if self.analyzer == "word" and self.characters is None:
            return list(words)
        return [word.replace(" ", SPACE) if self._is_run(word) else word for word in words]

    def _is_run(self, word: str) -> bool:
        """Whether a word is a run of characters."""
        return self.analyzer == "char" or (self.characters is not None and word.startswith(MARK))

    def _called(self, bags: Bags) -> Tokens:
        """Return the words that the user's function finds."""
        assert self.tokenizer is not None
        rows: list[list[str]] = []
        for text in bags.texts():
            if text is None:  # whatever the function finds in nothing
                rows.append([])
                continue
            given = self._as_read(text)
            found: Any = self.tokenizer(given)
            listed = list(found) if isinstance(found, Iterable) else [found]
            if not all(isinstance(word, str) for word in listed):
                raise TypeError(
                    f"tokenizer={shortened(self.tokenizer)} returned {shortened(found)} for {shortened(given, 40)}: "
                    "words are text"
                )
            rows.append(listed)
        return Tokens.of(rows)

    def _as_read(self, text: str) -> str:
        return as_read(text, self.fold is not None)

    @property
    def _dropped(self) -> WordList:
        """The words that are dropped, as those of documents are read."""
        listed = self.stop_words if isinstance(self.stop_words, str) else tuple(stop_list(self.stop_words))
        return dropped_words(listed, self.fold is not None)

    @property
    def _become(self) -> Forms | None:
        """What words become, or None where they stay as they are."""
        stay = self.lemmatize is None and self.stem is None
        return None if stay else forms_of(self.lemmatize, self.stem)

    def forms(self, words: WordList) -> tuple[Array, WordList]:
        """Return what words in order become, each negative where it is dropped, and the words that remain, in order."""
        become = self._become
        if self.stop_words is None and become is None and self.numbers == "keep":
            return np.zeros(0, dtype=np.int32), words
        keep = words.outside(self._dropped)
        if self.numbers == "drop":
            keep &= np.fromiter(map(spelt, words.text), dtype=bool, count=len(words))
        kept = words if keep.all() else words.take(np.flatnonzero(keep))
        meaning = np.full(len(words), -1, dtype=np.int32)
        kept, meaning[keep] = (kept, np.arange(len(kept))) if become is None else become.of(kept)
        return meaning, kept


def as_read(text: str, fold: bool) -> str:
    """Return a text as its words are read: in lower case, and without accents where these are taken away."""
    return folded(text.lower()) if fold else text.lower()


@lru_cache(maxsize=16)
def dropped_words(given: str | tuple[str, ...], fold: bool) -> WordList:
    """Return the words to be dropped as they are read; the last ones are remembered with where they are found."""
    return WordList.of(sorted({as_read(word, fold) for word in stop_list(given)}))


def is_positive(value: Any) -> bool:
    """Whether a value is a whole number above zero."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and int(value) > 0


def is_range(value: Any) -> bool:
    """Whether a value is two whole numbers above zero, the least and the most."""
    pair = isinstance(value, (tuple, list)) and len(value) == 2 and all(map(is_positive, value))
    return pair and value[0] <= value[1] <= LONGEST_RUN


def spelt(word: str) -> bool:
    """Whether a word has a letter."""
    return word[:1].isalpha() or any(map(str.isalpha, word))
