"""Functions whose list of parameters the user changed: what it is, what it was, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from editahead.analysis.resolver.file_scopes import ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.scope_lookup import Binding
from editahead.analysis.signatures import Declared, function_around, function_named
from editahead.suggest.next_edit.consequences.calls.changed_rows import changed_rows
from editahead.suggest.next_edit.consequences.row_changes import RowChange, changed_row
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import ScopeTable


class ChangedFunction(NamedTuple):
    """A function whose parameters the user changed."""

    home: Document
    table: ScopeTable
    names: Resolver
    now: Declared
    before: Declared
    change: RowChange

    @property
    def signature(self) -> str:
        """Its name and its parameters as they are now, for people."""
        return f"{self.now.name}({', '.join(self.now.parameters.names)})"


def changed_functions(moment: Moment, home: Document) -> Sequence[ChangedFunction]:
    """The functions of a document whose parameters were changed, the latest first; none while one is typed."""
    return moment.once("changed functions", home, lambda: list(_changed_functions(moment, home)))


def _changed_functions(moment: Moment, home: Document) -> Iterator[ChangedFunction]:
    table, syntax = home.syntax.language.scopes, home.syntax
    for now, earlier in changed_rows(moment, home, function_around):
        assert table is not None
        before = function_named(earlier, table, now.name_start)
        change = changed_row(before.parameters, now.parameters) if before is not None else None
        if before is not None and change is not None:
            names = moment.resolver(home.uri, syntax, Parts(frozenset({now.name.encode()}), (now.name_start,)))
            if names is not None:
                yield ChangedFunction(home, table, names, now, before, change)


def called_binding(names: Resolver, binding: Binding, scope: ScopeRef, name: str) -> Binding | None:
    """What calls of a function in a scope name: the function, or for a constructor the class."""
    if name != names.table.classes.constructor:
        return binding
    owner = names.scopes.local(scope)
    start = names.scopes.span(scope)[0]
    rows = names.names(owner.name) if owner is not None else []
    class_name = next((each for each in rows if each.occurrence.kind == "class" and each.start >= start), None)
    return names.binding(class_name) if class_name is not None else None
