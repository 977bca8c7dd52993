"""Edits of the references to a renamed binding in other files: of all in a file that is not open, or of none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.suggest.next_edit.consequences.renames.rename_edits import kind_of, rename_candidate
from editahead.suggest.next_edit.consequences.renames.rename_verdict import RenamedBinding
from editahead.suggest.next_edit.consequences.renames.renamed_uses import is_declared_already, parts_with, renamed_uses
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import LeadsTo
from editahead.suggest.next_edit.consequences.types import Consequence, Moment
from editahead.suggest.types import Document


class OtherFileEdits(NamedTuple):
    """The edits in other files, and the URIs of files with references that are skipped.

    `is_blocked`: a partial renaming would break the program, so that there are no edits.
    """

    edits: list[Consequence]
    skipped_uris: set[str]
    is_blocked: bool = False


def edits_in_other_files(
    moment: Moment,
    document: Document,
    renamed: RenamedBinding,
    files: Iterable[Document],
    kind: str,
    leads_to: LeadsTo | None = None,
    *,
    uri: str,
) -> OtherFileEdits:
    """Edits of the references in other files that import the renamed binding.

    They import it from `uri`: `document`, or a package that re-exports it. `kind` labels the files. `leads_to` is given
    for files that are not open.
    """
    old, parts, label = renamed.renaming.old, parts_with(renamed), f"{kind_of(renamed)}/{kind}"
    collected = OtherFileEdits([], set())
    if is_declared_already(renamed, document.uri, moment.document.unopened):
        return collected._replace(is_blocked=True)
    for other_document in files:
        moment.check()
        is_other = other_document is not document and other_document.language_id == document.language_id
        if not is_other or old.encode() not in other_document.syntax.buffer.data:
            continue
        resolve = ResolverCache().of if leads_to else moment.resolver  # what is not open is not kept
        resolver = resolve(other_document.uri, other_document.syntax, parts)
        if resolver is None:
            continue
        references = renamed_uses(renamed, uri, resolver, other_document, leads_to, moment.document.unopened)
        if references.has_override:
            return OtherFileEdits([], set(), is_blocked=True)
        edits = [
            candidate
            for reference in references.uses
            for candidate in rename_candidate(
                moment, document, other_document, renamed, label, reference.start, shorthand=reference.shorthand
            )
        ]
        is_complete = leads_to is None or len(edits) == len(references.uses)
        if references.has_conflict or not is_complete:
            collected.skipped_uris.add(other_document.uri)
        else:
            collected.edits.extend(edits)
    return collected
