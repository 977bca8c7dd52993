"""First pass of the resolver: the scopes and the names of one declaration or statement, in bytes from its start.

Facts depend on the text of the node alone, so they are kept from version to version while that text stands.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from editahead.syntax.scope_table import Action, Namespace, ScopeKind

NOWHERE = 1 << 60
"""In the place of a byte from which a binding holds."""


class Receiver(NamedTuple):
    """The expression before a member or the callee of a call.

    `kind`: name, type, this, super, module, attribute, call, creation, argument, passed, step, layer, nothing, other. A
    module is a word that paths begin with (`crate`). A creation is the constructor that makes an object of the class
    that `base` is or is an object of. A step is an expression that takes the layer `name` off the type of its `base`,
    or none; passed is what a function of the language called `name` gives of its argument `base`, with the same
    elements; a layer is a type around another one, its `base`; nothing is a value that a declaration does not give, or
    an empty one.
    `start` is the byte of the name itself, in the coordinates of the facts. `base`: of an attribute what stands before
    it, of a call or an argument what is called, of a generic class with the members of its argument (`Optional[A]`)
    that argument. `position`: of an argument its number among those of its call, of one of several values that a call
    gives its number among them.
    """

    kind: str
    name: str = ""
    start: int = 0
    base: Receiver | None = None
    position: int = -1

    @property
    def dotted(self) -> tuple[str, ...]:
        """The names of a dotted expression, outermost first; () where it is anything else."""
        names, at = [self.name], self
        while at.kind == "attribute" and at.base is not None:
            at = at.base
            names.append(at.name)
        return tuple(reversed(names)) if at.kind == "name" else ()


class OuterType(NamedTuple):
    """A class by the dotted name that the file gives it, or the type of a member of it, and of a member of that one.

    Among the `members` are the layers that expressions take off: `awaited`. `layers`: those around the class itself,
    outermost first.
    """

    names: tuple[str, ...]
    members: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()


class Occurrence(NamedTuple):
    """A name as it stands: what it does, the scope where it is looked up (an index of the facts), its namespace.

    `kind` is that of a binding. `receiver`: of an attribute the expression before it, of a keyword the callee.
    Of a label of a case it is what is switched upon, of whose class the name is a member if that declares it.
    Of an import that keeps the name it is the path to what declares it.
    `declared_type`: of a binding the class that its declaration gives it; None where the text does not say.
    `is_typed`: whether the declaration writes a type out, which may be one that nobody knows.
    `module`: of what is imported the module as it is written, with the dots before it.
    `since`: the byte from which a binding holds where that is not its own start, NOWHERE where it gives the name no
    value, else -1.
    `aliased`: of the name that an import gives to a module, that module: `a.b` in `import a.b as c`; what
    `from a import b as c` names may be one.
    `shorthand`: where it is a key and a name at once, which of the two is meant: "key" or "name"; "export" where other
    files import it by this name.
    `access`: of a member that its declaration makes private `private`, of one whose modifiers do not say it `unsaid`.
    `is_hidden_anew`: a derived class does not override it, but declares another one of its name.
    `spans`: of a name that a test binds the bytes [start, end) where it is seen, None of any other.
    `arguments`: of a call's method the number of arguments, of a declared method that of its parameters; else -1.
    """

    start: int
    end: int
    name: str
    scope: int
    action: Action
    namespace: Namespace
    kind: str = ""
    receiver: Receiver | None = None
    declared_type: Receiver | None = None
    arguments: int = -1
    module: str = ""
    shorthand: str = ""
    since: int = -1
    aliased: str = ""
    is_typed: bool = False
    access: str = ""
    is_hidden_anew: bool = False
    spans: tuple[tuple[int, int], ...] | None = None


@dataclass(slots=True)
class ScopeFacts:
    """One scope. The first of the facts is the one around the node; its kind and span are those of its owner."""

    kind: ScopeKind
    parent: int
    start: int = 0
    end: int = 0
    name: str = ""
    name_start: int = -1
    implicit_name: str = ""  # a value that nothing declares
    bound: dict[tuple[Namespace, str], list[int]] = field(default_factory=dict)  # indexes of occurrences
    global_names: set[str] = field(default_factory=set)
    nonlocal_names: set[str] = field(default_factory=set)
    first_parameter: str = ""
    parameter_types: tuple[Receiver | None, ...] = ()  # of the first ones, in languages with literals of objects
    result_types: tuple[Receiver | None, ...] = ()  # of a function: one, or several where a call gives several values
    value_of: int = -1  # a function without a name: the byte of the variable that it is assigned to
    static: bool = False
    is_property: bool = False  # a method that is read like a field
    bases: tuple[Receiver, ...] = ()
    is_extension: bool = False  # of its first base, to which it gives the others
    is_literal: bool = False  # of an object
    outer_object: bool = False  # a function in which `this` is what it is around it
    without_object: bool = False  # a static method, block or class: instance members around it cannot be named here
    has_wildcard: bool = False
    head_parameters: frozenset[str] = frozenset()  # of a class: the parameters in its head
    is_module: bool = False
    fields_are_types: bool = False  # of a class: they stand where a type does
    members_are_private: bool = False  # of a class: those whose declaration does not say it


@dataclass(slots=True)
class Facts:
    """What one node says. `by_name` holds indexes of `occurrences`; `errors`: the node holds a syntax error.

    Of bindings, by their index: `until`: the byte where one ends that holds in its clause only (`except E as e`).
    `deleted`: of one that unbinds its name (`del x`) the end of its block, None where that is the end of the scope.
    `of_instance`: those of members that only an object has.
    """

    scopes: list[ScopeFacts]
    occurrences: list[Occurrence]
    by_name: dict[str, list[int]]
    errors: bool = False
    until: dict[int, int] = field(default_factory=dict)
    deleted: dict[int, int | None] = field(default_factory=dict)
    of_instance: set[int] = field(default_factory=set)
