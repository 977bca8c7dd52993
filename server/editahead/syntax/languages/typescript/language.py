"""TypeScript and TSX: tokens, roles, and where a large file may be cut."""

from __future__ import annotations

from dataclasses import replace

from editahead.syntax.languages.javascript.language import JAVASCRIPT
from editahead.syntax.languages.typescript.scopes import SCOPE_TABLE
from editahead.syntax.role_rule import role_rule

TYPESCRIPT = replace(
    JAVASCRIPT,
    id="typescript",
    extensions=(".ts", ".mts", ".cts"),
    role_of=role_rule(SCOPE_TABLE),
    scopes=SCOPE_TABLE,
    aliases=(),
    editor_ids=("typescript",),
)
TSX = replace(TYPESCRIPT, id="tsx", extensions=(".tsx",), aliases=("typescriptreact",), editor_ids=("typescriptreact",))
