"""A client's own idea of a document: a list of UTF-16 units, changed as the protocol says and in no other way."""

from __future__ import annotations

import random
import re
from typing import Any

_LINE_END = re.compile("\r\n|\r|\n")


def units(text: str) -> list[str]:
    """A text as UTF-16 code units, half surrogates as they come."""
    raw = text.encode("utf-16-le", "surrogatepass")
    return [raw[at : at + 2].decode("utf-16-le", "surrogatepass") for at in range(0, len(raw), 2)]


class Reference:
    """One document. Positions are (line, UTF-16 unit), and need not exist: they are clamped as LSP asks."""

    def __init__(self, text: str) -> None:
        self.units = units(text)

    @property
    def text(self) -> str:
        """The text, what is no pair of surrogates replaced."""
        return "".join(self.units).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def lines(self) -> list[tuple[int, int]]:
        """(start, end without the line end) of every line."""
        joined = "".join(self.units)
        spans, start = [], 0
        for found in _LINE_END.finditer(joined):
            spans.append((start, found.start()))
            start = found.end()
        return [*spans, (start, len(joined))]

    def at(self, line: int, character: int) -> int:
        """The unit that a position names."""
        lines = self.lines()
        if line < 0:
            return 0
        if line >= len(lines):
            return len(self.units)
        start, end = lines[line]
        return min(start + max(0, character), end)

    def replace(self, span: tuple[int, int, int, int], new: str) -> str:
        """Make a change; what stood there before."""
        low, high = sorted((self.at(*span[:2]), self.at(*span[2:])))
        old = "".join(self.units[low:high])
        self.units[low:high] = units(new)
        return old

    def position(self, at: int) -> tuple[int, int]:
        """The position of a unit; one inside a line end is moved in front of it."""
        for line, (start, end) in reversed(list(enumerate(self.lines()))):
            if at >= start:
                return line, min(at, end) - start
        return 0, 0

    def somewhere(self, draw: random.Random) -> tuple[int, int]:
        """Any position, now and then one that is not there."""
        if draw.random() < 0.05:
            return draw.choice([(-1, 0), (10**6, 3), (0, 10**6), (2, -7)])
        return self.position(draw.randrange(len(self.units) + 1))


def span(low: tuple[int, int], high: tuple[int, int]) -> dict[str, Any]:
    """An LSP range."""
    places = [{"line": line, "character": character} for line, character in (low, high)]
    return {"start": places[0], "end": places[1]}
