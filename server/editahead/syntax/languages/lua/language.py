"""Lua: tokens and roles."""

from __future__ import annotations

from editahead.syntax.language_definition import Language
from editahead.syntax.languages.lua.scopes import SCOPE_TABLE
from editahead.syntax.role_rule import role_rule
from editahead.syntax.string_syntax import LongText


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
    has_scopes=True,
    scopes=SCOPE_TABLE,
    long_texts=(_COMMENT, _STRING),
)
