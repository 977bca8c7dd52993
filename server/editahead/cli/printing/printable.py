"""Text of files, and their names, as a terminal may get it."""

from __future__ import annotations


def printable(line: str) -> str:
    """A line of a file, or a path, without what a terminal would act upon; tabs become spaces."""
    return "".join(char if char.isprintable() or _is_harmless(char) else "\ufffd" for char in line.expandtabs(4))


def _is_harmless(char: str) -> bool:
    """Whether a character that counts as unprintable cannot harm: joiners, wide spaces, bytes of a file name."""
    return char in "\u200c\u200d\u00a0\u3000" or "\ud800" <= char <= "\udfff"
