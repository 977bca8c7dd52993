"""Selection of the lines that are rewritten together: the function around a line, or as many as a model can read."""

from __future__ import annotations

from editahead.encode.span_copying.tokens import RegionTokens
from editahead.syntax.snapshot import SyntaxSnapshot


def line_texts(syntax: SyntaxSnapshot, first: int, last: int) -> list[str]:
    """Return the texts of lines [first, last), without their ends."""
    buffer = syntax.buffer
    return [buffer.line_text(line) for line in range(first, last)]


def token_counts(syntax: SyntaxSnapshot, first: int, last: int) -> list[int]:
    """Count the region tokens of each of lines [first, last)."""
    return [len(RegionTokens.of([line]).texts) for line in line_texts(syntax, first, last)]


def region_around(syntax: SyntaxSnapshot, first: int, last: int, limit: int) -> tuple[int, int] | None:
    """Return lines [low, high) around lines [first, last) that are rewritten together.

    They are those of the innermost function that holds them, if it has at most `limit` tokens; else lines above and
    below in turn, of that function (of the file outside any), up to `limit`. None when the lines alone have more.
    """
    buffer = syntax.buffer
    first = min(max(0, first), buffer.line_count - 1)
    last = min(max(last, first + 1), buffer.line_count)
    low, high = first, last
    if sum(token_counts(syntax, low, high)) > limit:
        return None
    top, bottom = _function(syntax, low, high) or (0, buffer.line_count)
    if bottom - top <= limit and sum(token_counts(syntax, top, bottom)) <= limit:
        return top, bottom
    remaining = limit - sum(token_counts(syntax, low, high))
    grown = True
    while grown:
        grown = False
        if low > top and (cost := token_counts(syntax, low - 1, low)[0]) <= remaining:
            low, remaining, grown = low - 1, remaining - cost, True
        if high < bottom and (cost := token_counts(syntax, high, high + 1)[0]) <= remaining:
            high, remaining, grown = high + 1, remaining - cost, True
    return _trimmed(syntax, low, high, first, last)


def _function(syntax: SyntaxSnapshot, first: int, last: int) -> tuple[int, int] | None:
    """Return the lines of the innermost function around lines [first, last), or None."""
    buffer = syntax.buffer
    start, end = buffer.line_span(first)
    text = buffer.data[start:end]
    start += len(text) - len(text.lstrip())
    for begin, stop in syntax.scopes_at(start):
        top, bottom = buffer.line_at(begin), buffer.line_at(stop)
        stop_line = bottom + (buffer.line_span(bottom)[0] < stop)
        if top <= first and stop_line >= last:
            return top, stop_line
    return None


def _trimmed(syntax: SyntaxSnapshot, low: int, high: int, first: int, last: int) -> tuple[int, int]:
    """Drop blank lines at either end, outside the requested lines."""
    lines = line_texts(syntax, low, high)
    while low < first and not lines[0].strip():
        low, lines = low + 1, lines[1:]
    while high > last and lines and not lines[-1].strip():
        high, lines = high - 1, lines[:-1]
    return low, high
