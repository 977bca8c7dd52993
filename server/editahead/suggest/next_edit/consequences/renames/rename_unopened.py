"""Consequences of a renamed name in files of the project that are not open: those that import it.

A package may hand on what one of its modules declares (`from .cart import total` in `shop/__init__.py`): files that
import it from the package follow, too.
"""

from __future__ import annotations

from editahead.suggest.next_edit.consequences.name_changes import renamings
from editahead.suggest.next_edit.consequences.renames.places_elsewhere import places_elsewhere
from editahead.suggest.next_edit.consequences.renames.rename import MAX_RENAMINGS, renamed_names
from editahead.suggest.next_edit.consequences.renames.rename_verdict import Renamed, site_of
from editahead.suggest.next_edit.consequences.renames.renamed_uses import is_seen_elsewhere, packages_handing_on
from editahead.suggest.next_edit.consequences.types import Consequence, Moment, Outcome
from editahead.suggest.types import Document, UnopenedProject
from editahead.syntax.interrupt import interruptible

MAX_PACKAGES = 3
"""Packages that hand on a name which are followed to the files that import it from there."""


def rename_unopened(moment: Moment) -> list[Consequence]:
    """The places in files that are not open which import what was renamed at its declaration.

    A use of the old name that was replaced may have been meant for that place alone, and a name that was made private
    is no longer for other files: what they do instead nobody knows. Raises what the check raises.
    """
    project, found = moment.document.unopened, dict[tuple[str, int], Consequence]()
    if project is None:
        return []
    project.cut.clear()
    with interruptible(moment.check):
        for home in (moment.document, *moment.document.others):
            for renaming in renamings(home.history, home.syntax.buffer.data)[:MAX_RENAMINGS]:
                if renaming.new.startswith("_") and not renaming.old.startswith("_"):
                    continue
                for renamed, _ in renamed_names(moment, home, renaming, Outcome.empty()):
                    if not is_seen_elsewhere(renamed.names, renamed.binding) or site_of(renamed) != "declaration":
                        continue
                    for one in _in_project(moment, project, home, renamed):
                        found.setdefault((one.document.uri, one.edit.start), one)
    return list(found.values())


def _in_project(moment: Moment, project: UnopenedProject, home: Document, renamed: Renamed) -> list[Consequence]:
    """The places in files that import from `home`, and then in those that import from packages which hand it on.

    A file that cannot be renamed whole is left as it is, wherever it imports the name from.
    """
    opened, old = (moment.document, *moment.document.others), renamed.renaming.old
    uris, found, left = [home.uri], list[Consequence](), set[str]()
    for uri in uris:
        files = list(project.importing(uri, old, moment.check))
        places = places_elsewhere(moment, home, renamed, files, "unopened-file", project.leads_to, uri=uri)
        if places.blocked:
            project.cut.add(old)
            return []
        found += places.edits
        left |= places.left
        followed = [one for one in (*files, *opened) if one.uri not in left]
        for package in packages_handing_on(moment, uri, renamed, followed, project.leads_to):
            if len(uris) > MAX_PACKAGES:
                project.cut.add(old)
            elif package not in uris:
                uris.append(package)
    if left:
        project.cut.add(old)
    return [one for one in found if one.document.uri not in left]
