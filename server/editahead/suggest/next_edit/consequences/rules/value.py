"""Consequences of a new name for a value: the other places of that very expression take the name.

A variable is given to what stands behind it in its function, a constant of the module to the whole file behind it.
Equal expressions take it where they mean the same, with their names resolved, and their value cannot have changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from editahead.analysis.resolver.file_scopes import ScopeRef
from editahead.analysis.resolver.module_paths import Binding
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.signatures import path_to
from editahead.patterns.changes import net_changes, take_latest
from editahead.suggest.next_edit.consequences.rule import ChangeKind, EditRule
from editahead.suggest.next_edit.consequences.types import Cause, Consequence, Moment
from editahead.suggest.types import Document
from editahead.syntax.nodes import Node, Parts
from editahead.syntax.scope_table import ScopeKind, ScopeTable
from editahead.text.edits import ByteEdit
from editahead.text.words import IDENTIFIER, WORD_BYTES, whole_word

_WORD = re.compile(rb"(?<![." + WORD_BYTES + rb"])" + IDENTIFIER)
_MAX_WORDS = 40
_MAX_WRITES = 200  # assignments that are read
_CALLED = re.compile(rb"([" + WORD_BYTES + rb"]+)[ \t]*(?:<[^<>()\n]{0,200}>)?\(")
_NEW = re.compile(rb"(?<![." + WORD_BYTES + rb"])new\s")
_CHANGING = frozenset(
    b"time now Now today monotonic perf_counter process_time elapsed hrtime clock nanoTime currentTimeMillis "
    b"random rand randn randint randrange choice shuffle sample uniform gauss nextInt nextDouble uuid1 uuid4 "
    b"randomUUID next Next pop Pop popleft popitem shift dequeue Dequeue poll take get_nowait recv accept input "
    b"getchar getc fgetc read Read readline readlines readLine ReadLine nextLine fetchone fetchmany fread scanf "
    b"open lock acquire mkdtemp mkstemp fork".split()
)
"""Functions and methods whose result differs from call to call."""
_WRITTEN = (
    rb"(?<![" + WORD_BYTES + rb"])(%b)(?:[ \t]*,[ \t]*[." + WORD_BYTES + rb"]+){0,4}"
    rb"[ \t]*(?:(?:[-+*/%%&|^@]|<<|>>|>>>|\*\*|//|\?\?|&&|\|\|)?=(?![=>])|:=|\+\+|--)"
)
SOURCE = "value"
MAX_CHANGES, MAX_PLACES = 3, 20  # the most recent changes, which are read, and uses of a value
MAX_LOOKED = 200
SHORTEST, LONGEST = 5, 300  # bytes of an expression: shorter ones are equal by chance
_NAME = re.compile(IDENTIFIER)
_PLAIN = re.compile(rb"[." + WORD_BYTES + rb"]+|\[\]|\{\}|\(\)|['\"]{2}")
_DEEPEST = 3  # nodes between a line's first name and its declaration


class NamedExpression(NamedTuple):
    """The names of a file, an expression in it, and the declaration that gives it a name."""

    names: Resolver
    words: tuple[tuple[int, str], ...]  # of the expression, by their bytes in it
    start: int
    end: int
    declared: Binding
    this: ScopeRef | None  # the function whose `this` it uses; None if it uses none

    def means_the_same(self, start: int) -> bool:
        """Whether the equal expression at another byte means the same, and the declared name is visible there."""
        names, declared = self.names, self.declared
        seen = names.lookup(names.scopes.scope_at(start), declared.namespace, declared.name, start)
        if seen != declared or (self.this is not None and _function_of_this(names, start) != self.this):
            return False
        meant = names.binding_at
        return all(meant(self.start + at, word) == meant(start + at, word) for at, word in self.words)

    def has_name(self, start: int, text: bytes) -> bool:
        """Whether the name at another byte is a name of the expression, or possibly a member in it."""
        word = text.decode("utf-8", "replace")
        own = next((self.start + at for at, name in self.words if name == word), None)
        return own is None or self.names.binding_at(own, word) == self.names.binding_at(start, word)


def named_expression(moment: Moment, document: Document, name: tuple[int, str], span: tuple[int, int]) -> (
    NamedExpression | None
):  # fmt: skip
    """The expression at a span, to which a declaration gives a name at a byte; None where that declares nothing."""
    text = document.syntax.buffer.data[span[0] : span[1]]
    matches = islice(_WORD.finditer(text), _MAX_WORDS)
    words = tuple((match.start(), match.group().decode("utf-8", "replace")) for match in matches)
    required = frozenset(word.encode() for word in (name[1], *(word for _, word in words)))
    names = moment.resolver(document.uri, document.syntax, Parts(required, (name[0],)))
    declared = names.binding_at(*name) if names is not None else None
    if names is None or declared is None:
        return None
    has_this = names.table.classes.outer_objects and any(word in names.table.classes.this_nodes for _, word in words)
    return NamedExpression(names, words, *span, declared, _function_of_this(names, span[0]) if has_this else None)


def _function_of_this(names: Resolver, byte: int) -> ScopeRef | None:
    """The innermost function at a byte that has a `this` of its own."""
    for ref in names.scopes.around(names.scopes.scope_at(byte)):
        facts = names.scopes.local(ref)
        if names.scopes.kind(ref) is ScopeKind.FUNCTION and facts is not None and not facts.outer_object:
            return ref
    return None


def differs_each_time(text: bytes) -> bool:
    """Whether an expression creates an object, or calls a function whose result differs, by its name."""
    return _NEW.search(text) is not None or not _CHANGING.isdisjoint(_CALLED.findall(text))


def first_write(meaning: NamedExpression, data: bytes, start: int, end: int) -> int:
    """The first byte in [start, end) at which a name or member of an expression is assigned; else `end`.

    Other variables of the same name do not count: `for o in all` in an inner scope.
    """
    text = data[meaning.start : meaning.end]
    names = b"|".join(map(re.escape, sorted(set(re.findall(IDENTIFIER, text)))))
    if not names:
        return end
    for match in islice(re.compile(_WRITTEN % names).finditer(data, start, end), _MAX_WRITES):
        if meaning.has_name(match.start(), match.group(1)):
            return match.start()
    return end


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
        target = path[number].child_by_field_name("left") or path[number].child_by_field_name(table.name_field)
        text, name = value.text or b"", target.text if target is not None else None
        low, high = value.start_byte + offset, value.end_byte + offset
        plain = name is None or _NAME.fullmatch(name) is None or _PLAIN.fullmatch(text) is not None
        if plain or name_at is None or not SHORTEST <= len(text) <= LONGEST or value.has_error:
            return None
        if not (start <= path[number].start_byte + offset + len(name or b"") and low < end):
            return None  # the name was there before
        around = [node for node in path[:number] if node.type in table.functions]
        until = around[-1].end_byte + offset if around else len(data)
        assert name is not None
        assert target is not None
        return _Named(name.decode("utf-8", "replace"), target.start_byte + offset, low, high, until, first)
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
