"""Functions of a version of a file, and the arguments that their calls need."""

from __future__ import annotations

from typing import NamedTuple

from editahead.analysis.resolver.file_scopes import NameAt, ScopeRef
from editahead.analysis.resolver.module_paths import Binding
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.signatures import Declared, Item, Row, decorators, function_named
from editahead.suggest.next_edit.consequences.calls.changed_functions import implicit_parameters
from editahead.syntax.scope_table import Action
from editahead.syntax.snapshot import SyntaxSnapshot


class Misfit(NamedTuple):
    """Why a call does not fit: `missing` is a parameter that it must give, `extra` an argument that is not taken.

    `extra` is a name, or empty where there are too many positional arguments.
    """

    missing: str = ""
    extra: str | None = None


class Parameters(NamedTuple):
    """What a function takes: by position (most also by name), by name alone, and whether more of either sort."""

    by_position: tuple[Item, ...]
    by_name: tuple[Item, ...]
    any_position: bool
    any_name: bool


def taken_by(row: Row, data: bytes, implicit: int) -> Parameters:
    """The parameters of a function in the text `data`, without the first `implicit` ones, which no caller gives."""
    by_place: list[Item] = []
    by_name: list[Item] = []
    any_place = any_name = behind = False
    for item in row.items[implicit:]:
        if item.form == "rest":
            double = data[item.start : item.start + 2] == b"**"
            any_name |= double
            any_place |= not double
            behind = True
        elif item.form == "object":
            continue
        elif item.form == "separator":
            behind |= data[item.start : item.start + 1] == b"*"
        else:
            (by_name if behind else by_place).append(item)
    return Parameters(tuple(by_place), tuple(by_name), any_place, any_name)


def find_misfit(call: Row, taken: Parameters) -> Misfit | None:
    """What is wrong with a call; None where it fits, or where this is undecidable: `f(*args)`."""
    if any(item.form == "rest" for item in call.items):
        return None
    given = sum(not item.name for item in call.items)
    named = [item.name for item in call.items if item.name]
    if given > len(taken.by_position) and not taken.any_position:
        return Misfit(extra="")
    parameter_names = {item.name for item in (*taken.by_position, *taken.by_name)}
    extra = next((name for name in named if name not in parameter_names and not taken.any_name), None)
    if extra is not None:
        return Misfit(extra=extra)
    missing = [
        parameter
        for parameter in (*taken.by_position[given:], *taken.by_name)
        if not parameter.optional and parameter.name not in named
    ]
    return Misfit(missing=missing[0].name) if missing else None


_ALLOCATOR = "__new__"  # a method that gets its class from every caller

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
    binding = names.binding_at(names.scopes.facts.units[use.unit].start + receiver.start, receiver.name)
    return binding is not None and names.kind(binding) == "class"
