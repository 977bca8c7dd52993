"""The rules of names of TypeScript: those of JavaScript, and those of types."""

from __future__ import annotations

from dataclasses import replace

from editahead.syntax.construct_tables import AWAITED, ELEMENT, ITEM, VALUE, LayerTable
from editahead.syntax.languages.javascript import scopes as javascript
from editahead.syntax.languages.javascript.scopes import CLASS, FIELD, FUNCTION, IGNORE, PARAMETER, USE
from editahead.syntax.scope_table import Action, Edge, Namespace, ScopeKind, Target

_TYPE_PARAMETER = Edge(Action.BIND, "type-parameter", namespace=Namespace.TYPE)
_SIGNATURES = dict.fromkeys(
    (
        "function_signature",
        "method_signature",
        "abstract_method_signature",
        "call_signature",
        "construct_signature",
        "function_type",
        "constructor_type",
    ),
    "parameters",
)
_CLASSES = {"class_declaration": "body", "abstract_class_declaration": "body", "interface_declaration": "body"}

SCOPE_TABLE = replace(
    javascript.SCOPE_TABLE,
    scopes={
        **javascript.SCOPES,
        **dict.fromkeys(_SIGNATURES, ScopeKind.FUNCTION),
        **dict.fromkeys(_CLASSES, ScopeKind.CLASS),
        "enum_declaration": ScopeKind.CLASS,
        "object_type": ScopeKind.CLASS,
        "type_alias_declaration": ScopeKind.BLOCK,
        "conditional_type": ScopeKind.BLOCK,
        "index_signature": ScopeKind.BLOCK,
    },
    edges={
        **javascript.EDGES,
        ("function_signature", "name"): FUNCTION,
        ("method_signature", "name"): FUNCTION,
        ("abstract_method_signature", "name"): FUNCTION,
        ("abstract_class_declaration", "name"): CLASS,
        ("interface_declaration", "name"): CLASS,
        ("enum_declaration", "name"): CLASS,
        ("type_alias_declaration", "name"): CLASS,
        ("internal_module", "name"): Edge(Action.BIND, "variable", namespace=Namespace.TYPE),
        ("module", "name"): Edge(Action.BIND, "variable", namespace=Namespace.TYPE),
        ("enum_body", "name"): FIELD,
        ("enum_assignment", "name"): FIELD,
        ("public_field_definition", "name"): FIELD,
        ("property_signature", "name"): FIELD,
        ("required_parameter", "pattern"): PARAMETER,
        ("required_parameter", "name"): PARAMETER,
        ("required_parameter", "value"): USE,
        ("optional_parameter", "pattern"): PARAMETER,
        ("optional_parameter", "name"): PARAMETER,
        ("formal_parameters", None): USE,
        ("index_signature", "name"): PARAMETER,
        ("type_parameter", "name"): _TYPE_PARAMETER,
        ("mapped_type_clause", "name"): _TYPE_PARAMETER,
        ("infer_type", None): _TYPE_PARAMETER,
        ("nested_type_identifier", "module"): Edge(namespace=Namespace.TYPE),
        ("nested_type_identifier", "name"): Edge(Action.ATTRIBUTE, namespace=Namespace.TYPE),
        ("nested_identifier", "property"): Edge(Action.ATTRIBUTE, namespace=Namespace.VALUE),
        ("tuple_parameter", "name"): IGNORE,
        ("import_alias", ">identifier"): Edge(Action.BIND, "import", Target.OWN, Namespace.TYPE),
    },
    classes=replace(
        javascript.SCOPE_TABLE.classes,
        bodies=_CLASSES,
        parts=dict.fromkeys(_CLASSES, ""),
        single_parts=frozenset({"class_declaration", "abstract_class_declaration"}),
        bases={
            "class_declaration": ("class_heritage",), "abstract_class_declaration": ("class_heritage",),
            "class": ("class_heritage",), "interface_declaration": ("extends_type_clause",),
        },
        types_inside=frozenset({"enum_declaration"}),
        joined_kinds=frozenset({"function"}),
        parameter_fields=dict.fromkeys(
            ("required_parameter", "optional_parameter"),
            frozenset({"accessibility_modifier", "override_modifier", "readonly"}),
        ),
        named_by={"type_alias_declaration": "name"},
        object_members=frozenset(
            "constructor hasOwnProperty isPrototypeOf name propertyIsEnumerable prototype toLocaleString toString "
            "valueOf".split()
        ),
    ),
    wrappers={"export_statement": "declaration"},
    functions={**javascript.FUNCTIONS, **_SIGNATURES},
    attributes={
        **javascript.SCOPE_TABLE.attributes, "nested_type_identifier": ("module", "name"),
        "nested_identifier": ("object", "property"),
    },
    parameters=replace(
        javascript.SCOPE_TABLE.parameters,
        optional=frozenset({"optional_parameter"}),
    ),
    types=replace(
        javascript.SCOPE_TABLE.types,
        same_class=javascript.SCOPE_TABLE.types.same_class | {"non_null_expression", "jsx_expression"},
        wrappers={"type_annotation": "", "constraint": "", "readonly_type": ""},
        qualified=frozenset({"nested_type_identifier"}),
        generic=frozenset({"generic_type"}),
        delegating=frozenset({"NonNullable", "Partial", "Readonly", "Required"}),
        self_nodes=frozenset({"this_type"}),
        unions=frozenset({"union_type"}),
        labels=dict.fromkeys(("required_parameter", "optional_parameter"), "tuple_type"),
        declared={
            "required_parameter": "type", "optional_parameter": "type", "variable_declarator": "type",
            "public_field_definition": "type", "property_signature": "type", "type_alias_declaration": "value",
            "type_parameter": "constraint",
        },
        returns=frozenset({"return_statement"}),
        results=dict.fromkeys(javascript.FUNCTIONS, "return_type"),
        casts=frozenset({"as_expression", "satisfies_expression"}),
        initial_values={
            "variable_declarator": "value", "public_field_definition": "value", "assignment_expression": "right",
        },
    ),
    layers=LayerTable(
        generic={
            **dict.fromkeys(("Promise", "PromiseLike"), (AWAITED, 0)),
            **dict.fromkeys(("Array", "Iterable", "ReadonlyArray", "ReadonlySet", "Set"), (ELEMENT, 0)),
            **dict.fromkeys(("Map", "ReadonlyMap", "Record", "WeakMap"), (VALUE, 1)),
        },
        nodes={"array_type": ELEMENT},
        wrappers={"await_expression": AWAITED},
        suffixes={"!": ""},
        subscripts={"subscript_expression": "object"},
        loops={"for_in_statement": "right"},
        loop_keys=frozenset({"in"}),
        taking={**dict.fromkeys(("at", "find", "findLast", "pop", "shift"), ELEMENT), "get": VALUE},
        keeping=frozenset({"concat", "filter", "reverse", "slice", "sort", "splice", "toReversed", "toSorted"}),
        map_values=frozenset({"values"}),
        pairing={"entries": ITEM},
        map_pairs=True,
        awaitable=frozenset({"then"}),
        homes=(),
        visiting=frozenset(
            "every filter find findIndex findLast flatMap forEach map some sort toSorted".split()
        ),
    ),
    literals=replace(
        javascript.SCOPE_TABLE.literals,
        keys={"variable_declarator": "type", "required_parameter": "type", "optional_parameter": "type"},
        pattern_keys=frozenset({"pair_pattern", "jsx_attribute"}),
        pairs=frozenset({"pair", "jsx_attribute"}),
        tags=dict.fromkeys(("jsx_opening_element", "jsx_self_closing_element"), "name"),
        tag_keys=("key", "ref"),
        destructured={"variable_declarator": "value"},
        lists=frozenset({"object_pattern"}),
    ),
    member_words=javascript.MEMBER_WORDS | {"enum", "private", "public"},
    keywords=javascript.KEYWORDS | frozenset({"enum", "interface", "private", "protected", "public"}),
    builtins=javascript.BUILTINS
    | frozenset(
        "any bigint boolean never number object string symbol unknown Awaited Exclude Extract InstanceType Iterable "
        "Iterator NonNullable Omit Parameters Partial Pick PromiseLike Readonly ReadonlyArray ReadonlyMap ReadonlySet "
        "Record Required ReturnType".split()
    ),
)  # fmt: skip
