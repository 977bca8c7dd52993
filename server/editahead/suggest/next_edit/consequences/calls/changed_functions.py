"""Functions whose parameters the user changed, with the old and the new ones, and which of them a call passes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from editahead.analysis.resolver.file_scopes import NameAt, ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.scope_lookup import Binding
from editahead.analysis.signatures import Declared, function_around, function_named
from editahead.patterns.changes import net_changes, take_latest
from editahead.suggest.next_edit.consequences.row_changes import RowChange, changed_row
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import Action, Namespace, ScopeKind, ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot

MAX_CHANGES = 4  # the most recent changes of a text, which are examined


class ChangedFunction(NamedTuple):
    """A function whose parameters the user changed; `before` stands in the text `earlier`."""

    document: Document
    table: ScopeTable
    names: Resolver
    now: Declared
    before: Declared
    change: RowChange
    earlier: bytes

    @property
    def signature(self) -> str:
        """The function's name and current parameters, for display."""
        return f"{self.now.name}({', '.join(self.now.parameters.names)})"


def changed_functions(moment: Moment, document: Document) -> Sequence[ChangedFunction]:
    """The functions of a document whose parameters were changed, most recent first, without incomplete lists."""
    return moment.once("changed functions", document, lambda: list(_changed_functions(moment, document)))


def _changed_functions(moment: Moment, document: Document) -> Iterator[ChangedFunction]:
    table, syntax = document.syntax.language.scopes, document.syntax
    for now, earlier in _changed_parameters(moment, document):
        assert table is not None
        before = function_named(earlier, table, now.name_start)
        change = (
            changed_row(before.parameters, now.parameters, earlier.buffer.data, syntax.buffer.data) if before else None
        )
        if before is not None and change is not None:
            names = moment.resolver(document.uri, syntax, Parts(frozenset({now.name.encode()}), (now.name_start,)))
            if names is not None:
                yield ChangedFunction(document, table, names, now, before, change, earlier.buffer.data)


def _changed_parameters(moment: Moment, document: Document) -> Iterator[tuple[Declared, SyntaxSnapshot]]:
    """Yield functions of which only the parameters were changed, most recent first, and the text before the changes.

    Parameter lists at the cursor that are still being typed are omitted.
    """
    table, syntax, data = document.syntax.language.scopes, document.syntax, document.syntax.buffer.data
    changes = [change for change in net_changes(document.history, data) if not change.is_undone(data)]
    seen: set[int] = set()
    for change in take_latest(changes, MAX_CHANGES) if table is not None else ():
        assert table is not None
        moment.check()
        now = function_around(syntax, table, change.start) or function_around(syntax, table, change.end)
        if now is None or now.name_start in seen:
            continue
        seen.add(now.name_start)
        row = now.parameters
        if document is moment.document and not document.idle and row.start <= moment.byte <= row.end:
            continue
        touching = [each for each in changes if each.start < row.end and row.start < each.end]
        inside = [each for each in changes if row.start <= each.start and each.end <= row.end]
        if inside and all(each in inside for each in touching):
            yield now, moment.before(syntax, inside)


def called_binding(names: Resolver, binding: Binding, scope: ScopeRef, name: str) -> Binding | None:
    """The binding that calls of a function in a scope name: the function, or for a constructor the class."""
    if name != names.table.classes.constructor:
        return binding
    owner = names.scopes.local(scope)
    start = names.scopes.span(scope)[0]
    rows = names.names(owner.name) if owner is not None else []
    class_name = next((each for each in rows if each.occurrence.kind == "class" and each.start >= start), None)
    return names.binding(class_name) if class_name is not None else None


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
