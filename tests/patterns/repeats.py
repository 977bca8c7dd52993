"""Helpers for tests of repeated edits: a user at one text, and what the patterns of the last changes would do."""

from __future__ import annotations

from editahead.patterns.changes import NetChange, net_changes
from editahead.patterns.examples import Example, example_of
from editahead.patterns.groups import EditGroup, groups_of
from editahead.patterns.matching import find_matches
from editahead.patterns.pattern import Pattern
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import History
from editahead.text.line_ends import style_of


class Hand:
    """Edits by hand, each settled by itself unless told otherwise."""

    def __init__(self, text: str) -> None:
        self.now = 0.0
        self.buffer = Buffer.from_text(text)
        self.history = History(self.buffer, lambda: self.now)

    def edit(self, start: int, end: int, new: bytes, *, settle: bool = True) -> None:
        change = ByteEdit(start, end, new)
        self.history.push(change, self.buffer)
        self.buffer = self.buffer.apply(change)
        if settle:
            self.now += 10.0
            self.history.settle(self.now)

    def replace(self, old: str, new: str, *, settle: bool = True) -> None:
        """The first occurrence of `old` becomes `new`, as the smallest edit that does it."""
        at = self.buffer.data.index(old.encode())
        change = ByteEdit(at, at + len(old.encode()), new.encode()).trim(self.buffer.data)
        self.edit(change.start, change.old_end, change.new, settle=settle)

    @property
    def changes(self) -> list[NetChange]:
        return net_changes(self.history.view(), self.buffer.data)

    @property
    def examples(self) -> list[Example]:
        """One of each change, the newest first."""
        ordered = sorted(self.changes, key=lambda change: -change.turn)
        found = [example_of(self.buffer, [change]) for change in ordered]
        assert all(example is not None for example in found)
        return [example for example in found if example is not None]

    @property
    def groups(self) -> list[EditGroup]:
        return groups_of([("a", self.buffer, self.changes)])

    def lines_after(self, pattern: Pattern) -> list[str]:
        """What each place that the pattern finds would read after its edit."""
        tabs, eol = style_of(self.buffer.data)
        lines = []
        for match in find_matches(pattern, self.buffer, 0, tabs=tabs, eol=eol):
            if any(change.start <= match.edit.old_end and match.edit.start <= change.end for change in self.changes):
                continue
            after = self.buffer.apply(match.edit)
            first = self.buffer.line_at(match.edit.start)
            grown = after.line_count - self.buffer.line_count
            last = self.buffer.line_at(match.edit.old_end) + grown
            lines.append("\n".join(after.line_bytes(line).decode() for line in range(first, last + 1)))
        return lines
