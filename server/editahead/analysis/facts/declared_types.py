"""The types of declared names, written out or given by their values; and classes that a context expects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from editahead.analysis.facts.expressions import Expressions, NodeContext
from editahead.analysis.facts.facts import Receiver
from editahead.analysis.facts.sequences import PARAMETER_DEPTH, parameter_names
from editahead.syntax.construct_tables import ELEMENT, ITEM, VALUE
from editahead.syntax.nodes import Node, children_in, node_text
from editahead.syntax.scope_table import ScopeKind, ScopeTable

_MAX_DEPTH = 64  # nodes from a value or a pattern up to the declaration of its class
_MAX_NESTED = 8  # patterns, each of a member that the enclosing pattern names
_MAX_NAMES = 16  # names in a key of a pattern
_BEFORE_KEY_SIGN = 3  # children before the sign behind a key
_MAX_TARGETS = 16  # names to which a call is unpacked
_PATTERN = 6  # nodes from a pattern up to the declaration of the unpacked value
_MAX_PATTERN_DEPTH = 64  # nodes from a pattern up to the matched value
_ARGUMENT = 3  # nodes from a function up to the call of which it is an argument


def as_type(declared: Receiver) -> Receiver:
    """A receiver with a name taken for that of a class; any other receiver unchanged."""
    return declared._replace(kind="type") if declared.kind == "name" else declared


def expected_class(table: ScopeTable, read: Expressions, value: Node, above: Sequence[NodeContext]) -> Receiver | None:
    """The class of a value without a type of its own, by the declaration, result type or assignment around it."""
    types, returned = table.types, False
    for number, context in enumerate(above[: -_MAX_DEPTH - 1 : -1], 1):
        kind, node = context.kind, context.node
        is_function = kind in table.functions or table.scopes.get(kind) is ScopeKind.FUNCTION
        if kind in types.results and (returned or _is_in(node, "body", value)):
            return _class_in(read, node, types.results[kind])
        if returned and not is_function:
            continue
        if kind in types.returns:
            returned = True
        elif kind in types.value_wrappers or kind in types.result_clauses:
            value = node
        elif kind in types.value_places and _is_in(node, types.value_places[kind], value):
            holders = (outer for outer in above[-number : -number - 2 : -1] if outer.kind in types.declared)
            holder = next(holders, None)
            return _class_in(read, holder.node, types.declared[holder.kind]) if holder is not None else None
        elif kind in types.assignments and _is_in(node, "right", value):
            inside = number < len(above) and above[-number - 1].kind in table.literals.lists  # it follows a key
            target = node.child_by_field_name(types.assignments[kind]) if not inside else None
            return read.receiver(target, 0) if target is not None else None
        else:
            return None
    return None


def matched_value(
    table: ScopeTable, read: Expressions, pattern: Node, above: Sequence[NodeContext], depth: int = 0
) -> Receiver | None:
    """The value that a pattern is matched with: an expression, or the member that the enclosing pattern names."""
    rules = table.patterns
    for number, context in enumerate(above[: -_MAX_DEPTH - 1 : -1], 1):
        kind, node = context.kind, context.node
        if kind in rules.matched:
            value = node.child_by_field_name(rules.matched[kind]) if rules.matched[kind] else node.child(0)
            return read.receiver(value, 0) if value is not None else None
        if kind in rules.keyed:
            key = node.named_child(0)
            outer = _matched_object(table, read, above[:-number], depth) if key and _has_key(table, node) else None
            return rebased_path(read.receiver(key, 0), outer) if key is not None and outer is not None else None
        if kind not in rules.around or _is_narrowed(table, node, pattern):
            return None
        pattern = node
    return None


def path_of_key(table: ScopeTable, stack: Sequence[NodeContext]) -> Node | None:
    """The dotted key of a pattern in which a name stands: `A.B: 1`; None where it stands in none."""
    outermost: Node | None = None
    for context in stack[: -_MAX_NAMES - 1 : -1]:
        if context.kind in table.patterns.paths:
            outermost = context.node
            continue
        is_key = context.kind in table.patterns.keyed and _has_key(table, context.node)
        at_start = outermost is not None and outermost.start_byte == context.node.start_byte
        return outermost if is_key and at_start else None
    return None


def rebased_path(path: Receiver, owner: Receiver) -> Receiver:
    """A path of members with its first name as a member of an owner."""
    names = list[tuple[str, int]]()
    at: Receiver | None = path
    while at is not None and at.kind in ("name", "attribute") and len(names) < _MAX_NAMES:
        names.append((at.name, at.start))
        at = at.base
    if at is not None or not names:
        return Receiver("other")
    for name, start in reversed(names):
        owner = Receiver("attribute", name, start, owner)
    return owner


def _matched_object(table: ScopeTable, read: Expressions, above: Sequence[NodeContext], depth: int) -> Receiver | None:
    """The object that the pattern around a key takes apart, by its class if the pattern names it."""
    if depth >= _MAX_NESTED or len(above) < 2 or above[-1].kind not in table.patterns.key_lists:
        return None
    holder = above[-2]
    field = table.literals.keys.get(holder.kind)
    named = holder.node.child_by_field_name(field) if field else None
    if named is None:
        return matched_value(table, read, holder.node, above[:-2], depth + 1) if field else None
    declared = read.class_name(named)
    return as_type(declared) if declared is not None else None


def _has_key(table: ScopeTable, holder: Node) -> bool:
    """Whether a key precedes the pattern in a node."""
    return any(child.type == table.patterns.key_sign for child in holder.children[:_BEFORE_KEY_SIGN])


def _is_narrowed(table: ScopeTable, node: Node, pattern: Node) -> bool:
    """Whether an earlier pattern in the same node may restrict the object to a derived class."""
    first = node.child_by_field_name(table.patterns.both[node.type]) if node.type in table.patterns.both else None
    if first is None or first.id == pattern.id:
        return False
    inner = first.named_child(0) if first.named_child_count == 1 else None
    if first.type in table.patterns.classless or (inner is not None and inner.type in table.patterns.classless):
        return False
    field = table.literals.keys.get(first.type)
    return field is None or first.child_by_field_name(field) is not None


def _class_in(read: Expressions, holder: Node, field: str) -> Receiver | None:
    typed = holder.child_by_field_name(field)
    declared = read.class_name(typed) if typed is not None else None
    return as_type(declared) if declared is not None else None


def _is_in(holder: Node, field: str, value: Node) -> bool:
    """Whether a node has a value in a field, or behind `=`."""
    if field == "=":
        last = holder.children[-2:]
        return len(last) == 2 and last[0].type == "=" and last[1].id == value.id
    in_field = holder.child_by_field_name(field)
    return in_field is not None and in_field.id == value.id


class DeclaredType(NamedTuple):
    """The type that a declaration gives a name, None where it is unknown; whether the declaration writes it out."""

    named: Receiver | None
    is_written: bool = False


NO_TYPE = DeclaredType(None)


def declared_type(table: ScopeTable, read: Expressions, name: Node, stack: Sequence[NodeContext]) -> DeclaredType:
    """The type that a declaration at the end of a stack gives a name."""
    above = stack
    if above and above[-1].kind in table.types.value_wrappers and above[-1].node.named_child_count == 1:
        above = above[:-1]
    end = len(above)
    while (
        end and above[end - 1].kind in table.types.declarators and above[end - 1].kind not in table.types.initial_values
    ):
        end -= 1
    declarator = above[end].node if end < len(above) else name  # `ref a`
    near, above = above[max(0, end - 2) : end][::-1], above[:end]
    for context in near[:1]:
        written = table.types.declared.get(context.kind, "")
        if context.kind in table.patterns.objects and context.node.child_by_field_name(written) is None:
            taken = matched_value(table, read, context.node, stack[-_MAX_PATTERN_DEPTH:-1])
            return DeclaredType(Receiver("step", base=taken) if taken is not None else None)
        if context.kind in table.transparent and context.kind not in table.types.declarators:
            unpacked = _unpacked(table, read, declarator, near, above)
            return DeclaredType(unpacked or given_parameter(table, read, name, above))
        if table.types.array_sign and context.node.child_by_field_name(table.types.array_sign) is not None:
            return DeclaredType(None, is_written=True)
    for context in near:
        field = table.types.declared.get(context.kind)
        declared = next(iter(children_in(context.node, field)), None) if field else None
        named = read.type_name(declared) if declared is not None else None
        brackets = [each for each in stack[end:] if each.kind in table.types.array_declarators.values()]
        named = Receiver("layer", ELEMENT, base=named) if named and brackets and table.layers.loops else named
        if declared is not None and (named is not None or node_text(declared) not in table.types.inferred):
            return DeclaredType(named, is_written=True)
    for context in near:
        field = table.types.initial_values.get(context.kind)
        value = _child_after(context.node, field) if field == "=" else None
        if field and value is None:
            value = context.node.child_by_field_name(field)
        if value is not None:
            is_empty = node_text(value) in table.types.without_members
            return DeclaredType(Receiver("nothing") if is_empty else read.value(value))
        if field and field != "=":
            return DeclaredType(Receiver("nothing"))
    is_loop = bool(near) and near[0].kind in table.layers.loops and near[0].kind not in table.layers.loop_values
    element = element_of_loop(table, read, near[0].node) if is_loop else None
    given = element or _out_argument(table, read, above)
    return DeclaredType(given or given_parameter(table, read, name, above))


def _out_argument(table: ScopeTable, read: Expressions, above: Sequence[NodeContext]) -> Receiver | None:
    """The value of a variable that an argument declares: `a.TryGetValue(b, out var c)`."""
    for context in above[-2 : -2 - _ARGUMENT : -1] if table.layers.out_arguments else ():
        method = read.callee(context.node)
        if method is not None:
            step = table.layers.out_arguments.get(method.name, "") if method.kind == "attribute" else ""
            return Receiver("step", step, base=method.base) if step else None
    return None


def element_of_loop(table: ScopeTable, read: Expressions, loop: Node) -> Receiver | None:
    """An element of what a loop goes through; None where it goes through keys."""
    sequence = loop.child_by_field_name(table.layers.loops[loop.type])
    has_keys = any(child.type in table.layers.loop_keys for child in loop.children)
    return Receiver("step", ELEMENT, base=read.receiver(sequence, 0)) if sequence is not None and not has_keys else None


def pattern_owner(
    table: ScopeTable, read: Expressions, holder: NodeContext, pattern: Node, above: Sequence[NodeContext]
) -> Receiver | None:
    """What a pattern without a type takes apart: a value, an element of a loop, or a parameter; None elsewhere."""
    literals, node = table.literals, holder.node
    if holder.kind in table.layers.loops:
        return element_of_loop(table, read, node)
    if node.child_by_field_name(literals.keys.get(holder.kind, "")) is not None:
        return None
    value = node.child_by_field_name(literals.destructured.get(holder.kind, ""))
    if value is not None or holder.kind not in literals.taken_apart:
        return read.receiver(value, 0) if value is not None else None
    given = given_parameter(table, read, pattern, above)
    return as_type(given) if given is not None else None


def given_parameter(table: ScopeTable, read: Expressions, name: Node, above: Sequence[NodeContext]) -> Receiver | None:
    """What a parameter without a type is given, by the declaration or the call in which its function stands."""
    at = next((n for n in range(1, min(PARAMETER_DEPTH, len(above)) + 1) if above[-n].kind in table.functions), 0)
    is_first = at > 0 and bool(table.literals.tag_functions) and is_first_parameter(table, above[-at].node, name)
    attributes = attributes_type(table, read, above[-at].node, above[:-at]) if is_first else None
    return attributes or _callback_parameter(table, read, name, above)


def is_first_parameter(table: ScopeTable, function: Node, name: Node) -> bool:
    """Whether a name or pattern is the first parameter of a function, without a type."""
    rows = function.child_by_field_name(table.functions[function.type])
    first = rows.named_child(0) if rows is not None and rows.named_child_count else None
    return first is not None and first.start_byte == name.start_byte


def attributes_type(
    table: ScopeTable, read: Expressions, function: Node, above: Sequence[NodeContext]
) -> Receiver | None:
    """The type of the attributes of a function's tag, by its variable or call around it: `FC<A>`, `memo<A>()`."""
    first = above[-1].node.named_child(0) if len(above) > 1 and above[-2].kind in table.calls else None
    if first is not None and first.id != function.id:  # memo(component, comparison)
        return None
    for context in above[: -_ARGUMENT - 1 : -1]:
        call, typed = table.calls.get(context.kind), table.types.declared.get(context.kind, "")
        named = context.node.child_by_field_name(call[0] if call else typed)
        named = named.named_child(0) if named is not None and named.type in table.types.wrappers else named
        holder = context.node if call else named
        name = read.function_name(named) if call and named is not None else ""
        if not call and holder is not None and holder.type in table.types.generic:
            name = node_text(holder.named_children[0])
        arguments = holder.child_by_field_name("type_arguments") if holder is not None else None
        position = table.literals.tag_functions.get(name.rpartition(".")[2], -1)
        if arguments is not None and 0 <= position < arguments.named_child_count:
            return read.type_name(arguments.named_children[position])
        if context.kind in table.functions or (call and name not in table.literals.wrapping):
            break
    return None


def _callback_parameter(
    table: ScopeTable, read: Expressions, name: Node, above: Sequence[NodeContext]
) -> Receiver | None:
    """The parameter of a function that a method calls with elements: `items.map((item) => ...)`."""
    if not table.layers.visiting:
        return None
    at = next((n for n in range(1, min(PARAMETER_DEPTH, len(above)) + 1) if above[-n].kind in table.functions), 0)
    position = _parameter_position(table, above[-at].node, name) if at else -1
    if position < 0:
        return None
    layers, by_keyword = table.layers, False
    inner, methods = above[-at].node, layers.comparing if position else layers.visiting
    for context in above[-at - 1 : -at - 1 - _ARGUMENT : -1]:
        first = context.node.named_child(0) if context.node.named_child_count else None
        method = read.callee(context.node)
        if first is not None and context.kind in table.parameters.keyword_arguments:
            by_keyword = node_text(first) in layers.visiting_keywords
        elif method is None and not by_keyword and (first is None or first.id != inner.id):
            return None  # not the first argument
        inner = context.node
        if method is not None and method.kind == "name":
            functions = layers.passing.keys() | layers.picking if by_keyword else layers.applying
            callee = (
                context.node.child_by_field_name(table.calls[context.kind][0]) if context.kind in table.calls else None
            )
            passed = read.passed_argument(context.node, callee, functions, 0, not by_keyword) if callee else None
            return Receiver("step", ELEMENT, base=passed) if passed is not None else None
        if method is not None:
            visits = method.kind == "attribute" and method.name in methods
            return Receiver("step", ITEM if position else ELEMENT, base=method.base) if visits else None
    return None


def _parameter_position(table: ScopeTable, function: Node, name: Node) -> int:
    """Which of the first two parameters of a function a name is, without a type or default value; -1 for none."""
    names = parameter_names(table, function)[:2]
    is_pattern = name.type in table.literals.lists and is_first_parameter(table, function, name)
    return 0 if is_pattern else next((at for at, node in enumerate(names) if node and node.id == name.id), -1)


def _unpacked(
    table: ScopeTable, read: Expressions, name: Node, near: Sequence[NodeContext], above: Sequence[NodeContext]
) -> Receiver | None:
    """The value of a name among several targets of a call or loop: `a, err := f()`, `for i, a := range b`."""
    targets = near[0].node
    holder = next((each for each in above[-2:-5:-1] if each.kind not in table.types.declarators), near[-1])
    position = _position(targets, name)
    first = targets.named_child(0) if position == 1 else None
    if first is not None and node_text(first) in table.layers.patterns:
        matched = _matched_with(table, above)
        return Receiver("step", ITEM, base=read.receiver(matched, 0)) if matched is not None else None
    if holder.kind in table.layers.loops:
        sequence = holder.node.child_by_field_name(table.layers.loops[holder.kind])
        if sequence is None or position < 0:
            return None
        if holder.kind in table.layers.loop_values:
            return Receiver("step", ITEM, base=read.receiver(sequence, 0)) if position == 1 else None
        return _of_pairs(table, read, sequence, position)
    field = table.types.initial_values.get(holder.kind)
    value = holder.node.child_by_field_name(field) if field else None
    if value is None or position < 0:
        return None
    if targets.type in table.literals.lists:  # `const { a } = b`
        member = Receiver("attribute", node_text(name), 0, read.receiver(value, 0))
        return Receiver("step", base=member) if name.type in table.literals.shorthands else None
    if value.type in table.layers.sequences and value.named_child_count == targets.named_child_count:
        return read.value(value.named_children[position])
    if not table.types.result_lists:
        return Receiver("step", ELEMENT, base=read.receiver(value, 0)) if table.layers.unpacking else None
    result = read.value(value)
    if result is None or result.kind == "step" or read.is_cast(value):  # `a, ok := b[0]`
        return result if position == 0 else None
    return Receiver("call", base=result.base if result.kind == "call" else result, position=position)


def _of_pairs(table: ScopeTable, read: Expressions, sequence: Node, position: int) -> Receiver | None:
    """The value of a loop's target by position: `for n, a in enumerate(b)`, `for key, a in b.items()`."""
    function = read.callee(sequence)
    is_method = function is not None and function.kind == "attribute" and not _has_arguments(table, sequence)
    if function is not None and is_method and function.name in table.layers.pairing:
        layer = table.layers.pairing[function.name]
        return Receiver("step", layer, base=function.base) if position == 1 else None
    if table.layers.map_pairs:
        return Receiver("step", VALUE, base=read.receiver(sequence, 0)) if position == 1 else None
    fields = table.calls.get(sequence.type)
    callee = sequence.child_by_field_name(fields[0]) if fields else None
    if callee is None:
        return None
    counted = read.passed_argument(sequence, callee, table.layers.counting) if position == 1 else None
    argument = counted or read.passed_argument(sequence, callee, table.layers.zipping, position=position)
    return Receiver("step", ELEMENT, base=argument) if argument is not None else None


def _has_arguments(table: ScopeTable, call: Node) -> bool:
    arguments = call.child_by_field_name(table.calls[call.type][1]) if call.type in table.calls else None
    return arguments is not None and arguments.named_child_count > 0


def _matched_with(table: ScopeTable, above: Sequence[NodeContext]) -> Node | None:
    """The value that an outermost pattern takes apart."""
    for context in above[-2 : -_PATTERN - 1 : -1]:
        field = table.layers.pattern_values.get(context.kind)
        if field is not None:
            return context.node.child_by_field_name(field)
        if context.kind not in table.layers.pattern_holders:
            return None
    return None


def _position(targets: Node, name: Node) -> int:
    """The index of a name among the targets of a declaration; -1 where it is nested or too far behind."""
    for position in range(min(targets.named_child_count, _MAX_TARGETS)):
        target = targets.named_child(position)
        if target is not None and target.id == name.id:
            return position
    return -1


def _child_after(node: Node, sign: str) -> Node | None:
    """The named child that follows a sign."""
    before = next((child for child in node.children if child.type == sign), None)
    return before.next_named_sibling if before is not None else None
