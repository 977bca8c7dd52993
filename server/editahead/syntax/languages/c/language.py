"""C: tokens, roles, and where a large file may be cut."""

from __future__ import annotations

import re

from editahead.syntax.cuts import Cutter
from editahead.syntax.language_definition import Language
from editahead.syntax.languages.c.quoting import STRING_PATTERNS
from editahead.syntax.languages.c.scopes import SCOPE_TABLE
from editahead.syntax.role_rule import role_rule

C = Language(
    id="c",
    extensions=(".c", ".h"),
    string_nodes=frozenset({"string_literal", "char_literal", "system_lib_string"}),
    number_nodes=frozenset({"number_literal"}),
    scope_nodes=frozenset({"function_definition"}),
    line_comment="//",
    role_of=role_rule(SCOPE_TABLE),
    has_scopes=True,
    scopes=SCOPE_TABLE,
    string_patterns=STRING_PATTERNS,
    editor_ids=("c",),
    cut=Cutter(re.compile(rb"""["']|//|/\*|^}""", re.MULTILINE), after=frozenset({b"}"})),
)
