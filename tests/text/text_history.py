"""A writer at an editor: changes a text and tells its history, on a clock of its own."""

from __future__ import annotations

from collections.abc import Sequence

from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import EditKind, History, HistoryLimits, HistoryView


class Writer:
    """Checks after each change that the history still tells the text. Offsets are bytes."""

    def __init__(self, text: str, limits: HistoryLimits | None = None) -> None:
        self.now = 0.0
        self.buffer = Buffer.from_text(text)
        self.history = History(self.buffer, lambda: self.now, limits)

    @property
    def text(self) -> str:
        return self.buffer.text

    def view(self) -> HistoryView:
        """The history as it stands."""
        return self.history.view()

    def put(self, start: int, end: int, new: str, kind: EditKind | None = None) -> None:
        """One change."""
        edit = ByteEdit(start, end, new.encode())
        self.history.push(edit, self.buffer, kind)
        self.buffer = self.buffer.apply(edit)
        self.check()

    def batch(self, changes: Sequence[tuple[int, int, str]], kind: EditKind | None = None) -> None:
        """Several changes in one notification, each in coordinates after the one before."""
        told = []
        for start, end, new in changes:
            edit = ByteEdit(start, end, new.encode())
            told.append((edit, self.buffer))
            self.buffer = self.buffer.apply(edit)
        self.history.push_all(told, kind)
        self.check()

    def type(self, at: int, text: str, every: float = 0.1) -> None:
        """Key after key."""
        for key in text:
            self.now += every
            self.put(at, at, key)
            at += len(key.encode())

    def check(self) -> None:
        """The invariant of every history."""
        assert self.view().current() == self.buffer.data
