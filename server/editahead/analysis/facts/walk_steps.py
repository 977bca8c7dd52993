"""What the first pass does at a node, by the types of the node and its parent; computed once per scope table."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from editahead.syntax.nodes import Grammar
from editahead.syntax.scope_table import Action, Edge, Namespace, ScopeTable, Target

USE = Edge()


class Step(NamedTuple):
    """What the first pass does at nodes of a type, in a field of parents of a type.

    `edge`: the edge of the names below, None where it depends on more; `is_inherited`: it is that of the parent.
    `is_plain`: a name that its edge alone describes; `is_member`: a member that its edge and receiver describe.
    `is_holder`: it may hold names that are no nodes, or a path. `opens`: it may open a scope. `below`: the steps of its
    children so far, by the numbers of their field and type in the grammar.
    """

    kind: str
    edge: Edge | None
    is_inherited: bool
    namespace: Namespace | None
    is_plain: bool
    is_member: bool
    is_holder: bool
    opens: bool
    below: dict[int, Step]


@cache
def _steps_below(table: ScopeTable, grammar: Grammar, kind: str) -> dict[int, Step]:
    return {}


@cache
def step_at(table: ScopeTable, grammar: Grammar, parent: str, field: str | None, kind: str) -> Step:
    """The step at a node of type `kind`; `parent` is empty at the node where the walk begins."""
    edge, row = table.edge_of(parent, field, kind), (parent, field)
    depends = parent in table.nested or row in table.edges_with or row in table.first_outside
    is_static = not depends and (edge is None or edge.target is Target.OWN)
    is_transparent, is_path, namespace = parent in table.transparent, kind in table.dotted_last, table.names.get(kind)
    is_text = kind in table.quotations.texts or kind in table.macros.format_strings
    is_plain = bool(parent) and not (is_path or is_text or namespace is Namespace.PRIVATE)
    is_plain &= kind not in table.literals.shorthands and parent not in table.special_parents
    is_plain &= not (is_transparent and table.before_sign)
    is_member = is_plain and not is_transparent and parent in table.attributes and not table.classes.outside_names
    openers = (table.scopes, table.generics, table.imports.wildcards, table.classes.embedded)
    return Step(
        kind,
        (edge or USE) if is_static else None,
        is_static and edge is None and is_transparent,
        namespace,
        is_plain,
        is_member and edge is not None and edge.action is Action.ATTRIBUTE and not edge.kind,
        is_path or is_text or parent in table.imports.path_holders,
        (parent, kind) in table.scopes or any(kind in kinds for kinds in openers),
        _steps_below(table, grammar, kind),
    )
