"""The head of a Python function, read from tokens, so that the text around it need not parse.

A head is everything before the body: decorators, name, parameters, the class around it, and the docstring.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import Line, Token, TokenKind

_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
_BLOCKS = frozenset("class def async if elif else try except finally for while with match case".split())
_PLAIN_STRING = re.compile(r"[rRuU]?(\"\"\"|'''|\"|')")
MAX_TOKENS = 600  # of a signature
MAX_LINES = 3000  # above a function that are searched for its class


class PlacedToken(NamedTuple):
    """A token with its line and its first byte in the file."""

    token: Token
    line: int
    start: int

    @property
    def end(self) -> int:
        """The byte behind it."""
        return self.start + self.token.end - self.token.start


class Parameter(NamedTuple):
    """`mark` is empty, `*` or `**`; annotation and default as tokens."""

    name: str
    mark: str
    annotation: tuple[Token, ...]
    default: tuple[Token, ...]


@dataclass(frozen=True)
class FunctionHead:
    """The head of a function: the positions of its parts.

    `line` is that of `def`, `width` that of its indentation; `signature_end` is the byte behind the colon, `body_start`
    that behind the docstring, if any. `around` are the heads of the blocks that hold it, innermost first: (line, width,
    first word).
    """

    line: int
    width: int
    name: str
    parameters: tuple[Parameter, ...]
    returns: tuple[Token, ...]
    decorators: tuple[tuple[Token, ...], ...]
    signature_end: int
    docstring: tuple[int, int] | None
    around: tuple[tuple[int, int, str], ...]

    @property
    def body_start(self) -> int:
        """The byte where the body begins, without its docstring."""
        return self.docstring[1] if self.docstring else self.signature_end

    @property
    def class_line(self) -> int | None:
        """The line of the class of a method; None for a function."""
        inner = [line for line, _, word in self.around if word in ("class", "def", "async")]
        return next((line for line, _, word in self.around if word == "class" and line == inner[0]), None)


def head_at(syntax: SyntaxSnapshot, def_byte: int) -> FunctionHead | None:
    """The head whose `def` or `async` begins at a byte; None where there is none, or where its colon is missing."""
    line = syntax.buffer.line_at(def_byte)
    row = _code(syntax, line, line + 400, def_byte, MAX_TOKENS)
    first = next(row, None)
    if first is not None and first.token.text == "async":
        first = next(row, None)
    name = next(row, None)
    if first is None or name is None or first.token.text != "def" or not name.token.text.isidentifier():
        return None
    signature = _signature(row)
    if signature is None:
        return None
    inside, returns, colon = signature
    width = width_of(syntax.line_tokens(line))
    return FunctionHead(
        line, width, name.token.text, tuple(_parameters(inside)), tuple(returns), _decorators(syntax, line, width),
        colon.end, _docstring(next(row, None), next(row, None), line, width, syntax), _around(syntax, line, width),
    )  # fmt: skip


def width_of(line: Line) -> int:
    """Bytes of indentation of a line; 0 for a line without tokens."""
    return line[0].end if line and line[0].kind is TokenKind.NEWLINE else 0


def first_word(line: Line) -> str:
    """The first token of code on a line; empty when it has none."""
    for token in line:
        if token.kind is not TokenKind.NEWLINE:
            return "" if token.kind is TokenKind.COMMENT else token.text
    return ""


def _code(syntax: SyntaxSnapshot, first: int, last: int, byte: int, limit: int) -> Iterator[PlacedToken]:
    """Yield up to `limit` tokens from a byte on, without layout and comments."""
    for line in range(first, min(last, syntax.line_count)):
        begin = syntax.buffer.line_span(line)[0]
        for token in syntax.line_tokens(line):
            if token.kind in (TokenKind.NEWLINE, TokenKind.COMMENT) or begin + token.start < byte:
                continue
            if limit == 0:
                return
            limit -= 1
            yield PlacedToken(token, line, begin + token.start)


def _signature(row: Iterator[PlacedToken]) -> tuple[list[Token], list[Token], PlacedToken] | None:
    """(tokens between the parentheses, tokens of the result's annotation, the colon); None where it does not end."""
    depth, inside, returns, is_closed = 0, list[Token](), list[Token](), False
    for placed in row:
        text = placed.token.text
        if text in _CLOSE:
            depth -= 1
            if depth == 0 and text == ")" and not is_closed:
                is_closed = True
                continue
            if depth == 0 and not is_closed:
                inside.clear()  # type parameters
                continue
        if depth == 0 and is_closed and text == ":":
            return inside, returns, placed
        if depth == 0 and text == "def":
            return None  # the next function begins before a colon
        if is_closed and text != "->":
            returns.append(placed.token)
        elif depth:
            inside.append(placed.token)
        if text in _OPEN:
            depth += 1
    return None


def _parameters(tokens: Sequence[Token]) -> Iterator[Parameter]:
    depth, part = 0, list[Token]()
    for token in [*tokens, None]:
        if token is None or (depth == 0 and token.text == ","):
            parameter = _parameter(part)
            part = []
            if parameter is not None:
                yield parameter
            continue
        depth += (token.text in _OPEN) - (token.text in _CLOSE)
        part.append(token)


def _parameter(tokens: list[Token]) -> Parameter | None:
    mark = tokens[0].text if tokens and tokens[0].text in ("*", "**") else ""
    rest = tokens[1:] if mark else tokens
    if not rest or not rest[0].text.isidentifier():
        return None
    depth, annotation, default = 0, list[Token](), list[Token]()
    into: list[Token] | None = None
    for token in rest[1:]:
        if depth == 0 and token.text == "=":
            into = default
            continue
        if depth == 0 and token.text == ":" and into is None:
            into = annotation
            continue
        depth += (token.text in _OPEN) - (token.text in _CLOSE)
        if into is not None:
            into.append(token)
    return Parameter(rest[0].text, mark, tuple(annotation), tuple(default))


def _decorators(syntax: SyntaxSnapshot, line: int, width: int) -> tuple[tuple[Token, ...], ...]:
    """The decorators above a line, nearest first; of a decorator on several lines only the first is read."""
    decorators = []
    for above in range(line - 1, max(-1, line - 20), -1):
        tokens = syntax.line_tokens(above)
        if not tokens or first_word(tokens) == "":
            continue
        if first_word(tokens) == "@" and width_of(tokens) == width:
            decorators.append(tuple(t for t in tokens if t.kind not in (TokenKind.NEWLINE, TokenKind.COMMENT))[1:])
        elif width_of(tokens) <= width and first_word(tokens) not in _CLOSE:
            break
    return tuple(decorators)


def _docstring(
    token: PlacedToken | None, after: PlacedToken | None, line: int, width: int, syntax: SyntaxSnapshot
) -> tuple[int, int] | None:
    """The bytes of a plain string that is the first statement of the body."""
    if token is None or token.token.kind is not TokenKind.STRING or not _PLAIN_STRING.match(token.token.text):
        return None
    if token.line != line and width_of(syntax.line_tokens(token.line)) <= width:
        return None
    alone = after is None or after.token.text == ";" or syntax.buffer.line_at(token.end) < after.line
    return (token.start, token.end) if alone else None


def _around(syntax: SyntaxSnapshot, line: int, width: int) -> tuple[tuple[int, int, str], ...]:
    blocks = []
    for above in range(line - 1, max(-1, line - MAX_LINES), -1):
        if width == 0:
            break
        tokens = syntax.line_tokens(above)
        if tokens and tokens[0].kind is TokenKind.NEWLINE and tokens[0].end < width and first_word(tokens) in _BLOCKS:
            width = tokens[0].end
            blocks.append((above, width, first_word(tokens)))
    return tuple(blocks)
