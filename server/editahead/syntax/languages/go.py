"""Go: strings, rules of names, tokens, and where a large file may be cut."""

from __future__ import annotations

import re

from editahead.syntax import construct_tables as tables
from editahead.syntax.construct_tables import ELEMENT, VALUE
from editahead.syntax.language_definition import Language, role_rule
from editahead.syntax.scope_table import Action, Edge, Namespace, ScopeKind, ScopeTable, Target
from editahead.syntax.string_syntax import CHARACTER, DOUBLE, Cutter, LongText, StringPatterns
from editahead.syntax.table_notation import by_word, edges_of, words

STRING_PATTERNS = StringPatterns((DOUBLE, CHARACTER, rb"`[^`]*(?:`|\Z)"))  # nothing is escaped between backticks
LONG_TEXTS = (LongText(rb"`", b"`"),)

_FUNCTIONS = by_word({"parameters": "function_declaration method_declaration func_literal method_elem function_type"})
_BLOCKS = (
    "block", "if_statement", "for_statement", "expression_switch_statement", "type_switch_statement",
    "select_statement", "expression_case", "type_case", "default_case", "communication_case",
)  # fmt: skip
_HOLDERS = (
    "var_spec", "field_declaration", "slice_type", "array_type", "map_type", "pointer_type", "composite_literal",
    "parameter_declaration", "channel_type",
)  # fmt: skip

SCOPE_TABLE = ScopeTable(
    names={
        "identifier": Namespace.VALUE,
        "field_identifier": Namespace.VALUE,
        "package_identifier": Namespace.VALUE,
        "type_identifier": Namespace.TYPE,
        "label_name": Namespace.LABEL,
    },
    scopes={
        **dict.fromkeys(_FUNCTIONS, ScopeKind.FUNCTION),
        **dict.fromkeys(_BLOCKS, ScopeKind.BLOCK),
        "type_spec": ScopeKind.CLASS,
        **{(holder, "struct_type"): ScopeKind.CLASS for holder in _HOLDERS},  # a struct without a name
    },
    edges=edges_of({
        Edge(Action.BIND, "label", Target.FUNCTION): "labeled_statement.label",
        Edge(Action.BIND, "function", Target.OUTER, Namespace.VALUE): "function_declaration.name method_elem.name",
        Edge(Action.ATTRIBUTE, target=Target.OUTER, namespace=Namespace.VALUE): "method_declaration.name",
        Edge(Action.BIND, "class", Target.OUTER, Namespace.TYPE): "type_spec.name",
        Edge(Action.BIND, "class", namespace=Namespace.TYPE): "type_alias.name",
        Edge(Action.BIND, "type-parameter", namespace=Namespace.TYPE): "type_parameter_declaration.name",
        Edge(Action.BIND, "parameter", namespace=Namespace.VALUE): "parameter_declaration.name "
            "variadic_parameter_declaration.name",
        Edge(Action.BIND, "field", namespace=Namespace.VALUE): "field_declaration.name",
        Edge(Action.BIND, "variable", namespace=Namespace.VALUE): "const_spec.name var_spec.name "
            "short_var_declaration.left range_clause.left receive_statement.left type_switch_statement.alias",
        Edge(Action.USE): "short_var_declaration.right",
        Edge(Action.ATTRIBUTE, namespace=Namespace.VALUE): "selector_expression.field",
        Edge(Action.KEYWORD, namespace=Namespace.VALUE): "keyed_element.key",
        Edge(Action.USE, target=Target.FILE): "qualified_type.package",
        Edge(Action.IGNORE): "qualified_type.name package_clause",
        Edge(Action.BIND, "import", namespace=Namespace.VALUE): "import_spec.name",
    }),
    transparent=frozenset({"expression_list", "literal_element"}),
    classes=tables.ClassTable(
        embedded={"field_declaration": "field_declaration_list", "type_elem": "interface_type"},
        method_receivers={"method_declaration": "receiver"},
        structural_interfaces=frozenset({"interface_type"}),
        members_by_assignment=True,
        scope_is_inherited=False,
        members_need_receiver=True,
        object_members=frozenset(),
    ),
    literals=tables.LiteralTable(
        keys={"composite_literal": "type"},
        lists=frozenset({"literal_value"}),
        positional=frozenset({"literal_element"}),
        maps=frozenset({"map_type", "array_type", "slice_type", "implicit_length_array_type"}),
    ),
    types=tables.TypeTable(
        casts=frozenset({"type_assertion_expression"}),
        same_class=frozenset({"parenthesized_expression"}),
        wrappers={"pointer_type": "", "type_elem": ""},
        qualified=frozenset({"qualified_type"}),
        generic=frozenset({"generic_type"}),
        value_wrappers=frozenset({"expression_list", "unary_expression", "parenthesized_expression"}),
        result_lists=frozenset({"parameter_list"}),
        results=dict.fromkeys(("function_declaration", "method_declaration", "method_elem", "func_literal"), "result"),
        declared=by_word({"type": "parameter_declaration var_spec field_declaration type_alias"}),
        initial_values={"short_var_declaration": "right", "var_spec": "value"},
    ),
    layers=tables.LayerTable(
        nodes={"slice_type": ELEMENT, "array_type": ELEMENT, "map_type": VALUE},
        subscripts={"index_expression": "operand"},
        loops={"range_clause": "right"},
        loop_values=frozenset({"range_clause"}),
        making=frozenset({"make", "new"}),
    ),
    flow=tables.FlowTable(cases={"type_case": "alias"}),
    functions=_FUNCTIONS,
    attributes={"selector_expression": ("operand", "field")},
    qualified={"qualified_type": (".", Namespace.TYPE)},
    calls={"call_expression": ("function", "arguments")},
    creations={"composite_literal": "type"},
    parameters=tables.ParameterTable(rest=frozenset({"variadic_parameter_declaration", "variadic_argument"})),
    bound_after={
        **dict.fromkeys(("short_var_declaration", "var_spec", "range_clause", "receive_statement"), ""),
        "type_switch_statement": "value",
    },
    same_in_block=True,
    same_in_body=True,
    hoisted=False,
    imports=tables.ImportTable(folder_is_one_module=True, packages=tables.BY_PATHS),
    keywords=words(
        "break case chan const continue default defer else fallthrough for func go goto if import interface map "
        "package range return select struct switch type var true false nil iota _"
    ),
    builtins=words(
        "any append bool byte cap clear close comparable complex complex128 complex64 copy delete error float32 "
        "float64 imag int int16 int32 int64 int8 len make max min new panic print println real recover rune string "
        "uint uint16 uint32 uint64 uint8 uintptr"
    ),
)  # fmt: skip

GO = Language(
    id="go",
    extensions=(".go",),
    string_nodes=frozenset({"interpreted_string_literal", "raw_string_literal", "rune_literal"}),
    number_nodes=frozenset({"int_literal", "float_literal", "imaginary_literal"}),
    scope_nodes=frozenset({"function_declaration", "method_declaration", "func_literal"}),
    line_comment="//",
    role_of=role_rule(SCOPE_TABLE),
    scopes=SCOPE_TABLE,
    string_patterns=STRING_PATTERNS,
    long_texts=LONG_TEXTS,
    editor_ids=("go",),
    cut=Cutter(re.compile(rb"""["'`]|//|/\*|^[})]""", re.MULTILINE), after=frozenset({b"}", b")"})),
)
