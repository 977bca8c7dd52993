"""What the text about a function says of one parameter, as whole lines: in its docstring, or in the comment above it.

An entry is a field (`:param x:`, `:type x:`), a tag (`@param x`), or an item of a list (`x: text`, `x : type`), with
the lines that go on with it. The heading of a list goes with its only item.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from editahead.analysis.signatures import path_to
from editahead.syntax.nodes import Node
from editahead.syntax.scope_table import ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.edits import ByteEdit
from editahead.text.words import WORD_BYTES

MAX_LINES = 400
"""Lines of a docstring that are looked at."""
MAX_ABOVE = 4000
"""Bytes above a function that are searched for its comment."""
_COMMENT_SIGNS = (b"//", b"/*", b"* ", b"*", b"*/", b"@")
_FIELD = rb":(?:param|parameter|arg|argument|key|keyword|type|ivar|cvar|var|vartype)\b[^:\n]*?\s%s[ \t]*:"
_TAG = rb"[@\\](?:param|arg|tparam)\s+(?:\{[^}\n]*\}\s*)?\[?%s(?![$" + WORD_BYTES + rb"])"
_LISTED = rb"^[ \t]*%s[ \t]*(?:\([^)\n]*\)[ \t]*)?:"
_HEADING = re.compile(rb"[ \t]*(?:(?:keyword )?(?:args|arguments):|params:|parameters:?)[ \t]*\r?$", re.IGNORECASE)
_UNDERLINE = re.compile(rb"[ \t]*-{3,}[ \t]*\r?$")
_SIGN = re.compile(rb"[ \t]*(?:\*(?!/)|//[/!]?)?[ \t]*")


class _Line(NamedTuple):
    """A line in bytes [start, end), with its line end."""

    start: int
    end: int
    text: bytes

    @property
    def body(self) -> bytes:
        """The text without its indentation and the sign of the comment."""
        return self.text[_SIGN.match(self.text).end() :].strip()  # type: ignore[union-attr]

    @property
    def indent(self) -> int:
        """Columns of its indentation."""
        return len(self.text) - len(self.text.lstrip())


def entries_of(syntax: SyntaxSnapshot, table: ScopeTable, name_start: int, parameter: str) -> list[ByteEdit]:
    """The removals of what is said of a parameter of the function whose name begins at a byte, in text order."""
    path, offset = path_to(syntax, name_start)
    function = next((node for node in reversed(path) if node.type in table.functions), None)
    if function is None:
        return []
    name = re.escape(parameter.encode())
    span = _docstring(function, offset, syntax)
    if span is not None:
        patterns = [re.compile(_FIELD % name), re.compile(_LISTED % name)]
        lines = _lines(syntax, *span)
        return list(_entries(lines[1:-1], patterns, indented=True))  # the quotes stand in the first and the last one
    lines = _comment_above(syntax, function.start_byte + offset)
    return list(_entries(lines, [re.compile(_TAG % name)], indented=False))


def _docstring(function: Node, offset: int, syntax: SyntaxSnapshot) -> tuple[int, int] | None:
    """The bytes of the string that a function begins with."""
    body = function.child_by_field_name("body")
    first = body.named_children[0] if body is not None and body.named_children else None
    if first is None or first.type != "expression_statement" or not first.named_children:
        return None
    string = first.named_children[0]
    if string.type not in syntax.language.string_nodes:
        return None
    return string.start_byte + offset, string.end_byte + offset


def _lines(syntax: SyntaxSnapshot, start: int, end: int) -> list[_Line]:
    buffer = syntax.buffer
    first = buffer.line_at(start)
    last = min(buffer.line_at(end), first + MAX_LINES)
    starts = [*(int(at) for at in buffer.line_starts[first : last + 2]), len(buffer.data)][: last - first + 2]
    return [_Line(low, high, buffer.data[low:high]) for low, high in pairwise(starts)]


def _comment_above(syntax: SyntaxSnapshot, start: int) -> list[_Line]:
    """The lines of the comment above a byte; annotations and decorators may stand between."""
    lines = _lines(syntax, max(0, start - MAX_ABOVE), start)[:-1]
    row = len(lines)
    while row > 0 and lines[row - 1].text.lstrip()[:2] in _COMMENT_SIGNS:
        row -= 1
    return lines[row:]


def _entries(lines: Sequence[_Line], patterns: Sequence[re.Pattern[bytes]], *, indented: bool) -> Iterator[ByteEdit]:
    row = 0
    while row < len(lines):
        listed = indented and patterns[-1].match(lines[row].text) is not None
        end = row
        while end < len(lines) and (
            any(pattern.search(lines[end].text) for pattern in patterns)
            or (end > row and _goes_on(lines[row], lines[end], indented=indented))
        ):
            end += 1  # entries side by side go together: a field and its type
        if end == row:
            row += 1
            continue
        first = row
        if listed and _is_only_item(lines, row, end):
            first = _with_heading(lines, row)
        if not any(mark in line.text for line in lines[first:end] for mark in (b"/*", b"*/")):
            yield ByteEdit(lines[first].start, lines[end - 1].end, b"")
        row = end


def _goes_on(entry: _Line, line: _Line, *, indented: bool) -> bool:
    """Whether a line belongs to an entry: it is indented deeper, or says anything but the next tag."""
    if indented:
        return bool(line.body) and line.indent > entry.indent
    return bool(line.body) and not line.body.startswith((b"@", b"\\", b"*/"))


def _is_only_item(lines: Sequence[_Line], row: int, end: int) -> bool:
    """Whether a list, whose heading is above it, has no other item."""
    return _heading_of(lines, row) < row and (
        end == len(lines) or not lines[end].body or lines[end].indent < lines[row].indent
    )


def _heading_of(lines: Sequence[_Line], row: int) -> int:
    """The row of the heading directly above a row; the row itself where there is none."""
    if row > 1 and _UNDERLINE.match(lines[row - 1].text) and _HEADING.match(lines[row - 2].text):
        return row - 2
    if row > 0 and _HEADING.match(lines[row - 1].text) and lines[row - 1].body.endswith(b":"):
        return row - 1
    return row


def _with_heading(lines: Sequence[_Line], row: int) -> int:
    """The first row that goes with an only item: its heading, and the empty line above that."""
    first = _heading_of(lines, row)
    return first - 1 if first > 0 and not lines[first - 1].body else first
