"""What expressions and declarations say about classes: receivers of members, declared types, keys of literals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from editahead.analysis.resolver.facts import Receiver
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import Action, Edge, Namespace, ScopeKind, ScopeTable

_DEEPEST_RECEIVER = 4
_TYPE_DEPTH = 6  # nodes from an annotation down to its first name
_LITERAL_DEPTH = 64  # nodes from the key of a literal up to the type around it
_KEYED_BY_VALUES = frozenset({"map_type", "array_type", "slice_type", "implicit_length_array_type"})
_AROUND = ("parenthesized_expression", "generic_type", "generic_name", "template_type")
_NO_TYPE = ("var", "auto")
_TYPES_AROUND = frozenset(
    {
        "type", "type_identifier", "array_type", "type_annotation", "pointer_type", "nullable_type", "type_descriptor",
        "abstract_type", "dynamic_type", "type_elem",
    }
)  # fmt: skip
_BOUNDS = ("trait_bounds", "bounded_type")
_NO_BOUNDS = ("lifetime", "removed_trait_bound")


class NodeContext(NamedTuple):
    """What a node hands to its children."""

    node: Node
    kind: str
    edge: Edge
    scope: int


class Expressions:
    """Reads the expressions of one walk; bytes count from `first`."""

    def __init__(self, table: ScopeTable, first: int) -> None:
        self._table, self._first = table, first

    def receiver(self, node: Node, depth: int) -> Receiver:
        """An expression as the receiver of a member, or as what is called."""
        table, kind = self._table, node.type
        if kind in table.names:
            text, start = node_text(node), node.start_byte - self._first
            return Receiver("this") if text == table.self_type else Receiver("name", text, start)
        if kind in table.this_nodes:
            return Receiver("this")
        if kind in table.super_nodes:
            return Receiver("super")
        if depth < _DEEPEST_RECEIVER:
            fields = table.attributes.get(kind)
            if fields is not None:
                base, name = self.base(node, fields[0]), node.child_by_field_name(fields[1])
                last = node.named_child(node.named_child_count - 1) if name is None else None
                if last is not None and last.type in table.conditional_members:  # `a?.m`
                    name = last.child_by_field_name(fields[1])
                if base is not None and name is not None:
                    if name.type in table.this_nodes:
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
            inside = kind in _AROUND or kind in table.same_class
            if inside and node.named_child_count:
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

    def declared_type(self, stack: Sequence[NodeContext], skip: int) -> Receiver | None:
        """The class that a declaration gives its name: its annotation, or the constructor that it calls."""
        table = self._table
        above = stack[: len(stack) - skip]
        if above and above[-1].kind in table.hand_on and above[-1].node.named_child_count == 1:
            above = above[:-1]
        end = len(above)
        while end and above[end - 1].kind in table.declarators and above[end - 1].kind not in table.initial_values:
            end -= 1
        near = above[max(0, end - 2) : end][::-1]
        if any(context.kind in table.transparent - table.declarators for context in near[:1]):
            return None  # one of several targets
        for context in near:
            field = table.declared_types.get(context.kind)
            declared = context.node.child_by_field_name(field) if field else None
            named = self.type_name(declared) if declared is not None else None
            if declared is not None and (named is not None or node_text(declared) not in _NO_TYPE):
                return named
        for context in near:
            field = table.initial_values.get(context.kind)
            value = _behind(context.node, field) if field == "=" else None
            if field and value is None:
                value = context.node.child_by_field_name(field)
            if value is not None:
                return self.created(value)
        return None

    def type_name(self, node: Node) -> Receiver | None:
        """The class that a type names: of `Optional[A]` or `list[A]` nothing is said."""
        for _ in range(_TYPE_DEPTH):
            if node.type in self._table.names:
                return None if node_text(node) in _NO_TYPE else self.receiver(node, 0)
            if self._table.scopes.get(node.type) is ScopeKind.CLASS or node.type == "template_type":  # `struct a x`
                name = node.child_by_field_name("name")
                if name is None:
                    return None
                node = name
                continue
            if node.type == "reference_type":
                node = node.child_by_field_name("type") or node
                continue
            if node.type == "generic_type":  # of `A<B>` A
                node = node.named_child(0) or node
                continue
            if node.type in _BOUNDS:
                bound = self._only_bound(node)
                if bound is None:
                    return None
                node = bound
                continue
            if node.named_child_count != 1:
                return None
            child = node.named_child(0)
            if child is None or node.type not in _TYPES_AROUND:
                return None
            node = child
        return None

    def _only_bound(self, node: Node) -> Node | None:
        """The only one of several bounds that is neither a lifetime nor of the language: of `A + Clone` A."""
        builtins = self._table.builtins
        rows = [one for one in node.named_children if one.type not in _NO_BOUNDS and node_text(one) not in builtins]
        return rows[0] if len(rows) == 1 else None

    def created(self, node: Node) -> Receiver | None:
        """The class that an expression makes an object of; None where it calls no class by its name."""
        table = self._table
        for _ in range(_TYPE_DEPTH):
            inner = node.named_child(0) if node.type in table.hand_on and node.named_child_count == 1 else None
            if inner is None:
                break
            node = inner
        made = table.creations.get(node.type)
        if made is not None:
            kind = node.child_by_field_name(made)
            return self.type_name(kind) if kind is not None else None
        called = table.calls.get(node.type)
        callee = node.child_by_field_name(called[0]) if called else None
        fields = table.attributes.get(callee.type) if callee is not None and table.constructors else None
        if fields is not None and callee is not None:  # `A::new(...)`
            path, name = callee.child_by_field_name(fields[0]), callee.child_by_field_name(fields[1])
            made_here = path is not None and name is not None and node_text(name) in table.constructors
            return self.receiver(path, 0) if made_here and path is not None and path.type in table.names else None
        return self.receiver(callee, 0) if callee is not None and callee.type in table.names else None

    def owner(self, method: Node, field: str) -> Receiver | None:
        """The class of a method that stands outside of it, by the type of its receiver."""
        node = method.child_by_field_name(field)
        for _ in range(_TYPE_DEPTH):
            if node is None or self._table.names.get(node.type) is Namespace.TYPE:
                break
            typed = node.child_by_field_name("type")
            node = typed if typed is not None else node.named_child(0)
        return Receiver("type", node_text(node), node.start_byte - self._first) if node is not None else None

    def literal_key(self, stack: Sequence[NodeContext]) -> tuple[Action, Receiver | None]:
        """What the key of a literal is: a member where a class is named, a use in a map, else it says nothing here."""
        table, nested, dimensions = self._table, 0, 0
        for context in stack[: -_LITERAL_DEPTH - 1 : -1]:
            if context.kind in table.literal_keys:
                node = context.node.child_by_field_name(table.literal_keys[context.kind])
                for _ in range(nested - dimensions - 1):  # of the elements of the elements
                    inner = node.child_by_field_name("element") or node.child_by_field_name("value") if node else None
                    node = inner
                if dimensions and nested <= dimensions:
                    return Action.IGNORE, None
                return self._key_of(node, is_element=nested > 1)
            if context.kind == "init_declarator":
                dimensions = self._dimensions(context.node)
            nested += context.kind in ("literal_value", "initializer_expression", "initializer_list")
        return Action.IGNORE, None

    def _key_of(self, node: Node | None, *, is_element: bool) -> tuple[Action, Receiver | None]:
        """What the key of a literal of a type is."""
        if is_element and node is not None and node.type == "pointer_type":
            node = node.named_child(0)
        if node is not None and node.type == "generic_type":
            node = node.child_by_field_name("type")
        if node is None:
            return Action.IGNORE, None
        if node.type in self._table.names:
            named = self.receiver(node, 0)
            return Action.ATTRIBUTE, named if named.kind == "this" else named._replace(kind="type")
        if node.type in self._table.attributes:  # `E::A { x: 1 }`
            return Action.ATTRIBUTE, self.receiver(node, 0)
        declared = self.type_name(node) if self._table.declarators else None
        if declared is not None:
            return Action.ATTRIBUTE, declared._replace(kind="type")
        return (Action.USE if node.type in _KEYED_BY_VALUES else Action.IGNORE), None

    def _dimensions(self, declarator: Node) -> int:
        """How many brackets stand behind a declared name: of `a[2][3]` two."""
        number, node = 0, declarator.child_by_field_name("declarator")
        for _ in range(_TYPE_DEPTH):
            if node is None or node.type != "array_declarator":
                break
            number, node = number + 1, node.child_by_field_name("declarator")
        return number

    def module(self, stack: Sequence[NodeContext]) -> str:
        """The module of the import at the end of the stack, as it is written; empty where it has none."""
        for context in reversed(stack[-4:]):
            field = self._table.import_modules.get(context.kind)
            if field is not None:
                node = context.node.child_by_field_name(field) if field else context.node.named_child(0)
                return node_text(node) if node is not None else ""
        return node_text(stack[-1].node) if stack and stack[-1].kind in self._table.dotted else ""

    def aliased(self, stack: Sequence[NodeContext]) -> str:
        """The module that an import at the end of the stack gives a name to, or may give one to; empty for others."""
        holder = stack[-1]
        if holder.kind in self._table.import_namespaces:
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
    return holder.kind in table.import_aliases and holder.node.child_by_field_name("alias") is not None


def _behind(node: Node, sign: str) -> Node | None:
    """The named child that follows a sign."""
    found = next((child for child in node.children if child.type == sign), None)
    return found.next_named_sibling if found is not None else None
