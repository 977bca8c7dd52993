"""JavaScript and JSX: strings, rules of names, tokens, and where a large file may be cut."""

from __future__ import annotations

import re

from editahead.syntax import construct_tables as tables
from editahead.syntax.construct_tables import AWAITED
from editahead.syntax.language_definition import Language, role_rule
from editahead.syntax.scope_table import Action, Edge, Namespace, ScopeKind, ScopeTable, Target
from editahead.syntax.string_syntax import DOUBLE, ESCAPED, SINGLE, Cutter, LongText, StringPatterns
from editahead.syntax.table_notation import by_word, edges_of, scopes_of, words

# A template ends at its quote; what is written in it is code with strings of its own, read to a single level of
# braces. A deeper level hides the rest of the text.
_HOLE = rb"\$\{(?:[^{}`]|`[^`]*`|\{[^{}`]*\})*\}"
_TEMPLATE = rb"`[^`\\$]*(?:(?:\\.|\$(?!\{)|" + _HOLE + rb")[^`\\$]*)*(?:`|.*\Z)"
# A slash begins a pattern where no value stands before it. Bounded: a line may hold many beginnings and no end.
_PATTERN = (
    rb"(?:(?<=[-(,=:\[!&|?{};+*%~^>\n])[ \t]*|(?<=return)[ \t]+)"
    rb"/(?![/*])(?:[^/\\\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n]){0,99}\]){1,200}/[a-z]*"
)

STRING_PATTERNS = StringPatterns((_PATTERN, DOUBLE, SINGLE, _TEMPLATE))
LONG_TEXTS = (LongText(rb"`", b"`", skipped=ESCAPED, code=lambda _: rb"\$\{"),)

VARIABLE = Edge(Action.BIND, "variable")
PARAMETER = Edge(Action.BIND, "parameter")
FIELD = Edge(Action.BIND, "field", namespace=Namespace.VALUE)
IMPORT = Edge(Action.BIND, "import", namespace=Namespace.TYPE)  # of a value or of a class: who knows
CLASS = Edge(Action.BIND, "class", Target.OUTER, Namespace.TYPE)
FUNCTION = Edge(Action.BIND, "function", Target.OUTER, Namespace.VALUE)
USE = Edge(Action.USE)
IGNORE = Edge(Action.IGNORE)

FUNCTIONS = by_word({
    "parameters": "function_declaration generator_function_declaration function_expression generator_function "
        "arrow_function method_definition",
})  # fmt: skip

SCOPES = scopes_of({
    ScopeKind.FUNCTION: " ".join(FUNCTIONS),
    ScopeKind.CLASS: "class_declaration class object",  # in the methods of an object, `this` is that object
    ScopeKind.BLOCK: "statement_block class_static_block for_statement for_in_statement catch_clause "
        "labeled_statement switch_body",
})  # fmt: skip

EDGES = edges_of({
    FUNCTION: "function_declaration.name generator_function_declaration.name method_definition.name",
    Edge(Action.BIND, "function", namespace=Namespace.VALUE): "function_expression.name generator_function.name",
    CLASS: "class_declaration.name",
    Edge(Action.BIND, "class", namespace=Namespace.TYPE): "class.name",
    FIELD: "field_definition.property pair.key",
    PARAMETER: "formal_parameters arrow_function.parameter catch_clause.parameter",
    VARIABLE: "variable_declarator.name",
    Edge(Action.BIND, "variable", Target.FUNCTION): "variable_declaration/variable_declarator.name",
    USE: "for_in_statement.left assignment_pattern.right object_assignment_pattern.right "
        "augmented_assignment_expression.left>member_expression export_specifier.name",
    IGNORE: "pair_pattern.key export_specifier.alias namespace_export jsx_attribute>property_identifier "
        "jsx_namespace_name meta_property",
    Edge(Action.ATTRIBUTE, namespace=Namespace.VALUE): "member_expression.property",
    Edge(Action.BIND, "field"): "assignment_expression.left>member_expression",
    IMPORT: "import_clause>identifier namespace_import import_specifier.name import_specifier.alias",
    Edge(Action.BIND, "label"): "labeled_statement.label",
})  # fmt: skip

PATTERNS = words("object_pattern array_pattern assignment_pattern object_assignment_pattern pair_pattern rest_pattern")

KEYWORDS = frozenset(  # those that are no names anywhere; as members they may be
    "await break case catch class const continue debugger default delete do else export extends false finally for "
    "function if import in instanceof let new null return super switch this throw true try typeof undefined var void "
    "while with yield".split()
)
MEMBER_WORDS = frozenset(
    "catch default delete do finally for import in new return throw try with".split()
)  # in use as names of members
BUILTINS = words(
    "Array ArrayBuffer BigInt Boolean Buffer DataView Date Error EvalError Function Infinity Intl JSON Map Math NaN "
    "Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError "
    "URIError URL WeakMap WeakRef WeakSet arguments clearInterval clearTimeout console decodeURIComponent document "
    "encodeURIComponent eval exports fetch global globalThis isFinite isNaN module parseFloat parseInt process "
    "queueMicrotask require setInterval setTimeout structuredClone window __dirname __filename"
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
    classes=tables.ClassTable(
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
    literals=tables.LiteralTable(
        shorthands=frozenset({"shorthand_property_identifier", "shorthand_property_identifier_pattern"}),
        objects=frozenset({"object"}),
        element_tags=frozenset({"jsx_opening_element", "jsx_closing_element", "jsx_self_closing_element"}),
        keys={"variable_declarator": "type", "formal_parameters": "type"},
        pattern_keys=frozenset({"pair_pattern", "jsx_attribute"}),
        pairs=frozenset({"pair", "jsx_attribute"}),
        tags=dict.fromkeys(("jsx_opening_element", "jsx_self_closing_element"), "name"),
        tag_keys=("key", "ref"),
        tag_object="props",
        tag_bases=words("Component PureComponent React.Component React.PureComponent"),
        tag_members=frozenset({"defaultProps", "propTypes"}),
        tag_functions={**dict.fromkeys(words("FC FunctionComponent VFC memo observer"), 0), "forwardRef": 1},
        destructured={"variable_declarator": "value"},
        taken_apart=frozenset({"formal_parameters"}),
        lists=frozenset({"object_pattern"}),
        wrapping=words("Object.freeze React.forwardRef React.memo forwardRef memo observer useCallback"),
    ),
    types=tables.TypeTable(
        narrowing=(r"(?<![\w.$])NAME\s+instanceof\b", r"[\"']\s+in\s+NAME\b"),
        same_class=frozenset({"parenthesized_expression"}),
        without_members=frozenset({"null", "undefined"}),
        initial_values=by_word(
            {"value": "variable_declarator field_definition pair", "right": "assignment_expression"}
        ),
    ),
    layers=tables.LayerTable(
        wrappers={"await_expression": AWAITED}, awaitable=frozenset({"then"}), values_change=True, homes=()
    ),
    quotations=tables.QuotationTable(
        texts=frozenset({"string"}),
        keyed={
            "subscript_expression": words(""),
            "lookup_type": words(""),
            "generic_type": words("Omit Pick"),
            "call_expression": words(
                "Object.hasOwn Reflect.get Reflect.has Reflect.set jest.replaceProperty jest.spyOn mock.method "
                "sinon.replace sinon.spy sinon.stub vi.spyOn"
            ),
        },
        key_holders=words("arguments literal_type type_arguments union_type"),
    ),
    flow=tables.FlowTable(
        type_tests={"binary_expression": "instanceof"},
        brackets=frozenset({"parenthesized_expression"}),
        negations={"unary_expression": "!"},
        both={"binary_expression": "&&"},
        either={"binary_expression": "||"},
        branches={
            "if_statement": (("consequence",), ("alternative",)),
            "ternary_expression": (("consequence",), ("alternative",)),
            "while_statement": (("body",), ()),
            "for_statement": (("increment", "body"), ()),
        },
        choices=frozenset({"if_statement"}),
        lists=frozenset({"statement_block", "switch_case", "switch_default", "program"}),
        leaving=frozenset({"break_statement", "continue_statement", "return_statement", "throw_statement"}),
    ),
    wrappers={"export_statement": "declaration"},
    functions=FUNCTIONS,
    attributes={"member_expression": ("object", "property")},
    calls={"call_expression": ("function", "arguments")},
    creations={"new_expression": "constructor"},
    parameters=tables.ParameterTable(
        optional=frozenset({"assignment_pattern"}), rest=frozenset({"rest_pattern", "spread_element"})
    ),
    imports=tables.ImportTable(
        statements=frozenset({"import_statement"}),
        aliases=frozenset({"import_specifier"}),
        modules={"import_statement": "source", "export_statement": "source"},
        namespaces=frozenset({"namespace_import"}),
        lists={"import_clause": "named_imports"},
        form="import {{ {name} }} from {module};",
        used_by_tags=frozenset({"React", "h", "Fragment"}),
        export_keyword="export",
        export_specifiers=frozenset({"export_specifier"}),
        mocks=tables.MOCKED_KEYS,
    ),
    await_node="await_expression",
    builtins=BUILTINS,
    member_words=MEMBER_WORDS,
    name_signs="$",
    keywords=KEYWORDS,
)

STRINGS = frozenset({"string", "template_string", "regex"})
CUT = Cutter(re.compile(rb"""["'`]|//|/\*|^}""", re.MULTILINE), after=frozenset({b"}"}))

JAVASCRIPT = Language(
    id="javascript",
    extensions=(".js", ".jsx", ".mjs", ".cjs"),
    comment_nodes=frozenset({"comment", "hash_bang_line"}),
    string_nodes=STRINGS,
    prose_nodes=frozenset({"jsx_text"}),
    interpolation_nodes=frozenset({"template_substitution"}),
    number_nodes=frozenset({"number"}),
    scope_nodes=frozenset(FUNCTIONS),
    line_comment="//",
    role_of=role_rule(SCOPE_TABLE),
    scopes=SCOPE_TABLE,
    string_patterns=STRING_PATTERNS,
    long_texts=LONG_TEXTS,
    editor_ids=("javascript", "javascriptreact"),
    aliases=("javascriptreact",),
    cut=CUT,
)
