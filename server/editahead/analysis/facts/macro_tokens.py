"""Names in the arguments of macros, which the syntax tree holds as plain tokens, read by their adjacent tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from editahead.analysis.facts.facts import Receiver
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import Action, Edge, Namespace, ScopeTable
from editahead.text.words import IDENTIFIER

_USE = Edge()
_IGNORED = Edge(Action.IGNORE)
_DERIVED = Edge(namespace=Namespace.MACRO)
_FIRST_TOKENS = 64  # of the arguments of a macro, searched for its format string
_MAX_RECEIVER_DEPTH = 4
_IN_BRACES = re.compile(rb"(?<!\{)\{(?:(" + IDENTIFIER + rb")?(?::([^{}]*))?)\}")
_COUNT = re.compile(rb"(" + IDENTIFIER + rb")\$")
_TEXTS = frozenset({"string_literal", "raw_string_literal"})


class TokenName(NamedTuple):
    """A name among tokens: its edge, the expression before a member, and whether it is both a key and a name."""

    edge: Edge
    receiver: Receiver | None = None
    shorthand: bool = False


class _Tree(NamedTuple):
    """Tokens in brackets.

    `sign`: that of `MacroTable.generating` where the tokens are generated text from byte `begins` on, else empty.
    `macro`: the macro that takes them. `derives`: they are names of derived traits.
    """

    sign: str
    begins: int
    macro: str
    derives: bool


class MacroTokens:
    """Reads the tokens of a walk; bytes count from `first`."""

    def __init__(self, table: ScopeTable, first: int) -> None:
        self._table, self._first = table, first
        self._trees: dict[int, _Tree] = {}  # by the identity of a node

    def name(self, node: Node, tree: Node) -> TokenName:
        """The role of a name in the tokens `tree`."""
        before, behind = node.prev_sibling, node.next_sibling
        sign = before.type if before is not None else ""
        following = behind.type if behind is not None else ""
        around = self._tree(tree)
        if around.sign and node.start_byte >= around.begins:
            named = sign == around.sign and sign != _opening(tree)
            return TokenName(_USE if named else _IGNORED)
        if around.derives and following != "::":
            return TokenName(_DERIVED if sign != "::" else _IGNORED)
        if sign in (".", "::") and before is not None:
            calls = following == "::" or (following in self._table.macros.token_trees and _opening(behind) == "(")
            member = sign == "." and not calls
            space = self._table.field_namespace if member else Namespace.VALUE
            return TokenName(Edge(Action.ATTRIBUTE, namespace=space), self._receiver(before, 0))
        if following == "::":
            return TokenName(Edge(namespace=Namespace.TYPE))
        begins = sign in ("{", "(", "[", ",")
        takes_names = _opening(tree) == "(" or (around.macro and around.macro not in self._table.macros.binding)
        if following == "=" and begins and takes_names:
            return TokenName(_IGNORED)  # the name of an argument
        owner = self._literal(tree) if begins and (following == ":" or following in (",", "}")) else None
        if begins and following == ":":
            key = Edge(Action.ATTRIBUTE, namespace=self._table.field_namespace)
            return TokenName(key, owner) if owner is not None else TokenName(_IGNORED)
        return TokenName(_USE, owner, owner is not None)

    def format_names(self, text: Node, around: Node, tree: Node) -> Iterator[tuple[int, bytes]]:
        """Yield the names in a string in the tokens `tree`, with their offsets, if it is the macro's format string.

        `around` is the literal that holds the string.
        """
        names = [*_names(text.text or b"")]
        if names and not self._tree(tree).sign and self._is_format(around, tree):
            keywords = {token.text for token, sign in pairwise(tree.children) if sign.type == "=" and token.text}
            yield from (row for row in names if row[1] not in keywords)

    def _is_format(self, literal: Node, tree: Node) -> bool:
        macro = self._macro(tree)
        arguments = self._table.macros.format_macros.get(macro, 0)
        if arguments < 0:
            return False
        before = tree.child(0)
        for number in range(1, min(tree.child_count, _FIRST_TOKENS)):
            token = tree.child(number)
            if token is None:
                return False
            if token.type == ",":
                arguments -= 1
            elif token.type in _TEXTS and arguments <= 0 and before is not None and before.type in ("(", ","):
                return token.id == literal.id
            before = token
        return False

    def _tree(self, tree: Node) -> _Tree:
        """The facts about brackets, read once."""
        unread, at = list[Node](), tree
        while at.id not in self._trees:
            unread.append(at)
            if at.parent is None or at.parent.type not in self._table.macros.token_trees:
                break
            at = at.parent
        for inner in reversed(unread):
            self._trees[inner.id] = self._read(inner)
        return self._trees[tree.id]

    def _read(self, tree: Node) -> _Tree:
        """The facts about brackets whose outer brackets were read."""
        rules, macro, parent = self._table.macros, self._macro(tree), tree.parent
        outer = self._trees.get(parent.id) if parent is not None else None
        sign = outer.sign if outer is not None and tree.start_byte >= outer.begins else ""
        begins = tree.start_byte
        if macro in rules.generating and not sign:
            sign = rules.generating[macro]
            begins = self._text_begins(tree, rules.leading.get(macro, ""))
        elif sign and sign == _opening(tree):
            sign = ""
        return _Tree(sign, begins, macro, self._is_in_derive(tree, outer is not None))

    def _text_begins(self, tree: Node, sign: str) -> int:
        """The first byte of the text that a macro generates: behind a sign among its first tokens if there is any."""
        first = (tree.child(number) for number in range(min(tree.child_count, _FIRST_TOKENS) if sign else 0))
        return next((token.end_byte for token in first if token is not None and token.type == sign), tree.start_byte)

    def _is_in_derive(self, tree: Node, is_inner: bool) -> bool:
        """Whether brackets hold the traits that an attribute derives, nested ones included: `#[derive(A)]`."""
        rules, word, around = self._table.macros, tree.prev_sibling, tree.parent
        if word is None or around is None or node_text(word) not in rules.deriving:
            return False
        before = around.prev_sibling
        return not is_inner or (before is not None and (before.type == "#" or node_text(before) in rules.conditional))

    def _macro(self, tree: Node) -> str:
        """The name of the macro that takes tokens; empty for other brackets."""
        parent = tree.parent
        if parent is None:
            return ""
        if parent.type not in self._table.macros.token_trees:
            return node_text(parent.child_by_field_name("macro")).rpartition("::")[2]
        sign = tree.prev_sibling
        return node_text(sign.prev_sibling) if sign is not None and sign.type == "!" else ""

    def _literal(self, tree: Node) -> Receiver | None:
        """The type before the braces of a literal among tokens: `A { x: 1 }`."""
        before = tree.prev_sibling
        if before is None or _opening(tree) != "{" or before.type not in self._table.names:
            return None
        text = node_text(before)
        if not text[:1].isupper():
            return None
        if text == self._table.types.self_name:
            return Receiver("this")
        path = before.prev_sibling
        if path is not None and path.type == "::":
            return Receiver("other")
        return Receiver("type", text, before.start_byte - self._first)

    def _receiver(self, sign: Node, depth: int) -> Receiver:
        """The expression before the sign of a member access."""
        node = sign.prev_sibling
        if node is None or depth >= _MAX_RECEIVER_DEPTH:
            return Receiver("other")
        before = node.prev_sibling
        is_member = before is not None and before.type in (".", "::")
        if sign.type == "::" and node.type in self._table.imports.path_words:
            text, start = node_text(node), node.start_byte - self._first
            inner = self._receiver(before, depth + 1) if is_member and before is not None else None
            return Receiver("module", text, start) if inner is None else Receiver("attribute", text, start, inner)
        if node.type in self._table.classes.this_nodes and not is_member:
            return Receiver("this")
        if node.type not in self._table.names:
            return Receiver("other")
        text, start = node_text(node), node.start_byte - self._first
        if not is_member or before is None:
            return Receiver("this") if text == self._table.types.self_name else Receiver("name", text, start)
        if (before.type == "::") != (sign.type == "::"):
            return Receiver("other")
        return Receiver("attribute", text, start, self._receiver(before, depth + 1))


def _opening(tree: Node | None) -> str:
    first = tree.child(0) if tree is not None else None
    return first.type if first is not None else ""


def _names(text: bytes) -> Iterator[tuple[int, bytes]]:
    """The names in the braces of a text, and those that tell a width or a precision: `{name:>width$}`."""
    for placeholder in _IN_BRACES.finditer(text):
        if placeholder[1]:
            yield placeholder.start(1), placeholder[1]
        for count in _COUNT.finditer(placeholder[2] or b""):
            yield placeholder.start(2) + count.start(1), count[1]
