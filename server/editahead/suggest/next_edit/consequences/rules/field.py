"""Consequences of a new parameter of a constructor: `self.x = x`, written as it is for the parameters beside it.

Where a class declares its fields, the declaration belongs to it.

And back: a field that is given a name which nothing declares takes it from a new parameter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from editahead.analysis.signatures import Declared, Item, function_named, path_to
from editahead.patterns.changes import net_changes, take_latest
from editahead.suggest.next_edit.consequences.calls.changed_functions import (
    MAX_CHANGES,
    ChangedFunction,
    changed_functions,
    inserted_parameter,
)
from editahead.suggest.next_edit.consequences.rule import ChangeKind, EditRule
from editahead.suggest.next_edit.consequences.types import Cause, Consequence, Moment
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import ScopeTable
from editahead.text.edits import ByteEdit, lines_around
from editahead.text.line_ends import style_of
from editahead.text.words import IDENTIFIER, WORD_BYTES

SOURCE = "field"
MAX_BODY = 20_000  # bytes of a constructor that are looked at
_DECLARED_FIELDS = frozenset({"java", "c_sharp", "typescript", "tsx"})
"""Languages in which a class declares the fields that its constructor sets."""
MAX_LINES = 5  # lines of a change that are read
_ASSIGNED = re.compile(
    rb"^([ \t]*)(self|this)\.(_{0,2})(%b)([ \t]*=[ \t]*)([%b]+)([ \t]*;?)[ \t]*\r?$" % (IDENTIFIER, WORD_BYTES),
    re.MULTILINE,
)


class _Assignment(NamedTuple):
    """A line of a constructor that keeps a parameter in the field of its name."""

    name: str
    start: int
    end: int  # of the line, without its line end
    made_of: tuple[bytes, bytes, bytes, bytes, bytes]  # indentation, object, prefix, sign, end

    def of(self, name: str) -> bytes:
        """The same line for another parameter."""
        indent, owner, prefix, sign, end = self.made_of
        return indent + owner + b"." + prefix + name.encode() + sign + name.encode() + end


def field(moment: Moment) -> Iterator[Consequence]:
    """What follows from parameters and fields of constructors."""
    document = moment.document
    for changed in changed_functions(moment, document):
        if changed.change.kind == "added" and _is_constructor(document, changed.table, changed.now):
            yield from _kept(moment, changed)
    yield from _taken(moment)


def _kept(moment: Moment, changed: ChangedFunction) -> Iterator[Consequence]:
    """The line that keeps a new parameter, behind that of the parameter before it."""
    document, name = changed.document, changed.change.name
    body = _body(document, changed.now.name_start)
    if body is None:
        return
    start, end = body
    data = document.syntax.buffer.data
    if re.search(rb"\.\w*" + re.escape(name.encode()) + rb"\b", data[start:end]):
        return  # it is used already
    assignments = {assignment.name: assignment for assignment in _assignments(data, start, end)}
    order = list(changed.now.parameters.names)
    at = order.index(name)
    before = next((assignments[other] for other in reversed(order[:at]) if other in assignments), None)
    beside = before or next((assignments[other] for other in order[at + 1 :] if other in assignments), None)
    if beside is None:
        return
    edits = [_line_beside(data, (beside.start, beside.end), beside.of(name), is_behind=before is not None)]
    if _should_declare(changed, name):
        declaration = _declaration(changed, beside.name, is_behind=before is not None)
        if declaration is None:
            return
        edits.insert(0, declaration)
    for edit in edits:
        yield from _candidate(moment, document, edit, "kept", name, f"`{name}` is a new parameter")


def _line_beside(data: bytes, span: tuple[int, int], line: bytes, *, is_behind: bool) -> ByteEdit:
    """The edit that writes a line behind or before another line, given by its bytes without its line end."""
    eol = style_of(data)[1]
    at = span[1] if is_behind else span[0]
    return ByteEdit(at, at, eol + line if is_behind else line + eol)


def _should_declare(changed: ChangedFunction, name: str) -> bool:
    """Whether the class of a constructor must declare a field and does not."""
    if changed.document.syntax.language.id not in _DECLARED_FIELDS:
        return False
    scopes = changed.names.scopes
    owner = scopes.class_around(scopes.scope_at(changed.now.name_start))
    return owner is None or not changed.names.exists(name, owner)


def _declaration(changed: ChangedFunction, beside: str, *, is_behind: bool) -> ByteEdit | None:
    """The declaration of a field for a new parameter, written as that of the parameter beside it, if any."""
    syntax, items = changed.document.syntax, {item.name: item for item in changed.now.parameters.items}
    data, new, model = syntax.buffer.data, items[changed.change.name], items[beside]
    path, offset = path_to(syntax, changed.now.name_start)
    holder = next((node for node in reversed(path) if node.type in changed.table.classes.bodies), None)
    if holder is None or new.form != "plain":
        return None
    form = re.compile(rb"^([ \t]*[^\n(){}=]*?)" + re.escape(_typed_name(data, model)) + rb"([ \t]*;)", re.MULTILINE)
    line = form.search(data, holder.start_byte + offset, min(holder.end_byte + offset, len(data)))
    if line is None:
        return None
    text = line.group(1) + _typed_name(data, new) + line.group(2)
    return _line_beside(data, line.span(), text, is_behind=is_behind)


def _typed_name(data: bytes, item: Item) -> bytes:
    """A parameter with its type, without its default value and modifiers."""
    return data[item.start : item.end].partition(b"=")[0].strip().removeprefix(b"final ")


def _taken(moment: Moment) -> Iterator[Consequence]:
    """The parameter for a field that is given a name which nothing declares."""
    document, table = moment.document, moment.document.syntax.language.scopes
    data = document.syntax.buffer.data
    changes = net_changes(document.history, data)
    for change in take_latest(changes, MAX_CHANGES) if table is not None else ():
        assert table is not None
        moment.check()
        first, last = lines_around(data, change.start, change.end)
        for line in islice(_ASSIGNED.finditer(data, first, min(last, first + MAX_BODY)), MAX_LINES):
            if line.start(6) <= change.end and change.start <= line.end(6):
                yield from _parameter_for(moment, table, line)


def _parameter_for(moment: Moment, table: ScopeTable, line: re.Match[bytes]) -> Iterator[Consequence]:
    """The parameter for an assignment whose value is not declared and has the name of the field."""
    document = moment.document
    data, at, name = document.syntax.buffer.data, line.start(6), line.group(6).decode("utf-8", "replace")
    typing = not document.idle and line.start() <= moment.byte <= line.end()
    if line.group(4) != line.group(6) or typing:
        return
    names = moment.resolver(document.uri, document.syntax, Parts(frozenset({line.group(6)}), (at,)))
    here = names.name_at(at, name) if names is not None else None
    function = _function_of(document, table, at)
    if names is None or here is None or names.binding(here) is not None or function is None:
        return
    row = function.parameters
    if not _is_constructor(document, table, function) or any(_is_typed(data, item) for item in row.items):
        return  # its type is unknown
    assignments = _assignments(data, row.end, line.start())
    above = [assignment.name for assignment in assignments if assignment.name in row.names]
    rest = next((number for number, item in enumerate(row.items) if item.form != "plain"), len(row.items))
    index = row.names.index(above[-1]) + 1 if above else rest
    edit = inserted_parameter(row, index, name)
    yield from _candidate(moment, document, edit, "taken", name, f"`{name}` is declared nowhere")


def _is_typed(data: bytes, item: Item) -> bool:
    """Whether a parameter says more than its name and its default value."""
    text = data[item.start : item.end].lstrip(b"*")
    return item.form not in ("separator", "object") and text.partition(b"=")[0].strip() != item.name.encode()


def _assignments(data: bytes, start: int, end: int) -> Sequence[_Assignment]:
    """The lines between two bytes that assign a parameter to the field of its name."""
    return [
        _Assignment(
            line.group(6).decode("utf-8", "replace"), line.start(), line.end(7),
            (line.group(1), line.group(2), line.group(3), line.group(5), line.group(7)),
        )
        for line in _ASSIGNED.finditer(data, start, min(end, start + MAX_BODY))
        if line.group(4) == line.group(6)
    ]  # fmt: skip


def _is_constructor(document: Document, table: ScopeTable, function: Declared) -> bool:
    if table.classes.constructor:
        return function.name == table.classes.constructor
    path, _ = path_to(document.syntax, function.name_start)
    return any(node.type == "constructor_declaration" for node in path[-2:])


def _body(document: Document, name_start: int) -> tuple[int, int] | None:
    """The bytes between a function's name and its end."""
    path, offset = path_to(document.syntax, name_start)
    return (name_start, min(path[-2].end_byte + offset, name_start + MAX_BODY)) if len(path) > 1 else None


def _function_of(document: Document, table: ScopeTable, byte: int) -> Declared | None:
    """The innermost function around a byte."""
    path, offset = path_to(document.syntax, byte)
    node = next((node for node in reversed(path) if node.type in table.functions), None)
    name = node.child_by_field_name(table.name_field) if node is not None else None
    return function_named(document.syntax, table, name.start_byte + offset) if name is not None else None


def _candidate(
    moment: Moment, document: Document, edit: ByteEdit, kind: str, name: str, reason: str
) -> Iterator[Consequence]:
    line = document.syntax.buffer.line_at(edit.start)
    yield from moment.consequence(Cause(SOURCE, f"{kind} {name}", reason, line, is_whole=True), document, edit, kind)


RULE = EditRule(
    name=SOURCE,
    when=frozenset({ChangeKind.PARAMETERS, ChangeKind.WORDS_ADDED}),
    generate=field,
    you="add a parameter to a constructor, or a field without its parameter",
    follows="a field that stores it, as the parameters beside it are stored; or the parameter",
    examples=(
        "class C:\n    def __init__(self, a«>, b»):\n        x = 1\n        self.a = a\n‹>        self.b = b\n›",
        "class C:\n    def __init__(self, a‹>, b›):\n        x = 1\n        self.a = a\n«>        self.b = b\n»",
    ),
)
