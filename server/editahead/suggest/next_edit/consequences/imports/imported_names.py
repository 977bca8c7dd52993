"""What import statements bring: the name that the file has for it, and what it means, as a row of names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from editahead.analysis.import_statements import ImportStatement, import_at
from editahead.syntax.scope_table import ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot

_ITEM = re.compile(r"(type\s+)?([\w$.]+)(?:\s+as\s+([\w$]+))?")
_QUOTES = ("'", '"')
_NAMESPACE = re.compile(r"\*\s*as\s+([\w$]+)")


class ImportedName(NamedTuple):
    """One item of an import, in bytes [start, end).

    `path` is what it means, its module before it; `short` the name by which that can be said in the file instead, empty
    where there is none, or where it is a type alone (`import { type A }`), which cannot be said where a value stands.
    `form`: `name`, `alias`, or `static`. `quoted`: the module is a text, no names.
    """

    start: int
    end: int
    path: tuple[str, ...]
    short: str
    form: str
    quoted: bool
    statement_end: int


def imported_at(syntax: SyntaxSnapshot, table: ScopeTable, byte: int) -> ImportedName | None:
    """The item of an import of the module that holds a byte; None where none does."""
    statement = import_at(syntax, table, byte)
    rows = imported_names(statement, table, syntax.buffer.data) if statement is not None else ()
    return next((one for one in rows if one.start <= byte < one.end), None)


def imported_names(statement: ImportStatement, table: ScopeTable, data: bytes) -> Iterator[ImportedName]:
    """The items of an import in text order; none of imports of all names."""
    text = data[statement.start : statement.end]
    quoted = statement.module[:1] in _QUOTES
    if b"*" in text and not quoted:
        return
    whole_path = "" in table.imports.modules.values()  # the only item is the whole path
    static = whole_path and text.split()[1:2] == [b"static"]
    for item in statement.row.items:
        written = data[item.start : item.end].decode("utf-8", "replace").strip()
        found = _ITEM.fullmatch(written)
        names = tuple(found.group(2).split(".")) if found is not None else ()
        alias = (found.group(3) or "") if found is not None else ""
        if quoted and not statement.takes_names:
            if found is None and _NAMESPACE.fullmatch(written) is None:
                continue
            path, short = (statement.module,), ""
        elif found is None:
            continue
        elif whole_path or alias:
            path, short = (*_modules(statement), *names) if statement.takes_names else names, alias or names[-1]
        elif statement.takes_names:
            path, short = (*_modules(statement), *names), names[-1]
        else:
            path, short = names[:1], ""  # `import a.b` gives the name `a`
        if statement.types_only or (quoted and found is not None and found.group(1)):
            short = ""
        form = "static" if static else "alias" if alias else "name"
        yield ImportedName(item.start, item.end, path, short, form, quoted, statement.end)


def _modules(statement: ImportStatement) -> tuple[str, ...]:
    """The module of an import as a row of names; the dots before a relative one are a name of their own."""
    module = statement.module
    if module[:1] in _QUOTES:
        return (module,)
    bare = module.lstrip(".")
    dots = module[: len(module) - len(bare)]
    return (*((dots,) if dots else ()), *(bare.split(".") if bare else ()))
