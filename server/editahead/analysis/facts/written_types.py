"""Types as they are written: the class that one names, and the layers around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from editahead.analysis.facts.facts import Receiver
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import ScopeKind, ScopeTable

TYPE_DEPTH = 6
"""Nodes from an annotation down to its first name."""


class WrittenTypes:
    """Reads the types of one walk; bytes count from `first`."""

    def __init__(self, table: ScopeTable, first: int) -> None:
        self._table, self._first = table, first

    def type_name(self, node: Node, depth: int = 0) -> Receiver | None:
        """The class whose members an object of a type has; of a type around another one, both: `Promise<A>`, `A[]`."""
        types, inner = self._table.types, node
        for at in range(depth, TYPE_DEPTH):
            if inner.type in self._table.names:
                return None if node_text(inner) in types.inferred else self._name(inner)
            if inner.type in types.self_nodes:
                return Receiver("this")
            if inner.type in types.quoted:
                return self._quoted(inner)
            if inner.type in types.qualified:
                return self._qualified(inner)
            named = inner.named_child(0) if inner.type in types.generic and inner.named_child_count else None
            if named is not None and (named.type in self._table.names or named.type in types.qualified):
                return self._generic(inner, named, at)
            layer = self._table.layers.nodes.get(inner.type)
            if layer is not None:
                made = self._layer(layer, self._element(inner), at)
                for _ in range(_dimensions(inner) - 1):
                    made = Receiver("layer", layer, base=made) if made is not None else None
                return made
            following = self._inner_type(inner)
            if following is None:
                return None
            inner = following
        return None

    def class_name(self, node: Node) -> Receiver | None:
        """The class that a type names, of `Promise<A>` `Promise`; of `A[]` nothing is said."""
        named = self.type_name(node)
        if named is not None and named.base is not None and named.base.kind == "layer":
            named = named._replace(base=None)
        return named if named is None or named.kind != "layer" else None

    def without_arguments(self, node: Node) -> Node:
        """A type without those that it is given: of `A<B>` A."""
        for _ in range(TYPE_DEPTH):
            inner = node.named_child(0) if node.type in self._table.types.generic else None
            if inner is None:
                break
            node = inner
        return node

    def _name(self, node: Node) -> Receiver:
        text = node_text(node)
        own = text == self._table.types.self_name
        return Receiver("this") if own else Receiver("name", text, node.start_byte - self._first)

    def _generic(self, node: Node, named: Node, depth: int) -> Receiver | None:
        """Of `A<B>` A; of one that stands for its argument, unless the file has a class of that name, that one too."""
        is_name = named.type in self._table.names
        outer, text = self._name(named) if is_name else self._qualified(named), self._last_name(named)
        rows = node.named_child(1) if node.named_child_count > 1 else None
        given = [one for one in rows.named_children if not one.is_extra] if rows is not None else []
        layer = self._table.layers.generic.get(text)
        if layer is not None:
            inner = self._layer(layer[0], given[layer[1]] if layer[1] < len(given) else None, depth)
        elif text in self._table.types.delegating:
            inner = self.type_name(given[0], depth + 1) if len(given) == 1 else None
        else:
            return outer
        return outer._replace(base=inner) if is_name and outer is not None and outer.kind == "name" else inner

    def _last_name(self, node: Node) -> str:
        *_, last = (node, *self._dotted_names(node, 0))
        return node_text(last)

    def _layer(self, layer: str, node: Node | None, depth: int) -> Receiver | None:
        inner = self.type_name(node, depth + 1) if node is not None else None
        return Receiver("layer", layer, base=inner) if inner is not None else None

    def _element(self, node: Node) -> Node | None:
        """The type of the elements of `A[]`, or of the values of `map[B]A`."""
        fields = (node.child_by_field_name(field) for field in ("element", "value", "type"))
        first = node.named_child(0) if node.named_child_count else None
        return next((found for found in fields if found is not None), first)

    def _inner_type(self, node: Node) -> Node | None:
        """The type in another one that says which members it has."""
        table, kind = self._table, node.type
        if table.scopes.get(kind) is ScopeKind.CLASS:  # `struct a x`
            return node.child_by_field_name("name")
        if kind in table.types.generic:  # of `A<B>` A
            return node.named_child(0)
        if kind in table.types.unions:
            return _only(one for one in node.named_children if node_text(one) not in table.types.without_members)
        if kind in table.types.bounds:
            return self._only_bound(node)
        field = table.types.wrappers.get(kind)
        if field:
            return node.child_by_field_name(field)
        return node.named_child(0) if field is not None and node.named_child_count == 1 else None

    def _quoted(self, node: Node) -> Receiver | None:
        """The class that a text names which stands for a type: `"A"`."""
        held = node.named_child(1) if node.named_child_count == 3 else None  # between the quotes
        text = node_text(held) if held is not None else ""
        return (
            Receiver("name", text, held.start_byte - self._first) if held is not None and text.isidentifier() else None
        )

    def _qualified(self, node: Node) -> Receiver | None:
        """The class that a dotted name means where a type stands."""
        made: Receiver | None = None
        for leaf in self._dotted_names(node, 0):
            text, start = node_text(leaf), leaf.start_byte - self._first
            made = Receiver("name", text, start) if made is None else Receiver("attribute", text, start, made)
        return made

    def _dotted_names(self, node: Node, depth: int) -> Iterator[Node]:
        """The names of a dotted one in order, without the types that they are given."""
        types = self._table.types
        if node.type in self._table.names or not node.named_child_count:  # a word of the language, too: `crate`
            yield node
        elif node.type in types.qualified and depth < TYPE_DEPTH:
            for child in node.named_children:
                yield from self._dotted_names(child, depth + 1)
        elif node.type in types.generic and node.named_child_count:
            first = node.named_child(0)
            yield from self._dotted_names(first, depth + 1) if first is not None else ()

    def _only_bound(self, node: Node) -> Node | None:
        """The only one of several bounds that is neither a lifetime nor of the language: of `A + Clone` A."""
        left_out, builtins = self._table.types.bounds_without_members, self._table.builtins
        return _only(one for one in node.named_children if one.type not in left_out and node_text(one) not in builtins)


def _dimensions(node: Node) -> int:
    """How many layers an array has in a grammar that writes all its brackets in one node: two of `A[][]`."""
    brackets = node.child_by_field_name("dimensions")
    return min(TYPE_DEPTH, sum(one.type == "[" for one in brackets.children)) if brackets is not None else 1


def _only(nodes: Iterable[Node]) -> Node | None:
    """The only one of them."""
    rows = list(nodes)
    return rows[0] if len(rows) == 1 else None
