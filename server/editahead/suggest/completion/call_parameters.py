"""The parameters of functions that a list of completions offers, from their declarations in the file."""

from __future__ import annotations

import re
from dataclasses import replace

from editahead.analysis.signatures import Declared, function_named
from editahead.suggest.types import Completions, Document
from editahead.syntax.scope_table import ScopeTable

MAX_ITEMS = 20  # of a list whose declarations are looked up
_MAX_BYTES = 512 << 10  # of the file that are searched
_MAX_LOOKUPS = 60  # occurrences of the names, followed by a bracket
_OBJECTS = ("self", "cls")
# Before the name: an import, a decorator, a declaration. None of them is a call.
_NO_CALL = re.compile(
    rb"^\s*(?:from|import|use|export\s*\{)\b|@[\w.]*\Z|\b(?:def|class|fn|func|function|get|set|instanceof|extends)\s+\Z"
)


def with_parameters(completions: Completions, document: Document) -> Completions:
    """Add the parameters of functions and methods that the file declares, where a call can begin.

    The tree is read for a bounded number of names; functions that share a name but not their parameters get none.
    """
    table, data = document.syntax.language.scopes, document.syntax.buffer.data
    line_start = data.rfind(b"\n", 0, completions.start) + 1
    names = {item.label for item in completions.items[:MAX_ITEMS] if item.kind == "function"}
    is_called = data[completions.end : completions.end + 1] in (b"(", b"<")
    if table is None or not names or is_called or _NO_CALL.search(data[line_start : completions.start]):
        return completions
    is_member = data[: completions.start].endswith((b".", b"->", b"::"))
    rows = _declarations(document, table, names)
    items = []
    for item in completions.items:
        variants = {_arguments(declared, data, is_member=is_member) for declared in rows.get(item.label, ())}
        arguments = variants.pop() if len(variants) == 1 and item.kind == "function" else None
        items.append(item if arguments is None else replace(item, arguments=arguments))
    return replace(completions, items=tuple(items))


def _declarations(document: Document, table: ScopeTable, names: set[str]) -> dict[str, list[Declared]]:
    """The functions of some names that the file declares."""
    data = document.syntax.buffer.data
    pattern = rb"(?<![\w$])(?:%s)(?=\s*(?:<[^<>()]*>\s*)?\()" % b"|".join(re.escape(name.encode()) for name in names)
    rows: dict[str, list[Declared]] = {}
    for count, match in enumerate(re.finditer(pattern, data[:_MAX_BYTES])):
        if count == _MAX_LOOKUPS:
            break
        declared = function_named(document.syntax, table, match.start())
        if declared is not None:
            rows.setdefault(declared.name, []).append(declared)
    return rows


def _arguments(declared: Declared, data: bytes, *, is_member: bool) -> tuple[str, ...] | None:
    """The arguments that a call must have, `name=name` of a keyword; None of a method without its object."""
    items = list(declared.parameters.items)
    if items and (items[0].form == "object" or items[0].name in _OBJECTS):
        if not is_member:
            return None
        del items[0]
    arguments, is_keyword = list[str](), False
    for item in items:
        if item.form == "plain" and not item.optional and item.name:
            arguments.append(f"{item.name}={item.name}" if is_keyword else item.name)
        is_keyword |= item.form in ("rest", "separator") and data[item.start : item.end].startswith(b"*")
    return tuple(arguments)
