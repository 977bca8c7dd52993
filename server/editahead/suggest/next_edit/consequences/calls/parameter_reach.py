"""What an added or removed parameter reaches: calls of the function, and names that can be used where they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from editahead.analysis.resolver.file_scopes import NameAt, ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.scope_lookup import Binding
from editahead.suggest.next_edit.consequences.calls.changed_functions import ChangedFunction
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import files_naming, is_exported, uses_elsewhere
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.next_edit.resolved_changes import ResolvedParameter
from editahead.suggest.types import Document
from editahead.syntax.scope_table import Namespace, ScopeKind

_BARE = tuple(space for space in Namespace if space not in (Namespace.PRIVATE, Namespace.LABEL))


def is_usable(names: Resolver, byte: int, name: str) -> bool:
    """Whether a bare name can be used at a byte. A variable of the same function must be bound before it."""
    scopes = names.scopes
    here = scopes.scope_at(byte)
    binding = _bound_around(names, here, byte, name)
    if binding is None:
        return False
    ref, declarations = binding
    if declarations[0].occurrence.kind != "variable" or scopes.function_around(ref) != scopes.function_around(here):
        return True
    return any(declaration.start < byte for declaration in declarations)


def is_visible(names: Resolver, byte: int, name: str) -> bool:
    """Whether a scope around a byte binds a name, before or behind it."""
    return _bound_around(names, names.scopes.scope_at(byte), byte, name) is not None


def _bound_around(names: Resolver, here: ScopeRef, byte: int, name: str) -> tuple[ScopeRef, list[NameAt]] | None:
    """The innermost scope that binds a name for a byte in `here`, with the declarations in it."""
    scopes, table = names.scopes, names.table
    for distance, ref in enumerate(scopes.around(here)):
        kind = scopes.kind(ref)
        if kind is ScopeKind.CLASS and distance and not table.classes.scope_is_inherited:
            continue
        rows = (row for space in _BARE for row in scopes.bound_in(ref, space, name))
        declarations = sorted(rows, key=lambda row: row.start)
        if kind is ScopeKind.BLOCK and not table.hoisted:
            declarations = [row for row in declarations if row.start <= byte]
        if declarations:
            return ref, declarations
    return None


MAX_STANDING = 200  # occurrences of a function's name in a file that are resolved


def resolved_parameters(moment: Moment, changed: ChangedFunction, binding: Binding) -> Iterator[ResolvedParameter]:
    """Yield the resolved parameter of a changed function for each open file.

    `binding` is that which its calls name: for a constructor the class. Nothing unless a single parameter was added or
    removed.
    """
    if changed.change.kind not in ("added", "removed") or not changed.change.name:
        return
    own = {use.start for use in changed.names.references(binding)}
    yield _resolved(changed, changed.document, changed.names, binding.name, own)
    exported = is_exported(binding)
    for other, names in files_naming(moment, changed.document, binding.name):
        uses = uses_elsewhere(names, binding.name, changed.document.uri, other.uri) if exported else []
        yield _resolved(changed, other, names, binding.name, {use.start for use in uses})


def without_contradictions(
    resolved: Sequence[ResolvedParameter], declared: Set[tuple[str, int]]
) -> list[ResolvedParameter]:
    """The resolved parameters, without `others` where the user changed several functions of the same name.

    `declared` are the files and the bytes of the names of all changed functions.
    """
    return [
        parameter._replace(others=frozenset())
        if any((parameter.uri, start) in declared for start in parameter.others)
        else parameter
        for parameter in resolved
    ]


def _resolved(
    changed: ChangedFunction, document: Document, names: Resolver, function: str, own: set[int]
) -> ResolvedParameter:
    occurrences = names.names(function)[:MAX_STANDING]
    others = frozenset(use.start for use in occurrences if use.start not in own and _is_resolved(names, use))
    name = changed.change.name
    used = [use.start for use in occurrences if not use.occurrence.kind and use.start not in others]
    unusable = _unusable(names, used, name) if changed.change.kind == "added" else frozenset[int]()
    return ResolvedParameter(document.uri, function, name, others, unusable)


def _unusable(names: Resolver, used: Sequence[int], name: str) -> frozenset[int]:
    """The bytes among `used` at which a name cannot be used.

    If it can be used at none of them, the user is about to declare it, unless it is a variable that is bound too late.
    """
    unusable = [start for start in used if not is_usable(names, start, name)]
    if len(unusable) == len(used):
        unusable = [start for start in unusable if is_visible(names, start, name)]
    return frozenset(unusable)


def _is_resolved(names: Resolver, at: NameAt) -> bool:
    """Whether an occurrence is a declaration or can be resolved; members of unknown objects cannot."""
    return bool(at.occurrence.kind) or names.binding(at) is not None
