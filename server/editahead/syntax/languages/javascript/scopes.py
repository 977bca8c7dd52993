"""The rules of names of JavaScript."""

from __future__ import annotations

from editahead.syntax.construct_tables import (
    AWAITED,
    ClassTable,
    ImportTable,
    LayerTable,
    LiteralTable,
    ParameterTable,
    TypeTable,
)
from editahead.syntax.scope_table import Action, Edge, EdgeKey, Namespace, ScopeKind, ScopeTable, Target

VARIABLE = Edge(Action.BIND, "variable")
PARAMETER = Edge(Action.BIND, "parameter")
FIELD = Edge(Action.BIND, "field", namespace=Namespace.VALUE)
IMPORT = Edge(Action.BIND, "import", namespace=Namespace.TYPE)  # of a value or of a class: who knows
CLASS = Edge(Action.BIND, "class", Target.OUTER, Namespace.TYPE)
FUNCTION = Edge(Action.BIND, "function", Target.OUTER, Namespace.VALUE)
USE = Edge(Action.USE)
IGNORE = Edge(Action.IGNORE)

FUNCTIONS = dict.fromkeys(
    (
        "function_declaration",
        "generator_function_declaration",
        "function_expression",
        "generator_function",
        "arrow_function",
        "method_definition",
    ),
    "parameters",
)

SCOPES: dict[str | tuple[str, str], ScopeKind] = {
    **dict.fromkeys(FUNCTIONS, ScopeKind.FUNCTION),
    "class_declaration": ScopeKind.CLASS,
    "class": ScopeKind.CLASS,
    "object": ScopeKind.CLASS,  # `this` is the object in its methods
    "statement_block": ScopeKind.BLOCK,
    "class_static_block": ScopeKind.BLOCK,
    "for_statement": ScopeKind.BLOCK,
    "for_in_statement": ScopeKind.BLOCK,
    "catch_clause": ScopeKind.BLOCK,
    "labeled_statement": ScopeKind.BLOCK,
    "switch_body": ScopeKind.BLOCK,
}

EDGES: dict[EdgeKey, Edge] = {
    ("function_declaration", "name"): FUNCTION,
    ("generator_function_declaration", "name"): FUNCTION,
    ("function_expression", "name"): Edge(Action.BIND, "function", namespace=Namespace.VALUE),
    ("generator_function", "name"): Edge(Action.BIND, "function", namespace=Namespace.VALUE),
    ("method_definition", "name"): FUNCTION,
    ("class_declaration", "name"): CLASS,
    ("class", "name"): Edge(Action.BIND, "class", namespace=Namespace.TYPE),
    ("field_definition", "property"): FIELD,
    ("pair", "key"): FIELD,
    ("formal_parameters", None): PARAMETER,
    ("arrow_function", "parameter"): PARAMETER,
    ("catch_clause", "parameter"): PARAMETER,
    ("variable_declarator", "name"): VARIABLE,
    ("variable_declaration/variable_declarator", "name"): Edge(Action.BIND, "variable", Target.FUNCTION),
    ("for_in_statement", "left"): USE,
    ("assignment_pattern", "right"): USE,
    ("object_assignment_pattern", "right"): USE,
    ("pair_pattern", "key"): IGNORE,
    ("member_expression", "property"): Edge(Action.ATTRIBUTE, namespace=Namespace.VALUE),
    ("assignment_expression", "left>member_expression"): Edge(Action.BIND, "field"),
    ("augmented_assignment_expression", "left>member_expression"): USE,
    ("import_clause", ">identifier"): IMPORT,
    ("namespace_import", None): IMPORT,
    ("import_specifier", "name"): IMPORT,
    ("import_specifier", "alias"): IMPORT,
    ("export_specifier", "name"): USE,
    ("export_specifier", "alias"): IGNORE,
    ("namespace_export", None): IGNORE,
    ("jsx_attribute", ">property_identifier"): IGNORE,
    ("jsx_namespace_name", None): IGNORE,
    ("meta_property", None): IGNORE,
    ("labeled_statement", "label"): Edge(Action.BIND, "label"),
}

PATTERNS = frozenset(
    {
        "object_pattern", "array_pattern", "assignment_pattern", "object_assignment_pattern", "pair_pattern",
        "rest_pattern",
    }
)  # fmt: skip

KEYWORDS = frozenset(  # those that are no names anywhere; as members they may be
    "await break case catch class const continue debugger default delete do else export extends false finally for "
    "function if import in instanceof let new null return super switch this throw true try typeof undefined var void "
    "while with yield".split()
)
MEMBER_WORDS = frozenset(
    "catch default delete do finally for import in new return throw try with".split()
)  # in use as names of members
BUILTINS = frozenset(
    "Array ArrayBuffer BigInt Boolean Buffer DataView Date Error EvalError Function Infinity Intl JSON Map Math NaN "
    "Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError "
    "URIError URL WeakMap WeakRef WeakSet arguments clearInterval clearTimeout console decodeURIComponent document "
    "encodeURIComponent eval exports fetch global globalThis isFinite isNaN module parseFloat parseInt process "
    "queueMicrotask require setInterval setTimeout structuredClone window __dirname __filename".split()
)

SCOPE_TABLE = ScopeTable(
    names={
        "identifier": Namespace.VALUE,
        "property_identifier": Namespace.VALUE,
        "private_property_identifier": Namespace.PRIVATE,
        "statement_identifier": Namespace.LABEL,
        "shorthand_property_identifier": Namespace.VALUE,
        "shorthand_property_identifier_pattern": Namespace.VALUE,
        "type_identifier": Namespace.TYPE,
    },
    private_sign="#",
    classes=ClassTable(
        accessor_signs=frozenset({"get", "set"}),
        outer_objects=frozenset({"arrow_function"}),
        members_by_assignment=True,
        bodies={"class_declaration": "body"},
        bases={"class_declaration": ("class_heritage",), "class": ("class_heritage",)},
        this_nodes=frozenset({"this"}),
        super_nodes=frozenset({"super"}),
        constructor="constructor",
        scope_is_inherited=False,
        members_need_receiver=True,
    ),
    scopes=SCOPES,
    edges=EDGES,
    transparent=PATTERNS,
    nested=frozenset({"variable_declarator"}),
    edges_with={
        ("for_in_statement", "left"): ("kind", VARIABLE),
        ("import_specifier", "name"): ("alias", Edge(Action.IMPORTED)),
    },
    literals=LiteralTable(
        shorthands=frozenset({"shorthand_property_identifier", "shorthand_property_identifier_pattern"}),
        objects=frozenset({"object"}),
        element_tags=frozenset({"jsx_opening_element", "jsx_closing_element", "jsx_self_closing_element"}),
    ),
    types=TypeTable(
        narrowing=(r"(?<![\w.$])NAME\s+instanceof\b", r"[\"']\s+in\s+NAME\b"),
        same_class=frozenset({"parenthesized_expression"}),
        without_members=frozenset({"null", "undefined"}),
        initial_values={"variable_declarator": "value", "field_definition": "value", "assignment_expression": "right"},
    ),
    layers=LayerTable(
        wrappers={"await_expression": AWAITED},
        awaitable=frozenset({"then"}),
        values_change=True,
        homes=(),
    ),
    wrappers={"export_statement": "declaration"},
    functions=FUNCTIONS,
    attributes={"member_expression": ("object", "property")},
    calls={"call_expression": ("function", "arguments")},
    creations={"new_expression": "constructor"},
    parameters=ParameterTable(
        optional=frozenset({"assignment_pattern"}),
        rest=frozenset({"rest_pattern", "spread_element"}),
    ),
    imports=ImportTable(
        statements=frozenset({"import_statement"}),
        aliases=frozenset({"import_specifier"}),
        modules={"import_statement": "source", "export_statement": "source"},
        namespaces=frozenset({"namespace_import"}),
        lists={"import_clause": "named_imports"},
        form="import {{ {name} }} from {module};",
        used_by_tags=frozenset({"React", "h", "Fragment"}),
        export_keyword="export",
        export_specifiers=frozenset({"export_specifier"}),
    ),
    await_node="await_expression",
    builtins=BUILTINS,
    member_words=MEMBER_WORDS,
    name_signs="$",
    keywords=KEYWORDS,
)
