"""Edits that import a name, in the style of the file."""

from __future__ import annotations

from editahead.environment.import_lines import ImportLine, add_name, before_first, beside, is_text_statement
from editahead.syntax.nodes import Node, node_text, tree_roots
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.edits import ByteEdit

_IMPORTS = frozenset({"import_from_statement", "import_statement"})
ModuleName = tuple[str, ...]


def import_edit(syntax: SyntaxSnapshot, module: ModuleName, name: str, package: ModuleName = ()) -> ByteEdit | None:
    """Return the insertion that imports `name` from `module`; None where its position is uncertain.

    `package` is the package that contains the file, for relative imports where the file already uses them.
    """
    nodes, first_statement = _read(syntax)
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


def _read(syntax: SyntaxSnapshot) -> tuple[list[tuple[int, Node]], int]:
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
    text = node_text(module) if module is not None else ""
    return ImportLine(node.start_byte + offset, node.end_byte + offset, text, spans)


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
