"""What the edit model thinks of a place: ln P that its next edit begins there."""

from __future__ import annotations

from bisect import bisect_right

from editahead.encode.edit_text import MapError
from editahead.runtime.ort import Cancel
from editahead.suggest.edit_memory import EditMemory, Present
from editahead.suggest.types import Document


class Rating:
    """The rating of places in one document, computed when first asked for; None for places in any other."""

    def __init__(self, memory: EditMemory, document: Document, cancel: Cancel | None = None) -> None:
        self._memory, self._document, self._cancel = memory, document, cancel
        self._asked = False
        self._present: Present | None = None
        self._spots: list[tuple[int, int, int]] = []  # (start, end, name), by start
        self._ends: dict[int, int] = {}

    def __call__(self, document: Document, byte: int, behind: bool) -> float | None:
        """ln P for the token that holds `byte`, or (behind) for putting something behind the one that ends there."""
        if document.uri != self._document.uri:
            return None
        if not self._asked:
            self._ask()
        if self._present is None or self._present.trail.position is None:
            return None
        name = self._ends.get(byte) if behind else self._holding(byte)
        return None if name is None else float(self._present.trail.position[name])

    def _ask(self) -> None:
        self._asked = True
        present = self._memory.present(self._document, self._cancel)
        if present is None:
            return
        try:
            found = present.places
        except MapError:
            return
        self._present = present
        self._spots = sorted((place.start, place.end, name) for name, place in found.items())
        self._ends = {place.end: name for name, place in found.items()}

    def _holding(self, byte: int) -> int | None:
        at = bisect_right(self._spots, (byte, 1 << 62, 0)) - 1
        if at < 0:
            return None
        start, end, name = self._spots[at]
        return name if start <= byte < end else None
