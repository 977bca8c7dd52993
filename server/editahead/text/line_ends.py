"""The line ends of a text, and new text in the same manner."""

from __future__ import annotations


def line_end(data: bytes) -> bytes:
    """The text's own line end: that of its first line; a line feed when there is none."""
    feed = data.find(b"\n")
    carriage = data.find(b"\r", 0, feed if feed >= 0 else len(data))
    if carriage < 0:
        return b"\n"
    return b"\r\n" if feed == carriage + 1 else b"\r"


def with_line_ends(new: bytes, end: bytes) -> bytes:
    """`new` with every line end as the file has them."""
    return new if end == b"\n" else new.replace(b"\r\n", b"\n").replace(b"\n", end)
