"""Methods that a file adds to types: `static void Ship(this Order order)` of C#, called as `order.Ship()`."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, islice

from editahead.analysis.facts.facts import Receiver
from editahead.analysis.resolver.classes import MAX_DECLARATIONS, Classes
from editahead.analysis.resolver.expression_types import ExpressionTypes
from editahead.analysis.resolver.file_scopes import FileScopes, NameAt, ScopeRef
from editahead.syntax.construct_tables import ELEMENT
from editahead.syntax.scope_table import ScopeTable

_MAX_METHODS = 16  # of a name


class ExtensionMethods:
    """The extension methods of a version of a file. Types are compared by name: other files may declare them."""

    def __init__(
        self,
        scopes: FileScopes,
        table: ScopeTable,
        classes: Classes,
        class_of: Callable[[Receiver | None, int, ScopeRef], ScopeRef | None],
        types: ExpressionTypes,
    ) -> None:
        """`class_of`: as in Members."""
        self._scopes, self._table, self._classes, self._class_of, self._types = scopes, table, classes, class_of, types
        self._declared: dict[str, list[tuple[NameAt, Receiver]]] = {}

    def find(self, name: str, receiver: Receiver | None, unit: int, scope: ScopeRef) -> NameAt | None:
        """An extension method of a name for an expression; None where there is none, or in several classes."""
        rows = [row for row, extended in self.declarations(name) if self.is_of(receiver, unit, scope, extended)]
        owners = {self._scopes.placed(row.unit, row.occurrence.scope) for row in rows}
        return rows[0] if len(owners) == 1 else None

    def called_method(self, callee: Receiver, unit: int, scope: ScopeRef) -> ScopeRef | None:
        """The scope of the extension method that a call runs."""
        row = self.find(callee.name, callee.base, unit, scope)
        return self._scopes.declared_by(row.start) if row is not None else None

    def declarations(self, name: str) -> list[tuple[NameAt, Receiver]]:
        """The extension methods of a name with the extended types, generic ones without arguments; none of many."""
        if name not in self._declared and self._table.classes.extending:
            self._declared[name] = []
            for row in islice(chain.from_iterable(self._scopes.index(name).bound.values()), MAX_DECLARATIONS):
                facts = self._scopes.local(self._scopes.declared_by(row.start) or (-1, 0))
                extended = facts.parameter_types[0] if facts is not None and facts.parameter_types else None
                if extended is not None and extended.kind == "name":
                    is_generic = self._scopes.facts.data[row.end : row.end + 1] == b"<"
                    self._declared[name].append((row, extended._replace(base=None) if is_generic else extended))
        rows = self._declared.get(name, [])
        return rows if len(rows) <= _MAX_METHODS else []

    def is_of(self, receiver: Receiver | None, unit: int, scope: ScopeRef, extended: Receiver) -> bool:
        """Whether an expression is of an extended type; of `IEnumerable<A>`, whether it is a sequence of A."""
        owner = self._class_of(receiver, unit, scope)
        if owner is not None:
            classes = (self._scopes.local(ref) for ref in self._classes.with_bases(owner))
            return any(facts is not None and facts.name == extended.name for facts in classes)
        written = self._types.type_of(receiver, unit, scope)
        created = receiver.base if receiver is not None and receiver.kind == "call" else None  # `new A()`
        typed = written.type if written is not None else created
        if typed is None or typed.kind != "name" or _inner(extended) not in ("", _inner(typed)):
            return False
        is_sequence = typed.base is not None and (typed.base.kind, typed.base.name) == ("layer", ELEMENT)
        return typed.name == extended.name or (is_sequence and extended.name == self._table.layers.sequence)


def _inner(typed: Receiver) -> str:
    """The name of the type that a generic type holds: of `IEnumerable<Order>` Order."""
    return typed.base.base.name if typed.base is not None and typed.base.base is not None else ""
