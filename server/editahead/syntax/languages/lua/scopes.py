"""The rules of names of Lua."""

from __future__ import annotations

from editahead.syntax.construct_tables import LiteralTable, ParameterTable, TypeTable
from editahead.syntax.scope_table import Action, Edge, Namespace, ScopeKind, ScopeTable, Target

_VARIABLE = Edge(Action.BIND, "variable")
_USE = Edge(Action.USE)

SCOPE_TABLE = ScopeTable(
    names={"identifier": Namespace.VALUE},
    scopes={
        "function_declaration": ScopeKind.FUNCTION,
        "function_definition": ScopeKind.FUNCTION,
        "block": ScopeKind.BLOCK,
        "for_statement": ScopeKind.BLOCK,
    },
    edges={
        ("variable_declaration", ">assignment_statement"): _VARIABLE,
        ("variable_declaration", ">variable_list"): _VARIABLE,
        ("assignment_statement", ">expression_list"): _USE,
        ("for_generic_clause", ">variable_list"): _VARIABLE,
        ("for_generic_clause", ">expression_list"): Edge(Action.USE, target=Target.OUTER),
        ("for_numeric_clause", "name"): _VARIABLE,
        ("parameters", "name"): Edge(Action.BIND, "parameter"),
        ("function_declaration", "name>identifier"): Edge(Action.BIND, "function", Target.OUTER),
        ("dot_index_expression", "field"): Edge(Action.ATTRIBUTE),
        ("method_index_expression", "method"): Edge(Action.ATTRIBUTE),
        ("field", "name"): Edge(Action.IGNORE),
        ("goto_statement", None): Edge(namespace=Namespace.LABEL),
        ("label_statement", None): Edge(Action.BIND, "label", namespace=Namespace.LABEL),
    },
    transparent=frozenset({"assignment_statement", "variable_list"}),
    functions={"function_declaration": "parameters", "function_definition": "parameters"},
    types=TypeTable(
        same_class=frozenset({"parenthesized_expression"}),
    ),
    literals=LiteralTable(
        computed_keys=frozenset({"field"}),
    ),
    attributes={"dot_index_expression": ("table", "field"), "method_index_expression": ("table", "method")},
    calls={"function_call": ("name", "arguments")},
    parameters=ParameterTable(
        rest=frozenset({"vararg_expression"}),
    ),
    bound_after={"variable_declaration": ""},
    hoisted=False,
    keywords=frozenset(
        "and break do else elseif end false for function goto if in local nil not or repeat return then true until "
        "while _".split()
    ),
    builtins=frozenset(
        "assert collectgarbage dofile error getmetatable ipairs load next pairs pcall print rawequal rawget rawlen "
        "rawset require select setmetatable tonumber tostring type xpcall coroutine debug io math os package string "
        "table utf8 _G self".split()
    ),
)
