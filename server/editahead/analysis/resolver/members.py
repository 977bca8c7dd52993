"""Members of classes: which class an expression is an instance of, as far as the file says; who declares a member."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Protocol

from editahead.analysis.resolver.facts import Occurrence, Receiver
from editahead.analysis.resolver.file_scopes import FileScopes, NameAt, ScopeRef
from editahead.syntax.scope_table import Action, Namespace, ScopeKind, ScopeTable

_MOST_SCOPES = 100  # around a name: no person nests more
_DEEPEST = 6  # expressions and bases that are followed
_TYPES = (Namespace.TYPE, Namespace.VALUE)


class _Bound(Protocol):
    """What a lookup gives: a binding of the resolver."""

    @property
    def scope(self) -> ScopeRef: ...
    @property
    def namespace(self) -> Namespace: ...
    @property
    def name(self) -> str: ...
    @property
    def at(self) -> int: ...


Lookup = Callable[[ScopeRef, Namespace, str, int], "_Bound | None"]


class Members:
    """Classes of one version of a file."""

    def __init__(self, scopes: FileScopes, table: ScopeTable, lookup: Lookup) -> None:
        self._scopes, self._table, self._lookup = scopes, table, lookup
        self._assigned: dict[tuple[str, Namespace], dict[ScopeRef, list[NameAt]]] = {}
        self._bases: dict[ScopeRef, list[ScopeRef]] = {}

    def class_of(self, receiver: Receiver | None, unit: int, scope: ScopeRef, depth: int = 0) -> ScopeRef | None:
        """The class that an expression in a scope is an instance of, or is itself; None where the file does not say."""
        if receiver is None or depth > _DEEPEST:
            return None
        kind = receiver.kind
        if kind in ("this", "super"):
            around = self.class_around(unit, scope)
            return around if kind == "this" or around is None else next(iter(self.bases(around)), None)
        if kind == "type":
            return self.class_named(receiver._replace(kind="name"), unit, scope)
        if kind in ("name", "this-of"):
            return self._of_name(receiver, unit, scope, depth)
        if kind == "call" and receiver.base is not None:
            if receiver.base.kind == "name" and receiver.base.name == self._table.super_function != "":
                around = self._scopes.class_around(scope)
                return next(iter(self.bases(around)), None) if around is not None else None
            return self.class_named(receiver.base, unit, scope)
        if kind == "attribute":
            owner = self.class_of(receiver.base, unit, scope, depth + 1)
            return self._of_member(owner, receiver.name, depth) if owner is not None else None
        return None

    def owner_of(self, occurrence: Occurrence, unit: int, scope: ScopeRef) -> ScopeRef | None:
        """The class whose member an attribute in a scope is; None where the file does not say.

        Private is the member of the innermost class around that declares it, whatever the object. In a block that gives
        a class a base, what the base declares is a member of that one.
        """
        space, name, receiver = occurrence.namespace, occurrence.name, occurrence.receiver
        if space is Namespace.PRIVATE:
            rows = islice(self._scopes.around(scope), _MOST_SCOPES)
            return next((around for around in rows if self._scopes.bound_in(around, space, name)), None)
        base = self._base_given_around(unit, scope) if self._table.extension_bases else None
        declares = base is not None and bool(self._scopes.bound_in(base, space, name))
        if declares and occurrence.kind:
            return base
        owner = self.class_of(receiver, unit, scope)
        own = receiver is not None and receiver.kind == "this"
        return base if owner is None and own and declares else owner

    def _base_given_around(self, unit: int, scope: ScopeRef) -> ScopeRef | None:
        """The base in the file that the block around a scope gives to a class."""
        for around in islice(self._scopes.around(scope), _MOST_SCOPES):
            facts = self._scopes.local(around)
            if facts is not None and facts.is_extension:
                return self.class_named(facts.bases[1], unit, scope) if len(facts.bases) > 1 else None
        return None

    def class_around(self, unit: int, scope: ScopeRef) -> ScopeRef | None:
        """The class that a scope belongs to; of a block that extends one, that one.

        A literal of an object is one to the functions in it that have a `this` of their own, and to nothing else.
        """
        own = False
        for around in islice(self._scopes.around(scope), _MOST_SCOPES):
            facts = self._scopes.local(around)
            own = own or (facts is not None and facts.kind is ScopeKind.FUNCTION and not facts.outer_object)
            if facts is not None and facts.is_literal and not own:
                continue
            if facts is not None and facts.is_extension:
                outer = self._scopes.parent(around) or scope
                at = outer if self._scopes.kind(around) is ScopeKind.FUNCTION else scope
                return self.class_named(facts.bases[0], unit, at) if facts.bases else None
            if self._scopes.kind(around) is ScopeKind.CLASS:
                return around
        return None

    def class_named(self, receiver: Receiver | None, unit: int, scope: ScopeRef, depth: int = 0) -> ScopeRef | None:
        """The class of the file that a name means, through other names for it; None where it means something else."""
        if receiver is None or receiver.kind != "name" or depth > _DEEPEST:
            return None
        start = self._scopes.facts.units[unit].start + receiver.start
        for namespace in self._table.namespaces:
            binding = self._lookup(scope, namespace, receiver.name, start)
            for name_at in self._declarations(binding) if binding is not None else ():
                if name_at.occurrence.kind == "type-parameter" and name_at.occurrence.declared_type is not None:
                    around = self._scopes.placed(name_at.unit, name_at.occurrence.scope)
                    return self.class_named(name_at.occurrence.declared_type, name_at.unit, around, depth + 1)
                if name_at.occurrence.kind == "class":
                    declared, other = self._scopes.declared_by(name_at.start), name_at.occurrence.declared_type
                    if declared is not None or other is None:
                        return declared
                    around = self._scopes.placed(name_at.unit, name_at.occurrence.scope)
                    return self.class_named(other, name_at.unit, around, depth + 1)
        return None

    def bases(self, ref: ScopeRef) -> list[ScopeRef]:
        """The direct bases of a class that stand in the file."""
        known = self._bases.get(ref)
        if known is None:
            self._bases[ref] = []  # ends a circle
            facts, outer = self._scopes.local(ref), self._scopes.parent(ref)
            unit = ref[0] if ref[0] >= 0 else self._scopes.facts.containers[ref[1]].head
            candidates = [
                self.class_named(base, unit, outer)
                for base in (facts.bases if facts and outer is not None else ())
                if outer
            ]
            candidates += (
                self._given_bases(ref, facts.name) if facts is not None and self._table.extension_bases else ()
            )
            known = self._bases[ref] = [base_ref for base_ref in candidates if base_ref is not None and base_ref != ref]
        return known

    def _given_bases(self, ref: ScopeRef, name: str) -> Iterator[ScopeRef | None]:
        """The bases that other blocks of the file give to a class; they name it."""
        for number in self._scopes.units_with(name.encode()):
            for at, facts in enumerate(self._scopes.facts.units[number].facts.scopes):
                if facts.is_extension and len(facts.bases) > 1 and facts.bases[0].name == name:
                    outer = self._scopes.parent(self._scopes.placed(number, at))
                    if outer is not None and self.class_named(facts.bases[0], number, outer) == ref:
                        yield self.class_named(facts.bases[1], number, outer)

    def inherits(self, ref: ScopeRef, base: ScopeRef) -> bool:
        """Whether a class has another one among its bases in the file."""
        row, seen = self.bases(ref), {ref}
        while row:
            current = row[0]
            if current == base:
                return True
            seen.add(current)
            row = [*row[1:], *(other for other in self.bases(current) if other not in seen)]
        return False

    def outer_bases(self, ref: ScopeRef) -> list[tuple[str, ...]]:
        """The direct bases of a class that the file does not hold, by their dotted names; () where it is no name."""
        facts, outer = self._scopes.local(ref), self._scopes.parent(ref)
        unit = ref[0] if ref[0] >= 0 else self._scopes.facts.containers[ref[1]].head
        if facts is None or outer is None:
            return []
        named = [base for base in facts.bases if base.name not in ("object", "Object")]
        return [_dotted(base) for base in named if self.class_named(base, unit, outer) is None]

    def has_unknown_base(self, ref: ScopeRef, depth: int = 0) -> bool:
        """Whether a class, or a base of it, has a base that the file does not hold (`object` counts as held)."""
        facts = self._scopes.local(ref)
        named = [base for base in facts.bases if base.name not in ("object", "Object")] if facts is not None else []
        known = self.bases(ref)
        return len(known) < len(named) or (depth < _DEEPEST and any(self.has_unknown_base(b, depth + 1) for b in known))

    def owner(self, ref: ScopeRef, namespace: Namespace, name: str) -> ScopeRef | None:
        """The class that declares a member first: of a class and its bases in the file the furthest one that does.

        Where classes embed others or are given bases, the nearest: the others are hidden, not overridden.
        The parameters of a generic class are its own: no class inherits them.
        """
        if namespace is Namespace.PRIVATE:
            return ref if self._scopes.bound_in(ref, namespace, name) else None
        furthest: ScopeRef | None = None
        row, seen = [ref], {ref}
        while row:
            current = row.pop(0)
            bound = self._scopes.bound_in(current, namespace, name)
            generic = bool(bound) and bound[0].occurrence.kind == "type-parameter"
            if generic and current == ref:
                return ref
            if (bound and not generic) or current in self.assigned(name, namespace):
                if self._table.embedded or self._table.extension_bases:
                    return current
                furthest = current
            row += [base for base in self.bases(current) if base not in seen]
            seen.update(row)
        return furthest

    def assigned(self, name: str, namespace: Namespace) -> dict[ScopeRef, list[NameAt]]:
        """Where a member of that name is assigned through the object (`self.name = ...`), by class."""
        known = self._assigned.get((name, namespace))
        if known is None:
            known = self._assigned[name, namespace] = {}
            if self._table.members_by_assignment:
                for name_at in self._scopes.index(name).all:
                    occurrence = name_at.occurrence
                    declares = occurrence.action is Action.ATTRIBUTE and occurrence.kind
                    if declares and occurrence.namespace is namespace:
                        scope = self._scopes.placed(name_at.unit, name_at.occurrence.scope)
                        owner = self.owner_of(occurrence, name_at.unit, scope)
                        if owner is not None:
                            known.setdefault(owner, []).append(name_at)
        return known

    def called(self, receiver: Receiver | None, unit: int, scope: ScopeRef) -> ScopeRef | None:
        """The function that a call of an expression runs; a class where it declares no constructor."""
        if receiver is None:
            return None
        if receiver.kind == "attribute":
            owner = self.class_of(receiver.base, unit, scope)
            return self._method(owner, receiver.name) if owner is not None else None
        if receiver.kind != "name":
            return None
        called_class = self.class_named(receiver, unit, scope)
        if called_class is not None:
            return self._method(called_class, self._table.constructor) or called_class
        start = self._scopes.facts.units[unit].start + receiver.start
        binding = self._lookup(scope, Namespace.VALUE, receiver.name, start)
        return self._only_function(self._declarations(binding)) if binding is not None else None

    def _method(self, owner: ScopeRef, name: str) -> ScopeRef | None:
        """The method of a class or of a base in the file, nearest first."""
        namespace, name = self._table.member_key(name)
        row, seen = [owner], {owner}
        while row:
            current = row.pop(0)
            declared = self._scopes.bound_in(current, namespace, name)
            method = self._only_function(declared or self.assigned(name, namespace).get(current, []))
            if method is not None:
                return method
            row += [base for base in self.bases(current) if base not in seen]
            seen.update(row)
        return None

    def _only_function(self, declarations: list[NameAt]) -> ScopeRef | None:
        if len(declarations) != 1 or declarations[0].occurrence.kind != "function":
            return None
        return self._scopes.declared_by(declarations[0].start)

    def _declarations(self, binding: _Bound) -> list[NameAt]:
        rows = self._scopes.bound_in(binding.scope, binding.namespace, binding.name)
        return [name_at for name_at in rows if binding.at < 0 or name_at.start == binding.at]

    def _of_name(self, receiver: Receiver, unit: int, scope: ScopeRef, depth: int) -> ScopeRef | None:
        start = self._scopes.facts.units[unit].start + receiver.start
        binding = self._lookup(scope, Namespace.VALUE, receiver.name, start)
        if binding is None:
            return None
        rows = self._declarations(binding)
        if any(name_at.occurrence.kind == "class" for name_at in rows):
            return self._scopes.declared_by(
                next(name_at.start for name_at in rows if name_at.occurrence.kind == "class")
            )
        if self._table.explicit_self and self._scopes.kind(binding.scope) is ScopeKind.FUNCTION:
            facts, around = self._scopes.local(binding.scope), self._scopes.parent(binding.scope)
            method = facts is not None and facts.name and around and self._scopes.kind(around) is ScopeKind.CLASS
            if method and facts is not None and facts.first_parameter == receiver.name and not facts.static:
                return around
        return self._declared_class(rows, depth)

    def _of_member(self, owner: ScopeRef, name: str, depth: int) -> ScopeRef | None:
        written, name = self._table.member_key(name)
        for namespace in dict.fromkeys((self._table.field_namespace, Namespace.VALUE)):
            namespace = written if written is Namespace.PRIVATE else namespace
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
            if self._table.class_scope_is_inherited or rows:
                return self._declared_class(rows, depth)
        return None

    def _declared_class(self, rows: list[NameAt], depth: int) -> ScopeRef | None:
        """The class that all declarations of a name agree on."""
        classes: set[ScopeRef | None] = set()
        for name_at in rows:
            scope = self._scopes.placed(name_at.unit, name_at.occurrence.scope)
            classes.add(self.class_named(name_at.occurrence.declared_type, name_at.unit, scope))
        return classes.pop() if len(classes) == 1 and depth <= _DEEPEST else None


def _dotted(receiver: Receiver) -> tuple[str, ...]:
    if receiver.kind == "name":
        return (receiver.name,)
    base = _dotted(receiver.base) if receiver.kind == "attribute" and receiver.base is not None else ()
    return (*base, receiver.name) if base else ()
