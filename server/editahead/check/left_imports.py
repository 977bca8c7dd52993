"""Imports that a change left behind: of what a module no longer declares, and of what a file no longer uses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from posixpath import commonpath
from typing import NamedTuple

from editahead.analysis.import_statements import import_at, is_used_by_tags
from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt
from editahead.check.gone_modules import by_path, is_replaced, what_became_of
from editahead.check.leftover import MAX_LEFT, WORD, FileVersions, Leftover, NamesOf
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import LeadsTo, path_of, uses_elsewhere
from editahead.suggest.types import Document
from editahead.syntax.scope_table import Action

GONE, UNUSED, UNUSED_NEW = "removed-import", "unused-import", "unused-new-import"
MAX_LOST = 100
"""Names of one module that went."""
MAX_IMPORTERS = 300
"""Files that are looked at for uses of one module."""
_OUTER_LINE = re.compile(rb"^[^\W\d][^\n]*", re.MULTILINE)
_IMPORTS = re.compile(rb"\bimport\s*(?:[({][^)}]{0,20000}[)}]|(?:[^\n;\\]|\\\r?\n)*)|\brequire\b[^\n]*")
_DOTS = re.compile(rb"\bfrom\s+\.+\s+import\b|['\"]\.+/?['\"]")
_NOT_MEANT = re.compile(rb"noqa|pylint: *disable|type: *ignore|isort: *skip|NOLINT|eslint-disable")


def lost_names(versions: FileVersions, exists: Callable[[str], bool]) -> list[str]:
    """The names that a changed module declared before and no longer declares, in the order of the changes.

    Only names in lines that are not indented are looked at: the others are declared in blocks. `exists` knows the paths
    of the project: a folder with the name of a module that is gone may hold what it declared.
    """
    if versions.table.imports.folder_is_one_module:
        return []
    words = versions.old_words
    lines = _OUTER_LINE.findall(versions.file.document.history.anchor.data) if words else []
    outer = {word for line in lines for word in WORD.findall(line)}
    names = (word.decode("utf-8", "replace") for word in words if word in outer)
    found = [name for name in names if name not in versions.table.keywords and versions.lost(name)][:MAX_LOST]
    path, is_gone = versions.file.document.uri, versions.file.moved is not None
    return [name for name in found if not (is_gone and is_replaced(path, exists, name))]


class Importer(NamedTuple):
    """A file that may import from another one, by its text: the words of its imports, and the other one's module."""

    document: Document
    words: frozenset[bytes]
    module: bytes

    def may_use(self, name: str) -> bool:
        """Whether it may use a name of that module: it imports such a name, or has it behind the module and a dot."""
        word = name.encode()
        return word in self.words or self.module + b"." + word in self.document.syntax.buffer.data


def importers(home: Document, documents: Sequence[Document]) -> list[Importer]:
    """The other files of its language that may import from a file, those of the nearest folders first.

    Such a file has a line of an import with the name of the module, or with dots alone. A list of names over several
    lines may stand before the module. At most MAX_IMPORTERS.
    """
    path = path_of(home.uri)
    whole = path.stem in ("__init__", "index")
    stem = (path.parent if whole else path).stem.encode()
    named = re.compile(rb"\b(?:import|from|require)\b[^\n]*(?<!\w)" + re.escape(stem) + rb"(?!\w)")
    alike = [other for other in documents if other.uri != home.uri and _alike(other, home)]
    found = [
        other
        for other in alike
        if (stem in (data := other.syntax.buffer.data) and named.search(data)) or (whole and _DOTS.search(data))
    ]
    found.sort(key=lambda other: (-len(commonpath([f"/{home.uri}", f"/{other.uri}"])), other.uri))
    return [Importer(other, _imported(other.syntax.buffer.data), stem) for other in found[:MAX_IMPORTERS]]


def _imported(data: bytes) -> frozenset[bytes]:
    """The words of all imports of a text, by its looks."""
    return frozenset(word for match in _IMPORTS.finditer(data) for word in WORD.findall(match.group()))


def left_imports(
    versions: FileVersions, lost: Sequence[str], importing: Sequence[Importer], names_of: NamesOf, leads_to: LeadsTo
) -> Iterator[Leftover]:
    """The imports of lost names of a changed file in those that may import from it; without one, uses behind it."""
    home, moved = versions.file.document, versions.file.moved
    test = leads_to if moved != "" else by_path(leads_to)
    for name in lost:
        cause, left = (home.uri, versions.line_of(name)) if moved is None else None, 0
        for other in (one.document for one in importing if one.may_use(name)):
            names = names_of(other)
            uses = uses_elsewhere(names, name, home.uri, other.uri, test) if names is not None else []
            imported = [at for at in uses if is_import(at)]
            for at in imported or [at for at in uses if at.occurrence.action is Action.ATTRIBUTE]:
                verb, left = "imports" if imported else "uses", left + 1
                reason = f"{verb} `{name}`, which this change removed from {home.uri}"
                if moved is not None:
                    reason = f"{verb} `{name}` from {home.uri}, which this change {what_became_of(moved)}"
                yield Leftover(other, at.start, at.end, GONE, name, reason, cause)
            if left >= MAX_LEFT:
                break


def _alike(one: Document, other: Document) -> bool:
    """Whether files of two languages import from one another, as those of TypeScript and JavaScript do."""
    tables = one.syntax.language.scopes, other.syntax.language.scopes
    words = {table.imports.export_keyword if table is not None else "" for table in tables}
    return one.language_id == other.language_id or (len(words) == 1 and "" not in words)


def is_import(at: NameAt) -> bool:
    """Whether a name stands in an import; `a = None` where that fails binds it as well."""
    one = at.occurrence
    return one.action is Action.IMPORTED or (one.action is Action.BIND and one.kind == "import")


def unused_imports(versions: FileVersions) -> Iterator[Leftover]:
    """Imports of a changed file whose name stands nowhere else: the change took the last use, or wrote the import."""
    document = versions.file.document
    if path_of(document.uri).name == "__init__.py" or not versions.table.imports.statements:
        return
    data = document.syntax.buffer.data
    times, were = Counter(WORD.findall(data)), Counter(WORD.findall(document.history.anchor.data))
    for word in dict.fromkeys((*versions.old_words, *versions.new_words)):
        if times[word] != 1 or versions.now is None:  # comments and strings count as uses
            continue
        name = word.decode("utf-8", "replace")
        for at in versions.now.names(name) if not is_used_by_tags(name, versions.table, data) else ():
            one = at.occurrence
            if one.action is not Action.BIND or one.kind != "import" or one.module.startswith("__future__"):
                continue
            statement = import_at(document.syntax, versions.table, at.start)
            if statement is None or _NOT_MEANT.search(_lines(data, statement.start, statement.end)):
                continue
            new = versions.touched(at.start, at.end)
            if new and versions.before is not None and versions.before.exists(one.name, MODULE_SCOPE):
                continue  # it was declared here, and others still find it here
            if new or were[word] > 1:
                kind = UNUSED_NEW if new else UNUSED
                reason = f"imports `{one.name}`, which nothing here uses{'' if new else ' any more'}"
                yield Leftover(document, at.start, at.end, kind, one.name, reason)


def _lines(data: bytes, start: int, end: int) -> bytes:
    first, last = data.rfind(b"\n", 0, start) + 1, data.find(b"\n", end)
    return data[first : len(data) if last < 0 else last]
