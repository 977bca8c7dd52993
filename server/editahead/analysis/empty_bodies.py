"""Functions with an empty body, and where its statements go.

A body is empty if it has only a docstring, comments, and at most a single `pass` or `...`. Read from tokens, so that
the text around may be broken. Offsets are bytes of the buffer.
"""

from __future__ import annotations

from dataclasses import dataclass

from editahead.analysis.function_heads import FunctionHead, first_word, head_at, width_of
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import TokenKind

MAX_ABOVE = 200  # lines from the cursor up to its `def`
MAX_LINES = 200  # of a body without statements
PRINTED_INDENT = 4  # spaces of an indentation step in printed statements
PLACEHOLDERS = frozenset({"pass", "..."})
_STAY_EMPTY = frozenset({"overload", "abstractmethod", "abstractproperty", "Protocol"})


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
    for at in range(first, min(first + MAX_LINES, syntax.line_count)):
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
