"""Short: a script that says the same in fewer bytes.

Comments, needless spaces and brackets go, and names that the script gives itself become letters. A name is one word
in the whole script, whatever its scopes: it is renamed everywhere or nowhere, and stays where a property has it, too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from string import ascii_letters

TOKEN = re.compile(
    r"""//[^\n]*                                  # a comment
    | "(?:\\.|[^"\\\n])*"                         # a text
    | (?<=[(=,])/(?![/*])(?:\\.|[^/\\\n])+/\w*    # a pattern, which is only given to what takes one
    | `(?:\\.|[^`\\$]|\$(?!\{))*(?:`|\$\{)        # a template until its first expression
    | \d[\w.]*(?:(?<=e)-\d+)?                     # a number
    | [A-Za-z_$][\w$]*                            # a word
    | \s+ | =>|\.\.\.|\+\+|--|.""",
    re.VERBOSE,
)
REST = re.compile(r"(?:\\.|[^`\\$]|\$(?!\{))*(?:`|\$\{)")
"""What follows an expression of a template."""
WORD = re.compile(r"[A-Za-z_$][\w$]*\Z")
SHORT = frozenset({"do", "if", "in", "of"})
"""Words of the language that two letters spell."""
OPENS, CLOSES = ("(", "[", "{"), (")", "]", "}")
DECLARES = frozenset({"const", "let", "function"})


def short(text: str) -> str:
    r"""Return a script that does the same.

    It is written with a semicolon after every statement and brackets around every parameter, no loop of it has an empty
    body, and no name of its own is one of the browser's.

    Examples
    --------
    >>> short("const twice = (number) => { return 2 * number; };  // a comment\nshow(twice(3));")
    'let b=a=>{return 2*a};show(b(3));'
    """
    found = list(tokens(text))
    names = renamed(found)
    out: list[str] = []
    for i, token in enumerate(found):
        before, after = (found[i - 1] if i else ""), (found[i + 1] if i + 1 < len(found) else "")
        if (token == ";" and after == "}") or is_needless(found, i):
            continue
        now = names.get(token, "let" if token == "const" else token)
        if out and needs_space(out[-1], now, before):
            out.append("\n" if before == "}" else " ")
        out.append(now)
    return "".join(out)


def tokens(text: str) -> Iterator[str]:
    """Yield the tokens of a script, without spaces and comments; a template is cut where its expressions begin."""
    at, depth = 0, 0
    within: list[int] = []  # how deep the templates' expressions lie that are open
    # ends: every token has a letter at least
    while at < len(text):
        ends = bool(within) and text[at] == "}" and within[-1] == depth
        found = (REST if ends else TOKEN).match(text, at + ends)
        assert found is not None, text[at:][:40]
        token = "}" * ends + found[0]
        at = found.end()
        if ends:
            within.pop()
        if token[0] in "`}" and token.endswith("${"):
            within.append(depth)
        elif not ends:
            depth += (token in OPENS) - (token in CLOSES)
        if not token.isspace() and not token.startswith("//"):
            yield token


def renamed(found: Sequence[str]) -> dict[str, str]:
    """Return the letters of each name that the script gives itself and no property has, the most frequent first."""
    own, properties, open_ = set[str](), set[str](), [""]
    declares = [False]  # whether a declaration goes on, by the brackets that are open
    for i, token in enumerate(found):
        if token in OPENS:
            open_.append(token)
            declares.append(False)
        elif token in CLOSES:
            open_.pop()
            declares.pop()
        elif token == "=>":
            own |= set(parameters(found, i))
        elif token in (";", "const", "let"):
            declares[-1] = token != ";"
        elif WORD.match(token):
            before, after = found[i - 1], found[i + 1]
            if before in DECLARES or (declares[-1] and before == ","):
                own.add(token)
            elif before == "." or (open_[-1] == "{" and before in "{," and after in ",}:=("):
                properties.add(token)
    words = Counter(token for token in found if WORD.match(token))
    wanted = sorted(own - properties, key=lambda word: (-words[word] * len(word), word))
    letters = (
        made for n in (1, 2) for made in map("".join, product(ascii_letters, repeat=n)) if made not in {*words, *SHORT}
    )
    return {word: made for word, made in zip(wanted, letters, strict=False) if len(made) < len(word)}


def parameters(found: Sequence[str], arrow: int) -> Iterator[str]:
    """Yield the words between the brackets before an arrow that no property is called by."""
    depth, i = 0, arrow - 1
    # ends: at the bracket that opens
    while True:
        depth += (found[i] in CLOSES) - (found[i] in OPENS)
        if depth == 0:
            return
        if WORD.match(found[i]) and found[i - 1] in "(,[...":
            yield found[i]
        i -= 1


def is_needless(found: Sequence[str], i: int) -> bool:
    """Whether a token is a bracket around the one parameter of a function."""
    first = i if found[i] == "(" else i - 2
    one = first > 0 and found[first] == "(" and found[first + 2 : first + 4] == [")", "=>"]
    return one and found[i] in "()" and bool(WORD.match(found[first + 1])) and not WORD.match(found[first - 1])


def needs_space(before: str, after: str, original: str) -> bool:
    """Whether two tokens would be read as one, or a statement as going on."""
    first, last = after[0], before[-1]
    if last == "}" and original == "}":
        return bool(WORD.match(after))  # a block ended, or an object: both end at an end of line
    return (is_name(last) and is_name(first)) or (first == last and first in "+-/")


def is_name(letter: str) -> bool:
    """Whether a letter may stand within a word."""
    return letter.isalnum() or letter in "_$"
