"""Consequences of a renamed name in files of the project that are not open: those that import it."""

from __future__ import annotations

from editahead.suggest.next_edit.consequences.name_changes import renamings
from editahead.suggest.next_edit.consequences.rename import MAX_RENAMINGS, places_elsewhere, renamed_names
from editahead.suggest.next_edit.consequences.rename_verdict import site_of
from editahead.suggest.next_edit.consequences.renamed_uses import is_seen_elsewhere
from editahead.suggest.next_edit.consequences.types import Consequence, Moment, Outcome
from editahead.syntax.interrupt import interruptible


def rename_unopened(moment: Moment) -> list[Consequence]:
    """The places in files that are not open which import what was renamed at its declaration.

    A use of the old name that was replaced may have been meant for that place alone, and a name that was made private
    is no longer for other files: what they do instead nobody knows. Raises what the check raises.
    """
    project, found = moment.document.unopened, dict[tuple[str, int], Consequence]()
    if project is None:
        return []
    with interruptible(moment.check):
        for home in (moment.document, *moment.document.others):
            for renaming in renamings(home.history, home.syntax.buffer.data)[:MAX_RENAMINGS]:
                if renaming.new.startswith("_") and not renaming.old.startswith("_"):
                    continue
                for renamed, _ in renamed_names(moment, home, renaming, Outcome.empty()):
                    if not is_seen_elsewhere(renamed.names, renamed.binding) or site_of(renamed) != "declaration":
                        continue
                    files = project.importing(home.uri, renaming.old, moment.check)
                    for one in places_elsewhere(moment, home, renamed, files, "unopened-file", project.leads_to):
                        found.setdefault((one.document.uri, one.edit.start), one)
    return list(found.values())
