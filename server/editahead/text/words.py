"""Words in a text: those that it ends with, and how patterns over its bytes name them."""

from __future__ import annotations

import re
from collections.abc import Iterator

WORD_BYTES = rb"\w\x80-\xff"
"""For the set of a pattern: the bytes of words in UTF-8. Every letter that is not ASCII counts as part of a word."""
IDENTIFIER = rb"[A-Za-z_\x80-\xff][" + WORD_BYTES + rb"]*"  # a pattern: the bytes of an identifier in UTF-8
SCRIPT_IDENTIFIER = rb"[A-Za-z_$\x80-\xff][$" + WORD_BYTES + rb"]*"  # the same where a name may hold `$`


def whole_word(name: str) -> re.Pattern[bytes]:
    """A pattern that matches a name in bytes of UTF-8, but not as part of a longer name."""
    return re.compile(rb"(?<![$%b])%b(?![$%b])" % (WORD_BYTES, re.escape(name.encode()), WORD_BYTES))


def word_offsets(data: bytes, name: str, start: int = 0, end: int | None = None) -> Iterator[int]:
    """Yield the offsets of a name in bytes [start, end) of UTF-8 where it is no part of a longer name.

    Many times as fast as `whole_word` over a long text that hardly holds the name.
    """
    word, end = name.encode(), len(data) if end is None else end
    offset = data.find(word, start, end)
    while offset >= 0:
        past = offset + len(word)
        if not (_is_word_byte(data[past : past + 1]) or (offset and _is_word_byte(data[offset - 1 : offset]))):
            yield offset
        offset = data.find(word, max(past, offset + 1), end)


def _is_word_byte(byte: bytes) -> bool:
    return byte.isalnum() or byte in (b"_", b"$") or byte >= b"\x80"


def word_before(text: str, also: str = "", first: str = "") -> str:
    """Return the identifier at the end of `text`, without digits before it, in time that grows with the word alone.

    `also`: signs that words may hold besides; `first`: those of them that words may begin with.

    Empty where there is none.
    """
    at = begin = len(text)
    while at and (is_word_continuation(text[at - 1]) or text[at - 1] in also):
        at -= 1
        letter = text[at]
        if letter.isidentifier() or letter in first or (letter.isalnum() and not letter.isdecimal()):
            begin = at
    return text[begin:]


def is_name(text: str) -> bool:
    """Whether a text is an identifier of some language; many have `$` as a letter."""
    return text.replace("$", "_").isidentifier()


def is_word_continuation(letter: str) -> bool:
    """Whether a character may stand in an identifier behind its first: accents and vowel signs, for example."""
    return letter.isalnum() or letter == "_" or (not letter.isascii() and f"a{letter}".isidentifier())
