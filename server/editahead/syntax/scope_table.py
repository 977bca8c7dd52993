"""The rules of names of one language, as data: which nodes open a scope, which bind a name, and where it is visible.

An edge leads from a node to its child: (type of the parent, field of the child). It says what the names below it do.
Narrower keys go before: (type of the parent, field and ">" and the type of the child), the field may be left out, and
for parents in `nested` (types of grandparent, "/" and parent, field).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import NamedTuple, Protocol

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

    OWN = "own"  # the innermost one
    OUTER = "outer"  # the one around it: a function's own name, default values, annotations
    FUNCTION = "function"  # the innermost one that is neither a comprehension nor a block
    FILE = "file"  # that of the imports: what a function declares is never meant


class ParentNode(Protocol):
    """What an edge needs of the parent's node."""

    def child_by_field_name(self, name: str, /) -> object | None:
        """The child in a field."""


class Namespace(str, Enum):
    """Names of different namespaces do not hide one another. Python has only VALUE."""

    VALUE = "value"
    METHOD = "method"
    FIELD = "field"  # where a method may bear the name of a field
    TYPE = "type"
    PRIVATE = "private"  # members that only their class can name, written with a sign: `#x`
    LABEL = "label"  # of statements, and lifetimes
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


@dataclass(frozen=True)
class ScopeTable:
    """All rules of one language. Node types and fields are those of its grammar."""

    names: Mapping[str, Namespace]  # leaves that are names
    scopes: Mapping[str | tuple[str, str], ScopeKind]  # by node type, or by types of parent and node
    edges: Mapping[EdgeKey, Edge]
    transparent: frozenset[str]  # nodes that hand their own edge on to their children: patterns
    nested: frozenset[str] = frozenset()  # parents whose edges depend on what is around them
    edges_with: Mapping[EdgeKey, tuple[str, Edge]] = field(default_factory=dict)
    """Edges that another one takes the place of where the parent has a field."""
    field_namespace: Namespace = Namespace.VALUE
    private_sign: str = ""  # before the names of Namespace.PRIVATE
    parameter_fields: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Parameters that declare a field of their class as well where one of these stands in them: `private x`."""
    accessors: frozenset[str] = frozenset()  # classes whose fields in the head are methods without arguments too
    accessor_signs: frozenset[str] = frozenset()  # in methods that share their name, one that reads and one that writes
    embedded: Mapping[str, str] = field(default_factory=dict)
    """Members without a name, with what holds them, whose class is a base.

    Its members are those of the class, unless it has its own.
    """
    shorthands: frozenset[str] = frozenset()  # leaves, or nodes around one, that are a key and a name at once: `{x}`
    inferred_keys: frozenset[str] = frozenset()  # literals whose keys may be the names of their values: `new { x }`
    key_sign: str = ": "  # between the key and the name that a shorthand stands for
    object_literals: frozenset[str] = frozenset()  # in which `this` is the object to its own functions alone
    returns: frozenset[str] = frozenset()  # statements that hand a value to the caller
    result_types: Mapping[str, str] = field(default_factory=dict)  # functions: the field of the type of that value
    casts: frozenset[str] = frozenset()  # expressions that end with their type: `{} as A`
    outer_objects: frozenset[str] = frozenset()  # functions in which `this` is what it is around them
    extensions: Mapping[str, str] = field(default_factory=dict)  # blocks that add members to the class in a field
    extension_bases: Mapping[str, str] = field(
        default_factory=dict
    )  # of such blocks: the field of a base of that class
    self_type: str = ""  # the name of the class around
    constructors: frozenset[str] = frozenset()  # functions of a class that make one: `A.new()`
    patterns_name_constants: bool = False  # a name in a pattern that begins with a capital is no new one
    token_trees: frozenset[str] = frozenset()  # of macros: names without syntax around them
    format_strings: frozenset[str] = frozenset()  # in them, texts with names in braces
    format_macros: Mapping[str, int] = field(default_factory=dict)
    """Macros whose text to be formatted is not the first argument: how many precede it, -1 where they format none."""
    method_receivers: Mapping[str, str] = field(default_factory=dict)  # methods that stand outside of their class
    literal_keys: Mapping[str, str] = field(default_factory=dict)
    """Keys of literals, with the type of the literal around them: members of the class that it names, else uses."""
    pattern_keys: frozenset[str] = frozenset()  # nodes of patterns whose first name is a key of a literal as well
    taken_apart: Mapping[str, str] = field(default_factory=dict)
    """Declarations with a pattern in the place of a name: the field of the object whose members it takes."""
    literal_lists: frozenset[str] = frozenset()  # what stands in braces in such a literal, and once more for an element
    keyed_by_values: frozenset[str] = frozenset()  # types whose literals have values for keys: maps
    name_field: str = "name"  # of functions and parameters, down to their name
    shared_scopes: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Nodes whose scope is that of one of these around them, where only transparent ones stand between."""
    generics: frozenset[str] = frozenset()  # nodes around a declaration that open its scope: `template <class T>`
    scoped_by: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Nodes that open a scope only where one of these signs stands in them: `enum class`."""
    unnamed_lists: frozenset[str] = frozenset()  # lists of members where they have no name: `namespace {}`
    doubtful_lists: frozenset[str] = frozenset()
    """Lists of arguments in which names behind a syntax error mean nothing: `container_of(a, struct b, member)`."""
    own_members: frozenset[str] = frozenset()  # nodes whose name is a member of the object: `A(int x) : x(x)`
    class_members: frozenset[str] = frozenset()
    """Names `A::m` of functions that stand outside of the class A, whose members they see."""
    named_by: Mapping[str, str] = field(default_factory=dict)
    """Declarations that name a class without a name in them, with the field: `typedef struct {} a`."""
    unnamed_inside: Mapping[str, str] = field(default_factory=dict)
    """Declarations whose class without a name belongs to the class around, unless they have a field."""
    declarators: frozenset[str] = frozenset()  # nodes around a declared name that do not change its class: `*a`
    array_declarators: Mapping[str, str] = field(default_factory=dict)
    """Declarations with a literal, with the nodes in them that stand for brackets behind a name: `a[2][3]`."""
    array_sign: str = ""  # declarations with this field declare an array, whatever their type says: `A x[]`
    same_class: frozenset[str] = frozenset()  # expressions of the class of the first one in them: `*a`, `a[0]`
    type_wrappers: Mapping[str, str] = field(default_factory=dict)
    """Types with the members of one in them: its field, or nothing where it is the only one: `&A`."""
    generic_types: frozenset[str] = frozenset()  # types of which the first in them is the class: `A<B>`
    lenders: frozenset[str] = frozenset()  # such classes that have the members of what they are given: `Optional[A]`
    unions: frozenset[str] = frozenset()  # one of several types: `A | None`
    no_values: frozenset[str] = frozenset()  # what in unions has no members
    bounds: frozenset[str] = frozenset()  # several types at once: `A + B`
    bounds_without_members: frozenset[str] = frozenset()
    quoted_types: frozenset[str] = frozenset()  # texts that stand for a type
    prototypes: bool = False  # functions are declared as variables are, besides their definition
    before_sign: Mapping[str, tuple[str, Edge]] = field(default_factory=dict)
    """Nodes without fields, a sign in them, and the edge to a name that stands before that sign: `let x = y`."""
    hand_on: frozenset[str] = frozenset()  # expressions of the type of the only one in them
    members_by_assignment: bool = False  # `self.x = ...` declares a member
    dotted: frozenset[str] = frozenset()  # a.b as a row of names: binds nothing unless it is one name
    dotted_last: frozenset[str] = frozenset()  # the same in an import that binds the last of them
    qualified: Mapping[str, tuple[str, Namespace]] = field(default_factory=dict)
    """Nodes whose last name is a member of what stands before it, with the separator."""
    first_outside: Mapping[EdgeKey, frozenset[str]] = field(default_factory=dict)
    """Edges that leave the scope unless a sibling of these types precedes the parent."""
    bodies: Mapping[str, str] = field(default_factory=dict)  # class-like nodes: the field of their body
    member_lists: frozenset[str] = frozenset()
    """Nodes inside a module or a class body whose children are members themselves, or the children of their body."""
    wrappers: Mapping[str, str] = field(default_factory=dict)  # decorated declarations: the field of the declaration
    functions: Mapping[str, str] = field(default_factory=dict)  # function-like nodes: the field of their parameters
    bases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # class-like nodes: the fields of their bases
    attributes: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # member access: fields of receiver, name
    conditional_members: frozenset[str] = frozenset()  # nodes around the name in a member access: `?.m`
    calls: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # calls: fields of callee and arguments
    method_calls: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # with fields of receiver and name
    creations: Mapping[str, str] = field(default_factory=dict)  # `new C()`: the field of the class
    optional_parameters: frozenset[str] = frozenset()  # with a default value
    rest: frozenset[str] = frozenset()  # parameters that take, and arguments that give, any number
    separators: frozenset[str] = frozenset()  # in parameter lists
    object_parameters: frozenset[str] = frozenset()  # the object of a method among its parameters: `&self`
    path_sign: str = ""  # behind which the call of a method gives its object as an argument: `A::m(&a)`
    keyword_arguments: frozenset[str] = frozenset()
    keyword_sign: str = "="  # between the name of a parameter and the argument given to it
    this_nodes: frozenset[str] = frozenset()
    super_nodes: frozenset[str] = frozenset()
    declared_types: Mapping[str, str] = field(default_factory=dict)  # declarations: the field of the type
    initial_values: Mapping[str, str] = field(default_factory=dict)
    """Declarations: the field of the value, or `=` where it stands behind that sign without a field."""
    import_statements: frozenset[str] = frozenset()
    import_aliases: frozenset[str] = frozenset()  # what is imported under another name
    import_modules: Mapping[str, str] = field(default_factory=dict)  # imports: the field of the module, if there is one
    import_lists: Mapping[str, str] = field(default_factory=dict)  # of names, by the type of the node that holds one
    import_form: str = ""  # how `name` of `module` is imported
    import_module_form: str = ""  # how a module is; empty where that gives no name
    import_namespaces: frozenset[str] = frozenset()  # names that imports give to a whole module
    export_keyword: str = ""  # without it other files see nothing
    export_specifiers: frozenset[str] = frozenset()  # names that are exported as they stand, or under an alias
    export_list: str = ""  # the variable that lists the names that a module exports, as strings
    declaring_words: tuple[str, ...] = ()  # one stands before the name of each top-level function and class; or unknown
    wildcard_imports: Mapping[str, str] = field(default_factory=dict)  # imports: the type of the node for `*`
    static_decorators: frozenset[str] = frozenset()
    constructor: str = ""  # the method that a call of the class runs
    super_function: str = ""
    await_node: str = ""  # what stands around the call of an async function; empty where `async` marks none
    takes_coroutines: frozenset[str] = frozenset()  # functions to which such a call is given without it
    explicit_self: bool = False  # the first parameter of a method is the object
    class_scope_is_inherited: bool = True  # functions inside a class see its names without a receiver
    members_need_receiver: bool = False  # nor does the class itself see them
    bound_after: Mapping[str, str] = field(default_factory=dict)
    """Declarations that hold from their end on (`let x = x`), or from that of a field."""
    deletions: frozenset[str] = frozenset()  # statements behind which their names are unbound: `del x`
    clause_bindings: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Nodes around a name that is unbound again behind the clause around them: `as e` of `except E as e`."""
    instance_members: frozenset[str] = frozenset()
    """Declarations of members that only an object has, unless `static` stands before them."""
    static_scopes: frozenset[str] = frozenset()  # nodes that are static without the word; and blocks, by their parent
    same_in_block: bool = False  # a name that a block binds again is the same one
    hoisted: bool = True  # a binding anywhere in a scope is meant in all of it; else from its declaration on
    builtins: frozenset[str] = frozenset()
    keywords: frozenset[str] = frozenset()
    object_members: frozenset[str] | None = None
    """Members of every object, which has no others than those and the declared ones; None where others may come."""
    member_words: frozenset[str] = frozenset()  # keywords that can stand behind a dot
    folder_is_one_module: bool = False  # files beside one another see what each declares
    names_package: bool = False  # files name the package that they are of, and see its types
    overloads: bool = False  # functions of one name differ by the number of their parameters

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
    def wildcard_words(self) -> tuple[bytes, ...]:
        """The words that imports of all names begin with, or have in them."""
        return tuple(dict.fromkeys(kind.partition("_")[0].encode() for kind in self.wildcard_imports))

    def edge(self, parent: ParentNode, kinds: tuple[str, str], field_name: str | None, kind: str) -> Edge | None:
        """The edge to a child of type `kind`; `kinds` are the types of its parent and of what is around that."""
        edges, parent_kind = self.edges, kinds[0]
        if parent_kind in self.nested:
            found = edges.get((f"{kinds[1]}/{parent_kind}", field_name))
            if found is not None:
                return found
        found = edges.get((parent_kind, f">{kind}")) or edges.get((parent_kind, field_name))
        if field_name is not None:
            found = edges.get((parent_kind, f"{field_name}>{kind}")) or found
        other = self.edges_with.get((parent_kind, field_name)) if self.edges_with else None
        if other is not None and parent.child_by_field_name(other[0]) is not None:
            return other[1]
        return found
