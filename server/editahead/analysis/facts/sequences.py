"""What expressions give of sequences: literals, comprehensions, builtins, methods that call a function with elements.

`[a.b for a in c]` and `c.map((a) => a.b)` are of kind `mapped`: the expression that gives an element, in which the
parameter is replaced by an element of the sequence.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Sequence
from itertools import pairwise

from editahead.analysis.facts.facts import Receiver
from editahead.analysis.facts.written_types import WrittenTypes
from editahead.syntax.construct_tables import ELEMENT, VALUE
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import Namespace, ScopeTable

PARAMETER_DEPTH = 4  # nodes from the name of a parameter up to its function
MAX_RECEIVER_DEPTH = 12
_MAX_PARAMETERS = 4  # of a function that is called with elements
_PATTERN_SIGNS = ("{", "[")
_MAX_NAME = 24  # bytes of a function by its object and name
_MAX_ELEMENTS = 4  # of a literal that are compared
_MAX_CLAUSES = 4  # of a comprehension


def parameter_names(table: ScopeTable, function: Node) -> list[Node | None]:
    """The names of the first parameters of a function; None for a pattern, a type or a default value."""
    rows = function.child_by_field_name(table.functions[function.type])
    if rows is not None and rows.named_child_count:
        nodes = [rows.named_child(number) for number in range(min(_MAX_PARAMETERS, rows.named_child_count))]
    else:
        nodes = [rows or function.child_by_field_name("parameter") or function.named_child(0)]
    return [_parameter_name(table, node) if node is not None else None for node in nodes]


def _parameter_name(table: ScopeTable, parameter: Node) -> Node | None:
    name: Node | None = parameter
    for _ in range(PARAMETER_DEPTH):
        if name is None or name.type in table.names or not name.named_child_count:
            return name
        first = name.child(0)
        if first is not None and first.type in _PATTERN_SIGNS:
            return None
        name = name.named_child(0) if name.named_child_count == 1 else None
    return None


class Sequences(WrittenTypes, ABC):
    """Reads what expressions give of sequences; bytes count from `first`."""

    @abstractmethod
    def receiver(self, node: Node, depth: int) -> Receiver:
        """An expression as the receiver of a member, as Expressions reads it."""

    def member(self, name: Node, base: Receiver) -> Receiver:
        """A member of an expression."""
        return Receiver("attribute", node_text(name), name.start_byte - self._first, base)

    def result(self, call: Node, callee: Receiver, depth: int) -> Receiver:
        """The result of a call; of a method that maps elements, a sequence of what its function gives."""
        layers = self._table.layers
        is_mapping = callee.kind == "attribute" and callee.name in layers.mapping and depth < MAX_RECEIVER_DEPTH
        arguments = call.child_by_field_name("arguments") if is_mapping else None
        function = arguments.named_child(0) if arguments is not None and arguments.named_child_count == 1 else None
        if function is not None and function.type not in self._table.functions and function.named_child_count == 1:
            function = function.named_child(0)  # the node of an argument
        if function is None or callee.base is None:
            return self._collection(call, callee, depth) or Receiver("call", base=callee)
        given = self._given(function, Receiver("step", ELEMENT, base=callee.base), depth)
        return given.mapped(layers.mapping[callee.name]) if given is not None else Receiver("call", base=callee)

    def _collection(self, call: Node, callee: Receiver, depth: int) -> Receiver | None:
        """What a method gives of its arguments or of its type argument: `List.of(a)`, `a.OfType<A>()`."""
        layers, (name, bracket, _) = self._table.layers, callee.name.partition("<")
        if bracket and name in layers.casting:
            function = call.child_by_field_name("function")
            generic = function.child_by_field_name("name") if function is not None else None
            arguments = [node for row in generic.named_children[1:] for node in row.named_children] if generic else []
            named = self.type_name(arguments[0]) if len(arguments) == 1 else None
            is_class = named is not None and named.kind == "name" and named.base is None
            return Receiver("mapped", ELEMENT, base=named._replace(kind="type")) if named and is_class else None
        layer = layers.generic.get(callee.base.name) if callee.base is not None and callee.base.kind == "name" else None
        if layer is None or name not in layers.collecting:
            return None
        rows = call.child_by_field_name("arguments")
        arguments = rows.named_children if rows is not None else []
        if layer[0] == VALUE:
            arguments = arguments[layer[1] :: layer[1] + 1]
        given = self._alike(arguments, depth)
        return Receiver("mapped", layer[0], base=given) if given is not None else None

    def _alike(self, elements: Sequence[Node], depth: int) -> Receiver | None:
        """The first of some elements of the same form; None of none, and of different ones."""
        given = [self.receiver(element, depth + 1) for element in elements[:_MAX_ELEMENTS]]
        is_alike = 0 < len(elements) <= _MAX_ELEMENTS and all(_form(a) == _form(b) for a, b in pairwise(given))
        return given[0] if is_alike else None

    def _given(self, function: Node, element: Receiver, depth: int) -> Receiver | None:
        """What a function gives for an element, its first parameter: its body, or the method that it refers to."""
        table = self._table
        if table.qualified.get(function.type, ("", None))[1] is Namespace.METHOD:
            name = function.named_child(function.named_child_count - 1)
            is_named = name is not None and function.named_child_count == 2 and name.type in table.names
            return Receiver("call", base=self.member(name, element)) if name is not None and is_named else None
        names = parameter_names(table, function) if function.type in table.functions else []
        body = function.child_by_field_name("body")
        if not names or names[0] is None or body is None:
            return None
        texts = [node_text(name) for name in names if name is not None]
        return self.receiver(body, depth + 1).with_first(texts, element)

    def result_of_builtin(self, call: Node, callee: Node, depth: int) -> Receiver | None:
        """What a builtin gives of the sequence that it takes: `sorted(a)`, `next(a)`, `map(f, a)`; None of others."""
        layers, name = self._table.layers, self.function_name(callee)
        if name in layers.applying:
            return self._applied(call, callee, depth)
        if name in layers.picking:
            taken = self.passed_argument(call, callee, layers.picking, depth)
            others = self._arguments(call)[1:]
            is_sequence = name in layers.defaulting or not others
            return Receiver("step", ELEMENT, base=taken) if taken is not None and is_sequence else None
        return self.passed_argument(call, callee, layers.passing, depth)

    def _applied(self, call: Node, callee: Node, depth: int) -> Receiver | None:
        """The elements of the second argument, or what the function before it gives for them."""
        layers, name = self._table.layers, node_text(callee)
        passed = self.passed_argument(call, callee, layers.applying, depth, position=1)
        if passed is None or passed.base is None or name not in layers.mapping:
            return passed
        given = self._given(self._arguments(call)[0], Receiver("step", ELEMENT, base=passed.base), depth + 1)
        return passed._replace(base=Receiver("mapped", ELEMENT, base=given)) if given is not None else None

    def passed_argument(
        self, call: Node, callee: Node, functions: Container[str], depth: int = 0, position: int = 0
    ) -> Receiver | None:
        """The argument of a call of some builtins, which keep its elements (`sorted(a)`); None of any other call."""
        name = self.function_name(callee) if functions else ""
        if not name or name not in functions:
            return None
        arguments = self._arguments(call)
        if len(arguments) <= position:
            return None
        start = callee.start_byte - self._first
        return Receiver("passed", name, start, self.receiver(arguments[position], depth + 1))

    def type_of_new(self, call: Node, callee: Node) -> Receiver | None:
        """The type that is the first argument of a call of a builtin: `make([]A)`; None of any other call."""
        arguments = self._arguments(call) if self.function_name(callee) in self._table.layers.making else []
        return self.type_name(arguments[0]) if arguments else None

    def function_name(self, callee: Node) -> str:
        """The name of a function, which may be that of an object: `Object.values`; empty of any other expression."""
        is_member = callee.type in self._table.attributes and callee.end_byte - callee.start_byte <= _MAX_NAME
        return node_text(callee) if is_member or callee.type in self._table.names else ""

    def _arguments(self, call: Node) -> list[Node]:
        """The arguments of a call that are given without a keyword."""
        arguments = call.child_by_field_name(self._table.calls[call.type][1])
        if arguments is None or arguments.type in self._table.layers.comprehensions:
            return [arguments] if arguments is not None else []
        return [node for node in arguments.named_children if node.type not in self._table.parameters.keyword_arguments]

    def first_argument(self, call: Node) -> Receiver | None:
        """The first argument of a call that is given without a keyword."""
        arguments = self._arguments(call)
        return self.receiver(arguments[0], 0) if arguments else None

    def sequence(self, node: Node, depth: int) -> Receiver | None:
        """A literal with elements of the same form, or a comprehension; None of any other node."""
        layers = self._table.layers
        if node.type in layers.sequences:
            elements = node.named_children
            if len(elements) == 1 and elements[0].type in self._table.parameters.rest:  # `[...a]`
                inner = elements[0].named_children
                return Receiver("passed", base=self.receiver(inner[0], depth + 1)) if inner else None
            given = self._alike(elements, depth)
            return Receiver("mapped", ELEMENT, base=given) if given is not None else None
        layer, body = layers.comprehensions.get(node.type, ""), node.child_by_field_name("body")
        if body is not None and layer == VALUE:
            body = body.child_by_field_name("value")
        return self._comprehension(node, body, layer, depth) if layer and body is not None else None

    def _comprehension(self, node: Node, body: Node, layer: str, depth: int) -> Receiver | None:
        """What a comprehension gives, `[a.b for a in c]`: the last of several clauses is that of the element."""
        clauses = [child for child in node.named_children if child.type in self._table.layers.loops]
        given = self.receiver(body, depth + 1)
        for clause in reversed(clauses[:_MAX_CLAUSES]):
            target = clause.named_child(0)
            values = clause.child_by_field_name(self._table.layers.loops[clause.type])
            if target is None or values is None:
                return None
            names = [node_text(target)] if target.type in self._table.names else ["", *_names_in(self._table, target)]
            given = given.with_first(names, Receiver("step", ELEMENT, base=self.receiver(values, depth + 1)))
        return Receiver("mapped", layer, base=given)


def _names_in(table: ScopeTable, target: Node) -> Sequence[str]:
    return [node_text(child) for child in target.named_children if child.type in table.names]


def _form(receiver: Receiver) -> tuple[str, ...]:
    """The kinds and names of an expression, without its places."""
    rows, inner = list[str](), receiver
    while inner is not None:
        rows += (inner.kind, inner.name)
        if inner.base is None:
            break
        inner = inner.base
    return tuple(rows)
