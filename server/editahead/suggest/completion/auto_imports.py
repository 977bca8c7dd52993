"""The import that comes with a completion, where a module of the project defines the name and this file lacks it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

from editahead.environment.import_edits import import_edit
from editahead.environment.module_index import ModuleIndex, ModuleName
from editahead.environment.search_paths import package_of
from editahead.suggest.completion.ranking.external import module_index
from editahead.suggest.completion.ranking.features import PlaceEvidence
from editahead.suggest.completion.ranking.slots import SlotKind
from editahead.suggest.types import Completion, Document

_LOOKED_AT = 8  # items of a list, from its first on
_USES = frozenset({SlotKind.STATEMENT, SlotKind.TYPE, SlotKind.ARGUMENT, SlotKind.VALUE, SlotKind.EXPRESSION})
_DEFINED = frozenset({"class", "function"})


def with_imports(
    document: Document, place: PlaceEvidence | None, items: Sequence[Completion]
) -> tuple[Completion, ...]:
    """The items, the first of them with the import that they need."""
    if place is None or place.scopes is None or place.slot.kind not in _USES or document.elsewhere is None:
        return tuple(items)
    if not document.settings.completion_imports or (index := module_index(document)) is None:
        return tuple(items)
    scopes = place.scopes
    unknown = [
        item for item in items[:_LOOKED_AT]
        if item.kind != "keyword" and item.label not in scopes.visible and item.label not in scopes.hidden
    ]  # fmt: skip
    made = {item.label: _imported(document, index, item) for item in unknown}
    return tuple(made.get(item.label) or item for item in items)


def _imported(document: Document, index: ModuleIndex, item: Completion) -> Completion | None:
    """The item with its import; None where no module of the project is known to define it."""
    if document.elsewhere is None:
        return None
    found = document.elsewhere.origin(item.label)
    path = _path(document, found.where) if found is not None else None
    if path is None or path == document.path:
        return None
    module = _module_of(path)
    held = index.export(module, item.label) if module is not None else None
    if module is None or held is None or (held.kind not in _DEFINED and not item.label.isupper()):
        return None
    if index.file(module) != path:  # another file has that name
        return None
    package = package_of(document.path) if document.path is not None else ()
    edit = import_edit(document.syntax, module, item.label, package)
    return replace(item, import_from=".".join(module), import_edit=edit) if edit is not None else None


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
