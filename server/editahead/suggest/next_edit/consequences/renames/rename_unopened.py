"""Edits of references to a renamed name in files of the project that are not open.

A package may re-export declarations of its modules (`from .cart import total` in `shop/__init__.py`): files that import
these from the package follow, too.
"""

from __future__ import annotations

from editahead.suggest.next_edit.consequences.name_changes import renamings
from editahead.suggest.next_edit.consequences.renames.edits_in_other_files import edits_in_other_files
from editahead.suggest.next_edit.consequences.renames.rename import MAX_RENAMINGS, renamed_names
from editahead.suggest.next_edit.consequences.renames.rename_verdict import RenamedBinding, site_of
from editahead.suggest.next_edit.consequences.renames.renamed_uses import is_seen_elsewhere, reexporting_packages
from editahead.suggest.next_edit.consequences.types import Consequence, Moment
from editahead.suggest.types import Document, UnopenedProject
from editahead.syntax.interrupt import interruptible

MAX_PACKAGES = 3  # re-exporting packages whose importers are followed


def rename_unopened(moment: Moment) -> list[Consequence]:
    """Edits in files that are not open and import a name that was renamed at its declaration.

    A replaced use may be an edit of that use alone, and a name that became private has no replacement in other files,
    so neither is followed. Raises Cancelled.
    """
    project, candidates = moment.document.unopened, dict[tuple[str, int], Consequence]()
    if project is None:
        return []
    project.cut.clear()
    with interruptible(moment.check):
        for document in (moment.document, *moment.document.others):
            for renaming in renamings(document.history, document.syntax.buffer.data)[:MAX_RENAMINGS]:
                if renaming.new.startswith("_") and not renaming.old.startswith("_"):
                    continue
                for renamed, _ in renamed_names(moment, document, renaming, []):
                    if not is_seen_elsewhere(renamed.resolver, renamed.binding) or site_of(renamed) != "declaration":
                        continue
                    for candidate in _edits_in_project(moment, project, document, renamed):
                        candidates.setdefault((candidate.document.uri, candidate.edit.start), candidate)
    return list(candidates.values())


def _edits_in_project(
    moment: Moment, project: UnopenedProject, document: Document, renamed: RenamedBinding
) -> list[Consequence]:
    """Edits in files that import from `document`, then in files that import from packages which re-export the name.

    A file with a reference that cannot be renamed is skipped, whatever it imports the name from.
    """
    opened, old = (moment.document, *moment.document.others), renamed.renaming.old
    uris, candidates, skipped_uris = [document.uri], list[Consequence](), set[str]()
    for uri in uris:
        files = list(project.importing(uri, old, moment.check))
        result = edits_in_other_files(moment, document, renamed, files, "unopened-file", project.leads_to, uri=uri)
        if result.is_blocked:
            project.cut.add(old)
            return []
        candidates += result.edits
        skipped_uris |= result.skipped_uris
        followed = [file for file in (*files, *opened) if file.uri not in skipped_uris]
        for package in reexporting_packages(moment, uri, renamed, followed, project.leads_to):
            if len(uris) > MAX_PACKAGES:
                project.cut.add(old)
            elif package not in uris:
                uris.append(package)
    if skipped_uris:
        project.cut.add(old)
    return [candidate for candidate in candidates if candidate.document.uri not in skipped_uris]
