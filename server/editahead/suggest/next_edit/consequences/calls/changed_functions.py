"""Functions whose parameters the user changed, with the old and the new parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from editahead.analysis.resolver.file_scopes import ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.scope_lookup import Binding
from editahead.analysis.signatures import Declared, function_around, function_named
from editahead.patterns.changes import net_changes, take_latest
from editahead.suggest.next_edit.consequences.row_changes import RowChange, changed_row
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot

MAX_CHANGES = 4
"""The most recent changes of a text, which are examined."""


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
