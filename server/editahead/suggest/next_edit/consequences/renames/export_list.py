"""Strings in the list of exported names of a module: `__all__ = ["total"]`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from editahead.analysis.signatures import path_to
from editahead.syntax.interrupt import checkpoint
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.snapshot import SyntaxSnapshot

MAX_STATEMENTS = 20  # statements that are read: those of the list of exports and of its extensions
_ASSIGNMENTS = frozenset({"assignment", "augmented_assignment"})
_VALUES = frozenset(
    {"list", "tuple", "set", "parenthesized_expression", "expression_list", "binary_operator", "argument_list"}
)
_INNER = frozenset({"function_definition", "class_definition", "lambda"})


def exported_strings(syntax: SyntaxSnapshot, name: str) -> list[int]:
    """The offsets of a name in the strings of the list of exported names, in text order."""
    table, data = syntax.language.scopes, syntax.buffer.data
    if table is None or not table.imports.export_list or name.encode() not in data:
        return []
    offsets, variable = set[int](), table.imports.export_list
    word = re.compile(rb"(?<![\w.])" + re.escape(variable.encode()) + rb"(?!\w)")
    for count, match in enumerate(word.finditer(data)):
        if count >= MAX_STATEMENTS:
            break
        path, offset = path_to(syntax, match.start())
        if any(node.type in _INNER for node in path):
            continue
        for value in _values(path, variable):
            offsets.update(string_start + offset for string_start in _strings(value, name))
    return sorted(offsets)


def _values(path: list[Node], variable: str) -> Iterator[Node]:
    """Yield the values assigned to the list or passed to its methods by the ancestors of its name."""
    for node in path:
        target = node.child_by_field_name("left") if node.type in _ASSIGNMENTS else None
        assigned = node.child_by_field_name("right") if target is not None else None
        if target is not None and assigned is not None and node_text(target) == variable:
            yield assigned
        function = node.child_by_field_name("function") if node.type == "call" else None
        owner = function.child_by_field_name("object") if function is not None else None
        arguments = node.child_by_field_name("arguments") if owner is not None else None
        if owner is not None and arguments is not None and node_text(owner) == variable:
            yield arguments


def _strings(value: Node, name: str) -> Iterator[int]:
    """Yield the offsets in the tree of strings in an expression that equal a name."""
    pending = [value]
    while pending:
        checkpoint()
        node = pending.pop()
        if node.type in _VALUES:
            pending.extend(node.named_children)
        text = node.children[1] if node.type == "string" and node.child_count == 3 else None
        if text is not None and text.type == "string_content" and node_text(text) == name:
            yield text.start_byte
