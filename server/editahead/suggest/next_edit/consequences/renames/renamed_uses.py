"""References to a renamed binding in other files, by imported modules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt, ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.suggest.next_edit.consequences.renames.exported_types import exported_name, exported_strings
from editahead.suggest.next_edit.consequences.renames.rename_verdict import RenamedBinding
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import (
    LeadsTo,
    declaring_module_test,
    is_exported,
    uses_elsewhere,
)
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import Action, Namespace, ScopeKind

_BOUND = (Action.ATTRIBUTE, Action.IMPORTED)  # actions of names that no scope can shadow: members and imported names


def is_taken(
    resolver: Resolver,
    uses: Sequence[NameAt],
    new: str,
    is_declaring_module: Callable[[str], bool],
    *,
    is_finished: bool,
) -> bool:
    """Whether the new name would change the meaning of the uses, or would capture other uses of that name.

    An import of the new name from the declaring module was renamed before. In a file that is finished, an unbound name
    has some other source; in an open file it may have been renamed before, too.
    """
    scopes, is_bound_by_scope = resolver.scopes, dict[ScopeRef, bool]()
    bare_uses = [use for use in uses if use.occurrence.action not in _BOUND]
    use_scopes = {scopes.placed(use.unit, use.occurrence.scope) for use in bare_uses}
    if any(
        _is_bound_otherwise(resolver, scope, distance, new, is_declaring_module, is_bound_by_scope)
        for use_scope in use_scopes
        for distance, scope in enumerate(scopes.around(use_scope))
    ):
        return True
    import_scopes = {
        scopes.binding_scope(scopes.placed(use.unit, use.occurrence.scope), use.occurrence.name)
        for use in bare_uses
        if use.occurrence.action is Action.BIND and use.occurrence.kind == "import"
    }
    return bool(import_scopes) and any(
        _is_captured(resolver, use, import_scopes, is_declaring_module, is_finished) for use in resolver.names(new)
    )


def _is_bound_otherwise(
    resolver: Resolver,
    scope: ScopeRef,
    distance: int,
    new: str,
    is_declaring_module: Callable[[str], bool],
    is_bound_by_scope: dict[ScopeRef, bool],
) -> bool:
    """Whether a scope around a bare use binds the new name; `distance` is the number of scopes between."""
    table, namespaces = resolver.table, tuple(Namespace)
    is_own_scope = distance == 0 and not table.classes.members_need_receiver
    if resolver.scopes.kind(scope) is ScopeKind.CLASS and not (table.classes.scope_is_inherited or is_own_scope):
        namespaces = (Namespace.TYPE,)
    elif scope in is_bound_by_scope:
        return is_bound_by_scope[scope]
    declarations = [
        declaration for namespace in namespaces for declaration in resolver.scopes.bound_in(scope, namespace, new)
    ]
    is_bound = any(
        declaration.occurrence.kind != "import" or not is_declaring_module(declaration.occurrence.module)
        for declaration in declarations
    )
    if len(namespaces) > 1:
        is_bound_by_scope[scope] = is_bound
    return is_bound


def _is_captured(
    resolver: Resolver,
    use: NameAt,
    import_scopes: set[ScopeRef],
    is_declaring_module: Callable[[str], bool],
    is_finished: bool,
) -> bool:
    """Whether an import in any of the scopes would capture an existing use of the new name."""
    if use.occurrence.action not in (Action.USE, Action.GLOBAL, Action.NONLOCAL):
        return False
    scopes = resolver.scopes
    around = list(scopes.around(scopes.placed(use.unit, use.occurrence.scope)))
    import_distance = next((distance for distance, scope in enumerate(around) if scope in import_scopes), None)
    if import_distance is None:
        return False
    binding = resolver.binding(use)
    if binding is None:
        return is_finished or use.occurrence.name in resolver.table.builtins or scopes.has_wildcard_import()
    if all(
        declaration.occurrence.kind == "import" and is_declaring_module(declaration.occurrence.module)
        for declaration in resolver.declarations(binding)
    ):
        return False
    return binding.scope not in around[:import_distance]


class OtherUse(NamedTuple):
    """The offset of a reference, with its `Occurrence.shorthand`."""

    start: int
    shorthand: str = ""


class OtherUses(NamedTuple):
    """The references in a file, in text order.

    `has_conflict`: the new name means something else in the file. `has_override`: the file declares a method that may
    override the renamed method, so that a partial renaming would break the program.
    """

    uses: list[OtherUse]
    has_conflict: bool = False
    has_override: bool = False


def is_seen_elsewhere(renamed: RenamedBinding) -> bool:
    """Whether other files can use a binding."""
    if renamed.resolver.table.imports.names_package:
        return exported_name(renamed) is not None
    return is_exported(renamed.binding) and renamed.resolver.kind(renamed.binding) != "import"


def parts_with(renamed: RenamedBinding, types: Iterable[str] = ()) -> Parts:
    """The parts of another file to analyse for references: those with the names, and the first for its imports."""
    words = (renamed.renaming.old, renamed.renaming.new, *types)
    return Parts(frozenset(word.encode() for word in words), (0,))


def renamed_uses(
    renamed: RenamedBinding, declaring_uri: str, resolver: Resolver, document: Document, leads_to: LeadsTo | None
) -> OtherUses:
    """The references in a document to a binding that the file `declaring_uri` declares or re-exports."""
    old, new = renamed.renaming.old, renamed.renaming.new
    references = uses_elsewhere(resolver, old, declaring_uri, document.uri, leads_to)
    is_declaring_module = declaring_module_test(old, declaring_uri, document.uri, leads_to)
    if is_taken(resolver, references, new, is_declaring_module, is_finished=leads_to is not None):
        return OtherUses([], has_conflict=True)
    uses = [OtherUse(reference.start, reference.occurrence.shorthand) for reference in references]
    if any(_is_module_import(resolver, reference) for reference in references):
        uses += [OtherUse(start) for start in exported_strings(document.syntax, old)]
    return OtherUses(sorted(uses))


def _is_module_import(resolver: Resolver, reference: NameAt) -> bool:
    scope = resolver.scopes.placed(reference.unit, reference.occurrence.scope)
    is_import_binding = reference.occurrence.action is Action.BIND and reference.occurrence.kind == "import"
    return is_import_binding and resolver.scopes.binding_scope(scope, reference.occurrence.name) == MODULE_SCOPE
