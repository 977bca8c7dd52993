"""Paths in imports, which lead through modules: `use super::{a::B, c as d};`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from editahead.analysis.facts.expressions import NodeContext
from editahead.analysis.facts.facts import Receiver
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import ScopeTable

_LONGEST = 16  # names of a path
_DEEPEST = 32  # nodes around a name in an import


class ImportPaths:
    """Reads the paths of one walk; bytes count from `first`."""

    def __init__(self, table: ScopeTable, first: int) -> None:
        self._table, self._first = table, first

    def module(self, stack: Sequence[NodeContext], path: Node | None = None) -> Receiver | None:
        """The module of what an import at the end of a stack names, with a `path` before that; None where none is."""
        made = self._before(stack, path)
        for leaf in self._leaves(path) if path is not None else ():
            made = self._behind(made, leaf)
        return made

    def names(self, path: Node, stack: Sequence[NodeContext]) -> Iterator[tuple[Node, Receiver | None]]:
        """The names in a path, each with the module that declares it; None of a first one, which may be a package."""
        made = self._before(stack, path)
        for leaf in self._leaves(path):
            if leaf.type in self._table.names:
                yield leaf, made
            made = self._behind(made, leaf)

    def _before(self, stack: Sequence[NodeContext], path: Node | None) -> Receiver | None:
        """The paths of the lists around a path."""
        made: Receiver | None = None
        for context in stack[-_DEEPEST:]:
            field = self._table.imports.path_lists.get(context.kind)
            before = context.node.child_by_field_name(field) if field else None
            for leaf in self._leaves(before) if before is not None and (path is None or before.id != path.id) else ():
                made = self._behind(made, leaf)
        return made

    def _leaves(self, path: Node) -> list[Node]:
        """The names of a path in order; none where it is longer than anybody writes, or begins with nothing."""
        leaves, node = list[Node](), path
        while node.type in self._table.dotted_last and len(leaves) <= _LONGEST:
            before, name = node.child_by_field_name("path"), node.child_by_field_name("name")
            if before is None or name is None:
                return []
            leaves.append(name)
            node = before
        return [*leaves, node][::-1] if len(leaves) < _LONGEST else []

    def _behind(self, made: Receiver | None, leaf: Node) -> Receiver:
        text, start = node_text(leaf), leaf.start_byte - self._first
        if made is None:
            return Receiver("module" if text in self._table.imports.path_words else "name", text, start)
        return Receiver("attribute", text, start, made)
