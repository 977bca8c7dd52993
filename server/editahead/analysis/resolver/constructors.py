"""Parameters of constructors that have the name of their class."""

from __future__ import annotations

from editahead.analysis.facts.facts import Receiver
from editahead.analysis.resolver.classes import Lookup
from editahead.analysis.resolver.file_scopes import FileScopes, NameAt, ScopeRef
from editahead.syntax.scope_table import Action, Namespace, ScopeKind


class Constructors:
    """Parameters of the constructors of a version of a file, read by name."""

    def __init__(self, scopes: FileScopes, lookup: Lookup) -> None:
        self._scopes, self._lookup = scopes, lookup
        self._parameters: dict[str, dict[ScopeRef, set[ScopeRef]]] = {}

    def holder(self, keyword: NameAt, owner: ScopeRef, scope: ScopeRef) -> ScopeRef | None:
        """The scope of the constructor parameter that a keyword argument in a scope names.

        It is the class itself where the parameter stands in the class head. In a pattern, which names the class without
        `new`, no other parameter counts. None where no constructor, or more than one, has a parameter of that name, and
        where the callee is a method with the name of the class.
        """
        name = keyword.occurrence.name
        if name not in self._parameters:
            self._parameters[name] = self._find(name)
        scopes, callee = self._parameters[name].get(owner, set()), keyword.occurrence.receiver
        if len(scopes) != 1 or callee is None:
            return None
        holder = next(iter(scopes))
        if callee.kind == "creation":
            return holder
        return holder if holder == owner and not self._is_method(callee, keyword.start, scope) else None

    def _find(self, name: str) -> dict[ScopeRef, set[ScopeRef]]:
        """The scopes that bind constructor parameters of a name, by class."""
        scopes_by_class: dict[ScopeRef, set[ScopeRef]] = {}
        for row in self._scopes.index(name).all:
            if row.occurrence.action is not Action.BIND:
                continue
            scope = self._scopes.placed(row.unit, row.occurrence.scope)
            facts = self._scopes.facts.units[row.unit].facts.scopes[row.occurrence.scope]
            if facts.kind is ScopeKind.CLASS and name in facts.head_parameters:
                scopes_by_class.setdefault(scope, set()).add(scope)
            elif facts.kind is ScopeKind.FUNCTION and row.occurrence.kind == "parameter":
                owner = self._scopes.parent(scope)
                around = self._scopes.local(owner) if owner is not None else None
                is_class = around is not None and around.kind is ScopeKind.CLASS and around.name == facts.name
                if owner is not None and is_class:
                    scopes_by_class.setdefault(owner, set()).add(scope)
        return scopes_by_class

    def _is_method(self, callee: Receiver, start: int, scope: ScopeRef) -> bool:
        binding = self._lookup(scope, Namespace.VALUE, callee.name, start) if callee.kind == "name" else None
        return binding is not None and binding.namespace is Namespace.VALUE
