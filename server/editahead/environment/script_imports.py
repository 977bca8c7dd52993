"""Imports of JavaScript and TypeScript that bring a name from a module, in the style of the file."""

from __future__ import annotations

import re

from editahead.environment.import_edits import add_name
from editahead.environment.import_lines import ImportLine, before_first, beside
from editahead.syntax.nodes import Node, node_text, tree_roots
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.edits import ByteEdit

_COMMON_JS = re.compile(rb"(?:(?:const|let|var)\b[^=]*=\s*)?require\(|module\.exports\b|exports\.")
_HEAD = 400  # bytes of a statement that say what it is


def script_import_edit(syntax: SyntaxSnapshot, path: str, name: str, *, is_default: bool = False) -> ByteEdit | None:
    """The insertion that imports `name` from `path`.

    None where the file has that name, its place is uncertain, or the file is a module of CommonJS: that has no imports.
    """
    imports, first, bound = _read(syntax)
    if name in bound or (not imports and _is_common_js(syntax)):
        return None
    if not is_default:
        same = next((one for one in imports if one.module == path and one.names), None)
        if same is not None:
            return add_name(syntax.buffer, same, name)
    example = syntax.buffer.data[imports[0].start : imports[0].end] if imports else b""
    quote = '"' if (example or syntax.buffer.data[:4000]).count(b'"') > 0 and b"'" not in example else "'"
    semicolon = ";" if example.endswith(b";") or (not imports and b";" in syntax.buffer.data[:4000]) else ""
    statement = f"import {name if is_default else f'{{ {name} }}'} from {quote}{path}{quote}{semicolon}"
    if not imports:
        return before_first(syntax.buffer, first, statement)
    return beside(syntax.buffer, imports, path, statement)


def _read(syntax: SyntaxSnapshot) -> tuple[list[ImportLine], int, set[str]]:
    """The imports at the top level, the start of the first other statement, the names that they bind."""
    found: list[ImportLine] = []
    bound: set[str] = set()
    first = len(syntax.buffer.data)
    for offset, root in tree_roots(syntax):
        for node in root.children:
            if node.type == "import_statement":
                found.append(_import(node, offset, bound))
            elif node.is_named and node.type not in ("comment", "hash_bang_line") and not _is_directive(node):
                first = min(first, node.start_byte + offset)
    return [one for one in found if one.start < first], first, bound


def _is_common_js(syntax: SyntaxSnapshot) -> bool:
    """Whether statements at the top level call `require` or assign to `exports`, and none exports by the keyword."""
    found = False
    for offset, root in tree_roots(syntax):
        for node in root.children:
            if node.type == "export_statement":
                return False
            start = node.start_byte + offset
            found = found or bool(_COMMON_JS.match(syntax.buffer.data, start, start + _HEAD))
    return found


def _import(node: Node, offset: int, bound: set[str]) -> ImportLine:
    source = node.child_by_field_name("source")
    path = node_text(source).strip("\"'") if source is not None else ""
    names: list[tuple[int, int, str]] = []
    types_alone = any(child.type == "type" for child in node.children)
    for clause in (child for child in node.named_children if child.type == "import_clause"):
        for part in clause.named_children:
            if part.type == "identifier":
                bound.add(node_text(part))
            elif part.type == "namespace_import":
                bound.update(node_text(child) for child in part.named_children)
            elif part.type == "named_imports":
                for one in (child for child in part.named_children if child.type == "import_specifier"):
                    name, alias = one.child_by_field_name("name"), one.child_by_field_name("alias")
                    if name is not None:
                        names.append((one.start_byte + offset, one.end_byte + offset, node_text(name)))
                        bound.add(node_text(alias if alias is not None else name))
    several = node.start_point[0] != node.end_point[0]
    start, end = node.start_byte + offset, node.end_byte + offset
    return ImportLine(start, end, path, () if types_alone else tuple(names), several)


def _is_directive(node: Node) -> bool:
    """Whether a statement is a text alone: `"use strict"`, which stays first."""
    return node.type == "expression_statement" and [child.type for child in node.named_children] == ["string"]
