"""Classes of a file: by name, by an enclosed scope, and their bases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from editahead.analysis.facts.facts import Receiver, ScopeFacts
from editahead.analysis.resolver.file_scopes import FileScopes, NameAt, ScopeRef
from editahead.analysis.resolver.module_paths import Binding, Lookup, ModulePaths
from editahead.syntax.scope_table import Action, Namespace, ScopeKind, ScopeTable

MAX_SCOPES = 100  # enclosing scopes of a name that are searched
MAX_DECLARATIONS = 200  # declarations of a name that are read
MAX_DEPTH = 12  # steps from expression to expression, or from class to base, that are followed

_MAX_PARTS = 8  # of a class


ClassOf = Callable[[Receiver, int, ScopeRef], "ScopeRef | None"]


class Classes:
    """Classes of a version of a file."""

    def __init__(
        self, scopes: FileScopes, table: ScopeTable, lookup: Lookup, class_of: ClassOf, modules: ModulePaths
    ) -> None:
        """`class_of`: the class that an expression is an instance of."""
        self._scopes, self._table, self._lookup, self._class_of = scopes, table, lookup, class_of
        self.modules = modules
        self._bases: dict[ScopeRef, list[ScopeRef]] = {}
        self._with_outer_base: set[ScopeRef] = set()  # classes that name a base which the file does not declare

    def class_named(self, receiver: Receiver | None, unit: int, scope: ScopeRef, depth: int = 0) -> ScopeRef | None:
        """The class of the file that a name refers to, aliases resolved; None where it refers to something else."""
        if receiver is None or depth > MAX_DEPTH:
            return None
        if receiver.kind == "inline":
            return self._scopes.declared_by(self._scopes.facts.units[unit].start + receiver.start)
        if receiver.kind == "attribute":
            module = self.modules.module(receiver.base, unit, scope)
            rows = self.modules.declared(module, (Namespace.TYPE,), receiver.name) if module is not None else []
            declared = self.class_row(rows)
            return self._class_declared(declared, depth) if declared is not None else None
        if receiver.kind != "name":
            return None
        start = self._scopes.facts.units[unit].start + receiver.start
        for namespace in self._table.namespaces:
            binding = self._lookup(scope, namespace, receiver.name, start)
            declared = self.class_row(self.declarations(binding)) if binding is not None else None
            if declared is not None:
                return self._class_declared(declared, depth)
        return self.class_named(receiver.base, unit, scope, depth + 1)

    def _class_declared(self, row: NameAt, depth: int) -> ScopeRef | None:
        """The class that a declaration declares, or that an alias stands for."""
        aliased = row.occurrence.declared_type
        declared = self._scopes.declared_by(row.start) if row.occurrence.kind == "class" else None
        if declared is not None or aliased is None:
            return declared
        around = self._scopes.placed(row.unit, row.occurrence.scope)
        return self.class_named(aliased, row.unit, around, depth + 1)

    def class_row(self, rows: list[NameAt]) -> NameAt | None:
        """The first declaration of a class, or of a type parameter with a bound.

        None where the name is ambiguous: `A` and `A<T>`, or a class in each of two namespaces.
        """
        first = next((row for row in rows if _declares_class(row)), None)
        if not self._table.classes.type_parameters:
            return first
        classes = {self._scopes.declared_by(row.start) for row in rows[:_MAX_PARTS] if row.occurrence.kind == "class"}
        return first if len(classes) < 2 else None

    def class_around(self, unit: int, scope: ScopeRef) -> ScopeRef | None:
        """The class that a scope belongs to; in a block that extends a class, the extended class.

        An object literal is the class of the functions in it that have their own `this`, and of nothing else.
        """
        has_own_this = False
        for around in islice(self._scopes.around(scope), MAX_SCOPES):
            facts = self._scopes.local(around)
            has_own_this |= facts is not None and facts.kind is ScopeKind.FUNCTION and not facts.outer_object
            if facts is not None and facts.is_literal and not has_own_this:
                continue
            if facts is not None and facts.is_extension:
                outer = self._scopes.parent(around) or scope
                at = outer if self._scopes.kind(around) is ScopeKind.FUNCTION else scope
                return self.class_named(facts.bases[0], unit, at) if facts.bases else None
            if self._scopes.kind(around) is ScopeKind.CLASS:
                return around
        return None

    def base_given_around(self, unit: int, scope: ScopeRef) -> ScopeRef | None:
        """The base in the file that an enclosing extension block gives to a class."""
        for around in islice(self._scopes.around(scope), MAX_SCOPES):
            facts = self._scopes.local(around)
            if facts is not None and facts.is_extension:
                return self.class_named(facts.bases[1], unit, scope) if len(facts.bases) > 1 else None
        return None

    def bases(self, ref: ScopeRef) -> list[ScopeRef]:
        """The direct bases of a class that the file declares."""
        if (bases := self._bases.get(ref)) is not None:
            return bases
        self._bases[ref] = []  # ends a circle
        facts, outer, heads = self._scopes.local(ref), self._scopes.parent(ref), list(self._scopes.heads(ref))
        named = [base for _, head in heads for base in _named_bases(head)]
        self._with_outer_base.update([ref] if named else ())
        candidates = [
            self.class_named(base, unit, outer) if base.kind == "name" else self._class_of(base, unit, outer)
            for unit, head in (heads if outer is not None else ())
            for base in head.bases
            if outer and (base.kind == "name" or head.is_literal)
        ]
        if facts is not None and self._table.classes.extension_bases:
            candidates += self._given_bases(ref, facts.name)
        if outer is not None and self._is_constant_body(facts, outer):
            candidates.append(outer)
        declared = [base for base in candidates if base is not None and base != ref]
        self._with_outer_base.difference_update([ref] if len(declared) >= len(named) else ())
        bases = self._bases[ref] = list(dict.fromkeys(declared))  # several declarations may name the same base
        return bases

    def _is_constant_body(self, facts: ScopeFacts | None, outer: ScopeRef) -> bool:
        """Whether a class is the body of a constant, which extends the enum around it."""
        is_unnamed = facts is not None and not facts.name and not facts.bases
        return is_unnamed and bool(self._table.classes.case_labels) and self._scopes.kind(outer) is ScopeKind.CLASS

    def with_bases(self, ref: ScopeRef) -> Iterator[ScopeRef]:
        """A class and all its bases in the file, nearest first."""
        queue, seen = [ref], {ref}
        for current in queue:
            yield current
            bases = [base for base in self.bases(current) if base not in seen]
            queue += bases
            seen.update(bases)

    def parts(self, ref: ScopeRef) -> list[ScopeRef]:
        """The other declarations of a class: blocks of the same name and scope, or alternatives of `#if`."""
        facts, outer = self._scopes.local(ref), self._scopes.parent(ref)
        if facts is None or outer is None or not facts.name:
            return []
        rows = [row for space in self._table.namespaces for row in self._scopes.bound_in(outer, space, facts.name)]
        parts = [self._scopes.declared_by(row.start) for row in rows[:_MAX_PARTS] if row.occurrence.kind == "class"]
        return [part for part in parts if part not in (None, ref) and self._scopes.kind(part) is ScopeKind.CLASS]

    def _given_bases(self, ref: ScopeRef, name: str) -> Iterator[ScopeRef | None]:
        """The bases that extension blocks of the file give to a class."""
        for number in self._scopes.units_with(name.encode()):
            for at, facts in enumerate(self._scopes.facts.units[number].facts.scopes):
                if facts.is_extension and len(facts.bases) > 1 and facts.bases[0].name == name:
                    outer = self._scopes.parent(self._scopes.placed(number, at))
                    if outer is not None and self.class_named(facts.bases[0], number, outer) == ref:
                        yield self.class_named(facts.bases[1], number, outer)

    def inherits(self, ref: ScopeRef, base: ScopeRef) -> bool:
        """Whether a class inherits from another class of the file, directly or not."""
        return ref != base and base in self.with_bases(ref)

    def outer_bases(self, ref: ScopeRef) -> list[tuple[str, ...]]:
        """The direct bases of a class that the file does not declare, as dotted names; () for any other expression."""
        outer = self._scopes.parent(ref)
        if outer is None:
            return []
        named = [(base, unit) for unit, head in self._scopes.heads(ref) for base in _named_bases(head)]
        return [base.dotted for base, unit in named if self.class_named(base, unit, outer) is None]

    def has_unknown_base(self, ref: ScopeRef) -> bool:
        """Whether a class or a base of it has a base, `object` aside, that the file does not declare."""
        for current in self.with_bases(ref):
            self.bases(current)  # notes whether the file declares all of them
            if current in self._with_outer_base:
                return True
        return False

    def declarations(self, binding: Binding) -> list[NameAt]:
        """The occurrences that declare a binding."""
        rows = self._scopes.bound_in(binding.scope, binding.namespace, binding.name)
        return [row for row in rows if binding.at < 0 or row.start == binding.at]


def _named_bases(facts: ScopeFacts) -> list[Receiver]:
    """The bases that a class names; of an object literal, not the type that its context expects."""
    return [
        base
        for base in facts.bases
        if base.name not in ("object", "Object") and (base.kind == "name" or not facts.is_literal)
    ]


def _declares_class(row: NameAt) -> bool:
    kind, declared = row.occurrence.kind, row.occurrence.declared_type
    return kind == "class" or (kind == "type-parameter" and declared is not None)


class Constructors:
    """Parameters of the constructors of a version of a file, read by name."""

    def __init__(self, scopes: FileScopes, lookup: Lookup) -> None:
        self._scopes, self._lookup = scopes, lookup
        self._parameters: dict[str, dict[ScopeRef, set[ScopeRef]]] = {}

    def holder(self, keyword: NameAt, owner: ScopeRef, scope: ScopeRef) -> ScopeRef | None:
        """The scope of the constructor parameter that a keyword argument in a scope names.

        It is the class itself where the parameter stands in the class head. In a pattern, which names the class without
        `new`, no other parameter counts. None where no constructor, or several, have a parameter of that name, and
        where the callee is a method with the name of the class.
        """
        name = keyword.occurrence.name
        if name not in self._parameters:
            self._parameters[name] = self._find(name)
        scopes, callee = self._parameters[name].get(owner, set()), keyword.occurrence.receiver
        if len(scopes) != 1 or callee is None:
            return None
        holder = next(iter(scopes))
        if callee.kind == "creation":
            return holder
        return holder if holder == owner and not self._is_method(callee, keyword.start, scope) else None

    def _find(self, name: str) -> dict[ScopeRef, set[ScopeRef]]:
        """The scopes that bind constructor parameters of a name, by class."""
        scopes_by_class: dict[ScopeRef, set[ScopeRef]] = {}
        for row in self._scopes.index(name).all:
            if row.occurrence.action is not Action.BIND:
                continue
            scope = self._scopes.placed(row.unit, row.occurrence.scope)
            facts = self._scopes.facts.units[row.unit].facts.scopes[row.occurrence.scope]
            if facts.kind is ScopeKind.CLASS and name in facts.head_parameters:
                scopes_by_class.setdefault(scope, set()).add(scope)
            elif facts.kind is ScopeKind.FUNCTION and row.occurrence.kind == "parameter":
                owner = self._scopes.parent(scope)
                around = self._scopes.local(owner) if owner is not None else None
                is_class = around is not None and around.kind is ScopeKind.CLASS and around.name == facts.name
                if owner is not None and is_class:
                    scopes_by_class.setdefault(owner, set()).add(scope)
        return scopes_by_class

    def _is_method(self, callee: Receiver, start: int, scope: ScopeRef) -> bool:
        binding = self._lookup(scope, Namespace.VALUE, callee.name, start) if callee.kind == "name" else None
        return binding is not None and binding.namespace is Namespace.VALUE
