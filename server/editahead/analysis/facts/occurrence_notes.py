"""Adds the occurrences of names to the facts of the first pass, each with its action, scope and receiver."""

from __future__ import annotations

from collections.abc import Mapping

from editahead.analysis.facts.declared_types import (
    NO_TYPE,
    as_type,
    declared_type,
    expected_class,
    path_of_key,
    rebased_path,
)
from editahead.analysis.facts.expressions import Expressions, NodeContext, is_alias
from editahead.analysis.facts.facts import NOWHERE, Facts, Occurrence, Receiver, ScopeFacts
from editahead.analysis.facts.literals import literal_key
from editahead.analysis.facts.narrowings import bound_spans
from editahead.analysis.facts.opened_scopes import is_static, modifiers
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import Action, Edge, Namespace, ScopeKind, ScopeTable

_USE = Edge()
_MAX_SIGNS = 8  # children of a method before its parameters
_MODIFIED = 3  # nodes from the name of a member up to the declaration with its modifiers
_OPEN = ("public", "protected", "internal")  # modifiers of members that derived classes see: `private protected`
_EXPLICIT = frozenset({"explicit_interface_specifier"})  # `int I.M()`: it implements what the interface declares
_CASE = 4  # nodes from a label or a key up to its statement or pattern
_CONTEXT = 64  # nodes from a value up to the declaration of its class
_OF_OBJECTS = ("field", "function", "accessor")  # kinds of members that only an object may have
_EXTENT = 8  # nodes above a name up to the statement or clause in which its binding ends


class OccurrenceNotes:
    """Adds occurrences to the facts of a walk; bytes count from `first`."""

    def __init__(self, table: ScopeTable, first: int, read: Expressions, facts: Facts) -> None:
        self._table, self._first, self._read, self._facts = table, first, read, facts

    def note(
        self,
        node: Node,
        edge: Edge,
        scope: int,
        namespace: Namespace,
        stack: list[NodeContext],
        owner: Receiver | None = None,
    ) -> None:
        """Add an occurrence of a name.

        `owner`: of a member the expression before it where the nodes around do not give it, of an import the path to
        the declaration of the name.
        """
        table, facts, name = self._table, self._facts, node_text(node)
        sign = len(table.private_sign) if namespace is Namespace.PRIVATE else 0
        name = name[sign:]
        if table.patterns_name_constants or table.classes.extensions:
            edge = self._edge_in_context(edge, name, stack)
        action, kind, receiver, declared = edge.action, edge.kind, None, NO_TYPE
        if action is Action.ATTRIBUTE and owner is not None:
            receiver, kind = owner, ""
        elif action in (Action.GLOBAL, Action.NONLOCAL):
            own = facts.scopes[scope]
            (own.global_names if action is Action.GLOBAL else own.nonlocal_names).add(name)
        elif action is Action.ATTRIBUTE:
            receiver, kind = self._member(edge, scope, stack)
            if receiver is None:
                action = Action.USE
            elif table.classes.outside_names and receiver.name == name and receiver.kind == "name":  # `A::A()`
                action, receiver, kind, edge = Action.USE, None, "", edge._replace(namespace=Namespace.TYPE)
                namespace = Namespace.TYPE
            elif kind == "field":
                declared = declared_type(table, self._read, node, stack[:-1])
        elif action is Action.KEYWORD:
            if table.literals.keys and stack[-1].kind not in table.parameters.keyword_arguments:
                action, receiver = literal_key(self._table, self._read, stack)
            else:
                receiver = self._callee(stack)
        elif action is Action.USE and stack and stack[-1].kind in table.classes.case_labels:
            receiver = self._switched(stack)
        elif action is Action.BIND:
            kind = self._kind(kind, name, facts.scopes[scope], stack)
            declared = declared_type(table, self._read, node, stack) if kind != "import" else NO_TYPE
            receiver = owner
            facts.scopes[scope].bound.setdefault((namespace, name), []).append(len(facts.occurrences))
            self._note_extent(kind, scope, stack)
        access, is_hidden_anew = self._access_of_member(scope, stack) if action is Action.BIND else ("", False)
        imported = action is Action.IMPORTED or (action is Action.BIND and kind == "import")
        binds_import = imported and action is Action.BIND and bool(stack)
        has_alias = binds_import and is_alias(stack[-1], table)
        shorthand = ""
        if stack and stack[-1].kind in table.imports.export_specifiers and action is Action.USE:
            imported = bool(self._read.module(stack))
            action = Action.IMPORTED if imported else action
            shorthand = "export" if stack[-1].node.child_by_field_name("alias") is None else ""
        facts.by_name.setdefault(name, []).append(len(facts.occurrences))
        facts.occurrences.append(
            Occurrence(
                node.start_byte + sign - self._first,
                node.end_byte - self._first,
                name,
                scope,
                action,
                namespace,
                kind,
                receiver,
                declared.named,
                self._read.argument_count(edge, stack) if edge.kind == "function" or table.method_calls else -1,
                self._read.module(stack) if imported and not has_alias else "",
                shorthand,
                self._since(action, stack),
                self._read.aliased_module(stack) if binds_import else "",
                declared.is_written,
                access,
                is_hidden_anew,
                self._spans(scope, stack) if action is Action.BIND and table.flow.tests else None,
            )
        )

    def _kind(self, kind: str, name: str, scope: ScopeFacts, stack: list[NodeContext]) -> str:
        """The kind of a binding in its scope: a variable of a class is a field, a getter or setter an accessor."""
        if scope.kind is ScopeKind.CLASS and kind in ("variable", "parameter"):
            if kind == "parameter":
                scope.head_parameters |= {name}
            return "field"
        signs = self._table.classes.accessor_signs
        if kind == "function" and signs and stack:
            return "accessor" if any(child.type in signs for child in stack[-1].node.children[:_MAX_SIGNS]) else kind
        return kind

    def _access_of_member(self, scope: int, stack: list[NodeContext]) -> tuple[str, bool]:
        """The access of a declared member, and whether derived classes hide it instead of overriding it."""
        kinds = self._table.classes.member_modifiers
        if not kinds or self._facts.scopes[scope].kind is not ScopeKind.CLASS:
            return "", False
        holder = next((context for context in stack[: -_MODIFIED - 1 : -1] if context.kind in kinds), None)
        if holder is None:
            return "", False
        words = modifiers(holder.node)
        is_hidden = kinds[holder.kind] or not words.isdisjoint(("static", "const"))
        if not words.isdisjoint(_OPEN) or any(child.type in _EXPLICIT for child in holder.node.children[:_MAX_SIGNS]):
            return "", is_hidden
        return "private" if "private" in words else "unsaid", is_hidden

    def _note_extent(self, member_kind: str, scope: int, stack: list[NodeContext]) -> None:
        """Note where a binding ends, whether it unbinds the name, and whether only an object has it."""
        table, facts, number = self._table, self._facts, len(self._facts.occurrences)
        for at in range(len(stack) - 1, max(-1, len(stack) - _EXTENT), -1):
            kind = stack[at].kind
            if kind in table.deletions:
                facts.deleted[number] = stack[at - 1].node.end_byte - self._first if at else None
            elif at and stack[at - 1].kind in table.clause_bindings.get(kind, ()):
                facts.until[number] = stack[at - 1].node.end_byte - self._first
            elif kind in table.classes.instance_members and facts.scopes[scope].kind is ScopeKind.CLASS:
                if member_kind in _OF_OBJECTS and (kind in table.classes.bodies or not is_static(stack[at].node)):
                    facts.of_instance.add(number)
            elif kind not in table.classes.bodies:
                continue
            break

    def _edge_in_context(self, edge: Edge, name: str, stack: list[NodeContext]) -> Edge:
        """The edge of a name, adapted in patterns and in blocks that extend a class."""
        table = self._table
        if table.patterns_name_constants and edge.kind == "variable" and stack[-1].kind not in table.types.declared:
            return _USE if name[:1].isupper() else edge
        in_extension = len(stack) > 2 and stack[-3].kind in table.classes.extensions
        if edge.action is Action.BIND and in_extension and edge.kind != "type-parameter":
            return Edge(Action.ATTRIBUTE, edge.kind, edge.target, edge.namespace)
        return edge

    def _member(self, edge: Edge, scope: int, stack: list[NodeContext]) -> tuple[Receiver | None, str]:
        """The receiver of a member, and its kind if it is declared here."""
        table, holder = self._table, stack[-1]
        if edge.kind:  # in a block that extends its class
            bases = self._facts.scopes[scope].bases
            return (bases[0] if bases else Receiver("other")), edge.kind
        if holder.kind in table.literals.class_patterns:
            named = self._holder(stack, {table.literals.class_patterns[holder.kind]: ""})
            return (self._read.dotted(named) if named is not None else None) or Receiver("other"), ""
        if holder.kind in table.classes.initializers:
            return Receiver("this"), ""
        if holder.kind in table.literals.copies:
            kind = table.literals.copies[holder.kind]
            copy = next((context.node for context in stack[:-3:-1] if context.kind == kind), None)
            copied = copy.child(0) if copy is not None else None  # a keyword in `this with`
            return self._read.receiver(copied, 0) if copied is not None else Receiver("other"), ""
        if holder.kind in table.classes.method_receivers:
            return self._read.owner(holder.node, table.classes.method_receivers[holder.kind]), "function"
        if holder.kind in table.transparent and len(stack) > 1 and stack[-2].kind in table.attributes:
            holder = stack[-2]  # `a.m<T>()`
        if holder.kind in table.conditional_members and len(stack) > 1:
            holder = stack[-2]  # `a?.m`
        fields = table.attributes.get(holder.kind) or table.method_calls.get(holder.kind)
        expression = self._read.base(holder.node, fields[0]) if fields else holder.node.named_child(0)
        if expression is None:
            return None, ""
        declares = "function" if holder.edge.kind == "function" else "field"
        before = self._read.before(holder.node, expression, 0)
        if holder.kind in table.patterns.paths and path_of_key(table, stack) is not None:
            _, taken_apart = literal_key(table, self._read, stack)
            before = rebased_path(before, taken_apart) if taken_apart is not None else Receiver("other")
        return before, declares if holder.edge.action is Action.BIND else ""

    def _switched(self, stack: list[NodeContext]) -> Receiver | None:
        """The value that the statement around a label switches on."""
        node = self._holder(stack, self._table.classes.case_labels[stack[-1].kind])
        return self._read.receiver(node, 0) if node is not None else None

    def _holder(self, stack: list[NodeContext], holders: Mapping[str, str]) -> Node | None:
        """The node in a field of the nearest enclosing holder; its first child where `holders` gives no field."""
        holder = next((context for context in stack[: -_CASE - 1 : -1] if context.kind in holders), None)
        if holder is None:
            return None
        field = holders[holder.kind]
        return holder.node.child_by_field_name(field) if field else holder.node.named_child(0)

    def _callee(self, stack: list[NodeContext]) -> Receiver | None:
        """The callee of the call with a keyword argument."""
        if len(stack) < 3:
            return None
        table, call, kind = self._table, stack[-3].node, stack[-3].kind
        created = table.creations.get(kind) or table.classes.base_calls.get(kind)
        if kind in table.literals.untyped:
            expected = expected_class(table, self._read, call, stack[-_CONTEXT:-3])
            return Receiver("creation", base=expected) if expected is not None else None
        if kind in table.classes.constructor_calls:
            words = (self._read.receiver(child, 0) for child in call.children[:_MAX_SIGNS])
            return next((Receiver("creation", base=word) for word in words if word.kind in ("this", "super")), None)
        if created:
            typed = call.child_by_field_name(created)
            named = self._read.class_name(typed) if typed is not None else None
            return Receiver("creation", base=as_type(named)) if named is not None else None
        fields = table.calls.get(kind)
        function = call.child_by_field_name(fields[0]) if fields else None
        callee = self._read.receiver(function, 0) if function is not None else None
        if callee is not None and callee.name in table.parameters.copying:  # `replace(a, b=1)`
            first = self._read.first_argument(call)
            return Receiver("name", callee.name, callee.start, first) if first is not None else callee
        return callee

    def _spans(self, scope: int, stack: list[NodeContext]) -> tuple[tuple[int, int], ...] | None:
        """The bytes where a name that a condition binds is visible."""
        is_member = self._facts.scopes[scope].kind is ScopeKind.CLASS
        spans = bound_spans(self._table.flow, stack) if not is_member else None
        return tuple((start - self._first, end - self._first) for start, end in spans) if spans is not None else None

    def _since(self, action: Action, stack: list[NodeContext]) -> int:
        """The byte from which a binding is in effect, or NOWHERE; -1 if that is its own start."""
        bound_after = self._table.bound_after if action is Action.BIND else {}
        for context in stack[:-4:-1] if bound_after else ():
            field = bound_after.get(context.kind)
            if field is not None:
                last = context.node.child_by_field_name(field) if field else context.node
                return last.end_byte - self._first if last is not None else NOWHERE
        return -1
