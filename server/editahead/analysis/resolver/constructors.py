"""Constructors that have the name of their class: which one has a parameter of a name."""

from __future__ import annotations

from editahead.analysis.facts.facts import Receiver
from editahead.analysis.resolver.classes import Lookup
from editahead.analysis.resolver.file_scopes import FileScopes, NameAt, ScopeRef
from editahead.syntax.scope_table import Action, Namespace, ScopeKind


class Constructors:
    """Parameters of the constructors of one version of a file; those of one name are read at once."""

    def __init__(self, scopes: FileScopes, lookup: Lookup) -> None:
        self._scopes, self._lookup = scopes, lookup
        self._parameters: dict[str, dict[ScopeRef, set[ScopeRef]]] = {}

    def holder(self, keyword: NameAt, owner: ScopeRef, scope: ScopeRef) -> ScopeRef | None:
        """The scope of the parameter that a keyword in a scope names, which is given to the constructor of a class.

        It is the class where the parameter stands in its head, as it must in a pattern, which names the class without
        `new`. None where no constructor has one of that name, or several do, and for a method with the name of a class.
        """
        name = keyword.occurrence.name
        known = self._parameters.get(name)
        if known is None:
            known = self._parameters[name] = self._find(name)
        scopes, callee = known.get(owner, set()), keyword.occurrence.receiver
        if len(scopes) != 1 or callee is None:
            return None
        held = next(iter(scopes))
        if callee.kind == "creation":
            return held
        return held if held == owner and not self._is_method(callee, keyword.start, scope) else None

    def _find(self, name: str) -> dict[ScopeRef, set[ScopeRef]]:
        """The scopes that bind parameters of a name, by class."""
        found: dict[ScopeRef, set[ScopeRef]] = {}
        for at in self._scopes.index(name).all:
            if at.occurrence.action is not Action.BIND:
                continue
            scope = self._scopes.placed(at.unit, at.occurrence.scope)
            facts = self._scopes.facts.units[at.unit].facts.scopes[at.occurrence.scope]
            if facts.kind is ScopeKind.CLASS and name in facts.head_parameters:
                found.setdefault(scope, set()).add(scope)
            elif facts.kind is ScopeKind.FUNCTION and at.occurrence.kind == "parameter":
                owner = self._scopes.parent(scope)
                around = self._scopes.local(owner) if owner is not None else None
                is_class = around is not None and around.kind is ScopeKind.CLASS and around.name == facts.name
                if owner is not None and is_class:
                    found.setdefault(owner, set()).add(scope)
        return found

    def _is_method(self, callee: Receiver, start: int, scope: ScopeRef) -> bool:
        found = self._lookup(scope, Namespace.VALUE, callee.name, start) if callee.kind == "name" else None
        return found is not None and found.namespace is Namespace.VALUE
