"""The keys of a literal whose class the file declares: `const a: A = { | }`, `A{ | }`, `f({ | })`, `<Tag | />`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from editahead.analysis.resolver.expressions import Expressions, NodeContext
from editahead.analysis.resolver.file_scopes import ScopeRef
from editahead.analysis.resolver.literals import literal_key
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.signatures import path_to
from editahead.suggest.completion.ranking.scope_evidence import LineScopes, ScopeEvidence
from editahead.suggest.context import CursorContext
from editahead.suggest.types import Document
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import Action, Edge, ScopeKind, ScopeTable

_LOOKED_BACK = 400  # bytes, for the sign before an entry
_MOST_ENTRIES = 256  # of a literal
_MOST_BASES = 8
_DEEPEST_KEY = 4  # nodes from an entry down to its key
_SIGNS = (b"{", b",")
_BEFORE_BRACE = 4  # nodes of a pattern before its brace


def with_literal_keys(
    evidence: ScopeEvidence, document: Document, place: CursorContext, line: LineScopes
) -> ScopeEvidence | None:
    """Evidence with the keys that an entry of a literal may have; None where none begins, or its class is not known.

    Keys that the literal has already are left out.
    """
    resolver = line.resolver
    if not resolver.table.literals.keys:
        return None
    path, offset = path_to(document.syntax, place.start)
    holder = _literal(path, place.start - offset, document.syntax.buffer.data, offset, resolver.table)
    unit = resolver.scopes.unit_at(line.byte)
    if holder < 0 or unit < 0:
        return None
    read = Expressions(resolver.table, resolver.scopes.facts.units[unit].start - offset)
    stack = [NodeContext(node, node.type, Edge(), 0) for node in path[: holder + 1]]
    action, receiver = literal_key(resolver.table, read, stack)
    owner = resolver.members.class_of(receiver, unit, line.scope) if action is Action.ATTRIBUTE else None
    names = _keys(resolver, owner) if owner is not None else None
    if owner is None or names is None:
        return None
    given = set(_given(path[holder], place.start - offset))
    levels = {name: 0 for name in names if name not in given}
    return evidence._replace(
        members=frozenset(levels), levels=levels, declared=tuple(levels), complete=True, object_members=frozenset()
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


def _keys(resolver: Resolver, owner: ScopeRef) -> list[str] | None:
    """The keys that a literal of a class may have, in the order of their declaration; None where nobody knows all."""
    table, row, found = resolver.table, [owner], dict[str, None]()
    for ref in row:
        if resolver.classes.outer_bases(ref) or _takes_any_key(resolver, ref):
            return None
        found.update(dict.fromkeys(_fields(resolver, ref)))
        if not table.classes.embedded and len(row) < _MOST_BASES:
            row += [base for base in resolver.classes.bases(ref) if base not in row]
    return list(found)


def _fields(resolver: Resolver, ref: ScopeRef) -> Iterator[str]:
    """The members of a class itself that its literals give a value; methods only where literals have them, too."""
    for number, unit in resolver.scopes.units_in(ref):
        for at, scope in enumerate(unit.facts.scopes):
            if resolver.scopes.placed(number, at) == ref:
                for (space, name), rows in scope.bound.items():
                    kind = unit.facts.occurrences[rows[0]].kind
                    if kind == "field" or (kind == "function" and resolver.table.literals.objects):
                        yield resolver.table.as_written(space, name)


def _takes_any_key(resolver: Resolver, ref: ScopeRef) -> bool:
    """Whether a class has a rule for all keys: `[key: string]: number`."""
    for number, unit in resolver.scopes.units_in(ref):
        for at, scope in enumerate(unit.facts.scopes):
            if (
                at
                and scope.kind is ScopeKind.BLOCK
                and resolver.scopes.parent(resolver.scopes.placed(number, at)) == ref
            ):
                return True
    return False


def _given(literal: Node, at: int) -> Iterator[str]:
    """The keys of a literal, that of the entry at a byte aside."""
    for number in range(min(literal.named_child_count, _MOST_ENTRIES)):
        entry = literal.named_child(number)
        if entry is None or entry.start_byte == at:
            continue
        key: Node | None = entry
        for _ in range(_DEEPEST_KEY):
            if key is None or not key.named_child_count:
                break
            key = key.named_child(0)
        if key is not None:
            yield node_text(key)
