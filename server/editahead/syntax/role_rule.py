"""Roles of names from the rules of names: what a table says that a name does is what the name declares."""

from __future__ import annotations

import tree_sitter

from editahead.syntax.language_definition import Ancestors, RoleRule, text_of
from editahead.syntax.scope_table import Action, Edge, ScopeTable
from editahead.syntax.token_kinds import Role

_NESTED_PATTERNS = 32  # levels of nesting; deeper names declare nothing
_BOUND = {
    "class": Role.CLASS, "type-parameter": Role.CLASS, "function": Role.FUNCTION, "parameter": Role.PARAMETER,
    "variable": Role.VARIABLE, "field": Role.ATTRIBUTE,
}  # fmt: skip


def role_rule(table: ScopeTable) -> RoleRule:
    """The rule for `Language.role_of` of a language with a table."""

    def role_of(
        node: tree_sitter.Node, ancestors: Ancestors, field_name: str | None, data: bytes
    ) -> tuple[Role, str | None]:
        depth, edge = _edge(table, node.type, ancestors, len(ancestors) - 1, field_name)
        if edge is None or edge.action is Action.USE:
            return Role.USE, None
        if edge.action is Action.ATTRIBUTE:
            _, outer = _edge(table, ancestors[-1][0].type, ancestors, len(ancestors) - 2, ancestors[-1][1])
            assigned = outer is not None and outer.action is Action.BIND
            return (Role.ATTRIBUTE if assigned else Role.ATTRIBUTE_USE), None
        if edge.action is Action.KEYWORD:
            return Role.ARGUMENT, None
        role = _BOUND.get(edge.kind, Role.USE) if edge.action is Action.BIND else Role.USE
        own = depth == len(ancestors) - 1 and role in (Role.PARAMETER, Role.VARIABLE, Role.ATTRIBUTE)
        return role, _type_name(table, ancestors, data) if own else None

    return role_of


def _edge(
    table: ScopeTable, kind: str, ancestors: Ancestors, depth: int, field_name: str | None
) -> tuple[int, Edge | None]:
    """The edge that a node's name stands under, and the depth of its parent; through the patterns around it."""
    least = max(0, depth - _NESTED_PATTERNS)
    while depth >= least:
        parent, parent_field = ancestors[depth]
        around = ancestors[depth - 1][0].type if depth else ""
        edge = table.edge(parent, (parent.type, around), field_name, kind)
        if edge is not None:
            return depth, edge
        if parent.type not in table.transparent:
            break
        kind, field_name, depth = parent.type, parent_field, depth - 1
    return depth, None


def _type_name(table: ScopeTable, ancestors: Ancestors, data: bytes) -> str | None:
    """The declared type without type arguments, where either of the two nodes around a name has it."""
    for node, _ in ancestors[-1:-3:-1]:
        field_name = table.types.declared.get(node.type)
        declared = node.child_by_field_name(field_name) if field_name else None
        if declared is not None:
            text = text_of(declared, data).lstrip(": &*").split("<", 1)[0].rsplit(".", 1)[-1].strip()
            return text if text.isidentifier() else None
    return None
