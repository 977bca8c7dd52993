"""Feedback on offered items: whether they were shown, accepted, rejected, undone or typed through.

It is kept in memory; `on_count` and `on_kind` tell who writes it down if the user wants that.
"""

from __future__ import annotations

import time
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from editahead.learning.interruptions import (
    GHOST_TEXT,
    NEXT_EDIT,
    OPEN_SITE,
    REJECTED,
    TYPED_THROUGH,
    UNDONE,
    InterruptionBudget,
)
from editahead.learning.rejected_kinds import DAY, RejectedKind, RejectedKinds, kind_of_edit
from editahead.learning.scoreboard import ANSWERED, SAVED_KEYS, TYPED_KEYS, CountKey, bucket_of, keystrokes, time_class
from editahead.lsp.rpc.extension_types import SurfaceCounts
from editahead.suggest.types import Rejection
from editahead.text.edits import ByteEdit
from editahead.text.memo import RecentEntries

ACCEPT = "editahead.accept"  # the command of every item
COPILOT_ACCEPT = "github.copilot.didAcceptCompletionItem"  # its name for clients of Copilot's server
ITEMS_KEPT = 1000
REJECTIONS_KEPT = 200
MAX_TRACKED = 12  # items whose edits are followed through the changes of their documents
READ_SECONDS = 0.5  # after which ghost text counts as read
IGNORED_KEYS = 10  # keystrokes while a next edit is shown, after which it counts as typed through
UNDO_SECONDS = 120.0  # within which an accepted edit is undone
_PRESSES = {GHOST_TEXT: 1, NEXT_EDIT: 2}  # keys that accept an item; a next edit takes a jump as well


class OfferedChange(NamedTuple):
    """What is offered, as learning needs it: kind, language, project (its folder), source, and pattern of the change.

    `edit` applies to the text of the document at the time of the offer, `removed` is what it removes, `line` the line
    that it begins in.
    """

    kind: str
    language: str = ""
    project: str = ""
    source: str = ""
    pattern: str = ""
    edit: ByteEdit | None = None
    removed: bytes = b""
    line: bytes = b""

    def edit_kind(self) -> RejectedKind | None:
        """Return the kind of the edit; None without an edit, if it is long, and for ghost text.

        Without names, most ghost text is a name: three that were rejected would withhold nearly all of it.
        """
        if self.edit is None or self.kind == GHOST_TEXT:
            return None
        return kind_of_edit(self.project, self.language, self.kind, self.source, self.removed, self.edit.new, self.line)


@dataclass(slots=True)
class TrackedSpan:
    """The bytes [start, end) of a document that an offered edit replaces, followed through later changes.

    `before` is their text before the edit was applied, `new` after it.
    """

    start: int
    end: int
    before: bytes
    new: bytes
    applied: bool = False

    def follow(self, edits: Sequence[ByteEdit]) -> tuple[bool, bool]:
        """Move the span over edits. Returns whether it is still defined, and whether any edit touched it."""
        touched = False
        for edit in edits:
            if edit.start > self.end or (edit.start == self.end and edit.old_end > edit.start):
                continue
            if edit.old_end < self.start or (edit.old_end == self.start and edit.start < self.start):
                self.start, self.end = self.start + edit.delta, self.end + edit.delta
            elif self.start <= edit.start and edit.old_end <= self.end:
                self.end += edit.delta
                touched = True
            else:
                return False, True
        return True, touched


@dataclass(slots=True)
class OfferedItem:
    """An offered item. `key` identifies the suggestion in a rejection; empty when it cannot be rejected."""

    surface: str
    key: str
    probability: float
    proposal: OfferedChange
    time: float  # seconds
    shown: bool = False
    uri: str = ""  # of the document that it was offered in
    settled: bool = False  # accepted or rejected: later events do not count
    settled_at: float = 0.0
    keys: int = 0  # typed since it was offered
    is_unwanted: bool = False  # typed through, or partly accepted: not counted again
    span: TrackedSpan | None = field(default=None, repr=False)

    @property
    def source(self) -> str:
        """The source of next edits that it comes from."""
        return self.proposal.source


class Feedback:
    """The offered items of a session by their identifiers, and the counts. `clock` returns seconds, `today` days."""

    def __init__(self, clock: Callable[[], float], today: Callable[[], int] = lambda: int(time.time() // DAY)) -> None:
        self._clock = clock
        self.today = today
        self.budget = InterruptionBudget(clock)
        self.rejected_kinds = RejectedKinds()
        self.counts: Counter[CountKey] = Counter()  # of this session, for the scoreboard
        self.earlier: Counter[CountKey] | None = None  # of earlier sessions; None if they are not remembered
        self.on_count: Callable[[CountKey, int], None] = lambda key, count: None
        self.on_kind: Callable[[RejectedKind, bool], None] = lambda kind, is_rejection: None
        self._tracked = RecentEntries[str, OfferedItem](MAX_TRACKED)
        self._items: OrderedDict[str, OfferedItem] = OrderedDict()
        self._rejections: deque[Rejection] = deque(maxlen=REJECTIONS_KEPT)
        self._rejected_changes: deque[str] = deque(maxlen=REJECTIONS_KEPT)  # that count for their kinds
        self._places: dict[tuple[str, str], str] = {}  # the last identifier of each key
        self._next = 0
        self._counts: Counter[tuple[str, str]] = Counter()
        self._sources: Counter[tuple[str, str, str]] = Counter()  # by surface, source and what became of the item
        self._reasons: Counter[tuple[str, str]] = Counter()

    def offer(
        self, surface: str, key: str, probability: float, uri: str, proposal: OfferedChange, *, again: bool = False
    ) -> str:
        """Record an item that is sent to the client, count it, also by its source, and return its identifier.

        With `again`, an item that was neither accepted nor rejected since it was last offered under this key keeps its
        identifier. `proposal` is for learning.
        """
        last = self._places.get((surface, key), "") if again else ""
        if last in self._items and not self._items[last].settled:
            self._items[last].probability = probability
            return last
        self._next += 1
        name = f"{surface}-{self._next}"
        self._places[surface, key] = name
        item = self._items[name] = OfferedItem(surface, key, probability, proposal, self._clock(), uri=uri)
        if len(self._items) > ITEMS_KEPT:
            oldest, dropped = self._items.popitem(last=False)
            if self._places.get((dropped.surface, dropped.key)) == oldest:
                del self._places[dropped.surface, dropped.key]
        self._count(item, "offered")
        if proposal.kind in (GHOST_TEXT, NEXT_EDIT, OPEN_SITE):
            self._track(name, item)
        return name

    def _track(self, name: str, item: OfferedItem) -> None:
        """Follow an item instead of the last item of its kind; offered again, it goes on where that was."""
        kind = item.proposal.kind
        for other_name, other in list(self._tracked.items()):
            if other.proposal.kind == kind and not other.settled:
                if other.key == item.key and kind != GHOST_TEXT:
                    item.keys, item.is_unwanted = other.keys, other.is_unwanted
                if other.span is None or not other.span.applied:
                    del self._tracked[other_name]
        edit, removed = item.proposal.edit, item.proposal.removed
        if edit is not None and edit.new != removed:
            item.span = TrackedSpan(edit.start, edit.old_end, removed, edit.new)
        self._tracked.keep(name, item)

    def follow(self, uri: str, edits: Sequence[ByteEdit] | None, data: bytes, project: str, *, typed: bool) -> None:
        """Follow a change of a document, after which its text is `data`; `edits` are None if they are not recorded.

        `typed`: it is a keystroke.
        """
        if typed:
            self.budget.count_key()
            self._add(CountKey(project, "", "", 0, TYPED_KEYS))
        for name, item in list(self._tracked.items()):
            if typed and not item.settled:
                item.keys += 1
            is_over = False
            if item.span is not None and item.uri == uri:
                is_over = edits is None or self._has_ended(item, item.span, edits, data, typed)
            is_ignored = item.shown and not item.settled and item.keys >= IGNORED_KEYS
            if is_ignored and item.proposal.kind != GHOST_TEXT:
                self._type_through(item)
            if is_over:
                self._tracked.pop(name, None)

    def _has_ended(
        self, item: OfferedItem, span: TrackedSpan, edits: Sequence[ByteEdit], data: bytes, typed: bool
    ) -> bool:
        """Compare the text of an item's span with the text before and after its edit; whether there is no more to see.

        Reads as many bytes as the edit has.
        """
        is_defined, touched = span.follow(edits)
        is_ghost_text = item.proposal.kind == GHOST_TEXT
        if not is_defined or (is_ghost_text and not touched and not span.applied):
            return True
        length = span.end - span.start
        if length == len(span.new) and data[span.start : span.end] == span.new:
            span.applied = True
        elif span.applied:
            if length == len(span.before) and data[span.start : span.end] == span.before:
                self._undo(item)
                return True
        elif is_ghost_text and not (length <= len(span.new) and span.new.startswith(data[span.start : span.end])):
            is_untouched = span.before == item.proposal.removed  # nothing of it was right
            if typed and is_untouched and item.shown and self._clock() - item.time >= READ_SECONDS:
                self._type_through(item)
            return True
        elif is_ghost_text:
            span.before = data[span.start : span.end]
        return False

    def _type_through(self, item: OfferedItem) -> None:
        if not item.is_unwanted:
            item.is_unwanted = True
            self._count(item, TYPED_THROUGH)
            self.budget.add_unwanted(_slot(item), TYPED_THROUGH, item.probability)

    def _undo(self, item: OfferedItem) -> None:
        """Count an accepted item as undone, and as a rejection of its change in all files."""
        if not item.settled or self._clock() - item.settled_at > UNDO_SECONDS:
            return
        self._count(item, UNDONE)
        self._reject(item, UNDONE)
        if item.proposal.pattern not in ("", item.key):
            self._rejections.append(Rejection(item.proposal.pattern, self._clock(), item.uri))

    def _reject(self, item: OfferedItem, outcome: str) -> None:
        if item.key:
            self._rejections.append(Rejection(item.key, self._clock(), item.uri))
        if item.source or item.proposal.edit is not None:  # not a code action, which the user requests
            self.budget.add_unwanted(_slot(item), outcome, item.probability)
        kind, change = item.proposal.edit_kind(), item.proposal.pattern or item.key
        if kind is not None and change not in self._rejected_changes:  # once, at however many places it was rejected
            self._rejected_changes.append(change)
            self.rejected_kinds.reject(kind, self.today())
            self.on_kind(kind, True)

    def count_time(self, kind: str, seconds: float) -> None:
        """Count the time of an answer of a kind."""
        self._add(CountKey("", "", kind, time_class(seconds), ANSWERED))

    def withheld(self, proposal: OfferedChange) -> str:
        """Return why a proposal is not shown because of earlier rejections; empty if it may be."""
        kind = proposal.edit_kind()
        return self.rejected_kinds.reason(kind.pattern, self.today()) if kind is not None else ""

    def count_list(self, surface: str) -> None:
        """Count a list of items that was sent; the client does not report which of them it shows."""
        self._counts[surface, "offered"] += 1

    def count_suppressed(self, surface: str, reason: str) -> None:
        """Count an empty answer under its reason."""
        self._reasons[surface, reason] += 1

    def count_shown(self, name: str | None) -> None:
        """Count an item as shown."""
        item = self._items.get(name or "")
        if item is not None and not item.shown:
            item.shown = True
            self._count(item, "shown")

    def count_accepted(self, name: str | None) -> None:
        """Count an item as accepted, and so as shown."""
        item = self._items.get(name or "")
        was_settled = item is not None and item.settled
        item = self._settle(name, "accepted")
        if item is not None and not was_settled:
            self.budget.accept(_slot(item), item.probability)
            if item.source:  # also of the queue
                self.budget.resume((item.proposal.language, NEXT_EDIT))
                self.budget.resume((item.proposal.language, OPEN_SITE))
            edit, kind = item.proposal.edit, item.proposal.edit_kind()
            if edit is not None and item.proposal.kind == GHOST_TEXT and name not in self._tracked:
                self._track(name or "", item)  # an alternative
                item.span = TrackedSpan(edit.start, edit.start + len(edit.new), item.proposal.removed, edit.new, True)
            if edit is not None and (presses := _PRESSES.get(item.proposal.kind)):
                saved = keystrokes(item.proposal.removed, edit.new) - presses
                self._add(self._count_key(item, SAVED_KEYS), max(0, saved))
            if kind is not None and self.rejected_kinds.accept(kind.pattern):
                self.on_kind(kind, False)

    def count_partly_accepted(self, name: str | None) -> None:
        """Count an item as partly accepted; the rest stays open."""
        item = self._items.get(name or "")
        if item is not None:
            self.count_shown(name)
            item.is_unwanted = True  # what is typed instead of the rest does not speak against it
            self._count(item, "partly accepted")

    def count_rejected(self, name: str | None) -> None:
        """Count an item as rejected and keep its key."""
        item = self._settle(name, REJECTED)
        if item is not None:
            self._tracked.pop(name or "", None)
            self._reject(item, REJECTED)

    def rejections(self, after: float) -> tuple[Rejection, ...]:
        """Return the rejections since a time of the session's clock, oldest first."""
        return tuple(rejection for rejection in self._rejections if rejection.time >= after)

    def count_declined(self, after: float) -> int:
        """Return how many next edits were rejected since the last acceptance, and since a time (session clock)."""
        return self.budget.count_declined(after)

    def forget(self, *uris: str) -> None:
        """Delete the items and rejections of closed documents; the counts stay."""
        closed = frozenset(uris)
        for name in [name for name, item in self._items.items() if item.uri in closed]:
            del self._items[name]
            self._tracked.pop(name, None)
        self._places = {key: name for key, name in self._places.items() if name in self._items}
        kept = [rejection for rejection in self._rejections if rejection.uri not in closed]
        self._rejections = deque(kept, maxlen=REJECTIONS_KEPT)

    def report(self) -> dict[str, SurfaceCounts]:
        """Return the counts by surface, as in the answer to `editahead/stats`."""
        counts: defaultdict[str, dict[str, int]] = defaultdict(dict)
        reasons: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for (surface, what), count in sorted(self._counts.items()):
            counts[surface][what] = count
        for (surface, reason), count in sorted(self._reasons.items()):
            reasons[surface][reason] = count
        sources = self.sources()
        surfaces = [*counts, *(surface for surface in reasons if surface not in counts)]
        return {
            surface: {
                **counts[surface],
                **({"sources": sources[surface]} if surface in sources else {}),
                **({"quiet": reasons[surface]} if surface in reasons else {}),
            }
            for surface in surfaces
        }

    def sources(self) -> dict[str, dict[str, dict[str, int]]]:
        """Return what became of next edits, counted by surface and source."""
        counts: defaultdict[str, dict[str, dict[str, int]]] = defaultdict(dict)
        for (surface, source, what), count in sorted(self._sources.items()):
            counts[surface].setdefault(source, {})[what] = count
        return dict(counts)

    def _settle(self, name: str | None, what: str) -> OfferedItem | None:
        item = self._items.get(name or "")
        if item is None:
            return None
        self.count_shown(name)
        if item.settled:
            return None if what == REJECTED else item
        item.settled, item.settled_at = True, self._clock()
        self._count(item, what)
        return item

    def _count(self, item: OfferedItem, what: str) -> None:
        self._counts[item.surface, what] += 1
        if item.source:
            self._sources[item.surface, item.source, what] += 1
        self._add(self._count_key(item, what))

    def _add(self, key: CountKey, count: int = 1) -> None:
        self.counts[key] += count
        self.on_count(key, count)

    @staticmethod
    def _count_key(item: OfferedItem, event: str) -> CountKey:
        proposal = item.proposal
        return CountKey(proposal.project, proposal.language, proposal.kind, bucket_of(item.probability), event)


def _slot(item: OfferedItem) -> tuple[str, str]:
    return item.proposal.language, item.proposal.kind
