"""Go: tokens, roles, and where a large file may be cut."""

from __future__ import annotations

import re

from editahead.syntax.cuts import Cutter
from editahead.syntax.language_definition import Language
from editahead.syntax.languages.go.quoting import LONG_TEXTS, STRING_PATTERNS
from editahead.syntax.languages.go.scopes import SCOPE_TABLE
from editahead.syntax.role_rule import role_rule

GO = Language(
    id="go",
    extensions=(".go",),
    string_nodes=frozenset({"interpreted_string_literal", "raw_string_literal", "rune_literal"}),
    number_nodes=frozenset({"int_literal", "float_literal", "imaginary_literal"}),
    scope_nodes=frozenset({"function_declaration", "method_declaration", "func_literal"}),
    line_comment="//",
    role_of=role_rule(SCOPE_TABLE),
    has_scopes=True,
    scopes=SCOPE_TABLE,
    string_patterns=STRING_PATTERNS,
    long_texts=LONG_TEXTS,
    editor_ids=("go",),
    cut=Cutter(re.compile(rb"""["'`]|//|/\*|^[})]""", re.MULTILINE), after=frozenset({b"}", b")"})),
)
