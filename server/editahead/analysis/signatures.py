"""Parameter lists and calls, with the positions of their items."""

from __future__ import annotations

from typing import NamedTuple

from editahead.syntax.nodes import Node, Parts, node_text, tree_roots
from editahead.syntax.scope_table import ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot

_WITH_TYPES = frozenset({"generic_name", "template_function", "template_method"})  # a name, and types in brackets
_MAX_DEPTH = 400  # nodes from the root to a name


class Item(NamedTuple):
    """A parameter or an argument in bytes [start, end) of the text.

    `name`: of a parameter its name, of an argument its keyword or empty. `optional`: a parameter with a default value.
    `form`: plain, rest (`*args`, `**kwargs`, `...`), separator (`*`, `/`), object (`&self`).
    """

    start: int
    end: int
    name: str
    optional: bool = False
    form: str = "plain"


class Row(NamedTuple):
    """The items between two brackets; `start` is behind the opening bracket, `end` before the closing bracket."""

    start: int
    end: int
    items: tuple[Item, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its items."""
        return tuple(item.name for item in self.items)


class Declared(NamedTuple):
    """A function by its name and parameters."""

    name_start: int
    name: str
    parameters: Row


def path_to(syntax: SyntaxSnapshot, byte: int) -> tuple[list[Node], int]:
    """The nodes that hold a byte, outermost first, and the first byte of their tree."""
    for offset, root in reversed(tree_roots(syntax, Parts(frozenset(), (byte,)))):
        if offset <= byte:
            path, at = [root], byte - offset
            leaf = root.descendant_for_byte_range(at, at)
            for _ in range(_MAX_DEPTH):
                if leaf is None or path[-1].id == leaf.id:
                    break
                inner = path[-1].child_with_descendant(leaf)
                if inner is None:
                    break
                path.append(inner)
            return path, offset
    return [], 0


def function_with_parameters_at(syntax: SyntaxSnapshot, table: ScopeTable, byte: int) -> Declared | None:
    """The function whose parameter list holds a byte; None where there is none or the list has a syntax error."""
    path, offset = path_to(syntax, byte)
    for node in reversed(path):
        field = table.functions.get(node.type)
        row = node.child_by_field_name(field) if field else None
        if field is None:
            continue
        name = _name(node, table)
        if row is None or name is None or not row.start_byte < byte - offset < row.end_byte or row.has_error:
            return None
        sign = table.sign_of(name.type)
        return Declared(name.start_byte + sign + offset, node_text(name)[sign:], _parameters(row, table, offset))
    return None


def function_named(syntax: SyntaxSnapshot, table: ScopeTable, byte: int) -> Declared | None:
    """The function whose name begins at a byte."""
    path, offset = path_to(syntax, byte)
    for node in reversed(path):
        field = table.functions.get(node.type)
        name = _name(node, table) if field else None
        row = node.child_by_field_name(field) if field else None
        sign = table.sign_of(name.type) if name is not None else 0
        if name is not None and row is not None and name.start_byte + sign + offset == byte and not row.has_error:
            return Declared(byte, node_text(name)[sign:], _parameters(row, table, offset))
    return None


def decorators(syntax: SyntaxSnapshot, table: ScopeTable, byte: int) -> tuple[str, ...]:
    """The decorators of the declaration whose name begins at a byte, each by the last part of its dotted name."""
    path, offset = path_to(syntax, byte)
    for node in path:
        if node.type in table.wrappers:
            inner = node.child_by_field_name(table.wrappers[node.type])
            name = _name(inner, table) if inner is not None else None
            if name is not None and name.start_byte + offset == byte:
                texts = (node_text(child) for child in node.named_children if child.type == "decorator")
                return tuple(text.lstrip("@ ").partition("(")[0].strip().rpartition(".")[2] for text in texts)
    return ()


def call_of(syntax: SyntaxSnapshot, table: ScopeTable, byte: int) -> Row | None:
    """The arguments of the call of the name at a byte; None where it is not called."""
    path, offset = path_to(syntax, byte)
    if len(path) < 2 or path[-1].type not in table.names:
        return None
    callee, outer = path[-1], len(path) - 2
    if path[outer].type in _WITH_TYPES and path[outer].start_byte == callee.start_byte and outer:
        callee, outer = path[outer], outer - 1
    fields = table.attributes.get(path[outer].type)
    if fields is not None:
        member = path[outer].child_by_field_name(fields[1])
        if member is None or member.id != callee.id:
            return None
        callee, outer = path[outer], outer - 1
    if outer >= 0 and path[outer].type == "generic_function":
        callee, outer = path[outer], outer - 1
    if outer < 0:
        return None
    call = path[outer]
    field = _callee_field(call, table)
    in_field = call.child_by_field_name(field) if field else None
    row = call.child_by_field_name("arguments")
    if in_field is None or in_field.id != callee.id or row is None or row.has_error:
        return None
    return _arguments(row, table, offset)


def _callee_field(call: Node, table: ScopeTable) -> str | None:
    """The field of a call that holds its callee; None of any other node."""
    fields, method_fields = table.calls.get(call.type), table.method_calls.get(call.type)
    return fields[0] if fields else method_fields[1] if method_fields else table.creations.get(call.type)


class Call(NamedTuple):
    """A call: the byte of the last name of its callee, that name, and the arguments."""

    name_start: int
    name: str
    arguments: Row


def call_around(syntax: SyntaxSnapshot, table: ScopeTable, byte: int) -> Call | None:
    """The innermost call whose argument list holds a byte; None where there is none, or where its callee is unnamed."""
    path, offset = path_to(syntax, byte)
    for node in reversed(path):
        field = _callee_field(node, table)
        row = node.child_by_field_name("arguments") if field else None
        if field is None or row is None or not row.start_byte < byte - offset < row.end_byte:
            continue
        callee = node.child_by_field_name(field)
        fields = table.attributes.get(callee.type) if callee is not None else None
        name = callee.child_by_field_name(fields[1]) if callee is not None and fields else callee
        if callee is None or name is None or name.type not in table.names or row.has_error:
            return None
        sign = table.sign_of(name.type)
        return Call(name.start_byte + sign + offset, node_text(name)[sign:], _arguments(row, table, offset))
    return None


def _name(node: Node, table: ScopeTable) -> Node | None:
    """The name of a function; of a method declared outside its class, `A::m`, the last part."""
    name = node.child_by_field_name(table.name_field)
    is_outside = name is not None and name.type in table.classes.outside_names
    fields = table.attributes.get(name.type) if name is not None and is_outside else None
    return name.child_by_field_name(fields[1]) if name is not None and fields else name


def _parameters(row: Node, table: ScopeTable, offset: int) -> Row:
    items = []
    for node in row.named_children:
        if "comment" in node.type:
            continue
        form = "separator" if node.type in table.parameters.separators else "plain"
        form = "object" if node.type in table.parameters.objects else form
        inner: Node | None = node
        while inner is not None and inner.type not in table.names:
            form = "rest" if inner.type in table.parameters.rest else form
            inner = inner.child_by_field_name(table.name_field) or next(iter(inner.named_children), None)
            if inner is not None and inner.type in table.classes.this_nodes:
                form = "object"
        optional = node.type in table.parameters.optional or any(child.type == "=" for child in node.children)
        names = node.children_by_field_name("name")
        if len(names) > 1:  # `a, b int`
            items += [Item(name.start_byte + offset, name.end_byte + offset, node_text(name)) for name in names]
            continue
        items.append(Item(node.start_byte + offset, node.end_byte + offset, node_text(inner), optional, form))
    return Row(row.start_byte + offset + 1, row.end_byte + offset - 1, tuple(items))


def _arguments(row: Node, table: ScopeTable, offset: int) -> Row:
    items = []
    for node in row.named_children:
        if "comment" in node.type:
            continue
        key = node.child_by_field_name("name") if node.type in table.parameters.keyword_arguments else None
        form = "rest" if node.type in table.parameters.rest else "plain"
        items.append(Item(node.start_byte + offset, node.end_byte + offset, node_text(key), False, form))
    return Row(row.start_byte + offset + 1, row.end_byte + offset - 1, tuple(items))
