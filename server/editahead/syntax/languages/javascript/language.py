"""JavaScript and JSX: tokens, roles, and where a large file may be cut."""

from __future__ import annotations

import re

from editahead.syntax.cuts import Cutter
from editahead.syntax.language_definition import Language
from editahead.syntax.languages.javascript.quoting import LONG_TEXTS, STRING_PATTERNS
from editahead.syntax.languages.javascript.scopes import FUNCTIONS, SCOPE_TABLE
from editahead.syntax.role_rule import role_rule

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
    has_scopes=True,
    scopes=SCOPE_TABLE,
    string_patterns=STRING_PATTERNS,
    long_texts=LONG_TEXTS,
    editor_ids=("javascript", "javascriptreact"),
    aliases=("javascriptreact",),
    cut=CUT,
)
