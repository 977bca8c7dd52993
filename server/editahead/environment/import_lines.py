"""The position of a new import among the imports of a file, or of a new name in an import."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from editahead.syntax.nodes import Node, node_text
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

MAX_WIDTH = 88  # bytes of a line to which a name is added
_COMMENTS = rb"[ \t]*(?:/\*(?:[^*\r\n]|\*(?!/))*\*/[ \t]*)*(?:(?:#|//)[^\r\n]*)?"
_TO_LINE_END = re.compile(_COMMENTS + rb"(?=[\r\n]|\Z)")
_BEHIND_NAME = re.compile(rb"[ \t]*(,?)" + _COMMENTS + rb"(?=[\r\n]|\Z)")
_IMPORTED_NAME = re.compile(rb"(?:type\s+(?!as\b))?(\S+)")


class ImportLine(NamedTuple):
    """An import statement at the top level: its bytes, its module as written, and the bytes of each name it takes."""

    start: int
    end: int
    module: str
    names: tuple[tuple[int, int], ...] = ()  # start and end, with the alias


def add_name(buffer: Buffer, start: int, names: Sequence[tuple[int, int]], name: str) -> ByteEdit | None:
    """Add a name to the import that begins at a byte: in order if its names are sorted, else at the end.

    `names` are the bytes of those that stand there. None where the line would get too long.
    """
    data = buffer.data
    index = _sorted_index([_imported_name(data, *span) for span in names], name)
    if any(bracket in data[start : names[0][0]] for bracket in (b"(", b"{")):
        edit = _own_line(buffer, names, index, name.encode())
        if edit is not None:
            return edit
    at = names[index][0] if index < len(names) else names[-1][1]
    line_start, line_end = buffer.line_span(buffer.line_at(at))
    if line_end - line_start + len(name.encode()) + 2 > MAX_WIDTH:
        return None
    return ByteEdit(at, at, f"{name}, ".encode() if index < len(names) else f", {name}".encode())


def _sorted_index(names: Sequence[str], name: str) -> int:
    """The index of a new name."""
    for key in (str, str.lower):
        keys = [key(text) for text in names]
        if keys == sorted(keys):
            return sum(text < key(name) for text in keys)
    return len(names)


def _imported_name(data: bytes, start: int, end: int) -> str:
    """The name that an item of an import takes, without its alias."""
    match = _IMPORTED_NAME.match(data, start, end)
    return match.group(1).decode("utf-8", "replace") if match else ""


def _own_line(buffer: Buffer, names: Sequence[tuple[int, int]], index: int, name: bytes) -> ByteEdit | None:
    """Add a name between brackets on a line of its own; None where the names around it have none.

    Comments stay with the names that they stand above or behind.
    """
    data, newline = buffer.data, line_break(buffer)
    if index == 0 and _is_below_comment(buffer, names[0][0]):
        index = 1
    start, end = names[max(0, index - 1)]
    indent = data[buffer.line_span(buffer.line_at(start))[0] : start]
    if indent.strip():
        return None
    behind = _BEHIND_NAME.match(data, end)
    if index == 0:
        is_alone = behind is not None or len(names) == 1
        return ByteEdit(start, start, name + b"," + newline + indent) if is_alone else None
    if behind is not None and behind.group(1):
        return ByteEdit(behind.end(), behind.end(), newline + indent + name + b",")
    if index < len(names):
        return None
    comment = behind.group() if behind is not None else b""
    return ByteEdit(end, end + len(comment), b"," + comment + newline + indent + name)


def _is_below_comment(buffer: Buffer, byte: int) -> bool:
    line = buffer.line_at(byte)
    above = buffer.line_bytes(line - 1).strip() if line else b""
    return above.startswith((b"#", b"//", b"/*")) or above.endswith(b"*/")


def beside(buffer: Buffer, imports: Sequence[ImportLine], written: str, statement: str) -> ByteEdit:
    """Add a line behind the last import of the same group that sorts before it."""
    groups: list[list[ImportLine]] = [[imports[0]]]
    for before, after in pairwise(imports):
        is_apart = buffer.line_at(after.start) - buffer.line_at(before.end) > 1
        groups.append([after]) if is_apart else groups[-1].append(after)
    top = _top(written)
    group = next((rows for rows in reversed(groups) if any(_top(entry.module) == top for entry in rows)), groups[-1])
    earlier = [entry for entry in group if entry.module and entry.module.lower() <= written.lower()]
    if earlier:
        return below(buffer, earlier[-1].end, statement)
    froms = [entry for entry in group if entry.module]
    if froms:
        return ByteEdit(froms[0].start, froms[0].start, statement.encode() + line_break(buffer))
    return below(buffer, group[-1].end, statement)


def below(buffer: Buffer, end: int, statement: str) -> ByteEdit:
    """Add a line below the statement that ends at a byte; what follows it on its line, but a comment, goes below."""
    data, newline = buffer.data, line_break(buffer)
    line_end = _TO_LINE_END.match(data, end)
    if line_end is not None:
        return ByteEdit(line_end.end(), line_end.end(), newline + statement.encode())
    goes_on = data[end : end + MAX_WIDTH].lstrip(b" \t").startswith((b";", b"\\"))
    return ByteEdit(end, end, newline + statement.encode() + (b"" if goes_on else newline))


def before_first(buffer: Buffer, first: int, statement: str) -> ByteEdit:
    """Add a line before the first statement, with a blank line behind it."""
    line_start = buffer.line_span(buffer.line_at(first))[0]
    newline, is_own_line = line_break(buffer), not buffer.data[line_start:first].strip()
    if first == len(buffer.data) and not is_own_line:
        return ByteEdit(first, first, 2 * newline + statement.encode() + newline)
    at = line_start if is_own_line else first
    return ByteEdit(at, at, statement.encode() + 2 * newline)


def is_text_statement(node: Node) -> bool:
    """Whether a statement is a text alone, which stays first: a docstring, or `"use strict"`."""
    return node.type == "expression_statement" and [child.type for child in node.named_children] == ["string"]


def documented_start(node: Node) -> int:
    """Where a statement begins, with the documentation comment directly above it."""
    above = node.prev_sibling
    if above is None or above.end_point[0] + 1 != node.start_point[0] or not node_text(above).startswith("/**"):
        return node.start_byte
    return above.start_byte


def _top(module: str) -> str:
    return "." if module.startswith(".") else module.split(".", maxsplit=1)[0]


def line_break(buffer: Buffer) -> bytes:
    """The line end that a text uses."""
    return b"\r\n" if buffer.data[: buffer.data.find(b"\n")].endswith(b"\r") else b"\n"
