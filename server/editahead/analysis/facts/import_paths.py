"""Paths in imports, through modules: `use super::{a::B, c as d};`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from editahead.analysis.facts.expressions import NodeContext
from editahead.analysis.facts.facts import Receiver
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import ScopeTable

_MAX_NAMES = 16  # names of a path
_MAX_DEPTH = 32  # nodes around a name in an import


class ImportPaths:
    """Reads the import paths of a walk; bytes count from `first`."""

    def __init__(self, table: ScopeTable, first: int) -> None:
        self._table, self._first = table, first

    def module(self, stack: Sequence[NodeContext], path: Node | None = None) -> Receiver | None:
        """The module of the names of an import at the end of a stack, `path` included; None where it has none."""
        module = self._before(stack, path)
        for leaf in self._leaves(path) if path is not None else ():
            module = self._extended(module, leaf)
        return module

    def names(self, path: Node, stack: Sequence[NodeContext]) -> Iterator[tuple[Node, Receiver | None]]:
        """Yield the names in a path, each with the module that declares it; None of a first name, maybe a package."""
        module = self._before(stack, path)
        for leaf in self._leaves(path):
            if leaf.type in self._table.names:
                yield leaf, module
            module = self._extended(module, leaf)

    def _before(self, stack: Sequence[NodeContext], path: Node | None) -> Receiver | None:
        """The module that the lists around a path share: `a::b` in `a::b::{c::d}`."""
        module: Receiver | None = None
        for context in stack[-_MAX_DEPTH:]:
            field = self._table.imports.path_lists.get(context.kind)
            prefix = context.node.child_by_field_name(field) if field else None
            for leaf in self._leaves(prefix) if prefix is not None and (path is None or prefix.id != path.id) else ():
                module = self._extended(module, leaf)
        return module

    def _leaves(self, path: Node) -> list[Node]:
        """The names of a path in order; none where it has more than _MAX_NAMES or begins with a separator."""
        leaves, node = list[Node](), path
        while node.type in self._table.dotted_last and len(leaves) <= _MAX_NAMES:
            before, name = node.child_by_field_name("path"), node.child_by_field_name("name")
            if before is None or name is None:
                return []
            leaves.append(name)
            node = before
        return [*leaves, node][::-1] if len(leaves) < _MAX_NAMES else []

    def _extended(self, module: Receiver | None, leaf: Node) -> Receiver:
        text, start = node_text(leaf), leaf.start_byte - self._first
        if module is None:
            return Receiver("module" if text in self._table.imports.path_words else "name", text, start)
        return Receiver("attribute", text, start, module)
