"""Which calls and declarations of a name belong to a function whose parameters were changed, and which do not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from editahead.analysis.resolver.file_scopes import NameAt
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.scope_lookup import Binding
from editahead.suggest.next_edit.consequences.calls.changed_functions import ChangedFunction
from editahead.suggest.next_edit.consequences.calls.usable_names import is_usable, is_visible
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import files_naming, is_exported, uses_elsewhere
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.next_edit.resolved_parameters import ResolvedParameter
from editahead.suggest.types import Document

MAX_STANDING = 200
"""How often the name of a function is looked at in one file."""


def resolved_parameters(moment: Moment, changed: ChangedFunction, binding: Binding) -> Iterator[ResolvedParameter]:
    """What the names of the open files say of a function. `binding` is what its calls name: the class, if it makes one.

    Nothing where more or less than one parameter came or went.
    """
    if changed.change.kind not in ("added", "removed") or not changed.change.name:
        return
    mine = {use.start for use in changed.names.references(binding)}
    yield _resolved(changed, changed.home, changed.names, binding.name, mine)
    exported = is_exported(binding)
    for other, names in files_naming(moment, changed.home, binding.name):
        uses = uses_elsewhere(names, binding.name, changed.home.uri, other.uri) if exported else []
        yield _resolved(changed, other, names, binding.name, {use.start for use in uses})


def without_contradictions(
    resolved: Sequence[ResolvedParameter], declared: Set[tuple[str, int]]
) -> list[ResolvedParameter]:
    """The same; where the user changed several functions of one name, all of that name may follow.

    `declared` are the files and the bytes of the names of all functions that were changed.
    """
    return [
        parameter._replace(others=frozenset())
        if any((parameter.uri, start) in declared for start in parameter.others)
        else parameter
        for parameter in resolved
    ]


def _resolved(
    changed: ChangedFunction, document: Document, names: Resolver, function: str, mine: set[int]
) -> ResolvedParameter:
    standing = names.names(function)[:MAX_STANDING]
    others = frozenset(use.start for use in standing if use.start not in mine and _is_known(names, use))
    name = changed.change.name
    used = [use.start for use in standing if not use.occurrence.kind and use.start not in others]
    unusable = _unusable(names, used, name) if changed.change.kind == "added" else frozenset[int]()
    return ResolvedParameter(document.uri, function, name, others, unusable)


def _unusable(names: Resolver, used: Sequence[int], name: str) -> frozenset[int]:
    """Those of some bytes at which a name cannot be used.

    Where it can be used at none, the user is about to declare it, but for a variable that is bound too late.
    """
    unusable = [start for start in used if not is_usable(names, start, name)]
    if len(unusable) == len(used):
        unusable = [start for start in unusable if is_visible(names, start, name)]
    return frozenset(unusable)


def _is_known(names: Resolver, at: NameAt) -> bool:
    """Whether the file tells what a name means: a member of an unknown object may be meant."""
    return bool(at.occurrence.kind) or names.binding(at) is not None
