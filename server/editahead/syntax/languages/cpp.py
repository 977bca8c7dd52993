"""C++: the rules of names of C, with classes, namespaces, templates and members that stand outside; tokens."""

from __future__ import annotations

from dataclasses import replace

from editahead.syntax.construct_tables import ELEMENT, ITEM, VALUE, LayerTable
from editahead.syntax.language_definition import role_rule
from editahead.syntax.languages import c
from editahead.syntax.scope_table import Action, Edge, Namespace, ScopeKind, Target
from editahead.syntax.table_notation import edges_of, words

_CLASSES = ("class_specifier", "struct_specifier", "union_specifier")
_BLOCKS = words("if_statement while_statement switch_statement for_range_loop catch_clause try_statement")
_TEMPLATES = frozenset({"template_declaration"})
_DECLARATORS = c.DECLARATORS | {"reference_declarator"}
_HOLDERS = frozenset({"function_definition", "lambda_expression", "catch_clause", "requires_expression"})

SCOPE_TABLE = replace(
    c.SCOPE_TABLE,
    names={**c.SCOPE_TABLE.names, "namespace_identifier": Namespace.TYPE},
    scopes={
        **c.SCOPES,
        **dict.fromkeys(_BLOCKS, ScopeKind.BLOCK),
        "class_specifier": ScopeKind.CLASS,
        "enum_specifier": ScopeKind.CLASS,
        "namespace_definition": ScopeKind.CLASS,
        "lambda_expression": ScopeKind.FUNCTION,
        "requires_expression": ScopeKind.COMPREHENSION,
    },
    edges={
        **c.EDGES,
        # A constructor, unless it has a type (`edges_with` below).
        ("function_definition", "declarator"): Edge(target=Target.OUTER, namespace=Namespace.TYPE),
        ("parameter_declaration", "type>type_identifier"): Edge(namespace=Namespace.EITHER),  # `A a(b)` has a value
        **edges_of({
            Edge(namespace=Namespace.TYPE): "declaration.declarator destructor_name qualified_identifier.scope",
            Edge(Action.BIND, "variable", Target.OUTER): "template_declaration/declaration.declarator",
            c.CLASS: "template_declaration/alias_declaration.name namespace_definition.name>namespace_identifier",
            c.IGNORE: "friend_declaration/declaration.declarator friend_declaration/function_definition.declarator "
                "namespace_definition.name nested_namespace_specifier using_declaration>identifier "
                "qualified_identifier/qualified_identifier.scope qualified_identifier/qualified_identifier.name "
                "attribute_declaration attribute",
            Edge(Action.BIND, "variable", namespace=Namespace.TYPE): "namespace_alias_definition.name",
            Edge(Action.BIND, "class"): "alias_declaration.name",
            Edge(Action.BIND, "class", Target.OUTER, Namespace.TYPE): "concept_definition.name",
            Edge(Action.BIND, "type-parameter"): "type_parameter_declaration variadic_type_parameter_declaration "
                "optional_type_parameter_declaration.name",
            c.PARAMETER: "optional_parameter_declaration.declarator variadic_parameter_declaration.declarator",
            Edge(Action.ATTRIBUTE): "field_initializer>field_identifier qualified_identifier.name",
            Edge(Action.ATTRIBUTE, namespace=Namespace.TYPE): "qualified_identifier.name>type_identifier",
            c.VARIABLE: "for_range_loop.declarator lambda_capture_initializer.left",
            Edge(target=Target.OUTER): "for_range_loop.right lambda_capture_initializer.right",
        }),
    },
    transparent=_DECLARATORS
    | {
        "structured_binding_declarator", "abstract_function_declarator", "template_method", "template_function",
        "dependent_name", "variadic_declarator", "variadic_reference_declarator",
    },
    nested=frozenset({"declaration", "function_definition", "alias_declaration", "qualified_identifier"}),
    edges_with={
        **{(kind, "name"): ("body", c.CLASS) for kind in (*_CLASSES, "enum_specifier")},
        ("function_definition", "declarator"): ("type", c.FUNCTION),
        ("declaration", "declarator"): ("type", c.VARIABLE),
    },
    shared_scopes={
        "parameter_list": _HOLDERS,
        **dict.fromkeys((*_CLASSES, "function_definition", "template_declaration"), _TEMPLATES),
    },
    generics=_TEMPLATES,
    scoped_by={"enum_specifier": frozenset({"class", "struct"})},
    classes=replace(
        c.SCOPE_TABLE.classes,
        unnamed_lists=frozenset({"namespace_definition"}),
        initializers=frozenset({"field_initializer"}),
        outside_names=frozenset({"qualified_identifier"}),
        members_by_assignment=True,
        bodies={**dict.fromkeys(_CLASSES, "body"), "namespace_definition": "body"},
        bases={"class_specifier": ("base_class_clause",), "struct_specifier": ("base_class_clause",)},
        this_nodes=frozenset({"this"}),
        scope_is_inherited=True,
        members_need_receiver=False,
        overloads=True,
    ),
    types=replace(
        c.SCOPE_TABLE.types,
        declarators=_DECLARATORS,
        qualified=frozenset({"qualified_identifier"}),
        generic=frozenset({"template_type"}),
        declared={
            **c.SCOPE_TABLE.types.declared, "optional_parameter_declaration": "type", "for_range_loop": "type",
            "alias_declaration": "type",
        },
        initial_values={"init_declarator": "value"},
        wrappers={"type_descriptor": "type"},
        delegating=frozenset({"optional", "shared_ptr", "unique_ptr"}),
    ),
    layers=LayerTable(
        generic={
            **dict.fromkeys(words("array deque forward_list initializer_list list multiset queue set"), (ELEMENT, 0)),
            **dict.fromkeys(("span", "stack", "unordered_multiset", "unordered_set", "vector"), (ELEMENT, 0)),
            **dict.fromkeys(("map", "multimap", "unordered_map", "unordered_multimap"), (VALUE, 1)),
        },
        subscripts={"subscript_expression": "argument"},
        loops={"for_range_loop": "right"},
        taking={
            **dict.fromkeys(words("back begin cbegin crbegin data emplace_back find front rbegin top"), ELEMENT),
            "at": ITEM, "second": VALUE,
        },
        properties=True,
        pairs_are_maps=True,
        map_pairs=True,
    ),
    attributes={"field_expression": ("argument", "field"), "qualified_identifier": ("scope", "name")},
    creations={"new_expression": "type"},
    parameters=replace(
        c.SCOPE_TABLE.parameters,
        rest=frozenset({"variadic_parameter", "variadic_parameter_declaration", "parameter_pack_expansion"}),
    ),
    member_words=frozenset({"operator", "template"}),
    keywords=c.KEYWORDS
    | words(
        "alignas alignof and bool catch class co_await co_return co_yield concept consteval constexpr constinit "
        "const_cast decltype delete dynamic_cast explicit export false friend mutable namespace new noexcept not "
        "nullptr operator or private protected public reinterpret_cast requires static_assert static_cast template "
        "this thread_local throw true try typeid typename using virtual wchar_t xor"
    ),
    builtins=c.BUILTINS
    | words(
        "array cerr cin cout endl function get make_pair make_shared make_unique map move optional pair set shared_ptr "
        "std string string_view swap to_string tuple unique_ptr unordered_map variant vector"
    ),
)  # fmt: skip

CPP = replace(
    c.C,
    id="cpp",
    extensions=(".cc", ".cpp", ".cxx", ".hpp", ".hh"),
    string_nodes=c.C.string_nodes | {"raw_string_literal"},
    scope_nodes=frozenset({"function_definition", "lambda_expression"}),
    role_of=role_rule(SCOPE_TABLE),
    scopes=SCOPE_TABLE,
    long_texts=c.LONG_TEXTS,
    aliases=("c++",),
    editor_ids=("cpp",),
    cut=None,  # a namespace around the whole file would fall apart
)
