"""Lone surrogates: editors that count UTF-16 units may send a character in two changes.

UTF-8 has no surrogates, so the buffer has U+FFFD for each. The originals are kept apart, and when an edit brings the
two halves of a pair together, they become the character that the editor shows.
"""

from __future__ import annotations

from editahead.text.buffer import encode_text
from editahead.text.edits import ByteEdit

_REPLACED = "\ufffd".encode()
_WIDTH = len(_REPLACED)
_MOST = 1000  # halves kept of one document: more are no text


def _is_high(char: str) -> bool:
    return "\ud800" <= char <= "\udbff"


def _is_low(char: str) -> bool:
    return "\udc00" <= char <= "\udfff"


class LoneSurrogates:
    """The lone surrogates of one document, by the byte of the U+FFFD for each."""

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
        left, right = self._halves.get(start - _WIDTH, ""), self._halves.get(old_end, "")
        if left and _is_high(left) and _is_low((text or right)[:1]):
            start, text = start - _WIDTH, left + text
        if right and _is_low(right) and _is_high(text[-1:]):
            old_end, text = old_end + _WIDTH, text + right
        if not plain or left or right:
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
            if (_is_high(char) or _is_low(char)) and len(self._halves) < _MOST:
                self._halves[at] = char
            at += len(char.encode("utf-8", "surrogatepass"))
