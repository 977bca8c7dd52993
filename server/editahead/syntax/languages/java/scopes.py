"""The rules of names of Java."""

from __future__ import annotations

from editahead.syntax.construct_tables import (
    CONTENT,
    ELEMENT,
    ITEM,
    VALUE,
    ClassTable,
    ImportTable,
    LayerTable,
    ParameterTable,
    TypeTable,
)
from editahead.syntax.flow_table import FlowTable
from editahead.syntax.scope_table import Action, Edge, Namespace, ScopeKind, ScopeTable, Target

_VARIABLE = Edge(Action.BIND, "variable", namespace=Namespace.VALUE)
_PARAMETER = Edge(Action.BIND, "parameter", namespace=Namespace.VALUE)
_CLASS = Edge(Action.BIND, "class", Target.OUTER, Namespace.TYPE)
_IGNORED = Edge(Action.IGNORE)
_BODIES = {
    "class_declaration": "body", "interface_declaration": "body", "enum_declaration": "body",
    "record_declaration": "body", "annotation_type_declaration": "body",
}  # fmt: skip

SCOPE_TABLE = ScopeTable(
    names={"identifier": Namespace.VALUE, "type_identifier": Namespace.TYPE},
    scopes={
        **dict.fromkeys(_BODIES, ScopeKind.CLASS),
        ("object_creation_expression", "class_body"): ScopeKind.CLASS,
        ("enum_constant", "class_body"): ScopeKind.CLASS,
        "method_declaration": ScopeKind.FUNCTION,
        "constructor_declaration": ScopeKind.FUNCTION,
        "compact_constructor_declaration": ScopeKind.FUNCTION,
        "lambda_expression": ScopeKind.FUNCTION,
        "block": ScopeKind.BLOCK,
        "for_statement": ScopeKind.BLOCK,
        "enhanced_for_statement": ScopeKind.BLOCK,
        "try_with_resources_statement": ScopeKind.BLOCK,
        "catch_clause": ScopeKind.BLOCK,
        "labeled_statement": ScopeKind.BLOCK,
        "switch_block": ScopeKind.BLOCK,
        "switch_rule": ScopeKind.BLOCK,
    },
    edges={
        **{(kind, "name"): _CLASS for kind in _BODIES},
        ("constructor_declaration", "name"): Edge(Action.USE, target=Target.OUTER, namespace=Namespace.TYPE),
        ("compact_constructor_declaration", "name"): Edge(Action.USE, target=Target.OUTER, namespace=Namespace.TYPE),
        ("method_declaration", "name"): Edge(Action.BIND, "function", Target.OUTER, Namespace.METHOD),
        ("annotation_type_element_declaration", "name"): Edge(Action.BIND, "function", namespace=Namespace.METHOD),
        ("type_parameter", None): Edge(Action.BIND, "type-parameter", namespace=Namespace.TYPE),
        ("formal_parameter", "name"): _PARAMETER,
        ("catch_formal_parameter", "name"): _PARAMETER,
        ("inferred_parameters", None): _PARAMETER,
        ("lambda_expression", "parameters"): _PARAMETER,
        ("variable_declarator", "name"): _VARIABLE,
        ("enhanced_for_statement", "name"): _VARIABLE,
        ("resource", "name"): _VARIABLE,
        ("instanceof_expression", "name"): _VARIABLE,
        ("record_pattern_component", None): _VARIABLE,
        ("type_pattern", None): _VARIABLE,
        ("record_pattern", None): Edge(Action.USE, namespace=Namespace.TYPE),
        ("enum_constant", "name"): Edge(Action.BIND, "field", namespace=Namespace.VALUE),
        ("annotation", "name"): Edge(Action.USE, namespace=Namespace.TYPE),
        ("marker_annotation", "name"): Edge(Action.USE, namespace=Namespace.TYPE),
        ("element_value_pair", "key"): _IGNORED,
        ("field_access", "field"): Edge(Action.ATTRIBUTE, namespace=Namespace.VALUE),
        ("method_invocation", "name"): Edge(Action.ATTRIBUTE, namespace=Namespace.METHOD),
        ("scoped_identifier", "name"): _IGNORED,
        ("package_declaration", None): _IGNORED,
        ("import_declaration", None): Edge(Action.BIND, "import", namespace=Namespace.TYPE),
        ("labeled_statement", ">identifier"): Edge(Action.BIND, "label", namespace=Namespace.LABEL),
        ("break_statement", ">identifier"): Edge(namespace=Namespace.LABEL),
        ("continue_statement", ">identifier"): Edge(namespace=Namespace.LABEL),
    },
    classes=ClassTable(
        accessors=frozenset({"record_declaration"}),
        bodies=_BODIES,
        member_lists=frozenset({"enum_body_declarations"}),
        bases={
            "class_declaration": ("superclass", "interfaces"), "record_declaration": ("interfaces",),
            "enum_declaration": ("interfaces",), "interface_declaration": ("extends_interfaces",),
        },
        this_nodes=frozenset({"this"}),
        super_nodes=frozenset({"super"}),
        case_labels={"switch_label": {"switch_expression": "condition"}},
        member_modifiers={
            "method_declaration": False, "field_declaration": True, "constant_declaration": True, "enum_constant": True,
        },
        instance_members=frozenset({"field_declaration", "method_declaration", "record_declaration"}),
        static_scopes=frozenset(
            {
                "static_initializer", "interface_declaration", "enum_declaration", "record_declaration",
                "annotation_type_declaration",
            }
        ),
        object_members=frozenset(
            "clone compareTo equals getClass getDeclaringClass hashCode name notify notifyAll ordinal toString valueOf "
            "values wait".split()
        ),
        generators=(b"lombok", b"immutables"),
        overloads=True,
    ),
    transparent=frozenset({"scoped_identifier"}),
    dotted_last=frozenset({"scoped_identifier"}),
    qualified={"method_reference": ("::", Namespace.METHOD), "scoped_type_identifier": (".", Namespace.TYPE)},
    functions={
        "method_declaration": "parameters", "constructor_declaration": "parameters", "lambda_expression": "parameters",
    },
    attributes={"field_access": ("object", "field")},
    method_calls={"method_invocation": ("object", "name")},
    creations={"object_creation_expression": "type"},
    parameters=ParameterTable(
        rest=frozenset({"spread_parameter"}),
    ),
    types=TypeTable(
        casts=frozenset({"cast_expression"}),
        array_sign="dimensions",
        same_class=frozenset({"parenthesized_expression"}),
        qualified=frozenset({"scoped_type_identifier"}),
        generic=frozenset({"generic_type"}),
        inferred=frozenset({"var"}),
        results={"method_declaration": "type"},
        declared={
            "formal_parameter": "type", "local_variable_declaration": "type", "field_declaration": "type",
            "enhanced_for_statement": "type", "resource": "type", "instanceof_expression": "right",
            "constant_declaration": "type",
        },
        initial_values={"variable_declarator": "value", "resource": "value"},
    ),
    layers=LayerTable(
        generic={
            **dict.fromkeys(
                "ArrayDeque ArrayList Collection Deque HashSet Iterable Iterator LinkedHashSet LinkedList List Queue "
                "Set SortedSet Stream TreeSet".split(),
                (ELEMENT, 0),
            ),
            **dict.fromkeys(
                "ConcurrentHashMap ConcurrentMap HashMap LinkedHashMap Map SortedMap TreeMap".split(), (VALUE, 1)
            ),
            "Optional": (CONTENT, 0),
        },
        nodes={"array_type": ELEMENT},
        subscripts={"array_access": "array"},
        loops={"enhanced_for_statement": "value"},
        taking={
            "get": ITEM, "getOrDefault": VALUE,
            **dict.fromkeys("element getFirst getLast next poll pop".split(), ELEMENT),
            **dict.fromkeys(("orElse", "orElseGet", "orElseThrow"), ITEM),
        },
        keeping=frozenset(
            "distinct filter findAny findFirst iterator limit parallelStream skip sorted stream subList toList".split()
        ),
        map_values=frozenset({"values"}),
        homes=("java",),
        always_imported=True,
        visiting=frozenset("allMatch anyMatch filter flatMap forEach ifPresent map noneMatch removeIf".split()),
    ),
    flow=FlowTable(
        tests=frozenset({"instanceof_expression"}),
        patterns=frozenset({"record_pattern", "record_pattern_body", "record_pattern_component", "type_pattern"}),
        brackets=frozenset({"parenthesized_expression"}),
        negations={"unary_expression": "!"},
        both={"binary_expression": "&&"},
        either={"binary_expression": "||"},
        branches={
            "if_statement": (("consequence",), ("alternative",)),
            "ternary_expression": (("consequence",), ("alternative",)),
            "while_statement": (("body",), ()), "for_statement": (("update", "body"), ()), "do_statement": ((), ()),
        },
        choices=frozenset({"if_statement"}),
        loops=frozenset({"while_statement", "for_statement", "do_statement"}),
        lists=frozenset({"block", "constructor_body", "switch_block_statement_group"}),
        staying=frozenset(
            {"expression_statement", "local_variable_declaration", "assert_statement", "class_declaration"}
        ),
        unclear=frozenset({"guard"}),
    ),
    imports=ImportTable(
        statements=frozenset({"import_declaration"}),
        modules={"import_declaration": ""},
        form="import {module};",
        declaring_words=("class", "interface", "enum", "record"),
        wildcards={"import_declaration": "asterisk"},
        folder_is_one_module=True,
        names_package=True,
    ),
    hoisted=False,
    member_words=frozenset({"class", "new", "super", "this"}),
    name_signs="$",
    keywords=frozenset(
        "abstract assert boolean break byte case catch char class const continue default do double else enum extends "
        "final finally float for goto if implements import instanceof int interface long native new null package "
        "private protected public return short static strictfp super switch synchronized this throw throws transient "
        "try void volatile while true false".split()
    ),
    builtins=frozenset(
        "String Object Integer Long Double Float Boolean Byte Short Character Number Math System Thread Runnable Void "
        "Iterable Comparable CharSequence StringBuilder Exception RuntimeException Throwable Error Class Enum Record "
        "Override Deprecated".split()
    ),
)  # fmt: skip
