"""Words at the end of a text, found in time that grows with the word alone, unlike a search for `…$`."""

from __future__ import annotations


def word_before(text: str, also: str = "") -> str:
    """Return the identifier at the end of `text`, without digits before it.

    `also`: what words may hold besides, but not begin with.

    Empty where there is none.
    """
    at = begin = len(text)
    while at and (text[at - 1].isalnum() or text[at - 1] == "_" or text[at - 1] in also):
        at -= 1
        if not text[at].isdecimal() and text[at] not in also:
            begin = at
    return text[begin:]
