"""Lists between brackets that the user changed: of the parameters of functions, and of the arguments of calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from editahead.analysis.signatures import Call, Declared
from editahead.patterns.changes import net_changes, take_latest
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import Document
from editahead.syntax.scope_table import ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot

MAX_CHANGES = 4
"""The latest changes of a text that are looked at."""
Holder = TypeVar("Holder", Declared, Call)


def changed_rows(
    moment: Moment, home: Document, around: Callable[[SyntaxSnapshot, ScopeTable, int], Holder | None]
) -> Iterator[tuple[Holder, SyntaxSnapshot]]:
    """What holds each changed list, the latest first, and the text before the changes of that list.

    None where more was changed than the list, nor while it is typed. `around` finds what holds the list at a byte.
    """
    table, syntax, data = home.syntax.language.scopes, home.syntax, home.syntax.buffer.data
    changes = [change for change in net_changes(home.history, data) if not change.is_undone(data)]
    seen: set[int] = set()
    for change in take_latest(changes, MAX_CHANGES) if table is not None else ():
        assert table is not None
        moment.check()
        now = around(syntax, table, change.start) or around(syntax, table, change.end)
        if now is None or now.name_start in seen:
            continue
        seen.add(now.name_start)
        row = now.parameters if isinstance(now, Declared) else now.arguments
        if home is moment.document and not home.idle and row.start <= moment.byte <= row.end:
            continue  # still being typed
        touching = [each for each in changes if each.start < row.end and row.start < each.end]
        inside = [each for each in changes if row.start <= each.start and each.end <= row.end]
        if inside and all(each in inside for each in touching):
            yield now, moment.before(syntax, inside)
