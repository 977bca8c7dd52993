"""The rules of names of a language, as data: which nodes open a scope, which bind a name, and where it is visible.

An edge leads from a node to its child: (type of the parent, field of the child). It says what the names below it do.
Narrower keys go before: (type of the parent, field and ">" and the type of the child), the field may be omitted, and
for parents in `nested` (types of grandparent, "/" and parent, field).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import NamedTuple, Protocol

from editahead.syntax.construct_tables import (
    ClassTable,
    FlowTable,
    ImportTable,
    LayerTable,
    LiteralTable,
    MacroTable,
    ParameterTable,
    PatternTable,
    QuotationTable,
    TypeTable,
)

EdgeKey = tuple[str, "str | None"]


class Action(str, Enum):
    """What an occurrence of a name does."""

    USE = "use"
    BIND = "bind"
    ATTRIBUTE = "attribute"  # a member of what its receiver is
    KEYWORD = "keyword"  # names a parameter of what is called
    GLOBAL = "global"  # means the module's name in the whole function
    NONLOCAL = "nonlocal"
    IMPORT_ROOT = "import-root"  # `import a.b` binds a
    IMPORTED = "imported"  # names what another file declares, and binds nothing here: `a` in `import a as b`
    IGNORE = "ignore"  # names nothing in this file


class Target(str, Enum):
    """The scope in which an edge's names are bound and looked up."""

    OWN = "own"  # the innermost scope
    OUTER = "outer"  # the scope around it: a function's own name, default values, annotations
    FUNCTION = "function"  # the innermost scope that is neither a comprehension nor a block
    FILE = "file"  # that of the imports: what a function declares is never meant


class ParentNode(Protocol):
    """What an edge needs of the parent's node."""

    def child_by_field_name(self, name: str, /) -> object | None:
        """The child in a field."""


class Namespace(str, Enum):
    """Names of different namespaces do not hide each other. Python has only VALUE."""

    VALUE = "value"
    METHOD = "method"
    FIELD = "field"  # where a method may bear the name of a field
    TYPE = "type"
    PRIVATE = "private"  # members that only their class can name, written with a sign: `#x`
    LABEL = "label"  # of statements, and lifetimes
    MACRO = "macro"  # of a use: what an import brings, and nothing that the file declares
    EITHER = "either"  # of a use: a value or a type, and nothing where both are seen


class Edge(NamedTuple):
    """What names below an edge do."""

    action: Action = Action.USE
    kind: str = ""  # of a binding: parameter, variable, function, class, import, type-parameter, field
    target: Target = Target.OWN
    namespace: Namespace | None = None  # None: that of the node's type


class ScopeKind(str, Enum):
    """The kinds of scopes."""

    MODULE = "module"
    CLASS = "class"
    FUNCTION = "function"
    COMPREHENSION = "comprehension"
    BLOCK = "block"


@dataclass(frozen=True, eq=False)
class ScopeTable:
    """All rules of a language. Node types and fields are those of its grammar."""

    names: Mapping[str, Namespace]  # leaves that are names
    scopes: Mapping[str | tuple[str, str], ScopeKind]  # by node type, or by types of parent and node
    edges: Mapping[EdgeKey, Edge]
    transparent: frozenset[str]  # nodes that hand their own edge on to their children: patterns

    # What an edge depends on.
    nested: frozenset[str] = frozenset()  # parents whose edges depend on what is around them
    edges_with: Mapping[EdgeKey, tuple[str, Edge]] = field(default_factory=dict)
    """Edges that are replaced by another where the parent has a field."""
    before_sign: Mapping[str, tuple[str, Edge]] = field(default_factory=dict)
    """Nodes without fields, a sign in them, and the edge to a name that stands before that sign: `let x = y`."""
    first_outside: Mapping[EdgeKey, frozenset[str]] = field(default_factory=dict)
    """Edges that leave the scope unless a sibling of these types precedes the parent."""

    # Names in rows, and which names can hide each other.
    dotted: frozenset[str] = frozenset()  # a.b as a row of names: binds nothing unless it is a single name
    dotted_last: frozenset[str] = frozenset()  # the same in an import that binds the last of them
    qualified: Mapping[str, tuple[str, Namespace]] = field(default_factory=dict)
    """Nodes whose last name is a member of what stands before it, with the separator."""
    field_namespace: Namespace = Namespace.VALUE
    private_sign: str = ""  # before the names of Namespace.PRIVATE

    # Scopes that a node opens conditionally, or shares with another node.
    shared_scopes: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Nodes whose scope is that of any of these around them, where only transparent nodes stand between."""
    generics: frozenset[str] = frozenset()  # nodes around a declaration that open its scope: `template <class T>`
    modules: frozenset[str] = frozenset()  # nodes that open the scope of a module inside of the file
    scoped_by: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Nodes that open a scope only where they contain any of these signs: `enum class`."""
    implicit_names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Nodes with a value that nothing declares, and how it is called by what they are called: `value` of `set`."""

    # Where a binding holds.
    hoisted: bool = True  # a binding anywhere in a scope is meant in all of it; else from its declaration on
    bound_after: Mapping[str, str] = field(default_factory=dict)
    """Declarations that hold from their end on (`let x = x`), or from that of a field, without it nowhere.

    Where bindings are hoisted, of those in a class body that it reads itself.
    """
    same_in_block: bool = False  # a name that a block binds again is the same
    same_in_body: bool = False  # so is what a function declares in its head where its body binds it again
    deletions: frozenset[str] = frozenset()  # statements behind which their names are unbound: `del x`
    clause_bindings: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Nodes around a name that is unbound again behind the clause around them: `as e` of `except E as e`."""
    prototypes: bool = False  # functions are declared as variables are, besides their definition
    patterns_name_constants: bool = False  # a name in a pattern that begins with a capital is not new
    doubtful_lists: frozenset[str] = frozenset()
    """Lists of arguments in which names behind a syntax error mean nothing: `container_of(a, struct b, member)`."""

    # Functions, calls and members.
    functions: Mapping[str, str] = field(default_factory=dict)  # function-like nodes: the field of their parameters
    wrappers: Mapping[str, str] = field(default_factory=dict)  # decorated declarations: the field of the declaration
    name_field: str = "name"  # of functions and parameters, down to their name
    attributes: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # member access: fields of receiver, name
    conditional_members: frozenset[str] = frozenset()  # nodes around the name in a member access: `?.m`
    calls: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # calls: fields of callee and arguments
    method_calls: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # with fields of receiver and name
    creations: Mapping[str, str] = field(default_factory=dict)  # `new C()`: the field of the class
    await_node: str = ""  # what stands around the call of an async function; empty where `async` marks none

    # Words.
    name_signs: str = ""  # that count as letters in names: `$`
    keywords: frozenset[str] = frozenset()
    builtins: frozenset[str] = frozenset()
    member_words: frozenset[str] = frozenset()  # keywords that can stand behind a dot

    # Parts with a table of their own.
    types: TypeTable = field(default_factory=TypeTable)
    layers: LayerTable = field(default_factory=LayerTable)
    classes: ClassTable = field(default_factory=ClassTable)
    parameters: ParameterTable = field(default_factory=ParameterTable)
    literals: LiteralTable = field(default_factory=LiteralTable)
    patterns: PatternTable = field(default_factory=PatternTable)
    imports: ImportTable = field(default_factory=ImportTable)
    macros: MacroTable = field(default_factory=MacroTable)
    quotations: QuotationTable = field(default_factory=QuotationTable)
    flow: FlowTable = field(default_factory=FlowTable)

    @cached_property
    def namespaces(self) -> tuple[Namespace, ...]:
        """Those in which a class may stand: of names as they are, and of types where edges tell them apart."""
        typed = any(edge.namespace is Namespace.TYPE for edge in self.edges.values())
        return tuple(dict.fromkeys((*self.names.values(), *((Namespace.TYPE,) if typed else ()), Namespace.VALUE)))

    def member_key(self, written: str) -> tuple[Namespace, str]:
        """The namespace and the name of a method as it is written behind its object."""
        sign = self.private_sign
        return (
            (Namespace.PRIVATE, written[len(sign) :])
            if sign and written.startswith(sign)
            else (Namespace.VALUE, written)
        )

    def sign_of(self, kind: str) -> int:
        """How many bytes of the sign stand before a name of a type of node."""
        return len(self.private_sign) if self.names.get(kind) is Namespace.PRIVATE else 0

    def as_written(self, space: Namespace, name: str) -> str:
        """A name with the sign before it."""
        return self.private_sign + name if space is Namespace.PRIVATE else name

    @cached_property
    def special_parents(self) -> frozenset[str]:
        """Nodes that say more of the names directly below them than their edges do."""
        literals, classes = self.literals, self.classes
        errors = (*self.doubtful_lists, "ERROR") if self.doubtful_lists else ()
        return frozenset().union(
            *(self.qualified, self.before_sign, self.dotted, self.conditional_members, self.method_calls, errors),
            *(literals.computed_keys, literals.pattern_keys, literals.class_patterns, literals.copies),
            *(literals.element_tags, literals.shorthands, literals.inferred_keys, self.imports.export_specifiers),
            *(classes.embedded, classes.case_labels, classes.initializers, classes.method_receivers),
            *(self.macros.token_trees, self.patterns.paths, self.types.labels),
            self.types.generic if classes.embedded else (),
        )

    def edge_of(self, parent_kind: str, field_name: str | None, kind: str) -> Edge | None:
        """The edge to a child of type `kind`, by the type of its parent alone."""
        edges = self.edges
        edge = edges.get((parent_kind, f">{kind}")) or edges.get((parent_kind, field_name))
        return (edges.get((parent_kind, f"{field_name}>{kind}")) if field_name is not None else None) or edge

    def edge(self, parent: ParentNode, kinds: tuple[str, str], field_name: str | None, kind: str) -> Edge | None:
        """The edge to a child of type `kind`; `kinds` are the types of its parent and of what is around that."""
        parent_kind = kinds[0]
        if parent_kind in self.nested:
            edge = self.edges.get((f"{kinds[1]}/{parent_kind}", field_name))
            if edge is not None:
                return edge
        other = self.edges_with.get((parent_kind, field_name)) if self.edges_with else None
        if other is not None and parent.child_by_field_name(other[0]) is not None:
            return other[1]
        return self.edge_of(parent_kind, field_name, kind)
