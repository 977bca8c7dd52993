"""The import that comes with a completion, where the project tells its module and this file lacks the name.

A module of the project that defines it, or the module from which all other files import it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from urllib.parse import unquote, urlsplit

from editahead.environment.import_edits import declared_package, import_edit, java_import_edit
from editahead.environment.module_index import ModuleIndex, ModuleName, package_of
from editahead.exclusion import exclusion
from editahead.index.import_paths import DEFAULT, as_written, is_own_path
from editahead.index.lexicon import language_family
from editahead.index.types import OtherImports
from editahead.suggest.completion.ranking.external import module_index, package_around
from editahead.suggest.completion.ranking.features import PlaceEvidence
from editahead.suggest.completion.ranking.slots import SlotKind
from editahead.suggest.types import Completion, Document

_LOOKED_AT = 8  # items of a list, from its first on
_USES = frozenset({SlotKind.STATEMENT, SlotKind.TYPE, SlotKind.ARGUMENT, SlotKind.VALUE, SlotKind.EXPRESSION})
_TYPED_PARAMETERS = frozenset({"java"})  # the head of a function names a type before each parameter
_DEFINED = frozenset({"class", "function"})
_MIN_FILES, _AGREEING = 2, 0.9  # that import a name, and the share of them that agree on the module


def with_imports(
    document: Document, evidence: PlaceEvidence | None, items: Sequence[Completion]
) -> tuple[Completion, ...]:
    """The items; the first of them have the import that they need."""
    if evidence is None or evidence.scopes is None or document.elsewhere is None:
        return tuple(items)
    typed = evidence.slot.kind is SlotKind.PARAMETER and document.syntax.language.id in _TYPED_PARAMETERS
    if evidence.slot.kind not in _USES and not typed:
        return tuple(items)
    imported = _importer(document)
    if imported is None:
        return tuple(items)
    scopes = evidence.scopes
    unknown = [
        item for item in items[:_LOOKED_AT]
        if item.kind != "keyword" and item.label not in scopes.visible and item.label not in scopes.hidden
    ]  # fmt: skip
    with_import = {item.label: imported(item) for item in unknown}
    return tuple(with_import.get(item.label) or item for item in items)


def _importer(document: Document) -> Callable[[Completion], Completion | None] | None:
    """What adds an import to an item of this document; None where nothing does."""
    if not document.settings.completion_imports:
        return None
    if document.syntax.language.id == "java":
        return partial(_java_imported, document)
    if language_family(document.syntax.language.id) == "javascript":
        return partial(_script_imported, document)
    index = module_index(document)
    return partial(_imported, document, index) if index is not None else None


def _script_imported(document: Document, item: Completion) -> Completion | None:
    """The item with its import; None unless the other files of the project agree on its module."""
    from editahead.environment.script_imports import script_import_edit
    from editahead.suggest.completion.import_paths.complete import module_paths

    others = document.elsewhere.imports if document.elsewhere is not None else None
    if others is None or others.own is None:
        return None
    agreed = ((path, text) for text in (item.label, f"{DEFAULT}{item.label}") if (path := _agreed(others, text)))
    path, name = next(agreed, (None, item.label))
    if path is None:
        plain, default = (others.project.exporting(text, others.own) for text in (name, f"{DEFAULT}{name}"))
        if len(plain) + len(default) != 1:
            return None
        path, name = module_paths([*plain, *default], others)[0], name if plain else f"{DEFAULT}{name}"
    if is_own_path(path, others.own):  # others still import what was moved out of this file
        return None
    written = as_written(path, others.own)
    edit = script_import_edit(document.syntax, written, item.label, is_default=name.startswith(DEFAULT))
    return replace(item, import_from=written, import_edit=edit) if edit is not None else None


def _agreed(others: OtherImports, name: str) -> str | None:
    """The module that nearly all other files take a name from, where at least two do."""
    sources = others.project.sources_of(name, others.own)
    files = sum(others.project.sources.get(name, {}).values())
    best = max(sources, key=lambda path: (sources[path], path), default=None)
    return best if best is not None and files >= _MIN_FILES and sources[best] >= _AGREEING else None


def _java_imported(document: Document, item: Completion) -> Completion | None:
    """The item with its import; None unless a file of the project declares a public type of that name."""
    path = _origin_path(document, item.label) if item.label[:1].isupper() else None
    package = declared_package(path, item.label) if path is not None else None
    if not package or exclusion(document.settings, path, document.root) is not None:
        return None
    edit = java_import_edit(document.syntax, package, item.label)
    return replace(item, import_from=package, import_edit=edit) if edit is not None else None


def _imported(document: Document, index: ModuleIndex, item: Completion) -> Completion | None:
    """The item with its import; None where no module of the project defines it or is its source."""
    return _defined_import(document, index, item) or _import_of_others(document, item)


def _import_of_others(document: Document, item: Completion) -> Completion | None:
    """The item with the import that the other files of the project have of it, from a module outside their folder."""
    others = document.elsewhere.imports if document.elsewhere is not None else None
    source = _agreed(others, item.label) if others is not None else None
    own = _module_of(document.path) if document.path is not None else None
    if source is None or source.startswith(".") or tuple(source.split(".")) == own:
        return None
    edit = import_edit(document.syntax, tuple(source.split(".")), item.label, package_around(document))
    return replace(item, import_from=source, import_edit=edit) if edit is not None else None


def _defined_import(document: Document, index: ModuleIndex, item: Completion) -> Completion | None:
    path = _origin_path(document, item.label)
    if path is None:
        return None
    module = _module_of(path)
    held = index.export(module, item.label) if module is not None else None
    if module is None or held is None or (held.kind not in _DEFINED and not item.label.isupper()):
        return None
    if index.file(module) != path:  # another file has that name
        return None
    edit = import_edit(document.syntax, module, item.label, package_around(document))
    return replace(item, import_from=".".join(module), import_edit=edit) if edit is not None else None


def _origin_path(document: Document, name: str) -> Path | None:
    """The other file that a name comes from."""
    origin = document.elsewhere.origin(name) if document.elsewhere is not None else None
    path = _path(document, origin.where) if origin is not None else None
    return path if path != document.path else None


def _path(document: Document, where: str) -> Path | None:
    """The file of a name's origin: the URI of an open document, or a path below the workspace folder."""
    if where.startswith("file:"):
        return Path(unquote(urlsplit(where).path))
    if "://" in where or document.root is None:
        return None
    return document.root / where


def _module_of(path: Path) -> ModuleName | None:
    if path.suffix != ".py" or not path.stem.isidentifier():
        return None
    package = package_of(path)
    return package if path.stem == "__init__" else (*package, path.stem)
