"""Vocabularies: the closed list of token texts that a model's softmax ranges over, and the hashed parts of names.

A vocabulary text is what a token looks like to the model (`symbol_of`): keywords, operators and frequent names as
they are; a line start as its change of indentation; long or rare literals as their class. Everything that is not
listed falls into one class of unknowns per token kind, and a name that is introduced (declared and never seen
before in the file) into `<new:KIND>`, so that its probability is the chance that a fresh name comes next.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping

from editahead.syntax.normalise import KIND_NAMES
from editahead.syntax.tokens import Role, Token, TokenKind
from editahead.text.memo import remembered

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


class Vocab:
    """Symbols to ids and back. Ids of `SPECIALS` come first, in their order.

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
        """The `size` most frequent symbols, ties in text order so that a run can be repeated."""
        frequent = sorted(
            (symbol for symbol, n in counts.items() if n >= minimum and symbol not in SPECIALS),
            key=lambda symbol: (-counts[symbol], symbol),
        )
        return cls((*SPECIALS, *frequent[: size - len(SPECIALS)]))

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> Vocab:
        """The inverse of `to_json`; raises ValueError on a vocabulary of another version."""
        symbols = data.get("symbols")
        if not isinstance(symbols, list) or not all(isinstance(symbol, str) for symbol in symbols):
            raise ValueError("vocab.json: `symbols` must be a list of texts")
        return cls(symbols)

    def to_json(self) -> dict[str, object]:
        """A JSON value."""
        return {"symbols": list(self.symbols), "subword_buckets": SUBWORD_BUCKETS}


def symbol_of(token: Token) -> str:
    """What a token looks like to a vocabulary. NEWLINE tokens need their context: see encode.lm."""
    if token.kind in (TokenKind.STRING, TokenKind.NUMBER) and len(token.text) > _MAX_LITERAL:
        return UNKNOWN[token.kind]
    if token.kind is TokenKind.COMMENT:
        return UNKNOWN[TokenKind.COMMENT]
    return token.text


def unknown_of(token: Token) -> str:
    """The class of a token whose symbol is not listed, seen before or not declared here."""
    return UNKNOWN[token.kind]


def new_name_of(role: Role) -> str:
    """The symbol of a name that appears for the first time in a role."""
    return NEW_NAMES.get(role, UNKNOWN[TokenKind.NAME])


@remembered(65536)
def subwords(name: str) -> tuple[int, ...]:
    """Up to four buckets (1-based; 0 is padding) of the camelCase and snake_case parts of a name, case folded."""
    parts = _PARTS.findall(name)
    if len(parts) > SUBWORDS_PER_NAME:  # the ends tell most: keep the first and the last ones
        parts = parts[:2] + parts[-2:]
    return tuple(1 + zlib.crc32(part.lower().encode()) % (SUBWORD_BUCKETS - 1) for part in parts)
