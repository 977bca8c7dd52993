"""What an edit must leave as it is in the text itself: words apart, line ends, byte order mark, final newline."""

from __future__ import annotations

import re
from collections.abc import Sequence

from editahead.text.edits import ByteEdit
from editahead.text.line_ends import line_end
from editahead.text.words import WORD_BYTES

_WORD, _SEPARATOR = re.compile(rb"[" + WORD_BYTES + rb"]"), re.compile(rb"[^" + WORD_BYTES + rb"]")
_MARK = b"\xef\xbb\xbf"


def text_conflict(data: bytes, edits: Sequence[ByteEdit]) -> str:
    """What the edits would do to the form of a text, in words; empty where they keep it."""
    end = line_end(data)
    for edit in edits:
        if data.startswith(_MARK) and edit.start < len(_MARK):
            return "changes the byte order mark"
        if _is_joining_words(data, edit):
            return "joins two words"
        if edit.new and _has_other_line_end(edit.new, end) and not _has_other_line_end(data, end):
            return "brings line ends that the file does not have"
    last = edits[-1] if edits else None
    if last is not None and last.old_end == len(data) and data.endswith((b"\n", b"\r")):
        rest = data[: last.start] + last.new
        if rest and not rest.endswith((b"\n", b"\r")):
            return "removes the newline at the end of the file"
    return ""


def _is_joining_words(data: bytes, edit: ByteEdit) -> bool:
    """Whether an edit joins words that stood apart: `(format string, args ...any)` without `, args ...`."""
    removed = data[edit.start : edit.old_end]
    if not (_WORD.search(removed) and _SEPARATOR.search(removed)) or _SEPARATOR.search(edit.new):
        return False
    beside = data[edit.start - 1 : edit.start] if edit.start else b"", data[edit.old_end : edit.old_end + 1]
    return all(_WORD.match(byte) for byte in beside)


def _has_other_line_end(text: bytes, end: bytes) -> bool:
    return any(sign in text.replace(end, b"") for sign in (b"\n", b"\r"))
