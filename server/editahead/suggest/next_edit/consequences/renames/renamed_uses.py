"""Where other files use what was renamed: by modules that they import, or by types where files name their packages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.analysis.resolver.scope_lookup import Binding
from editahead.suggest.next_edit.consequences.renames.export_list import exported_strings
from editahead.suggest.next_edit.consequences.renames.exported_types import exported_name
from editahead.suggest.next_edit.consequences.renames.name_taken import is_taken
from editahead.suggest.next_edit.consequences.renames.rename_verdict import Renamed
from editahead.suggest.next_edit.consequences.renames.type_uses import TypeUses
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import (
    PACKAGE,
    LeadsTo,
    hands_on,
    home_test,
    is_exported,
    path_of,
    uses_elsewhere,
)
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import Document, UnopenedProject
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import Action


class OtherUse(NamedTuple):
    """A byte where a use begins, and how the name stands there if it is more than a use (`Occurrence.shorthand`)."""

    start: int
    shorthand: str = ""


class OtherUses(NamedTuple):
    """The uses in one file, in text order.

    `taken`: it uses the name, but the new one means something else there. `overridden`: it declares a method that may
    be the renamed one, so that the program breaks if only the others are renamed.
    """

    places: list[OtherUse]
    taken: bool = False
    overridden: bool = False


def is_seen_elsewhere(names: Resolver, binding: Binding) -> bool:
    """Whether other files can use a binding."""
    if names.table.imports.names_package:
        return exported_name(names, binding) is not None
    return is_exported(binding) and names.kind(binding) != "import"


def is_declared_already(renamed: Renamed, home_uri: str, project: UnopenedProject | None) -> bool:
    """Whether another file of the package has a type of the new name."""
    if project is None or not renamed.names.table.imports.names_package:
        return False
    exported = exported_name(renamed.names, renamed.binding)
    outermost = exported is not None and exported.kind == "class" and not exported.types
    return exported is not None and outermost and project.declares(renamed.renaming.new, exported.package, home_uri)


def parts_with(renamed: Renamed) -> Parts:
    """The parts of another file that say where it uses what was renamed: its imports stand in the first one."""
    words = {renamed.renaming.old, renamed.renaming.new}
    exported = exported_name(renamed.names, renamed.binding) if renamed.names.table.imports.names_package else None
    words.update(exported.types if exported is not None else ())
    return Parts(frozenset(word.encode() for word in words), (0,))


def renamed_uses(
    renamed: Renamed,
    home_uri: str,
    names: Resolver,
    other: Document,
    leads_to: LeadsTo | None,
    project: UnopenedProject | None,
) -> OtherUses:
    """Where a file uses what was renamed in another one, or what the package of a URI hands on."""
    old, new = renamed.renaming.old, renamed.renaming.new
    if not names.table.imports.names_package:
        found = uses_elsewhere(names, old, home_uri, other.uri, leads_to)
        is_home = home_test(old, home_uri, other.uri, leads_to)
        if is_taken(names, found, new, is_home, finished=leads_to is not None):
            return OtherUses([], taken=True)
        uses = [OtherUse(at.start, at.occurrence.shorthand) for at in found]
        if any(_binds_in_module(names, at) for at in found):
            uses += [OtherUse(start) for start in exported_strings(other.syntax, old)]
        return OtherUses(sorted(uses))
    exported = exported_name(renamed.names, renamed.binding)
    if exported is None or (not exported.package and path_of(home_uri).parent != path_of(other.uri).parent):
        return OtherUses([])

    def leads(written: str) -> bool:
        return leads_to is None or leads_to(written, other.uri, home_uri)

    def declares(package: str) -> bool:
        return project is not None and project.declares(new, package, other.uri)

    read = TypeUses(names, other.syntax, exported, leads, declares)
    starts = read.starts(new)
    return OtherUses([OtherUse(start) for start in starts], read.taken, read.overridden)


def _binds_in_module(names: Resolver, at: NameAt) -> bool:
    scope = names.scopes.placed(at.unit, at.occurrence.scope)
    binds = at.occurrence.action is Action.BIND and at.occurrence.kind == "import"
    return binds and names.scopes.binding_scope(scope, at.occurrence.name) == MODULE_SCOPE


def packages_handing_on(
    moment: Moment, home_uri: str, renamed: Renamed, files: Iterable[Document], leads_to: LeadsTo | None
) -> Iterator[str]:
    """Yield the URIs of packages that import what was renamed, by its old name or already by its new one.

    One in which the new name is taken keeps the old one, and so do those that import it from there.
    """
    old, new = renamed.renaming.old, renamed.renaming.new
    for other in files:
        if path_of(other.uri).stem != PACKAGE or other.uri == home_uri:
            continue
        moment.check()
        resolver = ResolverCache().of if leads_to else moment.resolver
        names = resolver(other.uri, other.syntax, parts_with(renamed))
        if names is None:
            continue
        if hands_on(names, new, home_uri, other.uri, leads_to):
            yield other.uri
        elif hands_on(names, old, home_uri, other.uri, leads_to):
            uses = renamed_uses(renamed, home_uri, names, other, leads_to, None)
            if uses.places:
                yield other.uri
