"""The parts of a table of names, by kind of construct: types, classes, parameters, literals, imports, macros.

All are data: node types and fields of a grammar. `{type: field}` says in which field of such a node something stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True)
class TypeTable:
    """How types are written, and which expressions have a type."""

    declared: Mapping[str, str] = field(default_factory=dict)  # declarations: the field of the type
    written_holds: bool = True  # a name has the type that any of its declarations writes out, whatever it is given
    inferred: frozenset[str] = frozenset()  # words instead of a type that leave it to the value: `auto`
    initial_values: Mapping[str, str] = field(default_factory=dict)
    """Declarations: the field of the value, or `=` where it stands behind that sign without a field."""
    declarators: frozenset[str] = frozenset()  # nodes around a declared name that do not change its class: `*a`
    array_declarators: Mapping[str, str] = field(default_factory=dict)
    """Declarations with a literal, with the nodes in them that stand for brackets behind a name: `a[2][3]`."""
    array_sign: str = ""  # declarations with this field declare an array, whatever their type says: `A x[]`
    wrappers: Mapping[str, str] = field(default_factory=dict)
    """Types with the members of a type in them: its field, or nothing where that is the only child: `&A`."""
    generic: frozenset[str] = frozenset()  # types of which the first in them is the class: `A<B>`
    delegating: frozenset[str] = frozenset()  # generic classes with the members of their argument: `Optional[A]`
    narrowing: tuple[str, ...] = ()
    """Patterns of what says that an object, NAME in them, is of another class as well: `NAME instanceof`."""
    inline: frozenset[str] = frozenset()  # types that declare their members where they stand: `{ a: B }`
    unions: frozenset[str] = frozenset()  # alternatives of types: `A | None`
    without_members: frozenset[str] = frozenset()  # types in unions that have no members
    bounds: frozenset[str] = frozenset()  # several types at once: `A + B`
    bounds_without_members: frozenset[str] = frozenset()
    quoted: frozenset[str] = frozenset()  # texts that stand for a type
    qualified: frozenset[str] = frozenset()  # types by a dotted name: `a.B`
    same_class: frozenset[str] = frozenset()  # expressions of the class of the first expression in them: `*a`, `a[0]`
    value_wrappers: frozenset[str] = frozenset()  # expressions of the type of the only expression in them
    value_modifiers: frozenset[str] = frozenset()  # nodes before the expression inside such an expression
    casts: frozenset[str] = frozenset()  # expressions with their type in a field, or at the end: `{} as A`
    returns: frozenset[str] = frozenset()  # statements that return a value
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Expressions that are either of two in them, beside a condition: the signs of such an operator, if any."""
    results: Mapping[str, str] = field(default_factory=dict)  # functions: the field of the type that they return
    result_clauses: frozenset[str] = frozenset()  # bodies that are the value which is returned: `=> a`
    value_places: Mapping[str, str] = field(default_factory=dict)
    """Declarations that say the class of a value without its own: its field, or `=` as in `initial_values`."""
    assignments: Mapping[str, str] = field(default_factory=dict)  # likewise: the field of what is assigned to
    result_lists: frozenset[str] = frozenset()  # of several such types, each of which is declared like a parameter
    self_name: str = ""  # the type of the class around: `Self`
    self_nodes: frozenset[str] = frozenset()  # nodes that stand for it
    labels: Mapping[str, str] = field(default_factory=dict)
    """Nodes whose name is a label, and no parameter, in this parent: `[x: number]`."""
    factories: frozenset[str] = frozenset()  # functions of a class that return an object of it: `A.new()`


AWAITED, ELEMENT, VALUE, CONTENT, ITEM = "<awaited>", "<element>", "<value>", "<content>", "<item>"
PREDICATE = "<predicate>"  # around the class of which a function tells whether its argument is an object
STEPS = frozenset({AWAITED, ELEMENT, VALUE, CONTENT, ITEM, PREDICATE})
"""What expressions take off types; no member is called so."""


@dataclass(frozen=True)
class LayerTable:
    """Types around another type, and the expressions that take a layer off: `await` of `Promise<A>`, `a[0]` of `A[]`.

    A layer is AWAITED, ELEMENT of a sequence, VALUE of a map or CONTENT of what may be empty. What takes an ELEMENT
    takes a CONTENT as well; what takes an ITEM takes any of the three.
    """

    generic: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    """Generic classes by name: the layer, and the number of the argument that is the inner type."""
    nodes: Mapping[str, str] = field(default_factory=dict)  # other types that hold a type: `A[]`
    results_inside: bool = False  # an async function writes the type of what is awaited, not of what its call gives
    wrappers: Mapping[str, str] = field(default_factory=dict)  # expressions that take a layer off their only child
    suffixes: Mapping[str, str] = field(default_factory=dict)  # signs behind an expression: what they take, or nothing
    subscripts: Mapping[str, str] = field(default_factory=dict)
    """Expressions: the field of what an item is taken of, or nothing where that is the first in them."""
    slices: frozenset[str] = frozenset()  # nodes in such expressions that ask for several: `a[1:]`
    loops: Mapping[str, str] = field(default_factory=dict)  # the field of what a loop goes through
    loop_values: frozenset[str] = frozenset()  # loops with two names, of which the second is the item
    loop_keys: frozenset[str] = frozenset()  # signs of loops that do not go through elements: `in`
    taking: Mapping[str, str] = field(default_factory=dict)  # methods: what they take
    storing: Mapping[str, str] = field(default_factory=dict)  # methods: what an argument becomes, `a.push(b)`
    keeping: frozenset[str] = frozenset()  # methods that give something around the same: a part, a view
    keeping_maps: frozenset[str] = frozenset()  # the same of maps
    map_values: frozenset[str] = frozenset()  # methods of maps that give a sequence of their values
    awaitable: frozenset[str] = frozenset()  # methods of what gives something else when it is waited for
    values_change: bool = False  # a variable that is assigned elsewhere may have a value of another class there
    homes: tuple[str, ...] | None = None
    """What the modules begin with from which generic classes are imported; None where nobody can tell by that."""
    always_imported: bool = False  # each of these classes is, unless the file imports all names of a module
    copying: frozenset[str] = frozenset()  # methods of any class that give an object of it, unless it has its own
    patterns: frozenset[str] = frozenset()  # what stands before the name of a content in a pattern: `Some(a)`
    pattern_holders: frozenset[str] = frozenset()  # nodes between such a pattern and what has that field
    pattern_values: Mapping[str, str] = field(default_factory=dict)  # the field of what such a pattern takes apart
    visiting: frozenset[str] = frozenset()  # methods that call a function with each element
    comparing: frozenset[str] = frozenset()  # methods that call a function with an element as its second argument
    mapping: Mapping[str, str] = field(default_factory=dict)
    """Methods that give a sequence of what a function returns for each element, and what they take off it."""
    applying: frozenset[str] = frozenset()  # functions that call the first argument with each element of the second
    picking: frozenset[str] = frozenset()  # functions that give an element of the first argument
    defaulting: frozenset[str] = frozenset()  # those functions whose second argument is given where there is none
    visiting_keywords: frozenset[str] = frozenset()  # keywords of functions that are called with each element
    sequences: frozenset[str] = frozenset()  # literals that hold elements
    comprehensions: Mapping[str, str] = field(default_factory=dict)  # what expressions with clauses of loops give
    sequence: str = ""  # the class that all others with elements are derived from
    unpacking: bool = False  # several targets take the elements of a sequence: `a, b = c`
    passing: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Functions that give what is in the first argument: the layer of that argument, and the layer of the result."""
    casting: frozenset[str] = frozenset()  # methods that give the elements of the class of a type argument
    making: frozenset[str] = frozenset()  # functions that give an object of the type which is their first argument
    collecting: frozenset[str] = frozenset()  # methods of generic classes that give an object with some elements
    out_arguments: Mapping[str, str] = field(default_factory=dict)  # methods: what a variable among arguments becomes
    properties: bool = False  # what is taken off, or a part, may be a property
    pairs_are_maps: bool = False  # an element of a map has the layer of a map
    entries: frozenset[str] = frozenset()  # methods of maps that give a sequence of such elements
    counting: frozenset[str] = frozenset()  # those that give pairs in loops, of which the second is the element
    pairing: Mapping[str, str] = field(default_factory=dict)
    """Methods that give such pairs, and what the second takes off the type of what they are called on."""
    map_pairs: bool = False  # a loop through a map gives pairs of a key and its value
    zipping: frozenset[str] = frozenset()  # functions that give, together, the elements of each argument

    def is_accessor(self, method: str) -> bool:
        """Whether a method gives something of what it is called on."""
        rows = (self.taking, self.keeping, self.keeping_maps, self.copying, self.map_values, self.entries)
        return any(method in row for row in rows)

    def is_layer_kept(self, method: str, layer: str) -> bool:
        """Whether a method of what has a layer gives something with that layer."""
        return method in self.copying or method in (self.keeping_maps if layer == VALUE else self.keeping)


@dataclass(frozen=True)
class ClassTable:
    """Classes, what they inherit, and how a method reaches its object."""

    bodies: Mapping[str, str] = field(default_factory=dict)  # class-like nodes: the field of their body
    bases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # class-like nodes: the fields of their bases
    member_lists: frozenset[str] = frozenset()
    """Nodes inside a module or a class body whose children are members themselves, or the children of their body."""
    parts: Mapping[str, str] = field(default_factory=dict)
    """Declarations that form a class together with others of its name: the modifier that says so, or nothing."""
    single_parts: frozenset[str] = frozenset()  # those that can occur only once among them
    type_parameters: str = ""  # what distinguishes classes of the same name by how many it holds
    joined_kinds: frozenset[str] = frozenset()
    """Kinds of values that form a single declaration with a namespace of their name beside them."""
    unnamed_lists: frozenset[str] = frozenset()  # lists of members where they have no name: `namespace {}`
    unnamed_inside: Mapping[str, str] = field(default_factory=dict)
    """Declarations whose class without a name belongs to the class around, unless they have a field."""
    named_by: Mapping[str, str] = field(default_factory=dict)
    """Declarations that name a class without a name in them, with the field: `typedef struct {} a`."""
    embedded: Mapping[str, str] = field(default_factory=dict)
    """Members without a name, with what holds them, whose class is a base.

    Its members are those of the class, unless it has its own.
    """
    structural_interfaces: frozenset[str] = frozenset()
    """Nodes that hold the members of an interface which classes implement without naming it."""
    extensions: Mapping[str, str] = field(default_factory=dict)  # blocks that add members to the class in a field
    extending: str = ""  # the modifier of a first parameter whose type has the method as a member: `this Order order`
    extension_bases: Mapping[str, str] = field(default_factory=dict)  # such blocks: the field of a base of that class
    method_receivers: Mapping[str, str] = field(default_factory=dict)  # methods that stand outside of their class
    outside_names: frozenset[str] = frozenset()
    """Names `A::m` of functions that stand outside of the class A, whose members they see."""
    case_labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Nodes around a name that may be a member of what is switched upon: the nodes that hold that, with its field."""
    initializers: frozenset[str] = frozenset()  # nodes whose name is a member of the object: `A(int x) : x(x)`
    accessors: frozenset[str] = frozenset()  # classes whose fields in the head are methods without arguments too
    accessor_signs: frozenset[str] = frozenset()  # in methods that share their name, a getter and a setter
    parameter_fields: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Parameters that declare a field of their class as well where they contain any of these: `private x`."""
    members_by_assignment: bool = False  # `self.x = ...` declares a member
    member_modifiers: Mapping[str, bool] = field(default_factory=dict)
    """Declarations of members with modifiers: whether a derived class never overrides them, but hides them (fields)."""
    private_inside: frozenset[str] = frozenset()  # classes whose members are private where no modifier says otherwise
    types_inside: frozenset[str] = frozenset()  # classes whose fields are types as well: enums
    instance_members: frozenset[str] = frozenset()
    """Declarations of members that only an object has, unless `static` stands before them."""
    static_scopes: frozenset[str] = frozenset()  # nodes that are static without the word; and blocks, by their parent
    static_decorators: frozenset[str] = frozenset()
    property_decorators: frozenset[str] = frozenset()  # of methods that are read like fields
    scope_is_inherited: bool = True  # functions inside a class see its names without a receiver
    members_need_receiver: bool = False  # nor does the class itself see them
    object_members: frozenset[str] | None = None
    """Members of every object, which has no others than those and the declared ones; None where others may come."""
    generators: tuple[bytes, ...] = ()  # words of a file whose classes may have members that nobody writes
    overloads: bool = False  # functions of the same name differ by the number of their parameters
    signatures: frozenset[str] = frozenset()  # declarations of a function besides that with its body
    variant_decorators: frozenset[str] = frozenset()  # of such declarations, by their last word
    constructor: str = ""  # the method that a call of the class runs
    attribute_suffix: str = ""  # that attributes may leave out of the name of their class: `[Log]` of a LogAttribute
    keyed_bases: frozenset[str] = frozenset()  # classes whose members are keys in strings: `TypedDict`
    named_constructors: bool = False  # constructors have the name of their class instead, and are not inherited
    constructor_calls: frozenset[str] = frozenset()  # nodes in which `this` or `base` is such a constructor
    base_calls: Mapping[str, str] = field(default_factory=dict)  # bases with arguments: the field of the class
    this_nodes: frozenset[str] = frozenset()
    super_nodes: frozenset[str] = frozenset()
    super_function: str = ""
    outer_objects: frozenset[str] = frozenset()  # functions in which `this` is what it is around them
    explicit_self: bool = False  # the first parameter of a method is the object


@dataclass(frozen=True)
class ParameterTable:
    """Parameters of functions, and the arguments that are given to them."""

    optional: frozenset[str] = frozenset()  # with a default value
    rest: frozenset[str] = frozenset()  # parameters that take, and arguments that give, any number
    separators: frozenset[str] = frozenset()  # in parameter lists
    objects: frozenset[str] = frozenset()  # the object of a method among its parameters: `&self`
    path_sign: str = ""  # behind which the call of a method gives its object as an argument: `A::m(&a)`
    keyword_arguments: frozenset[str] = frozenset()
    copying: frozenset[str] = frozenset()  # functions whose keywords are members of their first argument, or object
    keyword_sign: str = "="  # between the name of a parameter and the argument given to it


@dataclass(frozen=True)
class LiteralTable:
    """Literals of objects and the patterns that take objects apart."""

    keys: Mapping[str, str] = field(default_factory=dict)
    """Keys of literals, with the type of the literal around them: members of the class that it names, else uses."""
    pattern_keys: frozenset[str] = frozenset()  # nodes of patterns whose first name is a key of a literal as well
    class_patterns: Mapping[str, str] = field(default_factory=dict)
    """Nodes whose first name is a member in a pattern of a class, with the pattern, which begins with that class."""
    destructured: Mapping[str, str] = field(default_factory=dict)
    """Declarations with a pattern instead of a name: the field of the object whose members it takes."""
    taken_apart: frozenset[str] = frozenset()
    """Parameters, or lists of them, in which a pattern without a type takes members of what is given."""
    copies: Mapping[str, str] = field(default_factory=dict)
    """Nodes whose first name is a member of an object, with the expression that begins with it: `a with { b = 1 }`."""
    untyped: frozenset[str] = frozenset()  # literals of the class that their context expects: `A a = new() { b = 1 }`
    lists: frozenset[str] = frozenset()  # what stands in braces in such a literal, and once more for an element
    maps: frozenset[str] = frozenset()  # types whose literals have values for keys
    objects: frozenset[str] = frozenset()  # literals in which `this` is the object to its own functions alone
    sequences: frozenset[str] = frozenset()  # literals with elements: `[{ a: 1 }]`
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Expressions whose value is that of an expression in any of these fields: `a ? {} : b`."""
    type_arguments: str = ""  # their field in a call, of which a single argument is the type of the first literal
    pairs: frozenset[str] = frozenset()  # members of literals, and attributes of tags: a key, then a value
    tags: Mapping[str, str] = field(default_factory=dict)
    """Tags, whose attributes are members of the only argument of a function: the field of its name."""
    tag_keys: tuple[str, ...] = ()  # attributes that every tag takes, whatever its function declares
    tag_object: str = ""  # the member of a class that holds its attributes: `this.props`
    tag_bases: frozenset[str] = frozenset()  # bases of such a class, of which the first argument is their type
    tag_members: frozenset[str] = frozenset()  # members of a function that hold values by attribute
    tag_functions: Mapping[str, int] = field(default_factory=dict)
    """Types of functions, and functions that take them: the number of the argument that is the type of attributes."""
    wrapping: frozenset[str] = frozenset()  # functions that give their first argument, or a function like it
    element_tags: frozenset[str] = frozenset()
    """Tags whose name is an element of the markup, and no variable, where it begins with a small letter: `<input>`."""
    designator: str = ""  # the sign before a key, without which an entry is a value: `.x = 1`
    positional: frozenset[str] = frozenset()  # entries that give a value by position; none stands beside a key
    shorthands: frozenset[str] = frozenset()  # leaves, or nodes around a leaf, that are a key and a name at once: `{x}`
    inferred_keys: frozenset[str] = frozenset()  # literals whose keys may be the names of their values: `new { x }`
    key_sign: str = ": "  # between the key and the name that a shorthand stands for
    computed_keys: frozenset[str] = frozenset()  # entries whose key is an expression where it stands in brackets


@dataclass(frozen=True)
class PatternTable:
    """Patterns that take objects apart by the names of members: `a is { b: 1 }`; with a class they are literals too."""

    objects: frozenset[str] = frozenset()
    keyed: frozenset[str] = frozenset()  # nodes around a single pattern, which may have a key
    key_sign: str = ":"  # between that key and the pattern
    key_lists: frozenset[str] = frozenset()  # nodes around those with a key that names a member
    paths: frozenset[str] = frozenset()  # keys of several names: `A.B`
    matched: Mapping[str, str] = field(default_factory=dict)
    """Nodes with patterns: the field of what these are matched with, or nothing where it stands first."""
    around: frozenset[str] = frozenset()  # nodes between a pattern and such a node
    both: Mapping[str, str] = field(default_factory=dict)
    """Two patterns of the same object: the field of the first, which may say its class."""
    classless: frozenset[str] = frozenset()  # patterns, or what stands in them, that say none


BY_PATHS, BY_NAMESPACES, BY_PACKAGES = "paths", "namespaces", "packages"
MOCKED_PATHS, MOCKED_KEYS = "paths", "keys"


@dataclass(frozen=True)
class ImportTable:
    """How names of other files are imported, and which ones a file exports."""

    statements: frozenset[str] = frozenset()
    aliases: frozenset[str] = frozenset()  # what is imported under another name
    modules: Mapping[str, str] = field(default_factory=dict)  # imports: the field of the module, if any
    lists: Mapping[str, str] = field(default_factory=dict)  # of names, by the type of the node around a name
    form: str = ""  # how `name` of `module` is imported
    module_form: str = ""  # how a module is; empty where that gives no name
    namespaces: frozenset[str] = frozenset()  # names that imports give to a whole module
    wildcards: Mapping[str, str] = field(default_factory=dict)  # imports: the type of the node for `*`
    used_by_tags: frozenset[str] = frozenset()  # names that tags stand for calls of: `React`
    path_words: Mapping[str, str] = field(default_factory=dict)
    """Words that paths of modules begin with: `root` for that of the package, `outer` and `own` for those around."""
    path_lists: Mapping[str, str] = field(default_factory=dict)  # lists of names: the field of the path before them
    path_holders: frozenset[str] = frozenset()  # nodes around a path that name nothing themselves
    source_folder: str = ""  # below which the path of a file is that of its module
    root_files: frozenset[str] = frozenset()  # files in it that are the root of a package, without their ending
    folder_file: str = ""  # the file that is the module of its folder
    export_keyword: str = ""  # without it other files see nothing
    export_specifiers: frozenset[str] = frozenset()  # names that are exported as they stand, or under an alias
    export_list: str = ""  # the variable that lists the names that a module exports, as strings
    declaring_words: tuple[str, ...] = ()  # any precedes the name of each top-level function and class; empty: unknown
    folder_is_one_module: bool = False  # files of the same folder share their declarations
    packages: str = ""  # how files name the packages of other folders: `BY_PATHS`, `BY_NAMESPACES`, `BY_PACKAGES`
    includes: bool = False  # files take in whole files, with the directive of C
    mocks: str = ""  # how tests replace exported names: `MOCKED_PATHS` in strings, or `MOCKED_KEYS` of a module
    names_package: bool = False  # files name the package that they are of, and see its types

    @cached_property
    def wildcard_words(self) -> tuple[bytes, ...]:
        """The words that imports of all names begin with, or have in them."""
        return tuple(dict.fromkeys(kind.partition("_")[0].encode() for kind in self.wildcards))


@dataclass(frozen=True)
class MacroTable:
    """Macros whose names have no syntax around them."""

    token_trees: frozenset[str] = frozenset()  # the nodes that hold such names
    format_strings: frozenset[str] = frozenset()  # in them, texts with names in braces
    format_macros: Mapping[str, int] = field(default_factory=dict)
    """Macros whose text to be formatted is not the first argument: how many precede it, -1 where they format none."""
    generating: Mapping[str, str] = field(default_factory=dict)
    """Macros whose tokens are the text that they make, where names mean nothing: the sign before those that do.

    Where it is a bracket, that is all in such brackets.
    """
    leading: Mapping[str, str] = field(default_factory=dict)
    """Such macros with an expression before that text: the sign between the two."""
    binding: frozenset[str] = frozenset()  # macros in which `name = value` binds a name: `select!`
    deriving: frozenset[str] = frozenset()  # attributes whose arguments are names of macros: `derive`
    conditional: frozenset[str] = frozenset()  # attributes with others among their arguments: `cfg_attr`


@dataclass(frozen=True)
class QuotationTable:
    """Strings that hold code: quoted types, and lists of class members."""

    texts: frozenset[str] = frozenset()  # leaves of three parts: quote, content, quote
    annotations: frozenset[str] = frozenset()  # nodes around a type
    subscripts: frozenset[str] = frozenset()  # generic types: their name, then their arguments
    generic: frozenset[str] = (
        frozenset()
    )  # names of generic types whose arguments are types, besides those in LayerTable
    verbatim: frozenset[str] = frozenset()  # names of generic types whose strings are values: `Literal["a"]`
    first_only: frozenset[str] = frozenset()  # names of generic types of which only the first argument is a type
    aliases: frozenset[str] = frozenset()  # types of a variable whose value is a type
    calls: Mapping[str, range] = field(default_factory=dict)  # positions of the arguments of functions that are types
    keywords: frozenset[str] = frozenset()  # keyword arguments of these functions that are types
    holders: frozenset[str] = frozenset()  # nodes between a string and its type position
    keyed: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Nodes in which a string is the name of a member of what stands before it, or of the first argument of these."""
    key_holders: frozenset[str] = frozenset()  # nodes between a string and such a node
    members: frozenset[str] = frozenset()  # variables of a class that list names of its members: `__slots__`


@dataclass(frozen=True)
class FlowTable:
    """Names that a test binds, `o instanceof A a && a.x()`, or narrows to a class: `isinstance(a, A) and a.x()`.

    Both hold in what runs only after the test came out true, or after the opposite of the test came out false. Node
    types and fields are those of a grammar; where it names no field, the index of the child stands for it.
    """

    tests: frozenset[str] = frozenset()  # expressions that bind such names
    type_tests: Mapping[str, str] = field(default_factory=dict)
    """Expressions that may narrow a name: the sign or the function of those that do; calls may of a predicate too."""
    cases: Mapping[str, str] = field(default_factory=dict)
    """Cases of a switch upon the class of an object: the field of the name of that object in the switch."""
    aliases: frozenset[str] = frozenset()  # patterns in such cases that give the object another name
    patterns: frozenset[str] = frozenset()  # nodes between a name and its test
    brackets: frozenset[str] = frozenset()  # expressions that have the value of the expression in them
    operators: str = "operator"  # the field of the sign in the expressions below, which else stands first
    negations: Mapping[str, str] = field(default_factory=dict)  # expressions: the sign of the opposite, `!`
    both: Mapping[str, str] = field(default_factory=dict)  # of two, `left` and `right`: the sign of both, `&&`
    either: Mapping[str, str] = field(default_factory=dict)  # the sign of either, `||`
    branches: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = field(default_factory=dict)
    """What a condition decides: the fields of what runs where it is true, and where it is false."""
    conditions: Mapping[str, str] = field(default_factory=dict)  # of these, the field of the condition if another
    filters: Mapping[str, str] = field(default_factory=dict)
    """Clauses with a condition: the field, in the node around, of what runs where it is true."""
    choices: frozenset[str] = frozenset()  # of these, statements whose successor runs unless a branch leaves
    assertions: frozenset[str] = frozenset()  # of these, statements whose successor runs where the condition is true
    loops: frozenset[str] = frozenset()  # those behind which the next statement runs when the condition is false
    lists: frozenset[str] = frozenset()  # nodes around statements that run in sequence
    leaving: frozenset[str] = frozenset()  # statements that leave a list before its end
    staying: frozenset[str] = frozenset()  # where these are not named, statements that do not
    unclear: frozenset[str] = frozenset()  # nodes around a test whose names are seen wherever their scope is

    @cached_property
    def around(self) -> frozenset[str]:
        """The nodes around a test whose outcome matters."""
        rows = (self.brackets, self.negations, self.both, self.either, self.branches, self.filters)
        return frozenset(kind for row in rows for kind in row)
