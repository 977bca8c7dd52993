"""Whether each name that an edit leaves in place still refers to the declaration that it referred to before."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from editahead.analysis.resolver.file_scopes import NameAt
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.scope_lookup import Binding
from editahead.syntax.scope_table import Action
from editahead.text.edits import ByteEdit
from editahead.text.words import SCRIPT_IDENTIFIER, WORD_BYTES

MAX_NAMES = 240
"""Names of one file that are resolved again; an edit that touches more is refused."""
MAX_OCCURRENCES = 400
"""Occurrences of one name that are compared."""
_WORD = re.compile(rb"(?<![$" + WORD_BYTES + rb"])" + SCRIPT_IDENTIFIER)
_DECLARE_ALL = frozenset({"python"})
"""Languages in which a file declares or imports every bare name that it uses, builtins aside."""


class PositionMap:
    """Where bytes of a text stand after some edits of it, which are in text order and do not overlap."""

    def __init__(self, edits: Sequence[ByteEdit]) -> None:
        self._edits = edits
        self._starts = [edit.start for edit in edits]
        self._shifts = [0]
        for edit in edits:
            self._shifts.append(self._shifts[-1] + edit.delta)
        self.inserted = tuple(
            (edit.start + shift, edit.new_end + shift) for edit, shift in zip(edits, self._shifts[:-1], strict=True)
        )

    def after(self, start: int, end: int) -> int | None:
        """The first byte of [start, end) after the edits; None where an edit changes a byte of it."""
        number = bisect_right(self._starts, start)
        before = self._edits[number - 1] if number else None
        if before is not None and (before.old_end > start or (before.start == start < before.old_end)):
            return None
        if number < len(self._edits) and self._edits[number].start < end:
            return None
        return start + self._shifts[number]

    def is_inserted(self, start: int, end: int) -> bool:
        """Whether bytes of the text after the edits lie in what they inserted."""
        return self.insertion_at(start, end) >= 0

    def insertion_at(self, start: int, end: int) -> int:
        """The number of the edit that inserted a byte of [start, end) of the text after the edits; -1 for none."""
        number = bisect_right(self.inserted, (end, -1)) - 1
        low, high = self.inserted[number] if number >= 0 else (0, 0)
        return number if number >= 0 and low < end and start < high else -1

    def replaces_unknown(self, before: Resolver, number: int) -> bool:
        """Whether an edit takes a bare name away that the file does not declare."""
        edit, data = self._edits[number], before.scopes.facts.data
        words = {word.decode("utf-8", "replace") for word in _WORD.findall(data, *_whole_words(data, edit))}
        return any(
            _is_unknown(before, use) and use.start < edit.old_end and edit.start < use.end
            for word in words
            for use in before.names(word)[:MAX_OCCURRENCES]
        )


def touched_names(data: bytes, edits: Sequence[ByteEdit]) -> list[str] | None:
    """The names whose meaning edits may change: those in the changed lines; None where they are too many to verify.

    What the edits remove and insert comes first, and alone decides whether they are too many.
    """
    names: dict[bytes, None] = {}
    for edit in edits:
        names.update(dict.fromkeys(_WORD.findall(data, *_whole_words(data, edit))))
        names.update(dict.fromkeys(_WORD.findall(edit.new)))
        if len(names) > MAX_NAMES:
            return None
    for edit in edits:
        low = data.rfind(b"\n", 0, edit.start) + 1
        high = data.find(b"\n", edit.old_end)
        names.update(dict.fromkeys(_WORD.findall(data, low, high if high >= 0 else len(data))))
        if len(names) > MAX_NAMES:
            break
    return [name.decode("utf-8", "replace") for name in list(names)[:MAX_NAMES]]


def binding_conflict(
    before: Resolver, after: Resolver, edits: Sequence[ByteEdit], names: Sequence[str], language_id: str
) -> str:
    """What a name would lose, or confuse with another, in words; empty where each one means what it did."""
    positions = PositionMap(edits)
    for name in names:
        if name in before.table.keywords:
            continue
        detail = _changed_meaning(before, after, positions, name) or _unknown_name(
            before, after, positions, name, language_id
        )
        if detail:
            return detail
    return _split_change(before, after, positions, edits)


def _changed_meaning(before: Resolver, after: Resolver, positions: PositionMap, name: str) -> str:
    """What becomes of an occurrence that the edits leave in place."""
    later: dict[int, list[NameAt]] = {}
    for use in after.names(name):
        later.setdefault(use.start, []).append(use)
    for use in before.names(name)[:MAX_OCCURRENCES]:
        start = positions.after(use.start, use.end)
        if start is None:
            continue
        meant = before.binding(use)
        if meant is None and name not in before.table.builtins:
            continue
        rows = later.get(start, [])
        same = [row for row in rows if row.occurrence.action is use.occurrence.action] or rows
        now = next((binding for row in same if (binding := after.binding(row)) is not None), None)
        if meant is None:
            if now is not None and use.occurrence.action is Action.USE:
                return f"another `{name}` would hide the one of the language"
        elif not rows:
            continue  # it is part of another token now, or of broken text: what the syntax tells
        elif now is None:
            return f"`{name}` would no longer be declared"
        elif not _is_same(before, meant, after, now, positions):
            return f"`{name}` would refer to another declaration"
    return ""


def _is_same(before: Resolver, meant: Binding, after: Resolver, now: Binding, positions: PositionMap) -> bool:
    declared = before.declarations(meant)
    kept = {start for use in declared if (start := positions.after(use.start, use.end)) is not None}
    later = after.declarations(now)
    if kept or not declared:
        return not declared or any(use.start in kept for use in later) or not later
    return all(positions.is_inserted(use.start, use.end) for use in later)


def _unknown_name(before: Resolver, after: Resolver, positions: PositionMap, name: str, language_id: str) -> str:
    """Whether the edits use a name that nothing declares there, and that the file did not use so before."""
    if name in after.table.builtins:
        return ""
    for use in after.names(name)[:MAX_OCCURRENCES]:
        number = positions.insertion_at(use.start, use.end)
        if number < 0 or not _is_unknown(after, use) or after.scopes.has_wildcard_import():
            continue
        standing = before.names(name)
        if any(_is_unknown(before, row) for row in standing) or positions.replaces_unknown(before, number):
            continue
        if language_id in _DECLARE_ALL or any(row.occurrence.action is Action.BIND for row in standing):
            return f"`{name}` is not declared there"
    return ""


def _is_unknown(names: Resolver, use: NameAt) -> bool:
    """Whether a bare name is used that the file does not declare."""
    return use.occurrence.action is Action.USE and names.binding(use) is None


def _split_change(before: Resolver, after: Resolver, positions: PositionMap, edits: Sequence[ByteEdit]) -> str:
    """Whether uses of a name that means nothing any more would get one new name with several meanings."""
    meanings: dict[tuple[str, str], Binding] = {}
    for old, new, use in _renamed(before, after, positions, edits):
        binding = after.binding(use)
        if binding is not None and meanings.setdefault((old, new), binding) != binding:
            return f"`{new}` would refer to different declarations"
    return ""


def _renamed(
    before: Resolver, after: Resolver, positions: PositionMap, edits: Sequence[ByteEdit]
) -> Iterator[tuple[str, str, NameAt]]:
    """Bare names without a meaning that edits replace by another name, with the new occurrence."""
    for edit, (start, end) in zip(edits, positions.inserted, strict=True):
        if not _WORD.fullmatch(edit.new):
            continue
        new = edit.new.decode("utf-8", "replace")
        use = after.name_at(start, new)
        low, high = edit.start, edit.old_end
        old = before.scopes.facts.data[low:high]
        if use is None or use.end != end or use.occurrence.action is not Action.USE or not _WORD.fullmatch(old):
            continue
        was = before.name_at(low, old.decode("utf-8", "replace"))
        if was is not None and before.binding(was) is None:
            yield old.decode("utf-8", "replace"), new, use


def _whole_words(data: bytes, edit: ByteEdit) -> tuple[int, int]:
    """The bytes that an edit removes, with the whole words at both ends."""
    low, high = edit.start, edit.old_end
    word = re.compile(rb"[$" + WORD_BYTES + rb"]")
    while low and word.match(data, low - 1):
        low -= 1
    while high < len(data) and word.match(data, high):
        high += 1
    return low, high
