"""Lone surrogates: editors that count UTF-16 units may send a character in two changes.

UTF-8 has no surrogates, so the buffer has U+FFFD for each. The originals are kept apart, and when an edit brings the
two halves of a pair together, they become the character that the editor shows.
"""

from __future__ import annotations

from editahead.text.buffer import encode_text
from editahead.text.edits import ByteEdit

_REPLACED = "\ufffd".encode()
_WIDTH = len(_REPLACED)
_MAX_HALVES = 1000  # halves kept of a document: more are no text


def _is_high(char: str) -> bool:
    return "\ud800" <= char <= "\udbff"


def _is_low(char: str) -> bool:
    return "\udc00" <= char <= "\udfff"


class LoneSurrogates:
    """The lone surrogates of a document, by the byte of the U+FFFD for each."""

    def __init__(self, text: str = "", data: bytes = b"") -> None:
        """`data` is the encoded `text`."""
        self._halves: dict[int, str] = {}
        if _REPLACED in data:
            self._learn(text, 0)

    def edit(self, data: bytes, start: int, old_end: int, text: str) -> ByteEdit:
        """Return the edit of `data` that replaces bytes [start, old_end) by `text`, joining halves of a pair."""
        plain = text.isascii()
        if plain and not self._halves:
            return ByteEdit(start, old_end, text.encode())
        before, after = self._halves.get(start - _WIDTH, ""), self._halves.get(old_end, "")
        if before and _is_high(before) and _is_low((text or after)[:1]):
            start, text = start - _WIDTH, before + text
        if after and _is_low(after) and _is_high(text[-1:]):
            old_end, text = old_end + _WIDTH, text + after
        if not plain or before or after:
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        edit = ByteEdit(start, old_end, encode_text(text))
        if self._halves:
            if edit.is_noop(data) and not any(_is_high(char) or _is_low(char) for char in text):
                return edit  # a whole text sent again, from an editor that replaces lone surrogates itself
            kept = ((at, half) for at, half in self._halves.items() if not start <= at < old_end)
            self._halves = {at if at < start else at + edit.delta: half for at, half in kept}
        if _REPLACED in edit.new:
            self._learn(text, start)
        return edit

    def _learn(self, text: str, at: int) -> None:
        """Record the lone surrogates of `text`, which begins at byte `at`."""
        for char in text:
            if (_is_high(char) or _is_low(char)) and len(self._halves) < _MAX_HALVES:
                self._halves[at] = char
            at += len(char.encode("utf-8", "surrogatepass"))
