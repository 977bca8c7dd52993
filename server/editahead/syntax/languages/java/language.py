"""Java: which names a file declares, and their declared types."""

from __future__ import annotations

import re

import tree_sitter

from editahead.syntax.cuts import Cutter
from editahead.syntax.language_definition import Ancestors, Language, text_of
from editahead.syntax.languages.java.scopes import SCOPE_TABLE
from editahead.syntax.string_syntax import TRIPLE_QUOTED
from editahead.syntax.table_notation import edges_of
from editahead.syntax.token_kinds import Role

_BY_PARENT = edges_of({
    Role.CLASS: "class_declaration.name interface_declaration.name enum_declaration.name record_declaration.name "
        "annotation_type_declaration.name constructor_declaration.name type_parameter",
    Role.FUNCTION: "method_declaration.name annotation_type_element_declaration.name",
    Role.PARAMETER: "formal_parameter.name catch_formal_parameter.name inferred_parameters "
        "lambda_expression.parameters",
    Role.VARIABLE: "enhanced_for_statement.name resource.name instanceof_expression.name",
    Role.ATTRIBUTE: "enum_constant.name",
    Role.ATTRIBUTE_USE: "field_access.field method_invocation.name",
})  # fmt: skip
_BUILT_IN = frozenset({"byte", "short", "int", "long", "float", "double", "boolean", "char", "void"})


def _declared_type(declaration: tree_sitter.Node, data: bytes) -> str | None:
    """The declared type without type arguments; all primitive types share a tag; `var` says nothing."""
    node = declaration.child_by_field_name("type")
    if node is None:
        return None
    text = text_of(node, data).split("<", 1)[0].replace("[]", "").rsplit(".", 1)[-1].strip()
    if text in _BUILT_IN:
        return "builtin"
    return None if text == "var" or not text.isidentifier() else text


def _role_of(node: tree_sitter.Node, ancestors: Ancestors, field: str | None, data: bytes) -> tuple[Role, str | None]:
    if not ancestors:
        return Role.USE, None
    parent = ancestors[-1][0]
    if parent.type == "variable_declarator" and field == "name":
        if len(ancestors) < 2:
            return Role.VARIABLE, None
        declaration = ancestors[-2][0]
        if declaration.type in ("field_declaration", "constant_declaration"):
            return Role.ATTRIBUTE, _declared_type(declaration, data)
        if declaration.type == "spread_parameter":
            return Role.PARAMETER, None
        return Role.VARIABLE, _declared_type(declaration, data)
    role = _BY_PARENT.get((parent.type, field))
    if role is None:
        return Role.USE, None
    if (
        role is Role.ATTRIBUTE_USE
        and parent.type == "method_invocation"
        and parent.child_by_field_name("object") is None
    ):
        return Role.USE, None
    if role in (Role.PARAMETER, Role.VARIABLE):
        return role, _declared_type(parent, data)
    return role, None


_CUT = Cutter(re.compile(rb"""\"{3}|["']|//|/\*|^}""", re.MULTILINE), after=frozenset({b"}"}))

JAVA = Language(
    id="java",
    extensions=(".java",),
    comment_nodes=frozenset({"line_comment", "block_comment"}),
    string_nodes=frozenset({"string_literal", "character_literal"}),
    interpolation_nodes=frozenset({"string_interpolation"}),
    number_nodes=frozenset(
        {
            "decimal_integer_literal",
            "hex_integer_literal",
            "octal_integer_literal",
            "binary_integer_literal",
            "decimal_floating_point_literal",
            "hex_floating_point_literal",
        }
    ),
    scope_nodes=frozenset({"method_declaration", "constructor_declaration", "lambda_expression"}),
    line_comment="//",
    role_of=_role_of,
    has_scopes=True,
    scopes=SCOPE_TABLE,
    editor_ids=("java",),
    long_texts=(TRIPLE_QUOTED,),
    cut=_CUT,
)
