"""The places of other files that follow a renaming: all of a file that is not open, or none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.suggest.next_edit.consequences.renames.rename_edits import kind_of, rename_candidate
from editahead.suggest.next_edit.consequences.renames.rename_verdict import Renamed
from editahead.suggest.next_edit.consequences.renames.renamed_uses import is_declared_already, parts_with, renamed_uses
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import LeadsTo
from editahead.suggest.next_edit.consequences.types import Consequence, Moment
from editahead.suggest.types import Document


class ElsewherePlaces(NamedTuple):
    """The edits in other files, and the URIs of those that use the name but are left as they are.

    `blocked`: one of them stands for a renaming that would break the program, so that there are no edits at all.
    """

    edits: list[Consequence]
    left: set[str]
    blocked: bool = False


def places_elsewhere(
    moment: Moment,
    home: Document,
    renamed: Renamed,
    files: Iterable[Document],
    kind: str,
    leads_to: LeadsTo | None = None,
    *,
    uri: str,
) -> ElsewherePlaces:
    """An edit for each place of some other files that import what was renamed.

    They import it from the file of `uri`: `home`, or a package that hands it on. `kind` is what tells these files.
    `leads_to` is of files that are not open.
    """
    old, parts, label = renamed.renaming.old, parts_with(renamed), f"{kind_of(renamed)}/{kind}"
    found = ElsewherePlaces([], set())
    if is_declared_already(renamed, home.uri, moment.document.unopened):
        return found._replace(blocked=True)
    for other in files:
        moment.check()
        if other is home or other.language_id != home.language_id or old.encode() not in other.syntax.buffer.data:
            continue
        resolver = ResolverCache().of if leads_to else moment.resolver  # what is not open is not kept
        names = resolver(other.uri, other.syntax, parts)
        if names is None:
            continue
        uses = renamed_uses(renamed, uri, names, other, leads_to, moment.document.unopened)
        if uses.overridden:
            return ElsewherePlaces([], set(), blocked=True)
        edits = [
            edit
            for use in uses.places
            for edit in rename_candidate(moment, home, other, renamed, label, use.start, shorthand=use.shorthand)
        ]
        whole = leads_to is None or len(edits) == len(uses.places)
        if uses.taken or not whole:
            found.left.add(other.uri)
        else:
            found.edits.extend(edits)
    return found
