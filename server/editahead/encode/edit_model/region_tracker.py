"""The changed regions of a document, updated from version to version of its history."""

from __future__ import annotations

from collections.abc import Callable

from editahead.encode.edit_model.history import LineRegion, apply_edit
from editahead.text.buffer import Buffer
from editahead.text.coalesced_edits import CoalescedEdit
from editahead.text.history_view import HistoryView


class RegionTracker:
    """`track` for a document: each settled edit is applied only once. Not thread-safe."""

    def __init__(self) -> None:
        self._anchor: Buffer | None = None
        self._settled: tuple[CoalescedEdit, ...] = ()
        self._regions: list[LineRegion] = []
        self._buffer = Buffer(b"")

    def missing(self, view: HistoryView) -> int:
        """How many edits `track` would have to apply."""
        return len(view.edits) - (len(self._settled) if self._is_continued_by(view) else 0)

    def track(self, view: HistoryView, check: Callable[[], None] | None = None) -> tuple[list[LineRegion], Buffer]:
        """The changed regions in text order and the resulting text, as `track` gives them for the edits of a history.

        `check` is called before each edit, and may raise; what was done by then is kept.
        """
        if not self._is_continued_by(view):
            self._anchor, self._settled, self._regions, self._buffer = view.anchor, (), [], view.anchor
        for turn in range(len(self._settled), len(view.settled)):
            if check is not None:
                check()
            edit = view.settled[turn].edit
            self._regions, self._buffer = apply_edit(self._regions, self._buffer, edit, turn)
            self._settled = view.settled[: turn + 1]
        if view.pending is None:
            return self._regions, self._buffer
        return apply_edit(self._regions, self._buffer, view.pending.edit, len(view.settled))

    def _is_continued_by(self, view: HistoryView) -> bool:
        done = self._settled
        return self._anchor is view.anchor and len(done) <= len(view.settled) and view.settled[: len(done)] == done
