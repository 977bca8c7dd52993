"""Lexers of names, a regular expression per language, without parsing; and the names of a text with their counts.

A parse would hold Python's lock for as long as it takes (17 ms for a large file of Python's own library), and a
keystroke would wait for it. A pattern is matched token by token and can pause between any two. The result differs from
a parse in two cases, which are not read here: names inside strings with code in them, and contextual keywords.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from heapq import nlargest
from itertools import islice

import numpy as np
import numpy.typing as npt

from editahead.index.sliced_work import Steps
from editahead.syntax.grammar_words import fixed_texts
from editahead.syntax.grammars import GrammarMissing
from editahead.syntax.language import Language, all_languages
from editahead.syntax.regions.quoting import quoting_of
from editahead.text.buffer import Buffer
from editahead.text.words import IDENTIFIER

# Languages of prose and data: their words are no names that would be typed elsewhere.
_NO_NAMES = frozenset(
    "css dockerfile dot embedded_template gomod html jsdoc json make markdown regex rst toml tsq yaml".split()
)
# Languages whose files name each other's things.
_FAMILIES = {"typescript": "javascript", "tsx": "javascript", "cpp": "c", "objc": "c"}

_LITERALS = frozenset("True False None true false null nil undefined this super".split())
_DECLARING = frozenset("class def interface enum record struct trait fn func function module".split())

_NUMBER = rb"\d[\w.]*"
MAX_NAMES = 5000  # of a text, the most frequent; a text with more is generated
_MAX_COUNTED = 4 * MAX_NAMES  # further names are not counted
MAX_BYTES = 80  # bytes of a name
MIN_BYTES = 2
_STEP = 150  # tokens, about a tenth of a millisecond


class LexiconGroup(IntEnum):
    """The groups of `Lexicon.tokens`, which give the kind of a token."""

    NAME = 1
    STRING = 2
    NUMBER = 3
    LINE_END = 4
    SIGN = 5


@dataclass(frozen=True)
class Lexicon:
    """The lexer of a language. `pattern` matches names (group 1) and, to skip them, comments, strings and numbers.

    `tokens` matches all tokens, with the groups of `LexiconGroup`; a match without a group is a comment.
    """

    family: str
    pattern: re.Pattern[bytes]
    tokens: re.Pattern[bytes]
    keywords: frozenset[bytes]
    declaring: frozenset[bytes]  # the keywords behind which a name is declared


@lru_cache(maxsize=64)
def lexicon_of(language: Language) -> Lexicon | None:
    """Return the lexicon of a language; None without names, or if the grammar, which has the keywords, is missing."""
    if language.id in _NO_NAMES:
        return None
    try:
        kinds = fixed_texts(language)
    except GrammarMissing:
        return None
    keywords = {kind for kind in kinds if kind.isidentifier()} | _LITERALS
    words = _words(language)
    tokens = (*words[:2], b"(" + words[2] + b")", b"(" + _NUMBER + rb")|(\n)", _signs(kinds))
    return Lexicon(
        language_family(language.id),
        re.compile(b"|".join((*words, _NUMBER)), re.DOTALL),
        re.compile(b"|".join(tokens), re.DOTALL),
        frozenset(word.encode() for word in keywords),
        frozenset(word.encode() for word in keywords & _DECLARING),
    )


def language_family(language_id: str) -> str:
    """Return the family of a language: languages of a family share names."""
    return _FAMILIES.get(language_id, language_id)


def has_nested_quotes(data: bytes, start: int, end: int) -> bool:
    """Whether a string ends inside a replacement field that has quotes of its own (Python 3.12, C# 11)."""
    return data[start] in b"fFrRtT$" and data.count(b"{", start, end) > data.count(b"}", start, end)


def indexed_extensions() -> tuple[str, ...]:
    """Return the file extensions of all languages that have names, each with its dot."""
    return tuple(end for language in all_languages() if language.id not in _NO_NAMES for end in language.extensions)


def _words(language: Language) -> tuple[bytes, bytes, bytes]:
    """Return the patterns of names, comments and strings; only that of names has a group."""
    quoting = quoting_of(language)
    return quoting.before + b"(" + IDENTIFIER + b")", quoting.comment, quoting.string


def _signs(kinds: Iterable[str]) -> bytes:
    """Return a pattern of operators and brackets, longest first, and of any other character but words and blanks."""
    signs = {kind for kind in kinds if kind.isascii() and not re.search(r"[\w\s\"'`]", kind)}
    ordered = sorted(signs, key=lambda sign: (-len(sign), sign))
    return b"(" + b"|".join([*(re.escape(sign.encode()) for sign in ordered), rb"[^\w\s]"]) + b")"


@dataclass(frozen=True, slots=True)
class NameOccurrences:
    """The N distinct names of a text: `words` in order of appearance, `counts_N`, and `lines_N` (zero-based), uint32.

    The line is that of the first declaration, as far as a keyword before the name shows it (`declared_N`), else of
    the first use.
    """

    words: list[str]
    counts_N: npt.NDArray[np.uint32]
    lines_N: npt.NDArray[np.uint32]
    declared_N: npt.NDArray[np.bool_]


def names_in(buffer: Buffer, lexicon: Lexicon) -> Steps[NameOccurrences]:
    """Count the names of a text. Never raises."""
    counts: Counter[bytes] = Counter()
    first: dict[bytes, int] = {}
    declared: dict[bytes, int] = {}
    keywords, declaring = lexicon.keywords, lexicon.declaring
    matches = lexicon.pattern.finditer(buffer.data)
    skipped_to = 0  # matches before it are ignored
    declaration_at = 0  # the end of a keyword that declares the name behind it
    has_more = True
    while has_more:
        has_more = False
        for match in islice(matches, _STEP):
            has_more = True
            word = match[1]
            if word is None:
                if has_nested_quotes(buffer.data, match.start(), match.end()):
                    skipped_to = buffer.data.find(b"\n", match.end())  # later quotes on the line are ambiguous
                continue
            if match.start() < skipped_to:
                continue
            if word in keywords:
                declaration_at = match.end() if word in declaring else 0
                continue
            if word not in first:
                if len(first) >= _MAX_COUNTED:
                    continue
                first[word] = match.start()
            if declaration_at:
                if buffer.data[declaration_at : match.start()].isspace():
                    declared.setdefault(word, match.start())
                declaration_at = 0
            counts[word] += 1
        yield
    kept = [(word, raw) for raw in first if (word := _name(raw)) is not None]
    if len(kept) > MAX_NAMES:
        kept = nlargest(MAX_NAMES, kept, key=lambda pair: counts[pair[1]])
    offsets = np.array([declared.get(raw, first[raw]) for _, raw in kept], dtype=np.int64)
    return NameOccurrences(
        [word for word, _ in kept],
        np.array([counts[raw] for _, raw in kept], dtype=np.uint32),
        (buffer.line_starts.searchsorted(offsets, "right") - 1).astype(np.uint32),
        np.array([raw in declared for _, raw in kept], dtype=np.bool_),
    )


def _name(raw: bytes) -> str | None:
    if not MIN_BYTES <= len(raw) <= MAX_BYTES:
        return None
    word = raw.decode("utf-8", "replace")
    return word if word.isidentifier() else None
