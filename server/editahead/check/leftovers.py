"""All that a change left behind: the rules of names, imports and calls, on its files and on those that use them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from editahead.check.given_elsewhere import not_given
from editahead.check.left_calls import Reshaped, calls_ahead, left_calls, reshaped_functions
from editahead.check.left_imports import importers, left_imports, lost_names, unused_imports
from editahead.check.left_modules import missing_imports, written_imports
from editahead.check.left_names import left_names
from editahead.check.leftover import MAX_LEFT, FileVersions, Leftover, NamesOf
from editahead.check.python_modules import module_test
from editahead.check.texts import ChangedFile
from editahead.suggest.types import Document


class OtherFiles(NamedTuple):
    """Files of the project beside those of the change.

    `holding`: those that hold one of some words; `at`: those of some paths, as far as there are such; `exists`: whether
    there is a file of a path, of any sort.
    """

    holding: Callable[[Sequence[str]], Sequence[Document]]
    at: Callable[[Sequence[str]], Sequence[Document]]
    exists: Callable[[str], bool]


def leftovers(
    files: Sequence[ChangedFile], added: Sequence[Document], others: OtherFiles, gone: Sequence[ChangedFile] = ()
) -> list[Leftover]:
    """The places that a change left behind, by path and position; each is named once, by the first rule that tells.

    Files with broken syntax are passed over. `gone`: those that are no longer at their path.
    """
    sound = [one for one in _versions(files) if not one.file.document.syntax.error_count()]
    lost = [(one, names) for one in (*sound, *_versions(gone)) if (names := lost_names(one, others.exists))]
    reshaped = [function for one in sound for function in reshaped_functions(one)]
    words = sorted({*(name for _, names in lost for name in names), *map(_called_name, reshaped)} - {""})
    names_of = NamesOf()
    mine = [*(file.document for file in files), *added]
    documents = [*mine, *(others.holding(words) if words else ())]
    homes = [*(one.file.document for one, _ in lost), *(one.versions.file.document for one in reshaped)]
    importing = {home.uri: importers(home, documents) for home in {home.uri: home for home in homes}.values()}
    own = {document.uri for document in mine}
    leads_to = module_test(lambda path: path in own or others.exists(path))
    found = chain(
        not_given(chain.from_iterable(map(left_names, sound)), mine, others.holding, others.at, names_of),
        chain.from_iterable(
            left_imports(one, names, importing[one.file.document.uri], names_of, leads_to) for one, names in lost
        ),
        chain.from_iterable(
            left_calls(one, importing[one.versions.file.document.uri], names_of, leads_to) for one in reshaped
        ),
        chain.from_iterable(calls_ahead(one) for one in sound),
        chain.from_iterable(unused_imports(one) for one in sound),
        missing_imports(written_imports(sound, added, names_of), documents, others.at, names_of),
    )
    return sorted(_once(found), key=lambda one: (one.where, one.start, one.kind))


def _versions(files: Sequence[ChangedFile]) -> list[FileVersions]:
    """The versions of those files whose names are known."""
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


def _once(found: Iterator[Leftover]) -> Iterator[Leftover]:
    seen = set[tuple[str, int]]()
    counts: dict[tuple[str, str], int] = {}
    for one in found:
        place, about = (one.where, one.start), (one.kind, one.name)
        counts[about] = counts.get(about, 0) + 1
        if place not in seen and counts[about] <= MAX_LEFT:
            seen.add(place)
            yield one
