"""Notes the occurrences of names that the first pass meets: what each does, where, and what it is a member of."""

from __future__ import annotations

from collections.abc import Mapping

from editahead.analysis.facts.declared_types import NO_TYPE, declared_type
from editahead.analysis.facts.expressions import Expressions, NodeContext, is_alias
from editahead.analysis.facts.facts import NOWHERE, Facts, Occurrence, Receiver, ScopeFacts
from editahead.analysis.facts.flow_spans import flow_spans
from editahead.analysis.facts.literals import literal_key
from editahead.analysis.facts.opened_scopes import is_static, modifiers
from editahead.analysis.facts.place_types import as_type, path_of_key, rooted, wanted_class
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import Action, Edge, Namespace, ScopeKind, ScopeTable

_USE = Edge()
_MOST_SIGNS = 8  # children of a method before its parameters
_MODIFIED = 3  # nodes from the name of a member up to the declaration with its modifiers
_OPEN = ("public", "protected", "internal")  # modifiers of members that derived classes see: `private protected`
_EXPLICIT = frozenset({"explicit_interface_specifier"})  # `int I.M()`: it implements what the interface declares
_CASE = 4  # nodes from a label or a key up to the statement or the pattern that it is of
_PLACE = 64  # nodes from a value up to what says its class
_OF_OBJECTS = ("field", "function", "accessor")  # kinds of members that only an object may have
_EXTENT = 8  # nodes above a name up to the statement or clause that tells where its binding ends


class OccurrenceNotes:
    """Adds occurrences to the facts of one walk; bytes count from `first`."""

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
        """Note a name as it stands; of a member, `owner` is what stands before it where no node around tells it.

        Of an import it is the path to what declares the name.
        """
        table, facts, name = self._table, self._facts, node_text(node)
        sign = len(table.private_sign) if namespace is Namespace.PRIVATE else 0
        name = name[sign:]
        if table.patterns_name_constants or table.classes.extensions:
            edge = self._as_it_stands(edge, name, stack)
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
        access, is_hidden_anew = self._access(scope, stack) if action is Action.BIND else ("", False)
        imported = action is Action.IMPORTED or (action is Action.BIND and kind == "import")
        named_anew = imported and action is Action.BIND and bool(stack)
        renamed = named_anew and is_alias(stack[-1], table)
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
                self._read.module(stack) if imported and not renamed else "",
                shorthand,
                self._since(action, stack),
                self._read.aliased(stack) if named_anew else "",
                declared.is_written,
                access,
                is_hidden_anew,
                self._spans(scope, stack) if action is Action.BIND and table.flow.tests else None,
            )
        )

    def _kind(self, kind: str, name: str, scope: ScopeFacts, stack: list[NodeContext]) -> str:
        """The kind of a binding in its scope: in a class a field, of methods that share a name an accessor."""
        if scope.kind is ScopeKind.CLASS and kind in ("variable", "parameter"):
            if kind == "parameter":
                scope.head_parameters |= {name}
            return "field"
        if kind == "function" and any(one.type in self._table.classes.accessor_signs for one in self._signs(stack)):
            return "accessor"
        return kind

    def _signs(self, stack: list[NodeContext]) -> list[Node]:
        """What stands before the name of a method, and a little more."""
        return stack[-1].node.children[:_MOST_SIGNS] if self._table.classes.accessor_signs and stack else []

    def _access(self, scope: int, stack: list[NodeContext]) -> tuple[str, bool]:
        """Whether a declared member is private, and whether derived classes hide it instead of overriding it."""
        rows = self._table.classes.member_modifiers
        if not rows or self._facts.scopes[scope].kind is not ScopeKind.CLASS:
            return "", False
        holder = next((one for one in stack[: -_MODIFIED - 1 : -1] if one.kind in rows), None)
        if holder is None:
            return "", False
        words = modifiers(holder.node)
        hidden = rows[holder.kind] or not words.isdisjoint(("static", "const"))
        if not words.isdisjoint(_OPEN) or any(one.type in _EXPLICIT for one in holder.node.children[:_MOST_SIGNS]):
            return "", hidden
        return "private" if "private" in words else "unsaid", hidden

    def _note_extent(self, what: str, scope: int, stack: list[NodeContext]) -> None:
        """Note of a binding where it ends, where it unbinds the name, and whether only an object has it."""
        table, facts, number = self._table, self._facts, len(self._facts.occurrences)
        for at in range(len(stack) - 1, max(-1, len(stack) - _EXTENT), -1):
            kind = stack[at].kind
            if kind in table.deletions:
                facts.deleted[number] = stack[at - 1].node.end_byte - self._first if at else None
            elif at and stack[at - 1].kind in table.clause_bindings.get(kind, ()):
                facts.until[number] = stack[at - 1].node.end_byte - self._first
            elif kind in table.classes.instance_members and facts.scopes[scope].kind is ScopeKind.CLASS:
                if what in _OF_OBJECTS and (kind in table.classes.bodies or not is_static(stack[at].node)):
                    facts.of_instance.add(number)
            elif kind not in table.classes.bodies:
                continue
            break

    def _as_it_stands(self, edge: Edge, name: str, stack: list[NodeContext]) -> Edge:
        """The edge of a name, in a pattern and in a block that extends a class."""
        table = self._table
        if table.patterns_name_constants and edge.kind == "variable" and stack[-1].kind not in table.types.declared:
            return _USE if name[:1].isupper() else edge
        in_extension = len(stack) > 2 and stack[-3].kind in table.classes.extensions
        if edge.action is Action.BIND and in_extension and edge.kind != "type-parameter":
            return Edge(Action.ATTRIBUTE, edge.kind, edge.target, edge.namespace)
        return edge

    def _member(self, edge: Edge, scope: int, stack: list[NodeContext]) -> tuple[Receiver | None, str]:
        """The receiver of a member and, where the member is declared, its kind."""
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
            copy = next((one.node for one in stack[:-3:-1] if one.kind == table.literals.copies[holder.kind]), None)
            copied = copy.child(0) if copy is not None else None  # a word where that is `this`
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
            before = rooted(before, taken_apart) if taken_apart is not None else Receiver("other")
        return before, declares if holder.edge.action is Action.BIND else ""

    def _switched(self, stack: list[NodeContext]) -> Receiver | None:
        """What the statement around a label takes its cases from."""
        node = self._holder(stack, self._table.classes.case_labels[stack[-1].kind])
        return self._read.receiver(node, 0) if node is not None else None

    def _holder(self, stack: list[NodeContext], holders: Mapping[str, str]) -> Node | None:
        """What a node around a name holds in a field, by the type of that node; its first child where no field is."""
        holder = next((one for one in stack[: -_CASE - 1 : -1] if one.kind in holders), None)
        if holder is None:
            return None
        field = holders[holder.kind]
        return holder.node.child_by_field_name(field) if field else holder.node.named_child(0)

    def _callee(self, stack: list[NodeContext]) -> Receiver | None:
        """What a keyword argument is given to."""
        if len(stack) < 3:
            return None
        table, call, kind = self._table, stack[-3].node, stack[-3].kind
        created = table.creations.get(kind) or table.classes.base_calls.get(kind)
        if kind in table.literals.untyped:
            wanted = wanted_class(table, self._read, call, stack[-_PLACE:-3])
            return Receiver("creation", base=wanted) if wanted is not None else None
        if kind in table.classes.constructor_calls:
            words = (self._read.receiver(one, 0) for one in call.children[:_MOST_SIGNS])
            return next((Receiver("creation", base=one) for one in words if one.kind in ("this", "super")), None)
        if created:
            typed = call.child_by_field_name(created)
            named = self._read.class_name(typed) if typed is not None else None
            return Receiver("creation", base=as_type(named)) if named is not None else None
        fields = table.calls.get(kind)
        function = call.child_by_field_name(fields[0]) if fields else None
        return self._read.receiver(function, 0) if function is not None else None

    def _spans(self, scope: int, stack: list[NodeContext]) -> tuple[tuple[int, int], ...] | None:
        """Where a name is seen that a test binds."""
        is_member = self._facts.scopes[scope].kind is ScopeKind.CLASS
        spans = flow_spans(self._table.flow, stack) if not is_member else None
        return tuple((start - self._first, end - self._first) for start, end in spans) if spans is not None else None

    def _since(self, action: Action, stack: list[NodeContext]) -> int:
        """The byte from which a binding holds, where that is not its own or NOWHERE; else -1."""
        bound_after = self._table.bound_after if action is Action.BIND else {}
        for context in stack[:-4:-1] if bound_after else ():
            field = bound_after.get(context.kind)
            if field is not None:
                last = context.node.child_by_field_name(field) if field else context.node
                return last.end_byte - self._first if last is not None else NOWHERE
        return -1
