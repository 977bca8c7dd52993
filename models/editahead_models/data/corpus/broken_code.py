"""Code as an editor sees it: cut in the middle, a bracket missing, a line half typed.

A model that has only read whole files meets its first broken line when it is served. These are the states that a
buffer is in while somebody types.
"""

from __future__ import annotations

import random
from collections.abc import Callable

_CLOSING = b")]}"
_AT_MOST_BRACKETS = 3


def broken_code(content: bytes, chooser: random.Random) -> bytes:
    """One of the breakages below, drawn by `chooser`; bytes outside the broken place stay as they are."""
    breakage: Callable[[bytes, random.Random], bytes] = chooser.choice((cut, without_brackets, half_line))
    return breakage(content, chooser)


def cut(content: bytes, chooser: random.Random) -> bytes:
    """The file ends at a random byte of its second half, between two characters."""
    at = chooser.randrange(len(content) // 2, len(content) + 1)
    while at < len(content) and content[at] & 0xC0 == 0x80:
        at += 1
    return content[:at]


def without_brackets(content: bytes, chooser: random.Random) -> bytes:
    """One to three closing brackets are missing."""
    places = [at for at, byte in enumerate(content) if byte in _CLOSING]
    gone = set(chooser.sample(places, min(len(places), chooser.randint(1, _AT_MOST_BRACKETS))))
    return bytes(byte for at, byte in enumerate(content) if at not in gone)


def half_line(content: bytes, chooser: random.Random) -> bytes:
    """The tail of one line is missing."""
    lines = content.split(b"\n")
    number = chooser.choice([n for n, line in enumerate(lines) if line.strip()] or [0])
    line = lines[number]
    indent = len(line) - len(line.lstrip())
    at = chooser.randint(indent, len(line))
    while at < len(line) and line[at] & 0xC0 == 0x80:
        at += 1
    lines[number] = line[:at]
    return b"\n".join(lines)
