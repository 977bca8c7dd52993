"""Imports of JavaScript and TypeScript that bring a name from a module, in the style of the file."""

from __future__ import annotations

import re
from typing import NamedTuple

from editahead.environment.import_edits import (
    ImportLine,
    add_name,
    before_first,
    beside,
    documented_start,
    is_text_statement,
)
from editahead.syntax.nodes import Node, node_text, tree_roots
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.edits import ByteEdit

_COMMON_JS = re.compile(rb"(?:(?:const|let|var)\b[^=]*=\s*)?require\(|module\.exports\b|exports\.")
_HEAD = 400  # bytes of a statement that say what it is


class _ScriptImport(NamedTuple):
    """An import statement of a script; imports of types and of namespaces have no names."""

    start: int
    end: int
    module: str
    names: tuple[tuple[int, int], ...] = ()
    brace: int | None = None  # the byte where the names in braces begin
    default_end: int | None = None  # the byte behind the name of the default export

    @property
    def line(self) -> ImportLine:
        """What every language has."""
        return ImportLine(self.start, self.end, self.module, self.names)


def script_import_edit(syntax: SyntaxSnapshot, path: str, name: str, *, is_default: bool = False) -> ByteEdit | None:
    """The insertion that imports `name` from `path`.

    None where the file has that name, its position is uncertain, or the file is a CommonJS module (without imports).
    """
    imports, first, bound = _read(syntax)
    if name in bound or (not imports and _is_common_js(syntax)):
        return None
    for statement in imports:
        if statement.module == path and (edit := _joined(syntax, statement, name, is_default=is_default)) is not None:
            return edit
    example = syntax.buffer.data[imports[0].start : imports[0].end] if imports else b""
    quote = '"' if (example or syntax.buffer.data[:4000]).count(b'"') > 0 and b"'" not in example else "'"
    semicolon = ";" if example.endswith(b";") or (not imports and b";" in syntax.buffer.data[:4000]) else ""
    line = f"import {name if is_default else f'{{ {name} }}'} from {quote}{path}{quote}{semicolon}"
    if not imports:
        return before_first(syntax.buffer, first, line)
    return beside(syntax.buffer, [entry.line for entry in imports], path, line)


def _joined(syntax: SyntaxSnapshot, statement: _ScriptImport, name: str, *, is_default: bool) -> ByteEdit | None:
    """The name added to an import of its module; None where that import has no room for it."""
    if is_default:
        at = statement.brace
        return ByteEdit(at, at, f"{name}, ".encode()) if at is not None and statement.default_end is None else None
    if statement.names:
        return add_name(syntax.buffer, statement.start, statement.names, name)
    at = statement.default_end
    return ByteEdit(at, at, f", {{ {name} }}".encode()) if at is not None and statement.brace is None else None


def _read(syntax: SyntaxSnapshot) -> tuple[list[_ScriptImport], int, set[str]]:
    """The imports at the top level, the start of the first other statement, the names that they bind."""
    imports: list[_ScriptImport] = []
    bound: set[str] = set()
    first = len(syntax.buffer.data)
    for offset, root in tree_roots(syntax):
        for node in root.children:
            if node.type == "import_statement":
                imports.append(_import(node, offset, bound))
            elif node.is_named and node.type not in ("comment", "hash_bang_line") and not is_text_statement(node):
                first = min(first, documented_start(node) + offset)
    return [statement for statement in imports if statement.start < first], first, bound


def _is_common_js(syntax: SyntaxSnapshot) -> bool:
    """Whether statements at the top level call `require` or assign to `exports`, and none exports by the keyword."""
    has_common_js = False
    for offset, root in tree_roots(syntax):
        for node in root.children:
            if node.type == "export_statement":
                return False
            start = node.start_byte + offset
            has_common_js = has_common_js or bool(_COMMON_JS.match(syntax.buffer.data, start, start + _HEAD))
    return has_common_js


def _import(node: Node, offset: int, bound: set[str]) -> _ScriptImport:
    path = node_text(node.child_by_field_name("source")).strip("\"'")
    names: list[tuple[int, int]] = []
    brace = default_end = None
    has_namespace = False
    for clause in (child for child in node.named_children if child.type == "import_clause"):
        for part in clause.named_children:
            if part.type == "identifier":
                default_end = part.end_byte + offset
                bound.add(node_text(part))
            elif part.type == "namespace_import":
                has_namespace = True
                bound.update(node_text(child) for child in part.named_children)
            elif part.type == "named_imports":
                brace = part.start_byte + offset
                for item in (child for child in part.named_children if child.type == "import_specifier"):
                    bound_name = item.child_by_field_name("alias") or item.child_by_field_name("name")
                    if bound_name is not None:
                        names.append((item.start_byte + offset, item.end_byte + offset))
                        bound.add(node_text(bound_name))
    start, end = node.start_byte + offset, offset + max(child.end_byte for child in node.children if not child.is_extra)
    if has_namespace or any(child.type in ("type", "typeof") for child in node.children):
        return _ScriptImport(start, end, path)
    return _ScriptImport(start, end, path, tuple(names), brace, default_end)
