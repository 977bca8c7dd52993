"""TypeScript and TSX: strings, rules of names, tokens, and where a large file may be cut."""

from __future__ import annotations

from dataclasses import replace

from editahead.syntax.construct_tables import AWAITED, ELEMENT, ITEM, PREDICATE, VALUE, LayerTable
from editahead.syntax.language_definition import role_rule
from editahead.syntax.languages import javascript
from editahead.syntax.languages.javascript import CLASS, FIELD, FUNCTION, IGNORE, PARAMETER, USE
from editahead.syntax.scope_table import Action, Edge, Namespace, ScopeKind, Target
from editahead.syntax.table_notation import by_word, edges_of, scopes_of, words

_SIGNATURES = by_word({
    "parameters": "function_signature method_signature abstract_method_signature call_signature construct_signature "
        "function_type constructor_type",
})  # fmt: skip
_CLASSES = {"class_declaration": "body", "abstract_class_declaration": "body", "interface_declaration": "body"}

SCOPE_TABLE = replace(
    javascript.SCOPE_TABLE,
    scopes={
        **javascript.SCOPES,
        **dict.fromkeys(_SIGNATURES, ScopeKind.FUNCTION),
        **dict.fromkeys(_CLASSES, ScopeKind.CLASS),
        **scopes_of({
            ScopeKind.CLASS: "enum_declaration object_type",
            ScopeKind.BLOCK: "type_alias_declaration conditional_type index_signature",
        }),
    },
    edges={
        **javascript.EDGES,
        **edges_of({
            FUNCTION: "function_signature.name method_signature.name abstract_method_signature.name",
            CLASS: "abstract_class_declaration.name interface_declaration.name enum_declaration.name "
                "type_alias_declaration.name",
            Edge(Action.BIND, "variable", namespace=Namespace.TYPE): "internal_module.name module.name",
            FIELD: "enum_body.name enum_assignment.name public_field_definition.name property_signature.name",
            PARAMETER: "required_parameter.pattern required_parameter.name optional_parameter.pattern "
                "optional_parameter.name index_signature.name",
            USE: "required_parameter.value formal_parameters",
            Edge(Action.BIND, "type-parameter", namespace=Namespace.TYPE): "type_parameter.name "
                "mapped_type_clause.name infer_type",
            Edge(namespace=Namespace.TYPE): "nested_type_identifier.module",
            Edge(Action.ATTRIBUTE, namespace=Namespace.TYPE): "nested_type_identifier.name",
            Edge(Action.ATTRIBUTE, namespace=Namespace.VALUE): "nested_identifier.property",
            IGNORE: "tuple_parameter.name",
            Edge(Action.BIND, "import", Target.OWN, Namespace.TYPE): "import_alias>identifier",
        }),
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
        signatures=frozenset({"function_signature", "method_signature", "abstract_method_signature"}),
        joined_kinds=frozenset({"function"}),
        parameter_fields=dict.fromkeys(
            ("required_parameter", "optional_parameter"),
            frozenset({"accessibility_modifier", "override_modifier", "readonly"}),
        ),
        named_by={"type_alias_declaration": "name"},
        object_members=words(
            "constructor hasOwnProperty isPrototypeOf name propertyIsEnumerable prototype toLocaleString toString "
            "valueOf"
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
        wrappers=dict.fromkeys(("type_annotation", "constraint", "readonly_type", "type_predicate_annotation"), ""),
        qualified=frozenset({"nested_type_identifier"}),
        generic=frozenset({"generic_type"}),
        delegating=frozenset({"NonNullable", "Omit", "Partial", "Pick", "PropsWithChildren", "Readonly", "Required"}),
        inline=frozenset({"object_type"}),
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
        choices={"binary_expression": ("??", "||"), "ternary_expression": ()},
        initial_values={
            "variable_declarator": "value", "public_field_definition": "value", "assignment_expression": "right",
            "pair": "value",
        },
    ),
    layers=LayerTable(
        generic={
            **dict.fromkeys(("Promise", "PromiseLike"), (AWAITED, 0)),
            **dict.fromkeys(("Array", "Iterable", "ReadonlyArray", "ReadonlySet", "Set"), (ELEMENT, 0)),
            **dict.fromkeys(("Map", "ReadonlyMap", "Record", "WeakMap"), (VALUE, 1)),
        },
        nodes={"array_type": ELEMENT, "type_predicate": PREDICATE},
        wrappers={"await_expression": AWAITED},
        suffixes={"!": ""},
        subscripts={"subscript_expression": "object"},
        loops={"for_in_statement": "right"},
        loop_keys=frozenset({"in"}),
        taking={**dict.fromkeys(("at", "find", "findLast", "pop", "shift"), ELEMENT), "get": VALUE},
        storing={**dict.fromkeys(("add", "fill", "push", "unshift"), ELEMENT), "set": VALUE},
        keeping=frozenset({"concat", "filter", "reverse", "slice", "sort", "splice", "toReversed", "toSorted"}),
        map_values=frozenset({"values"}),
        pairing={"entries": ITEM},
        map_pairs=True,
        awaitable=frozenset({"then"}),
        homes=(),
        mapping={"flatMap": ITEM, "map": "", "then": AWAITED},
        visiting=words("every filter find findIndex findLast flatMap forEach map some sort then toSorted"),
        comparing=frozenset({"reduce", "reduceRight", "sort", "toSorted"}),
        passing={
            "Array.from": (ELEMENT, ELEMENT), "Object.entries": (VALUE, VALUE), "Object.values": (VALUE, ELEMENT),
            "Promise.all": (ELEMENT, AWAITED),
        },
        sequences=frozenset({"array"}),
        unpacking=True,
    ),
    flow=replace(
        javascript.SCOPE_TABLE.flow, type_tests={**javascript.SCOPE_TABLE.flow.type_tests, "call_expression": ""}
    ),
    literals=replace(
        javascript.SCOPE_TABLE.literals,
        keys={"variable_declarator": "type", "required_parameter": "type", "optional_parameter": "type"},
        sequences=frozenset({"array"}),
        choices={"ternary_expression": ("consequence", "alternative"), "binary_expression": ("right",)},
        type_arguments="type_arguments",
        taken_apart=frozenset({"required_parameter", "optional_parameter"}),
    ),
    member_words=javascript.MEMBER_WORDS | {"enum", "private", "public"},
    keywords=javascript.KEYWORDS | frozenset({"enum", "interface", "private", "protected", "public"}),
    builtins=javascript.BUILTINS
    | words(
        "any bigint boolean never number object string symbol unknown Awaited Exclude Extract InstanceType Iterable "
        "Iterator NonNullable Omit Parameters Partial Pick PromiseLike Readonly ReadonlyArray ReadonlyMap ReadonlySet "
        "Record Required ReturnType"
    ),
)  # fmt: skip

TYPESCRIPT = replace(
    javascript.JAVASCRIPT,
    id="typescript",
    extensions=(".ts", ".mts", ".cts"),
    role_of=role_rule(SCOPE_TABLE),
    scopes=SCOPE_TABLE,
    aliases=(),
    editor_ids=("typescript",),
)
TSX = replace(TYPESCRIPT, id="tsx", extensions=(".tsx",), aliases=("typescriptreact",), editor_ids=("typescriptreact",))
