"""Evidence for a candidate from the user's own changes and the text: the same change elsewhere, and the resulting line.

The features are computed in the same way for all sources, from the most recent changes and files up to a size.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from editahead.patterns.changes import NetChange
from editahead.suggest.next_edit.edit_candidate import NETWORK, EditCandidate
from editahead.suggest.types import Document
from editahead.text.buffer import MAX_LINE_BYTES

EVIDENCE_FEATURES = ("same_done", "same_words", "same_near", "same_scope_as", "passed", "result_stands")
MAX_CHANGES = 50  # the most recent changes, which are compared with a candidate
MAX_TEXT, MAX_DATA = 400, 1_000_000
"""Bytes of each side of a change that are compared, and bytes of a file whose lines are compared."""
_FAR = math.log(400.0)
_WORD = re.compile(rb"[A-Za-z0-9_\x80-\xff]+")
_HEAD, _TAIL = re.compile(rb"[A-Za-z0-9_\x80-\xff]*"), re.compile(rb"[A-Za-z0-9_\x80-\xff]*\Z")
_AROUND = 100

Turn = tuple[float, int]  # the time of a change, and its number among changes of the same time


class Substitution(NamedTuple):
    """The removed and the inserted text of a change, extended to whole words."""

    old: bytes
    new: bytes


class DoneChange(NamedTuple):
    """A change of the user: its substitution, its line with the other words of that line, and its time."""

    uri: str
    what: Substitution
    line: int
    words: frozenset[bytes]
    scope: tuple[int, int] | None
    turn: Turn


@dataclass
class ChangeEvidence:
    """The most recent changes of all documents."""

    done: Sequence[DoneChange]

    def __post_init__(self) -> None:
        self._by_substitution: dict[Substitution, list[DoneChange]] = {}
        self._turns: dict[str, dict[int, tuple[Turn, Turn]]] = {}  # by file and line: of the first and the last change
        for change in self.done:
            self._by_substitution.setdefault(change.what, []).append(change)
            lines = self._turns.setdefault(change.uri, {})
            first, last = lines.get(change.line, (change.turn, change.turn))
            lines[change.line] = min(first, change.turn), max(last, change.turn)

    def of(self, candidate: EditCandidate) -> dict[str, float]:
        """The features of a candidate by name."""
        document, offer = candidate.document, candidate.offer
        data, buffer = document.syntax.buffer.data, document.syntax.buffer
        small = offer.trim(data)
        what = substitution(data, small.start, small.old_end, small.new)
        same = self._by_substitution.get(what, [])
        turns = self._turns.get(document.uri, {})
        line = candidate.line
        words = _other_words(buffer.line_bytes(line), what)
        scope = next(iter(document.syntax.scopes_at(offer.start)), None) if same else None
        # An example of a pattern with holes is the same edit, whatever it replaced.
        times = len(same) if candidate.source == NETWORK else max(len(same), candidate.examples)
        near = [abs(change.line - line) for change in same if change.uri == document.uri]
        above = min((first for changed, (first, _) in turns.items() if changed < line), default=None)
        below = max((last for changed, (_, last) in turns.items() if changed > line), default=None)
        stripped = buffer.line_bytes(line).strip()
        start, end = buffer.line_span(line)
        inside = start <= small.start and small.old_end <= end and b"\n" not in small.new
        result = (data[start : small.start] + small.new + data[small.old_end : end]).strip() if inside else b""
        return {
            "same_done": math.log(1.0 + times),
            "same_words": max((_shared(words, change.words) for change in same), default=0.0),
            "same_near": math.log(1.0 + min(near)) / _FAR if near else 1.5,
            "same_scope_as": float(any(change.uri == document.uri and change.scope == scope for change in same)),
            "passed": float(above is not None and below is not None and above < below),
            "result_stands": float(bool(result) and result != stripped and _has_line(document, result)),
        }


def _has_line(document: Document, stripped: bytes) -> bool:
    """Whether a document has a line with this text, indentation aside; False for very large files."""
    return len(document.syntax.buffer.data) <= MAX_DATA and document.syntax.has_line(stripped)


def change_evidence(documents: Sequence[Document], changes: Mapping[str, Sequence[NetChange]]) -> ChangeEvidence:
    """The evidence of the changes (by URI) of some documents."""
    latest = [(change, document) for document in documents for change in changes[document.uri]]
    latest.sort(key=lambda pair: (pair[0].time, pair[0].turn), reverse=True)
    return ChangeEvidence([_done_change(change, document) for change, document in latest[:MAX_CHANGES]])


def substitution(data: bytes, start: int, end: int, new: bytes, old: bytes | None = None) -> Substitution:
    """The replacement of bytes [start, end) of a text in whole words; `old`: the removed text if it differs."""
    tail = _TAIL.search(data[max(0, start - _AROUND) : start])
    head = _HEAD.match(data[end : end + _AROUND])
    gone = data[start:end] if old is None else old
    joins_left = _WORD.match(gone[:1] or new[:1]) is not None
    joins_right = _WORD.match(gone[-1:] or new[-1:]) is not None
    before = tail.group() if tail is not None and joins_left else b""
    behind = head.group() if head is not None and joins_right else b""
    return Substitution(before + gone[:MAX_TEXT] + behind, before + new[:MAX_TEXT] + behind)


def _done_change(change: NetChange, document: Document) -> DoneChange:
    buffer = document.syntax.buffer
    what = substitution(buffer.data, change.start, change.end, buffer.data[change.start : change.end], change.old)
    line = buffer.line_at(change.start)
    scope = next(iter(document.syntax.scopes_at(change.start)), None)
    words = _other_words(buffer.line_bytes(line), what)
    return DoneChange(document.uri, what, line, words, scope, (change.time, change.turn))


def _other_words(line: bytes, what: Substitution) -> frozenset[bytes]:
    """The words of a line without those that a change removes or inserts."""
    return frozenset(_WORD.findall(line[:MAX_LINE_BYTES])).difference(_WORD.findall(what.old), _WORD.findall(what.new))


def _shared(words: frozenset[bytes], others: frozenset[bytes]) -> float:
    union = len(words | others)
    return len(words & others) / union if union else 1.0
