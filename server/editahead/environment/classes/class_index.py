"""Classes of the other files of a project, read on demand and kept while their files are unchanged."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from editahead.analysis.facts.facts import OuterType
from editahead.analysis.resolver.declared_members import (
    added_members,
    class_with_bases,
    is_open,
    literal_keys,
    member_names,
)
from editahead.analysis.resolver.expression_types import takes
from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt, ScopeRef
from editahead.analysis.resolver.outer_types import is_type_variable, layered_type, module_of
from editahead.analysis.resolver.resolver import Resolver, resolver_of
from editahead.environment.classes.by_language import CLASS_FILES
from editahead.environment.classes.class_files import (
    ClassFiles,
    FileFactsCache,
    FilesNamed,
    ReferencingFile,
    Stamp,
    stamp_of,
)
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.construct_tables import AWAITED, ELEMENT, STEPS, VALUE, LayerTable
from editahead.syntax.interrupt import checkpoint
from editahead.syntax.scope_table import Action, ScopeKind
from editahead.text.buffer import Buffer
from editahead.text.memo import RecentEntries

MAX_PARSED_BYTES = 150_000  # bytes that a query parses
_CLASSES = 400  # that are remembered
_HELD = 300_000  # bytes of source files of which trees are kept
_MAX_DEPTH = 5  # bases, and chained members
_MAX_BASES = 8


class DeclaredClass(NamedTuple):
    """A class of a file, or a function.

    `levels`: its members that others see, with the steps to the base of the file that has them. `keys`: those that a
    literal gives a value, None where it may have others. `bases`: those that the file does not declare. `types`: of
    members the type that the file names for them, or for what they return. `returned`: of a function the type of what
    it returns. `modules`: what the first names of all these are imported from. `embeds`: its literals have no keys of
    its bases, which are embedded. `layers`: what the methods of its language make of layers around a class.
    """

    path: Path
    levels: Mapping[str, int]
    keys: tuple[str, ...] | None
    bases: tuple[tuple[str, ...], ...]
    types: Mapping[str, OuterType]
    returned: OuterType | None
    modules: Mapping[str, str]
    data: bytes
    language_id: str
    layers: LayerTable
    embeds: bool = False
    is_open: bool = False  # objects of it may have other members, too
    hidden: Mapping[str, int] = MappingProxyType({})  # members that only the class itself sees, as in `levels`


def names_of(path: Path, data: bytes, files: ClassFiles) -> Resolver | None:
    """The names of a file; None in a language without rules. `files`: those of the language of the file that asks."""
    language = files.language_of(path)
    return resolver_of(open_snapshot(Buffer(data), language)) if language is not None else None


def read_declared(path: Path, data: bytes, names: Resolver, name: str, files: ClassFiles) -> DeclaredClass | None:
    """The class or function of a name in a file with some `names`; None where it declares none, or several."""
    language = files.language_of(path)
    if language is None:
        return None
    scope = _only_class(names, name)
    if scope is None:
        returned = _returned_by(names, name)
        if returned is None:
            return None
        modules, layers = _modules(names, [returned.names]), names.table.layers
        return DeclaredClass(path, {}, None, (), {}, returned, modules, data, language.id, layers)
    levels, types, hidden = dict[str, int](), dict[str, OuterType](), dict[str, int]()
    for ref, level in class_with_bases(names, scope):
        hidden_here = files.hides(data, *names.scopes.span(ref))
        rows = [*names.names_in(ref), *((at.occurrence.name, at) for at in added_members(names, ref))]
        for written, at in rows:
            if hidden_here(at):
                hidden.setdefault(written, level)
            if typed := _type_of(names, at, name):
                types.setdefault(written, typed)
        for member in member_names(names, ref):
            if member not in hidden and not member.startswith(names.table.private_sign or "\0"):
                levels.setdefault(member, level)
    for base in names.classes.outer_bases(scope) if names.table.classes.embedded else ():
        levels.setdefault(base[-1] if base else "", 0)  # the field of an embedded type has its name
    keys = literal_keys(names, scope)
    keys = tuple(key for key in keys if key in levels) if keys is not None else None
    outer = (base for ref, _ in class_with_bases(names, scope) for base in names.classes.outer_bases(ref))
    bases = tuple(dict.fromkeys(outer))
    modules = _modules(names, [*bases, *(typed.names for typed in types.values())])
    return DeclaredClass(
        path, levels, keys, bases, types, None, modules, data, language.id, names.table.layers,
        embeds=bool(names.table.classes.embedded), is_open=is_open(names, scope), hidden=hidden,
    )  # fmt: skip


def _modules(names: Resolver, types: Iterable[tuple[str, ...]]) -> dict[str, str]:
    """What the first names of types are imported from."""
    firsts = {row[0] for row in types if row}
    return {first: module for first in firsts if (module := module_of(names, first))}


def _only_class(names: Resolver, name: str) -> ScopeRef | None:
    """The class of a name; of several the least nested, if all such are parts of the same class."""
    scopes_by_depth: dict[int, list[ScopeRef]] = {}
    for at in names.names(name):
        scope = names.scopes.declared_by(at.start) if at.occurrence.kind == "class" else None
        if scope is not None and names.scopes.kind(scope) is ScopeKind.CLASS:
            scopes_by_depth.setdefault(len(list(names.scopes.around(scope))), []).append(scope)
    nearest = scopes_by_depth[min(scopes_by_depth)] if scopes_by_depth else []
    parts = {nearest[0], *names.classes.parts(nearest[0])} if nearest else set[ScopeRef]()
    return nearest[0] if nearest and parts.issuperset(nearest) else None


def _returned_by(names: Resolver, name: str) -> OuterType | None:
    """The type of what a function of the module returns."""
    rows = [at for at in names.names(name) if at.occurrence.action is Action.BIND]
    rows = [at for at in rows if names.scopes.placed(at.unit, at.occurrence.scope) == MODULE_SCOPE]
    return _type_of(names, rows[0], "") if len(rows) == 1 else None


def _type_of(names: Resolver, at: NameAt, owner: str) -> OuterType | None:
    """The type that a declaration names for a variable, or for what a function returns; None where it names none."""
    declared, scopes = at.occurrence.declared_type, names.scopes
    if at.occurrence.kind in ("accessor", "function", "variable") or declared is None:
        function = scopes.declared_by(at.start) or scopes.assigned_to(at.start)
        facts = scopes.local(function) if function is not None else None
        if facts is not None and facts.result_types:
            declared = facts.result_types[0]
    inner = declared
    while inner is not None and inner.base is not None and inner.kind in ("name", "layer"):
        inner = inner.base
    scope = scopes.placed(at.unit, at.occurrence.scope)
    if inner is not None and inner.kind == "name" and is_type_variable(names, inner, at.unit, scope):
        return None
    return layered_type(names, declared, owner)


class ClassMembers(NamedTuple):
    """The members of a class and of its bases. `complete`: all bases are resolved. `keys` as in DeclaredClass."""

    levels: Mapping[str, int]
    complete: bool
    keys: tuple[str, ...] | None


class _Held(NamedTuple):
    """The class of an expression, with the layers around it, outermost first."""

    of: DeclaredClass
    layers: tuple[str, ...] = ()

    def without(self, step: str) -> _Held | None:
        """Without the layer that a step takes off; what is no layer is awaited as it is, if its class allows it."""
        if self.layers and takes(step, self.layers[0]):
            return self._replace(layers=self.layers[1:])
        is_plain = step == AWAITED and not self.layers and not self.of.bases
        return self if is_plain and self.of.layers.awaitable.isdisjoint(self.of.levels) else None


class _Read(NamedTuple):
    """A file as it was with some stamp: its size in bytes, and its names, None in a language without rules."""

    stamp: Stamp
    size: int
    names: Resolver | None


class ClassIndex:
    """The classes of a project. Use it from a single thread."""

    def __init__(self, root: Path, readable: Callable[[Path], bool] = lambda path: True) -> None:
        """`readable` says of a file of the project whether it may be opened."""
        self._root, self._facts = root, FileFactsCache(root, readable)
        self._by_language = {language: files(self._facts) for language, files in CLASS_FILES.items()}
        self._alone = ClassFiles(self._facts)
        self._to_parse = MAX_PARSED_BYTES
        self._classes = RecentEntries[tuple[Path, str], tuple[Stamp, DeclaredClass | None]](_CLASSES)
        self._files_read: OrderedDict[Path, _Read] = OrderedDict()

    def begin(self) -> None:
        """Begin a request: what is beyond MOST_PARSED bytes of source files counts as unknown."""
        self._to_parse = MAX_PARSED_BYTES
        self._facts.begin()

    def members(
        self, source: ReferencingFile, wanted: OuterType, module: str, *, from_inside: bool = False
    ) -> ClassMembers | None:
        """The members of a type that a file names; None where no file of the project declares it.

        `module`: what its first name is imported from, empty where it is not. `from_inside`: also those visible
        only in the class itself.
        """
        held, behind = self._class(source, wanted.names, module), wanted.members
        if held is None and behind:  # of a package or a namespace
            held, behind = self._class(source, (*wanted.names, behind[0]), module), behind[1:]
        for member in behind[:_MAX_DEPTH]:
            held = self._behind(held, member, source.files_named) if held is not None else None
        if held is None or held.layers:
            return None
        declared = held.of
        if from_inside:
            declared = declared._replace(levels={**declared.levels, **declared.hidden})
        members = self._with_bases(declared, source.files_named, 0)
        sees = self._files(source.language_id).sees(source, declared.path)
        return members if sees is None else _seen(members, sees)

    def package_names(self, source: ReferencingFile, name: str, module: str) -> tuple[str, ...] | None:
        """What a package of the project exports that is imported under a name; None where there is none."""
        return self._files(source.language_id).package_names(source, name, module)

    def added_members(self, source: ReferencingFile, name: str) -> tuple[str, ...]:
        """Members that other files add to a class which a file declares."""
        return tuple(self._added(source.path, name, source.language_id))

    def _files(self, language_id: str) -> ClassFiles:
        return self._by_language.get(language_id, self._alone)

    def _class(self, source: ReferencingFile, names: Sequence[str], module: str, depth: int = 0) -> _Held | None:
        """The class that a dotted name refers to in a file; for a function the class that it returns."""
        for path, name in self._files(source.language_id).places(source, names, module):
            if path == source.path or not path.is_relative_to(source.root):
                continue
            checkpoint()
            read = self._declared(path, name, source.language_id)
            if read is not None and read.returned is not None:
                return self._from(read, read.returned, source.files_named, depth + 1) if depth < _MAX_DEPTH else None
            if read is not None:
                return _Held(self._whole(read, name))
        return None

    def _behind(self, held: _Held, member: str, files_named: FilesNamed) -> _Held | None:
        """The class of a member of an expression, or the expression without a layer around it."""
        if member in STEPS:
            return held.without(member)
        layers = held.of.layers
        if not held.layers:
            member_class = self._member_class(held.of, member, files_named, 0)
            return held if member_class is None and member in layers.copying else member_class
        if held.layers[0] == VALUE and member in layers.map_values:
            return held._replace(layers=(ELEMENT, *held.layers[1:]))
        if layers.is_layer_kept(member, held.layers[0]):
            return held
        taken = layers.taking.get(member)
        return held.without(taken) if taken is not None else None

    def _declared(self, path: Path, name: str, language_id: str) -> DeclaredClass | None:
        """The class or function of a name in a file; None where there is none, or the file is excluded."""
        if not self._facts.can_read(path):
            return None
        stamp, cached = stamp_of(path), self._classes.pop((path, name), None)
        if cached is None or cached[0] != stamp:
            data = self._facts.text(path)
            if data is None:
                return None
            declared = None
            if name.encode() in data:
                files = self._files(language_id)
                read = self._read(path, stamp, data, files)
                if read is None:
                    return None
                declared = read_declared(path, data, read.names, name, files) if read.names is not None else None
            cached = (stamp, declared)
        return self._classes.keep((path, name), cached)[1]

    def _read(self, path: Path, stamp: Stamp, data: bytes, files: ClassFiles) -> _Read | None:
        """The names of a file, cached for further classes; None where the request has parsed too much."""
        cached = self._files_read.pop(path, None)
        if cached is None or cached.stamp != stamp:
            if len(data) > self._to_parse:
                return None
            self._to_parse -= len(data)
            cached = _Read(stamp, len(data), names_of(path, data, files))
        self._files_read[path] = cached
        while len(self._files_read) > 1 and sum(read.size for read in self._files_read.values()) > _HELD:
            self._files_read.popitem(last=False)
        return cached

    def _whole(self, declared: DeclaredClass, name: str) -> DeclaredClass:
        """A class with the members that other files add to it."""
        levels = dict(declared.levels)
        for member in self._added(declared.path, name, declared.language_id):
            levels.setdefault(member, 0)
        return declared._replace(levels=levels)

    def _added(self, path: Path, name: str, language_id: str) -> Iterator[str]:
        files = self._files(language_id)
        yield from files.added_members(path, name)
        for other in files.parts(path, name):
            part = self._declared(other, name, language_id)
            yield from part.levels if part is not None else ()

    def _with_bases(self, declared: DeclaredClass, files_named: FilesNamed, depth: int) -> ClassMembers:
        levels, complete, keys = dict(declared.levels), not declared.is_open, declared.keys
        for names in declared.bases[:_MAX_BASES]:
            held = self._from(declared, OuterType(names), files_named) if depth < _MAX_DEPTH and names else None
            if held is None or held.layers:
                complete, keys = False, keys if declared.embeds else None
                continue
            inherited = self._with_bases(held.of, files_named, depth + 1)
            complete = complete and inherited.complete
            if not declared.embeds:
                keys = (*keys, *inherited.keys) if keys is not None and inherited.keys is not None else None
            for name, level in inherited.levels.items():
                levels.setdefault(name, level + 1)
        return ClassMembers(levels, complete, keys)

    def _member_class(self, owner: DeclaredClass, member: str, files_named: FilesNamed, depth: int) -> _Held | None:
        if member in owner.types:
            return self._from(owner, owner.types[member], files_named)
        for names in owner.bases[:_MAX_BASES] if member not in owner.levels and depth < _MAX_DEPTH else ():
            base = self._from(owner, OuterType(names), files_named) if names else None
            member_class = self._member_class(base.of, member, files_named, depth + 1) if base is not None else None
            if member_class is not None:
                return member_class
        return None

    def _from(self, owner: DeclaredClass, typed: OuterType, files_named: FilesNamed, depth: int = 0) -> _Held | None:
        """The class that a type means in the file of another class."""
        names = typed.names
        here = self._declared(owner.path, names[-1], owner.language_id) if len(names) == 1 else None
        if here is not None and here.returned is None:
            return _Held(self._whole(here, names[-1]), typed.layers)
        source = ReferencingFile(owner.path, self._root, owner.language_id, owner.data, files_named)
        held = self._class(source, names, owner.modules.get(names[0], ""), depth)
        return held._replace(layers=(*typed.layers, *held.layers)) if held is not None else None


def _seen(members: ClassMembers, sees: Callable[[str], bool]) -> ClassMembers:
    """Those of some members that a file sees."""
    levels = {name: level for name, level in members.levels.items() if sees(name)}
    keys = tuple(key for key in members.keys if key in levels) if members.keys is not None else None
    return ClassMembers(levels, members.complete, keys)
