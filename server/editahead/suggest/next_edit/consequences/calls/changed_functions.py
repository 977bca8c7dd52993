"""Functions whose list of parameters the user changed: what it is, what it was, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.signatures import Declared, function_around, function_named
from editahead.patterns.changes import NetChange, net_changes
from editahead.suggest.next_edit.consequences.row_changes import RowChange, changed_row
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import ScopeTable
from editahead.text.edits import ByteEdit, merge_all

MAX_CHANGES = 4
"""The latest changes of a text that are looked at."""


class ChangedFunction(NamedTuple):
    """A function whose parameters the user changed. `changes` are all that the user changed in its document."""

    home: Document
    table: ScopeTable
    names: Resolver
    now: Declared
    before: Declared
    change: RowChange
    changes: list[NetChange]

    @property
    def signature(self) -> str:
        """Its name and its parameters as they are now, for people."""
        return f"{self.now.name}({', '.join(self.now.parameters.names)})"


def changed_functions(moment: Moment, home: Document) -> Sequence[ChangedFunction]:
    """The functions of a document whose parameters were changed, the latest first; none while one is typed."""
    return moment.once("changed functions", home, lambda: list(_changed_functions(moment, home)))


def _changed_functions(moment: Moment, home: Document) -> Iterator[ChangedFunction]:
    table, syntax = home.syntax.language.scopes, home.syntax
    changes = net_changes(home.history, syntax.buffer.data)
    seen: set[int] = set()
    for latest in sorted(changes, key=lambda change: -change.turn)[:MAX_CHANGES] if table is not None else ():
        assert table is not None
        moment.check()
        now = function_around(syntax, table, latest.start) or function_around(syntax, table, latest.end)
        if now is None or now.name_start in seen:
            continue
        seen.add(now.name_start)
        if home is moment.document and not home.idle and now.parameters.start <= moment.byte <= now.parameters.end:
            continue  # still being typed
        row = now.parameters
        inside = [one for one in changes if row.start <= one.start and one.end <= row.end]
        if any(one.start < row.end and row.start < one.end for one in changes if one not in inside):
            continue  # more than its parameters was written anew
        buffer, edits = syntax.buffer, [ByteEdit(one.start, one.end, one.old) for one in reversed(inside)]
        if edits:
            buffer = buffer.apply(merge_all(buffer.data, edits))
        before = function_named(syntax.advance(buffer, edits), table, now.name_start)
        change = changed_row(before.parameters, now.parameters) if before is not None else None
        if before is None or change is None:
            continue
        names = moment.resolver(home.uri, syntax, Parts(frozenset({now.name.encode()}), (now.name_start,)))
        if names is not None:
            yield ChangedFunction(home, table, names, now, before, change, changes)
