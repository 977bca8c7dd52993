"""The recent changes of all open files, with the words and names that went, came and stand around them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from editahead.patterns.changes import NetChange, net_changes
from editahead.suggest.next_edit.scoring.change_evidence import substitution
from editahead.suggest.types import Document
from editahead.text.buffer import MAX_LINE_BYTES, Buffer

MAX_CHANGES = 12  # the most recent changes that are read
MAX_TEXT, MAX_WORDS = 2000, 40  # bytes of each side of a change, and words of each kind that are looked for
_WORD = re.compile(rb"[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]+")
_CALLED = re.compile(rb"([A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*)[ ]?(?:<[^>\n]{0,80}>)?\(")
_SUB_WORD = re.compile(rb"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[\x80-\xff]+")
_MIN_SUB_WORD = 4
_COMMON = frozenset(
    b"self this return def func function class public private static void int string str bool let const var mut pub "
    b"use import from if else for while in is not and or new null nil none None True False true false fn impl struct "
    b"err error Err Ok Some async await try except catch throw throws raise with as the of to be it".split()
)
"""Words without information about a line."""


class RecentChange(NamedTuple):
    """A change: its document, first and last line now, its words, and the function that it is in.

    `gone` and `come` are the words that only its old or only its new text has; `around` the other words of its lines.
    `was` is its only line before the change, None if it had several. `unit` is the span of lines of the innermost
    function, `name` its name and `in_head` whether the change is before its body.
    """

    document: Document
    first: int
    last: int
    gone: tuple[bytes, ...]
    come: tuple[bytes, ...]
    around: tuple[bytes, ...]
    was: bytes | None
    inserts: bool
    deletes: bool
    unit: tuple[int, int] | None
    name: bytes
    in_head: bool
    is_word: bool


class ChangedWords(NamedTuple):
    """The recent changes, most recent first, the number of all of them, and the words to look for, by kind."""

    changes: tuple[RecentChange, ...]
    total: int
    files: int
    words: tuple[tuple[bytes, ...], ...]


KINDS = ("gone_last", "gone", "come_last", "come", "around_last", "around", "called_last", "called", "sub")
"""The kinds of words in ChangedWords.words; the last are parts of names, in lower case."""


def words_of(text: bytes) -> list[bytes]:
    """The words of a text that are specific to a line, in order, without repetition."""
    return [word for word in dict.fromkeys(_WORD.findall(text)) if word not in _COMMON]


def changed_words(documents: Sequence[Document], check: Callable[[], None]) -> ChangedWords:
    """The recent changes of documents, the first of which is that of the cursor. Raises what `check` raises."""
    latest: list[tuple[float, int, int, NetChange]] = []
    files = 0
    for number, document in enumerate(documents):
        check()
        data = document.syntax.buffer.data
        kept = [each for each in net_changes(document.history, data) if not each.is_undone(data)]
        files += bool(kept)
        latest += ((each.time, -number, each.turn, each) for each in kept)
    latest.sort(key=lambda row: row[:3], reverse=True)
    changes = [_change(documents[-number], each) for _, number, _, each in latest[:MAX_CHANGES]]
    come = {word for change in changes for word in change.come}
    last = changes[:1]

    def union(some: Sequence[RecentChange], pick: Callable[[RecentChange], Sequence[bytes]]) -> tuple[bytes, ...]:
        return tuple(dict.fromkeys(word for change in some for word in pick(change)))[:MAX_WORDS]

    def gone(change: RecentChange) -> list[bytes]:
        return [word for word in change.gone if word not in come]

    def names_of(change: RecentChange) -> tuple[bytes, ...]:
        return (change.name,) if change.name else ()

    names = (*union(changes[:4], gone), *union(changes[:4], lambda change: change.come))
    words = (
        union(last, gone), union(changes, gone), union(last, lambda change: change.come),
        union(changes, lambda change: change.come), union(last, lambda change: change.around),
        union(changes, lambda change: change.around), union(last, names_of), union(changes, names_of),
        tuple(dict.fromkeys(_sub_words(names)))[:MAX_WORDS],
    )  # fmt: skip
    return ChangedWords(tuple(changes), len(latest), files, words)


def _sub_words(names: Sequence[bytes]) -> Iterator[bytes]:
    for name in names:
        parts = [part.lower() for part in _SUB_WORD.findall(name)]
        if len(parts) > 1 or len(name) >= _MIN_SUB_WORD:
            yield from (part for part in parts if len(part) >= _MIN_SUB_WORD and part not in _COMMON)


def _change(document: Document, change: NetChange) -> RecentChange:
    buffer = document.syntax.buffer
    data = buffer.data
    first, last = buffer.line_at(change.start), buffer.line_at(change.end)
    if last > first and change.end == int(buffer.line_starts[last]):
        last -= 1  # it ends with a line end
    what = substitution(data, change.start, change.end, data[change.start : change.end], change.old)
    old, new = words_of(what.old[:MAX_TEXT]), words_of(what.new[:MAX_TEXT])
    low, high = int(buffer.line_starts[first]), buffer.line_span(min(last, first + 20))[1]
    around = words_of(data[low : min(high, low + MAX_TEXT)])
    inside = set(old) | set(new)
    unit, name, in_head = _unit_of(document, change.start, first)
    return RecentChange(
        document, first, last, tuple(word for word in old if word not in new),
        tuple(word for word in new if word not in old),
        tuple(word for word in around if word not in inside)[:MAX_WORDS],
        _before(buffer, change), not change.old.strip(), not data[change.start : change.end].strip(), unit, name,
        in_head, bool(_WORD.fullmatch(what.old) and _WORD.fullmatch(what.new)),
    )  # fmt: skip


def _before(buffer: Buffer, change: NetChange) -> bytes | None:
    """The only line of a change as it was before; None where it had several lines, or none of its own."""
    if b"\n" in change.old.rstrip(b"\n") or len(change.old) > MAX_LINE_BYTES:
        return None
    line = buffer.line_at(change.start)
    start, end = buffer.line_span(line)
    if change.old.endswith(b"\n"):
        return change.old.rstrip(b"\n") if change.start == start else None
    last = buffer.line_span(buffer.line_at(change.end))[1]
    if last - start > MAX_LINE_BYTES or (not change.old.strip() and change.end > end):
        return None  # lines came, and none went
    return buffer.data[start : change.start] + change.old + buffer.data[change.end : last]


def _unit_of(document: Document, start: int, line: int) -> tuple[tuple[int, int] | None, bytes, bool]:
    """The innermost function around a byte as lines, its name, and whether the byte is before its body."""
    buffer = document.syntax.buffer
    span = next(iter(document.syntax.scopes_at(start)), None)
    if span is None:
        return None, b"", False
    unit = buffer.line_at(span[0]), buffer.line_at(span[1])
    head = buffer.data[span[0] : span[0] + 400]
    name = next((each for each in _CALLED.findall(head) if each not in _COMMON), b"")
    close = _head_end(head)
    return unit, name, start - span[0] <= close


def _head_end(head: bytes) -> int:
    """Where the list of parameters at the beginning of a function ends, in bytes from its start."""
    depth = 0
    for at, byte in enumerate(head):
        depth += (byte in b"([") - (byte in b")]")
        if depth == 0 and byte in b"{:\n" and at:
            return at
    return len(head)
