"""Members that stand in other files: of modules, of imported classes, parameters of imported functions."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from editahead.environment.exports import Origin, file_imports
from editahead.environment.module_index import ModuleIndex, ModuleName, package_of
from editahead.exclusion import exclusion
from editahead.suggest.completion.ranking.scope_evidence import LineScopes
from editahead.suggest.completion.ranking.slots import Slot, SlotKind
from editahead.suggest.types import Document
from editahead.syntax.interrupt import checkpoint
from editahead.text.memo import RecentEntries, kept_while_equal, on_forget

if TYPE_CHECKING:
    from editahead.suggest.completion.receiver_types.inference import ReceiverMembers

_MAX_AHEAD = 100  # imported names of a file whose modules are read ahead
_FOLDERS = 4  # workspace folders whose modules are remembered
_indexes = RecentEntries[tuple[object, ...], ModuleIndex](_FOLDERS)
on_forget(_indexes.clear)
LANGUAGES = frozenset({"python"})


class External(NamedTuple):
    """Names that the slot may take, by what other files say; None where they do not tell. Parameters of the callee.

    `complete`: only `members` are possible. `levels`: of members of a class the steps to the base that
    declares them. `owner_name`: the dotted name of the module or class before a dot.
    """

    members: frozenset[str] | None = None
    parameters: frozenset[str] = frozenset()
    complete: bool = True
    levels: Mapping[str, int] = MappingProxyType({})
    owner_name: str = ""


NOTHING = External()


def external_members(document: Document, slot: Slot) -> External:
    """The names that other files declare for a slot."""
    if not _is_readable(document) or slot.kind not in (
        SlotKind.MODULE, SlotKind.IMPORTED, SlotKind.MEMBER, SlotKind.ARGUMENT,
    ):  # fmt: skip
        return NOTHING
    index = _index_of(document)
    package = package_around(document)
    if slot.kind in (SlotKind.MODULE, SlotKind.IMPORTED):
        base = package[: len(package) - (slot.dots - 1)] if slot.dots else ()
        module = (*base, *slot.receiver)
        if slot.kind is SlotKind.MODULE:
            return External(index.children(module) if not slot.dots or base else None)
        return External(index.names(module), complete=index.is_complete(module)) if module else NOTHING
    names = slot.receiver if slot.kind is SlotKind.MEMBER else slot.callee
    if not names:
        return NOTHING
    imports = file_imports(document.syntax, package)
    if slot.kind is SlotKind.MEMBER:
        origin = imports.get(names[0])
        named = (*origin[0], *names[1:]) if origin is not None and origin[1] is None else None
        complete = named is None or index.exports(named) is None or index.is_complete(named)
        levels = _behind(index, origin, names[1:]) if origin is not None else None
        members = frozenset(levels) if levels is not None else None
        owner_name = ".".join((*origin[0], *filter(None, origin[1:2]), *names[1:])) if origin is not None else ""
        return External(members, complete=complete, levels=levels or {}, owner_name=owner_name)
    parameters = _callee(index, imports, names)
    return External(None, frozenset(parameters))


def package_around(document: Document) -> ModuleName:
    """The package that contains the file of a document, if it has a file."""
    return package_of(document.path) if document.path is not None else ()


def _is_readable(document: Document) -> bool:
    settings = document.settings
    return settings.index_enabled and settings.index_environment and document.syntax.language.id in LANGUAGES


def inferred_members(document: Document, text: str, line: LineScopes) -> ReceiverMembers | None:
    """Members of the expression `text` before the dot by its inferred type; None where that is unknown."""
    return _inferred(line, text, document=document) if document.syntax.language.id in LANGUAGES and text else None


@kept_while_equal()
def _inferred(line: LineScopes, text: str, *, document: Document) -> ReceiverMembers | None:
    """The same in Python; kept while letters are typed behind the dot."""
    from editahead.suggest.completion.receiver_types.inference import receiver_members  # not before the first dot

    imports = file_imports(document.syntax, package_around(document))
    return receiver_members(text, line, _index_of(document) if _is_readable(document) else None, imports)


def inherited_members(document: Document, bases: tuple[ModuleName, ...]) -> dict[str, int] | None:
    """Inherited members of classes of other files, with the steps to them; None if any class is missing.

    The steps are counted from the file's class.
    """
    if not _is_readable(document):
        return None
    index = _index_of(document)
    imports = file_imports(document.syntax, package_around(document))
    levels: dict[str, int] = {}
    for base in bases:
        inherited = _of_class(index, imports, base) if base else None
        if inherited is None:
            return None
        for name, level in inherited.items():
            levels[name] = min(level + 1, levels.get(name, level + 1))
    return levels


def _behind(index: ModuleIndex, origin: Origin, rest: tuple[str, ...]) -> Mapping[str, int] | None:
    """The members behind an imported name and the names after it, by the steps to their declaration."""
    module, inner = origin
    if inner is None:
        names = _names(index, (*module, *rest))
        if names is None and rest:
            return index.member_levels((*module, *rest[:-1]), rest[-1])
        return names
    if rest:
        return _names(index, (*module, inner, *rest))
    return index.member_levels(module, inner) or _names(index, (*module, inner))


def _names(index: ModuleIndex, module: ModuleName) -> Mapping[str, int] | None:
    names = index.names(module)
    return dict.fromkeys(names, 0) if names is not None else None


def _of_class(index: ModuleIndex, imports: dict[str, Origin], names: tuple[str, ...]) -> dict[str, int] | None:
    origin = imports.get(names[0])
    if origin is None:
        return None
    module, inner = origin
    if inner is not None:
        return index.member_levels(module, inner) if len(names) == 1 else None
    return index.member_levels((*module, *names[1:-1]), names[-1]) if len(names) > 1 else None


def _callee(index: ModuleIndex, imports: dict[str, Origin], names: tuple[str, ...]) -> tuple[str, ...]:
    origin = imports.get(names[0])
    if origin is None or len(names) > 2:
        return ()
    module, inner = origin
    name = inner if inner is not None and len(names) == 1 else names[-1] if inner is None and len(names) == 2 else None
    held = index.export(module, name) if name is not None else None
    return held.parameters if held is not None else ()


def module_index(document: Document) -> ModuleIndex | None:
    """The modules that a document can import; None where they are not to be read."""
    return _index_of(document) if _is_readable(document) else None


def read_imported(document: Document) -> None:
    """Read the modules that a document imports, with the classes it takes from them. What is read stays in memory."""
    index = module_index(document)
    if index is None:
        return
    imports = file_imports(document.syntax, package_around(document))
    for module, inner in islice(dict.fromkeys(imports.values()), _MAX_AHEAD):
        checkpoint()
        index.begin()
        if inner is None:
            index.is_complete(module)
        else:
            index.members(module, inner)


def _index_of(document: Document) -> ModuleIndex:
    settings = document.settings
    root = document.root or (document.path.parent if document.path is not None else None)
    key = (root, settings.exclude, settings.secrets, settings.respect_gitignore)
    index = _indexes.get(key)
    if index is None:
        index = ModuleIndex(root, document.path, lambda path: exclusion(settings, path, root) is None)
    index.begin()
    return _indexes.keep(key, index)
