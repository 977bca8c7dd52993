"""Feedback on offered items: whether they were shown, accepted or rejected. Counts are kept in memory only."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass

from editahead.lsp.rpc.extension_types import SurfaceCounts
from editahead.suggest.types import Rejection

ACCEPT = "editahead.accept"  # the command of every item
COPILOT_ACCEPT = "github.copilot.didAcceptCompletionItem"  # its name for clients of Copilot's server
ITEMS_KEPT = 1000
REJECTIONS_KEPT = 200


@dataclass(slots=True)
class OfferedItem:
    """An offered item. `key` identifies the suggestion in a rejection; empty when it cannot be rejected."""

    surface: str
    key: str
    probability: float
    shown: bool = False
    uri: str = ""  # of the document that it was offered in
    settled: bool = False  # accepted or rejected: later events do not count
    source: str = ""  # the source of next edits that it comes from


class Feedback:
    """The offered items of a session by their identifiers, and the counts."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._items: OrderedDict[str, OfferedItem] = OrderedDict()
        self._rejections: deque[Rejection] = deque(maxlen=REJECTIONS_KEPT)
        self._declined: list[float] = []  # when next edits were rejected since the last acceptance
        self._places: dict[tuple[str, str], str] = {}  # the last identifier of each key
        self._next = 0
        self._counts: Counter[tuple[str, str]] = Counter()
        self._sources: Counter[tuple[str, str, str]] = Counter()  # by surface, source and what became of the item
        self._reasons: Counter[tuple[str, str]] = Counter()

    def offer(
        self, surface: str, key: str, probability: float, uri: str, *, again: bool = False, source: str = ""
    ) -> str:
        """Record an item that is sent to the client, count it, also by `source`, and return its identifier.

        With `again`, an item that was neither accepted nor rejected since it was last offered under this key keeps its
        identifier.
        """
        last = self._places.get((surface, key), "") if again else ""
        if last in self._items and not self._items[last].settled:
            self._items[last].probability = probability
            return last
        self._next += 1
        name = f"{surface}-{self._next}"
        self._places[surface, key] = name
        self._items[name] = OfferedItem(surface, key, probability, uri=uri, source=source)
        if len(self._items) > ITEMS_KEPT:
            oldest, dropped = self._items.popitem(last=False)
            if self._places.get((dropped.surface, dropped.key)) == oldest:
                del self._places[dropped.surface, dropped.key]
        self._count(self._items[name], "offered")
        return name

    def count_list(self, surface: str) -> None:
        """Count a list of items that was sent; the client does not report which of them it shows."""
        self._counts[surface, "offered"] += 1

    def count_suppressed(self, surface: str, reason: str) -> None:
        """Count an empty answer under its reason."""
        self._reasons[surface, reason] += 1

    def count_shown(self, name: str | None) -> bool:
        """Count an item as shown. Returns False for an unknown item."""
        item = self._items.get(name or "")
        if item is not None and not item.shown:
            item.shown = True
            self._count(item, "shown")
        return item is not None

    def count_accepted(self, name: str | None) -> bool:
        """Count an item as accepted, and so as shown. Returns False for an unknown item."""
        item = self._settle(name, "accepted")
        if item is not None and item.source:
            self._declined = []
        return item is not None

    def count_partly_accepted(self, name: str | None) -> bool:
        """Count an item as partly accepted; the rest stays open. Returns False for an unknown item."""
        item = self._items.get(name or "")
        if item is not None:
            self.count_shown(name)
            self._count(item, "partly accepted")
        return item is not None

    def count_rejected(self, name: str | None) -> bool:
        """Count an item as rejected and keep its key. Returns False for an unknown item."""
        item = self._settle(name, "rejected")
        if item is not None and item.key:
            self._rejections.append(Rejection(item.key, self._clock(), item.uri))
        if item is not None and item.source:
            self._declined = [*self._declined, self._clock()][-REJECTIONS_KEPT:]
        return item is not None

    def rejections(self, after: float) -> tuple[Rejection, ...]:
        """Return the rejections since a time of the session's clock, oldest first."""
        return tuple(rejection for rejection in self._rejections if rejection.time >= after)

    def count_declined(self, after: float) -> int:
        """Return how many next edits were rejected since the last acceptance, and since a time (session clock)."""
        return sum(time >= after for time in self._declined)

    def forget(self, uri: str) -> None:
        """Delete the items and rejections of a closed document; the counts stay."""
        for name in [name for name, item in self._items.items() if item.uri == uri]:
            del self._items[name]
        self._places = {key: name for key, name in self._places.items() if name in self._items}
        kept = [rejection for rejection in self._rejections if rejection.uri != uri]
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
            return None if what == "rejected" else item
        item.settled = True
        self._count(item, what)
        return item

    def _count(self, item: OfferedItem, what: str) -> None:
        self._counts[item.surface, what] += 1
        if item.source:
            self._sources[item.surface, item.source, what] += 1
