"""The edge of a name by its siblings, where its field in the tree does not determine it."""

from __future__ import annotations

from collections.abc import Sequence

from editahead.analysis.facts.declared_types import path_of_key
from editahead.analysis.facts.expressions import NodeContext
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import Action, Edge, Namespace, ScopeTable, Target

_TYPE = Edge(namespace=Namespace.TYPE)
_KEY = Edge(Action.KEYWORD, namespace=Namespace.VALUE)
_MEMBER = Edge(Action.ATTRIBUTE)
_USE, _NO_NAME = Edge(), Edge(Action.IGNORE)
_MAX_SIGNS = 8  # children of a parameter before its name
_MAX_SIBLINGS = 256  # children of a node up to which siblings are read: each costs a walk


def edge_beside(table: ScopeTable, node: Node, edge: Edge, stack: Sequence[NodeContext]) -> Edge:
    """The edge of a name by its siblings; the edge of its field where they do not matter."""
    above = stack[-1]
    if _is_no_name(table, node, edge, stack):
        return _NO_NAME
    if above.kind in table.literals.computed_keys and edge.action is Action.IGNORE:
        edge = _USE if _is_in_brackets(node) else edge
    qualified, signed, beside = table.qualified.get(above.kind), table.before_sign.get(above.kind), node
    if qualified is not None:
        previous = node.prev_sibling
        if previous is not None and previous.type == qualified[0]:
            edge = Edge(Action.ATTRIBUTE, namespace=qualified[1])
    if above.kind in table.literals.pattern_keys and node.start_byte == above.node.start_byte:
        edge = _KEY
    if above.kind in table.literals.class_patterns and node.start_byte == above.node.start_byte:
        edge = _MEMBER
    few = above.node.named_child_count <= _MAX_SIBLINGS
    if table.before_sign and above.kind in table.transparent and above.node.named_child_count == 1 and len(stack) > 1:
        signed, beside = signed or table.before_sign.get(stack[-2].kind), above.node  # a name that stands for a type
    if above.kind in table.doubtful_lists and above.node.has_error and few:
        before = node.prev_named_sibling
        if before is not None and node_text(before) == "struct":
            edge = _TYPE
        elif _is_behind_error(before):
            edge = _NO_NAME
    elif above.kind == "ERROR" and len(stack) > 1 and stack[-2].kind in table.doubtful_lists:
        edge = _TYPE
    if signed is not None and few:
        following = beside.next_sibling
        edge = signed[1] if following is not None and following.type == signed[0] else edge
    if above.kind in table.literals.copies and node.start_byte == above.node.start_byte:
        edge = _MEMBER
    if above.kind in table.patterns.paths:
        path = path_of_key(table, stack)
        edge = _KEY if path is not None and path.start_byte == node.start_byte else edge
    return edge


def declared_member(table: ScopeTable, node: Node, edge: Edge, stack: Sequence[NodeContext]) -> Edge | None:
    """The member that a name below `stack` also declares: a parameter a field, a field an accessor, a base a field."""
    above = stack[-1]
    signs = table.classes.parameter_fields.get(above.kind) if edge.kind == "parameter" else None
    if signs and any(child.type in signs for child in above.node.children[:_MAX_SIGNS]):
        return Edge(Action.BIND, "field", Target.OUTER)
    if edge.kind == "parameter" and len(stack) > 2 and stack[-3].kind in table.classes.accessors:
        return Edge(Action.BIND, "accessor", namespace=Namespace.METHOD)
    generic = above.kind in table.types.generic and len(stack) > 1 and above.node.start_byte == node.start_byte
    holder = stack[-2] if generic else above
    if holder.kind in table.classes.embedded and edge.action is Action.USE and holder.kind in table.types.declared:
        return Edge(Action.BIND, "field") if holder.node.child_by_field_name("name") is None else None
    return None


def _is_no_name(table: ScopeTable, node: Node, edge: Edge, stack: Sequence[NodeContext]) -> bool:
    """Whether a word is the name of a markup element or the label of a tuple type, not a variable."""
    above = stack[-1].kind
    if edge.kind == "parameter" and above in table.types.labels:
        return len(stack) > 1 and table.types.labels[above] == stack[-2].kind
    return above in table.literals.element_tags and is_element(node)


def is_element(tag: Node) -> bool:
    """Whether a tag name is that of a markup element: lower case and without a namespace."""
    return "a" <= node_text(tag)[:1] <= "z" and not tag.child_count


def is_given(node: Node) -> bool:
    """Whether a value follows a key and an equals sign."""
    before = node.prev_sibling
    return before is not None and before.type == "="


def _is_in_brackets(node: Node) -> bool:
    before = node.prev_sibling
    return before is not None and before.type == "["


def _is_behind_error(before: Node | None) -> bool:
    """Whether a node, or the named node before it, is a syntax error."""
    rows = (before, before.prev_named_sibling if before is not None else None)
    return any(previous is not None and previous.type == "ERROR" for previous in rows)
