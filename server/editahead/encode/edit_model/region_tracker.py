"""The changed regions of a document, followed from one version of its history to the next."""

from __future__ import annotations

from collections.abc import Callable

from editahead.encode.edit_model.history import LineRegion, followed
from editahead.text.buffer import Buffer
from editahead.text.coalesced_edits import CoalescedEdit
from editahead.text.history_view import HistoryView


class RegionTracker:
    """`track` for one document: settled edits are applied once, and not again for each key. Not thread-safe."""

    def __init__(self) -> None:
        self._anchor: Buffer | None = None
        self._settled: tuple[CoalescedEdit, ...] = ()
        self._regions: list[LineRegion] = []
        self._buffer = Buffer(b"")

    def missing(self, view: HistoryView) -> int:
        """How many edits `track` would have to apply."""
        return len(view.edits) - (len(self._settled) if self._goes_on(view) else 0)

    def track(self, view: HistoryView, check: Callable[[], None] | None = None) -> tuple[list[LineRegion], Buffer]:
        """The changed regions in text order and the resulting text, as `track` gives them for the edits of a history.

        `check` is called before each edit, and may raise; what was done by then is kept.
        """
        if not self._goes_on(view):
            self._anchor, self._settled, self._regions, self._buffer = view.anchor, (), [], view.anchor
        for turn in range(len(self._settled), len(view.settled)):
            if check is not None:
                check()
            edit = view.settled[turn].edit
            self._regions, self._buffer = followed(self._regions, self._buffer, edit, turn)
            self._settled = view.settled[: turn + 1]
        if view.pending is None:
            return self._regions, self._buffer
        return followed(self._regions, self._buffer, view.pending.edit, len(view.settled))

    def _goes_on(self, view: HistoryView) -> bool:
        done = self._settled
        return self._anchor is view.anchor and len(done) <= len(view.settled) and view.settled[: len(done)] == done
