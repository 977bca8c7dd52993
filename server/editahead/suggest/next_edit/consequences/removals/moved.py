"""Consequences of lines that were written and stand in the file already: where they stood, they go.

A copy is no move. What tells is that the file cannot want it twice: a function, a class, an import, or the same value
for a name in one scope, where nothing between the two needs the first. The cursor must have left what was written: a
copy that is to be changed is changed first. Nothing that the user wrote is deleted, and never all of a block. Equal are
lines that differ in the blanks around them alone, as in the move detection of `git diff --color-moved`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import islice
from typing import NamedTuple

from editahead.patterns.changes import NetChange, latest, net_changes
from editahead.suggest.gate import not_rejected
from editahead.suggest.next_edit.consequences.removals.needed_twice import needed_twice
from editahead.suggest.next_edit.consequences.removals.removed_name import whole_lines
from editahead.suggest.next_edit.consequences.removals.written_statements import (
    Statement,
    kind_of,
    leaves_something,
    lines_of,
    same_run,
    statement_at,
    written,
)
from editahead.suggest.next_edit.consequences.types import Consequence, Moment, Outcome
from editahead.suggest.types import Document
from editahead.syntax.interrupt import interruptible
from editahead.syntax.scope_table import ScopeTable

SOURCE = "moved"
MAX_CHANGES = 4
"""The latest changes of a text that are looked at."""
MAX_LOOKED, MAX_PLACES = 40, 6
"""Places of the first line of what was written that are looked at, and removals that are given."""
SHORTEST = 8
"""Bytes of what is deleted; a shorter one stands twice by chance."""


class _Move(NamedTuple):
    """Statements that a change wrote, and the only others of the file that say the same."""

    change: NetChange
    new: Sequence[Statement]
    old: Sequence[Statement]


def moved(moment: Moment) -> Outcome:
    """What stood elsewhere and was written anew, that of the latest change first. Raises what the check raises."""
    outcome = Outcome.empty()
    home, table = moment.document, moment.document.syntax.language.scopes
    if table is None or (home.history.pending is not None and not home.idle):
        return outcome
    with interruptible(moment.check):
        changes = net_changes(home.history, home.syntax.buffer.data)
        for move in islice(_moves(moment, home, changes), MAX_PLACES):
            outcome.candidates.extend(_removal(moment, home, table, move))
    return outcome


def _moves(moment: Moment, home: Document, changes: Sequence[NetChange]) -> Iterator[_Move]:
    syntax, data = home.syntax, home.syntax.buffer.data
    for change in latest(changes, MAX_CHANGES):
        if len(data[change.start : change.end].strip()) < SHORTEST:
            continue
        rows, at = written(syntax, change), 0
        known = {line.strip() for line in change.old.split(b"\n")}
        while at < len(rows):
            moment.check()
            first = lines_of(data, rows[at])[0]
            old = [] if first in known else _others(moment, home, rows[at:], first, changes)
            if old:
                yield _Move(change, rows[at : at + len(old)], old)
            at += max(1, len(old))


def _others(
    moment: Moment, home: Document, rows: Sequence[Statement], first: bytes, changes: Sequence[NetChange]
) -> list[Statement]:
    """The statements elsewhere that say what some rows say, from the first on; empty unless there is one such place."""
    syntax, found = home.syntax, list[list[Statement]]()
    if syntax.count(first) > MAX_LOOKED:
        return []
    for at in syntax.occurrences(first):
        moment.check()
        line_start = syntax.buffer.line_span(syntax.buffer.line_at(at))[0]
        if at == rows[0].start or syntax.buffer.data[line_start:at].strip():
            continue
        statement = statement_at(syntax, at)
        run = same_run(syntax, rows, statement) if statement is not None else []
        if run:
            found.append(run)
    if len(found) != 1:
        return []
    start, end = found[0][0].start, found[0][-1].end
    return [] if any(one.start <= end and start <= one.end for one in changes) else found[0]


def _removal(moment: Moment, home: Document, table: ScopeTable, move: _Move) -> Iterator[Consequence]:
    """The edit that takes away the lines which stood in the file before."""
    buffer, data, old = home.syntax.buffer, home.syntax.buffer.data, move.old
    first, last = buffer.line_at(move.change.start), buffer.line_at(move.change.end)
    if first <= buffer.line_at(moment.byte) <= last or old[-1].end - old[0].start < SHORTEST:
        return
    kind = kind_of(data, move.new, old, table)
    if not kind or not leaves_something(old) or needed_twice(moment, home, table, move.new, old, kind):
        return
    blank = kind_of(data, move.new[-1:], old[-1:], table).startswith(("function", "class"))
    edit = whole_lines(home.syntax, old[0].start, old[-1].end, with_blank=blank)
    text = b"\n".join(line for row in old for line in lines_of(data, row))
    group = f"{SOURCE}-{blake2b(home.uri.encode() + text, digest_size=4).hexdigest()}"
    if edit is None or not not_rejected(moment.document, group).passed:
        return
    key = f"{group} @ {edit.start}"
    if not_rejected(moment.document, key).passed:
        line = buffer.line_at(move.new[0].start)
        reason = f"written again in line {line + 1}"
        yield Consequence(SOURCE, home, edit, group, kind, reason, 1, line, key, group)
