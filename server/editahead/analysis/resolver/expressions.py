"""What expressions and declarations say about classes: receivers of members, declared types, modules of imports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from editahead.analysis.resolver.facts import Receiver
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import Edge, Namespace, ScopeKind, ScopeTable

_DEEPEST_RECEIVER = 4
_TYPE_DEPTH = 6  # nodes from an annotation down to its first name
_MOST_TARGETS = 16  # names that are given what one call returns


class NodeContext(NamedTuple):
    """What a node hands to its children."""

    node: Node
    kind: str
    edge: Edge
    scope: int


class DeclaredType(NamedTuple):
    """The class that a declaration gives a name, None where it is not known; whether the declaration writes it out."""

    named: Receiver | None
    is_written: bool = False


NO_TYPE = DeclaredType(None)


class Expressions:
    """Reads the expressions of one walk; bytes count from `first`."""

    def __init__(self, table: ScopeTable, first: int) -> None:
        self._table, self._first = table, first

    def receiver(self, node: Node, depth: int) -> Receiver:
        """An expression as the receiver of a member, or as what is called."""
        table, kind = self._table, node.type
        if kind in table.names:
            text, start = node_text(node), node.start_byte - self._first
            return Receiver("this") if text == table.types.self_name else Receiver("name", text, start)
        if kind in table.classes.this_nodes:
            return Receiver("this")
        if kind in table.classes.super_nodes:
            return Receiver("super")
        if depth < _DEEPEST_RECEIVER:
            fields = table.attributes.get(kind)
            if fields is not None:
                base, name = self.base(node, fields[0]), node.child_by_field_name(fields[1])
                last = node.named_child(node.named_child_count - 1) if name is None else None
                if last is not None and last.type in table.conditional_members:  # `a?.m`
                    name = last.child_by_field_name(fields[1])
                if base is not None and name is not None:
                    if name.type in table.classes.this_nodes:
                        return self.receiver(base, depth + 1)._replace(kind="this-of")
                    inner = self.receiver(base, depth + 1)
                    return Receiver("attribute", node_text(name), name.start_byte - self._first, inner)
            made = table.creations.get(kind)
            created = node.child_by_field_name(made) if made else None
            if created is not None:
                return Receiver("call", base=self.type_name(created) or Receiver("other"))
            called = table.calls.get(kind)
            callee = node.child_by_field_name(called[0]) if called else None
            if callee is not None:
                return Receiver("call", base=self.receiver(callee, depth + 1))
            if kind in table.method_calls:
                method = self._called_method(node, depth + 1)
                return Receiver("call", base=method) if method is not None else Receiver("other")
            if (kind in table.types.same_class or kind in table.types.generic) and node.named_child_count:
                inner_node = node.named_child(0)
                return self.receiver(inner_node, depth + 1) if inner_node is not None else Receiver("other")
        return Receiver("other")

    def base(self, node: Node, field: str) -> Node | None:
        """The expression before a member; the grammar of C# takes `a + b?.m` for `(a + b)?.m`."""
        found = node.child_by_field_name(field)
        last = node.named_child(node.named_child_count - 1) if found is not None else None
        if last is not None and last.type in self._table.conditional_members:
            while found is not None and (inner := found.child_by_field_name("right")) is not None:
                found = inner
        return found

    def declared_type(self, name: Node, stack: Sequence[NodeContext], skip: int) -> DeclaredType:
        """The class that a declaration gives its name: its annotation, or what it calls: a class or a function."""
        table = self._table
        above = stack[: len(stack) - skip]
        if above and above[-1].kind in table.types.value_wrappers and above[-1].node.named_child_count == 1:
            above = above[:-1]
        end = len(above)
        while (
            end
            and above[end - 1].kind in table.types.declarators
            and above[end - 1].kind not in table.types.initial_values
        ):
            end -= 1
        near = above[max(0, end - 2) : end][::-1]
        for context in near[:1]:
            if context.kind in table.transparent - table.types.declarators:
                return DeclaredType(self._one_of_several(name, near))
            if table.types.array_sign and context.node.child_by_field_name(table.types.array_sign) is not None:
                return DeclaredType(None, is_written=True)
        for context in near:
            field = table.types.declared.get(context.kind)
            declared = context.node.child_by_field_name(field) if field else None
            named = self.type_name(declared) if declared is not None else None
            if declared is not None and (named is not None or node_text(declared) not in table.types.inferred):
                return DeclaredType(named, is_written=True)
        for context in near:
            field = table.types.initial_values.get(context.kind)
            value = _behind(context.node, field) if field == "=" else None
            if field and value is None:
                value = context.node.child_by_field_name(field)
            if value is not None:
                return DeclaredType(self.created(value))
        return NO_TYPE

    def type_name(self, node: Node, depth: int = 0) -> Receiver | None:
        """The class whose members an object of a type has; of `list[A]` nothing is said."""
        types, inner = self._table.types, node
        for at in range(depth, _TYPE_DEPTH):
            if inner.type in self._table.names:
                return None if node_text(inner) in types.inferred else self.receiver(inner, 0)
            if inner.type in types.self_nodes:
                return Receiver("this")
            if inner.type in types.quoted:
                return self._quoted(inner)
            if inner.type in types.qualified:
                return self._qualified(inner)
            named = inner.named_child(0) if inner.type in types.generic and inner.named_child_count else None
            if named is not None and node_text(named) in types.delegating:  # unless the file has a class of that name
                given = _only(inner.named_child(1).named_children) if inner.named_child_count > 1 else None
                outer = self.receiver(named, 0)
                argument = self.type_name(given, at + 1) if given is not None else None
                return outer._replace(base=argument) if outer.kind == "name" else argument
            following = self._inner_type(inner)
            if following is None:
                return None
            inner = following
        return None

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
        elif node.type in types.qualified and depth < _TYPE_DEPTH:
            for child in node.named_children:
                yield from self._dotted_names(child, depth + 1)
        elif node.type in types.generic and node.named_child_count:
            first = node.named_child(0)
            yield from self._dotted_names(first, depth + 1) if first is not None else ()

    def _only_bound(self, node: Node) -> Node | None:
        """The only one of several bounds that is neither a lifetime nor of the language: of `A + Clone` A."""
        left_out, builtins = self._table.types.bounds_without_members, self._table.builtins
        return _only(one for one in node.named_children if one.type not in left_out and node_text(one) not in builtins)

    def without_arguments(self, node: Node) -> Node:
        """A type without those that it is given: of `A<B>` A."""
        for _ in range(_TYPE_DEPTH):
            inner = node.named_child(0) if node.type in self._table.types.generic else None
            if inner is None:
                break
            node = inner
        return node

    def created(self, node: Node) -> Receiver | None:
        """The class that an expression makes an object of; None where it calls no class by its name."""
        table = self._table
        for _ in range(_TYPE_DEPTH):
            inner = (
                node.named_child(0) if node.type in table.types.value_wrappers and node.named_child_count == 1 else None
            )
            if inner is None:
                break
            node = inner
        if node.type in table.types.casts:
            typed = node.named_child(node.named_child_count - 1)
            return self.type_name(typed) if typed is not None else None
        if node.type in table.creations:
            return self.created_by(node)
        if node.type in table.method_calls:
            method = self._called_method(node, 0)
            return Receiver("call", base=method) if method is not None else None
        called = table.calls.get(node.type)
        callee = node.child_by_field_name(called[0]) if called else None
        if callee is None or callee.type in table.names:
            return self.receiver(callee, 0) if callee is not None else None
        fields = table.attributes.get(callee.type)
        path, name = (callee.child_by_field_name(field) for field in fields) if fields else (None, None)
        if path is None or name is None:
            return None
        if node_text(name) in table.types.factories:  # `A::new(...)`
            return self.receiver(path, 0) if path.type in table.names else None
        return Receiver("call", base=self.receiver(callee, 0))

    def _called_method(self, call: Node, depth: int) -> Receiver | None:
        """What the call of a method runs, in grammars where no node holds both the object and its method: `a.m()`."""
        fields = self._table.method_calls[call.type]
        value, name = call.child_by_field_name(fields[0]), call.child_by_field_name(fields[1])
        if name is None:
            return None
        start = name.start_byte - self._first
        if value is None:
            return Receiver("attribute", node_text(name), start, Receiver("this"))
        return Receiver("attribute", node_text(name), start, self.receiver(value, depth + 1))

    def _one_of_several(self, name: Node, near: Sequence[NodeContext]) -> Receiver | None:
        """What one of several names is given by one call: `a, err := f()`."""
        targets, field = near[0].node, self._table.types.initial_values.get(near[-1].kind)
        value = near[-1].node.child_by_field_name(field) if field else None
        made = self.created(value) if value is not None else None
        if made is None or value is None:
            return None
        for position in range(min(targets.named_child_count, _MOST_TARGETS)):
            target = targets.named_child(position)
            if target is not None and target.id == name.id:
                return Receiver("call", base=made.base if made.kind == "call" else made, position=position)
        return None

    def created_by(self, node: Node) -> Receiver | None:
        """The class that a node makes an object of by its name: `new A()`."""
        field = self._table.creations.get(node.type)
        kind = node.child_by_field_name(field) if field is not None else None
        return self.type_name(kind) if kind is not None else None

    def owner(self, method: Node, field: str) -> Receiver | None:
        """The class of a method that stands outside of it, by the type of its receiver."""
        node = method.child_by_field_name(field)
        for _ in range(_TYPE_DEPTH):
            if node is None or self._table.names.get(node.type) is Namespace.TYPE:
                break
            typed = node.child_by_field_name("type")
            node = typed if typed is not None else node.named_child(0)
        return Receiver("type", node_text(node), node.start_byte - self._first) if node is not None else None

    def module(self, stack: Sequence[NodeContext]) -> str:
        """The module of the import at the end of the stack, as it is written; empty where it has none."""
        for context in reversed(stack[-4:]):
            field = self._table.imports.modules.get(context.kind)
            if field is not None:
                node = context.node.child_by_field_name(field) if field else context.node.named_child(0)
                return node_text(node) if node is not None else ""
        return node_text(stack[-1].node) if stack and stack[-1].kind in self._table.dotted else ""

    def aliased(self, stack: Sequence[NodeContext]) -> str:
        """The module that an import at the end of the stack gives a name to, or may give one to; empty for others."""
        holder = stack[-1]
        if holder.kind in self._table.imports.namespaces:
            return self.module(stack)
        named = holder.node.child_by_field_name("name") if is_alias(holder, self._table) else None
        module = self.module(stack[:-1])
        if named is None or module[:1] in ("'", '"'):  # the names of a quoted module are no modules
            return ""
        joint = "" if not module or module.endswith(".") else "."
        return f"{module}{joint}{node_text(named)}"

    def argument_count(self, edge: Edge, stack: Sequence[NodeContext]) -> int:
        """The arguments of the call of a method, the parameters of a declared function; -1 of anything else."""
        holder = stack[-1] if stack else None
        if holder is None:
            return -1
        if holder.kind in self._table.method_calls:
            field: str | None = "arguments"
        else:
            field = self._table.functions.get(holder.kind) if edge.kind == "function" else None
        rows = holder.node.child_by_field_name(field) if field else None
        return sum(not one.is_extra for one in rows.named_children) if rows is not None else -1


def is_alias(holder: NodeContext, table: ScopeTable) -> bool:
    """Whether a node gives another name to what is imported."""
    return holder.kind in table.imports.aliases and holder.node.child_by_field_name("alias") is not None


def _only(nodes: Iterable[Node]) -> Node | None:
    """The only one of them."""
    rows = list(nodes)
    return rows[0] if len(rows) == 1 else None


def _behind(node: Node, sign: str) -> Node | None:
    """The named child that follows a sign."""
    found = next((child for child in node.children if child.type == sign), None)
    return found.next_named_sibling if found is not None else None
