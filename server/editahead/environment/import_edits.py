"""Edits that import a name, in the style of the file."""

from __future__ import annotations

from itertools import pairwise

from editahead.environment.import_lines import ImportLine, before_first, beside, line_break
from editahead.syntax.nodes import Node, node_text, tree_roots
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

_WIDEST = 88  # bytes of a line to which a name is added
ModuleName = tuple[str, ...]


def import_edit(syntax: SyntaxSnapshot, module: ModuleName, name: str, package: ModuleName = ()) -> ByteEdit | None:
    """Return the insertion that imports `name` from `module`; None where its place is uncertain.

    `package` is the package that contains the file, for relative imports where the file already uses them.
    """
    imports, first_statement = _read(syntax)
    written = ".".join(module)
    relative = "." * (1 + len(package) - len(module[: len(package)])) + ".".join(module[len(package) :])
    if package and module[: len(package)] == package and any(one.module.startswith(".") for one in imports):
        written = relative
    same = next((one for one in imports if one.module == written and one.names), None)
    if same is not None:
        return add_name(syntax.buffer, same, name)
    statement = f"from {written} import {name}"
    if not imports:
        return before_first(syntax.buffer, first_statement, statement)
    return beside(syntax.buffer, imports, written, statement)


def _read(syntax: SyntaxSnapshot) -> tuple[list[ImportLine], int]:
    """Return the top-level import statements, and the start of the first other statement that is no docstring."""
    found: list[ImportLine] = []
    first = len(syntax.buffer.data)
    for offset, root in tree_roots(syntax):
        for node in root.children:
            if node.type in {"import_from_statement", "import_statement"}:
                found.append(_import(node, offset))
            elif node.type == "future_import_statement":
                continue
            elif node.is_named and node.type != "comment" and not _is_text(node):
                first = min(first, node.start_byte + offset)
    leading = [one for one in found if one.start < first]
    return leading, first


def _import(node: Node, offset: int) -> ImportLine:
    """Read an import statement."""
    module = node.child_by_field_name("module_name")
    names: list[tuple[int, int, str]] = []
    plain = module is not None and not any(child.type == "wildcard_import" for child in node.named_children)
    for child in node.children_by_field_name("name"):
        if child.type == "dotted_name" and plain:
            names.append((child.start_byte + offset, child.end_byte + offset, node_text(child)))
        else:
            plain = False
    text = node_text(module) if module is not None else ""
    start, end = node.start_byte + offset, node.end_byte + offset
    several = node.start_point[0] != node.end_point[0]
    return ImportLine(start, end, text, tuple(names) if plain else (), several)


def add_name(buffer: Buffer, same: ImportLine, name: str) -> ByteEdit | None:
    """Add a name to an import of the same module: in order if its names are sorted, else at the end."""
    names = [text for _, _, text in same.names]
    if name in names:
        return None
    ordered = all(a.lower() <= b.lower() for a, b in pairwise(names))
    place = sum(text.lower() < name.lower() for text in names) if ordered else len(names)
    if same.several_lines:
        lines = {buffer.line_at(start) for start, _, _ in same.names}
        if len(lines) != len(names):
            return None
        start, end, _ = same.names[max(0, place - 1)]
        line_start, line_end = buffer.line_span(buffer.line_at(start))
        indent = buffer.data[line_start:start]
        if indent.strip():
            return None
        if place == 0:
            return ByteEdit(line_start, line_start, indent + name.encode() + b"," + line_break(buffer))
        comma = b"" if buffer.data[end:line_end].lstrip().startswith(b",") else b","
        at = line_end if not comma else end
        return ByteEdit(at, at, comma + line_break(buffer) + indent + name.encode() + (b"," if not comma else b""))
    line_start, line_end = buffer.line_span(buffer.line_at(same.end))
    if line_end - line_start + len(name.encode()) + 2 > _WIDEST:
        return None
    if place == 0:
        at = same.names[0][0]
        return ByteEdit(at, at, name.encode() + b", ")
    at = same.names[place - 1][1]
    return ByteEdit(at, at, b", " + name.encode())


def _is_text(node: Node) -> bool:
    return node.type == "expression_statement" and [child.type for child in node.named_children] == ["string"]
