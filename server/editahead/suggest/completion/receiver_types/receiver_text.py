"""The text of the expression before the dot at the cursor, read backwards from the tokens."""

from __future__ import annotations

from collections.abc import Sequence

from editahead.syntax.tokens import Line, Token, TokenKind

_LINES_BACK = 20  # of an expression in brackets
_MAX_TOKENS = 200
_SUFFIXES = frozenset("!?")  # `a!.b`, `a?.b`
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


def receiver_text(lines: Sequence[Line], dots: Sequence[str]) -> str:
    """The expression that ends before the last token, a dot; empty where none does."""
    tokens = _tokens(lines)
    at = len(tokens) - 1
    if at < 1 or tokens[at].text not in dots:
        return ""
    while at > 0:
        at = _start_of_operand(tokens, at - 1)
        if at < 0:
            return ""
        if at == 0 or tokens[at - 1].text not in dots:
            break
        at -= 1
    if at > 0 and tokens[at - 1].text == "new":
        at -= 1
    return " ".join(token.text for token in tokens[at:-1])


def _tokens(lines: Sequence[Line]) -> list[Token]:
    """The last tokens of the last lines, without line breaks."""
    last: list[Token] = []
    for line in reversed(lines[-_LINES_BACK:]):
        last[:0] = [token for token in line if token.kind not in (TokenKind.NEWLINE, TokenKind.COMMENT) and token.text]
        if len(last) > _MAX_TOKENS:
            break
    return last[-_MAX_TOKENS:]


def _start_of_operand(tokens: Sequence[Token], at: int) -> int:
    """Where the name, literal, call or bracket begins that ends at a token; -1 where none does."""
    while at >= 0:
        token = tokens[at]
        if token.text in _SUFFIXES and at > 0:
            at -= 1
            continue
        if token.text in _CLOSING or token.text == ">":
            at = _opening(tokens, at)
            before = tokens[at - 1] if at > 0 else None
            joined = before is not None and (before.kind is TokenKind.NAME or before.text in ("super", "this", ">"))
            if at >= 0 and (joined or (before is not None and before.text in _CLOSING)):
                at -= 1
                continue
            return at
        if token.kind is TokenKind.STRING:
            return _start_of_string(tokens, at)
        literal = token.kind is TokenKind.NUMBER
        return at if literal or token.kind is TokenKind.NAME or token.text in ("super", "this", "self") else -1
    return -1


def _start_of_string(tokens: Sequence[Token], at: int) -> int:
    """Where a string begins, which may be a row of pieces around expressions."""
    if tokens[at].text.strip("\"'"):
        return at
    quote, last = tokens[at].text, at
    if len(quote) > 1 and len(quote) != 3:
        return at  # an empty text
    while at > 0:
        at -= 1
        if tokens[at].kind is TokenKind.STRING and tokens[at].text.endswith(quote):
            return at
    return last


def _opening(tokens: Sequence[Token], at: int) -> int:
    """The bracket that a closing bracket closes; -1 if there is none."""
    closing = tokens[at].text
    opening = {")": "(", "]": "[", "}": "{", ">": "<"}[closing]
    depth = 0
    for number in range(at, -1, -1):
        text = tokens[number].text
        depth += (text == closing) - (text == opening)
        if depth == 0:
            return number
    return -1
