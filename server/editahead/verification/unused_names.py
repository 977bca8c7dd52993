"""Proof that a deletion takes nothing away; and declarations that an edit takes from other files, which use them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt
from editahead.analysis.resolver.module_paths import Binding
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.signatures import path_to
from editahead.syntax.nodes import Node
from editahead.syntax.scope_table import Action, ScopeKind, ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.edits import ByteEdit, lines_around
from editahead.verification.proposal import IsUsedElsewhere, PositionMap
from editahead.verification.touched_names import is_renaming, touched_names

MAX_NODES = 4_000  # nodes of a deletion that are visited
_EFFECT = re.compile(
    r"call|invocation|await|yield|arguments?_list|arguments$|initializer_list|creation|new_expression|macro|throw|raise|"
    r"return|break|continue|goto|del_|delete|update_expression|inc_statement|dec_statement|augmented|compound_assignment|"
    r"assert|go_statement|defer|send_statement|lock|using|with_|for_|foreach|while|if_|try|switch|match|decorator|"
    r"annotation|attribute_(?:list|item)|print|exec|global|nonlocal|unsafe"
)
"""Nodes that do something besides giving a value, or that decide whether something is done."""
_GO_IMPORT = re.compile(rb'^[ \t]*(?:import[ \t]+)?(\w+)?[ \t]*"([^"\n]+)"[ \t]*$', re.MULTILINE)
_GO_VERSION = re.compile(rb"/v\d+$")
_ASSIGNMENTS = ("assignment", "assignment_expression")
_PRIVATE = re.compile(rb"\b(?:private|static)\b")


def is_unused_without_effect(
    names: Resolver, syntax: SyntaxSnapshot, edit: ByteEdit, uri: str, is_used_elsewhere: IsUsedElsewhere
) -> bool:
    """Whether an edit that only deletes takes declarations away that nothing uses, in this file or in others."""
    if edit.new.strip():
        return False
    declared = list(_declared_in(names, syntax, edit))
    if not declared:
        return False
    imports = all(use.occurrence.kind == "import" for use, _ in declared)
    if not imports and (not _is_whole_lines(syntax.buffer.data, edit) or _has_effect(syntax, names.table, edit)):
        return False
    for use, binding in declared:
        if any(not edit.start <= row.start < edit.old_end for row in names.references(binding)):
            return False
        if not is_exported(names, syntax.buffer.data, use, binding):
            continue
        if not imports or uri.endswith("__init__.py") or is_used_elsewhere(uri, use.occurrence.name):
            return False
    return True


def lost_go_package(syntax: SyntaxSnapshot, edit: ByteEdit) -> str:
    """The package whose import an edit of Go deletes although the file uses it; empty for none.

    An import without a name binds the last part of its path, which no scope knows.
    """
    data = syntax.buffer.data
    for match in _GO_IMPORT.finditer(data, edit.start, edit.old_end) if syntax.language.id == "go" else ():
        name = match[1] or _GO_VERSION.sub(b"", match[2]).rpartition(b"/")[2]
        if re.search(rb"\b" + re.escape(name) + rb"\.", data) and name + b'"' not in edit.new:
            return name.decode("utf-8", "replace")
    return ""


def is_exported(names: Resolver, data: bytes, use: NameAt, binding: Binding) -> bool:
    """Whether other files can use what an occurrence declares; words that make it private are believed."""
    if binding.scope != MODULE_SCOPE and names.scopes.kind(binding.scope) is not ScopeKind.CLASS:
        return names.modules.is_module(binding.scope)
    facts = names.scopes.local(binding.scope)
    if facts is not None and facts.is_literal:
        return False
    line = data[data.rfind(b"\n", 0, use.start) + 1 : use.start]
    return not (use.occurrence.name.startswith(("_", "#")) or _PRIVATE.search(line) is not None)


def _declared_in(names: Resolver, syntax: SyntaxSnapshot, edit: ByteEdit) -> list[tuple[NameAt, Binding]]:
    rows: list[tuple[NameAt, Binding]] = []
    for name in touched_names(syntax.buffer.data, [edit]) or ():
        for use in names.scopes.in_spans(((edit.start, edit.old_end),), name):
            binding = names.binding(use) if use.occurrence.action is Action.BIND else None
            if binding is not None and edit.start <= use.start and use.end <= edit.old_end:
                rows.append((use, binding))
    return rows


def _is_whole_lines(data: bytes, edit: ByteEdit) -> bool:
    start, end = lines_around(data, edit.start, edit.old_end - 1)
    return not data[start : edit.start].strip() and not data[edit.old_end : end].strip()


def _has_effect(syntax: SyntaxSnapshot, table: ScopeTable, edit: ByteEdit) -> bool:
    """Whether a deleted statement does more than declare; functions in it are skipped: nothing calls them."""
    path, offset = path_to(syntax, min(edit.start, max(0, edit.old_end - 1)))
    low, high = edit.start - offset, edit.old_end - offset
    around = next((node for node in reversed(path) if node.start_byte <= low and high <= node.end_byte), None)
    stack, visited = [around] if around is not None else [], 0
    while stack:
        node = stack.pop()
        visited += 1
        if visited > MAX_NODES or node.has_error:
            return True
        inside = low <= node.start_byte and node.end_byte <= high
        if inside and (_EFFECT.search(node.type) is not None or _is_member_assignment(node, table)):
            return True
        if node.type in table.functions and inside:
            continue
        stack.extend(child for child in node.children if child.start_byte < high and low < child.end_byte)
    return around is None


def _is_member_assignment(node: Node, table: ScopeTable) -> bool:
    if not node.type.endswith(_ASSIGNMENTS):
        return False
    target = node.named_child(0)
    return target is not None and target.type not in table.names


_LIST = re.compile(rb"^__all__\b[^=\n]*=\s*[\[(]([^\])]*)", re.MULTILINE)


def lost_export(
    before: Resolver,
    after: Resolver,
    positions: PositionMap,
    names: Sequence[str],
    uri: str,
    is_used_elsewhere: IsUsedElsewhere,
) -> str:
    """A name that another file may take from here and that edits take away; empty where there is none.

    A declaration counts as used where nobody knows. A rename leads to other files by itself, if `__all__` does not keep
    the old name.
    """
    data = before.scopes.facts.data
    for name in names:
        for use in before.scopes.in_spans(positions.removed, name):
            edit = next((edit for edit in positions.edits if edit.start < use.end and use.start < edit.old_end), None)
            if edit is None or not _is_lost(before, after, positions, use):
                continue
            if edit.new.strip():
                if _is_listed(after, name):
                    return name
                binding = before.binding(use)
                if is_renaming(data, edit) or binding is None or binding.scope != MODULE_SCOPE:
                    continue
            if is_used_elsewhere(uri, name) is not False:
                return name
    return ""


def _is_lost(before: Resolver, after: Resolver, positions: PositionMap, use: NameAt) -> bool:
    """Whether an occurrence declares what other files can use, and nothing declares it after the edits."""
    if use.occurrence.action is not Action.BIND or use.occurrence.kind == "import":
        return False
    binding = before.binding(use)
    if binding is None or not is_exported(before, before.scopes.facts.data, use, binding):
        return False
    if any(positions.after(row.start, row.end) is not None for row in before.declarations(binding)):
        return False
    return not any(
        row.occurrence.action is Action.BIND and positions.is_inserted(row.start, row.end)
        for row in after.scopes.in_spans(positions.inserted, use.occurrence.name)
    )


def _is_listed(names: Resolver, name: str) -> bool:
    """Whether the `__all__` of a module of Python has a name."""
    quoted = re.compile(rb"[\"']" + re.escape(name.encode()) + rb"[\"']")
    lists = _LIST.finditer(names.scopes.facts.data) if names.table.classes.explicit_self else ()
    return any(quoted.search(row.group(1)) for row in lists)
