"""Consequences of `async` before a function: its calls are awaited, and the functions around them become async.

And of `async` taken away: nothing awaits the function any more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from editahead.analysis.signatures import path_to
from editahead.patterns.changes import NetChange, net_changes, take_latest
from editahead.suggest.next_edit.consequences.calls.async_functions import is_async, may_become_async
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import open_uses
from editahead.suggest.next_edit.consequences.rule import ChangeKind, EditRule
from editahead.suggest.next_edit.consequences.types import Cause, Consequence, Moment
from editahead.suggest.types import Document
from editahead.syntax.nodes import Node, Parts
from editahead.syntax.scope_table import ScopeTable
from editahead.text.edits import ByteEdit
from editahead.text.words import WORD_BYTES

SOURCE = "await"
MAX_CHANGES, MAX_CALL = 4, 2000
"""The latest changes that are looked at, and bytes of a call that is put in brackets."""
_WORDS_BEFORE_NAME = (b"def", b"function")


class _Turned(NamedTuple):
    """A function that became async, or no longer is; its name begins at `start`."""

    home: Document
    table: ScopeTable
    name: str
    start: int
    is_async: bool


def awaiting(moment: Moment) -> Iterator[Consequence]:
    """What follows for the callers, those of the latest change first."""
    for home in (moment.document, *moment.document.others):
        table = home.syntax.language.scopes
        if table is not None and table.await_node:
            for turned in _turned(moment, home, table):
                yield from _callers(moment, turned)


def _turned(moment: Moment, home: Document, table: ScopeTable) -> Iterator[_Turned]:
    """The functions whose `async` came or went with the latest changes."""
    data = home.syntax.buffer.data
    changes = net_changes(home.history, data)
    for change in take_latest(changes, MAX_CHANGES):
        now = data[change.start : change.end]
        if b"async" not in now + change.old:
            continue
        moment.check()
        path, offset = path_to(home.syntax, min(change.end + 1, len(data) - 1))
        function = next((node for node in reversed(path) if node.type in table.functions), None)
        name = function.child_by_field_name(table.name_field) if function is not None else None
        if function is None or name is None or name.start_byte + offset < change.end:
            continue
        first = min(function.start_byte + offset, change.start)
        head, was = data[first : name.start_byte + offset], _before(data, first, name.start_byte + offset, change)
        is_async, was_async = b"async" in head.split(), b"async" in was.split()
        text = name.text.decode("utf-8", "replace") if name.text is not None else ""
        if is_async != was_async and text.isidentifier():
            yield _Turned(home, table, text, name.start_byte + offset, is_async)


def _before(data: bytes, start: int, end: int, change: NetChange) -> bytes:
    """The bytes [start, end) without a change inside them."""
    return data[start : change.start] + change.old + data[change.end : end]


def _callers(moment: Moment, turned: _Turned) -> Iterator[Consequence]:
    home, name = turned.home, turned.name
    names = moment.resolver(home.uri, home.syntax, Parts(frozenset({name.encode()}), (turned.start,)))
    at = names.name_at(turned.start, name) if names is not None else None
    binding = names.binding(at) if names is not None and at is not None else None
    if names is None or binding is None:
        return
    text, line = f"{home.uri} {name} {turned.is_async}", home.syntax.buffer.line_at(turned.start)
    cause = Cause(SOURCE, text, f"`{name}` is {'now' if turned.is_async else 'no longer'} async", line)
    done = set[tuple[str, int]]()
    for target, _, use in open_uses(moment, home, names, binding):
        made = _edit(target, turned, use.start)
        if made is not None and (target.uri, made[1].start) not in done:
            kind, edit = made
            done.add((target.uri, edit.start))
            yield from moment.consequence(cause, target, edit, kind)


def _edit(target: Document, turned: _Turned, byte: int) -> tuple[str, ByteEdit] | None:
    """What becomes of one use, with its kind; None where it is no call, or right already."""
    table, data = turned.table, target.syntax.buffer.data
    path, offset = path_to(target.syntax, byte)
    at = _call_in(path, table)
    if at is None or at < 1:
        return None
    call, outer = path[at], path[at - 1]
    start, end = call.start_byte + offset, call.end_byte + offset
    awaited = outer.type == table.await_node
    if not turned.is_async:
        if not awaited or outer.start_byte >= call.start_byte:
            return None
        return "no longer awaited", ByteEdit(outer.start_byte + offset, start, b"")
    if awaited or _is_handed_on(path, at, table) or _is_taken_as_it_is(path, at, table, data):
        return None
    number = next((one for one in range(at - 1, -1, -1) if path[one].type in table.functions), -1)
    if number < 0:
        return None
    around = path[number]
    if is_async(around):
        if outer.type in table.attributes or outer.type in table.calls or "subscript" in outer.type:
            text = data[start:end]
            return ("awaited", ByteEdit(start, end, b"(await " + text + b")")) if len(text) <= MAX_CALL else None
        return "awaited", ByteEdit(start, start, b"await ")
    name = around.child_by_field_name(table.name_field)
    if name is None or not may_become_async(path, number, table):
        return None
    first = around.start_byte + offset
    head = data[first : name.start_byte + offset]
    word = next((head.find(one) for one in _WORDS_BEFORE_NAME if one in head.split()), len(head))
    return "caller", ByteEdit(first + word, first + word, b"async ")


def _call_in(path: list[Node], table: ScopeTable) -> int | None:
    """Where in a path the call stands whose callee ends in the path's last name; None where that is not called."""
    callee = len(path) - 1
    if callee < 1 or path[callee].type not in table.names:
        return None
    fields = table.attributes.get(path[callee - 1].type)
    if fields is not None:
        member = path[callee - 1].child_by_field_name(fields[1])
        if member is None or member.id != path[callee].id:
            return None
        callee -= 1
    called = table.calls.get(path[callee - 1].type) if callee else None
    found = path[callee - 1].child_by_field_name(called[0]) if called else None
    return callee - 1 if found is not None and found.id == path[callee].id else None


def _is_handed_on(path: list[Node], at: int, table: ScopeTable) -> bool:
    """Whether a call is an argument of one that takes coroutines: `gather`, `create_task`, `Promise.all`."""
    outer = next((node for node in reversed(path[:at]) if node.type in table.calls), None)
    callee = outer.child_by_field_name(table.calls[outer.type][0]) if outer is not None else None
    text = callee.text if callee is not None else None
    return text is not None and text.rpartition(b".")[2].decode("utf-8", "replace") in table.takes_coroutines


def _is_taken_as_it_is(path: list[Node], at: int, table: ScopeTable, data: bytes) -> bool:
    """Whether the code takes what a call gives before it is there: `load().then(f)`, `void load()`, `all([a, b])`."""
    outer = path[at - 1]
    fields = table.attributes.get(outer.type)
    member = outer.child_by_field_name(fields[1]) if fields is not None else None
    if member is not None and (member.text or b"").decode("utf-8", "replace") in table.awaitable_members:
        return True
    if outer.child_count and outer.children[0].type == "void":
        return True
    within = max((number for number in range(at) if path[number].type in table.functions), default=0)
    kept = (node.child_by_field_name("left") or node.child_by_field_name("name") for node in path[within + 1 : at])
    name = next((one.text for one in kept if one is not None and one.type in table.names), None)
    if name is None or not table.takes_coroutines:
        return False
    takers = "|".join(sorted(table.takes_coroutines)).encode()
    given = rb"\b(?:%b)\s*\([^()]{0,300}?(?<![.%b])%b(?![%b])" % (takers, WORD_BYTES, re.escape(name), WORD_BYTES)
    return re.search(given, path[within].text or b"") is not None


RULE = EditRule(
    name=SOURCE,
    when=frozenset({ChangeKind.ASYNC}),
    generate=awaiting,
    you="write `async` before a function, or remove it",
    follows="`await` before its calls, `async` before their functions (Python, JavaScript, TypeScript)",
    examples=("«>async »def load(a):\n    return a\n\n\nasync def run():\n    return ‹>await ›load(1)\n",),
    elsewhere=True,
)
