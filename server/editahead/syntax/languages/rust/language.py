"""Rust: tokens, roles, and where a large file may be cut."""

from __future__ import annotations

import re

from editahead.syntax.cuts import Cutter
from editahead.syntax.language_definition import Language
from editahead.syntax.languages.rust.quoting import LONG_TEXTS, STRING_PATTERNS
from editahead.syntax.languages.rust.scopes import SCOPE_TABLE
from editahead.syntax.role_rule import role_rule

RUST = Language(
    id="rust",
    extensions=(".rs",),
    comment_nodes=frozenset({"line_comment", "block_comment"}),
    string_nodes=frozenset({"string_literal", "raw_string_literal", "char_literal"}),
    number_nodes=frozenset({"integer_literal", "float_literal"}),
    scope_nodes=frozenset({"function_item", "closure_expression"}),
    line_comment="//",
    nested_comments=True,
    numbers_have_members=True,
    role_of=role_rule(SCOPE_TABLE),
    has_scopes=True,
    scopes=SCOPE_TABLE,
    string_patterns=STRING_PATTERNS,
    long_texts=LONG_TEXTS,
    editor_ids=("rust",),
    cut=Cutter(re.compile(rb"""\"|//|/\*|^}""", re.MULTILINE), after=frozenset({b"}"})),
)
