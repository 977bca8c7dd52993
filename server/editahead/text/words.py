"""Words at the end of a text, found in time that grows with the word alone, unlike a search for `…$`."""

from __future__ import annotations


def word_before(text: str, also: str = "") -> str:
    """Return the identifier at the end of `text`, without digits before it.

    `also`: what words may hold besides, but not begin with.

    Empty where there is none.
    """
    at = begin = len(text)
    while at and (continues_word(text[at - 1]) or text[at - 1] in also):
        at -= 1
        letter = text[at]
        if letter.isidentifier() or (letter.isalnum() and not letter.isdecimal()):
            begin = at
    return text[begin:]


def continues_word(letter: str) -> bool:
    """Whether a character may stand in an identifier behind its first one: accents and vowel signs are such."""
    return letter.isalnum() or letter == "_" or (not letter.isascii() and f"a{letter}".isidentifier())
