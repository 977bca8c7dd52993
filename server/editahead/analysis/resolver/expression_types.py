"""Types of expressions as written, with the layers around a class: `f()` is a `Promise<A>`, `await f()` an `A`.

Answers may depend on each other in a circle; a memo cuts it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, cast

from editahead.analysis.facts.facts import Receiver
from editahead.analysis.resolver.classes import MAX_DECLARATIONS, MAX_DEPTH, Classes
from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, FileScopes, NameAt, ScopeRef
from editahead.analysis.resolver.module_paths import Lookup
from editahead.syntax.construct_tables import AWAITED, CONTENT, ELEMENT, ITEM, VALUE
from editahead.syntax.scope_table import Namespace, ScopeTable

Answer = TypeVar("Answer")
_MISSING = object()
_TAKEN = {ELEMENT: (ELEMENT, CONTENT, AWAITED), ITEM: (ELEMENT, VALUE, CONTENT)}


class Answers(Generic[Answer]):
    """Answers by question, each computed once.

    A question that recurs while its own answer is computed (`a = a.next()`) gives None. What was computed from that
    None is provisional: it holds until the outermost question is answered, of which the answer is stored. An answer
    that was cut off at a depth limit is not stored.
    """

    def __init__(self) -> None:
        self._answers: dict[Hashable, Answer | None] = {}
        self._provisional: dict[Hashable, Answer | None] = {}
        self._open: set[Hashable] = set()
        self._is_provisional = self._is_cut_off = False

    def mark_provisional(self) -> None:
        """Note that the answer being computed might differ if its question were the outermost."""
        self._is_provisional = bool(self._open)

    def mark_cut_off(self) -> None:
        """Note that the answer being computed is cut off at a depth limit."""
        self._is_provisional = self._is_cut_off = bool(self._open)

    @contextmanager
    def isolate(self) -> Iterator[None]:
        """Answer questions in this context as if no other were open."""
        state = self._open, self._is_provisional, self._is_cut_off, self._provisional
        self._open, self._is_provisional, self._is_cut_off, self._provisional = set(), False, False, {}
        try:
            yield
        finally:
            self._open, self._is_provisional, self._is_cut_off, self._provisional = state

    def get(self, question: Hashable, compute: Callable[[], Answer | None]) -> Answer | None:
        """The stored answer to a question, else that of `compute`."""
        stored = self._answers.get(question, _MISSING)
        if stored is not _MISSING:
            return cast("Answer | None", stored)
        if question in self._open or question in self._provisional:
            self.mark_provisional()
            return self._provisional.get(question)
        self._open.add(question)
        try:
            answer = compute()
        finally:
            self._open.discard(question)
            if not self._open:
                self._provisional.clear()
        if not self._is_provisional or (not self._open and not self._is_cut_off):
            self._answers[question] = answer
        elif self._open:
            self._provisional[question] = answer
        self._is_provisional = self._is_provisional and bool(self._open)
        self._is_cut_off = self._is_cut_off and bool(self._open)
        return answer


DeclaredType = tuple[Receiver | None, int, ScopeRef]  # a type that a declaration gives, if any, with its unit and scope


class WrittenType(NamedTuple):
    """A type as written, with the unit and the scope in which its names are looked up."""

    type: Receiver
    unit: int
    scope: ScopeRef


class _TypedMembers(Protocol):
    """The queries about members that types depend on, as in Members."""

    def class_of(self, receiver: Receiver | None, unit: int, scope: ScopeRef, depth: int = 0) -> ScopeRef | None: ...
    def called(self, receiver: Receiver | None, unit: int, scope: ScopeRef, depth: int = 0) -> ScopeRef | None: ...
    def result_of(self, function: ScopeRef, position: int) -> DeclaredType | None: ...
    def is_awaited_as_itself(self, owner: ScopeRef) -> bool: ...
    def parameter_type(self, argument: Receiver, unit: int, scope: ScopeRef) -> DeclaredType | None: ...
    def field_declarations(self, owner: ScopeRef, name: str) -> list[NameAt]: ...
    def typed_declarations(self, rows: list[NameAt]) -> list[NameAt]: ...
    def type_of_declaration(self, name_at: NameAt) -> DeclaredType: ...


class ExpressionTypes:
    """Types of the expressions of a version of a file."""

    def __init__(
        self, scopes: FileScopes, table: ScopeTable, classes: Classes, members: _TypedMembers, lookup: Lookup,
        answers: Answers[Any],
    ) -> None:  # fmt: skip
        """`answers`: shared with `members`, as types and members depend on each other."""
        self._scopes, self._table, self._classes, self._members, self._lookup = scopes, table, classes, members, lookup
        self._answers = answers
        self._of_language: dict[str, bool] = {}

    def type_of(self, receiver: Receiver | None, unit: int, scope: ScopeRef, depth: int = 0) -> WrittenType | None:
        """The written type of an expression in a scope; None where the file writes none, or several."""
        if receiver is None:
            return None
        if depth > MAX_DEPTH:
            self._answers.mark_cut_off()
            return None
        question = ("type", receiver, unit, scope)
        written: WrittenType | None = self._answers.get(question, partial(self._type_of, receiver, unit, scope, depth))
        return written

    def _type_of(self, receiver: Receiver, unit: int, scope: ScopeRef, depth: int) -> WrittenType | None:
        if receiver.kind == "step":
            inner = self.type_of(receiver.base, unit, scope, depth)
            return self.without(inner, receiver.name) if inner is not None else None
        if receiver.kind == "call":
            return self._of_call(receiver, unit, scope, depth)
        if receiver.kind == "mapped":
            return self._of_mapped(receiver, unit, scope, depth)
        if receiver.kind == "passed":
            return self._of_passed(receiver, unit, scope, depth)
        if receiver.kind == "argument":
            return _written(self._members.parameter_type(receiver, unit, scope))
        rows = self._rows(receiver, unit, scope, depth)
        if not rows and receiver.name == self._table.literals.tag_object != "" and receiver.kind == "attribute":
            owner = Receiver("argument", base=Receiver("creation", base=receiver.base), position=0)
            return _written(self._members.parameter_type(owner, unit, scope))
        if not rows and receiver.kind == "attribute" and self._table.layers.properties:
            return self._of_call(Receiver("call", base=receiver), unit, scope, depth)
        return self._of_declaration(rows[0], depth) if len(rows) == 1 else None

    def without(self, written: WrittenType, step: str) -> WrittenType | None:
        """A type without the layer that a step takes off; None where its outermost layer differs.

        Awaiting a type without layers gives the type itself unless its class is awaitable.
        """
        if not step:
            return written
        layer = self._layer(written)
        if layer is not None:
            if step == ELEMENT and layer.name == VALUE and self._table.layers.pairs_are_maps:
                return written
            taken = layer.base if takes(step, layer.name) else None
            return written._replace(type=taken) if taken is not None else None
        if step == ITEM and self._table.types.array_declarators:  # of a pointer, which is no layer
            return written
        own = self._classes.class_named(*written) if step == AWAITED else None
        return written if own is not None and self._members.is_awaited_as_itself(own) else None

    def _layer(self, written: WrittenType) -> Receiver | None:
        """The outermost layer of a type; None where its name refers to a class of this file or of another module."""
        typed: Receiver | None = written.type
        while typed is not None and typed.kind == "name" and typed.base is not None:
            own = self._classes.class_named(typed._replace(base=None), written.unit, written.scope)
            if own is not None or (typed.base.kind == "layer" and not self.is_of_language(typed.name)):
                return None
            typed = typed.base
        return typed if typed is not None and typed.kind == "layer" else None

    def is_of_language(self, name: str) -> bool:
        """Whether a name refers to the generic class of the language, as far as the imports of the file say."""
        if name not in self._of_language:
            self._of_language[name] = self._table.layers.homes is None or self._is_imported_as(name)
        return self._of_language[name]

    def _is_imported_as(self, name: str) -> bool:
        layers = self._table.layers
        if self._table.imports.names_package:  # imports stand outside of all classes, of which no unit is read
            rows = self._scopes.bound_in(MODULE_SCOPE, Namespace.TYPE, name)
        else:
            rows = self._scopes.index(name).all
        imports = [row.occurrence for row in rows if row.occurrence.kind == "import"]
        if imports:
            modules = (occurrence.module.strip("'\"").partition(".")[0] for occurrence in imports)
            return all(module in (layers.homes or ()) for module in modules)
        return not layers.always_imported or name in self._table.builtins or self._scopes.has_wildcard_import()

    def _of_call(self, call: Receiver, unit: int, scope: ScopeRef, depth: int) -> WrittenType | None:
        function = self._members.called(call.base, unit, scope, depth)
        if function is not None:
            return _written(self._members.result_of(function, call.position))
        callee, layers = call.base, self._table.layers
        if self._table.imports.includes and callee is not None:
            declared = self._of_prototype(callee, unit, scope, depth)
            if declared is not None:
                return declared
        if callee is None or callee.kind != "attribute" or call.position >= 0 or not layers.is_accessor(callee.name):
            return None
        inner = self.type_of(callee.base, unit, scope, depth)
        layer = self._layer(inner) if inner is not None else None
        if inner is None or layer is None:
            return inner if callee.name in layers.copying else None
        if layer.name == VALUE and callee.name in layers.map_values:
            return inner._replace(type=layer._replace(name=ELEMENT))
        if layer.name == VALUE and callee.name in layers.entries:
            return inner._replace(type=Receiver("layer", ELEMENT, base=layer))
        if layers.is_layer_kept(callee.name, layer.name):
            return inner
        return self.without(inner, layers.taking[callee.name]) if callee.name in layers.taking else None

    def _of_prototype(self, callee: Receiver, unit: int, scope: ScopeRef, depth: int) -> WrittenType | None:
        """The result type of a function of C or C++ that is declared without a body, as a variable of that type."""
        rows, data = self._rows(callee, unit, scope, depth), self._scopes.facts.data
        is_prototype = len(rows) == 1 and data[rows[0].end : rows[0].end + 1] == b"("
        return self._of_declaration(rows[0], depth) if is_prototype else None

    def _of_mapped(self, mapped: Receiver, unit: int, scope: ScopeRef, depth: int) -> WrittenType | None:
        """The type of a sequence of what a function gives for each element."""
        given, inner = mapped.base, self.type_of(mapped.base, unit, scope, depth + 1)
        if given is not None and given.kind == "type":
            inner = WrittenType(given._replace(kind="name"), unit, scope)
        if inner is None and given is not None and given.kind == "call" and given.base is not None:
            is_class = self._classes.class_named(given.base, unit, scope) is not None
            inner = WrittenType(given.base, unit, scope) if is_class else None
        return inner._replace(type=Receiver("layer", mapped.name, base=inner.type)) if inner is not None else None

    def _of_passed(self, passed: Receiver, unit: int, scope: ScopeRef, depth: int) -> WrittenType | None:
        """The type of the sequence passed to a builtin such as `sorted`, unless the file declares that name."""
        start = self._scopes.facts.units[unit].start + passed.start
        if self._lookup(scope, Namespace.VALUE, passed.name.partition(".")[0], start) is not None:
            return None
        taken, given = self._table.layers.passing.get(passed.name, (ELEMENT, ELEMENT))
        inner = self.type_of(passed.base, unit, scope, depth)
        layer = self._layer(inner) if inner is not None else None
        if inner is None or layer is None or layer.name != taken:
            return None
        if given != AWAITED or layer.base is None:
            return inner._replace(type=layer._replace(name=given))
        awaited = self.without(inner._replace(type=layer.base), AWAITED)  # of `Promise.all`
        sequence = Receiver("layer", ELEMENT, base=awaited.type) if awaited is not None else None
        return awaited._replace(type=Receiver("layer", AWAITED, base=sequence)) if awaited is not None else None

    def _rows(self, receiver: Receiver, unit: int, scope: ScopeRef, depth: int) -> list[NameAt]:
        """The declarations that determine the type of a name or member; none where there are too many of them."""
        rows = list[NameAt]()
        if receiver.kind in ("name", "this-of"):
            start = self._scopes.facts.units[unit].start + receiver.start
            binding = self._lookup(scope, Namespace.VALUE, receiver.name, start)
            rows = self._classes.declarations(binding) if binding is not None else rows
        elif receiver.kind == "attribute":
            owner = self._members.class_of(receiver.base, unit, scope, depth)
            rows = self._members.field_declarations(owner, receiver.name) if owner is not None else rows
        return self._members.typed_declarations(rows) if len(rows) <= MAX_DECLARATIONS else []

    def _of_declaration(self, row: NameAt, depth: int) -> WrittenType | None:
        written = _written(self._members.type_of_declaration(row))
        if written is None or row.occurrence.kind in ("class", "import"):
            return None
        if written.type.kind in ("step", "call"):
            return self.type_of(written.type, written.unit, written.scope, depth + 1)
        if written.type.kind == "name" and written.type.base is None and not row.occurrence.is_typed:
            called = self._of_call(Receiver("call", base=written.type), written.unit, written.scope, depth + 1)
            return called or written
        return written


def takes(step: str, layer: str) -> bool:
    """Whether a step takes a layer off."""
    return layer in _TAKEN.get(step, (step,))


def _written(declared: DeclaredType | None) -> WrittenType | None:
    return WrittenType(declared[0], *declared[1:]) if declared is not None and declared[0] is not None else None
