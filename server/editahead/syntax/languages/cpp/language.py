"""C++: tokens and roles."""

from __future__ import annotations

from dataclasses import replace

from editahead.syntax.languages.c.language import C
from editahead.syntax.languages.c.quoting import LONG_TEXTS
from editahead.syntax.languages.cpp.scopes import SCOPE_TABLE
from editahead.syntax.role_rule import role_rule

CPP = replace(
    C,
    id="cpp",
    extensions=(".cc", ".cpp", ".cxx", ".hpp", ".hh"),
    string_nodes=C.string_nodes | {"raw_string_literal"},
    scope_nodes=frozenset({"function_definition", "lambda_expression"}),
    role_of=role_rule(SCOPE_TABLE),
    scopes=SCOPE_TABLE,
    long_texts=LONG_TEXTS,
    aliases=("c++",),
    editor_ids=("cpp",),
    cut=None,  # a namespace around the whole file would fall apart
)
