"""First pass of the resolver: the scopes and names of a declaration or statement, in bytes from its start.

Facts depend only on the text of the node, so they are reused in later versions as long as that text is unchanged.
What the pass does at a node depends on the types of the node and its parent, and is computed once per scope table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from editahead.syntax.construct_tables import AWAITED, ELEMENT
from editahead.syntax.nodes import Grammar
from editahead.syntax.scope_table import Action, Edge, Namespace, ScopeKind, ScopeTable, Target

NOWHERE = 1 << 60  # the start of a binding that is never in effect
MAX_PATH = 64  # names of members in a row
USE = Edge()


class Receiver(NamedTuple):
    """The expression before a member, or the callee of a call.

    `kind`: name, type, this, super, module, attribute, call, creation, argument, passed, mapped, step, layer, nothing,
    inline, other.
    - inline: the class that stands at `start` without a name: `{ a: B }`
    - module: a keyword at the start of a path (`crate`)
    - creation: the constructor of the class that `base` names or is an object of
    - step: an expression whose type is that of `base` without its layer `name`, if that is not empty
    - passed: the result of the builtin `name` for its argument `base`, with the same elements (`sorted(a)`)
    - mapped: what holds `base` in a layer `name`, with the elements replaced (`a.map((b) => b.c)`)
    - layer: the type `name` around the type `base` (`list[A]`)
    - nothing: a missing or empty value of a declaration

    `start`: the byte of the name itself, in the coordinates of the facts. `base`: of an attribute the expression before
    it, of a call or an argument the callee, of a generic class with the members of its argument (`Optional[A]`) that
    argument. `position`: the index of an argument in its call, or of a value among the several that a call returns.
    """

    kind: str
    name: str = ""
    start: int = 0
    base: Receiver | None = None
    position: int = -1

    def with_first(self, names: Sequence[str], value: Receiver) -> Receiver:
        """The expression that begins with a value instead of the first of some names.

        An expression that begins with another of them is of kind `other`; any other expression stays.
        """
        if self.base is not None:
            return self._replace(base=self.base.with_first(names, value))
        if self.kind != "name" or self.name not in names:
            return self
        return value if self.name == names[0] else Receiver("other")

    def mapped(self, step: str) -> Receiver:
        """A sequence of what takes a step off this expression; of a promise, another promise."""
        base = Receiver("step", step, base=self) if step else self
        return Receiver("mapped", AWAITED if step == AWAITED else ELEMENT, base=base)

    @property
    def dotted(self) -> tuple[str, ...]:
        """The names of a dotted expression, outermost first; () of any other expression."""
        return self.path if self.root.kind == "name" else ()

    @property
    def path(self) -> tuple[str, ...]:
        """The same, also of an expression that begins with `this`, which has no name."""
        names, at = list[str](), self
        while at.kind == "attribute" and at.base is not None:
            names.append(at.name)
            at = at.base
        names.append(at.name if at.kind == "name" else at.kind)
        return tuple(reversed(names)) if at.kind in ("name", "this") else ()

    @property
    def has_long_path(self) -> bool:
        """Whether the expression ends with MAX_PATH names of members or more, which are not resolved."""
        at: Receiver | None = self
        for _ in range(MAX_PATH):
            if at is None or at.kind != "attribute":
                return False
            at = at.base
        return True

    @property
    def root(self) -> Receiver:
        """What a dotted expression begins with."""
        root = self
        while root.kind == "attribute" and root.base is not None:
            root = root.base
        return root


Span = tuple[int, int]  # bytes [start, end); of several spans the last has the greatest end


class Narrowing(NamedTuple):
    """A class to which a test narrows the object at a `path` of names, in some `spans` of bytes.

    `start`: the byte at which the first name of the path is looked up, in `scope`. `named`: the class. `since`: the
    byte from which an assignment ends it. `function`: the builtin that is called for the test, if any.
    """

    path: tuple[str, ...]
    start: int
    named: Receiver
    scope: int
    since: int
    spans: tuple[Span, ...]
    function: str = ""


class OuterType(NamedTuple):
    """A class of another file by the dotted name that the file gives it, or the type at a path of `members` from it.

    The `members` may include layers that an expression takes off (`awaited`). `layers`: those around the class itself,
    outermost first.
    """

    names: tuple[str, ...]
    members: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()


class Occurrence(NamedTuple):
    """An occurrence of a name: its action, the scope where it is looked up (an index of the facts), its namespace.

    `kind`: the kind of a binding. `receiver`: of an attribute the expression before it, of a keyword the callee, of a
    case label the value that is switched on, of an import that keeps the name the path to its declaration.
    `declared_type`: of a binding the type that its declaration gives it; None where the text does not say.
    `is_typed`: whether the declaration writes out a type, which may be unknown.
    `module`: of an imported name the module as written, with the dots before it.
    `since`: the byte from which a binding is in effect, NOWHERE where it gives the name no value, -1 for its own start.
    `aliased`: of a name that an import gives to a module, that module: `a.b` in `import a.b as c`; also in
    `from a import b as c`, where `a.b` may be a module.
    `shorthand`: of an occurrence that is both a key and a name, which of the two: "key" or "name"; "export" where other
    files import it by this name.
    `access`: of a member "private" by its declaration, "unsaid" where no modifier says.
    `is_hidden_anew`: a derived class hides it by a declaration of the same name, instead of overriding it.
    `spans`: of a name that a condition binds the bytes [start, end) where it is visible, None of any other.
    `arguments`: the number of arguments of a method call or of parameters of a declared method, else -1.
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
    """A scope. The first scope of the facts is that around the node; its kind and span are those of its owner."""

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
    parameter_types: tuple[Receiver | None, ...] = ()  # of the first ones; not in all languages
    result_types: tuple[Receiver | None, ...] = ()  # of a function; several where a call returns several values
    value_of: int = -1  # of a function without a name or an object literal: the byte of its variable
    static: bool = False
    is_property: bool = False  # a method that is read like a field
    bases: tuple[Receiver, ...] = ()
    is_extension: bool = False  # of its first base, to which it gives the other bases
    is_literal: bool = False  # an object literal
    outer_object: bool = False  # a function whose `this` is that of the scope around it
    without_object: bool = False  # a static method, block or class: outer instance members cannot be named here
    has_wildcard: bool = False
    head_parameters: frozenset[str] = frozenset()  # of a class: the parameters in its head
    is_module: bool = False
    fields_are_types: bool = False  # of a class: its fields are used in type positions
    members_are_private: bool = False  # of a class: by default


class StatementFacts(NamedTuple):
    """What comes from a statement of a block: the numbers of its `occurrences`, and of the `scopes` in it.

    `chain`: a hash of the types of the nodes around it; `scope`: that of the block; `inner`: how many statements are in
    it.
    """

    end: int
    chain: int
    scope: int
    occurrences: range
    scopes: range
    inner: int


@dataclass(slots=True)
class Facts:
    """The facts of a node. `by_name` holds indexes of `occurrences`; `errors`: the node has a syntax error.

    Of bindings, by their index: `until`: the end of a binding that holds in its clause only (`except E as e`).
    `deleted`: of a statement that unbinds its name (`del x`) the end of its block, None for the end of the scope.
    `of_instance`: bindings of members that only an object has. `narrowings`: by the last name of their path.
    `statements`: those of blocks by their first byte and the number of nodes around them, inner ones before outer ones.
    """

    scopes: list[ScopeFacts]
    occurrences: list[Occurrence]
    by_name: dict[str, list[int]]
    errors: bool = False
    until: dict[int, int] = field(default_factory=dict)
    deleted: dict[int, int | None] = field(default_factory=dict)
    of_instance: set[int] = field(default_factory=set)
    narrowings: dict[str, list[Narrowing]] = field(default_factory=dict)
    statements: dict[tuple[int, int], StatementFacts] = field(default_factory=dict)
    version: int = field(default=0, compare=False)  # of the file, the last that is sure to use the facts


class Step(NamedTuple):
    """What the first pass does at nodes of a type, in a field of parents of a type.

    `edge`: the edge of the names below, None where it depends on more; `is_inherited`: it is that of the parent.
    `is_plain`: a name that its edge alone describes; `is_member`: a member that its edge and receiver describe.
    `is_holder`: it may hold names that are no nodes, or a path. `opens`: it may open a scope. `below`: the steps of its
    children so far, by the numbers of their field and type in the grammar. `narrows`: it may narrow a name to a class.
    """

    kind: str
    edge: Edge | None
    is_inherited: bool
    namespace: Namespace | None
    is_plain: bool
    is_member: bool
    is_holder: bool
    opens: bool
    narrows: bool
    below: dict[int, Step]


@cache
def _steps_below(table: ScopeTable, grammar: Grammar, kind: str) -> dict[int, Step]:
    return {}


@cache
def step_at(table: ScopeTable, grammar: Grammar, parent: str, field: str | None, kind: str) -> Step:
    """The step at a node of type `kind`; `parent` is empty at the node where the walk begins."""
    edge, row = table.edge_of(parent, field, kind), (parent, field)
    depends = parent in table.nested or row in table.edges_with or row in table.first_outside
    is_static = not depends and (edge is None or edge.target is Target.OWN)
    is_transparent, is_path, namespace = parent in table.transparent, kind in table.dotted_last, table.names.get(kind)
    is_text = kind in table.quotations.texts or kind in table.macros.format_strings
    is_plain = bool(parent) and not (is_path or is_text or namespace is Namespace.PRIVATE)
    is_plain &= kind not in table.literals.shorthands and parent not in table.special_parents
    is_plain &= not (is_transparent and table.before_sign)
    is_member = is_plain and not is_transparent and parent in table.attributes and not table.classes.outside_names
    openers = (table.scopes, table.generics, table.imports.wildcards, table.classes.embedded)
    return Step(
        kind,
        (edge or USE) if is_static else None,
        is_static and edge is None and is_transparent,
        namespace,
        is_plain,
        is_member and edge is not None and edge.action is Action.ATTRIBUTE and not edge.kind,
        is_path or is_text or parent in table.imports.path_holders,
        (parent, kind) in table.scopes or any(kind in kinds for kinds in openers),
        kind in table.flow.type_tests or kind in table.flow.cases,
        _steps_below(table, grammar, kind),
    )
