"""Calls of which the user changed one argument: what it is, and what it was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from editahead.analysis.signatures import Call, Item, Row, call_around, call_of
from editahead.suggest.next_edit.consequences.calls.changed_rows import changed_rows
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import Document
from editahead.syntax.scope_table import ScopeTable
from editahead.text.diff import common_ends

LONGEST = 200
"""Bytes of an argument."""


class ArgumentChange(NamedTuple):
    """One argument that came (`added`), went (`removed`), or was `replaced`.

    `at` counts from the first argument, of a removed one before the change. `name` is its keyword, if it has one; `old`
    and `new` are its texts, keyword included. `given` arguments had no keyword before the change.
    """

    kind: str
    at: int
    name: str
    old: bytes
    new: bytes
    given: int


class ChangedCall(NamedTuple):
    """A call as it is now, with the one thing that became of its arguments."""

    home: Document
    table: ScopeTable
    call: Call
    change: ArgumentChange


def changed_calls(moment: Moment, home: Document) -> Sequence[ChangedCall]:
    """The calls of a document of which one argument was changed, the latest first; none while one is typed."""
    return moment.once("changed calls", home, lambda: list(_changed_calls(moment, home)))


def _changed_calls(moment: Moment, home: Document) -> Iterator[ChangedCall]:
    table = home.syntax.language.scopes
    for call, earlier in changed_rows(moment, home, call_around):
        assert table is not None
        before, old, new = call_of(earlier, table, call.name_start), earlier.buffer.data, home.syntax.buffer.data
        change = _change(before, call.arguments, old, new) if before is not None else None
        if change is not None:
            yield ChangedCall(home, table, call, change)


def _change(before: Row, now: Row, old: bytes, new: bytes) -> ArgumentChange | None:
    """The one thing that became of the arguments; None for nothing, and for more than that."""
    gone, come = (_texts(row, data) for row, data in ((before, old), (now, new)))
    given = sum(not item.name for item in before.items)
    head, tail = common_ends(gone, come)
    left, right = gone[head : len(gone) - tail], come[head : len(come) - tail]
    if max(len(left), len(right)) != 1 or any(len(text) > LONGEST for text in (*left, *right)):
        return None
    item: Item = (now if right else before).items[head]
    if item.form != "plain" or (left and before.items[head].name != item.name):
        return None
    kind = "replaced" if left and right else "added" if right else "removed"
    return ArgumentChange(kind, head, item.name, b"".join(left), b"".join(right), given)


def _texts(row: Row, data: bytes) -> list[bytes]:
    return [b" ".join(data[item.start : item.end].split()) for item in row.items]
