"""Where a new import goes among the imports of a file."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit


class ImportLine(NamedTuple):
    """An import statement at the top level: its bytes, its module as written, and its names where they are plain."""

    start: int
    end: int
    module: str
    names: tuple[tuple[int, int, str], ...] = ()  # start, end, name; empty where there are others than plain names
    several_lines: bool = False


def beside(buffer: Buffer, imports: Sequence[ImportLine], written: str, statement: str) -> ByteEdit:
    """Add a line behind the last import of the same group that sorts before it."""
    groups: list[list[ImportLine]] = [[imports[0]]]
    for before, after in pairwise(imports):
        apart = buffer.line_at(after.start) - buffer.line_at(before.end) > 1
        groups.append([after]) if apart else groups[-1].append(after)
    top = written.split(".", maxsplit=1)[0] if not written.startswith(".") else "."
    group = next((one for one in reversed(groups) if any(_top(entry.module) == top for entry in one)), groups[-1])
    earlier = [entry for entry in group if entry.module and entry.module.lower() <= written.lower()]
    if earlier:
        at = buffer.line_span(buffer.line_at(earlier[-1].end))[1]
        return ByteEdit(at, at, line_break(buffer) + statement.encode())
    froms = [entry for entry in group if entry.module]
    if froms:
        return ByteEdit(froms[0].start, froms[0].start, statement.encode() + line_break(buffer))
    at = buffer.line_span(buffer.line_at(group[-1].end))[1]
    return ByteEdit(at, at, line_break(buffer) + statement.encode())


def before_first(buffer: Buffer, first: int, statement: str) -> ByteEdit:
    """Add a line before the first statement, with a blank line behind it."""
    at = buffer.line_span(buffer.line_at(min(first, len(buffer.data))))[0]
    return ByteEdit(at, at, statement.encode() + 2 * line_break(buffer))


def _top(module: str) -> str:
    return "." if module.startswith(".") else module.split(".", maxsplit=1)[0]


def line_break(buffer: Buffer) -> bytes:
    """The line end that a text uses."""
    return b"\r\n" if b"\r\n" in buffer.data[:2000] else b"\n"
