"""What the user's own changes and the text say of a candidate: whether it was done before, where, and what it leaves.

Every number is computed alike for all sources. The work is bounded by the latest changes and by the size of a file.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from editahead.patterns.changes import NetChange
from editahead.suggest.next_edit.edit_candidate import EditCandidate
from editahead.suggest.types import Document
from editahead.text.buffer import LONGEST_LINE

EVIDENCE_FEATURES = (
    "same_done", "same_words", "same_near", "same_scope_as", "passed", "gone_stands", "come_stands", "line_twins",
    "result_stands", "from_change",
)  # fmt: skip
MOMENT_EVIDENCE = ("open_words", "gone_words_stand")
LATEST = 50
"""Changes that are compared with a candidate."""
MAX_TEXT, MAX_DATA = 400, 1_000_000
"""Bytes of one side of a change that are compared, and bytes of a file in which texts are counted."""
MAX_WORDS, SHORTEST = 8, 3
_FAR = math.log(400.0)
_WORD = re.compile(rb"[A-Za-z0-9_\x80-\xff]+")
_HEAD, _TAIL = re.compile(rb"[A-Za-z0-9_\x80-\xff]*"), re.compile(rb"[A-Za-z0-9_\x80-\xff]*\Z")
_AROUND = 100


class Substitution(NamedTuple):
    """What a change took away and put in, both up to the ends of their words."""

    old: bytes
    new: bytes


class DoneChange(NamedTuple):
    """One change of the user: what it did, its line and the other words of that line, and when."""

    uri: str
    what: Substitution
    line: int
    words: frozenset[bytes]
    scope: tuple[int, int] | None
    turn: tuple[float, int]


@dataclass
class ChangeEvidence:
    """The latest changes of all documents, and counts of texts that were asked for."""

    done: Sequence[DoneChange]
    counts: dict[tuple[str, bytes], int] = field(default_factory=dict)
    lines: dict[str, Counter[bytes]] = field(default_factory=dict)

    def of(self, candidate: EditCandidate) -> dict[str, float]:
        """The features of one candidate, by their names."""
        document, offer = candidate.document, candidate.offer
        data, buffer = document.syntax.buffer.data, document.syntax.buffer
        small = offer.trimmed(data)
        what = substitution(data, small.start, small.old_end, small.new)
        same = [one for one in self.done if one.what == what]
        here = [one for one in self.done if one.uri == document.uri]
        line = candidate.line
        words = _other_words(buffer.line_bytes(line), what)
        scope = next(iter(document.syntax.scopes_at(offer.start)), None) if same else None
        near = [abs(one.line - line) for one in same if one.uri == document.uri]
        above = min((one.turn for one in here if one.line < line), default=None)
        below = max((one.turn for one in here if one.line > line), default=None)
        stripped = buffer.line_bytes(line).strip()
        start, end = buffer.line_span(line)
        inside = start <= small.start and small.old_end <= end and b"\n" not in small.new
        result = (data[start : small.start] + small.new + data[small.old_end : end]).strip() if inside else b""
        return {
            "same_done": math.log(1.0 + len(same)),
            "same_words": max((_shared(words, one.words) for one in same), default=0.0),
            "same_near": math.log(1.0 + min(near)) / _FAR if near else 1.5,
            "same_scope_as": float(any(one.uri == document.uri and one.scope == scope for one in same)),
            "passed": float(above is not None and below is not None and above < below),
            "gone_stands": math.log(1.0 + self._count(document, what.old)),
            "come_stands": math.log(1.0 + self._count(document, what.new)),
            "line_twins": math.log(1.0 + self._lines(document)[stripped]) if stripped else 0.0,
            "result_stands": float(bool(result) and result != stripped and self._lines(document)[result] > 0),
            "from_change": math.log(1.0 + min(abs(one.line - line) for one in here)) / _FAR if here else 1.5,
        }

    def _count(self, document: Document, text: bytes) -> int:
        """How often a text stands in a document; 0 for an empty one and in a very large file."""
        data, key = document.syntax.buffer.data, (document.uri, text)
        if not text.strip() or len(data) > MAX_DATA:
            return 0
        if key not in self.counts:
            self.counts[key] = data.count(text)
        return self.counts[key]

    def _lines(self, document: Document) -> Counter[bytes]:
        """The lines of a document without their indentation, with how often each stands; none of a very large file."""
        found = self.lines.get(document.uri)
        if found is None:
            data = document.syntax.buffer.data
            rows = data.split(b"\n") if len(data) <= MAX_DATA else []
            found = self.lines[document.uri] = Counter(row.strip() for row in rows)
        return found


def change_evidence(
    documents: Sequence[Document], changes: Mapping[str, Sequence[NetChange]]
) -> tuple[ChangeEvidence, dict[str, float]]:
    """The evidence of the changes of some documents (by URI), and what it says of the moment."""
    known = [(one, home) for home in documents for one in changes[home.uri]]
    known.sort(key=lambda pair: (pair[0].time, pair[0].turn), reverse=True)
    done = [_done(change, home) for change, home in known[:LATEST]]
    evidence = ChangeEvidence(done)
    return evidence, evidence_of_moment(evidence, known[:1])


def evidence_of_moment(evidence: ChangeEvidence, last: Sequence[tuple[NetChange, Document]]) -> dict[str, float]:
    """How many words of the last change stand nowhere else in its file yet, and how many that went still stand."""
    values = dict.fromkeys(MOMENT_EVIDENCE, 0.0)
    for change, home in last:
        data = home.syntax.buffer.data
        if len(data) > MAX_DATA:
            continue
        what = substitution(data, change.start, change.end, data[change.start : change.end], change.old)
        old, new = (Counter(_WORD.findall(text[:MAX_TEXT])) for text in (what.old, what.new))
        come = [word for word in new if word not in old and len(word) >= SHORTEST][:MAX_WORDS]
        gone = [word for word in old if word not in new and len(word) >= SHORTEST][:MAX_WORDS]
        values["open_words"] = math.log(1.0 + sum(data.count(word) <= new[word] for word in come))
        values["gone_words_stand"] = math.log(1.0 + sum(word in data for word in gone))
    return values


def substitution(data: bytes, start: int, end: int, new: bytes, old: bytes | None = None) -> Substitution:
    """What a replacement of bytes [start, end) of a text does, in whole words; `old`: what stood there before."""
    left = _TAIL.search(data[max(0, start - _AROUND) : start])
    right = _HEAD.match(data[end : end + _AROUND])
    gone = data[start:end] if old is None else old
    joins_left = _WORD.match(gone[:1] or new[:1]) is not None
    joins_right = _WORD.match(gone[-1:] or new[-1:]) is not None
    before = left.group() if left is not None and joins_left else b""
    behind = right.group() if right is not None and joins_right else b""
    return Substitution(before + gone[:MAX_TEXT] + behind, before + new[:MAX_TEXT] + behind)


def _done(change: NetChange, home: Document) -> DoneChange:
    buffer = home.syntax.buffer
    what = substitution(buffer.data, change.start, change.end, buffer.data[change.start : change.end], change.old)
    line = buffer.line_at(change.start)
    scope = next(iter(home.syntax.scopes_at(change.start)), None)
    words = _other_words(buffer.line_bytes(line), what)
    return DoneChange(home.uri, what, line, words, scope, (change.time, change.turn))


def _other_words(line: bytes, what: Substitution) -> frozenset[bytes]:
    """The words of a line but for those that a change takes away or puts in."""
    return frozenset(_WORD.findall(line[:LONGEST_LINE])).difference(_WORD.findall(what.old), _WORD.findall(what.new))


def _shared(one: frozenset[bytes], two: frozenset[bytes]) -> float:
    union = len(one | two)
    return len(one & two) / union if union else 1.0
