"""What an edit must leave as it is in the text itself: line ends, the byte order mark, the final newline."""

from __future__ import annotations

from collections.abc import Sequence

from editahead.text.edits import ByteEdit
from editahead.text.line_ends import line_end

_MARK = b"\xef\xbb\xbf"


def text_conflict(data: bytes, edits: Sequence[ByteEdit]) -> str:
    """What the edits would do to the form of a text, in words; empty where they keep it."""
    end = line_end(data)
    for edit in edits:
        if data.startswith(_MARK) and edit.start < len(_MARK):
            return "changes the byte order mark"
        if edit.new and _has_other_line_end(edit.new, end) and not _has_other_line_end(data, end):
            return "brings line ends that the file does not have"
    last = edits[-1] if edits else None
    if last is not None and last.old_end == len(data) and data.endswith((b"\n", b"\r")):
        rest = data[: last.start] + last.new
        if rest and not rest.endswith((b"\n", b"\r")):
            return "removes the newline at the end of the file"
    return ""


def _has_other_line_end(text: bytes, end: bytes) -> bool:
    return any(sign in text.replace(end, b"") for sign in (b"\n", b"\r"))
