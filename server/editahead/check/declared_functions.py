"""Functions of a version of a file, and the arguments that their calls need."""

from __future__ import annotations

from typing import NamedTuple

from editahead.analysis.resolver.file_scopes import NameAt, ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.scope_lookup import Binding
from editahead.analysis.signatures import Declared, decorators, function_named
from editahead.check.parameters import Parameters, taken_by
from editahead.suggest.next_edit.consequences.calls.object_parameters import implicit_parameters
from editahead.syntax.scope_table import Action
from editahead.syntax.snapshot import SyntaxSnapshot

_ALLOCATOR = "__new__"
"""A method that gets its class from every caller."""


_KEEPING_PARAMETERS = frozenset(
    "abstractmethod asynccontextmanager cache cached_property classmethod contextmanager final lru_cache overload "
    "override property staticmethod".split()
)
"""Decorators of functions whose calls still give what the function declares."""
PLAIN_CLASS_DECORATORS = frozenset({"dataclass", "final", "runtime_checkable", "total_ordering"})
"""Decorators of classes that change no written constructor, and add no members of their own names."""


class TakenParameters(NamedTuple):
    """What a function takes where its object is given by the dot, and where the call gives all: `K.m(k, 1)`."""

    bound: Parameters
    unbound: Parameters

    def for_call(self, names: Resolver, use: NameAt, name: str) -> Parameters:
        """What a call of the function `name` has to give, which `use` calls."""
        in_class_body = use.occurrence.action is Action.USE and use.occurrence.name == name
        return self.unbound if in_class_body or is_of_class(names, use) else self.bound


class DeclaredFunction(NamedTuple):
    """A function in a version of a file: its position, its parameters, and the binding of its name."""

    declared: Declared
    taken: TakenParameters
    binding: Binding
    scope: ScopeRef


def function_at(names: Resolver, syntax: SyntaxSnapshot, start: int, name: str) -> DeclaredFunction | None:
    """The function whose name stands at a byte; None where it is declared several times, overridden or decorated.

    Decorators that keep the parameters are none here. A constructor is decorated where its class is.
    """
    declared = function_named(syntax, names.table, start)
    at = names.name_at(start, name)
    binding = names.binding(at) if at is not None else None
    if declared is None or binding is None or at is None:
        return None
    scope = names.scopes.placed(at.unit, at.occurrence.scope)
    if name == names.table.classes.constructor:  # of this class, whatever its bases declare
        declarations = names.scopes.bound_in(scope, at.occurrence.namespace, name)
    else:
        rows = [row for row in names.names(name) if row.occurrence.action is Action.BIND]
        declarations = [row for row in rows if names.binding(row) == binding]
    if len(declarations) != 1:
        return None
    given = decorators(syntax, names.table, start)
    if not _KEEPING_PARAMETERS.issuperset(given) or not _has_plain_class(names, syntax, scope, name):
        return None
    data, row = syntax.buffer.data, declared.parameters
    method = name != _ALLOCATOR and bool(implicit_parameters(names, declared))
    bound = taken_by(row, data, int(method))
    whole = taken_by(row, data, 0) if method and "classmethod" not in given else bound
    return DeclaredFunction(declared, TakenParameters(bound, whole), binding, scope)


def _has_plain_class(names: Resolver, syntax: SyntaxSnapshot, scope: ScopeRef, name: str) -> bool:
    """Whether a call of a class still runs the constructor that stands in it, if `name` is a constructor."""
    start = names.scopes.name_start(scope)
    if name != names.table.classes.constructor or start < 0:
        return True
    return PLAIN_CLASS_DECORATORS.issuperset(decorators(syntax, names.table, start))


def is_of_class(names: Resolver, use: NameAt) -> bool:
    """Whether a member is taken of a class of the file by its name: `K.m`."""
    receiver = use.occurrence.receiver
    if use.occurrence.action is not Action.ATTRIBUTE or receiver is None or receiver.kind not in ("name", "attribute"):
        return False
    at = names.name_at(names.scopes.facts.units[use.unit].start + receiver.start, receiver.name)
    binding = names.binding(at) if at is not None else None
    return binding is not None and names.kind(binding) == "class"
