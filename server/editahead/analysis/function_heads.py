"""The head of a Python function, read from tokens, so that the text around it need not parse.

A head is everything before the body: decorators, name, parameters, the class around it, and the docstring.
A body is empty if it has only a docstring, comments, and at most a single `pass` or `...`. Offsets are bytes.
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
MAX_ABOVE = 200  # lines from the cursor up to its `def`
MAX_BODY_LINES = 200  # of a body without statements
PRINTED_INDENT = 4  # spaces of an indentation step in printed statements
PLACEHOLDERS = frozenset({"pass", "..."})
_STAY_EMPTY = frozenset({"overload", "abstractmethod", "abstractproperty", "Protocol"})


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


@dataclass(frozen=True)
class EmptyBody:
    """An empty body: its statements replace bytes [start, end).

    `fresh`: they begin a line of their own, else the first replaces a placeholder. `indent` is that of the statements,
    None where only that of the `def`, `outer`, is given. `line` is the cursor's if that is blank.
    """

    def_byte: int
    head: FunctionHead
    start: int
    end: int
    fresh: bool
    indent: bytes | None
    outer: bytes
    line: int | None

    def text(self, statements: str, unit: bytes, eol: bytes) -> bytes:
        """The text that replaces the bytes; `unit` is an indentation step of the file. Blank lines stay blank."""
        indent = self.indent if self.indent is not None else self.outer + unit
        lines = []
        for line in statements.split("\n"):
            bare = line.lstrip(" ")
            depth = (len(line) - len(bare)) // PRINTED_INDENT
            lines.append(indent + unit * depth + bare.encode("utf-8") if bare else b"")
        if self.line is not None:
            return eol.join(lines)
        return (eol if self.fresh else b"") + (eol.join(lines) if self.fresh else eol.join(lines)[len(indent) :])


def empty_body_at(syntax: SyntaxSnapshot, byte: int) -> EmptyBody | None:
    """The empty body of the function whose `def`, docstring or blank lines hold a byte; None where there is none."""
    line = syntax.buffer.line_at(byte)
    for at in range(line, max(-1, line - MAX_ABOVE), -1):
        tokens = syntax.line_tokens(at)
        if first_word(tokens) in ("def", "async"):
            def_byte = syntax.buffer.line_span(at)[0] + width_of(tokens)
            head = head_at(syntax, def_byte)
            return _body(syntax, head, def_byte, byte) if head is not None else None
    return None


def stays_empty(syntax: SyntaxSnapshot, head: FunctionHead) -> bool:
    """Whether a function is meant to have no body: an overload, an abstract method, a method of a protocol."""
    words = {token.text for row in head.decorators for token in row}
    if head.class_line is not None:
        words |= {token.text for token in syntax.line_tokens(head.class_line)}
    return not _STAY_EMPTY.isdisjoint(words)


def _body(syntax: SyntaxSnapshot, head: FunctionHead, def_byte: int, byte: int) -> EmptyBody | None:
    buffer = syntax.buffer
    cursor = buffer.line_at(byte)
    colon = buffer.line_at(head.signature_end - 1)
    if head.docstring is not None and buffer.line_at(head.docstring[0]) == colon:
        return None  # nothing can follow below it
    indent = None if head.docstring is None else _indent(syntax, buffer.line_at(head.docstring[0]))
    last = first = buffer.line_at(head.body_start)
    placeholder: tuple[int, int, int] | None = None  # line, start, end
    for at in range(first, min(first + MAX_BODY_LINES, syntax.line_count)):
        tokens, begin = syntax.line_tokens(at), buffer.line_span(at)[0]
        if at > first and tokens and width_of(tokens) <= head.width:
            break
        rest = [t for t in tokens if t.kind is not TokenKind.NEWLINE and begin + t.start >= head.body_start]
        code = [t for t in rest if t.kind is not TokenKind.COMMENT]
        if code:
            if len(code) > 1 or placeholder is not None or code[0].text not in PLACEHOLDERS:
                return None
            placeholder = at, begin + code[0].start, begin + code[0].end
        if rest:
            last = at
            if at > first and (indent is None or placeholder is not None):
                indent = _indent(syntax, at)
    blank = not buffer.line_bytes(cursor).strip() and cursor > last
    if not (head.line <= cursor <= last or (blank and _below(syntax, head, last, cursor))):
        return None
    outer = _indent(syntax, head.line)
    if placeholder is not None and placeholder[0] == colon:
        return EmptyBody(def_byte, head, head.signature_end, placeholder[2], True, None, outer, None)
    if placeholder is not None:
        return EmptyBody(def_byte, head, placeholder[1], placeholder[2], False, indent, outer, None)
    if blank:
        start, end = buffer.line_span(cursor)
        typed = buffer.data[start:byte]
        deeper = indent is None and len(typed) > len(outer) and typed.startswith(outer)
        return EmptyBody(def_byte, head, start, end, True, typed if deeper else indent, outer, cursor)
    end = buffer.line_span(last)[1]
    return EmptyBody(def_byte, head, end, end, True, indent, outer, None)


def _below(syntax: SyntaxSnapshot, head: FunctionHead, last: int, cursor: int) -> bool:
    """Whether a blank line below belongs to the function: it is the next line, or indented like the body."""
    buffer = syntax.buffer
    if any(buffer.line_bytes(at).strip() for at in range(last + 1, cursor)):
        return False
    return cursor == last + 1 or len(buffer.line_bytes(cursor)) > head.width


def _indent(syntax: SyntaxSnapshot, line: int) -> bytes:
    start = syntax.buffer.line_span(line)[0]
    return syntax.buffer.data[start : start + width_of(syntax.line_tokens(line))]
