"""Types as written: the classes that they name, and the layers around these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from editahead.analysis.facts.facts import Receiver
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import ScopeKind, ScopeTable

TYPE_DEPTH = 6  # nodes from a type down to its first name


class WrittenTypes:
    """Reads the types of a walk; bytes count from `first`."""

    def __init__(self, table: ScopeTable, first: int) -> None:
        self._table, self._first = table, first
        self._layered = table.layers.generic.keys() | table.types.delegating

    def type_name(self, node: Node, depth: int = 0) -> Receiver | None:
        """The class whose members an object of a type has, with the layers around it: `Promise<A>`, `A[]`."""
        types, inner = self._table.types, node
        for at in range(depth, TYPE_DEPTH):
            if inner.type in self._table.names:
                return None if node_text(inner) in types.inferred else self._name(inner)
            if inner.type in types.inline:
                return Receiver("inline", "", inner.start_byte - self._first)
            if inner.type in types.self_nodes:
                return Receiver("this")
            if inner.type in types.quoted:
                return self._quoted(inner)
            if inner.type in types.qualified:
                last = inner.named_child(inner.named_child_count - 1)
                if last is None or last.type not in types.generic or self._last_name(last) not in self._layered:
                    return self._qualified(inner)
                inner = last  # `std::vector<A>`
            named = inner.named_child(0) if inner.type in types.generic and inner.named_child_count else None
            if named is not None and (named.type in self._table.names or named.type in types.qualified):
                return self._generic(inner, named, at)
            layer = self._table.layers.nodes.get(inner.type)
            if layer is not None:
                layered = self._layer(layer, self._element(inner), at)
                for _ in range(_dimensions(inner) - 1):
                    layered = Receiver("layer", layer, base=layered) if layered is not None else None
                return layered
            following = self._inner_type(inner)
            if following is None:
                return None
            inner = following
        return None

    def class_name(self, node: Node) -> Receiver | None:
        """The class that a type names, of `Promise<A>` `Promise`; None of `A[]`."""
        return without_layers(self.type_name(node))

    def without_arguments(self, node: Node) -> Node:
        """A type without its type arguments: of `A<B>` A."""
        for _ in range(TYPE_DEPTH):
            inner = node.named_child(0) if node.type in self._table.types.generic else None
            if inner is None:
                break
            node = inner
        return node

    def _name(self, node: Node) -> Receiver:
        text = node_text(node)
        is_self = text == self._table.types.self_name
        return Receiver("this") if is_self else Receiver("name", text, node.start_byte - self._first)

    def _generic(self, node: Node, named: Node, depth: int) -> Receiver | None:
        """A generic type: of `A<B>` A; of a layer or a wrapper such as `Box<B>`, with the type that it holds.

        The wrapper's name is kept, as the file may have a class of that name.
        """
        is_name = named.type in self._table.names
        outer, text = self._name(named) if is_name else self._qualified(named), self._last_name(named)
        rows = node.named_child(1) if node.named_child_count > 1 else None
        arguments = [row for row in rows.named_children if not row.is_extra] if rows is not None else []
        layer = self._table.layers.generic.get(text)
        if layer is not None:
            inner = self._layer(layer[0], arguments[layer[1]] if layer[1] < len(arguments) else None, depth)
        elif text in self._table.types.delegating:
            inner = self.type_name(arguments[0], depth + 1) if arguments else None
        else:
            return outer
        return outer._replace(base=inner) if is_name and outer is not None and outer.kind == "name" else inner

    def _last_name(self, node: Node) -> str:
        *_, last = (node, *self._parts_of_dotted_name(node, 0))
        return node_text(last)

    def _layer(self, layer: str, node: Node | None, depth: int) -> Receiver | None:
        inner = self.type_name(node, depth + 1) if node is not None else None
        return Receiver("layer", layer, base=inner) if inner is not None else None

    def _element(self, node: Node) -> Node | None:
        """The type of the elements of `A[]`, or of the values of `map[B]A`."""
        fields = (node.child_by_field_name(field) for field in ("element", "value", "type"))
        first = node.named_child(0) if node.named_child_count else None
        return next((element for element in fields if element is not None), first)

    def _inner_type(self, node: Node) -> Node | None:
        """The type inside a type that determines its members."""
        table, kind = self._table, node.type
        if table.scopes.get(kind) is ScopeKind.CLASS:  # `struct a x`
            return node.child_by_field_name("name")
        if kind in table.types.generic:  # of `A<B>` A
            return node.named_child(0)
        if kind in table.types.unions:
            return _only(part for part in node.named_children if node_text(part) not in table.types.without_members)
        if kind in table.types.bounds:
            return self._only_bound(node)
        field = table.types.wrappers.get(kind)
        if field:
            return node.child_by_field_name(field)
        return node.named_child(0) if field is not None and node.named_child_count == 1 else None

    def _quoted(self, node: Node) -> Receiver | None:
        """The class that a quoted type names: `"A"`."""
        content = node.named_child(1) if node.named_child_count == 3 else None  # between the quotes
        text = node_text(content)
        if content is None or not text.isidentifier():
            return None
        return Receiver("name", text, content.start_byte - self._first)

    def _qualified(self, node: Node) -> Receiver | None:
        """The class that a dotted name refers to in a type position."""
        return self._path(self._parts_of_dotted_name(node, 0))

    def _path(self, leaves: Iterable[Node]) -> Receiver | None:
        """The receiver of a path of names."""
        path: Receiver | None = None
        for leaf in leaves:
            text, start = node_text(leaf), leaf.start_byte - self._first
            path = Receiver("name", text, start) if path is None else Receiver("attribute", text, start, path)
        return path

    def _parts_of_dotted_name(self, node: Node, depth: int) -> Iterator[Node]:
        """The parts of a dotted name in order, without type arguments."""
        types = self._table.types
        if node.type in self._table.names or not node.named_child_count:  # or a keyword: `crate`
            yield node
        elif node.type in types.qualified and depth < TYPE_DEPTH:
            for child in node.named_children:
                yield from self._parts_of_dotted_name(child, depth + 1)
        elif node.type in types.generic and node.named_child_count:
            first = node.named_child(0)
            yield from self._parts_of_dotted_name(first, depth + 1) if first is not None else ()

    def _only_bound(self, node: Node) -> Node | None:
        """The bound that is neither a lifetime nor a builtin trait, if it is the only such bound: of `A + Clone` A."""
        memberless, builtins = self._table.types.bounds_without_members, self._table.builtins
        return _only(
            bound for bound in node.named_children if bound.type not in memberless and node_text(bound) not in builtins
        )


def without_layers(named: Receiver | None) -> Receiver | None:
    """The outermost class of a type: of `Promise<A>` `Promise`; None of `A[]`."""
    if named is not None and named.base is not None and named.base.kind == "layer" and named.kind != "step":
        named = named._replace(base=None)
    return named if named is None or named.kind != "layer" else None


def without_layer(named: Receiver | None, step: str) -> Receiver | None:
    """A type, or an expression of it, without the layer that a step takes off; None where a type lacks that layer."""
    layer = named
    while layer is not None and layer.kind == "name" and layer.base is not None:
        layer = layer.base
    if layer is None or layer.kind in ("layer", "name", "this"):
        return layer.base if layer is not None and (layer.kind, layer.name) == ("layer", step) else None
    return Receiver("step", step, base=named)


def _dimensions(node: Node) -> int:
    """The number of layers of an array in a grammar with all its brackets in a node: two of `A[][]`."""
    brackets = node.child_by_field_name("dimensions")
    return min(TYPE_DEPTH, sum(child.type == "[" for child in brackets.children)) if brackets is not None else 1


def _only(nodes: Iterable[Node]) -> Node | None:
    """The only node; None if there are none or several."""
    rows = list(nodes)
    return rows[0] if len(rows) == 1 else None
