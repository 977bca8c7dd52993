"""Imports of Java types of the project: a public type `Name` is declared in `Name.java`, in that file's package."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from editahead.environment.import_lines import ImportLine, before_first, below, beside, documented_start, line_break
from editahead.regular_file import read_regular
from editahead.syntax.nodes import Node, tree_roots
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.edits import ByteEdit

MAX_BYTES = 1 << 18  # of a file whose package is read
_COMMENT = rb"//[^\n]*\n|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/"
_PACKAGE = re.compile(rb"(?:\s|" + _COMMENT + rb"|@\w+)*package\s+([\w.]+)\s*;")
_PUBLIC_TYPE = re.compile(rb"\bpublic\s[\w\s-]{0,80}?\b(?:class|enum|record|@?interface)\s+(\w+)")


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
    imports, static_start, own, package_end, first = _read(syntax)
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


def _read(syntax: SyntaxSnapshot) -> tuple[list[ImportLine], int | None, str, int | None, int]:
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
    for child in node.named_children:
        if child.type in {"scoped_identifier", "identifier"}:
            return (child.text or b"").decode("utf-8", "replace")
    return ""
