"""Input and output of rules: candidates with their reasons, or why there are none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple, TypeVar

from editahead.analysis.resolver.resolver import Resolver
from editahead.patterns.changes import NetChange, net_changes
from editahead.suggest.gate import not_rejected
from editahead.suggest.next_edit.edit_candidate import (
    EditCandidate,
    ResolvedParameter,
    ResolvedRenaming,
    VerifiedUnit,
    unit_of,
)
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.edits import ByteEdit, is_overlapping, merge_all

T = TypeVar("T")

Consequence = EditCandidate
"""A candidate that follows from what the user did: not yet rated, and offered alone.

`kind` is the class of the change, by which it is rated; `like` the line of the newest change that it follows from.
"""


class OpenPlace(NamedTuple):
    """A site that is to be edited because of what the user did, where the text to write is not sure.

    `start` is a byte of the text of `document`. `singular` and `plural` say what such places lack, behind their number;
    the rest is as in a consequence.
    """

    source: str
    document: Document
    start: int
    group: str
    kind: str
    reason: str
    singular: str
    plural: str
    key: str
    pattern: str


class Refusal(NamedTuple):
    """The reason why a change of the user has no consequences."""

    source: str
    change: str
    reason: str


Item = Consequence | OpenPlace | Refusal | ResolvedRenaming | ResolvedParameter  # an output of a rule


class Cause(NamedTuple):
    """A change of the user that consequences follow from: what they share.

    `text` tells it from other changes that the source follows, `reason` tells people why, `line` is zero-based, and
    `examples` how often the user did it. `is_whole`: its consequences make sense only together.
    """

    source: str
    text: str
    reason: str
    line: int
    examples: int = 1
    is_whole: bool = False

    @property
    def group(self) -> str:
        """The group of its consequences, by which all of them can be rejected."""
        return f"{self.source}-{blake2b(self.text.encode(), digest_size=4).hexdigest()}"


class Moment(NamedTuple):
    """What rules read: the document with its history and the other open files, and the cursor.

    `resolver` gives the names of a text, from the document's URI, the text, and the parts of it that are requested.
    `check` ends the work by raising. `shared` keeps what several rules need, by what it is and the document's URI.
    """

    document: Document
    byte: int
    resolver: Callable[[str, SyntaxSnapshot, Parts], Resolver | None]
    check: Callable[[], None]
    shared: dict[tuple[str, str], Sequence[Any]] | None = None

    def once(self, what: str, document: Document, find: Callable[[], Sequence[T]]) -> Sequence[T]:
        """The result of `find` for a document, computed once for all rules."""
        shared = {} if self.shared is None else self.shared
        key = (what, document.uri)
        if key not in shared:
            shared[key] = find()
        return shared[key]

    def consequence(self, cause: Cause, document: Document, edit: ByteEdit, kind: str) -> Iterator[Consequence]:
        """An edit that follows, unless it was rejected in that line."""
        key = self._key(cause, document, edit.start)
        if key is not None:
            unit = VerifiedUnit.CHANGE if cause.is_whole else unit_of(document, edit)
            yield Consequence(
                cause.source, document, edit, edit, cause.group, kind, cause.examples, cause.line, key, cause.group,
                cause.reason, 0.0, unit=unit,
            )  # fmt: skip

    def open_place(
        self, cause: Cause, document: Document, byte: int, kind: str, singular: str, plural: str
    ) -> Iterator[OpenPlace]:
        """A site that is to be edited, unless it was rejected in that line."""
        key = self._key(cause, document, byte)
        if key is not None:
            yield OpenPlace(
                cause.source, document, byte, cause.group, kind, cause.reason, singular, plural, key, cause.group
            )

    def _key(self, cause: Cause, document: Document, byte: int) -> str | None:
        buffer, group = document.syntax.buffer, cause.group
        line = buffer.line_bytes(buffer.line_at(byte)).decode("utf-8", "replace")
        key = f"{group} @ {' '.join(line.split())}"
        is_rejected = not (not_rejected(self.document, key).passed and not_rejected(self.document, group).passed)
        return None if is_rejected else key

    @staticmethod
    def before(syntax: SyntaxSnapshot, changes: Sequence[NetChange]) -> SyntaxSnapshot:
        """A text as it was before some of its changes, which are in text order."""
        edits = [ByteEdit(change.start, change.end, change.old) for change in reversed(changes)]
        buffer = syntax.buffer
        return syntax.advance(buffer.apply(merge_all(buffer.data, edits)), edits) if edits else syntax

    def is_changed(self, document: Document, start: int, end: int) -> bool:
        """Whether the user changed something in bytes [start, end] of a document, or beside them."""
        changes = net_changes(document.history, document.syntax.buffer.data)
        return any(change.start <= end and start <= change.end for change in changes)


class Outcome(NamedTuple):
    """What rules give, in the order in which a reader comes to it.

    `resolved`: renamings that no other source may repeat. `places`: what no text is sure for.
    `parameters`: changed ones, with the calls to which no other source may give them.
    """

    candidates: list[Consequence]
    refusals: list[Refusal]
    resolved: list[ResolvedRenaming]
    places: list[OpenPlace]
    parameters: list[ResolvedParameter]

    @classmethod
    def empty(cls) -> Outcome:
        """An outcome with nothing in it yet."""
        return cls([], [], [], [], [])

    def add(self, item: Item) -> None:
        """Keep what a rule gives."""
        if isinstance(item, Consequence):
            self.candidates.append(item)
        elif isinstance(item, Refusal):
            self.refusals.append(item)
        elif isinstance(item, ResolvedRenaming):
            self.resolved.append(item)
        elif isinstance(item, OpenPlace):
            self.places.append(item)
        else:
            self.parameters.append(item)

    def drop_overlaps(self) -> None:
        """Of overlapping candidates of the same change, keep the first."""
        last, kept = dict[tuple[str, str], ByteEdit](), set[int]()
        for candidate in sorted(self.candidates, key=lambda each: (each.edit.start, each.edit.old_end, each.edit.new)):
            where = candidate.group, candidate.document.uri
            if where not in last or not is_overlapping(last[where], candidate.edit):
                last[where] = candidate.edit
                kept.add(id(candidate))
        self.candidates[:] = [candidate for candidate in self.candidates if id(candidate) in kept]

    def extend(self, other: Outcome) -> None:
        """Keep what another outcome has."""
        for name in self._fields:
            getattr(self, name).extend(getattr(other, name))


Generator = Callable[[Moment], Iterator[Item]]
"""What a rule gives in a moment, in reading order; it raises what the check of the moment raises."""
