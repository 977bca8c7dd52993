"""Lua: rules of names and tokens."""

from __future__ import annotations

from editahead.syntax.construct_tables import LiteralTable, ParameterTable, TypeTable
from editahead.syntax.language_definition import Language, role_rule
from editahead.syntax.scope_table import Action, Edge, Namespace, ScopeKind, ScopeTable, Target
from editahead.syntax.string_syntax import LongText
from editahead.syntax.table_notation import edges_of, scopes_of, words

SCOPE_TABLE = ScopeTable(
    names={"identifier": Namespace.VALUE},
    scopes=scopes_of({
        ScopeKind.FUNCTION: "function_declaration function_definition",
        ScopeKind.BLOCK: "block for_statement",
    }),
    edges=edges_of({
        Edge(Action.BIND, "variable"): "variable_declaration>assignment_statement variable_declaration>variable_list "
            "for_generic_clause>variable_list for_numeric_clause.name",
        Edge(Action.USE): "assignment_statement>expression_list",
        Edge(Action.USE, target=Target.OUTER): "for_generic_clause>expression_list",
        Edge(Action.BIND, "parameter"): "parameters.name",
        Edge(Action.BIND, "function", Target.OUTER): "function_declaration.name>identifier",
        Edge(Action.ATTRIBUTE): "dot_index_expression.field method_index_expression.method",
        Edge(Action.IGNORE): "field.name",
        Edge(namespace=Namespace.LABEL): "goto_statement",
        Edge(Action.BIND, "label", namespace=Namespace.LABEL): "label_statement",
    }),
    transparent=frozenset({"assignment_statement", "variable_list"}),
    functions={"function_declaration": "parameters", "function_definition": "parameters"},
    types=TypeTable(same_class=frozenset({"parenthesized_expression"})),
    literals=LiteralTable(computed_keys=frozenset({"field"})),
    attributes={"dot_index_expression": ("table", "field"), "method_index_expression": ("table", "method")},
    calls={"function_call": ("name", "arguments")},
    parameters=ParameterTable(rest=frozenset({"vararg_expression"})),
    bound_after={"variable_declaration": ""},
    hoisted=False,
    keywords=words(
        "and break do else elseif end false for function goto if in local nil not or repeat return then true until "
        "while _"
    ),
    builtins=words(
        "assert collectgarbage dofile error getmetatable ipairs load next pairs pcall print rawequal rawget rawlen "
        "rawset require select setmetatable tonumber tostring type xpcall coroutine debug io math os package string "
        "table utf8 _G self"
    ),
)  # fmt: skip


def _closing(opening: bytes) -> bytes:
    return opening[opening.index(b"[") :].replace(b"[", b"]")


_STRING = LongText(rb"\[=*\[", b"[", _closing)
_COMMENT = LongText(rb"--\[=*\[", b"--[", _closing, is_comment=True)

LUA = Language(
    id="lua",
    extensions=(".lua",),
    string_nodes=frozenset({"string"}),
    number_nodes=frozenset({"number"}),
    scope_nodes=frozenset({"function_declaration", "function_definition"}),
    line_comment="--",
    role_of=role_rule(SCOPE_TABLE),
    scopes=SCOPE_TABLE,
    long_texts=(_COMMENT, _STRING),
)
