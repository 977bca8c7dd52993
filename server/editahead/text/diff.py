r"""Diff of two versions of a text, as spans of bytes: by lines first, then by words, then by characters.

A span (a, b, c, d) says that old[a:b] became new[c:d]. Borders never fall inside a UTF-8 character, nor
between `\r` and `\n`, where no LSP position could name them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

Span = tuple[int, int, int, int]

MAX_BYTES = 8_000_000  # old and new together, after trimming; beyond it, a single replacement of everything
MAX_CELLS = 40_000  # lines (or words) of old times those of new that difflib may match
MAX_ALL_CELLS = 300_000  # the same for the whole text: difflib takes up to 2 µs for each
MAX_REFINED = 500  # changed stretches (or their lines) that are compared word by word
MAX_DEPTH = 8  # how often a stretch without a match may be searched again for lines unique within it
MIN_KEPT = 0.3  # share of a changed stretch that must be kept for it to be split into several parts

_CHUNK = 1 << 16
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
_WORD = re.compile(rb"[A-Za-z0-9_\x80-\xff]+|\r\n|[ \t]+|.", re.DOTALL)


def common_prefix(old: bytes, new: bytes, limit: int | None = None) -> int:
    """Return the length of the common prefix in bytes (at most `limit`), cut back to a border (see above)."""
    size = min(len(old), len(new)) if limit is None else limit
    low = 0
    while low < size and old[low : low + _CHUNK] == new[low : low + _CHUNK]:
        low += _CHUNK
    low, high = min(low, size), min(low + _CHUNK, size)
    while low < high:
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    while low and not (_is_border(old, low) and _is_border(new, low)):
        low -= 1
    return low


def common_ends(first: Sequence[object], second: Sequence[object]) -> tuple[int, int]:
    """Count the equal items at the beginning and, behind these, at the end of two sequences."""
    least = min(len(first), len(second))
    head = 0
    while head < least and first[head] == second[head]:
        head += 1
    tail = 0
    while tail < least - head and first[-1 - tail] == second[-1 - tail]:
        tail += 1
    return head, tail


def common_suffix(old: bytes, new: bytes, limit: int | None = None) -> int:
    """Return the length of the common suffix in bytes (at most `limit`), cut back to a border (see above)."""
    size = min(len(old), len(new)) if limit is None else limit
    m, n = len(old), len(new)
    low = 0
    while low < size and old[max(m - low - _CHUNK, 0) : m - low] == new[max(n - low - _CHUNK, 0) : n - low]:
        low += _CHUNK
    low, high = min(low, size), min(low + _CHUNK, size)
    while low < high:
        middle = (low + high + 1) // 2
        if old[m - middle : m - low] == new[n - middle : n - low]:
            low = middle
        else:
            high = middle - 1
    while low and not (_is_border(old, m - low) and _is_border(new, n - low)):
        low -= 1
    return low


def changed_spans(old: bytes, new: bytes) -> list[Span]:
    """Return the spans that differ, in order, as few and as small as a bounded search finds."""
    if old == new:
        return []
    head, tail = _trim(old, new)
    whole = (head, len(old) - tail, head, len(new) - tail)
    if not _has_both_sides(whole) or len(old) + len(new) - 2 * (head + tail) > MAX_BYTES:
        return [whole]
    head = old.rfind(b"\n", 0, head) + 1
    after = old.find(b"\n", len(old) - tail)
    tail = 0 if after < 0 else len(old) - after - 1
    a_lines = _LINE.findall(old, head, len(old) - tail)
    b_lines = _LINE.findall(new, head, len(new) - tail)
    a_at, b_at = _offsets(a_lines, head), _offsets(b_lines, head)
    spans: list[Span] = []
    budget = _Budget()
    changed = list(_changed_items(a_lines, b_lines, 0, budget))
    for i, j, k, m in changed:
        span = (a_at[i], a_at[j], b_at[k], b_at[m])
        spans.extend(_refined(old, new, span, budget) if len(changed) <= MAX_REFINED else [_shrunk(old, new, span)])
    return _joined(old, new, spans)


class _Budget:
    """The remaining budget of difflib matching in a comparison of two texts."""

    def __init__(self) -> None:
        self._left = MAX_ALL_CELLS

    def allows(self, cells: int) -> bool:
        """Spend `cells` if that many remain; returns False if not."""
        if cells > min(MAX_CELLS, self._left):
            return False
        self._left -= cells
        return True


def _changed_items(a: Sequence[bytes], b: Sequence[bytes], depth: int, budget: _Budget) -> Iterator[Span]:
    """Yield the index spans in which two sequences of lines differ."""
    head, tail = common_ends(a, b)
    a_end, b_end = len(a) - tail, len(b) - tail
    if head == a_end and head == b_end:
        return
    if budget.allows((a_end - head) * (b_end - head)):
        for i, j, k, m in _matched(a[head:a_end], b[head:b_end]):
            yield i + head, j + head, k + head, m + head
        return
    anchors = _unique_matches(a, b, (head, a_end, head, b_end)) if depth < MAX_DEPTH else []
    if not anchors:
        yield head, a_end, head, b_end
        return
    i = k = head
    for x, y in [*anchors, (a_end, b_end)]:
        for p, q, r, s in _changed_items(a[i:x], b[k:y], depth + 1, budget):
            yield p + i, q + i, r + k, s + k
        i, k = x + 1, y + 1


def _matched(a: Sequence[bytes], b: Sequence[bytes]) -> Iterator[Span]:
    for tag, i, j, k, m in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag != "equal":
            yield i, j, k, m


def _unique_matches(a: Sequence[bytes], b: Sequence[bytes], within: Span) -> list[tuple[int, int]]:
    """Return the longest common subsequence of lines that occur once in each (the anchors of patience diff)."""
    a_low, a_high, b_low, b_high = within
    a_count, b_count = Counter(a[a_low:a_high]), Counter(b[b_low:b_high])
    b_index = {b[y]: y for y in range(b_low, b_high) if b_count[b[y]] == 1}
    pairs = [(x, b_index[a[x]]) for x in range(a_low, a_high) if a_count[a[x]] == 1 and a[x] in b_index]
    tops: list[int] = []  # smallest last y of an increasing run of each length
    ends: list[int] = []  # index in `pairs` of that last y
    before: list[int] = []  # for each pair, the pair before it in its run
    for n, (_, y) in enumerate(pairs):
        at = bisect_left(tops, y)
        before.append(ends[at - 1] if at else -1)
        if at == len(tops):
            tops.append(y)
            ends.append(n)
        else:
            tops[at], ends[at] = y, n
    run: list[tuple[int, int]] = []
    n = ends[-1] if ends else -1
    while n >= 0:
        run.append(pairs[n])
        n = before[n]
    return run[::-1]


def _refined(old: bytes, new: bytes, span: Span, budget: _Budget) -> list[Span]:
    """Refine a changed span of lines by words, where enough of it is kept; each part is trimmed."""
    span = _shrunk(old, new, span)
    if not _has_both_sides(span):
        return [span]
    a, b, c, d = span
    a_words, b_words = _words(old, a, b), _words(new, c, d)
    if a_words is None or b_words is None or not budget.allows(len(a_words) * len(b_words)):
        return _line_by_line(old, new, span, budget)
    a_at, b_at = _offsets(a_words, a), _offsets(b_words, c)
    parts = [(a_at[i], a_at[j], b_at[k], b_at[m]) for i, j, k, m in _matched(a_words, b_words)]
    kept = (b - a) - sum(part[1] - part[0] for part in parts)
    if kept < MIN_KEPT * min(b - a, d - c):
        return [span]
    return [_shrunk(old, new, part) for part in parts]


def _line_by_line(old: bytes, new: bytes, span: Span, budget: _Budget) -> list[Span]:
    """Refine a long changed span line by line where both sides have the same number of lines."""
    a, b, c, d = span
    a_lines, b_lines = _LINE.findall(old, a, b), _LINE.findall(new, c, d)
    if len(a_lines) != len(b_lines) or not 1 < len(a_lines) <= MAX_REFINED:
        return [span]
    a_at, b_at = _offsets(a_lines, a), _offsets(b_lines, c)
    spans: list[Span] = []
    for n, (before, after) in enumerate(zip(a_lines, b_lines, strict=True)):
        if before != after:
            spans.extend(_refined(old, new, (a_at[n], a_at[n + 1], b_at[n], b_at[n + 1]), budget))
    return spans


def _words(data: bytes, low: int, high: int) -> list[bytes] | None:
    """Return the words of a span; None where there are too many to compare."""
    if high - low > MAX_CELLS:
        return None
    return _WORD.findall(data, low, high)


def _shrunk(old: bytes, new: bytes, span: Span) -> Span:
    a, b, c, d = span
    before, after = old[a:b], new[c:d]
    head, tail = _trim(before, after)
    # The neighbours count too: a border seen inside the stretch may still split a `\r\n` at its edge.
    while head and not (_is_border(old, a + head) and _is_border(new, c + head)):
        head -= 1
    while tail and not (_is_border(old, b - tail) and _is_border(new, d - tail)):
        tail -= 1
    return a + head, b - tail, c + head, d - tail


def _trim(old: bytes, new: bytes) -> tuple[int, int]:
    head = common_prefix(old, new)
    return head, common_suffix(old, new, limit=min(len(old), len(new)) - head)


def _joined(old: bytes, new: bytes, spans: list[Span]) -> list[Span]:
    r"""Merge adjacent spans, and extend a span that would split a `\r\n`."""
    result: list[Span] = []
    for a, b, c, d in spans:
        while a and c and not (_is_border(old, a) and _is_border(new, c)):
            a, c = a - 1, c - 1
        while b < len(old) and d < len(new) and not (_is_border(old, b) and _is_border(new, d)):
            b, d = b + 1, d + 1
        if result and a <= result[-1][1]:
            last = result.pop()
            a, c = last[0], last[2]
        if old[a:b] != new[c:d]:
            result.append((a, b, c, d))
    return result


def _is_border(data: bytes, at: int) -> bool:
    """Whether an edit may start or end at a byte."""
    if not 0 < at < len(data):
        return True
    if data[at] == 10:
        return data[at - 1] != 13
    return data[at] & 0xC0 != 0x80


def _has_both_sides(span: Span) -> bool:
    return span[1] > span[0] and span[3] > span[2]


def _offsets(items: Sequence[bytes], base: int) -> list[int]:
    offsets = [base]
    for item in items:
        offsets.append(offsets[-1] + len(item))
    return offsets
