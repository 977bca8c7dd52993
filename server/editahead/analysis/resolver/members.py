"""Members of classes: the class of an expression as far as the file says, and the class that declares a member."""

from __future__ import annotations

import re
import weakref
from functools import partial
from itertools import islice
from typing import Any, cast

from editahead.analysis.facts.facts import Occurrence, Receiver
from editahead.analysis.resolver.classes import MAX_DECLARATIONS, MAX_DEPTH, MAX_SCOPES, Classes
from editahead.analysis.resolver.expression_types import Answers, ExpressionTypes, WrittenType
from editahead.analysis.resolver.extension_methods import ExtensionMethods
from editahead.analysis.resolver.file_scopes import FileScopes, NameAt, ScopeRef
from editahead.analysis.resolver.module_paths import Lookup
from editahead.analysis.resolver.narrowed_types import NarrowedTypes
from editahead.syntax.construct_tables import AWAITED
from editahead.syntax.scope_table import Namespace, ScopeKind, ScopeTable

_NOTHING = Receiver("nothing")
_OF_OBJECTS = (Namespace.VALUE, Namespace.METHOD)


class Members:
    """Members of the classes of a version of a file."""

    def __init__(self, scopes: FileScopes, table: ScopeTable, classes: Classes, lookup: Lookup) -> None:
        self._scopes, self._table, self._classes, self._lookup = scopes, table, classes, lookup
        self._assigned: dict[tuple[str, Namespace], dict[ScopeRef, list[NameAt]]] = {}
        self._filling: set[tuple[str, Namespace]] = set()
        self._assignment_counts: dict[str, int] = {}
        self._answers: Answers[Any] = Answers()
        members = cast("Members", weakref.proxy(self))  # a circle would keep the trees of old versions
        self.narrowed = NarrowedTypes(scopes, classes, lookup)
        self.types = ExpressionTypes(scopes, table, classes, members, lookup, self._answers)
        self.extensions = ExtensionMethods(scopes, table, classes, partial(Members.class_of, members), self.types)

    def class_of(self, receiver: Receiver | None, unit: int, scope: ScopeRef, depth: int = 0) -> ScopeRef | None:
        """The class of an expression in a scope, or that it names; None where the file does not say."""
        if receiver is None:
            return None
        if depth > MAX_DEPTH or receiver.has_long_path:
            self._answers.mark_cut_off()
            return None
        if receiver.kind not in ("attribute", "call", "step"):
            return self._class_of(receiver, unit, scope, depth)
        question = ("class", receiver, unit, scope)
        return self._answers.get(question, partial(self._class_of, receiver, unit, scope, depth))

    def _class_of(self, receiver: Receiver, unit: int, scope: ScopeRef, depth: int) -> ScopeRef | None:
        """The declared class of an expression, or a class derived from it to which a test narrows the expression."""
        declared = self._declared_class_of(receiver, unit, scope, depth)
        narrowed = self.narrowed_type(receiver, unit, scope, depth)
        own = self._classes.class_named(*narrowed) if narrowed is not None else None
        return own if own is not None and (declared is None or self._classes.inherits(own, declared)) else declared

    def narrowed_type(self, receiver: Receiver, unit: int, scope: ScopeRef, depth: int = 0) -> WrittenType | None:
        """The type to which the nearest test before a name or a path of members narrows it."""
        rows = self.narrowed.at(receiver, unit, scope)
        types = (self.types.type_of(*row, depth + 1) if row[0].kind == "step" else WrittenType(*row) for row in rows)
        return next((narrowed for narrowed in types if narrowed is not None), None)

    def _declared_class_of(self, receiver: Receiver, unit: int, scope: ScopeRef, depth: int) -> ScopeRef | None:
        kind = receiver.kind
        if kind in ("this", "super"):
            around = self._classes.class_around(unit, scope)
            return around if kind == "this" or around is None else next(iter(self._classes.bases(around)), None)
        if kind in ("type", "inline"):
            named = receiver._replace(kind="name") if kind == "type" else receiver
            return self._classes.class_named(named, unit, scope)
        if kind in ("name", "this-of"):
            return self._of_name(receiver, unit, scope, depth)
        if kind == "call" and receiver.base is not None:
            if receiver.base.kind == "name" and receiver.base.name == self._table.classes.super_function != "":
                around = self._scopes.class_around(scope)
                return next(iter(self._classes.bases(around)), None) if around is not None else None
            created = self._classes.class_named(receiver.base, unit, scope) if receiver.position < 0 else None
            return created or self._of_result(receiver, unit, scope, depth)
        if kind == "attribute":
            owner = self.class_of(receiver.base, unit, scope, depth)
            is_attributes = receiver.name == self._table.literals.tag_object != ""
            if (owner is None and self._table.layers.properties) or is_attributes:
                written = self.types.type_of(receiver, unit, scope, depth)
                return self._of_written(written) if written is not None else None
            if owner is None:
                return self._classes.class_named(receiver, unit, scope)
            return self._of_member(owner, receiver.name, depth)
        if kind == "step":
            return self._of_step(receiver, unit, scope, depth)
        given = self.parameter_type(receiver, unit, scope) if kind == "argument" else None
        return self._classes.class_named(*given) if given is not None else None

    def owner_of(self, occurrence: Occurrence, unit: int, scope: ScopeRef) -> ScopeRef | None:
        """The class of which an attribute in a scope is a member; None where the file does not say.

        A private member belongs to the innermost enclosing class that declares it, whatever the object. In a block that
        gives a class a base, members that the base declares belong to the base.
        """
        space, name, receiver = occurrence.namespace, occurrence.name, occurrence.receiver
        if space is Namespace.PRIVATE:
            rows = islice(self._scopes.around(scope), MAX_SCOPES)
            return next((around for around in rows if self._scopes.bound_in(around, space, name)), None)
        base = self._classes.base_given_around(unit, scope) if self._table.classes.extension_bases else None
        declares = base is not None and bool(self._scopes.bound_in(base, space, name))
        if declares and occurrence.kind:
            return base
        owner = self.class_of(receiver, unit, scope)
        own = receiver is not None and receiver.kind == "this"
        return base if owner is None and own and declares else owner

    def owner(self, ref: ScopeRef, namespace: Namespace, name: str) -> ScopeRef | None:
        """The class that introduces a member: the furthest base in the file that declares it.

        Not counted are members that are private to a base or that a derived class hides (fields, static methods).
        Where classes embed others or are given bases, the nearest class: the others are hidden, not overridden.
        Type parameters are not inherited.
        """
        if namespace is Namespace.PRIVATE:
            return ref if self._scopes.bound_in(ref, namespace, name) else None
        furthest: ScopeRef | None = None
        nearer = list[NameAt]()
        row, seen = [ref], {ref}
        while row:
            current = row.pop(0)
            bound = self._scopes.bound_in(current, namespace, name)[:MAX_DECLARATIONS]
            generic = bool(bound) and bound[0].occurrence.kind == "type-parameter"
            if generic and current == ref:
                return ref
            if (bound and not generic) or current in self.assigned(name, namespace):
                if self._table.classes.embedded or self._table.classes.extension_bases:
                    return current
                if bound and (self._is_private(current, bound, ref, nearer) or _is_hidden(bound, nearer)):
                    continue
                furthest, nearer = current, bound
            row += [base for base in self._classes.bases(current) if base not in seen]
            seen.update(row)
        return furthest

    def _is_private(self, owner: ScopeRef, rows: list[NameAt], ref: ScopeRef, nearer: list[NameAt]) -> bool:
        """Whether a member of the base `owner` is not inherited; a nested class sees it unless it hides it."""
        facts = self._scopes.local(owner)
        private = ("private", "unsaid") if facts is not None and facts.members_are_private else ("private",)
        if owner == ref or not all(row.occurrence.access in private for row in rows):
            return False
        return bool(nearer) or owner not in islice(self._scopes.around(ref), MAX_SCOPES)

    def assigned(self, name: str, namespace: Namespace) -> dict[ScopeRef, list[NameAt]]:
        """The assignments to a member through the object (`self.name = ...`), by class."""
        key = name, namespace
        if key in self._assigned:
            return self._assigned[key]
        if key in self._filling:
            self._answers.mark_provisional()
            return {}
        self._filling.add(key)
        try:
            with self._answers.isolate():
                assigned = self._answers.get(("assigned", *key), partial(self._find_assigned, name, namespace))
        finally:
            self._filling.discard(key)
        self._assigned[key] = assigned or {}
        return self._assigned[key]

    def _find_assigned(self, name: str, namespace: Namespace) -> dict[ScopeRef, list[NameAt]]:
        assigned: dict[ScopeRef, list[NameAt]] = {}
        for name_at in self._scopes.assignments(name) if self._table.classes.members_by_assignment else ():
            occurrence = name_at.occurrence
            if occurrence.namespace is namespace:
                scope = self._scopes.placed(name_at.unit, name_at.occurrence.scope)
                owner = self.owner_of(occurrence, name_at.unit, scope)
                if owner is not None:
                    assigned.setdefault(owner, []).append(name_at)
        return assigned

    def called(self, receiver: Receiver | None, unit: int, scope: ScopeRef, depth: int = 0) -> ScopeRef | None:
        """The function that calling an expression runs; of a class without a constructor, the class."""
        if receiver is None:
            return None
        if receiver.kind == "creation":
            return self.class_of(receiver.base, unit, scope, depth)
        if receiver.kind == "attribute":
            owner = self.class_of(receiver.base, unit, scope, depth)
            if owner is None:
                module = self._classes.modules.module(receiver.base, unit, scope)
                rows = self._scopes.bound_in(module, Namespace.VALUE, receiver.name) if module is not None else []
                return self._only_function(rows) or self.extensions.called_method(receiver, unit, scope)
            is_constructor = receiver.name == self._table.classes.constructor
            method = self._method(owner, receiver.name) or (owner if is_constructor else None)
            return method or self.extensions.called_method(receiver, unit, scope)
        if receiver.kind != "name":
            return None
        called_class = self._classes.class_named(receiver, unit, scope)
        if called_class is not None:
            return self._method(called_class, self._table.classes.constructor) or called_class
        start = self._scopes.facts.units[unit].start + receiver.start
        binding = self._lookup(scope, Namespace.VALUE, receiver.name, start)
        return self._only_function(self._classes.declarations(binding)) if binding is not None else None

    def result_of(self, function: ScopeRef, position: int) -> tuple[Receiver | None, int, ScopeRef] | None:
        """The declared result type of a function, by its position if there are several; with its unit and scope."""
        facts = self._scopes.local(function) if function[0] >= 0 else None
        types = facts.result_types if facts is not None else ()
        if len(types) != 1 if position < 0 else len(types) <= max(1, position):
            return None
        return types[max(0, position)], function[0], function

    def _of_result(self, call: Receiver, unit: int, scope: ScopeRef, depth: int) -> ScopeRef | None:
        """The class of the result of a call."""
        returned = self.types.type_of(call, unit, scope, depth)
        if returned is None:
            return None
        if returned.type.kind == "this":  # `Self`: the class of the object, which may be derived
            method = call.base if call.base is not None and call.base.kind == "attribute" else None
            owner = self.class_of(method.base, unit, scope, depth) if method is not None else None
            if owner is not None:
                return owner
        return self._of_written(returned)

    def parameter_type(
        self, argument: Receiver, unit: int, scope: ScopeRef
    ) -> tuple[Receiver | None, int, ScopeRef] | None:
        """The type that the called function declares for an argument's parameter, with its unit and scope."""
        function = self.called(argument.base, unit, scope)
        if function is None:
            return self._stored_type(argument, unit, scope)
        head, facts = next(self._scopes.heads(function), (-1, None))
        if facts is None or argument.position >= len(facts.parameter_types):
            return None
        return facts.parameter_types[argument.position], head, function

    def _stored_type(self, argument: Receiver, unit: int, scope: ScopeRef) -> WrittenType | None:
        """The type of what a method of the language stores: of the elements of `a` in `a.push(b)`."""
        callee = argument.base
        step = self._table.layers.storing.get(callee.name, "") if callee and callee.kind == "attribute" else ""
        stored = self.types.type_of(callee.base, unit, scope) if callee is not None and step else None
        return self.types.without(stored, step) if stored is not None else None

    def _method(self, owner: ScopeRef, name: str) -> ScopeRef | None:
        """The method of a class, or of its nearest base in the file that has it."""
        namespace, name = self._table.member_key(name)
        for current in self._classes.with_bases(owner):
            declared = self._scopes.bound_in(current, namespace, name)
            if not declared and namespace is Namespace.VALUE:
                declared = self._scopes.bound_in(current, Namespace.METHOD, name)
            method = self._only_function(declared or self.assigned(name, namespace).get(current, []))
            if method is not None:
                return method
        return None

    def _only_function(self, declarations: list[NameAt]) -> ScopeRef | None:
        if len(declarations) != 1:
            return None
        declared, kind = declarations[0], declarations[0].occurrence.kind
        if kind in ("variable", "field"):  # `const f = () => ...`
            assigned = self._scopes.assigned_to(declared.start)
            return assigned if assigned is None or self._scopes.kind(assigned) is ScopeKind.FUNCTION else None
        return self._scopes.declared_by(declared.start) if kind == "function" else None

    def _of_name(self, receiver: Receiver, unit: int, scope: ScopeRef, depth: int) -> ScopeRef | None:
        start = self._scopes.facts.units[unit].start + receiver.start
        binding = self._lookup(scope, Namespace.VALUE, receiver.name, start)
        if binding is None:
            return None
        rows = self._classes.declarations(binding)
        if any(name_at.occurrence.kind == "class" for name_at in rows):
            declared = self._classes.class_row(rows)
            return self._scopes.declared_by(declared.start) if declared is not None else None
        if self._table.classes.explicit_self and self._scopes.kind(binding.scope) is ScopeKind.FUNCTION:
            facts, around = self._scopes.local(binding.scope), self._scopes.parent(binding.scope)
            method = facts is not None and facts.name and around and self._scopes.kind(around) is ScopeKind.CLASS
            if method and facts is not None and facts.first_parameter == receiver.name and not facts.static:
                return around
        question = (binding.scope, binding.namespace, binding.name, binding.at)
        declared = self._answers.get(question, partial(self._declared_class, rows, depth))
        return declared if declared is not None or len(rows) != 1 else self._literal(rows[0])

    def _literal(self, name_at: NameAt) -> ScopeRef | None:
        """The object literal that a variable without a written type is assigned."""
        is_variable = name_at.occurrence.kind in ("variable", "field") and not name_at.occurrence.is_typed
        literal = self._scopes.assigned_to(name_at.start) if is_variable and self._table.literals.objects else None
        is_object = literal is not None and self._scopes.kind(literal) is ScopeKind.CLASS
        return literal if is_object and not self.narrowed.is_assigned_again(name_at) else None

    def _of_member(self, owner: ScopeRef, name: str, depth: int) -> ScopeRef | None:
        written, name = self._table.member_key(name)
        spaces = (written,) if written is Namespace.PRIVATE else (self._table.field_namespace, Namespace.VALUE)
        for namespace in dict.fromkeys(spaces):
            declared = self.owner(owner, namespace, name)
            if declared is None:
                continue
            rows = [
                *self._scopes.bound_in(declared, namespace, name),
                *self.assigned(name, namespace).get(declared, []),
            ]
            inner = [name_at for name_at in rows if name_at.occurrence.kind == "class"]
            variant = rows[:1] if namespace is not self._table.field_namespace else []
            opened = self._scopes.declared_by((inner or variant)[0].start) if inner or variant else None
            if inner or (opened is not None and self._scopes.kind(opened) is ScopeKind.CLASS):
                return opened
            if self._table.classes.scope_is_inherited or rows:
                question = (declared, namespace, name)
                named = self._answers.get(question, partial(self._declared_class, rows, depth))
                return named if named is not None or len(rows) != 1 else self._literal(rows[0])
        return None

    def type_of_declaration(self, name_at: NameAt) -> tuple[Receiver | None, int, ScopeRef]:
        """The type that a declaration gives its name, with its unit and scope; of a property, its result type."""
        occurrence = name_at.occurrence
        if occurrence.declared_type is None and occurrence.kind in ("function", "accessor"):
            function = self._scopes.declared_by(name_at.start)
            facts = self._scopes.local(function) if function is not None and function[0] >= 0 else None
            is_read = facts is not None and (occurrence.kind == "accessor" or facts.is_property)
            if function is not None and facts is not None and is_read and len(facts.result_types) == 1:
                return facts.result_types[0], function[0], function
        return occurrence.declared_type, name_at.unit, self._scopes.placed(name_at.unit, occurrence.scope)

    def field_declarations(self, owner: ScopeRef, name: str) -> list[NameAt]:
        """The declarations of a field or property in the class that introduces it."""
        rows = list[NameAt]()
        for namespace in dict.fromkeys((self._table.field_namespace, Namespace.VALUE)):
            declaring = self.owner(owner, namespace, name)
            if declaring is not None:
                rows += self._scopes.bound_in(declaring, namespace, name)
                rows += self.assigned(name, namespace).get(declaring, [])
        return rows

    def _of_step(self, step: Receiver, unit: int, scope: ScopeRef, depth: int) -> ScopeRef | None:
        """The class of an expression whose type is the type of its base, a layer taken off (`await a`, `a[0]`)."""
        written = self.types.type_of(step, unit, scope, depth)
        if written is not None:
            return self._of_written(written)
        if step.name not in ("", AWAITED) or self.types.type_of(step.base, unit, scope, depth) is not None:
            return None
        owner = self.class_of(step.base, unit, scope, depth)
        return owner if owner is None or not step.name or self.is_awaited_as_itself(owner) else None

    def is_awaited_as_itself(self, owner: ScopeRef) -> bool:
        """Whether awaiting an object of a class gives the object itself: it is no promise, task or query."""
        if self._classes.has_unknown_base(owner):
            return False
        names = self._table.layers.awaitable
        return all(self.owner(owner, space, name) is None for space in _OF_OBJECTS for name in names)

    def _of_written(self, written: WrittenType) -> ScopeRef | None:
        """The class that a written type names."""
        if written.type.kind == "this":
            return self._classes.class_around(written.unit, written.scope)
        return self._classes.class_named(*written)

    def _of_declared(self, declared: Receiver | None, unit: int, scope: ScopeRef, depth: int) -> ScopeRef | None:
        """The class that a declared type names, or that of the result of the function that it calls."""
        if declared is None:
            return None
        if declared.kind in ("call", "step", "this"):
            return self.class_of(declared, unit, scope, depth + 1)
        named = self._classes.class_named(declared, unit, scope)
        if named is None and declared.kind == "name" and declared.base is None:
            return self._of_result(Receiver("call", base=declared), unit, scope, depth + 1)
        return named

    def typed_declarations(self, rows: list[NameAt]) -> list[NameAt]:
        """The declarations that determine the type of a name: those with a written type, else those with a value."""
        if self._table.layers.values_change and rows and self._is_changed(rows):
            return []
        written = [row for row in rows if row.occurrence.is_typed] if self._table.types.written_holds else []
        given = [row for row in rows if row.occurrence.declared_type != _NOTHING]
        return written or given or rows

    def _is_changed(self, rows: list[NameAt]) -> bool:
        """Whether a variable is assigned elsewhere than in its declarations."""
        name = rows[0].occurrence.name
        if rows[0].occurrence.kind != "variable":
            return False
        if name not in self._assignment_counts:
            assignment = rb"(?<![.\w$])" + re.escape(name.encode()) + rb"\s*=(?![=>])"
            matches = islice(re.finditer(assignment, self._scopes.facts.data), MAX_DECLARATIONS)
            self._assignment_counts[name] = sum(1 for _ in matches)
        return self._assignment_counts[name] > len(rows)

    def _declared_class(self, rows: list[NameAt], depth: int) -> ScopeRef | None:
        """The class that all declarations of a name agree on; None where there are too many of them."""
        if len(rows) > MAX_DECLARATIONS:
            return None
        classes: set[ScopeRef | None] = set()
        for name_at in self.typed_declarations(rows):
            declared, unit, scope = self.type_of_declaration(name_at)
            if declared is not None or name_at.occurrence.kind != "accessor":  # setters have no type
                classes.add(self._of_declared(declared, unit, scope, depth))
        return classes.pop() if len(classes) == 1 and depth <= MAX_DEPTH else None


def _is_hidden(rows: list[NameAt], nearer: list[NameAt]) -> bool:
    """Whether a derived class hides a member by its own declarations of the name; overloads do not hide it."""
    counts, own = ({row.occurrence.arguments for row in declared} for declared in (rows, nearer))
    overloads = -1 not in counts | own and counts != own
    return bool(nearer) and not overloads and all(row.occurrence.is_hidden_anew for row in rows)
