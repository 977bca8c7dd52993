"""Detection of a text's line ends and indentation, and conversion of new text to them. Line ends are those of LSP."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from editahead.text.edits import ByteEdit

_LINE_END = re.compile(r"\r\n|\n|\r")
_STYLE_BYTES = 65_536  # that are read for the indentation


def line_end(data: bytes) -> bytes:
    """Return the line end of a text: that of its first line; a line feed when there is none."""
    feed = data.find(b"\n")
    carriage = data.find(b"\r", 0, feed if feed >= 0 else len(data))
    if carriage < 0:
        return b"\n"
    return b"\r\n" if feed == carriage + 1 else b"\r"


def style_of(data: bytes) -> tuple[bool, bytes]:
    """Return whether a text is indented by tabs, and its line end."""
    return data.find(b"\n\t", 0, _STYLE_BYTES) >= 0, line_end(data)


def with_line_ends(new: bytes, end: bytes) -> bytes:
    """Convert every line end of `new` to `end`."""
    return new if end == b"\n" else new.replace(b"\r\n", b"\n").replace(b"\n", end)


def in_own_line_ends(edit: ByteEdit, data: bytes) -> ByteEdit:
    """Convert the line ends of an edit to those of the text that it changes."""
    return replace(edit, new=with_line_ends(edit.new, line_end(data)))


def split_lines(text: str) -> list[str]:
    """Split a text into lines without their ends."""
    return _LINE_END.split(text)
