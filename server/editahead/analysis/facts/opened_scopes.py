"""The scopes that the nodes of a walk open: their names, parameters and bases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from editahead.analysis.facts.declared_types import attributes_type
from editahead.analysis.facts.expressions import Expressions, NodeContext
from editahead.analysis.facts.facts import Receiver, ScopeFacts
from editahead.analysis.facts.literals import MAX_ARGUMENTS, literal_type
from editahead.syntax.construct_tables import AWAITED
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import ScopeKind, ScopeTable

_RETURNED = re.compile(r"\breturn\b[ \t]*([^\n;]*)")
_MAX_RETURNED = 20_000  # bytes of a function that is read for what it returns
_NO_BASES = ("keyword_argument", "access_specifier")
_BEFORE_FUNCTION = 3  # nodes before the word for a function
_MODIFIERS = 32  # before a declaration, annotations included
_MAX_EMBEDDED = 64  # in a class
_MAX_WRAPPERS = 6  # calls and casts around a value, each with its list of arguments
_DECLARATORS = 8  # nodes from a function down to its name


def is_static(node: Node) -> bool:
    """Whether a declaration has the modifier `static`."""
    return "static" in modifiers(node)


def modifiers(node: Node) -> set[str]:
    """The modifiers before a declaration, in a common node or a node each, without annotations."""
    first = node.child(0)
    if first is not None and first.type == "modifiers":
        return {word.type for word in first.children[:_MODIFIERS]}
    return {node_text(word) for word in node.children[:_MODIFIERS] if word.type == "modifier"}


def _is_async(function: Node) -> bool:
    """Whether a function is async, so that its calls are awaited, whatever result type is written."""
    return any(
        child.type == "async" or (child.type == "function_modifiers" and "async" in node_text(child))
        for child in function.children[:_BEFORE_FUNCTION]
    )


class OpenedScopes:
    """Adds the scopes of a walk to `scopes`; bytes count from `first`."""

    def __init__(self, table: ScopeTable, first: int, read: Expressions, scopes: list[ScopeFacts]) -> None:
        self._table, self._first, self._read, self._scopes = table, first, read, scopes

    def open_scope(self, node: Node, kind: str, scope: int, stack: Sequence[NodeContext]) -> int:
        """The scope of a node's children: a new scope if the node opens it."""
        table = self._table
        whole, scope_kind = node, table.scopes.get(kind)
        if kind in table.generics:
            node = self._declaration(node)
            kind, scope_kind = node.type, table.scopes.get(node.type, ScopeKind.COMPREHENSION)
        elif scope_kind is None and stack:
            scope_kind = table.scopes.get((stack[-1].kind, kind))
        signs = table.scoped_by.get(kind)
        if signs is not None and not any(child.type in signs for child in node.children):
            scope_kind = None
        if scope_kind is None:
            if kind in table.imports.wildcards and any(c.type == table.imports.wildcards[kind] for c in node.children):
                self._scopes[scope].has_wildcard = True
            return scope
        shared = self._shared(whole.type, stack)
        if shared is not None:
            return shared
        name = self._name(node, stack)
        field = table.classes.unnamed_inside.get(stack[-1].kind) if stack and name is None else None
        if field is not None and scope_kind is ScopeKind.CLASS and stack[-1].node.child_by_field_name(field) is None:
            return scope
        facts = ScopeFacts(scope_kind, scope, whole.start_byte - self._first, whole.end_byte - self._first)
        facts.name_start = facts.start if kind in table.types.inline else -1
        if name is not None:
            sign = table.sign_of(name.type)
            facts.name, facts.name_start = node_text(name)[sign:], name.start_byte + sign - self._first
        facts.implicit_name = table.implicit_names.get(kind, {}).get(facts.name, "")
        if table.classes.static_scopes:
            around = stack[-1].kind if stack and scope_kind is ScopeKind.BLOCK else ""
            facts.without_object = not table.classes.static_scopes.isdisjoint((kind, around)) or is_static(node)
        if scope_kind is ScopeKind.FUNCTION or kind in table.functions:
            self._function(facts, node, kind, stack)
        facts.is_module = kind in table.modules
        facts.members_are_private = kind in table.classes.private_inside
        facts.fields_are_types = kind in table.classes.types_inside
        facts.is_literal, facts.outer_object = kind in table.literals.objects, kind in table.classes.outer_objects
        if facts.is_literal and stack:
            facts.value_of = self._variable(node, stack)
        facts.bases = tuple(self._bases(node, kind, facts))
        if scope_kind is ScopeKind.CLASS and name is None and stack:
            is_literal = kind in table.literals.objects
            base = literal_type(table, self._read, node, stack) if is_literal else self._read.created_by(stack[-1].node)
            facts.bases += (base,) if base is not None else ()
        if kind in table.classes.extensions:
            extended = node.child_by_field_name(table.classes.extensions[kind])
            extended = self._read.without_arguments(extended) if extended is not None else None
            facts.is_extension = True
            facts.bases = (self._read.receiver(extended, 0),) if extended is not None else ()
            given = node.child_by_field_name(table.classes.extension_bases.get(kind, "")) if facts.bases else None
            named = self._read.class_name(self._read.without_arguments(given)) if given is not None else None
            facts.bases += (named,) if named is not None else ()
        if scope_kind is ScopeKind.FUNCTION and table.classes.outside_names:
            self._of_class(facts, node)
        self._scopes.append(facts)
        return len(self._scopes) - 1

    def embed(self, node: Node, scope: int) -> None:
        """Note that a class embeds another class: it has the members of an object without a field name."""
        typed = node.child_by_field_name("type") or node
        base = self._read.class_name(self._read.without_arguments(typed)) or Receiver("other")
        facts = self._scopes[scope]
        if facts.kind is ScopeKind.CLASS and len(facts.bases) < _MAX_EMBEDDED:
            facts.bases += (base,)

    def _shared(self, kind: str, stack: Sequence[NodeContext]) -> int | None:
        """The scope of the function whose parameters a node holds; None where they have their own scope."""
        around = self._table.shared_scopes.get(kind)
        if around is None:
            return None
        for context in stack[: -_DECLARATORS - 1 : -1]:
            if context.kind in around:
                return context.scope
            if context.kind not in self._table.transparent:
                return None
        return None

    def _declaration(self, node: Node) -> Node:
        """The declaration in a generic node: its last child."""
        for _ in range(_DECLARATORS):
            inner = node.named_children[-1] if node.named_child_count else None
            if inner is None or node.type not in self._table.generics:
                break
            node = inner
        return node

    def _of_class(self, facts: ScopeFacts, node: Node) -> None:
        """Note the class of a method that is declared outside it."""
        declarator: Node | None = node
        for _ in range(_DECLARATORS):
            if declarator is None or declarator.type in self._table.classes.outside_names:
                break
            declarator = self._inner(declarator)
        fields = self._table.attributes.get(declarator.type) if declarator is not None else None
        for _ in range(_DECLARATORS):  # `A` of `n::A::m`
            inner = declarator.child_by_field_name(fields[1]) if declarator is not None and fields else None
            if inner is None or inner.type not in self._table.classes.outside_names:
                break
            declarator = inner
        owner = declarator.child_by_field_name(fields[0]) if declarator is not None and fields else None
        if owner is not None:
            facts.is_extension, facts.bases = True, (self._read.receiver(owner, 0),)

    def _inner(self, node: Node) -> Node | None:
        """The next node on the path from a declaration down to its name."""
        table = self._table
        inner = node.child_by_field_name(table.name_field)
        return node.named_child(0) if inner is None and node.type in table.types.declarators else inner

    def _name(self, node: Node, stack: Sequence[NodeContext]) -> Node | None:
        """The name that a node declares."""
        table = self._table
        if node.type in table.classes.named_by:  # `type A = { x: 1 }`: the name belongs to the class in it
            return None
        name = node.child_by_field_name("name")
        if name is None and stack and stack[-1].kind in table.classes.named_by:
            name = stack[-1].node.child_by_field_name(table.classes.named_by[stack[-1].kind])
            return name if name is not None and name.type in table.names else None
        if name is None and table.name_field != "name":
            name = node
            for _ in range(_DECLARATORS):
                if name is None or name.type in table.names:
                    return name
                name = self._inner(name)
        return name

    def _function(self, facts: ScopeFacts, node: Node, kind: str, stack: Sequence[NodeContext]) -> None:
        table = self._table
        parameters = node.child_by_field_name(table.functions.get(kind, ""))
        rows = [child for child in parameters.named_children if "comment" not in child.type] if parameters else []
        if rows and rows[0].type in table.names:
            facts.first_parameter = node_text(rows[0])
        elif rows and rows[0].named_children and rows[0].named_children[0].type in table.names:
            facts.first_parameter = node_text(rows[0].named_children[0])
        if table.literals.pairs:
            given = attributes_type(table, self._read, node, stack) if rows and table.literals.tag_functions else None
            facts.parameter_types = tuple(self._parameter_types(rows, given))
        first = rows[0].child(0) if rows and table.classes.extending else None
        if first is not None and node_text(first) == table.classes.extending:
            facts.parameter_types = tuple(self._parameter_types(rows[:1], None))
        result = node.child_by_field_name(table.types.results.get(kind, ""))
        facts.result_types = tuple(self._result_types(result)) if result is not None else self._returned(node)
        if facts.result_types and (table.layers.results_inside or result is None) and _is_async(node):
            inner = facts.result_types[0]
            facts.result_types = (Receiver("layer", AWAITED, base=inner) if inner is not None else None,)
        if stack and (not facts.name or stack[-1].kind not in table.scopes):
            facts.value_of = self._variable(node, stack)
        if stack and stack[-1].kind in table.wrappers:
            decorators = [child for child in stack[-1].node.named_children if child.type == "decorator"]
            names = [node_text(decorator).lstrip("@ ") for decorator in decorators]
            facts.static = not table.classes.static_decorators.isdisjoint(names)
            facts.is_property = not table.classes.property_decorators.isdisjoint(names)

    def _parameter_types(self, parameters: Sequence[Node], given: Receiver | None) -> Iterator[Receiver | None]:
        """The types of the parameters without the receiver; `given`: that of a first parameter that writes none."""
        for number, parameter in enumerate(parameters[:MAX_ARGUMENTS]):
            name = parameter.named_child(0) if parameter.named_child_count else None
            if name is not None and name.type in self._table.classes.this_nodes:
                continue
            typed = parameter.child_by_field_name(self._table.types.declared.get(parameter.type, ""))
            if typed is not None:
                yield self._read.type_name(typed)
            else:
                yield given if number == 0 else None

    def _returned(self, function: Node) -> tuple[Receiver | None, ...]:
        """The class of the object that a function without a result type creates and returns: `return A()`."""
        types, body = self._table.types, function.child_by_field_name("body")
        if body is None or not types.returns or body.end_byte - body.start_byte > _MAX_RETURNED:
            return ()
        last = body.named_child(body.named_child_count - 1) if body.named_child_count else None
        is_return = last is not None and last.type in types.returns and last.named_child_count == 1
        value = last.named_child(0) if last is not None and is_return else body
        created = self._read.created_class(value) if value is not None and self._read.is_creation(value) else None
        if value is None or created is None or created.kind != "name":
            return ()
        creation = node_text(value).partition("(")[0] + "("
        values = {text.strip() for text in _RETURNED.findall(node_text(body))} - types.without_members - {""}
        return (created,) if all(text.startswith(creation) for text in values) else ()

    def _result_types(self, result: Node) -> Iterator[Receiver | None]:
        """The types of the values that a function returns; Go writes several like parameters."""
        if result.type not in self._table.types.result_lists:
            yield self._read.type_name(result)
            return
        for value in result.named_children[:MAX_ARGUMENTS]:
            typed = value.child_by_field_name(self._table.types.declared.get(value.type, ""))
            yield self._read.type_name(typed) if typed is not None else None

    def _variable(self, value: Node, stack: Sequence[NodeContext]) -> int:
        """The byte of the variable whose initial value a function or literal is, also wrapped, else -1."""
        at, last = len(stack) - 1, max(0, len(stack) - _MAX_WRAPPERS)
        while at > last and self._is_wrapped(value, stack[at].node, stack[at - 1].node):
            at -= stack[at].kind not in self._table.types.casts  # the list of arguments in a call
            value, at = stack[at].node, at - 1
        holder = stack[at].node
        initial = holder.child_by_field_name(self._table.types.initial_values.get(holder.type, ""))
        name = holder.named_child(0) if initial is not None and initial.id == value.id else None
        return name.start_byte - self._first if name is not None and name.type in self._table.names else -1

    def _is_wrapped(self, value: Node, holder: Node, around: Node) -> bool:
        """Whether a value stands in a cast, or first in the arguments of a call that gives it or something like it."""
        first = holder.named_child(0) if holder.named_child_count else None
        fields = self._table.calls.get(around.type)
        callee = around.child_by_field_name(fields[0]) if fields else None
        is_call = callee is not None and self._read.function_name(callee) in self._table.literals.wrapping
        return first is not None and first.id == value.id and (is_call or holder.type in self._table.types.casts)

    def _bases(self, node: Node, kind: str, facts: ScopeFacts) -> list[Receiver]:
        receivers: list[Receiver] = []
        for field in self._table.classes.bases.get(kind, ()):
            clauses = (child for child in node.children if child.type == field)
            holder = node.child_by_field_name(field) or next(clauses, None)
            for child in holder.named_children if holder is not None else ():
                bases = child.named_children if child.type.endswith(("_list", "_clause")) else [child]
                if len(bases) > 1 and bases[1].named_children and node_text(bases[0]) in self._table.literals.tag_bases:
                    facts.parameter_types = (self._read.type_name(bases[1].named_children[0]),)
                receivers += [self._base(base) for base in bases if base.type not in _NO_BASES]
        return receivers

    def _base(self, node: Node) -> Receiver:
        field = self._table.classes.base_calls.get(node.type)
        named = node.child_by_field_name(field) if field else None
        return self._read.receiver(named if named is not None else node, 0)
