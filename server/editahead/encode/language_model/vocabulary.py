"""The vocabulary of the language model: the closed list of symbols of its softmax, and hashed sub-words of names.

A symbol stands for a token (`symbol_of`): keywords, operators and frequent names are their own symbols; a line
start is its change of indentation; long or rare literals are their class. Everything that is not
listed falls into a class of unknowns per token kind, and a name that is introduced (declared and never seen
before in the file) into `<new:KIND>`, so that its probability is the chance that a fresh name comes next.
Detokenisation gives the space between two tokens.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from editahead.syntax.normalise import KIND_NAMES
from editahead.syntax.tokens import Line, Role, Token, TokenKind
from editahead.text.memo import cache_texts, kept_while_equal

PAD, START = "<pad>", "<start>"
UNKNOWN = {
    TokenKind.NAME: "<name>",
    TokenKind.KEYWORD: "<keyword>",
    TokenKind.NUMBER: "<number>",
    TokenKind.STRING: "<string>",
    TokenKind.OPERATOR: "<operator>",
    TokenKind.COMMENT: "<comment>",
}
MAX_DEDENT, MAX_INDENT = -6, 2
NEWLINES = {delta: f"<line{delta:+d}>" for delta in range(MAX_DEDENT, MAX_INDENT + 1)}
INDENT_OF = {symbol: delta for delta, symbol in NEWLINES.items()}
NEW_NAMES = {role: f"<new:{name}>" for role, name in KIND_NAMES.items()}
SPECIALS: tuple[str, ...] = (PAD, START, *UNKNOWN.values(), *NEWLINES.values(), *NEW_NAMES.values())

SUBWORD_BUCKETS = 6144
SUBWORDS_PER_NAME = 4
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^A-Za-z0-9_]+")
_MAX_LITERAL = 24  # characters; longer literals are never offered as they are
_CLASSES = {TokenKind.NAME: "<n>", TokenKind.NUMBER: "<0>", TokenKind.STRING: "<s>", TokenKind.COMMENT: "<c>"}
_GLUED_AFTER = frozenset("([{.@~!")
_GLUED_BEFORE = frozenset(")]},.:;(")
_AGREED = 0.8  # of the places where two neighbours stand in a file


class Vocab:
    """A map between symbols and ids. The ids of `SPECIALS` come first, in their order.

    Raises ValueError for others or doubles.
    """

    def __init__(self, symbols: Iterable[str]) -> None:
        self.symbols: tuple[str, ...] = tuple(symbols)
        if self.symbols[: len(SPECIALS)] != SPECIALS:
            raise ValueError("a vocabulary must begin with the special symbols of this version")
        self.ids: dict[str, int] = {symbol: number for number, symbol in enumerate(self.symbols)}
        if len(self.ids) != len(self.symbols):
            raise ValueError("a vocabulary must not hold a symbol twice")

    def __len__(self) -> int:
        return len(self.symbols)

    @classmethod
    def from_counts(cls, counts: Mapping[str, int], size: int, minimum: int = 5) -> Vocab:
        """Build a vocabulary of the `size` most frequent symbols, ties in text order for reproducibility."""
        frequent = sorted(
            (symbol for symbol, n in counts.items() if n >= minimum and symbol not in SPECIALS),
            key=lambda symbol: (-counts[symbol], symbol),
        )
        return cls((*SPECIALS, *frequent[: size - len(SPECIALS)]))

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> Vocab:
        """Read what `to_json` returned. Raises ValueError for a vocabulary of another version."""
        symbols = data.get("symbols")
        if not isinstance(symbols, list) or not all(isinstance(symbol, str) for symbol in symbols):
            raise ValueError("vocab.json: `symbols` must be a list of texts")
        return cls(symbols)

    def to_json(self) -> dict[str, object]:
        """Return a JSON value for `from_json`."""
        return {"symbols": list(self.symbols), "subword_buckets": SUBWORD_BUCKETS}


def symbol_of(token: Token) -> str:
    """Return the symbol of a token. NEWLINE tokens need their context: see `encoder`."""
    if token.kind in (TokenKind.STRING, TokenKind.NUMBER) and len(token.text) > _MAX_LITERAL:
        return UNKNOWN[token.kind]
    if token.kind is TokenKind.COMMENT:
        return UNKNOWN[TokenKind.COMMENT]
    return token.text


def unknown_of(token: Token) -> str:
    """Return the class of a token whose symbol is not listed: seen before, or not declared here."""
    return UNKNOWN[token.kind]


def new_name_of(role: Role) -> str:
    """Return the symbol of a name that occurs for the first time in a role."""
    return NEW_NAMES.get(role, UNKNOWN[TokenKind.NAME])


@cache_texts(65536)
def subword_buckets(name: str) -> tuple[int, ...]:
    """Return up to four buckets (from 1; 0 is padding) of the camelCase and snake_case sub-words of a name."""
    parts = _PARTS.findall(name)
    if len(parts) > SUBWORDS_PER_NAME:  # the ends tell most: keep the first and the last ones
        parts = parts[:2] + parts[-2:]
    return tuple(1 + zlib.crc32(part.lower().encode()) % (SUBWORD_BUCKETS - 1) for part in parts)


def spacing_class(token: Token) -> str:
    """Return the class of a token for spacing: its text, or its kind for names and literals."""
    return _CLASSES.get(token.kind, token.text)


def spacing_key(previous: Token, following: Token, depth: int) -> str:
    """Return the key of a learnt table: two neighbours, and whether they are in brackets (`f(a=1)`, `a = 1`)."""
    return f"{spacing_class(previous)} {spacing_class(following)} {int(depth > 0)}"


class _SpacingCounts(NamedTuple):
    """How often neighbours are [glued, spaced] in some lines, by their key; `depth`: of the brackets behind them."""

    counts: dict[str, list[int]]
    depth: int

    def with_lines(self, lines: Sequence[Line]) -> _SpacingCounts:
        """These counts and those of further lines."""
        counts, depth = {key: [*pair] for key, pair in self.counts.items()}, self.depth
        for line in lines:
            previous: Token | None = None
            for token in line:
                if token.kind is TokenKind.NEWLINE or not token.text:
                    continue
                if previous is not None:
                    key = spacing_key(previous, token, depth)
                    counts.setdefault(key, [0, 0])[token.start > previous.end] += 1
                depth = next_depth(depth, token)
                previous = token
        return _SpacingCounts(counts, depth)


@kept_while_equal()
def _counts_of(lines: Sequence[Line]) -> _SpacingCounts:
    return _SpacingCounts({}, 0).with_lines(lines)


def spacing_of(lines: Sequence[Line]) -> dict[str, bool]:
    """The table of some lines of a file: neighbours that have a space between them nearly always, or nearly never.

    All lines but the last are counted once, as long as they stay the same.
    """
    return {
        key: spaced > glued
        for key, (glued, spaced) in _counts_of(lines[:-1]).with_lines(lines[-1:]).counts.items()
        if max(glued, spaced) >= _AGREED * (glued + spaced)
    }


def has_space(table: Mapping[str, bool], previous: Token, following: Token, depth: int) -> bool:
    """Whether there is a space between two tokens, by a table or by default rules."""
    learnt = table.get(spacing_key(previous, following, depth))
    if learnt is not None:
        return learnt
    return previous.text[-1:] not in _GLUED_AFTER and following.text[:1] not in _GLUED_BEFORE


def depth_after(lines: Iterable[Line]) -> int:
    """Count the open round and square brackets at the end of lines, never below zero."""
    depth = 0
    for line in lines:
        for token in line:
            depth = next_depth(depth, token)
    return depth


def next_depth(depth: int, token: Token) -> int:
    """Return the bracket depth behind a token."""
    if token.kind is not TokenKind.OPERATOR:
        return depth
    if token.text in ("(", "["):
        return depth + 1
    return max(0, depth - 1) if token.text in (")", "]") else depth


def token_of(text: str, at: int, previous: Token | None, keywords: frozenset[str]) -> Token:
    """Build the token of a predicted text at column `at`."""
    role = Role.USE
    if text in keywords:
        kind = TokenKind.KEYWORD
    elif text[:1].isdigit():
        kind = TokenKind.NUMBER
    elif text[-1:] in "\"'" and len(text) > 1:
        kind = TokenKind.STRING
    elif text.isidentifier():
        kind = TokenKind.NAME
        role = Role.ATTRIBUTE_USE if previous is not None and previous.text == "." else Role.USE
    else:
        kind = TokenKind.OPERATOR
    return Token(kind, text, at, at + len(text.encode("utf-8")), role)


def newline_text(symbol: str, level: int, unit: int, tabs: bool) -> str:
    """Return line end and indentation for a `<line±n>` symbol after a line indented by `level` units."""
    depth = max(0, level + INDENT_OF[symbol])
    return "\n" + ("\t" * depth if tabs else " " * (depth * unit))
