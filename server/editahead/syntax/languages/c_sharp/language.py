"""C#: tokens, roles, and where a large file may be cut."""

from __future__ import annotations

import re

from editahead.syntax.cuts import Cutter
from editahead.syntax.language_definition import Language
from editahead.syntax.languages.c_sharp.quoting import LONG_TEXTS, STRING_PATTERNS
from editahead.syntax.languages.c_sharp.scopes import SCOPE_TABLE
from editahead.syntax.role_rule import role_rule

C_SHARP = Language(
    id="c_sharp",
    extensions=(".cs",),
    string_nodes=frozenset(
        {
            "string_literal", "verbatim_string_literal", "raw_string_literal", "character_literal",
            "interpolated_string_expression",
        }
    ),
    number_nodes=frozenset({"integer_literal", "real_literal"}),
    bare_text_nodes=frozenset({"interpolation_format_clause"}),
    scope_nodes=frozenset(SCOPE_TABLE.functions),
    line_comment="//",
    numbers_have_members=True,
    role_of=role_rule(SCOPE_TABLE),
    has_scopes=True,
    scopes=SCOPE_TABLE,
    string_patterns=STRING_PATTERNS,
    long_texts=LONG_TEXTS,
    aliases=("csharp",),
    editor_ids=("csharp",),
    cut=Cutter(re.compile(rb"""["']|//|/\*|^}""", re.MULTILINE), after=frozenset({b"}"})),
)  # fmt: skip
