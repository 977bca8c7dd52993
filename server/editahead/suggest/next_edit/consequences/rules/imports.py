"""Consequences of the user's edits for the imports: imports that are no longer used, and missing imports.

An import is removed when the user's edit deleted the last use of its name; comments and strings count as uses. An
import is added when a name that the user wrote is not declared in the file, and another open file imports or declares
it, or the standard library of Python has it. Otherwise the end of the imports is an open site, in Python and for
classes only: other names (variables, functions, modules) were declared near the use in half to three quarters of the
cases, and so were classes in files that declare some.
"""

from __future__ import annotations

import collections.abc
import re
import sys
import typing
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from editahead.analysis.facts.file_facts import MODULE, FileFacts, Unit
from editahead.analysis.import_statements import ImportStatement, import_at, imports_of, is_used_by_tags
from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt
from editahead.analysis.resolver.resolver import Resolver
from editahead.environment.import_edits import add_name, below, line_break, without_line
from editahead.patterns.changes import NetChange, net_changes, take_latest
from editahead.suggest.next_edit.consequences.calls.changed_functions import removed
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import (
    files_naming,
    is_module,
    path_of,
    uses_elsewhere,
)
from editahead.suggest.next_edit.consequences.rule import ChangeKind, EditRule
from editahead.suggest.next_edit.consequences.types import Cause, Consequence, Moment, OpenPlace, Refusal
from editahead.suggest.next_edit.related_documents import is_related
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import Action, ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit, lines_around
from editahead.text.words import IDENTIFIER, WORD_BYTES

_IMPORT = b"import"  # in every import of the languages that have an `import_form`
_TYPES = {"typing": frozenset(typing.__all__), "collections.abc": frozenset(collections.abc.__all__)}
"""Modules of types: a file that imports some of their names imports others from there, too."""
SOURCE, UNDECLARED = "import", "undeclared"
PLACE_LANGUAGE = "python"  # the language in which there are open places
MAX_CHANGES = 6  # the most recent changes of a text, which are read
MAX_WORDS = 40  # of a change
MAX_NAME_BYTES = 200  # of a name
MAX_STANDING = 600  # occurrences of a word in a text, also inside longer words, up to which it is read
_WORD = re.compile(rb"(?<![.$" + WORD_BYTES + rb"])" + IDENTIFIER)
_DECLARED = re.compile(rb"^(?:@\w|(?:async[ \t]+)?def[ \t]+\w+\(|class[ \t]+\w+[ \t]*[(:])", re.MULTILINE)
_CLASS, _CALLED = re.compile(rb"^class[ \t]", re.MULTILINE), re.compile(rb"[ \t]*\(")
_WORD_BYTE = re.compile(rb"[$" + WORD_BYTES + rb"]")
_LETTERS, _LETTERS_AT_END = re.compile(_WORD_BYTE.pattern + rb"*"), re.compile(_WORD_BYTE.pattern + rb"*\Z")


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
        if not is_related(other, document) or name.encode() not in other.syntax.buffer.data:
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
        if path.stem.encode() not in other.syntax.buffer.data or not is_related(other, moment.document):
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


def imports(moment: Moment) -> Iterator[Consequence | OpenPlace | Refusal]:
    """What follows for the imports of the document."""
    document = moment.document
    table = document.syntax.language.scopes
    if table is not None:
        changes = take_latest(net_changes(document.history, document.syntax.buffer.data), MAX_CHANGES)
        yield from _unused(moment, table, changes)
        yield from _missing(moment, table, changes)


def _unused(moment: Moment, table: ScopeTable, changes: list[NetChange]) -> Iterator[Consequence]:
    """Imports whose last use the user took away."""
    document = moment.document
    data = document.syntax.buffer.data
    if path_of(document.uri).name == "__init__.py":
        return  # what it imports, others use
    words = dict.fromkeys(chain.from_iterable(_old_words(change, data) for change in changes))
    for word in words:
        name = word.decode("utf-8", "replace")
        if not _is_unique(word, document.syntax) or is_used_by_tags(name, table, data):
            continue
        names = moment.resolver(document.uri, document.syntax, Parts(frozenset({word})))
        for at in names.names(name) if names is not None else ():
            occurrence = at.occurrence
            is_import = occurrence.action is Action.BIND and occurrence.kind == "import"
            if not is_import or occurrence.module.startswith("__future__"):
                continue
            statement = import_at(document.syntax, table, at.start)
            if statement is None or any(change.start <= at.end and at.start <= change.end for change in changes):
                continue
            edit = _without(statement, at.start, document.syntax.buffer)
            if edit is not None and not _is_taken_from_here(moment, name):
                kind = "unused/name" if len(statement.row.items) > 1 else "unused/statement"
                yield from _import_candidate(moment, edit, kind, f"`{name}` is no longer used", name)
            break


def _old_words(change: NetChange, data: bytes) -> list[bytes]:
    """The words that a change replaced, whole: of `np.a` that became `n.a` it removed `p`, and replaced `np`."""
    before = _LETTERS_AT_END.search(data[max(0, change.start - MAX_NAME_BYTES) : change.start])
    behind = _LETTERS.match(data, change.end, change.end + MAX_NAME_BYTES)
    whole = (before[0] if before is not None else b"") + change.old + (behind[0] if behind is not None else b"")
    return _WORD.findall(whole)[:MAX_WORDS] if change.old else []


def _is_taken_from_here(moment: Moment, name: str) -> bool:
    """Whether another open file imports a name from the document."""
    document = moment.document
    others = files_naming(moment, document, name)
    return any(uses_elsewhere(names, name, document.uri, other.uri) for other, names in others)


def _is_unique(word: bytes, syntax: SyntaxSnapshot) -> bool:
    """Whether a text has a word exactly once; the search ends at the second occurrence."""
    seen, data = 0, syntax.buffer.data
    for at in syntax.occurrences(word) if syntax.count(word) <= MAX_STANDING else ():
        inside = _WORD_BYTE.match(data, at + len(word)) or (at and _WORD_BYTE.match(data, at - 1))
        seen += not inside
        if seen > 1:
            break
    return seen == 1


def _without(statement: ImportStatement, start: int, buffer: Buffer) -> ByteEdit | None:
    items, data = statement.row.items, buffer.data
    at = next((number for number, item in enumerate(items) if item.start <= start < item.end), None)
    if at is None:
        return None
    if len(items) > 1:
        return without_line(buffer, items[at].start, items[at].end) or removed(statement.row, at, "")
    first, last = lines_around(data, statement.start, statement.end)
    alone = not data[first : statement.start].strip() and not data[statement.end : last].strip()
    return ByteEdit(first, min(last + 1, len(data)), b"") if alone else None


def _missing(
    moment: Moment, table: ScopeTable, changes: list[NetChange]
) -> Iterator[Consequence | OpenPlace | Refusal]:
    """Names that the user wrote and nobody declares, where the other open files agree on where they come from."""
    document = moment.document
    data, seen = document.syntax.buffer.data, set[bytes]()
    standard = document.language_id == "python"
    end = _place_for_imports(document, table)
    modules: list[str] | None = None
    for change in changes if document.others or standard else ():
        old = set(_WORD.findall(change.old))
        for match in list(_WORD.finditer(data, change.start, change.end))[:MAX_WORDS]:
            word, at = match.group(), match.start()
            typing = not document.idle and at <= moment.byte <= match.end()
            name = word.decode("utf-8", "replace")
            if word in seen or typing or name in table.builtins or name in table.keywords:
                continue
            seen.add(word)
            elsewhere = any(word in other.syntax.buffer.data for other in document.others)
            behind = data[match.end() : match.end() + 1]
            is_class = end is not None and word not in old and name[:1].isupper() and not name.isupper()
            if not elsewhere and not is_class and not (standard and may_be_standard(name, behind)):
                continue  # before any scope is read
            names = moment.resolver(document.uri, document.syntax, Parts(frozenset({word}), (at,)))
            here = names.name_at(at, name) if names is not None else None
            if names is None or here is None or here.occurrence.action is not Action.USE:
                continue
            if (
                names.binding(here) is not None
                or names.exists(name, MODULE_SCOPE)
                or names.scopes.has_wildcard_import()
            ):
                continue
            source = module_of(moment, table, name) if elsewhere else None
            if source is None and standard:
                if modules is None:
                    statements = imports_of(document.syntax, table)
                    modules = [statement.module for statement in statements if statement.takes_names]
                source = standard_module_of(name, behind, modules)
            if source is not None:
                module, kind = source
                edit = _added(moment, table, names, module, name)
                if edit is not None:
                    yield from _import_candidate(moment, edit, f"missing/{kind}", f"`{name}` is not imported", name)
                continue
            if elsewhere:
                yield Refusal(SOURCE, name, "no open file says where it comes from, or several do")
            if is_class and end is not None:
                cause = Cause(
                    UNDECLARED,
                    f"{document.uri} {name}",
                    f"`{name}` is not imported",
                    document.syntax.buffer.line_at(at),
                )
                texts = f"import of `{name}` is missing", f"imports of `{name}` are missing"
                kind = "called" if _CALLED.match(data, match.end()) else "named"
                yield from moment.open_place(cause, document, end, kind, *texts)


def import_block(syntax: SyntaxSnapshot, table: ScopeTable) -> Sequence[ImportStatement]:
    """The imports of a module above its first function or class."""
    first = _DECLARED.search(syntax.buffer.data)
    return [row for row in imports_of(syntax, table) if first is None or row.end <= first.start()]


def _place_for_imports(document: Document, table: ScopeTable) -> int | None:
    """The end of the imports of finished, sound Python without classes of its own; None anywhere else."""
    syntax = document.syntax
    is_finished_python = document.language_id == PLACE_LANGUAGE and not document.is_typing
    if not is_finished_python or _CLASS.search(syntax.buffer.data) or syntax.error_count():
        return None
    block = import_block(syntax, table)
    return syntax.buffer.line_span(syntax.buffer.line_at(block[-1].end))[1] if block else None


def _added(moment: Moment, table: ScopeTable, names: Resolver, module: str, name: str) -> ByteEdit | None:
    """The import of a name, in the order of those that stand there; None where there are none."""
    syntax = moment.document.syntax
    statements = imports_of(syntax, table)
    if not statements:
        return None
    data = syntax.buffer.data
    same = next((row for row in statements if not row.types_only and row.module == module and row.takes_names), None)
    if same is not None and module:
        edit = add_name(syntax.buffer, same.start, [(item.start, item.end) for item in same.row.items], name)
        if edit is not None:
            return edit
    form = table.imports.form if module else table.imports.module_form
    if not form:
        return None
    line, same_form = form.format(module=module, name=name), statements
    if table.imports.module_form:  # names and modules are imported by different statements
        same_form = [row for row in statements if row.takes_names is bool(module)]
    if not data[: statements[-1].end].endswith(b";"):
        line = line.rstrip(";")
    key = module or name
    near = [row for row in same_form if (row.module or row.row.names[:1]) and _key(row, data) <= key]
    if near:
        return _line_below(syntax.buffer, near[-1], line)
    before = same_form[0] if same_form else None
    if before is not None:
        return ByteEdit(before.start, before.start, line.encode() + line_break(syntax.buffer))
    return _line_below(syntax.buffer, statements[-1], line)


def _line_below(buffer: Buffer, statement: ImportStatement, line: str) -> ByteEdit:
    """A line below an import, whole where that is possible: from its first byte to its line break."""
    edit, newline = below(buffer, statement.end, line), line_break(buffer)
    if not buffer.data.startswith(newline, edit.start):
        return edit
    at = edit.start + len(newline)
    return ByteEdit(at, at, line.encode() + newline)


def _key(statement: ImportStatement, data: bytes) -> str:
    item = statement.row.items[0]
    return statement.module or data[item.start : item.end].decode("utf-8", "replace")


def _import_candidate(moment: Moment, edit: ByteEdit, kind: str, reason: str, name: str) -> Iterator[Consequence]:
    line = moment.document.syntax.buffer.line_at(edit.start)
    yield from moment.consequence(Cause(SOURCE, f"{kind} {name}", reason, line), moment.document, edit, kind)


RULE = EditRule(
    name=SOURCE,
    when=frozenset({ChangeKind.WORDS_ADDED, ChangeKind.WORDS_REMOVED}),
    generate=imports,
    you="use a name that is not imported, or remove its last use",
    follows=(
        "its import comes, or goes unless an open file takes it from there (Python, Java, TypeScript, JavaScript); for "
        "a class that no file knows, `Tab` leads to the end of the imports (Python)"
    ),
    examples=(
        "import os\n‹>import re\n›\n\ndef f(a):\n    return «a>re.escape(a)»\n",
        "‹import re\n>›import os\n\n\ndef f(a):\n    b = os.sep\n«    c = re.escape(a)\n>»    return b\n",
    ),
    variants=(UNDECLARED,),
)
