"""The definition of a language: what tokens, roles, scopes and gates must know about its grammar.

Each language has string patterns of its own in its module (`languages/<id>.py`); block comments follow from its comment
signs. Every pattern is linear: its parts begin with different characters. A string without an end reaches to the end of
its line, or of the text where it may have several lines: too much is excluded rather than too little.

A large file may be cut between top-level items, outside of strings and comments. A single pass over the text gives the
cuts, whatever stands in it: each byte is looked at a bounded number of times, a string that is never closed included.
What stands behind such a string is cut as if it were not there: a parser that has lost its way takes a second a
megabyte. The text is read in slices, so that no single call holds the interpreter's lock for long.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

import tree_sitter

from editahead.syntax.grammars import load_grammar
from editahead.syntax.interrupt import checkpoint
from editahead.syntax.scope_table import Action, Edge, ScopeTable

_SLICE = 1 << 16  # bytes that are searched in a single call
_MAX_MARK_BYTES = 16  # no mark is longer
_CLOSERS = {quote: re.compile(rb"[\\\n" + quote + rb"]") for quote in (b'"', b"'")}
_LONG = frozenset({b'"""', b"'''", b"`", b"/*"})  # open what may go on over lines
_BLANK_LINES = re.compile(rb"\r?\n(?:\r?\n)+")
ESCAPED = rb"\\."  # whatever a backslash stands before
_ESCAPE = rb"\\(?:\r\n|.|\Z)"
TRIPLE = rb'"""[^"\\]*(?:(?:' + _ESCAPE + rb'|"(?!""))[^"\\]*)*(?:"""|\Z)'
DOUBLE = rb'"[^"\\\n]*(?:' + _ESCAPE + rb'[^"\\\n]*)*"?'
SINGLE = DOUBLE.replace(b'"', b"'")
CHARACTER = rb"'(?:\\[^\n][^'\n]{0,8}|[^'\\\n]{1,4})'"  # a character, up to four bytes
_NESTED_PATTERNS = 32  # levels of nesting; deeper names declare nothing


@dataclass(frozen=True)
class Cutter:
    """The cuts of a language. `marks` matches what opens a string or a comment, and `before` and `after`.

    A cut stands before any of the marks `before` at the edge of a line, when a blank line precedes it; or behind the
    blank lines that follow a mark `after` at the edge of a line.
    """

    marks: re.Pattern[bytes]
    before: frozenset[bytes] = frozenset()
    after: frozenset[bytes] = frozenset()

    def cuts(self, data: bytes, most: int | None = None) -> Iterator[int]:
        """Byte offsets where `data` may be cut, in order.

        After `most` bytes without such a position any line begins a piece that does not begin in a string or a comment.
        """
        at = last = 0
        unclosed: set[bytes] = set()
        while True:
            match = self._next(data, at)
            start = len(data) - 1 if match is None else match.start()
            while most is not None and (end := data.find(b"\n", max(at, last + most), start)) >= 0:
                last = end + 1
                yield last
            if match is None:
                return
            mark, at = match.group(), match.end()
            if mark in self.before:
                if data[start - 2 : start] == b"\n\n" or data[start - 3 : start] == b"\n\r\n":
                    last = start
                    yield start
            elif mark in self.after:
                blank = _BLANK_LINES.match(data, at)
                if blank is not None:
                    at = blank.end()
                    if not data[at : at + 1].isspace() and at < len(data):
                        last = at
                        yield at
            elif mark in unclosed:
                continue
            elif mark in _LONG:
                behind = _behind(data, b"*/", at) if mark == b"/*" else _end_of_long_string(data, at, mark)
                if behind is None:  # nor is any other that opens later
                    unclosed.add(mark)
                else:
                    at = behind
            elif mark in _CLOSERS:
                at = _end_of_string(data, at, mark)
            else:  # a comment to the end of its line
                end = data.find(b"\n", at)
                at = end if end >= 0 else len(data)

    def _next(self, data: bytes, at: int) -> re.Match[bytes] | None:
        while at < len(data):
            checkpoint()
            end = at + _SLICE
            match = self.marks.search(data, at, end + _MAX_MARK_BYTES)
            if match is not None and match.start() < end:
                return match
            at = end
        return None


def _behind(data: bytes, sign: bytes, at: int) -> int | None:
    start = data.find(sign, at)
    return None if start < 0 else start + len(sign)


def _end_of_long_string(data: bytes, at: int, quotes: bytes) -> int | None:
    """Behind the quotes that close a string opened before `at`, if any do; a backslash before them keeps it open."""
    opened = at
    while True:
        close = data.find(quotes, at)
        if close < 0:
            return None
        slashes = close
        while slashes > opened and data[slashes - 1] == 0x5C:
            slashes -= 1
        if (close - slashes) % 2 == 0:
            return close + len(quotes)
        at = close + 1


def _end_of_string(data: bytes, at: int, quote: bytes) -> int:
    """Behind the quote that closes a string opened before `at`, or at the end of the line that leaves it open."""
    closer = _CLOSERS[quote]
    matches_read = 0
    while (match := closer.search(data, at)) is not None:
        matches_read += 1
        if matches_read % 1024 == 0:
            checkpoint()
        sign, at = match.group(), match.end()
        if sign == quote:
            return at
        if sign == b"\n":
            return at - 1
        at += 2 if data[at : at + 2] == b"\r\n" else 1
    return len(data)


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


def same(opening: bytes) -> bytes:
    """Closed by what opened it."""
    return opening


class LongText(NamedTuple):
    """A kind of string or comment; patterns have no groups and match whatever opens or hides, never a part of it.

    `sign` stands in every opening: a text without it has none. `closes` and `code` receive the opening; `code` is the
    pattern of what opens code in the text, up to the brace that matches, and `skipped` that of what hides either.
    """

    opens: bytes
    sign: bytes
    closes: Callable[[bytes], bytes] = same
    skipped: bytes = b""
    code: Callable[[bytes], bytes] | None = None
    one_line: bool = False  # only what is in the code may go on
    is_comment: bool = False
    nested: bool = False  # it may hold others of its kind


TRIPLE_QUOTED = LongText(rb'"""', b'"""', skipped=ESCAPED)
BLOCK_COMMENT = LongText(rb"/\*", b"/*", lambda _: b"*/", is_comment=True)
NESTED_COMMENT = BLOCK_COMMENT._replace(nested=True)


class StringPatterns(NamedTuple):
    """The strings of a language: patterns without groups, of which the first that fits holds.

    `before` is a condition on where a name begins: the prefix of a string is none.
    """

    patterns: tuple[bytes, ...]
    before: bytes = b""


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
