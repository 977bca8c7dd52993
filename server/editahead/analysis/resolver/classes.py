"""Classes of a file: which one a name means, which one is around a scope, and their bases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Protocol

from editahead.analysis.facts.facts import Receiver, ScopeFacts
from editahead.analysis.resolver.file_scopes import FileScopes, NameAt, ScopeRef
from editahead.analysis.resolver.module_paths import ModulePaths
from editahead.syntax.scope_table import Namespace, ScopeKind, ScopeTable

MOST_SCOPES = 100
MOST_ROWS = 200
"""Declarations of one name that are read."""
"""Scopes around a name that are asked: no person nests more."""
DEEPEST = 12
"""Expressions, names of classes and bases that are followed."""

_MOST_PARTS = 8  # of one class


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
ClassOf = Callable[[Receiver, int, ScopeRef], "ScopeRef | None"]


class Classes:
    """Classes of one version of a file."""

    def __init__(
        self, scopes: FileScopes, table: ScopeTable, lookup: Lookup, class_of: ClassOf, modules: ModulePaths
    ) -> None:
        """`class_of`: the class that an expression is an instance of."""
        self._scopes, self._table, self._lookup, self._class_of = scopes, table, lookup, class_of
        self.modules = modules
        self._bases: dict[ScopeRef, list[ScopeRef]] = {}
        self._lacking: set[ScopeRef] = set()  # classes that name a base which the file does not hold

    def class_named(self, receiver: Receiver | None, unit: int, scope: ScopeRef, depth: int = 0) -> ScopeRef | None:
        """The class of the file that a name means, through other names for it; None where it means something else."""
        if receiver is None or depth > DEEPEST:
            return None
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
        """The class that a declaration is of, of another name for one that class."""
        other = row.occurrence.declared_type
        declared = self._scopes.declared_by(row.start) if row.occurrence.kind == "class" else None
        if declared is not None or other is None:
            return declared
        around = self._scopes.placed(row.unit, row.occurrence.scope)
        return self.class_named(other, row.unit, around, depth + 1)

    def class_row(self, rows: list[NameAt]) -> NameAt | None:
        """The first declaration of a class, or of a parameter that stands for one.

        None where a name alone does not tell which class is meant: `A` and `A<T>`, or one in each of two namespaces.
        """
        row = next((one for one in rows if _declares_class(one)), None)
        if not self._table.classes.type_parameters:
            return row
        classes = {self._scopes.declared_by(one.start) for one in rows[:_MOST_PARTS] if one.occurrence.kind == "class"}
        return row if len(classes) < 2 else None

    def class_around(self, unit: int, scope: ScopeRef) -> ScopeRef | None:
        """The class that a scope belongs to; of a block that extends one, that one.

        A literal of an object is one to the functions in it that have a `this` of their own, and to nothing else.
        """
        own = False
        for around in islice(self._scopes.around(scope), MOST_SCOPES):
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

    def base_given_around(self, unit: int, scope: ScopeRef) -> ScopeRef | None:
        """The base in the file that the block around a scope gives to a class."""
        for around in islice(self._scopes.around(scope), MOST_SCOPES):
            facts = self._scopes.local(around)
            if facts is not None and facts.is_extension:
                return self.class_named(facts.bases[1], unit, scope) if len(facts.bases) > 1 else None
        return None

    def bases(self, ref: ScopeRef) -> list[ScopeRef]:
        """The direct bases of a class that stand in the file."""
        known = self._bases.get(ref)
        if known is None:
            self._bases[ref] = []  # ends a circle
            facts, outer, heads = self._scopes.local(ref), self._scopes.parent(ref), list(self._scopes.heads(ref))
            named = [base for _, head in heads for base in _named_bases(head)]
            self._lacking.update([ref] if named else ())
            candidates = [
                self.class_named(base, unit, outer) if base.kind == "name" else self._class_of(base, unit, outer)
                for unit, head in (heads if outer is not None else ())
                for base in head.bases
                if outer and (base.kind == "name" or head.is_literal)
            ]
            candidates += (
                self._given_bases(ref, facts.name) if facts is not None and self._table.classes.extension_bases else ()
            )
            held = [base_ref for base_ref in candidates if base_ref is not None and base_ref != ref]
            self._lacking.difference_update([ref] if len(held) >= len(named) else ())
            known = self._bases[ref] = list(dict.fromkeys(held))  # several declarations may name the same one
        return known

    def parts(self, ref: ScopeRef) -> list[ScopeRef]:
        """The other classes of the same name and scope: one class in several blocks, or in alternatives of `#if`."""
        facts, outer = self._scopes.local(ref), self._scopes.parent(ref)
        if facts is None or outer is None or not facts.name:
            return []
        rows = [at for space in self._table.namespaces for at in self._scopes.bound_in(outer, space, facts.name)]
        found = [self._scopes.declared_by(at.start) for at in rows[:_MOST_PARTS] if at.occurrence.kind == "class"]
        return [one for one in found if one not in (None, ref) and self._scopes.kind(one) is ScopeKind.CLASS]

    def _given_bases(self, ref: ScopeRef, name: str) -> Iterator[ScopeRef | None]:
        """The bases that other blocks of the file give to a class; they name it."""
        for number in self._scopes.units_with(name.encode()):
            for at, facts in enumerate(self._scopes.facts.units[number].facts.scopes):
                if facts.is_extension and len(facts.bases) > 1 and facts.bases[0].name == name:
                    outer = self._scopes.parent(self._scopes.placed(number, at))
                    if outer is not None and self.class_named(facts.bases[0], number, outer) == ref:
                        yield self.class_named(facts.bases[1], number, outer)

    def with_bases(self, ref: ScopeRef) -> Iterator[ScopeRef]:
        """A class and all its bases in the file, nearest first."""
        queue, seen = [ref], {ref}
        for current in queue:
            yield current
            bases = [base for base in self.bases(current) if base not in seen]
            queue += bases
            seen.update(bases)

    def inherits(self, ref: ScopeRef, base: ScopeRef) -> bool:
        """Whether a class inherits from another class of the file, directly or not."""
        return ref != base and base in self.with_bases(ref)

    def outer_bases(self, ref: ScopeRef) -> list[tuple[str, ...]]:
        """The direct bases of a class that the file does not hold, by their dotted names; () where it is no name."""
        outer = self._scopes.parent(ref)
        if outer is None:
            return []
        named = [(base, unit) for unit, head in self._scopes.heads(ref) for base in _named_bases(head)]
        return [base.dotted for base, unit in named if self.class_named(base, unit, outer) is None]

    def has_unknown_base(self, ref: ScopeRef) -> bool:
        """Whether a class or a base of it has a base, `object` aside, that the file does not declare."""
        for current in self.with_bases(ref):
            self.bases(current)  # notes whether the file declares all of them
            if current in self._lacking:
                return True
        return False

    def declarations(self, binding: _Bound) -> list[NameAt]:
        """The occurrences that bind what a name means."""
        rows = self._scopes.bound_in(binding.scope, binding.namespace, binding.name)
        return [name_at for name_at in rows if binding.at < 0 or name_at.start == binding.at]


def _named_bases(facts: ScopeFacts) -> list[Receiver]:
    """The bases that a class names; of a literal not what its place may say about it."""
    return [
        base
        for base in facts.bases
        if base.name not in ("object", "Object") and (base.kind == "name" or not facts.is_literal)
    ]


def _declares_class(row: NameAt) -> bool:
    kind, declared = row.occurrence.kind, row.occurrence.declared_type
    return kind == "class" or (kind == "type-parameter" and declared is not None)
