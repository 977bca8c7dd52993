"""Python: which names a file declares, and their types where the text says so."""

from __future__ import annotations

import re

import tree_sitter

from editahead.syntax.cuts import Cutter
from editahead.syntax.language_definition import Ancestors, Language, text_of
from editahead.syntax.languages.python.quoting import LONG_TEXTS, STRING_PATTERNS
from editahead.syntax.languages.python.scopes import SCOPE_TABLE
from editahead.syntax.table_notation import by_word, edges_of
from editahead.syntax.token_kinds import Role

_BY_PARENT = edges_of({
    Role.FUNCTION: "function_definition.name",
    Role.CLASS: "class_definition.name",
    Role.PARAMETER: "parameters lambda_parameters default_parameter.name typed_parameter typed_default_parameter.name",
    Role.ARGUMENT: "keyword_argument.name",
    Role.VARIABLE: "assignment.left for_statement.left for_in_clause.left named_expression.name as_pattern_target",
})  # fmt: skip
_CUT = Cutter(
    re.compile(rb"""\"{3}|'{3}|["'#]|^(?:class|def|async def)\b|^@""", re.MULTILINE),
    before=frozenset({b"class", b"def", b"async def", b"@"}),
)
_PARAMETER_LISTS = frozenset({"parameters", "lambda_parameters"})
_PATTERNS = frozenset(
    {"pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "dictionary_splat_pattern"}
)
_NESTED_PATTERNS = 32  # levels of nesting; deeper names declare nothing
_LITERAL_TYPES = by_word({
    "str": "string", "int": "integer", "float": "float", "bool": "true false", "tuple": "tuple",
    "list": "list list_comprehension", "dict": "dictionary dictionary_comprehension", "set": "set set_comprehension",
})  # fmt: skip


def _annotated(node: tree_sitter.Node, name: tree_sitter.Node, data: bytes) -> str | None:
    """The head of an annotation: `dict[str, int]` gives `dict`, `a.B` gives `B`.

    None where it begins on another line than the name, which only happens in broken code.
    """
    child = node.child_by_field_name("type")
    text = text_of(child, data) if child is not None and child.start_point.row == name.start_point.row else None
    return text.split("[", 1)[0].rsplit(".", 1)[-1].strip("\"' ") or None if text else None


def _assigned(node: tree_sitter.Node, name: tree_sitter.Node, data: bytes) -> str | None:
    """The type of an assignment from its annotation, a literal, or a constructor call `x = ClassName(...)`."""
    if node.child_by_field_name("type") is not None:
        return _annotated(node, name, data)
    value = node.child_by_field_name("right")
    if value is None or value.start_point.row != name.start_point.row:
        return None
    if value.type == "call":
        function = value.child_by_field_name("function")
        called = text_of(function, data).rsplit(".", 1)[-1] if function is not None else ""
        return called if called[:1].isupper() and called.isidentifier() else None
    return _LITERAL_TYPES.get(value.type)


def _role_of(node: tree_sitter.Node, ancestors: Ancestors, field: str | None, data: bytes) -> tuple[Role, str | None]:
    if not ancestors:
        return Role.USE, None
    parent, parent_field = ancestors[-1]
    kind = parent.type
    if kind == "attribute" and field == "attribute":
        if len(ancestors) > 1 and parent_field == "left" and ancestors[-2][0].type == "assignment":
            return Role.ATTRIBUTE, _assigned(ancestors[-2][0], node, data)
        return Role.ATTRIBUTE_USE, None
    depth = len(ancestors) - 1
    if kind in _PATTERNS:  # a, (b, *c) = ...: the role is that of the outermost pattern
        least = max(0, depth - _NESTED_PATTERNS)
        while depth > least and ancestors[depth][0].type in _PATTERNS:
            field = ancestors[depth][1]
            depth -= 1
        kind = ancestors[depth][0].type
        if kind in _PARAMETER_LISTS or kind == "typed_parameter":
            return Role.PARAMETER, None
    role = _BY_PARENT.get((kind, field))
    if role is None:
        return Role.USE, None
    if role is Role.VARIABLE and kind == "assignment":
        above = [pair[0].type for pair in ancestors[max(0, depth - 3) : depth]]
        if above == ["class_definition", "block", "expression_statement"]:
            role = Role.ATTRIBUTE
        return role, _assigned(ancestors[depth][0], node, data) if depth == len(ancestors) - 1 else None
    if role is Role.PARAMETER and kind in ("typed_parameter", "typed_default_parameter"):
        return role, _annotated(ancestors[depth][0], node, data)
    return role, None


PYTHON = Language(
    id="python",
    extensions=(".py", ".pyi", ".pyw"),
    comment_nodes=frozenset({"comment"}),
    string_nodes=frozenset({"string"}),
    interpolation_nodes=frozenset({"interpolation"}),
    number_nodes=frozenset({"integer", "float"}),
    bare_text_nodes=frozenset({"format_specifier"}),
    scope_nodes=frozenset({"function_definition", "lambda"}),
    role_of=_role_of,
    has_scopes=True,
    scopes=SCOPE_TABLE,
    string_patterns=STRING_PATTERNS,
    long_texts=LONG_TEXTS,
    editor_ids=("python",),
    cut=_CUT,
)
