"""The keys of a literal whose class the file declares: `const a: A = { | }`, `A{ | }`, `f({ | })`, `<Tag | />`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from editahead.analysis.facts.expressions import Expressions, NodeContext
from editahead.analysis.facts.facts import Receiver
from editahead.analysis.facts.literals import literal_key
from editahead.analysis.resolver.declared_members import class_with_bases, literal_keys
from editahead.analysis.signatures import path_to
from editahead.suggest.completion.ranking.project_classes import project_keys
from editahead.suggest.completion.ranking.scope_evidence import LineScopes, ScopeEvidence
from editahead.suggest.context import CursorContext
from editahead.suggest.types import Document
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import Action, Edge, ScopeTable

_LOOKED_BACK = 400  # bytes, for the sign before an entry
_MAX_ENTRIES = 256  # of a literal
_MAX_KEY_DEPTH = 4  # nodes from an entry down to its key
_SIGNS = (b"{", b",")
_BEFORE_BRACE = 4  # nodes of a pattern before its brace


def with_literal_keys(
    evidence: ScopeEvidence, document: Document, cursor: CursorContext, line: LineScopes
) -> ScopeEvidence | None:
    """Evidence with the keys that an entry of a literal may have; None where no entry begins, or its class is unknown.

    Keys that the literal has already are excluded.
    """
    resolver = line.resolver
    literals = resolver.table.literals
    if literals.designator:
        return None
    path, offset = path_to(document.syntax, cursor.start)
    holder = _literal(path, cursor.start - offset, document.syntax.buffer.data, offset, resolver.table)
    unit = resolver.scopes.unit_at(line.byte)
    if holder < 0 or unit < 0:
        return None
    read = Expressions(resolver.table, resolver.scopes.facts.units[unit].start - offset)
    stack = [NodeContext(node, node.type, Edge(), 0) for node in path[: holder + 1]]
    action, receiver = literal_key(resolver.table, read, stack)
    names = _keys(document, line, receiver, unit) if action is Action.ATTRIBUTE else None
    if names is None:
        return None
    entries = list(_entries(path[holder], cursor.start - offset))
    if any(entry.type in literals.positional for entry in entries):
        return None
    given = {_key(entry) for entry in entries}
    of_tags = literals.tag_keys if path[holder].type in literals.tags else ()
    levels = {name: level for level, row in ((1, of_tags), (0, names)) for name in row if name not in given}
    return evidence._replace(
        members=frozenset(levels),
        levels=levels,
        declared=tuple(name for name in names if name in levels),
        complete=True,
        object_members=frozenset(),
    )


def _literal(path: Sequence[Node], at: int, data: bytes, offset: int, table: ScopeTable) -> int:
    """The number of the node of a literal of which an entry begins at a byte of its tree; -1 where none does."""
    number = len(path) - 1
    while number > 0 and (path[number].start_byte >= at or not path[number].child_count):
        number -= 1
    node, around = path[number], path[number - 1].type if number else ""
    before = data[max(0, at + offset - _LOOKED_BACK) : at + offset]
    if node.type in table.literals.tags:
        name = node.child_by_field_name(table.literals.tags[node.type])
        return number if name is not None and name.end_byte < at and before[-1:].isspace() else -1
    inside = node.type in table.literals.objects or node.type in table.literals.lists or around in table.literals.keys
    opens = inside and data[node.start_byte + offset : node.start_byte + offset + 1] == b"{"
    opens |= node.type in table.literals.keys and any(child.type == "{" for child in node.children[:_BEFORE_BRACE])
    return number if opens and before.rstrip()[-1:] in _SIGNS else -1


def _keys(document: Document, line: LineScopes, receiver: Receiver | None, unit: int) -> tuple[str, ...] | None:
    """The keys that literals of a class may have, in the order of their declaration; None where nobody knows all."""
    resolver = line.resolver
    owner = resolver.members.class_of(receiver, unit, line.scope)
    if owner is None:
        return project_keys(document, line, receiver, unit)
    keys = literal_keys(resolver, owner)
    if keys is None or resolver.table.classes.embedded:
        return keys or None  # of a type without fields, like a map, who knows
    bases = [base for ref, _ in class_with_bases(resolver, owner) for base in resolver.classes.outer_bases(ref)]
    inherited = project_keys(document, line, None, unit, bases) if bases else ()
    return (tuple(dict.fromkeys((*keys, *inherited))) or None) if inherited is not None else None


def _entries(literal: Node, at: int) -> Iterator[Node]:
    """The entries of a literal, that at a byte aside."""
    for number in range(min(literal.named_child_count, _MAX_ENTRIES)):
        entry = literal.named_child(number)
        if entry is not None and entry.start_byte != at:
            yield entry


def _key(entry: Node) -> str:
    """The key of an entry: its first leaf."""
    key = entry
    for _ in range(_MAX_KEY_DEPTH):
        inner = key.named_child(0) if key.named_child_count else None
        if inner is None:
            break
        key = inner
    return node_text(key)
