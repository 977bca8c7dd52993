"""Consequences of a new name for a value: the other places of that very expression take the name.

A variable is given to what stands behind it in its function, a constant of the module to the whole file behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from editahead.analysis.signatures import path_to
from editahead.patterns.changes import net_changes, take_latest
from editahead.suggest.next_edit.consequences.rule import ChangeKind, EditRule
from editahead.suggest.next_edit.consequences.types import Cause, Consequence, Moment
from editahead.suggest.next_edit.consequences.values.same_meaning import (
    differs_each_time,
    first_write,
    named_expression,
)
from editahead.suggest.types import Document
from editahead.syntax.nodes import Node
from editahead.syntax.scope_table import ScopeTable
from editahead.text.edits import ByteEdit
from editahead.text.words import IDENTIFIER, WORD_BYTES, whole_word

SOURCE = "value"
MAX_CHANGES, MAX_PLACES = 3, 20  # the most recent changes, which are read, and uses of a value
MAX_LOOKED = 200
SHORTEST, LONGEST = 5, 300  # bytes of an expression: shorter ones are equal by chance
_NAME = re.compile(IDENTIFIER)
_PLAIN = re.compile(rb"[." + WORD_BYTES + rb"]+|\[\]|\{\}|\(\)|['\"]{2}")
_DEEPEST = 3  # nodes between a line's first name and its declaration


class _Named(NamedTuple):
    """A value in bytes [start, end) that a declaration gives a name; `until` is where that can no longer be used."""

    name: str
    name_start: int
    start: int
    end: int
    until: int
    first: int


def named_value(moment: Moment) -> Iterator[Consequence]:
    """The other places of values that were given names."""
    document, table = moment.document, moment.document.syntax.language.scopes
    data = document.syntax.buffer.data
    for change in take_latest(net_changes(document.history, data), MAX_CHANGES) if table is not None else ():
        assert table is not None
        moment.check()
        if b"=" in data[change.start : change.end]:
            named = _declared(document, table, change.start, change.end)
            if named is not None and (document.idle or not named.first <= moment.byte <= named.end):
                yield from _places(moment, document, named)


def _declared(document: Document, table: ScopeTable, start: int, end: int) -> _Named | None:
    """The declaration that a change wrote, if its value says enough to be looked for."""
    data = document.syntax.buffer.data
    sign = data.find(b"=", start, end)
    first = data.rfind(b"\n", 0, sign) + 1
    name_at = _NAME.search(data, first, sign)
    path, offset = path_to(document.syntax, max(first, sign - 1))
    for number in range(len(path) - 1, max(-1, len(path) - 1 - _DEEPEST), -1):
        field = table.types.initial_values.get(path[number].type)
        value = path[number].child_by_field_name(field) if field and field != "=" else None
        if field is None or value is None:
            continue
        left = path[number].child_by_field_name("left") or path[number].child_by_field_name(table.name_field)
        text, name = value.text or b"", left.text if left is not None else None
        low, high = value.start_byte + offset, value.end_byte + offset
        plain = name is None or _NAME.fullmatch(name) is None or _PLAIN.fullmatch(text) is not None
        if plain or name_at is None or not SHORTEST <= len(text) <= LONGEST or value.has_error:
            return None
        if not (start <= path[number].start_byte + offset + len(name or b"") and low < end):
            return None  # the name was there before
        around = [node for node in path[:number] if node.type in table.functions]
        until = around[-1].end_byte + offset if around else len(data)
        assert name is not None
        assert left is not None
        return _Named(name.decode("utf-8", "replace"), left.start_byte + offset, low, high, until, first)
    return None


def _places(moment: Moment, document: Document, named: _Named) -> Iterator[Consequence]:
    data, buffer = document.syntax.buffer.data, document.syntax.buffer
    text = data[named.start : named.end]
    reason, like = f"`{named.name}` is this value", buffer.line_at(named.start)
    cause = Cause(SOURCE, f"{text!r} {named.name}", reason, like)
    if differs_each_time(text):
        return
    meaning = named_expression(moment, document, (named.name_start, named.name), (named.start, named.end))
    if meaning is None:
        return
    at, given, until = named.end, 0, first_write(meaning, data, named.end, named.until)
    own = re.compile(rb"(?<!\.)(?<!->)(?<!::)" + whole_word(named.name).pattern)  # no member of something
    for _ in range(MAX_LOOKED):
        at = data.find(text, at, until)
        if at < 0 or given == MAX_PLACES:
            return
        moment.check()
        line = buffer.line_at(at)
        both = own.search(data, *buffer.line_span(line)) is not None  # whoever wrote it means two values
        if not both and _is_whole(document, at, at + len(text)) and meaning.means_the_same(at):
            given += 1
            edit = ByteEdit(at, at + len(text), named.name.encode())
            yield from moment.consequence(cause, document, edit, "constant" if named.name.isupper() else "variable")
        at += len(text)


def _is_whole(document: Document, start: int, end: int) -> bool:
    """Whether an expression stands at bytes [start, end): no part of a text, and no statement by itself."""
    path, offset = path_to(document.syntax, start)
    language = document.syntax.language
    quoted = False
    outer: Node | None = None
    for node in path:
        if (node.start_byte + offset, node.end_byte + offset) == (start, end):
            return outer is not None and not quoted and "statement" not in outer.type
        quoted = node.type in language.string_nodes or (quoted and node.type not in language.interpolation_nodes)
        outer = node
    return False


RULE = EditRule(
    name=SOURCE,
    when=frozenset({ChangeKind.ASSIGNMENT}),
    generate=named_value,
    you="give an expression a name",
    follows="the name, wherever the expression stands further down and still has that value",
    examples=("def f(rows):\n    x = 1\n«>    first = rows[0].name\n»    y = 2\n    return g(‹rows[0].name>first›)\n",),
)
