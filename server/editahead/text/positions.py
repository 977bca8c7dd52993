"""Conversion between LSP positions (line, character) and byte offsets, in the three encodings of LSP 3.17."""

from __future__ import annotations

from enum import Enum

from editahead.text.buffer import Buffer


class PositionEncoding(str, Enum):
    """The unit of `character`. The value is LSP's PositionEncodingKind."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


# The most bytes of UTF-8 that a unit can stand for (a pair of UTF-16 units is four bytes, so two each).
_BYTES_PER_UNIT = {PositionEncoding.UTF8: 1, PositionEncoding.UTF16: 3, PositionEncoding.UTF32: 4}


def byte_at(buffer: Buffer, line: int, character: int, encoding: PositionEncoding) -> int:
    """Convert a position to a byte offset. Never raises.

    Clamped as LSP prescribes: a character past the end of its line is that line's end before the line end, a line
    past the last is the end of the text; a position inside a surrogate pair or a character is the start of
    it.
    """
    if line < 0:
        return 0
    if line >= buffer.line_count:
        return len(buffer.data)
    start, end = buffer.line_span(line)
    character = max(character, 0)
    head = buffer.data[start : min(start + character, end)]
    if head.isascii():
        return start + len(head)
    if encoding is PositionEncoding.UTF8:
        return snap(buffer.data, start + len(head))
    reach = min(start + character * _BYTES_PER_UNIT[encoding], end)
    text = buffer.data[start:reach].decode("utf-8", "ignore")
    if encoding is PositionEncoding.UTF16:
        text = text.encode("utf-16-le")[: 2 * character].decode("utf-16-le", "ignore")
    else:
        text = text[:character]
    return start + len(text.encode("utf-8"))


def position_at(buffer: Buffer, byte: int, encoding: PositionEncoding) -> tuple[int, int]:
    """Convert a byte offset to line and character. Never raises.

    An offset out of the text is clamped; inside a character it is its start, inside a line end the end of the
    line before it.
    """
    byte = snap(buffer.data, min(max(byte, 0), len(buffer.data)))
    line = buffer.line_at(byte)
    start, end = buffer.line_span(line)
    head = buffer.data[start : min(byte, end)]
    return line, units(head, encoding)


def units(text: bytes, encoding: PositionEncoding) -> int:
    """Count the units of an encoding in a UTF-8 text."""
    if encoding is PositionEncoding.UTF8 or text.isascii():
        return len(text)
    decoded = text.decode("utf-8", "replace")
    if encoding is PositionEncoding.UTF32:
        return len(decoded)
    return len(decoded.encode("utf-16-le")) // 2


def snap(data: bytes, byte: int) -> int:
    """Return the start of the UTF-8 character that contains a byte; the offset itself at a border."""
    while 0 < byte < len(data) and data[byte] & 0xC0 == 0x80:
        byte -= 1
    return byte
