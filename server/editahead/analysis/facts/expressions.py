"""What expressions say about classes: receivers of members, values of declarations, modules of imports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from editahead.analysis.facts.facts import Receiver
from editahead.analysis.facts.walk_steps import Step
from editahead.analysis.facts.written_types import TYPE_DEPTH, WrittenTypes
from editahead.syntax.construct_tables import ITEM
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import Edge, Namespace, ScopeTable

_ARGUMENT_DEPTH = 3  # nodes around an argument
_DEEPEST_RECEIVER = 8


@dataclass(slots=True)
class NodeContext:
    """What a node hands to its children. `below`: the steps of the walk at them."""

    node: Node
    kind: str
    edge: Edge
    scope: int
    below: dict[int, Step] = field(default_factory=dict)


class Expressions(WrittenTypes):
    """Reads the expressions of one walk; bytes count from `first`."""

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
            member = self._attribute(node, depth)
            if member is not None:
                return member
            made = table.creations.get(kind)
            created = node.child_by_field_name(made) if made else None
            if created is not None:
                return Receiver("call", base=self.type_name(created) or Receiver("other"))
            called = table.calls.get(kind)
            callee = node.child_by_field_name(called[0]) if called else None
            if callee is not None:
                given = node.child_by_field_name("arguments") if table.layers.slices else None
                if given is not None and _asks_for_several(given.named_children, table.layers.slices):
                    return Receiver("other")
                passed = self.passed(node, callee, table.layers.passing, depth)
                return passed or Receiver("call", base=self.receiver(callee, depth + 1))
            if kind in table.method_calls:
                method = self._called_method(node, depth + 1)
                return Receiver("call", base=method) if method is not None else Receiver("other")
            wrapped = self._wrapped(node)
            if wrapped is not None:
                return self.receiver(wrapped, depth + 1)
            if kind in table.types.casts:
                typed = self.created(node)
                return typed._replace(kind="type") if typed is not None and typed.kind == "name" else Receiver("other")
            taken = self._taken_from(node)
            if taken is not None:
                return Receiver("step", taken[0], base=self.receiver(taken[1], depth + 1))
            if (kind in table.types.same_class or kind in table.types.generic) and node.named_child_count:
                first = node.child(0)
                is_word = first is not None and first.type in table.classes.this_nodes
                inner_node = first if is_word else node.named_child(0)
                return self.receiver(inner_node, depth + 1) if inner_node is not None else Receiver("other")
        return Receiver("other")

    def _attribute(self, node: Node, depth: int) -> Receiver | None:
        """A member by what stands before it."""
        table, fields = self._table, self._table.attributes.get(node.type)
        if fields is None:
            return None
        base, name = self.base(node, fields[0]), node.child_by_field_name(fields[1])
        last = node.named_child(node.named_child_count - 1) if name is None and node.named_child_count else None
        if last is not None and last.type in table.conditional_members:  # `a?.m`
            name = last.child_by_field_name(fields[1])
        if base is None or name is None:
            return None
        if name.type in table.classes.this_nodes:
            return self.receiver(base, depth + 1)._replace(kind="this-of")
        before = self.before(node, base, depth + 1)
        return Receiver("attribute", node_text(name), name.start_byte - self._first, before)

    def dotted(self, node: Node) -> Receiver | None:
        """A class by its dotted name, as the receiver of its members."""
        made: Receiver | None = None
        for leaf in node.named_children if node.type in self._table.dotted else [node]:
            text, start = node_text(leaf), leaf.start_byte - self._first
            made = Receiver("name", text, start) if made is None else Receiver("attribute", text, start, made)
        return made._replace(kind="type") if made is not None and made.kind == "name" else made

    def before(self, member: Node, base: Node, depth: int) -> Receiver:
        """The expression before a member, or the word that a path begins with."""
        if base.type in self._table.imports.path_words and member.type in self._table.types.qualified:
            return Receiver("module", node_text(base), base.start_byte - self._first)
        return self.receiver(base, depth)

    def base(self, node: Node, field: str) -> Node | None:
        """The expression before a member; the grammar of C# takes `a + b?.m` for `(a + b)?.m`."""
        found = node.child_by_field_name(field)
        last = node.named_child(node.named_child_count - 1) if found is not None else None
        if last is not None and last.type in self._table.conditional_members:
            while found is not None and (inner := found.child_by_field_name("right")) is not None:
                found = inner
        return found

    def _taken_from(self, node: Node) -> tuple[str, Node] | None:
        """The layer that an expression takes off the type of another one, and that one: of `a[0]` an item of `a`."""
        layers, held = self._table.layers, None
        if node.type in layers.wrappers:
            held = node.named_child(0) if node.named_child_count else None
        elif node.type in layers.subscripts:
            held = node.child_by_field_name(layers.subscripts[node.type])
            held = node.named_child(0) if held is None and not layers.subscripts[node.type] else held
            held = None if _asks_for_several(node.named_children[1:], layers.slices) else held
        return (layers.wrappers.get(node.type, ITEM), held) if held is not None else None

    def value(self, node: Node) -> Receiver | None:
        """What the value of a declaration says of its name: the class that it makes an object of, or an expression."""
        made = self.created(node)
        if made is not None:
            return made
        node = self._unwrapped(node)
        table = self._table
        named = node.type in table.names or node.type in table.attributes
        named |= bool(table.layers.subscripts) and node.type in table.types.same_class
        if not named and self._taken_from(node) is None:
            return None
        return Receiver("step", base=self.receiver(node, 0))

    def _unwrapped(self, node: Node) -> Node:
        for _ in range(TYPE_DEPTH):
            inner = self._wrapped(node)
            if inner is None:
                break
            node = inner
        return node

    def _wrapped(self, node: Node) -> Node | None:
        """The only value in a node that changes nothing of its type: `a` of `&mut a`."""
        if node.type not in self._table.types.value_wrappers or not 0 < node.named_child_count < 3:
            return None
        first = node.named_child(0)
        if node.named_child_count == 1 or (first is not None and first.type in self._table.types.value_modifiers):
            return node.named_child(node.named_child_count - 1)
        return None

    def is_cast(self, node: Node) -> bool:
        """Whether an expression says its type itself."""
        return self._unwrapped(node).type in self._table.types.casts

    def created(self, node: Node) -> Receiver | None:
        """The class that an expression makes an object of; None where it calls no class by its name."""
        table, node = self._table, self._unwrapped(node)
        if node.type in table.types.casts:
            typed = node.child_by_field_name("type") or node.named_child(node.named_child_count - 1)
            return self.type_name(typed) if typed is not None else None
        if node.type in table.creations:
            return self.created_by(node)
        if node.type in table.method_calls:
            method = self._called_method(node, 0)
            return Receiver("call", base=method) if method is not None else None
        called = table.calls.get(node.type)
        callee = node.child_by_field_name(called[0]) if called else None
        passed = self.passed(node, callee, table.layers.passing) if callee is not None else None
        if passed is not None:
            return Receiver("step", base=passed)
        if callee is None or callee.type in table.names:
            return self.receiver(callee, 0) if callee is not None else None
        fields = table.attributes.get(callee.type)
        path, name = (callee.child_by_field_name(field) for field in fields) if fields else (None, None)
        if path is None or name is None:
            return None
        if node_text(name) in table.types.factories:  # `A::new(...)`
            return self.receiver(path, 0) if path.type in table.names else None
        return Receiver("call", base=self.receiver(callee, 0))

    def passed(
        self, call: Node, callee: Node, functions: frozenset[str], depth: int = 0, position: int = 0
    ) -> Receiver | None:
        """What one of some functions of the language gives of an argument; None of any other call."""
        if not functions or callee.type not in self._table.names or node_text(callee) not in functions:
            return None
        rows = call.child_by_field_name(self._table.calls[call.type][1])
        given = rows.named_child(position) if rows is not None and rows.named_child_count > position else None
        if given is None:
            return None
        start = callee.start_byte - self._first
        return Receiver("passed", node_text(callee), start, self.receiver(given, depth + 1))

    def called(self, call: Node) -> Receiver | None:
        """What a call runs; None of any other node."""
        if call.type in self._table.method_calls:
            return self._called_method(call, 0)
        fields = self._table.calls.get(call.type)
        callee = call.child_by_field_name(fields[0]) if fields else None
        return self.receiver(callee, 0) if callee is not None else None

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

    def created_by(self, node: Node) -> Receiver | None:
        """The class that a node makes an object of by its name: `new A()`."""
        field = self._table.creations.get(node.type)
        kind = node.child_by_field_name(field) if field is not None else None
        return self.type_name(kind) if kind is not None else None

    def owner(self, method: Node, field: str) -> Receiver | None:
        """The class of a method that stands outside of it, by the type of its receiver."""
        node = method.child_by_field_name(field)
        for _ in range(TYPE_DEPTH):
            if node is None or self._table.names.get(node.type) is Namespace.TYPE:
                break
            typed = node.child_by_field_name("type")
            inner = node.named_child(0) if typed is None and node.named_child_count else typed
            if inner is None:
                return None
            node = inner
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


def _asks_for_several(arguments: Sequence[Node], slices: frozenset[str]) -> bool:
    """Whether an index or an argument stands for a part of a sequence, not for one of its elements."""
    for argument in arguments if slices else ():
        node: Node | None = argument
        for _ in range(_ARGUMENT_DEPTH):
            if node is None or node.type in slices:
                break
            node = node.named_child(0) if node.named_child_count else None
        if node is not None and node.type in slices:
            return True
    return False


def is_alias(holder: NodeContext, table: ScopeTable) -> bool:
    """Whether a node gives another name to what is imported."""
    return holder.kind in table.imports.aliases and holder.node.child_by_field_name("alias") is not None
