"""The definition of a language: what tokens, scopes and gates must know about its grammar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import tree_sitter

from editahead.syntax.cuts import Cutter
from editahead.syntax.grammars import load_grammar
from editahead.syntax.scope_table import ScopeTable
from editahead.syntax.string_syntax import LongText, StringPatterns
from editahead.syntax.token_kinds import Role, TokenKind

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
    """A language. `role_of` says what a name declares; `has_scopes` whether it can."""

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
    has_scopes: bool = False
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
