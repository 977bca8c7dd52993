"""Where a name that a change declared can be said: it means the declaration there, and that has been run before."""

from __future__ import annotations

from typing import NamedTuple

from editahead.analysis.facts.opened_scopes import is_static
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.scope_lookup import Binding
from editahead.analysis.signatures import path_to
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import Document
from editahead.syntax.nodes import Node, Parts, node_text
from editahead.syntax.scope_table import Action, ScopeKind, ScopeTable

_ROOTS = frozenset({"module", "program", "source_file", "translation_unit", "compilation_unit", "chunk"})
_BLOCKS = frozenset(
    "block statement_block class_body declaration_list field_declaration_list interface_body enum_body "
    "compound_statement constructor_body".split()
)
_ARROWS = frozenset({"arrow_function", "lambda", "lambda_expression"})  # in them `this` is what it is around them


class DeclaredReach(NamedTuple):
    """A declaration in bytes [start, end), and the bytes of the block that it stands in."""

    names: Resolver
    binding: Binding
    table: ScopeTable
    start: int
    end: int
    block: tuple[int, int]
    static: bool

    @property
    def of_class(self) -> bool:
        """Whether a class has it as a member."""
        return self.names.scopes.kind(self.binding.scope) is ScopeKind.CLASS

    def sees(self, document: Document, byte: int, *, own: str = "") -> bool:
        """Whether the name can be said at a byte; `own` is the object before it."""
        path, offset = path_to(document.syntax, byte)
        scopes = self.names.scopes
        low, high = self.block
        if not low <= byte < high or not (byte >= self.end or self._runs_later(path, offset, byte)):
            return False
        scope = scopes.scope_at(byte)
        if self.of_class:
            function = next(
                (one for one in reversed(path) if one.type in self.table.functions and one.type not in _ARROWS), None
            )
            if scopes.class_around(scope) != self.binding.scope or (own and not self._has_object(path, function)):
                return False
            if own and self.table.classes.explicit_self:
                around = scopes.function_around(scope)
                facts = scopes.local(around) if around is not None else None
                return facts is not None and facts.first_parameter == own
            if function is not None and is_static(function) and not self.static:
                return False
        return bool(own) or self.names.lookup(scope, self.binding.namespace, self.binding.name, byte) == self.binding

    def means_the_same(self, name: str, there: int, byte: int) -> bool:
        """Whether a name that stands at one byte means the same at another."""
        at = self.names.name_at(there, name)
        if at is None or at.occurrence.action is not Action.USE:
            return True  # of something else
        scope = self.names.scopes.scope_at(byte)
        return self.names.lookup(scope, at.occurrence.namespace, name, byte) == self.names.binding(at)

    def _has_object(self, path: list[Node], function: Node | None) -> bool:
        """Whether the function at a place is a method itself, and none without an object."""
        at = next((number for number, node in enumerate(path) if function is not None and node.id == function.id), 0)
        if function is None or any(child.type == "static" for child in function.children):
            return False
        if at and path[at - 1].type in self.table.wrappers:  # `@staticmethod`
            return False
        return any(node.type in self.table.classes.bodies for node in path[max(0, at - 3) : at])

    def _runs_later(self, path: list[Node], offset: int, byte: int) -> bool:
        """Whether a place is the body of a function that stands in the block of the declaration."""
        for node in path:
            body = node.child_by_field_name("body") if node.type in self.table.functions else None
            inside = node.start_byte + offset > self.block[0] or self.block[0] == 0
            if body is not None and inside and body.start_byte + offset <= byte < body.end_byte + offset:
                return True
        return False


def reach_of(
    moment: Moment, home: Document, table: ScopeTable, start: int, name: str, words: frozenset[bytes], near: list[int]
) -> DeclaredReach | None:
    """What the name at a byte declares; None where it declares nothing, or something that is declared twice.

    `words` are other names that are asked about, `near` the places.
    """
    parts = Parts(words | {name.encode()}, (start, *near))
    names = moment.resolver(home.uri, home.syntax, parts)
    at = names.name_at(start, name) if names is not None else None
    if names is None or at is None or at.occurrence.action is not Action.BIND:
        return None
    binding = names.binding(at)
    path, offset = path_to(home.syntax, start)
    number = next((n for n in range(len(path) - 1, -1, -1) if path[n].type in _BLOCKS | _ROOTS), None)
    if binding is None or len(names.declarations(binding)) != 1 or number is None or number + 1 >= len(path):
        return None
    block, statement = path[number], path[number + 1]
    span = (block.start_byte + offset, block.end_byte + offset)
    if block.type in _ROOTS:
        span = (0, len(home.syntax.buffer.data))
    static = is_static(statement)
    return DeclaredReach(names, binding, table, start, statement.end_byte + offset, span, static)


def takes_no_name(path: list[Node]) -> bool:
    """Whether the number at the end of a path cannot be said by a name there: in a type, in a pattern, as a key."""
    for node in path:
        kind = node.type
        if kind in ("type", "enum_assignment", "preproc_if") or kind.endswith(("_type", "pattern")):
            return True
        if kind.startswith("type_"):
            return True
        value = node.child_by_field_name("value") if kind == "subscript" else None
        if value is not None and node_text(value).rpartition(".")[2] == "Literal":
            return True
    if len(path) > 2 and path[-2].type == "pair" and path[-3].type == "object":
        key = path[-2].child_by_field_name("key")
        return key is not None and key.id == path[-1].id
    return False


def same_declared_type(declared: list[Node], path: list[Node]) -> bool:
    """Whether a place is declared with the type of the constant, where that has one."""
    wanted, given = (path_[-2].child_by_field_name("type") if len(path_) > 1 else None for path_ in (declared, path))
    return wanted is None or (given is not None and node_text(given) == node_text(wanted))
