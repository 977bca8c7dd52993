"""Words at the end of a text, in time that grows with the word alone: a search by `…$` tries every place before it."""

from __future__ import annotations


def word_before(text: str, also: str = "") -> str:
    """The identifier that ends where `text` ends; digits before it are no part of it.

    `also`: what words may hold besides, but not begin with.

    Empty where there is none.
    """
    at = begin = len(text)
    while at and (text[at - 1].isalnum() or text[at - 1] in "_" or text[at - 1] in also):
        at -= 1
        if not text[at].isdecimal() and text[at] not in also:
            begin = at
    return text[begin:]
