"""Detokenisation: the space between two tokens, and the indentation of a new line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from editahead.encode.language_model.vocabulary import INDENT_OF
from editahead.syntax.tokens import Line, Role, Token, TokenKind

_CLASSES = {TokenKind.NAME: "<n>", TokenKind.NUMBER: "<0>", TokenKind.STRING: "<s>", TokenKind.COMMENT: "<c>"}
_GLUED_AFTER = frozenset("([{.@~!")
_GLUED_BEFORE = frozenset(")]},.:;(")
_AGREED = 0.8  # of the places where two neighbours stand in a file


def spacing_class(token: Token) -> str:
    """Return the class of a token for spacing: its text, or its kind for names and literals."""
    return _CLASSES.get(token.kind, token.text)


def spacing_key(previous: Token, following: Token, depth: int) -> str:
    """Return the key of a learnt table: two neighbours, and whether they are in brackets (`f(a=1)`, `a = 1`)."""
    return f"{spacing_class(previous)} {spacing_class(following)} {int(depth > 0)}"


def spacing_of(lines: Iterable[Line]) -> dict[str, bool]:
    """The table of some lines of a file: neighbours that have a space between them nearly always, or nearly never."""
    counts: dict[str, list[int]] = {}
    depth = 0
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
    return {
        key: spaced > glued
        for key, (glued, spaced) in counts.items()
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
