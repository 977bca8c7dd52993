"""Where names are visible that a test binds, and where it narrows a name or a path of members to a class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from editahead.analysis.facts.expressions import Expressions, NodeContext
from editahead.analysis.facts.facts import Narrowing, Receiver, Span
from editahead.syntax.construct_tables import PREDICATE, FlowTable
from editahead.syntax.nodes import Node, children_in, node_text
from editahead.syntax.scope_table import ScopeTable

_MAX_DEPTH = 64  # nodes from a name up to the statement that its condition controls
_MAX_BRANCH_DEPTH = 8  # nested statements that may leave the block
_MAX_BLANKS = 400  # bytes behind a case
_MAX_CASE_DEPTH = 4  # nodes from a case up to its switch, and from its pattern down to a class


def bound_spans(table: FlowTable, stack: Sequence[NodeContext]) -> list[Span] | None:
    """The bytes where a name below a stack is visible; None where no condition binds it or the flow is unclear."""
    at = len(stack) - 1
    while at >= 0 and stack[at].kind in table.patterns:
        at -= 1
    return flow_spans(table, stack, at) if at >= 0 and stack[at].kind in table.tests else None


def flow_spans(table: FlowTable, stack: Sequence[NodeContext], at: int) -> list[Span] | None:
    """The bytes that run only after the test at an index of a stack came out true; None where the flow is unclear."""
    spans, outcome = list[Span](), True
    for number in range(at, max(0, at - _MAX_DEPTH), -1):
        node, around, kind = stack[number].node, stack[number - 1].node, stack[number - 1].kind
        if kind in table.unclear or around.has_error:
            return None
        if kind in table.branches and _is_in_field(around, table.conditions.get(kind, "condition"), node):
            return [*spans, *_decided(table, around, stack[number - 2] if number > 1 else None, outcome=outcome)]
        if kind in table.filters and number > 1:
            return [*spans, *(_spans(stack[number - 2].node, table.filters[kind]) if outcome else ())]
        sign = around.child_by_field_name(table.operators) or around.child(0)
        if sign is not None and table.negations.get(kind) == sign.type:
            outcome = not outcome
        elif sign is not None and (table.both if outcome else table.either).get(kind) == sign.type:
            spans += _spans(around, "right") if _is_in_field(around, "left", node) else []
        elif kind not in table.brackets:
            return spans
    return None


def _decided(table: FlowTable, node: Node, holder: NodeContext | None, *, outcome: bool) -> Iterator[Span]:
    """The code in and behind a node that runs only after its condition had an outcome."""
    kind = node.type
    true, false = table.branches[kind]
    runs, others = (true, false) if outcome else (false, true)
    for field in runs:
        yield from _spans(node, field)
    leaves = kind in table.choices and any(
        _leaves(table, other, 0) for field in others for other in children_in(node, field)
    )
    leaves |= kind in table.assertions and outcome
    if holder is not None and holder.kind in table.lists and (leaves or (kind in table.loops and not outcome)):
        yield node.end_byte, holder.node.end_byte


def _leaves(table: FlowTable, node: Node, depth: int) -> bool:
    """Whether a statement may leave the block, so that the code behind it never runs after it; true of loops."""
    if depth == _MAX_BRANCH_DEPTH:
        return True
    if node.type in table.lists:
        statements = [child for child in node.named_children if "comment" not in child.type]
        return bool(statements) and _leaves(table, statements[-1], depth + 1)
    if node.type in table.choices:
        fields = (field for side in table.branches[node.type] for field in side)
        branches = [branch for field in fields for branch in node.children_by_field_name(field)]
        return len(branches) > 1 and all(_leaves(table, branch, depth + 1) for branch in branches)
    return node.type in table.leaving if table.leaving else node.is_named and node.type not in table.staying


def _is_in_field(node: Node, field: str, child: Node) -> bool:
    """Whether a child stands in a field of a node."""
    return any(content.id == child.id for content in children_in(node, field)[:1])


def _spans(node: Node, field: str) -> list[Span]:
    return [(child.start_byte, child.end_byte) for child in children_in(node, field)]


def narrowings(
    table: ScopeTable, read: Expressions, stack: Sequence[NodeContext], data: bytes, first: int
) -> Iterator[Narrowing]:
    """Yield the narrowings by the test or the case at the end of a stack; bytes count from `first`."""
    flow, context = table.flow, stack[-1]
    if context.kind in flow.cases:
        rows, end, spans = _of_case(table, read, stack, data)
    elif len(stack) > 1 and stack[-2].kind in flow.around:
        rows, end, spans = list(_of_test(table, read, context.node)), context.node.end_byte, None
    else:
        return
    for narrowed, named, function in rows:
        path = narrowed.path
        if not path or named.kind not in ("name", "attribute", "step"):
            continue
        spans = flow_spans(flow, stack, len(stack) - 1) if spans is None else spans
        inside = tuple((begin - first, stop - first) for begin, stop in spans or ())
        if inside:
            yield Narrowing(path, narrowed.root.start, named, context.scope, end - first, inside, function)


_ClassTest = tuple[Receiver, Receiver, str]  # what is narrowed, to which class, and the builtin function of the test


def _of_test(table: ScopeTable, read: Expressions, test: Node) -> Iterator[_ClassTest]:
    """Yield what an expression tests: `a instanceof A`, `isinstance(a, A)`, `isA(a)`."""
    sign, call = table.flow.type_tests.get(test.type), table.calls.get(test.type)
    if sign is None:
        return
    if call is None:
        operator = test.child_by_field_name(table.flow.operators)
        sides = [read.receiver(side, 0) for side in test.named_children[:2]]
        if operator is not None and operator.type == sign and len(sides) == 2:
            yield sides[0], sides[1], ""
        return
    callee, arguments = (test.child_by_field_name(field) for field in call)
    if callee is None or callee.type not in table.names or arguments is None or not arguments.named_child_count:
        return
    narrowed, name = read.receiver(arguments.named_children[0], 0), node_text(callee)
    if name == sign and arguments.named_child_count == 2:
        yield narrowed, read.receiver(arguments.named_children[1], 0), name
    elif PREDICATE in table.layers.nodes.values():
        yield narrowed, Receiver("step", PREDICATE, base=Receiver("call", base=read.receiver(callee, 0))), ""


def _of_case(
    table: ScopeTable, read: Expressions, stack: Sequence[NodeContext], data: bytes
) -> tuple[list[_ClassTest], int, list[Span]]:
    """What a case narrows, with the end of its pattern and the bytes that it guards.

    These include the blank lines behind it, where a statement may be written.
    """
    case, field = stack[-1].node, table.flow.cases[stack[-1].kind]
    switches = (context.node.child_by_field_name(field) for context in stack[-2 : -2 - _MAX_CASE_DEPTH : -1])
    subject = next((node for node in switches if node is not None), None)
    patterns = [node for node in case.children_by_field_name("type") if node.is_named]
    patterns = patterns or [node for node in case.named_children if node.type in table.flow.patterns]
    if len(patterns) != 1:
        return [], 0, []
    named, names = _class_of_pattern(table, read, patterns[0])
    if subject is not None:
        names.append(subject)
    while names and names[-1].type in table.transparent and names[-1].named_child_count == 1:
        names.append(names.pop().named_children[0])
    rows = [(read.receiver(name, 0), named, "") for name in names] if named is not None else []
    behind = data[case.end_byte : case.end_byte + _MAX_BLANKS]
    end = case.end_byte + len(behind) - len(behind.lstrip())
    return rows, patterns[0].end_byte, [(patterns[0].end_byte, end)]


def _class_of_pattern(table: ScopeTable, read: Expressions, pattern: Node) -> tuple[Receiver | None, list[Node]]:
    """The class that a pattern asks for, if any, and the names that the pattern gives to the object."""
    names = list[Node]()
    for _ in range(_MAX_CASE_DEPTH):
        if pattern.type in table.flow.aliases and pattern.named_child_count == 2:
            names.append(pattern.named_children[1])
        if pattern.type not in table.flow.aliases | table.flow.patterns or not pattern.named_child_count:
            break
        pattern = pattern.named_children[0]
    if pattern.type not in table.literals.class_patterns.values() or not pattern.named_child_count:
        return read.type_name(pattern), names
    named = read.dotted(pattern.named_children[0])
    return named._replace(kind="name") if named is not None and named.kind == "type" else named, names
