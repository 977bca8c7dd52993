"""Consequences of a deleted line: its siblings, other statements that only call the same function, may go too.

A line that prints for debugging seldom stands alone; of other functions two calls must have been deleted. Lines of the
function around the deleted one come first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import blake2b
from itertools import islice
from typing import NamedTuple

from editahead.patterns.changes import NetChange, latest, net_changes
from editahead.suggest.gate import not_rejected
from editahead.suggest.next_edit.consequences.removals.removed_name import removal_of
from editahead.suggest.next_edit.consequences.types import Consequence, Moment, Outcome
from editahead.suggest.types import Document
from editahead.syntax.interrupt import interruptible
from editahead.syntax.scope_table import ScopeTable
from editahead.text.words import WORD_BYTES

SOURCE = "sibling"
MAX_CHANGES, MAX_LINES = 4, 6
"""The latest changes of a text that are looked at, and lines of one."""
MAX_LOOKED, MAX_PLACES = 100, 10
"""Places of the function's name that are looked at, and lines that are given."""
_NAME = rb"[$" + WORD_BYTES + rb"]+"
_CALL = re.compile(rb"^[ \t]*(?:await[ \t]+)?((?:%s(?:\.|::|->))*(%s)!?)[ \t]*\(" % (_NAME, _NAME), re.MULTILINE)
_PRINTS = frozenset(
    b"print println printf Println Printf log debug info trace dbg pprint pp puts echo set_trace breakpoint".split()
)


class _Deleted(NamedTuple):
    """Deleted calls of a function, by the text before its brackets; `lines` of them went."""

    callee: bytes
    name: bytes
    change: NetChange
    lines: int


def sibling(moment: Moment) -> Outcome:
    """The siblings of deleted lines, those of the latest one first. Raises what the check raises."""
    outcome = Outcome.empty()
    home, table = moment.document, moment.document.syntax.language.scopes
    if table is None or (home.history.pending is not None and not home.idle):
        return outcome
    with interruptible(moment.check):
        for deleted in _deleted(home):
            outcome.candidates.extend(islice(_siblings(moment, home, table, deleted), MAX_PLACES))
    return outcome


def _deleted(home: Document) -> Iterator[_Deleted]:
    """The functions of which the latest changes deleted calls, and nothing else."""
    data = home.syntax.buffer.data
    changes = latest(net_changes(home.history, data), MAX_CHANGES)
    found: dict[bytes, _Deleted] = {}
    for change in changes:
        if data[change.start : change.end].strip() or not change.old.strip() or change.old.count(b"\n") > MAX_LINES:
            continue
        first = _CALL.match(change.old.lstrip(b"\r\n"))
        if first is None or not change.old.rstrip().endswith((b")", b");")):
            continue
        known = found.get(first.group(1))
        lines = (known.lines if known is not None else 0) + len(_CALL.findall(change.old))
        found[first.group(1)] = _Deleted(first.group(1), first.group(2), known.change if known else change, lines)
    yield from (one for one in found.values() if one.lines > 1 or one.name in _PRINTS)


def _siblings(moment: Moment, home: Document, table: ScopeTable, deleted: _Deleted) -> Iterator[Consequence]:
    syntax = home.syntax
    buffer, data, size = syntax.buffer, syntax.buffer.data, len(deleted.callee)
    near = syntax.scopes_at(min(deleted.change.start, len(data)))[:1]
    group = f"{SOURCE}-{blake2b(deleted.callee, digest_size=4).hexdigest()}"
    if not not_rejected(moment.document, group).passed:
        return
    places = []
    for at in islice(syntax.occurrences(deleted.callee), MAX_LOOKED):
        moment.check()
        line = buffer.line_at(at)
        match = _CALL.match(data, buffer.line_span(line)[0])
        if match is None or match.start(1) != at:
            continue
        inside = any(start <= at <= end for start, end in near)
        places.append((not inside, at < moment.byte, at, line))
    for other, _, at, line in sorted(places):
        removal = removal_of(syntax, table, at + size - 1)
        if removal is None or removal.form != "statement":
            continue
        key = f"{group} @ {' '.join(buffer.line_text(line).split())}"
        if not_rejected(moment.document, key).passed:
            what = "print" if deleted.name in _PRINTS else "call"
            kind = f"{what}/{'file' if other else 'function'}/{'again' if deleted.lines > 1 else 'once'}"
            like = buffer.line_at(min(deleted.change.start, len(data)))
            callee = deleted.callee.decode("utf-8", "replace")
            reason = f"another call of `{callee}` was deleted"
            yield Consequence(SOURCE, home, removal.edit, group, kind, reason, deleted.lines, like, key, group)
