"""Classes of the other files of a project, read on demand and kept while their files are unchanged."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from editahead.analysis.resolver.file_scopes import ScopeRef
from editahead.analysis.resolver.literal_members import class_with_bases, literal_keys
from editahead.analysis.resolver.outer_types import OuterType, module_of, named_type
from editahead.analysis.resolver.resolver import Resolver, resolver_of
from editahead.environment.classes.go_packages import (
    exported_names,
    imported_path,
    methods_of,
    package_files,
    package_folder,
)
from editahead.environment.classes.locations import FilesNamed, Place, locations
from editahead.regular_file import UnreadableFileError, read_regular
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.interrupt import checkpoint
from editahead.syntax.language import by_id, by_path
from editahead.syntax.scope_table import ScopeKind
from editahead.text.buffer import Buffer

LARGEST_FILE = 400_000  # bytes; larger ones are left out
MOST_READ = 2_000_000  # bytes that one question reads
MOST_PARSED = 250_000  # bytes that one question parses
_CLASSES = 400  # that are remembered
_TEXTS = 100  # files whose text is remembered
_DEEPEST = 5  # bases, and members one behind the other
_MOST_BASES = 8
_PRIVATE = re.compile(rb"\bprivate\b")
_ACCESS = re.compile(rb"^[ \t]*(public|protected|private)[ \t]*:(?!:)", re.MULTILINE)
_ENDS_MEMBER = re.compile(rb"[;{}]")
_MOST_SIGNS = 400  # bytes before the name of a member

Stamp = tuple[int, int]


class DeclaredClass(NamedTuple):
    """A class of a file. `levels`: its members that others see, with the steps to the base of the file that has them.

    `keys`: those that a literal gives a value, None where it may have others. `bases`: those that the file does not
    declare. `types`: of members the class that the file names, as it names it. `modules`: what the first names of bases
    and types are imported from.
    """

    path: Path
    levels: Mapping[str, int]
    keys: tuple[str, ...] | None
    bases: tuple[tuple[str, ...], ...]
    types: Mapping[str, tuple[str, ...]]
    modules: Mapping[str, str]
    data: bytes
    language_id: str


class ClassMembers(NamedTuple):
    """The members of a class and of its bases. `complete`: all bases are known. `keys` as in DeclaredClass."""

    levels: Mapping[str, int]
    complete: bool
    keys: tuple[str, ...] | None


class ClassIndex:
    """The classes of one project. Use it from one thread."""

    def __init__(self, root: Path, readable: Callable[[Path], bool] = lambda path: True) -> None:
        """`readable` says of a file of the project whether it may be opened."""
        self._root, self._readable = root, readable
        self._left, self._to_parse = MOST_READ, MOST_PARSED
        self._classes: OrderedDict[tuple[Path, str], tuple[Stamp, DeclaredClass | None]] = OrderedDict()
        self._texts: OrderedDict[Path, tuple[Stamp, bytes]] = OrderedDict()

    def begin(self) -> None:
        """Begin a request: what is beyond MOST_READ and MOST_PARSED bytes of source files counts as unknown."""
        self._left, self._to_parse = MOST_READ, MOST_PARSED

    def members(self, place: Place, wanted: OuterType, module: str) -> ClassMembers | None:
        """The members of a type that the file at a place names; None where no file of the project declares it.

        `module`: what its first name is imported from, empty where it is not.
        """
        found = self._class(place, wanted.names, module)
        for member in wanted.members[:_DEEPEST]:
            if found is None:
                return None
            found = self._member_class(found, member, place.files_named, 0)
        if found is None:
            return None
        members = self._with_bases(found, place.files_named, 0)
        elsewhere = place.language_id == "go" and found.path.parent != place.path.parent
        return _exported(members) if elsewhere else members

    def package_names(self, place: Place, name: str, module: str) -> tuple[str, ...] | None:
        """What a package of the project exports that is imported under a name; None where there is none (Go alone)."""
        if place.language_id != "go":
            return None
        written = module or imported_path(place.data, name)
        folder = package_folder(place.path, self._root, (name, ""), written) if written else None
        files = package_files(folder, name)
        rows = (exported_names(data) for path in files if (data := self._text(path)) is not None)
        return tuple(dict.fromkeys(found for row in rows for found in row)) or None

    def _class(self, place: Place, names: Sequence[str], module: str) -> DeclaredClass | None:
        """The class that a dotted name means at a place."""
        if place.language_id == "go" and len(names) > 1 and not module:
            module = imported_path(place.data, names[0])
        for path in locations(place, names, module):
            checkpoint()
            found = self._declared(path, names[-1], place.language_id)
            if found is not None:
                return self._with_methods(found, names[-1]) if place.language_id == "go" else found
        return None

    def _declared(self, path: Path, name: str, language_id: str) -> DeclaredClass | None:
        stamp, data = self._read(path)
        if data is None or name.encode() not in data:
            return None
        known = self._classes.pop((path, name), None)
        if known is None or known[0] != stamp:
            if len(data) > self._to_parse:
                return None
            self._to_parse -= len(data)
            known = (stamp, _read_class(path, data, name, language_id))
        self._classes[path, name] = known
        while len(self._classes) > _CLASSES:
            self._classes.popitem(last=False)
        return known[1]

    def _with_methods(self, found: DeclaredClass, name: str) -> DeclaredClass:
        """A type of Go with its methods in the other files of its package."""
        levels = dict(found.levels)
        for path in package_files(found.path.parent, name):
            data = self._text(path)
            if data is not None:
                levels.update(dict.fromkeys(methods_of(data, name), 0))
        return found._replace(levels=levels)

    def _with_bases(self, found: DeclaredClass, files_named: FilesNamed, depth: int) -> ClassMembers:
        levels, complete, keys = dict(found.levels), True, found.keys
        for names in found.bases[:_MOST_BASES]:
            base = self._from(found, names, files_named) if depth < _DEEPEST and names else None
            if base is None:
                complete, keys = False, None
                continue
            inherited = self._with_bases(base, files_named, depth + 1)
            complete = complete and inherited.complete
            keys = (*keys, *inherited.keys) if keys is not None and inherited.keys is not None else None
            for name, level in inherited.levels.items():
                levels.setdefault(name, level + 1)
        return ClassMembers(levels, complete, keys)

    def _member_class(
        self, owner: DeclaredClass, member: str, files_named: FilesNamed, depth: int
    ) -> DeclaredClass | None:
        """The class of a member of a class, or of one of its bases."""
        if member in owner.types:
            return self._from(owner, owner.types[member], files_named)
        for names in owner.bases[:_MOST_BASES] if member not in owner.levels and depth < _DEEPEST else ():
            base = self._from(owner, names, files_named) if names else None
            found = self._member_class(base, member, files_named, depth + 1) if base is not None else None
            if found is not None:
                return found
        return None

    def _from(self, owner: DeclaredClass, names: Sequence[str], files_named: FilesNamed) -> DeclaredClass | None:
        """The class that a dotted name means in the file of another class."""
        here = self._declared(owner.path, names[-1], owner.language_id) if len(names) == 1 else None
        if here is not None:
            return here
        place = Place(owner.path, self._root, owner.language_id, owner.data, files_named)
        return self._class(place, names, owner.modules.get(names[0], ""))

    def _text(self, path: Path) -> bytes | None:
        return self._read(path)[1]

    def _read(self, path: Path) -> tuple[Stamp, bytes | None]:
        """The text of a file, read again where it has changed; None where it is not to be read."""
        nothing: Stamp = (0, 0)
        try:
            status = path.stat(follow_symlinks=False)
            stamp = (status.st_mtime_ns, status.st_size)
            known = self._texts.pop(path, None)
            if known is None or known[0] != stamp:
                if status.st_size > self._left or not self._readable(path):
                    return nothing, None
                self._left -= status.st_size
                data = read_regular(path, LARGEST_FILE)
                if data is None:
                    return nothing, None
                known = (stamp, data)
        except (OSError, UnreadableFileError):
            return nothing, None
        self._texts[path] = known
        while len(self._texts) > _TEXTS:
            self._texts.popitem(last=False)
        return known


def _read_class(path: Path, data: bytes, name: str, language_id: str) -> DeclaredClass | None:
    """The class of a name in a file; None where it declares none, or several. `language_id`: of the file that asks."""
    language = by_id("cpp") if language_id == "cpp" else by_path(path.name)  # headers of C++ are called like those of C
    names = resolver_of(open_snapshot(Buffer(data), language)) if language is not None else None
    scope = _only_class(names, name) if names is not None else None
    if language is None or names is None or scope is None:
        return None
    levels, types = dict[str, int](), dict[str, tuple[str, ...]]()
    for ref, level in class_with_bases(names, scope):
        hidden = set[str]()
        begins = names.scopes.span(ref)[0]
        for written, at in names.names_in(ref):
            if _is_private(data, at.start) or (language.id == "cpp" and _is_private_cpp(data, begins, at.start)):
                hidden.add(written)
            elif (typed := named_type(at.occurrence.declared_type)) is not None:
                types.setdefault(written, typed.names)
        for member in names.member_names(ref):
            if member not in hidden and not member.startswith(names.table.private_sign or "\0"):
                levels.setdefault(member, level)
    keys = literal_keys(names, scope)
    keys = tuple(key for key in keys if key in levels) if keys is not None else None
    bases = tuple(
        dict.fromkeys(base for ref, _ in class_with_bases(names, scope) for base in names.classes.outer_bases(ref))
    )
    firsts = {row[0] for row in (*bases, *types.values()) if row}
    modules = {first: module for first in firsts if (module := module_of(names, first))}
    return DeclaredClass(path, levels, keys, bases, types, modules, data, language.id)


def _only_class(names: Resolver, name: str) -> ScopeRef | None:
    """The class of a name; of several that which stands in the fewest others, if there is only one such."""
    found: dict[int, list[ScopeRef]] = {}
    for at in names.names(name):
        scope = names.scopes.declared_by(at.start) if at.occurrence.kind == "class" else None
        if scope is not None and names.scopes.kind(scope) is ScopeKind.CLASS:
            found.setdefault(len(list(names.scopes.around(scope))), []).append(scope)
    nearest = found[min(found)] if found else []
    return nearest[0] if len(nearest) == 1 else None


def _exported(members: ClassMembers) -> ClassMembers:
    """The members that other packages of Go see: those that begin with a capital letter."""
    levels = {name: level for name, level in members.levels.items() if name[:1].isupper()}
    keys = tuple(key for key in members.keys if key in levels) if members.keys is not None else None
    return ClassMembers(levels, members.complete, keys)


def _is_private_cpp(data: bytes, begins: int, name: int) -> bool:
    """Whether a member stands behind `private:` or `protected:`, or in a class before any of these."""
    last = b"private" if data.startswith(b"class", begins) else b"public"
    for match in _ACCESS.finditer(data, begins, name):
        last = match[1]
    return last != b"public"


def _is_private(data: bytes, name: int) -> bool:
    """Whether the word `private` stands before the name of a member."""
    before = data[max(0, name - _MOST_SIGNS) : name]
    return _PRIVATE.search(before, max((match.end() for match in _ENDS_MEMBER.finditer(before)), default=0)) is not None
