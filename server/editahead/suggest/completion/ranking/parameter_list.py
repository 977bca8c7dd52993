"""The parameters of a Python function whose head the cursor stands in, and its own name.

None of these can be used there, neither in a default value nor in an annotation, and none can be declared twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from editahead.suggest.context import CursorContext
from editahead.syntax.tokens import Line, Token, TokenKind, text_tokens

_LINES = 40  # of a head, on each side of the cursor
_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")
_MAX_CHARACTERS = 400  # characters behind the cursor that are looked at
_STATEMENTS = frozenset("def class return if elif else for while with try except import from raise async".split())
_NEXT = re.compile(r",\s*\*{0,2}([^\W\d]\w*)\s*(?=[:=,)]|$)")


def head_parameters(cursor: CursorContext) -> frozenset[str] | None:
    """The names of the function and of its parameters, as far as they are written; None outside a head."""
    before = _before(cursor.lines)
    if before is None:
        return None
    after = cursor.after[:_MAX_CHARACTERS]
    below = () if _is_closed(after) else _below(cursor.below)
    return frozenset((*before, *_NEXT.findall(after), *below))


def _before(lines: Sequence[Line]) -> list[str] | None:
    """The names that stand before the cursor; None where no head of a function is open."""
    names: list[str] = []
    depth = 0
    behind = ""  # the following token at the depth of the parameters
    for line in reversed(lines[-_LINES:]):
        tokens = text_tokens(line)
        for at in range(len(tokens) - 1, -1, -1):
            text = tokens[at].text
            if text in _CLOSING:
                depth += 1
            elif text in _OPENING and depth:
                depth -= 1
            elif text in _OPENING:
                if text == "(" and _is_head(tokens[:at]):
                    return [*names, *(token.text for token in tokens[at - 1 : at])]
                names = []  # they stood in brackets inside the head
            elif depth == 0:
                begins = (tokens[at - 1].text if at else "") in ("(", ",", "*", "**", "")
                if tokens[at].kind is TokenKind.NAME and begins and behind in (":", "=", ","):
                    names.append(text)
            behind = text if depth == 0 else behind
        if tokens and tokens[0].text in _STATEMENTS:
            return None  # no head continues beyond it
    return None


def _is_head(tokens: Sequence[Token]) -> bool:
    texts = [token.text for token in tokens]
    return texts[-2:-1] == ["def"] or (texts[-1:] == ["]"] and "def" in texts[:2])


def _is_closed(after: str) -> bool:
    depth = 0
    for letter in after:
        depth += (letter in _OPENING) - (letter in _CLOSING)
        if depth < 0:
            return True
    return False


def _below(lines: Sequence[Line]) -> Iterator[str]:
    """Parameters on the lines below the cursor's, up to the end of the head."""
    depth, before = 0, ","
    for line in lines[:_LINES]:
        for token in line:
            if token.kind in (TokenKind.NEWLINE, TokenKind.COMMENT) or not token.text:
                continue
            depth += (token.text in _OPENING) - (token.text in _CLOSING)
            if depth < 0 or (token is line[0] and token.text in _STATEMENTS):
                return
            if depth == 0 and token.kind is TokenKind.NAME and before in (",", "*", "**"):
                yield token.text
            before = token.text
