"""Where other files use what was renamed: by modules that they import, or by types where files name their packages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from editahead.analysis.resolver.resolver import Binding, Resolver
from editahead.suggest.next_edit.consequences.renames.exported_types import exported_name
from editahead.suggest.next_edit.consequences.renames.rename_verdict import Renamed
from editahead.suggest.next_edit.consequences.renames.type_uses import TypeUses
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import (
    PACKAGE,
    LeadsTo,
    hands_on,
    is_exported,
    path_of,
    uses_elsewhere,
)
from editahead.suggest.next_edit.consequences.resolvers import Resolvers
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts


class OtherUse(NamedTuple):
    """A byte where a use begins, and which of a key and a name is meant if it is both at once."""

    start: int
    shorthand: str = ""


def is_seen_elsewhere(names: Resolver, binding: Binding) -> bool:
    """Whether other files can use a binding."""
    if names.table.names_package:
        return exported_name(names, binding) is not None
    return is_exported(binding) and names.kind(binding) != "import"


def parts_with(renamed: Renamed) -> Parts:
    """The parts of another file that say where it uses what was renamed."""
    words = {renamed.renaming.old, renamed.renaming.new}
    exported = exported_name(renamed.names, renamed.binding) if renamed.names.table.names_package else None
    return Parts(frozenset(word.encode() for word in words.union(exported.types if exported is not None else ())))


def renamed_uses(
    renamed: Renamed, home_uri: str, names: Resolver, other: Document, leads_to: LeadsTo | None
) -> list[OtherUse]:
    """Where a file uses what was renamed in another one, or what the package of a URI hands on; in text order."""
    old, new = renamed.renaming.old, renamed.renaming.new
    if not names.table.names_package:
        found = uses_elsewhere(names, old, home_uri, other.uri, leads_to)
        return [OtherUse(at.start, at.occurrence.shorthand) for at in found]
    exported = exported_name(renamed.names, renamed.binding)
    if exported is None or (not exported.package and path_of(home_uri).parent != path_of(other.uri).parent):
        return []

    def leads(written: str) -> bool:
        return leads_to is None or leads_to(written, other.uri, home_uri)

    return [OtherUse(start) for start in TypeUses(names, other.syntax, exported, leads).starts(new)]


def packages_handing_on(
    moment: Moment, home_uri: str, renamed: Renamed, files: Iterable[Document], leads_to: LeadsTo | None
) -> Iterator[str]:
    """Yield the URIs of packages that import what was renamed, by its old name or already by its new one."""
    for other in files:
        if path_of(other.uri).stem != PACKAGE or other.uri == home_uri:
            continue
        moment.check()
        resolver = Resolvers().of if leads_to else moment.resolver
        names = resolver(other.uri, other.syntax, parts_with(renamed))
        words = (renamed.renaming.old, renamed.renaming.new)
        if names is not None and any(hands_on(names, word, home_uri, other.uri, leads_to) for word in words):
            yield other.uri
