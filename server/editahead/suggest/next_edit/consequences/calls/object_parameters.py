"""Parameters for the object of a method: whether a call passes an argument for it depends on its receiver."""

from __future__ import annotations

from editahead.analysis.resolver.file_scopes import NameAt
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.signatures import Declared
from editahead.syntax.scope_table import Action, Namespace, ScopeKind


def implicit_parameters(names: Resolver, declared: Declared) -> int:
    """The number of first parameters of a function that calls on an object do not pass: `x.m()`."""
    items = declared.parameters.items
    if items and items[0].form == "object":
        return 1
    scope = names.scopes.declared_by(declared.name_start)
    facts = names.scopes.local(scope) if scope is not None else None
    around = names.scopes.parent(scope) if scope is not None else None
    method = around is not None and names.scopes.kind(around) is ScopeKind.CLASS
    return int(names.table.classes.explicit_self and method and facts is not None and not facts.static)


def not_given(names: Resolver, use: NameAt, declared: Declared, declaring: Resolver) -> int:
    """The number of first parameters that a call does not pass; -1 where it passes the object in addition to them.

    `use` is the name that is called, in a file of `names`; the function is declared in a file of `declaring`.
    """
    implicit = implicit_parameters(declaring, declared)
    if not _is_of_class(names, use):
        return implicit
    if names.table.classes.method_receivers:  # `T.m(t)` of Go, whose parameters do not hold the object
        return -1
    if not names.table.classes.explicit_self:
        return 0 if names.table.parameters.path_sign else implicit
    scope = declaring.scopes.declared_by(declared.name_start)
    facts = declaring.scopes.local(scope) if scope is not None else None
    return implicit if facts is None or facts.first_parameter == "cls" else 0


def _is_of_class(names: Resolver, use: NameAt) -> bool:
    """Whether the receiver of a call is a class, not an object."""
    receiver = use.occurrence.receiver
    if use.occurrence.action is not Action.ATTRIBUTE or receiver is None:
        return False
    sign = names.table.parameters.path_sign.encode()
    if sign and names.scopes.facts.data[max(0, use.start - len(sign)) : use.start] == sign:
        return True
    if receiver.kind != "name":
        return False
    scope = names.scopes.placed(use.unit, use.occurrence.scope)
    start = names.scopes.facts.units[use.unit].start + receiver.start
    binding = names.lookup(scope, Namespace.VALUE, receiver.name, start)
    return binding is not None and names.kind(binding) == "class"
