"""Checks whether the new name of an import already means something else in the importing file."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from editahead.analysis.resolver.file_scopes import NameAt, ScopeRef
from editahead.analysis.resolver.resolver import Resolver
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
