"""A baseline for next edits: the last edit is done once more at the next place with the same text.

It knows no syntax: the edit is widened to whole words, an insertion by the word before it, and what it replaced is
looked for behind the edit, then from the start of the file.
"""

from __future__ import annotations

import re

from editahead.suggest.types import Document
from editahead.text.edits import ByteEdit

_WORD_BEFORE, _WORD_AFTER = re.compile(rb"\w*\Z"), re.compile(rb"\w*")
_ANCHOR = re.compile(rb"\w+\W{0,3}\Z")
_REACH = 100  # bytes on each side that are looked at


def repeat_last_edit(document: Document) -> ByteEdit | None:
    """The last edit of a document's history at its next place; None where there is none."""
    history = document.history
    last = history.pending or (history.settled[-1] if history.settled else None)
    if last is None or last.is_blank:
        return None
    data = document.syntax.buffer.data
    head = data[max(0, last.start - _REACH) : last.start]
    tail = _word(_WORD_AFTER, data[last.end : last.end + _REACH])
    lead = _word(_WORD_BEFORE, head)
    if not last.removed.strip() and not (lead or tail):
        lead = _word(_ANCHOR, head)
    old, new = lead + last.removed + tail, lead + last.inserted + tail
    if not old.strip():
        return None
    for start in (last.end + len(tail), 0):
        at = _next_place(data, old, new, start)
        if at is not None:
            return ByteEdit(at, at + len(old), new)
    return None


def _next_place(data: bytes, old: bytes, new: bytes, start: int) -> int | None:
    """The next byte where `old` stands as whole words and is not the beginning of `new`."""
    at = data.find(old, start)
    while at >= 0:
        before, after = data[at - 1 : at] if at else b"", data[at + len(old) : at + len(old) + 1]
        cut = (_in_word(old[:1]) and _in_word(before)) or (_in_word(old[-1:]) and _in_word(after))
        if not cut and not data.startswith(new, at):
            return at
        at = data.find(old, at + 1)
    return None


def _word(pattern: re.Pattern[bytes], text: bytes) -> bytes:
    found = pattern.search(text) if pattern is not _WORD_AFTER else pattern.match(text)
    return found.group() if found else b""


def _in_word(byte: bytes) -> bool:
    return byte.isalnum() or byte == b"_" or byte > b"\x7f"
