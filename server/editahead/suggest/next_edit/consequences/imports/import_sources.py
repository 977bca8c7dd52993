"""Where a name comes from, as the other open files say: they import it, or declare it themselves.

Or as the standard library of Python has it.
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
"""Modules whose names a file that takes some from them takes from nowhere else."""


def standard_module_of(name: str, behind: bytes, modules: Iterable[str]) -> tuple[str, str] | None:
    """As `module_of`, for the standard library of Python.

    A module of it is meant by its name before a dot (`behind` is the text that follows), and a type by a file that
    takes others from the same one of `modules`.
    """
    if _is_standard_module(name, behind):
        return "", "standard"
    found = {module for module in modules if name in _TYPES.get(module, ())}
    return (found.pop(), "standard") if len(found) == 1 else None


def may_be_standard(name: str, behind: bytes) -> bool:
    """Whether `standard_module_of` has an answer for some modules."""
    return _is_standard_module(name, behind) or any(name in names for names in _TYPES.values())


def _is_standard_module(name: str, behind: bytes) -> bool:
    return name in sys.stdlib_module_names and behind == b"."


def module_of(moment: Moment, table: ScopeTable, name: str) -> tuple[str, str] | None:
    """The module to import a name from (empty: the name is one itself), and who says so; None unless all agree."""
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
        for at in _telling(names, table, name) if names is not None else ():
            one = at.occurrence
            if one.action is not Action.BIND or names is None:
                continue
            if one.kind == "import":
                statement = import_at(other.syntax, table, at.start)
                whole = statement is not None and not statement.takes_names and not table.imports.folder_is_one_module
                near = not one.module.lstrip("'\"").startswith(".") or there.parent == here.parent
                if statement is not None and one.module and near and (not whole or one.module == name):
                    imported.add("" if whole else one.module)
            elif one.kind in ("function", "class") and names.scopes.placed(at.unit, one.scope) == MODULE_SCOPE:
                start = names.scopes.facts.units[at.unit].start
                if names.scopes.facts.data.startswith(table.imports.export_keyword.encode(), start):
                    declared.add(other.uri)
    if len(imported) == 1 and not declared:
        return imported.pop(), "as-others"
    if len(declared) == 1 and len(imported) <= 1 and not table.imports.folder_is_one_module:
        module = imported.pop() if imported else _known_as(moment, table, declared.pop())
        return (module, "open-file") if module else None
    return None


def _telling(names: Resolver, table: ScopeTable, name: str) -> Iterator[NameAt]:
    """Where a name stands in units of a file that may import it, or declare it at the top level.

    The others are not read: of a common name, those would be most functions of all open files.
    """
    scopes = names.scopes
    word = rf"(?<!\w){re.escape(name)}(?!\w)"
    alone = re.compile(word.encode())
    before = rf"\b(?:{'|'.join(table.imports.declaring_words)})\s+" if table.imports.declaring_words else ""
    declared = re.compile((before + word).encode())
    for number in scopes.units_with(name.encode()):
        unit = scopes.facts.units[number]
        imports = _may_import(scopes.facts, unit, table) and alone.search(scopes.facts.data, unit.start, unit.end)
        if imports or (unit.outer == MODULE and declared.search(scopes.facts.data, unit.start, unit.end)):
            yield from scopes.in_unit(number, name)


def _may_import(facts: FileFacts, unit: Unit, table: ScopeTable) -> bool:
    return not table.imports.form or facts.data.find(_IMPORT, unit.start, unit.end) >= 0


def _known_as(moment: Moment, table: ScopeTable, uri: str) -> str:
    """How open files call the module of a file in their imports; empty where none does, or in several ways."""
    home, here = path_of(uri), path_of(moment.document.uri)
    found: set[str] = set()
    for other in (moment.document, *moment.document.others):
        if home.stem.encode() not in other.syntax.buffer.data or other.language_id != moment.document.language_id:
            continue
        names = moment.resolver(other.uri, other.syntax, Parts(frozenset({home.stem.encode()})))
        there = path_of(other.uri)
        facts = names.scopes.facts if names is not None else None
        for unit in facts.units if facts is not None else ():
            for one in unit.facts.occurrences if facts is not None and _may_import(facts, unit, table) else ():
                fits = one.kind == "import" and one.module and is_module(one.module, one.name, home, there)
                relative = one.module.lstrip("'\"").startswith(".")
                if fits and (not relative or there.parent == here.parent):
                    found.add(one.module)
    return found.pop() if len(found) == 1 else ""
