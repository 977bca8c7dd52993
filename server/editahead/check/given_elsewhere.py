"""Names without an import: whether another file, a base class or a header may still give what a change removed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import PurePosixPath
from posixpath import normpath

from editahead.analysis.resolver.file_scopes import NameAt
from editahead.analysis.resolver.resolver import Resolver
from editahead.check.dynamic_classes import derived_classes
from editahead.check.leftover import Leftover, NamesOf
from editahead.suggest.types import Document
from editahead.syntax.scope_table import Action, ScopeKind, ScopeTable

MAX_GIVERS = 300
"""Files with a word that are read for its declaration; beyond that the name counts as declared."""
MAX_INCLUDES = 60
"""Includes of one file that are looked for."""
_LOCAL = frozenset({"parameter", "type-parameter", "label", "import"})
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*(?:include|import)\b[ \t]*(?:[<"]([^>"\n]{1,200})[>"])?', re.MULTILINE)
_HEADERS = frozenset({".h", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".tpp", ".inl"})
_BELOW = ("", "include", "src", "lib")
"""Folders that are often searched for headers, below those above the file."""
_STANDARD = re.compile(
    r"(sys|netinet|arpa|net)/\w+\.h|[a-z_0-9]+|c?(assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|"
    r"math|setjmp|signal|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|stdnoreturn|string|tgmath|threads|"
    r"time|uchar|wchar|wctype|unistd|fcntl|pthread|dirent|poll|sched|semaphore|termios|netdb|pwd|grp|dlfcn|getopt|"
    r"strings|syslog|regex|glob|fnmatch|libgen|malloc|alloca|memory|endian|byteswap|execinfo|utime|ucontext|spawn)\.h"
)
"""Headers of C, C++ and POSIX; those of C++ have no ending."""
_PARTIAL = re.compile(rb"\bpartial\b[^{;]*\{")


def needs_no_import(table: ScopeTable) -> bool:
    """Whether files of a language see what others declare without an import."""
    return table.imports.folder_is_one_module or not table.imports.form


def may_be_inherited(names: Resolver, at: NameAt) -> bool:
    """Whether a bare name in a class may be a member of a base, or of a part, that the file does not hold."""
    if not names.table.classes.scope_is_inherited:
        return False
    for scope in names.scopes.around(names.scopes.placed(at.unit, at.occurrence.scope)):
        if names.scopes.kind(scope) is ScopeKind.CLASS:
            start, end = names.scopes.span(scope)
            if names.classes.has_unknown_base(scope) or _PARTIAL.match(names.scopes.facts.data, start, end):
                return True
    return False


def not_given(
    rows: Iterable[Leftover],
    changed: Sequence[Document],
    holding: Callable[[Sequence[str]], Sequence[Document]],
    at: Callable[[Sequence[str]], Sequence[Document]],
    names_of: NamesOf,
) -> Iterator[Leftover]:
    """Leave out the uses of names that another file of the project declares where files need no import.

    In Python the members of a class that another file derives one from: the derived one may have them.

    `changed`: the files of the change; `holding` gives the others with one of some words, `at` those of some paths.
    """
    rows = list(rows)
    words = sorted({word for row in rows if (word := _looked_up(row))})
    documents = [*changed, *holding(words)] if words else []

    @cache
    def given(home: str, name: str) -> bool:
        table, word = _table(homes[home]), name.encode()
        alike = [one for one in documents if one.uri != home and _alike(one, homes[home])]
        givers = [one for one in alike if word in one.syntax.buffer.data]
        if len(givers) > MAX_GIVERS or any(_declares(names_of(one), name) for one in givers):
            return True
        headers = any(PurePosixPath(one.uri).suffix in _HEADERS and one.syntax.count(word) for one in givers)
        return table.prototypes and included(home) is not False and (headers or included(home) is None)

    @cache
    def included(home: str) -> bool | None:
        return _includes_headers(homes[home], at)

    @cache
    def derived(home: str, owner: str) -> bool:
        alike = (one for one in documents if one.uri != home and one.language_id == homes[home].language_id)
        return any(True for one in alike for _ in derived_classes(one.syntax.buffer.data, owner))

    homes = {row.document.uri: row.document for row in rows}
    for row in rows:
        word = _looked_up(row)
        test = given if needs_no_import(_table(row.document)) else derived
        if not word or not test(row.document.uri, word):
            yield row


def _looked_up(row: Leftover) -> str:
    """The word that other files are asked for; empty where they have no say."""
    table = _table(row.document)
    return row.name if needs_no_import(table) else row.owner if table.classes.explicit_self else ""


def _table(document: Document) -> ScopeTable:
    table = document.syntax.language.scopes
    assert table is not None  # its names were read
    return table


def _alike(one: Document, other: Document) -> bool:
    """Whether two files can use what each other declares: of one language, or of C and C++."""
    tables = one.syntax.language.scopes, other.syntax.language.scopes
    return one.language_id == other.language_id or all(table is not None and table.prototypes for table in tables)


def _declares(names: Resolver | None, name: str) -> bool:
    """Whether a file declares a name outside of functions."""
    for at in names.names(name) if names is not None else ():
        one = at.occurrence
        if names is None or one.action is not Action.BIND or one.kind in _LOCAL:
            continue
        scope = names.scopes.binding_scope(names.scopes.placed(at.unit, one.scope), name)
        if names.scopes.kind(scope) in (ScopeKind.MODULE, ScopeKind.CLASS):
            return True
    return False


def _includes_headers(document: Document, at: Callable[[Sequence[str]], Sequence[Document]]) -> bool | None:
    """Whether a file includes headers beside the standard ones; None where the project does not hold one of them."""
    path, known = PurePosixPath(document.uri), False
    for match in islice(_INCLUDE.finditer(document.syntax.buffer.data), MAX_INCLUDES):
        written = (match[1] or b"").decode("utf-8", "replace")
        if _STANDARD.fullmatch(written):
            continue
        places = {normpath(folder / below / written) for folder in path.parents for below in _BELOW}
        if not written or not at(sorted(place for place in places if not place.startswith(("/", "..")))):
            return None
        known = True
    return known
