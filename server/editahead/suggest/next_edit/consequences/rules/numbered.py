"""Consequences of a number that came, went or changed: the numbers behind it in a row, versions and years.

A line with 3 put before the line with 3 makes that 4, and so on to the end of the row. Another version or year is
written wherever the old one stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from editahead.patterns.changes import NetChange, net_changes, take_latest
from editahead.suggest.next_edit.consequences.lists.number_rows import shifted_row
from editahead.suggest.next_edit.consequences.lists.version_owners import version_owner
from editahead.suggest.next_edit.consequences.rule import ChangeKind, EditRule
from editahead.suggest.next_edit.consequences.types import Cause, Consequence, Moment
from editahead.suggest.types import Document
from editahead.syntax.snapshot import Region
from editahead.text.edits import ByteEdit

SOURCE = "numbered"
MAX_CHANGES, MAX_PLACES, MAX_LOOKED = 3, 12, 100
"""The latest changes that are looked at, places of one, and places of a number that are looked at in a document."""
_VERSION = re.compile(rb"(?<![\w.])v?(\d+(?:\.\d+){1,3}(?:[-.]?(?:rc|dev|a|b|alpha|beta|SNAPSHOT)[.\d]*)?)(?!\w|\.\d)")
_YEAR = re.compile(rb"(?<![\w.])((?:19|20)\d\d)(?!\w|\.\d)")
_COPYRIGHT = re.compile(rb"copyright|\(c\)|\xc2\xa9|licen[sc]e", re.IGNORECASE)
_AROUND = 60  # bytes around a change that its number may reach into


class _Replaced(NamedTuple):
    """A version or a year that another one took the place of; `owner` is what has that version."""

    what: str
    old: bytes
    new: bytes
    owner: bytes = b""


def numbered(moment: Moment) -> Iterator[Consequence]:
    """The numbers that follow, for the latest change first."""
    home, seen = moment.document, set[object]()
    data = home.syntax.buffer.data
    for change in take_latest(net_changes(home.history, data), MAX_CHANGES):
        moment.check()
        yield from _row(moment, home, change)
        replaced = _replaced(data, change)
        if replaced is not None and replaced not in seen:
            seen.add(replaced)
            yield from islice(_same(moment, home, change, replaced), MAX_PLACES)


def _row(moment: Moment, home: Document, change: NetChange) -> Iterator[Consequence]:
    """The numbers of the row behind a line that came, went or has another number."""
    row = shifted_row(home.syntax.buffer, change)
    if row is None:
        return
    buffer = home.syntax.buffer
    reason = "a number before it in its row came, went or changed"
    cause = Cause(SOURCE, f"{row.kind} {row.shape}", reason, buffer.line_at(min(change.start, len(buffer.data))))
    changes = net_changes(home.history, buffer.data)
    touched = {buffer.line_at(one.start) for one in changes if one.end > one.start}
    for edit in row.edits[:MAX_PLACES]:
        due = list(moment.consequence(cause, home, edit, f"row/{row.kind}"))
        if buffer.line_at(edit.start) in touched or not due:
            return  # the row ends where the user has been
        yield from due


def _replaced(data: bytes, change: NetChange) -> _Replaced | None:
    """The one version or year that a change replaced."""
    if len(change.old) > _AROUND or change.end - change.start > _AROUND or b"\n" in change.old:
        return None
    low, high = max(0, change.start - _AROUND), min(len(data), change.end + _AROUND)
    low, high = data.rfind(b"\n", low, change.start) + 1 or low, data.find(b"\n", change.end, high)
    high = high if high >= 0 else min(len(data), change.end + _AROUND)
    now = data[low:high]
    before = data[low : change.start] + change.old + data[change.end : high]
    for what, pattern in (("version", _VERSION), ("year", _YEAR)):
        old, new = (pattern.findall(text) for text in (before, now))
        differing = [(a, b) for a, b in zip(old, new, strict=False) if a != b]
        if len(old) == len(new) and len(set(differing)) == 1:
            a, b = differing[0]
            if what == "year":
                return _Replaced(what, a, b)
            if a.count(b".") != 2 and b"ersion" not in before.lower():
                return None  # a number, or the address of a host
            at = next(found.start(1) for found in pattern.finditer(now) if found.group(1) == b)
            owner = version_owner(data, low + at)
            return _Replaced(what, a, b, owner) if owner is not None else None
    return None


def _same(moment: Moment, home: Document, change: NetChange, replaced: _Replaced) -> Iterator[Consequence]:
    """The other places of a version or a year, from the cursor on, then from the top, then in the other open files."""
    text = f"{replaced.what} {replaced.old!r} {replaced.new!r} {replaced.owner!r}"
    reason = f"the {replaced.what} is now {replaced.new.decode()}"
    cause = Cause(SOURCE, text, reason, home.syntax.buffer.line_at(change.start))
    pattern = _VERSION if replaced.what == "version" else _YEAR
    for document in (home, *home.others):
        buffer, data = document.syntax.buffer, document.syntax.buffer.data
        changes = net_changes(document.history, data)
        touched = {buffer.line_at(one.start) for one in changes}
        places = sorted(islice(document.syntax.occurrences(replaced.old), MAX_LOOKED))
        for at in sorted(places, key=lambda at: (document is home and at < moment.byte, at)):
            moment.check()
            line = buffer.line_at(at)
            found = pattern.match(data, at - 1 if data[at - 1 : at] == b"v" else at)
            if found is None or found.group(1) != replaced.old or line in touched:
                continue
            if replaced.what == "version" and version_owner(data, at) != replaced.owner:
                continue
            in_code = document.syntax.region_at(at) is Region.CODE
            if replaced.what == "year" and in_code:
                continue
            where = "code" if in_code else "text"
            if replaced.what == "year":
                where = "copyright" if _COPYRIGHT.search(buffer.line_bytes(line)) else "text"
            kind = f"{replaced.what}/{where}{'' if document is home else '/other-file'}"
            yield from moment.consequence(cause, document, ByteEdit(at, at + len(replaced.old), replaced.new), kind)


RULE = EditRule(
    name=SOURCE,
    when=frozenset({ChangeKind.NUMBER}),
    generate=numbered,
    you="insert or remove a line of a numbered row, or write another version or year",
    follows="the numbers behind it in the row; the other places of the version or year",
    examples=("A = 1\n«>X = 2\n»B = ‹2>3›\n",),
    waits=True,
    by_likeness=True,
)
