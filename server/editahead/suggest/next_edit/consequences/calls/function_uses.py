"""Where a function is meant by its name: told by scopes and imports, and of a method by the object itself alone."""

from __future__ import annotations

from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.scope_lookup import Binding
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import is_exported, uses_elsewhere
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import Action, ScopeKind

MAX_STANDING = 600
"""How often a function's name may stand in a file: the declarations and statements that hold it are read."""


def names_with(moment: Moment, document: Document, name: str, near: tuple[int, ...] = ()) -> Resolver | None:
    """The names of a document, as far as they tell of a function; None where its name stands too often."""
    word = name.encode()
    if document.syntax.count(word + b"(") > MAX_STANDING:
        return None
    return moment.resolver(document.uri, document.syntax, Parts(frozenset({word}), near))


def own_uses(names: Resolver, binding: Binding) -> list[int]:
    """Where the file of a function says its name and means it; nowhere where it is declared or overridden again."""
    if len(names.declarations(binding)) != 1:
        return []
    scopes, found = names.scopes, names.references(binding)
    if scopes.kind(binding.scope) is not ScopeKind.CLASS:
        return [one.start for one in found if one.occurrence.action is Action.USE]
    if sum(one.occurrence.kind == "function" for one in names.names(binding.name)) != 1:
        return []
    placed = [(one, scopes.placed(one.unit, one.occurrence.scope)) for one in found]
    return [
        one.start
        for one, scope in placed
        if one.occurrence.action is Action.ATTRIBUTE
        and names.is_self(one.occurrence, scope)
        and scopes.class_around(scope) == binding.scope
    ]


def other_uses(moment: Moment, home: Document, document: Document, binding: Binding) -> list[int]:
    """Where another file says the name of a function that it imports."""
    names = names_with(moment, document, binding.name) if is_exported(binding) else None
    return [one.start for one in uses_elsewhere(names, binding.name, home.uri, document.uri)] if names else []
