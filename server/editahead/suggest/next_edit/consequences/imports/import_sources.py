"""The modules from which a name can be imported, by the imports and declarations of the other open files.

For Python also by the standard library.
"""

from __future__ import annotations

import collections.abc
import re
import sys
import typing
from collections.abc import Iterable, Iterator

from editahead.analysis.facts.file_facts import MODULE, FileFacts, Unit
from editahead.analysis.import_statements import import_at
from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt
from editahead.analysis.resolver.resolver import Resolver
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import is_module, path_of
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import Action, ScopeTable

_IMPORT = b"import"  # in every import of the languages that have an `import_form`
_TYPES = {"typing": frozenset(typing.__all__), "collections.abc": frozenset(collections.abc.__all__)}
"""Modules of types: a file that imports some of their names imports others from there, too."""


def standard_module_of(name: str, behind: bytes, modules: Iterable[str]) -> tuple[str, str] | None:
    """As `module_of`, for the standard library of Python.

    A name before a dot (`behind` is the text that follows) may be a module itself; a type is imported from a module
    among `modules`, from which the file imports other names.
    """
    if _is_standard_module(name, behind):
        return "", "standard"
    sources = {module for module in modules if name in _TYPES.get(module, ())}
    return (sources.pop(), "standard") if len(sources) == 1 else None


def may_be_standard(name: str, behind: bytes) -> bool:
    """Whether `standard_module_of` has a result for some modules."""
    return _is_standard_module(name, behind) or any(name in names for names in _TYPES.values())


def _is_standard_module(name: str, behind: bytes) -> bool:
    return name in sys.stdlib_module_names and behind == b"."


def module_of(moment: Moment, table: ScopeTable, name: str) -> tuple[str, str] | None:
    """The module to import a name from (empty: the name is a module), and the evidence; None if files disagree."""
    document = moment.document
    here = path_of(document.uri)
    imported: set[str] = set()
    declared: set[str] = set()
    for other in document.others:
        moment.check()
        if other.language_id != document.language_id or name.encode() not in other.syntax.buffer.data:
            continue
        names = moment.resolver(other.uri, other.syntax, Parts(frozenset({name.encode()})))
        there = path_of(other.uri)
        for at in _possible_bindings(names, table, name) if names is not None else ():
            occurrence = at.occurrence
            if occurrence.action is not Action.BIND or names is None:
                continue
            module, scope = occurrence.module, names.scopes.placed(at.unit, occurrence.scope)
            if occurrence.kind == "import":
                statement = import_at(other.syntax, table, at.start)
                whole = statement is not None and not statement.takes_names and not table.imports.folder_is_one_module
                near = not module.lstrip("'\"").startswith(".") or there.parent == here.parent
                if statement is not None and module and near and (not whole or module == name):
                    imported.add("" if whole else module)
            elif occurrence.kind in ("function", "class") and scope == MODULE_SCOPE:
                start = names.scopes.facts.units[at.unit].start
                if names.scopes.facts.data.startswith(table.imports.export_keyword.encode(), start):
                    declared.add(other.uri)
    if len(imported) == 1 and not declared:
        return imported.pop(), "as-others"
    if len(declared) == 1 and len(imported) <= 1 and not table.imports.folder_is_one_module:
        source = imported.pop() if imported else _imported_name_of(moment, table, declared.pop())
        return (source, "open-file") if source else None
    return None


def _possible_bindings(names: Resolver, table: ScopeTable, name: str) -> Iterator[NameAt]:
    """Yield the occurrences of a name in units that may import it, or declare it at the top level.

    Other units are not read: for a common name, these would be most functions of all open files.
    """
    scopes = names.scopes
    word = rf"(?<!\w){re.escape(name)}(?!\w)"
    alone = re.compile(word.encode())
    before = rf"\b(?:{'|'.join(table.imports.declaring_words)})\s+" if table.imports.declaring_words else ""
    declared = re.compile((before + word).encode())
    for number in scopes.units_with(name.encode()):
        unit = scopes.facts.units[number]
        imports = _can_import(scopes.facts, unit, table) and alone.search(scopes.facts.data, unit.start, unit.end)
        if imports or (unit.outer == MODULE and declared.search(scopes.facts.data, unit.start, unit.end)):
            yield from scopes.in_unit(number, name)


def _can_import(facts: FileFacts, unit: Unit, table: ScopeTable) -> bool:
    return not table.imports.form or facts.data.find(_IMPORT, unit.start, unit.end) >= 0


def _imported_name_of(moment: Moment, table: ScopeTable, uri: str) -> str:
    """The name of a file's module in the imports of open files; empty if there is none, or more than a single name."""
    path, here = path_of(uri), path_of(moment.document.uri)
    modules: set[str] = set()
    for other in (moment.document, *moment.document.others):
        if path.stem.encode() not in other.syntax.buffer.data or other.language_id != moment.document.language_id:
            continue
        names = moment.resolver(other.uri, other.syntax, Parts(frozenset({path.stem.encode()})))
        there = path_of(other.uri)
        facts = names.scopes.facts if names is not None else None
        for unit in facts.units if facts is not None else ():
            for row in unit.facts.occurrences if facts is not None and _can_import(facts, unit, table) else ():
                is_import = row.kind == "import" and row.module and is_module(row.module, row.name, path, there)
                is_relative = row.module.lstrip("'\"").startswith(".")
                if is_import and (not is_relative or there.parent == here.parent):
                    modules.add(row.module)
    return modules.pop() if len(modules) == 1 else ""
