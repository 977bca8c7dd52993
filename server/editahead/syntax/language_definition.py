"""The definition of a language: what tokens, roles, scopes and gates must know about its grammar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

import tree_sitter

from editahead.syntax.grammars import load_grammar
from editahead.syntax.scope_table import Action, Edge, ScopeTable
from editahead.syntax.string_syntax import Cutter, LongText, StringPatterns

_NESTED_PATTERNS = 32  # levels of nesting; deeper names declare nothing


class TokenKind(IntEnum):
    """What a token is, the same for every language."""

    NAME = 0
    KEYWORD = 1
    NUMBER = 2
    STRING = 3
    OPERATOR = 4
    NEWLINE = 5
    COMMENT = 6


class Role(IntEnum):
    """What an occurrence of a name declares; USE and ATTRIBUTE_USE declare nothing."""

    USE = 0
    ATTRIBUTE_USE = 1
    CLASS = 2
    FUNCTION = 3
    PARAMETER = 4
    ARGUMENT = 5
    VARIABLE = 6
    ATTRIBUTE = 7

    @property
    def is_declaration(self) -> bool:
        """Whether a name in this role is declared by it."""
        return self >= Role.CLASS


Ancestors = Sequence[tuple[tree_sitter.Node, "str | None"]]
RoleRule = Callable[[tree_sitter.Node, Ancestors, "str | None", bytes], "tuple[Role, str | None]"]


def no_roles(
    node: tree_sitter.Node, ancestors: Ancestors, field_name: str | None, data: bytes
) -> tuple[Role, str | None]:
    """The rule of a language without scope rules: every name is a use."""
    return Role.USE, None


def text_of(node: tree_sitter.Node, data: bytes) -> str:
    """The text of a node of the tree of `data`."""
    return data[node.start_byte : node.end_byte].decode("utf-8", "replace")


@dataclass(frozen=True)
class Language:
    """A language. `role_of` says what a name declares."""

    id: str
    extensions: tuple[str, ...]
    comment_nodes: frozenset[str] = frozenset({"comment", "line_comment", "block_comment"})
    string_nodes: frozenset[str] = frozenset({"string", "string_literal", "raw_string_literal"})
    prose_nodes: frozenset[str] = frozenset()  # text between tags, in which no name of the code stands
    interpolation_nodes: frozenset[str] = frozenset({"interpolation", "template_substitution", "string_interpolation"})
    number_nodes: frozenset[str] = frozenset({"integer", "float", "number", "number_literal"})
    bare_text_nodes: frozenset[str] = frozenset()  # where text stands between the children: the format behind a colon
    scope_nodes: frozenset[str] = frozenset()  # functions: what they declare is theirs alone
    line_comment: str = "#"
    nested_comments: bool = False  # a block comment may hold others
    numbers_have_members: bool = False  # `3.max(a)`
    role_of: RoleRule = field(default=no_roles, compare=False)
    scopes: ScopeTable | None = field(default=None, compare=False)  # its rules of names
    string_patterns: StringPatterns | None = field(default=None, compare=False)  # without, quotes as in most languages
    long_texts: tuple[LongText, ...] = field(default=(), compare=False)  # strings of several lines; `/*` is built in
    aliases: tuple[str, ...] = ()
    editor_ids: tuple[str, ...] = ()  # what editors call it, where the plugins begin by themselves
    cut: Cutter | None = field(default=None, compare=False)  # where a large file may be cut; see chunked.py

    def grammar(self) -> tree_sitter.Language:
        """The tree-sitter grammar; raises GrammarMissing with the extra to install."""
        return load_grammar(self.id)

    def is_atom(self, node: tree_sitter.Node) -> bool:
        """Whether a node is a single token although it has children: comments and strings without code inside."""
        kind = node.type
        if kind in self.comment_nodes:
            return True
        if kind in self.string_nodes:
            return not any(child.type in self.interpolation_nodes for child in node.children)
        return kind == "string_content"

    def kind_of(self, node: tree_sitter.Node, text: str) -> TokenKind:
        """The kind of a leaf; falls back to its text where a grammar has no telling node type."""
        kind = node.type
        if not node.is_named:
            return TokenKind.KEYWORD if text.isidentifier() else TokenKind.OPERATOR
        if "identifier" in kind or (self.scopes is not None and kind in self.scopes.names):
            return TokenKind.NAME
        if kind in self.comment_nodes:
            return TokenKind.COMMENT
        if kind in self.string_nodes or "string" in kind or "character" in kind or "char_literal" in kind:
            return TokenKind.STRING
        if kind in self.number_nodes or text[:1].isdigit():
            return TokenKind.NUMBER
        if text.isidentifier():
            return (
                TokenKind.NAME if kind in ("name", "ERROR", "constant", "word", "variable_name") else TokenKind.KEYWORD
            )
        return TokenKind.OPERATOR


_BOUND = {
    "class": Role.CLASS, "type-parameter": Role.CLASS, "function": Role.FUNCTION, "parameter": Role.PARAMETER,
    "variable": Role.VARIABLE, "field": Role.ATTRIBUTE,
}  # fmt: skip


def role_rule(table: ScopeTable) -> RoleRule:
    """The rule for `Language.role_of` of a language with a table."""

    def role_of(
        node: tree_sitter.Node, ancestors: Ancestors, field_name: str | None, data: bytes
    ) -> tuple[Role, str | None]:
        depth, edge = _edge(table, node.type, ancestors, len(ancestors) - 1, field_name)
        if edge is None or edge.action is Action.USE:
            return Role.USE, None
        if edge.action is Action.ATTRIBUTE:
            _, outer = _edge(table, ancestors[-1][0].type, ancestors, len(ancestors) - 2, ancestors[-1][1])
            assigned = outer is not None and outer.action is Action.BIND
            return (Role.ATTRIBUTE if assigned else Role.ATTRIBUTE_USE), None
        if edge.action is Action.KEYWORD:
            return Role.ARGUMENT, None
        role = _BOUND.get(edge.kind, Role.USE) if edge.action is Action.BIND else Role.USE
        own = depth == len(ancestors) - 1 and role in (Role.PARAMETER, Role.VARIABLE, Role.ATTRIBUTE)
        return role, _type_name(table, ancestors, data) if own else None

    return role_of


def _edge(
    table: ScopeTable, kind: str, ancestors: Ancestors, depth: int, field_name: str | None
) -> tuple[int, Edge | None]:
    """The edge that a node's name stands under, and the depth of its parent; through the patterns around it."""
    least = max(0, depth - _NESTED_PATTERNS)
    while depth >= least:
        parent, parent_field = ancestors[depth]
        around = ancestors[depth - 1][0].type if depth else ""
        edge = table.edge(parent, (parent.type, around), field_name, kind)
        if edge is not None:
            return depth, edge
        if parent.type not in table.transparent:
            break
        kind, field_name, depth = parent.type, parent_field, depth - 1
    return depth, None


def _type_name(table: ScopeTable, ancestors: Ancestors, data: bytes) -> str | None:
    """The declared type without type arguments, where either of the two nodes around a name has it."""
    for node, _ in ancestors[-1:-3:-1]:
        field_name = table.types.declared.get(node.type)
        declared = node.child_by_field_name(field_name) if field_name else None
        if declared is not None:
            text = text_of(declared, data).lstrip(": &*").split("<", 1)[0].rsplit(".", 1)[-1].strip()
            return text if text.isidentifier() else None
    return None
