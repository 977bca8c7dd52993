"""Whole lines that a hunk changed, where the same lines stand once more: they may be changed alike.

Repeated edits compare tokens, and a line that is rewritten at several points is several edits to them. Here the lines
of a hunk are one: what stood there is looked for as it is, indentation aside, in all open documents of the language.
Lines that only came are looked for by the lines above and below them, some names aside.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from editahead.encode.edit_model.history import BufferLines, LineRegion, merge_regions, region_lines, trim
from editahead.encode.edit_model.region_tracker import RegionTracker
from editahead.suggest.gate import not_rejected, pattern_key
from editahead.suggest.next_edit.edit_candidate import LINES, EditCandidate, unit_of
from editahead.suggest.next_edit.repeats.line_analogy import analogy, changes_member, rewritten, starts_like, stays
from editahead.suggest.types import Document
from editahead.syntax.snapshot import Region, SyntaxSnapshot
from editahead.text.buffer import MAX_LINE_BYTES, Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history_view import HistoryView
from editahead.text.line_ends import line_end

MAX_HUNKS, MAX_LINES = 8, 12
"""The latest hunks that are looked at, and the lines of one."""
MAX_TRACKED = 200
"""Lines of a stretch of changes that is looked at for its hunks."""
MAX_EDITS, MAX_COPIED = 100, 200_000_000
"""Edits of a history that hunks are built from, and bytes of all versions that this may copy at once."""
MAX_LOOKED, MAX_PLACES = 200, 12
"""Places of a hunk's first line that are compared, and places that are given, in all documents."""
_WORD = re.compile(r"\w{2,}")


@dataclass(frozen=True)
class LineHunk:
    """Lines `old` became `new`; `above` and `below` stand around them. `age` hunks were changed later."""

    document: Document
    region: LineRegion
    old: tuple[str, ...]
    new: tuple[str, ...]
    above: str
    below: str
    age: int

    @property
    def needle(self) -> tuple[str, ...]:
        """The lines to look for."""
        return self.old or (self.above, self.below)

    @property
    def change(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What tells it from other changes, wherever it is indented."""
        return tuple(line.strip() for line in self.needle), tuple(line.strip() for line in self.new)


@dataclass
class _Known:
    """What is kept of a document: its hunks, the history that they are of, and what follows its changes."""

    history: HistoryView | None = None
    hunks: list[LineHunk] = field(default_factory=list)
    tracker: RegionTracker = field(default_factory=RegionTracker)


class SameLines:
    """The hunks of the documents that were asked about last. Lives on the inference thread."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}

    def candidates(self, document: Document, check: Callable[[], None]) -> list[EditCandidate]:
        """Where lines that a hunk changed stand once more. Raises what `check` raises."""
        documents = [document, *document.others]
        fresh: dict[str, _Known] = {}
        for each in documents:
            check()
            tracked = fresh[each.uri] = self._known.get(each.uri) or _Known()
            if tracked.history is not each.history:
                tracked.hunks, tracked.history = hunks_of(each, check, tracked.tracker), each.history
        self._known = fresh
        hunks = [hunk for tracked in fresh.values() for hunk in tracked.hunks]
        times = Counter(hunk.change for hunk in hunks)
        seen = set[object]()
        candidates: list[EditCandidate] = []
        for hunk in hunks:
            if hunk.change in seen or hunk.document.language_id != document.language_id:
                continue
            seen.add(hunk.change)
            for target in documents:
                if target.language_id == document.language_id and len(candidates) < MAX_PLACES:
                    candidates += _places(hunk, target, fresh[target.uri].hunks, times[hunk.change], document, check)
        return candidates[:MAX_PLACES]

    def forget(self) -> None:
        """Keep nothing."""
        self._known = {}


def hunks_of(document: Document, check: Callable[[], None], tracker: RegionTracker | None = None) -> list[LineHunk]:
    """The latest hunks of a document, the last one first; `tracker` is kept from one version to the next."""
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
    """A region as a hunk; None where its lines say too little to be looked for."""
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
    telling = sum(words) > 1 and words[0] > 0
    return hunk if telling and hunk.change[0] != hunk.change[1] else None


def _places(
    hunk: LineHunk,
    target: Document,
    changed: Sequence[LineHunk],
    times: int,
    document: Document,
    check: Callable[[], None],
) -> Iterator[EditCandidate]:
    """Where a hunk's lines stand in a document and nobody changed them."""
    buffer, needle = target.syntax.buffer, hunk.needle
    taken = [(other.region.c0, max(other.region.c1, other.region.c0 + 1)) for other in changed]
    probe = hunk.region.c0
    kind = hunk.document.syntax.region_at(buffer_start(hunk.document.syntax.buffer, probe))
    exact = _lines_with(needle[0].strip(), target.syntax, check)
    like = starts_like(needle, target.syntax, MAX_LOOKED, check)
    for first in dict.fromkeys((*exact, *like)):
        last = first + len(needle)
        if last > buffer.line_count or any(first < end and start < last for start, end in taken):
            continue
        if any(buffer.is_data(line) for line in range(max(0, first - 1), min(last + 1, buffer.line_count))):
            continue
        lines = region_lines(buffer, first, last)
        indent = _indent(lines[0])
        names = analogy(needle, lines)
        if names is None or (hunk.old and not stays(names, hunk.new)) or changes_member(hunk.old, hunk.new, names):
            continue
        edit = _edit(hunk, buffer, first, last, indent, names)
        if edit is None or edit.is_noop(buffer.data):
            continue
        if target.syntax.region_at(buffer_start(buffer, first)) is not kind and kind is Region.CODE:
            continue
        pattern = pattern_key(edit, buffer.data)
        key = f"{pattern} @ {first}"
        if not not_rejected(document, pattern).passed or not not_rejected(document, key).passed:
            continue
        left = float(first > 0 and buffer.line_text(first - 1).strip() == hunk.above.strip())
        right = float(last < buffer.line_count and buffer.line_text(last).strip() == hunk.below.strip())
        signals = {
            "left": left if hunk.old else 1.0, "right": right if hunk.old else float(bool(_WORD.search(hunk.below))),
            "age": float(hunk.age), "done_share": float(len(needle)), "fresh": float(bool(hunk.old)),
            "skips": float(len(names)), "twin": float(not names),
        }  # fmt: skip
        group = f"{LINES}-{zlib.crc32(repr(hunk.change).encode()):08x}"
        reason = f"the change of line {hunk.region.c0 + 1} once more"
        score = (0.3 + 0.2 * left + 0.2 * right + 0.2 * (times > 1)) / (1 + len(names))
        yield EditCandidate(
            LINES,
            target,
            edit,
            edit,
            group,
            "",
            times,
            hunk.region.c0,
            key,
            pattern,
            reason,
            score,
            signals,
            unit=unit_of(target, edit),
        )


def buffer_start(buffer: Buffer, line: int) -> int:
    """The first byte of a line that is no blank."""
    start, end = buffer.line_span(min(line, buffer.line_count - 1))
    text = buffer.data[start:end]
    return start + len(text) - len(text.lstrip())


def _lines_with(text: str, syntax: SyntaxSnapshot, check: Callable[[], None]) -> Iterator[int]:
    """The lines that hold a text and nothing else, blanks aside; MAX_LOOKED of its places are looked at."""
    wanted, buffer = text.encode(), syntax.buffer
    for at in islice(syntax.occurrences(wanted), MAX_LOOKED):
        check()
        line = buffer.line_at(at)
        start, end = buffer.line_span(line)
        if end - start < 2 * len(wanted) + 400 and buffer.data[start:end].strip() == wanted:
            yield line


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _edit(hunk: LineHunk, buffer: Buffer, first: int, last: int, indent: str, names: dict[str, str]) -> ByteEdit | None:
    """The hunk's new lines in place of lines [first, last); None where they cannot be indented alike."""
    base = _indent(hunk.needle[0])
    if any(line.strip() and not line.startswith(base) for line in hunk.new):
        return None
    eol = line_end(buffer.data).decode()
    new = [rewritten(line, names) for line in hunk.new]
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
