"""All leftovers of a change: the rules of names, imports and calls, on its files and on those that use them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from editahead.check.given_elsewhere import drop_declared_elsewhere
from editahead.check.left_calls import Reshaped, left_calls, reshaped_functions
from editahead.check.left_imports import importers, left_imports, lost_names, unused_imports
from editahead.check.left_names import left_names
from editahead.check.leftover import MAX_LEFT, FileVersions, Leftover, NamesOf, module_test
from editahead.check.texts import ChangedFile
from editahead.suggest.types import Document


class OtherFiles(NamedTuple):
    """Files of the project beside those of the change.

    `holding`: those that contain any of some words; `at`: those of some paths, as far as they exist; `exists`: whether
    a path exists, of any sort.
    """

    holding: Callable[[Sequence[str]], Sequence[Document]]
    at: Callable[[Sequence[str]], Sequence[Document]]
    exists: Callable[[str], bool]


def leftovers(
    files: Sequence[ChangedFile], added: Sequence[Document], others: OtherFiles, gone: Sequence[ChangedFile] = ()
) -> list[Leftover]:
    """The leftovers of a change, by path and position; each is reported once, by the first rule that applies.

    Files with syntax errors are skipped. `gone`: those that are no longer at their path.
    """
    sound = [versions for versions in _versions(files) if not versions.file.document.syntax.error_count()]
    removed = [
        (versions, names) for versions in (*sound, *_versions(gone)) if (names := lost_names(versions, others.exists))
    ]
    reshaped = [function for versions in sound for function in reshaped_functions(versions)]
    words = sorted({*(name for _, names in removed for name in names), *map(_called_name, reshaped)} - {""})
    names_of = NamesOf()
    mine = [*(file.document for file in files), *added]
    documents = [*mine, *(others.holding(words) if words else ())]
    declaring = [versions.file.document for versions, _ in removed]
    declaring += [function.versions.file.document for function in reshaped]
    importing = {uri: importers(document, documents) for uri, document in {d.uri: d for d in declaring}.items()}
    own = {document.uri for document in mine}
    is_module_of = module_test(lambda path: path in own or others.exists(path))
    rows = chain(
        drop_declared_elsewhere(chain.from_iterable(map(left_names, sound)), mine, others.holding, others.at, names_of),
        chain.from_iterable(
            left_imports(versions, names, importing[versions.file.document.uri], names_of, is_module_of)
            for versions, names in removed
        ),
        chain.from_iterable(
            left_calls(function, importing[function.versions.file.document.uri], names_of, is_module_of)
            for function in reshaped
        ),
        chain.from_iterable(map(unused_imports, sound)),
    )
    return sorted(_once(rows), key=lambda leftover: (leftover.where, leftover.start, leftover.kind))


def _versions(files: Sequence[ChangedFile]) -> list[FileVersions]:
    """The versions of those files whose language has a scope table."""
    return [FileVersions(file, table) for file in files if (table := file.document.syntax.language.scopes) is not None]


def _called_name(reshaped: Reshaped) -> str:
    """The name by which other files call a function; empty where they cannot."""
    names = reshaped.versions.now
    if names is None:
        return ""
    if reshaped.declared.name == names.table.classes.constructor:
        owner = names.scopes.local(reshaped.scope)
        return owner.name if owner is not None else ""
    return reshaped.declared.name if names.scopes.local(reshaped.scope) is None else ""


def _once(rows: Iterator[Leftover]) -> Iterator[Leftover]:
    seen = set[tuple[str, int]]()
    counts: dict[tuple[str, str], int] = {}
    for leftover in rows:
        position, rule = (leftover.where, leftover.start), (leftover.kind, leftover.name)
        counts[rule] = counts.get(rule, 0) + 1
        if position not in seen and counts[rule] <= MAX_LEFT:
            seen.add(position)
            yield leftover
