"""Hunks of whole lines that are repeated where the same lines occur again.

Repeated edits compare tokens, so that a line changed in several positions is several edits to them. Here a hunk is a
unit: its old lines are searched in all open documents of the language, indentation and some names aside. A hunk that
only inserts lines is searched by the lines above and below it.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from editahead.encode.edit_model.history import (
    BufferLines,
    LineRegion,
    RegionTracker,
    merge_regions,
    region_lines,
    trim,
)
from editahead.encode.edit_model.tokens import lex_line
from editahead.suggest.gate import not_rejected, pattern_key
from editahead.suggest.next_edit.edit_candidate import LINES, EditCandidate, unit_of
from editahead.suggest.next_edit.related_documents import is_related
from editahead.suggest.types import Document
from editahead.syntax.snapshot import Region, SyntaxSnapshot
from editahead.text.buffer import MAX_LINE_BYTES, Buffer
from editahead.text.coalesced_edits import HistoryView
from editahead.text.edits import ByteEdit
from editahead.text.line_ends import line_end

MAX_NAMES = 3  # names in which the lines may differ
_SIGNS = frozenset({".", "->", "::"})
_NAME = re.compile(r"\w+")
_RARE = re.compile(r"[^\W\d]\w{2,}")
_MAX_CHARACTERS = 400  # of a line
_MAX_WORDS = 12  # of the needle that are counted
MAX_HUNKS, MAX_LINES = 8, 12  # the most recent hunks that are repeated, and lines of a hunk
MAX_TRACKED = 200  # lines of a changed region that is split into hunks
MAX_EDITS, MAX_COPIED = 100, 200_000_000
"""Edits of a history from which hunks are built, and bytes of all versions that this may copy at once."""
MAX_COMPARED, MAX_CANDIDATES = 200, 12
"""Occurrences of a hunk's first line that are compared, and candidates, in all documents."""
_WORD = re.compile(r"\w{2,}")


def analogy(old: Sequence[str], lines: Sequence[str]) -> dict[str, str] | None:
    """The names of `lines` by the differing names of `old` that they replace; None where other tokens differ.

    Most names must be the same. Both have the same number of lines; only their relative indentation counts.
    """
    names: dict[str, str] = {}
    same = other = 0
    shift: int | None = None
    for old_line, line in zip(old, lines, strict=True):
        if max(len(old_line), len(line)) > _MAX_CHARACTERS:
            return None
        before, after = lex_line(old_line), lex_line(line)
        if len(before.pieces) != len(after.pieces):
            return None
        if before.pieces and shift not in (None, after.indent - before.indent):
            return None
        shift = after.indent - before.indent if before.pieces else shift
        for old_piece, piece in zip(before.pieces, after.pieces, strict=True):
            old_text, text = old_piece.key.text, piece.key.text
            is_name = _NAME.fullmatch(old_text) is not None
            if old_text != text and not (is_name and _NAME.fullmatch(text)):
                return None
            if is_name:
                if names.setdefault(old_text, text) != text:
                    return None
                same, other = same + (old_text == text), other + (old_text != text)
    changed = {name: text for name, text in names.items() if name != text}
    return changed if len(changed) <= MAX_NAMES and same >= max(2, other) else None


def replace_names(line: str, names: dict[str, str]) -> str:
    """A line with its names replaced."""
    if not names:
        return line
    parts, at = list[str](), 0
    for piece in lex_line(line).pieces:
        text = piece.key.text
        start = piece.end - len(text)
        parts += [line[at:start], names.get(text, text)]
        at = piece.end
    return "".join([*parts, line[at:]])


def has_all_names(names: dict[str, str], new: Sequence[str]) -> bool:
    """Whether the new lines have all names in which the sites differ, so that the change concerns none of them."""
    tokens = {piece.key.text for line in new for piece in lex_line(line).pieces}
    return tokens.issuperset(names)


def changes_member(old: Sequence[str], new: Sequence[str], names: dict[str, str]) -> bool:
    """Whether the change replaces a member of an object whose name differs between the sites."""
    before, after = (Counter(pair for line in lines for pair in _members(line)) for lines in (old, new))
    return any(owner in names for owner, _ in after - before) and any(owner in names for owner, _ in before - after)


def _members(line: str) -> Iterator[tuple[str, str]]:
    """Yield the names of members in a line, each behind the name of its object."""
    texts = [piece.key.text for piece in lex_line(line).pieces]
    for at in range(1, len(texts) - 1):
        if texts[at] in _SIGNS and _NAME.fullmatch(texts[at + 1]):
            yield texts[at - 1], texts[at + 1]


def similar_starts(
    needle: Sequence[str], syntax: SyntaxSnapshot, limit: int, check: Callable[[], None]
) -> Iterator[int]:
    """Yield the lines at which a block like `needle` may begin, by up to `limit` occurrences of its rarest word."""
    rows = ((word, row) for row, line in enumerate(needle) for word in _RARE.findall(line[:_MAX_CHARACTERS]))
    words = list(islice(rows, _MAX_WORDS))
    if not words:
        return
    word, row = min(words, key=lambda pair: syntax.count(pair[0].encode()))
    last = -1
    for at in islice(syntax.occurrences(word.encode()), limit):
        check()
        line = syntax.buffer.line_at(at) - row
        if line > last and line >= 0:
            last = line
            yield line


@dataclass(frozen=True)
class LineHunk:
    """Lines `old` that became `new`, between the lines `above` and `below`; `age` hunks were changed later."""

    document: Document
    region: LineRegion
    old: tuple[str, ...]
    new: tuple[str, ...]
    above: str
    below: str
    age: int

    @property
    def needle(self) -> tuple[str, ...]:
        """The lines to search for."""
        return self.old or (self.above, self.below)

    @property
    def change(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """A key of the change, independent of its indentation."""
        return tuple(line.strip() for line in self.needle), tuple(line.strip() for line in self.new)


@dataclass
class _TrackedDocument:
    """The hunks of a document, the history from which they were built, and the tracker of its changes."""

    history: HistoryView | None = None
    hunks: list[LineHunk] = field(default_factory=list)
    tracker: RegionTracker = field(default_factory=RegionTracker)


class SameLines:
    """The hunks of the documents of the last request. Lives on the inference thread."""

    def __init__(self) -> None:
        self._documents: dict[str, _TrackedDocument] = {}

    def candidates(self, document: Document, check: Callable[[], None]) -> list[EditCandidate]:
        """The candidates at other occurrences of lines that a hunk changed. Raises what `check` raises."""
        documents = [document, *document.others]
        tracked_documents: dict[str, _TrackedDocument] = {}
        for each in documents:
            check()
            tracked = tracked_documents[each.uri] = self._documents.get(each.uri) or _TrackedDocument()
            if tracked.history is not each.history:
                tracked.hunks, tracked.history = hunks_of(each, check, tracked.tracker), each.history
        self._documents = tracked_documents
        hunks = [hunk for tracked in tracked_documents.values() for hunk in tracked.hunks]
        times = Counter(hunk.change for hunk in hunks)
        seen = set[object]()
        candidates: list[EditCandidate] = []
        for hunk in hunks:
            if hunk.change in seen or not is_related(hunk.document, document):
                continue
            seen.add(hunk.change)
            for target in documents:
                if is_related(target, document) and len(candidates) < MAX_CANDIDATES:
                    changed = tracked_documents[target.uri].hunks
                    candidates += _candidates_in(target, hunk, changed, times[hunk.change], document, check)
        return candidates[:MAX_CANDIDATES]

    def forget(self) -> None:
        """Drop all documents."""
        self._documents = {}


def hunks_of(document: Document, check: Callable[[], None], tracker: RegionTracker | None = None) -> list[LineHunk]:
    """The most recent hunks of a document, last first; `tracker` is kept from version to version."""
    tracker = tracker or RegionTracker()
    view, buffer = document.history, document.syntax.buffer
    edits = view.edits
    if not edits or len(edits) > MAX_EDITS or tracker.missing(view) * len(buffer.data) > MAX_COPIED:
        return []
    tracked, current = tracker.track(view, check)
    if current.data != buffer.data:
        return []
    anchor = BufferLines(view.anchor)
    small = [region for region in tracked if region.c1 - region.c0 <= MAX_TRACKED]
    trimmed = [trim(region, anchor, region_lines(current, region.c0, region.c1)) for region in small]
    regions = sorted(merge_regions(region for region in trimmed if region is not None), key=lambda region: -region.turn)
    hunks = [_hunk(document, region, anchor, age) for age, region in enumerate(regions)]
    return [hunk for hunk in hunks if hunk is not None][:MAX_HUNKS]


def _hunk(document: Document, region: LineRegion, anchor: Sequence[str], age: int) -> LineHunk | None:
    """A region as a hunk; None where its lines have too few words to search for."""
    buffer = document.syntax.buffer
    if max(region.a1 - region.a0, region.c1 - region.c0) > MAX_LINES:
        return None
    near = range(max(0, region.c0 - 1), min(buffer.line_count, region.c1 + 1))
    old = tuple(anchor[region.a0 : region.a1])
    if any(buffer.is_data(line) for line in near) or any(len(line) > MAX_LINE_BYTES for line in old):
        return None
    new = tuple(region_lines(buffer, region.c0, region.c1))
    above = buffer.line_text(region.c0 - 1) if region.c0 else ""
    below = buffer.line_text(region.c1) if region.c1 < buffer.line_count else ""
    hunk = LineHunk(document, region, old, new, above, below, age)
    words = [len(_WORD.findall(line)) for line in hunk.needle]
    has_words = sum(words) > 1 and words[0] > 0
    return hunk if has_words and hunk.change[0] != hunk.change[1] else None


def _candidates_in(
    target: Document,
    hunk: LineHunk,
    changed: Sequence[LineHunk],
    times: int,
    document: Document,
    check: Callable[[], None],
) -> Iterator[EditCandidate]:
    """Yield the candidates at the unchanged occurrences of a hunk's lines in a target document."""
    buffer, needle = target.syntax.buffer, hunk.needle
    changed_spans = [(other.region.c0, max(other.region.c1, other.region.c0 + 1)) for other in changed]
    kind = hunk.document.syntax.region_at(_text_start(hunk.document.syntax.buffer, hunk.region.c0))
    exact = _lines_with(needle[0].strip(), target.syntax, check)
    similar = similar_starts(needle, target.syntax, MAX_COMPARED, check)
    for first in dict.fromkeys((*exact, *similar)):
        last = first + len(needle)
        if last > buffer.line_count or any(first < end and start < last for start, end in changed_spans):
            continue
        if any(buffer.is_data(line) for line in range(max(0, first - 1), min(last + 1, buffer.line_count))):
            continue
        lines = region_lines(buffer, first, last)
        indent = _indent(lines[0])
        names = analogy(needle, lines)
        if names is None or (hunk.old and not has_all_names(names, hunk.new)):
            continue
        if changes_member(hunk.old, hunk.new, names):
            continue
        edit = _edit(hunk, buffer, first, last, indent, names)
        if edit is None or edit.is_noop(buffer.data):
            continue
        if target.syntax.region_at(_text_start(buffer, first)) is not kind and kind is Region.CODE:
            continue
        pattern = pattern_key(edit, buffer.data)
        key = f"{pattern} @ {first}"
        if not not_rejected(document, pattern).passed or not not_rejected(document, key).passed:
            continue
        above_agrees = float(first > 0 and buffer.line_text(first - 1).strip() == hunk.above.strip())
        below_agrees = float(last < buffer.line_count and buffer.line_text(last).strip() == hunk.below.strip())
        signals = {
            "left": above_agrees if hunk.old else 1.0,
            "right": below_agrees if hunk.old else float(bool(_WORD.search(hunk.below))),
            "age": float(hunk.age), "done_share": float(len(needle)), "fresh": float(bool(hunk.old)),
            "skips": float(len(names)), "twin": float(not names),
        }  # fmt: skip
        group = f"{LINES}-{zlib.crc32(repr(hunk.change).encode()):08x}"
        reason = f"the change of line {hunk.region.c0 + 1} once more"
        score = (0.3 + 0.2 * above_agrees + 0.2 * below_agrees + 0.2 * (times > 1)) / (1 + len(names))
        yield EditCandidate(
            LINES, target, edit, edit, group, "", times, hunk.region.c0, key, pattern, reason, score, signals,
            unit=unit_of(target, edit),
        )  # fmt: skip


def _text_start(buffer: Buffer, line: int) -> int:
    """The first byte of a line that is not blank."""
    start, end = buffer.line_span(min(line, buffer.line_count - 1))
    text = buffer.data[start:end]
    return start + len(text) - len(text.lstrip())


def _lines_with(text: str, syntax: SyntaxSnapshot, check: Callable[[], None]) -> Iterator[int]:
    """Yield the lines that consist of a text, blanks aside, among MAX_COMPARED of its occurrences."""
    needle, buffer = text.encode(), syntax.buffer
    for at in islice(syntax.occurrences(needle), MAX_COMPARED):
        check()
        line = buffer.line_at(at)
        start, end = buffer.line_span(line)
        if end - start < 2 * len(needle) + 400 and buffer.data[start:end].strip() == needle:
            yield line


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _edit(hunk: LineHunk, buffer: Buffer, first: int, last: int, indent: str, names: dict[str, str]) -> ByteEdit | None:
    """The edit that replaces lines [first, last) by the hunk's new lines; None where these cannot be reindented."""
    base = _indent(hunk.needle[0])
    if any(line.strip() and not line.startswith(base) for line in hunk.new):
        return None
    eol = line_end(buffer.data).decode()
    new = [replace_names(line, names) for line in hunk.new]
    lines = [indent + line.removeprefix(base) if line.strip() else line for line in new]
    if not hunk.old:
        at = buffer.line_span(first)[1]
        return ByteEdit(at, at, "".join(eol + line for line in lines).encode())
    start, end = buffer.line_span(first)[0], buffer.line_span(last - 1)[1]
    if not lines:
        if last >= buffer.line_count:
            return None
        return ByteEdit(start, buffer.line_span(last)[0], b"")
    return ByteEdit(start, end, eol.join(lines).encode()).trim(buffer.data)
