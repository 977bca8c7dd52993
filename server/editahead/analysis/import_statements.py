"""Import statements of a module, with their positions."""

from __future__ import annotations

import re
from typing import NamedTuple

from editahead.analysis.signatures import Item, Row, path_to
from editahead.syntax.nodes import Node, Parts, node_text, tree_roots
from editahead.syntax.scope_table import ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot

_TYPE_WORDS = ("type", "typeof")
_TAG = re.compile(rb"</[\w.:-]*>|/>")
_HEAD = 40_000  # bytes of a file that are searched for imports


class ImportStatement(NamedTuple):
    """An import in bytes [start, end). `takes_names`: its items are names of its `module`, else modules themselves.

    `types_only`: the imported names are types, not values (`import type { A }`).
    """

    start: int
    end: int
    module: str
    row: Row
    takes_names: bool
    types_only: bool = False


def import_at(syntax: SyntaxSnapshot, table: ScopeTable, byte: int) -> ImportStatement | None:
    """The import at a byte; None in a block, or where there is none."""
    path, offset = path_to(syntax, byte)
    return _statement(path[1], table, offset) if len(path) > 1 else None


def is_used_by_tags(name: str, table: ScopeTable, data: bytes) -> bool:
    """Whether the markup tags of a text use an imported name implicitly (`React`)."""
    return name in table.imports.used_by_tags and _TAG.search(data) is not None


def imports_of(syntax: SyntaxSnapshot, table: ScopeTable) -> list[ImportStatement]:
    """The imports at the head of a file, in text order."""
    statements = []
    for offset, root in tree_roots(syntax, Parts(frozenset(), (0,))):
        for node in root.children if offset == 0 else ():
            if node.start_byte > _HEAD:
                break
            statement = _statement(node, table, offset)
            if statement is not None:
                statements.append(statement)
    return statements


def _statement(node: Node, table: ScopeTable, offset: int) -> ImportStatement | None:
    if node.type not in table.imports.statements or node.has_error:
        return None
    field = table.imports.modules.get(node.type)
    module = node.child_by_field_name(field) if field else None
    takes_names = bool(field)
    nodes = node.children_by_field_name("name") or node.named_children
    if table.imports.lists:  # a list of names or a single name; both together are not read
        clause = next((child for child in node.named_children if child.type in table.imports.lists), None)
        parts = [child for child in clause.named_children if not child.is_extra] if clause is not None else []
        nodes = parts if len(parts) == 1 else []
        takes_names = bool(nodes) and nodes[0].type in table.imports.lists.values()
        nodes = nodes[0].named_children if takes_names else nodes
    nodes = [child for child in nodes if not child.is_extra]
    if field == "":  # the whole path is an item
        nodes, module = nodes[:1], next(iter(nodes), None)
    items = tuple(Item(child.start_byte + offset, child.end_byte + offset, "") for child in nodes)
    if not items:
        return None
    row = Row(items[0].start, items[-1].end, items)
    types_only = any(child.type in _TYPE_WORDS and not child.is_named for child in node.children)
    name = node_text(module)
    return ImportStatement(node.start_byte + offset, node.end_byte + offset, name, row, takes_names, types_only)
