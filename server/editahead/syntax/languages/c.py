"""C: strings, rules of names (a declarator wraps its name: `*a[3]`, `(*f)(int)`), tokens, and where a file is cut."""

from __future__ import annotations

import re

from editahead.syntax.construct_tables import ClassTable, ImportTable, LiteralTable, ParameterTable, TypeTable
from editahead.syntax.language_definition import Language, role_rule
from editahead.syntax.scope_table import Action, Edge, Namespace, ScopeKind, ScopeTable, Target
from editahead.syntax.string_syntax import CHARACTER, DOUBLE, Cutter, LongText, StringPatterns
from editahead.syntax.table_notation import by_word, edges_of, scopes_of, words

_RAW = rb"(?:u8|[uUL])?R"

STRING_PATTERNS = StringPatterns(
    (_RAW + rb'"(?:\(.*?(?:\)"|\Z)|[^()\s"\\]{1,16}\(.*?(?:\)[^()\s"\\]{1,16}"|\Z))', DOUBLE, CHARACTER),
    before=rb"(?!" + _RAW + rb'")',
)

# Of C++ alone. The name before the bracket is in front of the last quote again.
LONG_TEXTS = (
    LongText(
        rb"(?<![A-Za-z0-9_])" + _RAW + rb'"[^()\s"\\]{0,16}\(',
        b'R"',
        lambda opening: b")" + opening[opening.index(b'"') + 1 : -1] + b'"',
    ),
)

VARIABLE = Edge(Action.BIND, "variable")
PARAMETER = Edge(Action.BIND, "parameter")
FIELD = Edge(Action.BIND, "field")
FUNCTION = Edge(Action.BIND, "function", Target.OUTER)
CLASS = Edge(Action.BIND, "class", Target.OUTER)
USE = Edge()
IGNORE = Edge(Action.IGNORE)
SCOPES = scopes_of({
    ScopeKind.FUNCTION: "function_definition parameter_list",
    ScopeKind.BLOCK: "compound_statement for_statement",
    ScopeKind.CLASS: "struct_specifier union_specifier",
})  # fmt: skip
EDGES: dict[tuple[str, str | None], Edge] = {
    ("parameter_list", ">identifier"): PARAMETER,  # int f(a, b) int a, b; {}
    ("preproc_params", None): IGNORE,  # nor are the names of the replacement read
    **edges_of({
        Edge(Action.BIND, "label", Target.FUNCTION): "labeled_statement.label",
        FUNCTION: "function_definition.declarator",
        VARIABLE: "declaration.declarator enumerator.name preproc_def.name",
        USE: "init_declarator.value array_declarator.size",
        PARAMETER: "parameter_declaration.declarator",
        FIELD: "field_declaration.declarator",
        Edge(Action.BIND, "class"): "type_definition.declarator",
        Edge(Action.BIND, "function"): "preproc_function_def.name",
        Edge(Action.ATTRIBUTE): "field_expression.field",
        Edge(Action.KEYWORD): "field_designator",
        IGNORE: "offsetof_expression.member attribute_specifier attribute_specifier>argument_list",
    }),
}  # fmt: skip
DECLARATORS = words(
    "pointer_declarator function_declarator array_declarator parenthesized_declarator init_declarator "
    "attributed_declarator"
)  # fmt: skip
MEMBER_LISTS = words(
    "preproc_if preproc_ifdef preproc_elif preproc_elifdef preproc_else linkage_specification declaration_list"
)  # fmt: skip
KEYWORDS = words(
    "auto break case char const continue default do double else enum extern float for goto if inline int long register "
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Alignas "
    "_Alignof _Atomic _Bool _Generic _Noreturn _Static_assert _Thread_local"
)
BUILTINS = words(
    "FILE NULL abort assert atoi bool calloc errno exit false fclose fgets fopen fprintf fputs fread free fwrite "
    "getenv int16_t int32_t int64_t int8_t intptr_t main malloc memcmp memcpy memmove memset nullptr offsetof perror "
    "printf ptrdiff_t puts qsort realloc size_t snprintf sprintf ssize_t stderr stdin stdout strchr strcmp strcpy "
    "strdup strlen strncmp strncpy strstr strtol true uint16_t uint32_t uint64_t uint8_t uintptr_t va_list wchar_t"
)

SCOPE_TABLE = ScopeTable(
    names={
        "identifier": Namespace.VALUE,
        "field_identifier": Namespace.VALUE,
        "type_identifier": Namespace.TYPE,
        "statement_identifier": Namespace.LABEL,
    },
    scopes=SCOPES,
    edges=EDGES,
    transparent=DECLARATORS,
    edges_with={(kind, "name"): ("body", CLASS) for kind in ("struct_specifier", "union_specifier", "enum_specifier")},
    name_field="declarator",
    shared_scopes={"parameter_list": frozenset({"function_definition"})},
    classes=ClassTable(
        named_by={"type_definition": "declarator"},
        unnamed_inside={"field_declaration": "declarator"},
        member_lists=MEMBER_LISTS,
        scope_is_inherited=False,
        members_need_receiver=True,
    ),
    types=TypeTable(
        declarators=DECLARATORS,
        same_class=frozenset({"parenthesized_expression", "pointer_expression", "subscript_expression"}),
        wrappers={"type_descriptor": ""},
        array_declarators={"init_declarator": "array_declarator"},
        value_wrappers=frozenset({"parenthesized_expression"}),
        inferred=frozenset({"auto"}),
        results={"function_definition": "type"},
        declared=by_word({"type": "declaration parameter_declaration field_declaration type_definition"}),
    ),
    imports=ImportTable(includes=True),
    prototypes=True,
    doubtful_lists=frozenset({"argument_list"}),
    literals=LiteralTable(
        keys={"compound_literal_expression": "type", "declaration": "type"},
        lists=frozenset({"initializer_list"}),
        designator=".",
    ),
    functions={"function_declarator": "parameters"},
    attributes={"field_expression": ("argument", "field")},
    calls={"call_expression": ("function", "arguments")},
    parameters=ParameterTable(rest=frozenset({"variadic_parameter"})),
    same_in_block=True,
    hoisted=False,
    keywords=KEYWORDS,
    builtins=BUILTINS,
)  # fmt: skip

C = Language(
    id="c",
    extensions=(".c", ".h"),
    string_nodes=frozenset({"string_literal", "char_literal", "system_lib_string"}),
    number_nodes=frozenset({"number_literal"}),
    scope_nodes=frozenset({"function_definition"}),
    line_comment="//",
    role_of=role_rule(SCOPE_TABLE),
    scopes=SCOPE_TABLE,
    string_patterns=STRING_PATTERNS,
    editor_ids=("c",),
    cut=Cutter(re.compile(rb"""["']|//|/\*|^}""", re.MULTILINE), after=frozenset({b"}"})),
)
