"""Edits that import a name, in the style of the file, for Python and Java; where an import belongs in any language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from editahead.regular_file import read_regular
from editahead.syntax.nodes import Node, node_text, tree_roots
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit, lines_around

MAX_WIDTH = 88  # bytes of a line to which a name is added
_COMMENTS = rb"[ \t]*(?:/\*(?:[^*\r\n]|\*(?!/))*\*/[ \t]*)*(?:(?:#|//)[^\r\n]*)?"
_TO_LINE_END = re.compile(_COMMENTS + rb"(?=[\r\n]|\Z)")
_BEHIND_NAME = re.compile(rb"[ \t]*(,?)" + _COMMENTS + rb"(?=[\r\n]|\Z)")
_IMPORTED_NAME = re.compile(rb"(?:type\s+(?!as\b))?(\S+)")
MAX_BYTES = 1 << 18  # of a file whose package is read
_COMMENT = rb"//[^\n]*\n|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/"
_PACKAGE = re.compile(rb"(?:\s|" + _COMMENT + rb"|@\w+)*package\s+([\w.]+)\s*;")
_PUBLIC_TYPE = re.compile(rb"\bpublic\s[\w\s-]{0,80}?\b(?:class|enum|record|@?interface)\s+(\w+)")
_IMPORTS = frozenset({"import_from_statement", "import_statement"})


class ImportLine(NamedTuple):
    """An import statement at the top level: its bytes, its module as written, and the bytes of each name it takes."""

    start: int
    end: int
    module: str
    names: tuple[tuple[int, int], ...] = ()  # start and end, with the alias


def add_name(buffer: Buffer, start: int, names: Sequence[tuple[int, int]], name: str) -> ByteEdit | None:
    """Add a name to the import that begins at a byte: in order if its names are sorted, else at the end.

    `names` are the bytes of those that stand there. None where the line would get too long.
    """
    data = buffer.data
    index = _sorted_index([_imported_name(data, *span) for span in names], name)
    if any(bracket in data[start : names[0][0]] for bracket in (b"(", b"{")):
        edit = _own_line(buffer, names, index, name.encode())
        if edit is not None:
            return edit
    at = names[index][0] if index < len(names) else names[-1][1]
    line_start, line_end = buffer.line_span(buffer.line_at(at))
    if line_end - line_start + len(name.encode()) + 2 > MAX_WIDTH:
        return None
    return ByteEdit(at, at, f"{name}, ".encode() if index < len(names) else f", {name}".encode())


def _sorted_index(names: Sequence[str], name: str) -> int:
    """The index of a new name."""
    for key in (str, str.lower):
        keys = [key(text) for text in names]
        if keys == sorted(keys):
            return sum(text < key(name) for text in keys)
    return len(names)


def _imported_name(data: bytes, start: int, end: int) -> str:
    """The name that an item of an import takes, without its alias."""
    match = _IMPORTED_NAME.match(data, start, end)
    return match.group(1).decode("utf-8", "replace") if match else ""


def _own_line(buffer: Buffer, names: Sequence[tuple[int, int]], index: int, name: bytes) -> ByteEdit | None:
    """Add a name between brackets on a line of its own; None where the names around it have none.

    Comments stay with the names that they stand above or behind.
    """
    data, newline = buffer.data, line_break(buffer)
    if index == 0 and _is_below_comment(buffer, names[0][0]):
        index = 1
    start, end = names[max(0, index - 1)]
    indent = data[buffer.line_span(buffer.line_at(start))[0] : start]
    if indent.strip():
        return None
    behind = _BEHIND_NAME.match(data, end)
    if index == 0:
        is_alone = behind is not None or len(names) == 1
        return ByteEdit(start, start, name + b"," + newline + indent) if is_alone else None
    if behind is not None and behind.group(1):
        return ByteEdit(behind.end(), behind.end(), newline + indent + name + b",")
    if index < len(names):
        return None
    comment = behind.group() if behind is not None else b""
    return ByteEdit(end, end + len(comment), b"," + comment + newline + indent + name)


def without_line(buffer: Buffer, start: int, end: int) -> ByteEdit | None:
    """Delete a name between brackets with its line and the comment behind it, so that others keep theirs.

    None where it has no line of its own, or nothing stands behind it.
    """
    data = buffer.data
    (first, last), behind = lines_around(data, start, end), _BEHIND_NAME.match(data, end)
    is_alone = behind is not None and behind.group().strip() and not data[first:start].strip()
    is_joined = data[max(0, first - 3) : first].rstrip(b"\r\n").endswith(b"\\")
    return ByteEdit(first, min(last + 1, len(data)), b"") if is_alone and not is_joined else None


def _is_below_comment(buffer: Buffer, byte: int) -> bool:
    line = buffer.line_at(byte)
    above = buffer.line_bytes(line - 1).strip() if line else b""
    return above.startswith((b"#", b"//", b"/*")) or above.endswith(b"*/")


def beside(buffer: Buffer, imports: Sequence[ImportLine], written: str, statement: str) -> ByteEdit:
    """Add a line behind the last import of the same group that sorts before it."""
    groups: list[list[ImportLine]] = [[imports[0]]]
    for before, after in pairwise(imports):
        is_apart = buffer.line_at(after.start) - buffer.line_at(before.end) > 1
        groups.append([after]) if is_apart else groups[-1].append(after)
    top = _top(written)
    group = next((rows for rows in reversed(groups) if any(_top(entry.module) == top for entry in rows)), groups[-1])
    earlier = [entry for entry in group if entry.module and entry.module.lower() <= written.lower()]
    if earlier:
        return below(buffer, earlier[-1].end, statement)
    froms = [entry for entry in group if entry.module]
    if froms:
        return ByteEdit(froms[0].start, froms[0].start, statement.encode() + line_break(buffer))
    return below(buffer, group[-1].end, statement)


def below(buffer: Buffer, end: int, statement: str) -> ByteEdit:
    """Add a line below the statement that ends at a byte; what follows it on its line, but a comment, goes below."""
    data, newline = buffer.data, line_break(buffer)
    line_end = _TO_LINE_END.match(data, end)
    if line_end is not None:
        return ByteEdit(line_end.end(), line_end.end(), newline + statement.encode())
    goes_on = data[end : end + MAX_WIDTH].lstrip(b" \t").startswith((b";", b"\\"))
    return ByteEdit(end, end, newline + statement.encode() + (b"" if goes_on else newline))


def before_first(buffer: Buffer, first: int, statement: str) -> ByteEdit:
    """Add a line before the first statement, with a blank line behind it."""
    line_start = buffer.line_span(buffer.line_at(first))[0]
    newline, is_own_line = line_break(buffer), not buffer.data[line_start:first].strip()
    if first == len(buffer.data) and not is_own_line:
        return ByteEdit(first, first, 2 * newline + statement.encode() + newline)
    at = line_start if is_own_line else first
    return ByteEdit(at, at, statement.encode() + 2 * newline)


def is_text_statement(node: Node) -> bool:
    """Whether a statement is a text alone, which stays first: a docstring, or `"use strict"`."""
    return node.type == "expression_statement" and [child.type for child in node.named_children] == ["string"]


def documented_start(node: Node) -> int:
    """Where a statement begins, with the documentation comment directly above it."""
    above = node.prev_sibling
    if above is None or above.end_point[0] + 1 != node.start_point[0] or not node_text(above).startswith("/**"):
        return node.start_byte
    return above.start_byte


def _top(module: str) -> str:
    return "." if module.startswith(".") else module.split(".", maxsplit=1)[0]


def line_break(buffer: Buffer) -> bytes:
    """The line end that a text uses."""
    return b"\r\n" if buffer.data[: buffer.data.find(b"\n")].endswith(b"\r") else b"\n"


def declared_package(path: Path, name: str) -> str | None:
    """The package of the file that declares the public type `name`; "" for the unnamed package, None if it does not."""
    if path.name != f"{name}.java":
        return None
    try:
        return _package_of(path, path.stat().st_mtime_ns)
    except OSError:
        return None


@lru_cache(maxsize=256)
def _package_of(path: Path, changed: int) -> str | None:
    """The package of a file as it was at a time of modification; None where it has no public type of its name."""
    data = read_regular(path, MAX_BYTES) or b""
    if path.stem.encode() not in {match.group(1) for match in _PUBLIC_TYPE.finditer(data)}:
        return None
    match = _PACKAGE.match(data)
    return match.group(1).decode("ascii", "replace") if match else ""


def java_import_edit(syntax: SyntaxSnapshot, package: str, name: str) -> ByteEdit | None:
    """The insertion that imports `package.name`; None where the file needs none, or where its position is uncertain."""
    imports, static_start, own, package_end, first = _read_java(syntax)
    written = f"{package}.{name}"
    imported = {entry.module for entry in imports}
    if not package or package == own or written in imported or f"{package}.*" in imported:
        return None
    if any(module.rsplit(".", 1)[-1] == name for module in imported):  # another type of that name
        return None
    statement = f"import {written};"
    if imports:
        return beside(syntax.buffer, imports, written, statement)
    newline = line_break(syntax.buffer)
    if static_start is not None:
        return ByteEdit(static_start, static_start, statement.encode() + 2 * newline)
    if package_end is None:
        return before_first(syntax.buffer, first, statement)
    edit = below(syntax.buffer, package_end, statement)
    return replace(edit, new=newline + edit.new)


def _read_java(syntax: SyntaxSnapshot) -> tuple[list[ImportLine], int | None, str, int | None, int]:
    """Return the imports of types and the package of the file.

    Also where the first static import begins, where the declaration of the package ends, and where the first other
    statement begins.
    """
    imports: list[ImportLine] = []
    static_start = package_end = None
    package, first = "", len(syntax.buffer.data)
    for offset, root in tree_roots(syntax):
        for node in root.children:
            start, end = node.start_byte + offset, node.end_byte + offset
            if node.type == "package_declaration":
                package, package_end = _named(node), end
            elif node.type != "import_declaration":
                first = first if node.is_extra or not node.is_named else min(first, documented_start(node) + offset)
            elif any(child.type == "static" for child in node.children):
                static_start = start if static_start is None else static_start
            else:
                wildcard = ".*" if any(child.type == "asterisk" for child in node.children) else ""
                imports.append(ImportLine(start, end, _named(node) + wildcard))
    return imports, static_start, package, package_end, first


def _named(node: Node) -> str:
    """The dotted name in a declaration."""
    names = (child for child in node.named_children if child.type in {"scoped_identifier", "identifier"})
    return node_text(next(names, None))


ModuleName = tuple[str, ...]


def import_edit(syntax: SyntaxSnapshot, module: ModuleName, name: str, package: ModuleName = ()) -> ByteEdit | None:
    """Return the insertion that imports `name` from `module`; None where its position is uncertain.

    `package` is the package that contains the file, for relative imports where the file already uses them.
    """
    nodes, first_statement = _read_python(syntax)
    imports = [_import(node, offset) for offset, node in nodes]
    written = ".".join(module)
    relative = "." * (1 + len(package) - len(module[: len(package)])) + ".".join(module[len(package) :])
    is_relative = package and module[: len(package)] == package
    if is_relative and any(statement.module.startswith(".") for statement in imports):
        written = relative
    if any(_is_bound_by(node, written, name) for _, node in nodes):
        return None
    for statement in imports:
        if statement.module == written and statement.names:
            edit = add_name(syntax.buffer, statement.start, statement.names, name)
            if edit is not None:
                return edit
    line = f"from {written} import {name}"
    if not imports:
        return before_first(syntax.buffer, first_statement, line)
    return beside(syntax.buffer, imports, written, line)


def _read_python(syntax: SyntaxSnapshot) -> tuple[list[tuple[int, Node]], int]:
    """Return the leading import statements and the first byte of the first other statement that is no docstring.

    With each import comes the byte where its part of the file begins.
    """
    imports: list[tuple[int, Node]] = []
    first = last = len(syntax.buffer.data)
    for offset, root in tree_roots(syntax):
        for node in root.children:
            start = node.start_byte + offset
            if node.type in _IMPORTS:
                if start < last:
                    imports.append((offset, node))
            elif (
                node.type != "future_import_statement"
                and node.is_named
                and not node.is_extra
                and not is_text_statement(node)
            ):
                first = min(first, start)
                last = last if _is_conditional_import(node) else min(last, start)
    return imports, first


def _is_conditional_import(node: Node) -> bool:
    """Whether a statement imports in a block of its own, as `try:` and `if TYPE_CHECKING:` do."""
    blocks = (child for child in node.named_children if child.type == "block")
    return any(statement.type in _IMPORTS for block in blocks for statement in block.named_children)


def _import(node: Node, offset: int) -> ImportLine:
    module = node.child_by_field_name("module_name")
    names = _names(node) if module is not None else []
    spans = tuple((name.start_byte + offset, name.end_byte + offset) for name in names)
    return ImportLine(node.start_byte + offset, node.end_byte + offset, node_text(module), spans)


def _names(node: Node) -> list[Node]:
    return [child for child in node.children_by_field_name("name") if not child.is_extra]


def _is_bound_by(node: Node, module: str, name: str) -> bool:
    """Whether an import statement gives the file that name, or takes every public name of the module."""
    for item in _names(node):
        bound = item.child_by_field_name("alias") or item
        if node_text(bound) == name:
            return True
    source = node.child_by_field_name("module_name")
    is_wildcard = any(child.type == "wildcard_import" for child in node.named_children)
    return is_wildcard and source is not None and node_text(source) == module and not name.startswith("_")
