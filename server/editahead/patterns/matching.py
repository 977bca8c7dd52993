"""Matches of a pattern's left side in a text, and the edits that its right side makes there."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from editahead.encode.edit_model.history import region_lines
from editahead.encode.edit_model.tokens import newline_delta, render_indent
from editahead.patterns.examples import Example, TokenChange, TokenStream, token_stream
from editahead.patterns.pattern import (
    AROUND,
    LINE,
    MAX_HOLE,
    NEXT,
    Element,
    NewElement,
    Pattern,
    is_balanced,
    line_around,
    outward,
    owner_of,
)
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.line_ends import style_of
from editahead.text.memo import cache_texts

Span = tuple[int, int]


def match_at(pattern: Pattern, tokens: TokenStream, at: int) -> tuple[Span, ...] | None:
    """Match a pattern with its anchor at token `at`: the token range of each element, None without a match."""
    bound: dict[int, tuple[str, ...]] = {}
    right = _match_elements(pattern.elements[pattern.anchor :], tokens.texts, at, 1, bound)
    if right is None:
        return None
    left = _match_elements(pattern.elements[: pattern.anchor + 1][::-1], tokens.texts, at, -1, bound)
    return None if left is None else (*left[:0:-1], *right)


def _match_elements(
    elems: Sequence[Element], texts: Sequence[str], at: int, step: int, bound: dict[int, tuple[str, ...]]
) -> list[Span] | None:
    """Match consecutive elements from token `at` on, rightwards (step 1) or leftwards (step -1)."""
    spans: list[Span] = []
    for number, elem in enumerate(elems):
        if not 0 <= at < len(texts):
            return None
        size = 1
        if elem.text is None:
            size = _hole_size(elem, elems[number + 1 :], texts, at, step, bound)
        elif not (texts[at] == elem.text or (elem.text == LINE and texts[at].startswith("\n"))):
            return None
        if not size:
            return None
        spans.append((at, at + size) if step > 0 else (at - size + 1, at + 1))
        if elem.text is None:
            bound[elem.hole] = tuple(texts[slice(*spans[-1])])
        at += step * size
    return spans


def _hole_size(
    elem: Element, rest: Sequence[Element], texts: Sequence[str], at: int, step: int, bound: dict[int, tuple[str, ...]]
) -> int:
    """Return how many tokens a hole matches so that the next element follows; 0 without a match."""
    bound_texts = bound.get(elem.hole)
    for size in range(1, MAX_HOLE + 1) if bound_texts is None else (len(bound_texts),):
        low, high = (at, at + size) if step > 0 else (at - size + 1, at + 1)
        follows = at + step * size
        if low < 0 or high > len(texts):
            return 0
        inside = tuple(texts[low:high])
        if (bound_texts is not None and inside != bound_texts) or not is_balanced(inside) or _has_separator(inside):
            continue
        if not rest:
            return size
        if 0 <= follows < len(texts) and (
            rest[0].text is None
            or rest[0].text == texts[follows]
            or (rest[0].text == LINE and texts[follows].startswith("\n"))
        ):
            return size
    return 0


def _has_separator(texts: Sequence[str]) -> bool:
    """Whether there is a comma or semicolon outside all brackets and strings."""
    depth = 0
    for text in texts:
        depth += (text in "([{") - (text in ")]}")
        if depth == 0 and text in (",", ";"):
            return True
    return False


def match_spans(pattern: Pattern, tokens: TokenStream) -> Iterator[tuple[Span, ...]]:
    """Yield every match in a stream: the token range of each element."""
    word = pattern.word
    for at, text in enumerate(tokens.texts):
        if text == word and (spans := match_at(pattern, tokens, at)) is not None:
            yield spans


MAX_LINES = 250  # most lines with the pattern's anchor word that are searched; of more lines the nearest ones


@dataclass(frozen=True, eq=False)
class Match:
    """A match of a pattern: tokens [lo, hi) of `stream`, the lines around, would be replaced by `edit`."""

    pattern: Pattern
    stream: TokenStream
    spans: tuple[Span, ...]
    edit: ByteEdit

    @cached_property
    def lo(self) -> int:
        """Index of the first token that is replaced, or of the token before which tokens are inserted."""
        return _core(self.pattern, self.spans)[0]

    @cached_property
    def hi(self) -> int:
        """Index behind the last token that is replaced."""
        return _core(self.pattern, self.spans)[1]

    @cached_property
    def first(self) -> int:
        """The first visible byte that is replaced; for a pure insertion, the end of the token before."""
        return self.stream.starts[self.lo] if self.hi > self.lo else self.stream.ends[self.lo - 1]

    @cached_property
    def left(self) -> list[str]:
        """The tokens on its left, nearest first."""
        return outward(self.stream.texts, self.lo - 1, -1, AROUND)

    @cached_property
    def right(self) -> list[str]:
        """The tokens on its right, nearest first."""
        return outward(self.stream.texts, self.hi, 1, AROUND)

    @cached_property
    def owner(self) -> str | None:
        """The word before the bracket around it."""
        return owner_of(self.stream.texts, self.lo)

    @cached_property
    def row(self) -> tuple[str, ...]:
        """The tokens of its line."""
        return line_around(self.stream.texts, self.lo)


def find_matches(
    pattern: Pattern,
    buffer: Buffer,
    near: int,
    *,
    tabs: bool,
    eol: bytes,
    lines: Sequence[int] | None = None,
    check: Callable[[], None] | None = None,
) -> list[Match]:
    """Return all matches in a text to which the edit is not yet applied, in text order; `near` is a line.

    `lines` are the lines to search, if `lines_with` was called before. `check` is called before each line, and may
    raise to end the search.
    """
    rows = [
        sum((elem.text or "").startswith("\n") for elem in part)
        for part in (pattern.elements[: pattern.anchor], pattern.elements[pattern.anchor :])
    ]
    matches: list[Match] = []
    taken: set[Span] = set()
    texts = {elem.text.encode() for elem in pattern.elements if elem.text and not elem.text.startswith("\n")}
    for line in lines_with(pattern.word, buffer, near) if lines is None else lines:
        if check is not None:
            check()
        first, last = max(0, line - rows[0]), min(line + rows[1], buffer.line_count - 1)
        begin, end = buffer.line_span(line)
        around = buffer.data[buffer.line_span(first)[0] : buffer.line_span(last)[1]]
        if not all(text in around for text in texts):
            continue
        tokens = token_stream(buffer, first, last + 1)
        for at, text in enumerate(tokens.texts):
            if text != pattern.word or not begin <= tokens.starts[at] < end:
                continue
            spans = match_at(pattern, tokens, at)
            if spans is None or not _has_neighbours(pattern, tokens, spans) or is_applied(pattern, tokens, spans):
                continue
            edit = edit_of_match(pattern, tokens, spans, tabs=tabs, eol=eol)
            key = (edit.start, edit.old_end)
            if edit.is_noop(buffer.data) or key in taken:
                continue
            taken.add(key)
            matches.append(Match(pattern, tokens, spans, edit))
    return matches


def lines_with(
    word: str, buffer: Buffer, near: int, most: int = MAX_LINES, parts: Sequence[tuple[int, bytes]] | None = None
) -> list[int]:
    """Return the lines that contain a word, in text order; of more than `most`, the nearest ones.

    `parts`: all parts of the text that hold it, in text order, each with its first byte. The nearest are read first.
    """
    starts = _starts_near(word.encode(), buffer, near, most, [(0, buffer.data)] if parts is None else parts)
    rows = (buffer.line_starts.searchsorted(np.asarray(starts, dtype=np.int64), "right") - 1).tolist()
    lines: list[int] = [line for line in dict.fromkeys(rows) if not buffer.is_data(line)]
    if len(lines) > most:
        lines = sorted(sorted(lines, key=lambda line: abs(line - near))[:most])
    pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
    return [line for line in lines if pattern.search(region_lines(buffer, line, line + 1)[0])]


def _starts_near(word: bytes, buffer: Buffer, near: int, most: int, parts: Sequence[tuple[int, bytes]]) -> list[int]:
    """Return the offsets of a word, in text order; far from a line only while fewer than `most` lines contain it."""
    wanted = re.compile(re.escape(word))
    here = int(buffer.line_starts[min(near, buffer.line_count - 1)])
    middle = max(0, bisect_right(parts, here, key=lambda part: part[0]) - 1)
    starts_by_part: list[list[int]] = []
    for side in (range(middle, len(parts)), range(middle - 1, -1, -1)):
        lines = 0
        for number in side:
            first, data = parts[number]
            starts = [first + match.start() for match in wanted.finditer(data)]
            starts_by_part.insert(len(starts_by_part) if number >= middle else 0, starts)
            # Those of the middle part may stand on either side of the line: they are not counted.
            lines += len({buffer.line_at(at) for at in starts[:most]}) if number != middle else 0
            if lines >= most:
                break
    return [at for starts in starts_by_part for at in starts]


def _core(pattern: Pattern, spans: Sequence[Span]) -> Span:
    """Return the range [lo, hi) of the tokens that are replaced."""
    if pattern.hi > pattern.lo:
        return spans[pattern.lo][0], spans[pattern.hi - 1][1]
    at = spans[pattern.lo - 1][1] if pattern.lo else spans[0][0]
    return at, at


def _has_neighbours(pattern: Pattern, tokens: TokenStream, spans: Sequence[Span]) -> bool:
    """Whether a token precedes the edit, and follows it where the pattern sets the blanks before that token."""
    lo, hi = _core(pattern, spans)
    return lo > 0 and (pattern.tail is None or not tokens.texts[hi].startswith("\n"))


def is_applied(pattern: Pattern, tokens: TokenStream, spans: Sequence[Span]) -> bool:
    """Whether the right side is already in the text, around or instead of the left side."""
    lo, hi = _core(pattern, spans)
    gone = tokens.texts[lo:hi]
    if _is_applied_generalised(pattern, tokens, lo, hi):
        return True
    come = [text for out in pattern.replacement for text in _texts(out, tokens, spans)]
    for offset in range(len(come) - len(gone) + 1):
        if tuple(come[offset : offset + len(gone)]) != gone:
            continue
        low = lo - offset
        if low >= 0 and list(tokens.texts[low : low + len(come)]) == come:
            return True
    return False


def _is_applied_generalised(pattern: Pattern, tokens: TokenStream, lo: int, hi: int) -> bool:
    """Whether the right side, whatever its holes stand for, matches where the left side does."""
    after = pattern.done
    if after is None:
        return False
    for spans in match_spans(after, tokens):
        low, high = _core(after, spans)
        if low <= lo and hi <= high:
            return True
    return False


def _texts(out: NewElement, tokens: TokenStream, spans: Sequence[Span]) -> Sequence[str]:
    return [out.text] if out.text is not None else tokens.texts[slice(*spans[out.ref])]


def edit_of_match(pattern: Pattern, tokens: TokenStream, spans: Sequence[Span], *, tabs: bool, eol: bytes) -> ByteEdit:
    """Return the minimal edit of the stream's text that applies the pattern to a match."""
    lo, hi = _core(pattern, spans)
    start = tokens.ends[lo - 1] if lo else tokens.starts[0]
    end = tokens.ends[hi - 1] if hi > lo else start
    indent = tokens.indents[lo - 1] if lo else 0
    parts: list[bytes] = []
    for out in pattern.replacement:
        if out.text is not None and out.text.startswith("\n"):
            delta = newline_delta(out.text)
            indent = max(0, indent + (delta or 0))
            parts.append(eol if delta is None else eol + render_indent(indent, tabs).encode())
            continue
        if out.gap is None:
            parts.append(tokens.blanks(hi if out.like == NEXT else spans[out.like][0]))
        elif parts or not tokens.texts[lo - 1].startswith("\n"):  # a line begins with its indentation alone
            parts.append(b" " * out.gap)
        if out.text is not None:
            parts.append(out.text.encode())
            continue
        first, last = spans[out.ref]
        parts.append(tokens.data[tokens.starts[first] : tokens.ends[last - 1]])
        if tokens.texts[first].startswith("\n"):
            indent = tokens.indents[first]
    if pattern.tail is not None and hi < len(tokens.keys) - 1 and not tokens.texts[hi].startswith("\n"):
        end = tokens.starts[hi]
        parts.append(b" " * pattern.tail)
    return ByteEdit(start, end, b"".join(parts)).trim(tokens.data)


def is_consistent(pattern: Pattern, example: Example) -> bool:
    """Whether the pattern, applied to the text before an example, gives the text after it, byte by byte."""
    return is_consistent_with_change(pattern, example.change)


@cache_texts(maxsize=256)
def is_consistent_with_change(pattern: Pattern, change: TokenChange) -> bool:
    """Whether the pattern, applied to the lines before a change, gives the lines after it, byte by byte."""
    before, after = change.before, change.after
    tabs, eol = style_of(before.data)
    for spans in match_spans(pattern, before):
        if _core(pattern, spans) != (change.lo, change.old_hi):
            continue
        edit = edit_of_match(pattern, before, spans, tabs=tabs, eol=eol)
        return edit.apply(before.data) == after.data
    return False
