"""Consequences of a changed argument: the other calls of what is called take the same change.

An argument that came is given to calls that lack it, one that went is taken from those that give the same, and where
another one took its place, calls that give the old one give the new one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from editahead.analysis.signatures import Row, call_of
from editahead.suggest.next_edit.consequences.calls.changed_calls import ArgumentChange, ChangedCall, changed_calls
from editahead.suggest.next_edit.consequences.calls.usable_names import blind_places
from editahead.suggest.next_edit.consequences.row_changes import appended, inserted_parameter, removed
from editahead.suggest.next_edit.consequences.rule import ChangeKind, EditRule
from editahead.suggest.next_edit.consequences.types import Cause, Consequence, Moment
from editahead.suggest.types import Document
from editahead.syntax.scope_table import ScopeTable
from editahead.text.edits import ByteEdit

SOURCE = "argument"
MAX_LOOKED, MAX_CALLS = 60, 12
"""Places of the name that are looked at in one document, and calls that are given in all of them."""


def argument(moment: Moment) -> Iterator[Consequence]:
    """What follows for the other calls, those of the latest change first."""
    seen = set[object]()
    for changed in changed_calls(moment, moment.document):
        change = (changed.call.callee, changed.change._replace(at=0))
        if change not in seen:
            yield from islice(_others(moment, changed), MAX_CALLS)
        seen.add(change)


def _others(moment: Moment, changed: ChangedCall) -> Iterator[Consequence]:
    """The other calls, from the cursor on, then from the top, then in the other open files."""
    home, call, change = changed.home, changed.call, changed.change
    found = [(home, start, row) for start, row in _calls(moment, home, changed)]
    text = f"{call.callee} {change.kind} {change.name} {change.old!r} {change.new!r}"
    reason, line = f"another call of `{call.name}` was changed so", home.syntax.buffer.line_at(call.name_start)
    edited = [row for _, _, row in found if moment.is_changed(home, row.start, row.end)]
    done = 1 + sum(_has(row, change, home.syntax.buffer.data) for row in edited)
    cause = Cause(SOURCE, text, reason, line, done)
    found.sort(key=lambda one: (one[1] < moment.byte, one[1]))
    for other in moment.document.others:
        if other.language_id == home.language_id:
            found += [(other, start, row) for start, row in _calls(moment, other, changed)]
    fitting = [
        (document, start, fit)
        for document, start, row in found
        if not moment.is_changed(document, row.start, row.end)
        and (fit := _edit(row, change, document.syntax.buffer.data)) is not None
    ]
    value = change.new.removeprefix(change.name.encode())
    blind = blind_places(moment, home, call.name_start, [(document, start, value) for document, start, _ in fitting])
    for document, start, (edit, form) in fitting:
        if (document.uri, start) in blind:
            continue
        kind = f"{change.kind}/{'keyword' if change.name else 'place'}/{form}"
        kind += "/again" if done > 1 else "/once"
        kind += "" if document is home else "/other-file"
        yield from moment.consequence(cause, document, edit, kind, start)


def _calls(moment: Moment, document: Document, changed: ChangedCall) -> Iterator[tuple[int, Row]]:
    """The byte of the name and the arguments of each other call with the same text before its brackets."""
    name, callee = changed.call.name.encode(), changed.call.callee.encode()
    data = document.syntax.buffer.data
    table: ScopeTable = changed.table
    for at in islice(document.syntax.occurrences(name), MAX_LOOKED):
        moment.check()
        first = at + len(name) - len(callee)
        if (document is changed.home and at == changed.call.name_start) or data[first : at + len(name)] != callee:
            continue
        row = call_of(document.syntax, table, at) if data[at + len(name) : at + len(name) + 1] in b"( \t" else None
        if row is not None:
            yield at, row


def _edit(row: Row, change: ArgumentChange, data: bytes) -> tuple[ByteEdit, str] | None:
    """The same change of another call, and how alike it is; None where it does not fit there."""
    given = sum(not item.name for item in row.items)
    if any(item.form == "rest" for item in row.items):
        return None
    named = next((item for item in row.items if change.name and item.name == change.name), None)
    if change.kind == "added":
        if change.name:
            return None if named is not None else (appended(row, change.new), _likeness(row, change))
        return (inserted_parameter(row, change.at, change.new.decode()), "same") if given == change.given else None
    item = named if change.name else row.items[change.at] if change.at < given else None
    if item is None or (not change.name and given != change.given):
        return None
    text = b" ".join(data[item.start : item.end].split())
    same = text == change.old
    if change.kind == "removed":
        edit = removed(row, change.at, change.name)
        return (edit, "same" if same else "other") if edit is not None else None
    if same:
        return ByteEdit(item.start, item.end, change.new), "same"
    wrapped = _wrapped(change.old, change.new, text) or _unwrapped(change.old, change.new, text)
    return (ByteEdit(item.start, item.end, wrapped), "wrapped") if wrapped is not None else None


def _wrapped(old: bytes, new: bytes, text: bytes) -> bytes | None:
    """What becomes of an argument if `new` is a call around `old`; None where it is not, or where that stands."""
    before, found, behind = new.partition(old)
    if not found or not before.endswith(b"(") or not behind.startswith((b")", b",")) or text.startswith(before):
        return None
    return before + text + behind


def _unwrapped(old: bytes, new: bytes, text: bytes) -> bytes | None:
    """What becomes of an argument if `old` was a call around `new`, and the argument is such a call, too."""
    before, found, behind = old.partition(new)
    if not found or not before.endswith(b"(") or not behind.startswith((b")", b",")):
        return None
    inside = text.startswith(before) and text.endswith(behind) and len(text) > len(before) + len(behind)
    return text[len(before) : len(text) - len(behind)] if inside else None


def _likeness(row: Row, change: ArgumentChange) -> str:
    return "same" if sum(not item.name for item in row.items) == change.given else "other"


def _has(row: Row, change: ArgumentChange, data: bytes) -> bool:
    """Whether a call has the change already."""
    texts = [b" ".join(data[item.start : item.end].split()) for item in row.items]
    return change.new in texts if change.new else change.old not in texts


RULE = EditRule(
    name=SOURCE,
    when=frozenset({ChangeKind.ARGUMENTS}),
    generate=argument,
    you="change an argument of a call",
    follows="the other calls of that function",
    examples=(
        "a = load(x«>, strict=True»)\nb = 1\nc = load(x‹>, strict=True›)\n",
        "a = load(x«, strict=True>»)\nb = 1\nc = load(x‹, strict=True>›)\n",
        "call(a«, 1>»)\nother = name\ncall(b‹, 2>›)\n",
    ),
    by_likeness=True,
)
