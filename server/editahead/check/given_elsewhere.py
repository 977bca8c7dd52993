"""Whether another file, a base class, a header or Python at run time may still give a name what a change removed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import PurePosixPath
from posixpath import normpath

from editahead.analysis.resolver.file_scopes import NameAt, ScopeRef
from editahead.analysis.resolver.module_paths import Binding
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.signatures import decorators
from editahead.check.declared_functions import PLAIN_CLASS_DECORATORS
from editahead.check.leftover import Leftover, NamesOf
from editahead.suggest.types import Document
from editahead.syntax.scope_table import Action, ScopeKind, ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot

_MAX_CLASSES = 50  # bases of a class, and classes derived from it, that are looked at
_BY_NAME = re.compile(
    rb"\bsetattr\s*\(|\.__dict__\b|\bvars\s*\(|\b__getattr(?:ibute)?__\b|"
    rb"\bmetaclass\s*=(?!\s*(?:abc\s*\.\s*)?ABCMeta\b)"
)
"""What gives a class or its objects members by name."""
_DERIVED = rb"\bclass\s+(\w+)(?:\s*\[[^\]]{0,500}\])?\s*\([^)]{0,1000}(?<!\w)%s(?!\w)"
MAX_GIVERS = 300  # files with a word that are read for its declaration; beyond that the name counts as declared
MAX_INCLUDES = 60  # includes of a file that are looked up
_LOCAL = frozenset({"parameter", "type-parameter", "label", "import"})
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*(?:include|import)\b[ \t]*(?:[<"]([^>"\n]{1,200})[>"])?', re.MULTILINE)
_HEADERS = frozenset({".h", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".tpp", ".inl"})
_BELOW = ("", "include", "src", "lib")  # folders that are often searched for headers, below those above the file
_STANDARD = re.compile(
    r"(sys|netinet|arpa|net)/\w+\.h|[a-z_0-9]+|c?(assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|"
    r"math|setjmp|signal|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|stdnoreturn|string|tgmath|threads|"
    r"time|uchar|wchar|wctype|unistd|fcntl|pthread|dirent|poll|sched|semaphore|termios|netdb|pwd|grp|dlfcn|getopt|"
    r"strings|syslog|regex|glob|fnmatch|libgen|malloc|alloca|memory|endian|byteswap|execinfo|utime|ucontext|spawn)\.h"
)
"""Headers of C, C++ and POSIX; those of C++ have no ending."""
_PARTIAL = re.compile(rb"\bpartial\b[^{;]*\{")


def derived_classes(data: bytes, name: str) -> Iterator[str]:
    """The names of classes that a text derives from the class of a name."""
    if name.encode() in data:
        for match in re.finditer(_DERIVED % re.escape(name.encode()), data):
            yield match[1].decode("utf-8", "replace")


def class_name(names: Resolver, owner: ScopeRef) -> str:
    """The name of a class; empty where it has none."""
    facts = names.scopes.local(owner)
    return facts.name if facts is not None else ""


def class_of_name(names: Resolver, name: str) -> ScopeRef | None:
    """The class of a file that a name declares; the first of several."""
    rows = (at for at in names.names(name) if at.occurrence.kind == "class")
    return next((scope for at in rows if (scope := names.scopes.declared_by(at.start)) is not None), None)


def is_maybe_given_by_name(names: Resolver, syntax: SyntaxSnapshot, member: Binding) -> bool:
    """Whether a class is a mixin, or it, a base in the file or a decorator may give its objects a member by name."""
    data = syntax.buffer.data
    quoted = re.compile(rb"(['\"])" + re.escape(member.name.encode()) + rb"\1")
    for owner in _with_bases(names, member.scope):
        start, end = names.scopes.span(owner)
        if class_name(names, owner).endswith("Mixin") or _BY_NAME.search(data, start, end):
            return True
        if data.find(b"__slots__", start, end) >= 0 and quoted.search(data, start, end):
            return True
        if not PLAIN_CLASS_DECORATORS.issuperset(decorators(syntax, names.table, names.scopes.name_start(owner))):
            return True
    return False


def is_maybe_given_by_subclass(names: Resolver, syntax: SyntaxSnapshot, member: Binding) -> bool:
    """Whether a class that the file derives from that of a member has that member, or may have it."""
    for name in list(derived_classes(syntax.buffer.data, class_name(names, member.scope)))[:_MAX_CLASSES]:
        derived = class_of_name(names, name)
        if derived is None or names.classes.has_unknown_base(derived):
            return True
        if names.members.owner(derived, member.namespace, member.name) is not None:
            return True
    return False


def _with_bases(names: Resolver, owner: ScopeRef) -> list[ScopeRef]:
    classes = [owner]
    for current in classes:
        classes += [base for base in names.classes.bases(current) if base not in classes]
        if len(classes) > _MAX_CLASSES:
            break
    return classes


def has_implicit_imports(table: ScopeTable) -> bool:
    """Whether files of a language see what others declare without an import."""
    return table.imports.folder_is_one_module or not table.imports.form


def can_be_inherited(names: Resolver, at: NameAt) -> bool:
    """Whether a bare name in a class may be a member of a base, or of a part, that the file does not hold."""
    if not names.table.classes.scope_is_inherited:
        return False
    for scope in names.scopes.around(names.scopes.placed(at.unit, at.occurrence.scope)):
        if names.scopes.kind(scope) is ScopeKind.CLASS:
            start, end = names.scopes.span(scope)
            if names.classes.has_unknown_base(scope) or _PARTIAL.match(names.scopes.facts.data, start, end):
                return True
    return False


def drop_declared_elsewhere(
    rows: Iterable[Leftover],
    changed: Sequence[Document],
    holding: Callable[[Sequence[str]], Sequence[Document]],
    at: Callable[[Sequence[str]], Sequence[Document]],
    names_of: NamesOf,
) -> Iterator[Leftover]:
    """Drop the uses of names that another file of the project declares where files need no import.

    In Python drop also members of a class with a subclass in another file, which may have them.

    `changed`: the files of the change; `holding` returns the others with any of some words, `at` those of some paths.
    """
    rows = list(rows)
    words = sorted({word for row in rows if (word := _search_word(row))})
    documents = [*changed, *holding(words)] if words else []

    @cache
    def is_declared(uri: str, name: str) -> bool:
        table, word = _table(by_uri[uri]), name.encode()
        related = [other for other in documents if other.uri != uri and _can_share_names(other, by_uri[uri])]
        candidates = [other for other in related if word in other.syntax.buffer.data]
        if len(candidates) > MAX_GIVERS or any(_has_declaration(names_of(other), name) for other in candidates):
            return True
        headers = any(PurePosixPath(other.uri).suffix in _HEADERS and other.syntax.count(word) for other in candidates)
        return table.prototypes and has_includes(uri) is not False and (headers or has_includes(uri) is None)

    @cache
    def has_includes(uri: str) -> bool | None:
        return _includes_headers(by_uri[uri], at)

    @cache
    def has_subclass(uri: str, owner: str) -> bool:
        related = (other for other in documents if other.uri != uri and other.language_id == by_uri[uri].language_id)
        return any(True for other in related for _ in derived_classes(other.syntax.buffer.data, owner))

    by_uri = {row.document.uri: row.document for row in rows}
    for row in rows:
        word = _search_word(row)
        test = is_declared if has_implicit_imports(_table(row.document)) else has_subclass
        if not word or not test(row.document.uri, word):
            yield row


def _search_word(row: Leftover) -> str:
    """The word that is searched in other files; empty where they do not matter."""
    table = _table(row.document)
    return row.name if has_implicit_imports(table) else row.owner if table.classes.explicit_self else ""


def _table(document: Document) -> ScopeTable:
    table = document.syntax.language.scopes
    assert table is not None  # its names were read
    return table


def _can_share_names(first: Document, second: Document) -> bool:
    """Whether two files can use declarations of each other: of the same language, or of C and C++."""
    tables = first.syntax.language.scopes, second.syntax.language.scopes
    return first.language_id == second.language_id or all(table is not None and table.prototypes for table in tables)


def _has_declaration(names: Resolver | None, name: str) -> bool:
    """Whether a file declares a name outside of functions."""
    for at in names.names(name) if names is not None else ():
        occurrence = at.occurrence
        if names is None or occurrence.action is not Action.BIND or occurrence.kind in _LOCAL:
            continue
        scope = names.scopes.binding_scope(names.scopes.placed(at.unit, occurrence.scope), name)
        if names.scopes.kind(scope) in (ScopeKind.MODULE, ScopeKind.CLASS):
            return True
    return False


def _includes_headers(document: Document, at: Callable[[Sequence[str]], Sequence[Document]]) -> bool | None:
    """Whether a file includes non-standard headers; None where any of them is missing in the project."""
    path, has_own_headers = PurePosixPath(document.uri), False
    for match in islice(_INCLUDE.finditer(document.syntax.buffer.data), MAX_INCLUDES):
        written = (match[1] or b"").decode("utf-8", "replace")
        if _STANDARD.fullmatch(written):
            continue
        paths = {normpath(folder / below / written) for folder in path.parents for below in _BELOW}
        if not written or not at(sorted(included for included in paths if not included.startswith(("/", "..")))):
            return None
        has_own_headers = True
    return has_own_headers
