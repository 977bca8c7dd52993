"""What expressions say about classes: receivers of members, values of declarations, modules of imports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from editahead.analysis.facts.facts import Receiver, Step
from editahead.analysis.facts.sequences import MAX_RECEIVER_DEPTH, Sequences
from editahead.analysis.facts.written_types import TYPE_DEPTH
from editahead.syntax.construct_tables import ELEMENT, ITEM
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import Edge, Namespace, ScopeTable

_ARGUMENT_DEPTH = 3  # nodes around an argument


@dataclass(slots=True)
class NodeContext:
    """What the children of a node inherit from it.

    `below`: the steps of the walk at the children. `chain`: a hash of the types of the node and of those around it.
    """

    node: Node
    kind: str
    edge: Edge
    scope: int
    below: dict[int, Step] = field(default_factory=dict)
    chain: int = 0


class Expressions(Sequences):
    """Reads the expressions of a walk; bytes count from `first`."""

    def receiver(self, node: Node, depth: int) -> Receiver:
        """An expression as the receiver of a member or as a callee."""
        table, kind = self._table, node.type
        if kind in table.names:
            text, start = node_text(node), node.start_byte - self._first
            return Receiver("this") if text == table.types.self_name else Receiver("name", text, start)
        if kind in table.classes.this_nodes:
            return Receiver("this")
        if kind in table.classes.super_nodes:
            return Receiver("super")
        if depth < MAX_RECEIVER_DEPTH:
            member = self._attribute(node, depth)
            if member is not None:
                return member
            class_field = table.creations.get(kind)
            created = node.child_by_field_name(class_field) if class_field else None
            if created is not None:
                return Receiver("call", base=self.type_name(created) or Receiver("other"))
            call_fields = table.calls.get(kind)
            callee = node.child_by_field_name(call_fields[0]) if call_fields else None
            if callee is not None:
                arguments = node.child_by_field_name("arguments") if table.layers.slices else None
                if arguments is not None and _has_slice(arguments.named_children, table.layers.slices):
                    return Receiver("other")
                given = self.result_of_builtin(node, callee, depth)
                return given or self.result(node, self.receiver(callee, depth + 1), depth + 1)
            if kind in table.method_calls:
                method = self._called_method(node, depth + 1)
                return self.result(node, method, depth + 1) if method is not None else Receiver("other")
            wrapped = self._wrapped(node)
            if wrapped is not None:
                return self.receiver(wrapped, depth + 1)
            if kind in table.types.casts:
                typed = self.created_class(node)
                return typed._replace(kind="type") if typed is not None and typed.kind == "name" else Receiver("other")
            taken = self._taken_from(node)
            if taken is not None:
                return Receiver("step", taken[0], base=self.receiver(taken[1], depth + 1))
            if (kind in table.types.same_class or kind in table.types.generic) and node.named_child_count:
                first = node.child(0)
                is_word = first is not None and first.type in table.classes.this_nodes
                inner_node = first if is_word else node.named_child(0)
                return self.receiver(inner_node, depth + 1) if inner_node is not None else Receiver("other")
            return self.sequence(node, depth) or Receiver("other")
        return Receiver("other")

    def _attribute(self, node: Node, depth: int) -> Receiver | None:
        """A member access as a receiver; None of any other node."""
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
        return self.member(name, self.before(node, base, depth + 1))

    def dotted(self, node: Node) -> Receiver | None:
        """A class by its dotted name, as the receiver of its members."""
        path = self._path(node.named_children if node.type in self._table.dotted else [node])
        return path._replace(kind="type") if path is not None and path.kind == "name" else path

    def path_before(self, path: Node, name: Node) -> Receiver | None:
        """The names before a name of a dotted path; None of the first name, and in a path of very many names."""
        leaves = path.named_children if path.named_child_count <= MAX_RECEIVER_DEPTH else []
        return self._path(leaf for leaf in leaves if leaf.start_byte < name.start_byte)

    def before(self, member: Node, base: Node, depth: int) -> Receiver:
        """The expression before a member, or the keyword at the start of a path."""
        if base.type in self._table.imports.path_words and member.type in self._table.types.qualified:
            return Receiver("module", node_text(base), base.start_byte - self._first)
        return self.receiver(base, depth)

    def base(self, node: Node, field: str) -> Node | None:
        """The expression before a member; the grammar of C# takes `a + b?.m` for `(a + b)?.m`."""
        base = node.child_by_field_name(field)
        last = node.named_child(node.named_child_count - 1) if base is not None else None
        if last is not None and last.type in self._table.conditional_members:
            while base is not None and (inner := base.child_by_field_name("right")) is not None:
                base = inner
        return base

    def _taken_from(self, node: Node) -> tuple[str, Node] | None:
        """The layer that an expression takes off a type, and the expression of that type: of `a[0]` ITEM and `a`."""
        layers, base = self._table.layers, None
        if node.type in layers.wrappers:
            base = node.named_child(0) if node.named_child_count else None
        elif node.type in layers.subscripts:
            base = node.child_by_field_name(layers.subscripts[node.type])
            base = node.named_child(0) if base is None and not layers.subscripts[node.type] else base
            base = None if _has_slice(node.named_children[1:], layers.slices) else base
        return (layers.wrappers.get(node.type, ITEM), base) if base is not None else None

    def value(self, node: Node) -> Receiver | None:
        """The value of a declaration: the class that it creates an object of, or an expression of the same type."""
        created = self.created_class(node)
        if created is not None:
            return created
        node = self._unwrapped(node)
        table = self._table
        is_typed = node.type in table.names or node.type in table.attributes
        has_operators = bool(table.types.array_declarators)  # `*a` and `a[0]` may be those of a class
        is_typed |= bool(table.layers.subscripts) and node.type in table.types.same_class and not has_operators
        is_typed |= node.type in table.layers.sequences or node.type in table.layers.comprehensions
        taken = self._taken_from(node)
        if has_operators and taken is not None:
            return Receiver("step", ELEMENT, base=self.receiver(taken[1], 0))
        if not is_typed and taken is None:
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
        """The value in a node that does not change its type: `a` in `&mut a`, in `a ?? b` or in `b ? a : c`."""
        signs = self._table.types.choices.get(node.type)
        if signs is not None and (not signs or any(child.type in signs for child in node.children)):
            return self._chosen(node)
        if node.type not in self._table.types.value_wrappers or not 0 < node.named_child_count < 3:
            return None
        first = node.named_child(0)
        if node.named_child_count == 1 or (first is not None and first.type in self._table.types.value_modifiers):
            return node.named_child(node.named_child_count - 1)
        return None

    def _chosen(self, node: Node) -> Node | None:
        """Of two alternatives, that which says the class of both: the only object, or the only created object."""
        table, condition = self._table, node.child_by_field_name("condition")
        parts = [child for child in node.named_children if condition is None or child.id != condition.id]
        ends = (parts[0], parts[-1]) if len(parts) > 1 else ()  # the grammar of Python does not name the condition
        given = [end for end in ends if node_text(end) not in table.types.without_members]
        created = [end for end in given if self.is_creation(end)]
        if len(given) == 1 or len(created) != 1:
            return given[0] if len(given) == 1 else None
        return created[0]

    def is_creation(self, node: Node) -> bool:
        """Whether an expression creates an object, as far as its form says: `new A()`, `A()`."""
        fields = self._table.calls.get(node.type)
        callee = node.child_by_field_name(fields[0]) if fields else None
        return node.type in self._table.creations or (callee is not None and callee.type in self._table.names)

    def is_cast(self, node: Node) -> bool:
        """Whether an expression is a cast, which writes its type out."""
        return self._unwrapped(node).type in self._table.types.casts

    def created_class(self, node: Node) -> Receiver | None:
        """The class or function whose call gives an expression; None of an expression without a named callee."""
        table, node = self._table, self._unwrapped(node)
        if node.type in table.types.casts:
            typed = node.child_by_field_name("type") or node.named_child(node.named_child_count - 1)
            return self.type_name(typed) if typed is not None else None
        if node.type in table.creations:
            return self.created_by(node)
        if node.type in table.method_calls:
            method = self._called_method(node, 0)
            return self._value_of_call(self.result(node, method, 0)) if method is not None else None
        call_fields = table.calls.get(node.type)
        callee = node.child_by_field_name(call_fields[0]) if call_fields else None
        given = self.result_of_builtin(node, callee, 0) if callee is not None else None
        new_type = self.type_of_new(node, callee) if callee is not None else None
        if new_type is not None:
            return new_type
        if given is not None:
            return given if given.kind == "step" else Receiver("step", base=given)
        if callee is None or callee.type in table.names:
            return self.receiver(callee, 0) if callee is not None else None
        fields = table.attributes.get(callee.type)
        path, name = (callee.child_by_field_name(field) for field in fields) if fields else (None, None)
        if path is None or name is None:
            return None
        if node_text(name) in table.types.factories:  # `A::new(...)`
            return self.receiver(path, 0) if path.type in table.names else None
        return self._value_of_call(self.result(node, self.receiver(callee, 0), 0))

    def _value_of_call(self, result: Receiver) -> Receiver:
        """The result of a call as the value of a declaration."""
        return Receiver("step", base=result) if result.kind == "mapped" else result

    def callee(self, call: Node) -> Receiver | None:
        """The callee of a call; None of any other node."""
        if call.type in self._table.method_calls:
            return self._called_method(call, 0)
        fields = self._table.calls.get(call.type)
        callee = call.child_by_field_name(fields[0]) if fields else None
        return self.receiver(callee, 0) if callee is not None else None

    def _called_method(self, call: Node, depth: int) -> Receiver | None:
        """The callee of a method call, in grammars where no node holds both the object and its method: `a.m()`."""
        fields = self._table.method_calls[call.type]
        value, name = call.child_by_field_name(fields[0]), call.child_by_field_name(fields[1])
        if name is None:
            return None
        return self.member(name, self.receiver(value, depth + 1) if value is not None else Receiver("this"))

    def created_by(self, node: Node) -> Receiver | None:
        """The class that a node creates an object of by name: `new A()`."""
        field = self._table.creations.get(node.type)
        kind = node.child_by_field_name(field) if field is not None else None
        if (
            kind is not None
            and node.child_by_field_name("type_arguments") is not None
            and kind.type in self._table.names
        ):
            return self._generic(node, kind, 0)  # `new Map<A, B>()`
        return self.type_name(kind) if kind is not None else None

    def owner(self, method: Node, field: str) -> Receiver | None:
        """The class of a method that is declared outside it, by the type of its receiver."""
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
        """The module of the import at the end of the stack, as written; empty where it has none."""
        for context in reversed(stack[-4:]):
            field = self._table.imports.modules.get(context.kind)
            if field is not None:
                node = context.node.child_by_field_name(field) if field else context.node.named_child(0)
                return node_text(node)
        return node_text(stack[-1].node) if stack and stack[-1].kind in self._table.dotted else ""

    def aliased_module(self, stack: Sequence[NodeContext]) -> str:
        """The module that an import at the end of the stack names or may name; empty for other imports."""
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
        """The number of arguments of a method call or of parameters of a declared function; -1 of other nodes."""
        holder = stack[-1] if stack else None
        if holder is None:
            return -1
        if holder.kind in self._table.method_calls:
            field: str | None = "arguments"
        else:
            field = self._table.functions.get(holder.kind) if edge.kind == "function" else None
        rows = holder.node.child_by_field_name(field) if field else None
        return sum(not row.is_extra for row in rows.named_children) if rows is not None else -1


def _has_slice(arguments: Sequence[Node], slices: frozenset[str]) -> bool:
    """Whether an index or an argument is a slice, so that the result is a part of a sequence, not an element."""
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
    """Whether an import gives what it imports another name."""
    return holder.kind in table.imports.aliases and holder.node.child_by_field_name("alias") is not None
