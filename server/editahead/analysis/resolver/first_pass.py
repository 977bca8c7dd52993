"""The walk that reads the facts of a node: linear in its nodes, and interrupted by the check of the thread."""

from __future__ import annotations

from editahead.analysis.resolver.expressions import Expressions, NodeContext, is_alias
from editahead.analysis.resolver.facts import Facts, Occurrence, Receiver, ScopeFacts
from editahead.analysis.resolver.macro_tokens import MacroTokens
from editahead.analysis.resolver.neighbours import edge_beside, is_given
from editahead.analysis.resolver.opened_scopes import OpenedScopes, is_static
from editahead.syntax.interrupt import EVERY, checkpoint
from editahead.syntax.nodes import Node, TreeCursor, node_text
from editahead.syntax.scope_table import Action, Edge, Namespace, ScopeKind, ScopeTable, Target

_USE = Edge()
_DEEPEST_TOKENS = 256  # nodes around a name of which the siblings are asked, each time by a walk from the root
_EXTENT = 8  # nodes above a name up to the statement or clause that tells where its binding ends
_INNER = (ScopeKind.COMPREHENSION, ScopeKind.BLOCK)


def facts_of(node: Node, table: ScopeTable, outer: ScopeKind, *, header_end: int | None = None) -> Facts:
    """The facts of a node that stands in a scope of kind `outer`.

    `header_end`: of a class its body, which begins at that byte of the tree, is left out, and what follows it.
    """
    return _Walk(node, table, outer, header_end).facts


class _Walk:
    def __init__(self, node: Node, table: ScopeTable, outer: ScopeKind, header_end: int | None) -> None:
        self._table = table
        self._first = node.start_byte
        self._read = Expressions(table, node.start_byte)
        self._tokens = MacroTokens(table, node.start_byte)
        self._header_end = header_end
        self.facts = Facts([ScopeFacts(outer, -1)], [], {}, node.has_error)
        self._scopes = OpenedScopes(table, node.start_byte, self._read, self.facts.scopes)
        self._run(node)

    def _run(self, root: Node) -> None:
        cursor, stack, seen = root.walk(), list[NodeContext](), 0
        while True:
            seen += 1
            if seen % EVERY == 0:
                checkpoint()
            context = self._visit(cursor, stack)
            if context is not None and cursor.goto_first_child():
                stack.append(context)
                continue
            while not cursor.goto_next_sibling():
                if len(stack) < 2:
                    return
                stack.pop()
                cursor.goto_parent()

    def _visit(self, cursor: TreeCursor, stack: list[NodeContext]) -> NodeContext | None:
        """Read one node: what its children are to know, None where the walk does not go below it."""
        node, field = cursor.node, cursor.field_name
        if node is None or not node.is_named:
            return None
        kind = node.type
        edge, scope = self._edge(stack, kind, field) if stack else (_USE, 0)
        if self._header_end is not None and stack and node.start_byte >= self._header_end:
            return None
        if self._leaf(node, kind, edge, scope, stack):
            return None
        return NodeContext(node, kind, edge, self._scopes.opened(node, kind, scope, stack))

    def _edge(self, stack: list[NodeContext], kind: str, field: str | None) -> tuple[Edge, int]:
        """What the names below a node do, and the scope they are looked up in."""
        table, above = self._table, stack[-1]
        before = table.first_outside.get((above.kind, field))
        if before is not None:
            previous = above.node.prev_named_sibling
            first = previous is None or previous.type not in before
            return _USE, max(0, self.facts.scopes[above.scope].parent) if first else above.scope
        around = stack[-2].kind if len(stack) > 1 else ""
        found = table.edge(above.node, (above.kind, around), field, kind)
        if found is None:
            return (above.edge if above.kind in table.transparent else _USE), above.scope
        scope = above.scope
        if found.target is Target.OUTER:
            scope = max(0, self.facts.scopes[scope].parent)
        elif found.target is Target.FILE:
            scope = 0
        elif found.target is Target.FUNCTION:
            while self.facts.scopes[scope].kind in _INNER and self.facts.scopes[scope].parent >= 0:
                scope = self.facts.scopes[scope].parent
        return found, scope

    def _formatted(self, node: Node, scope: int, stack: list[NodeContext]) -> None:
        """Note the names in the braces of a text that a macro formats: `"{name:>5}"`."""
        for at, text in self._tokens.formatted(node, stack[-1].node, stack[-2].node):
            start, name = node.start_byte - self._first + at, text.decode("utf-8", "replace")
            self.facts.by_name.setdefault(name, []).append(len(self.facts.occurrences))
            end = start + len(text)
            self.facts.occurrences.append(Occurrence(start, end, name, scope, Action.USE, Namespace.VALUE))

    def _token(self, node: Node, scope: int, namespace: Namespace, stack: list[NodeContext]) -> None:
        """Note a name among the tokens of a macro, unless it stands deeper than anybody writes."""
        if len(stack) > _DEEPEST_TOKENS:
            return
        edge, receiver, shorthand = self._tokens.name(node, stack[-1].node)
        if edge.action is Action.IGNORE:
            return
        self._note(node, edge, scope, edge.namespace or namespace, stack, receiver)
        if shorthand:
            self.facts.occurrences[-1] = self.facts.occurrences[-1]._replace(shorthand="name")
            self._note_key(node, receiver, stack)

    def _leaf(self, node: Node, kind: str, edge: Edge, scope: int, stack: list[NodeContext]) -> bool:
        """Whether the walk does not go below a node; the occurrence of a name is noted."""
        table = self._table
        if kind in table.dotted_last and edge.action is Action.BIND and edge.kind == "import" and stack:
            self._import_last(node, edge, scope, stack[-1].node)
            return True
        namespace = table.names.get(kind)
        if kind in table.format_strings and len(stack) > 1 and stack[-2].kind in table.token_trees:
            self._formatted(node, scope, stack)
        if namespace is None or node.child_count:
            return False
        if node.end_byte == node.start_byte:  # which the parser has put in
            return True
        if stack and stack[-1].kind in table.token_trees:
            self._token(node, scope, namespace, stack)
            return True
        if not stack:
            self._note(node, _USE, scope, namespace, stack)
            return True
        above = stack[-1]
        edge = edge_beside(table, node, edge, stack)
        if above.kind in table.dotted and above.node.named_child_count > 1 and edge.action is not Action.IGNORE:
            first = node.start_byte == above.node.start_byte
            root = edge.action is Action.IMPORT_ROOT
            known = first and edge.action is not Action.IMPORTED
            edge = (Edge(Action.BIND, edge.kind) if root else _USE) if known else Edge(Action.IGNORE)
        elif edge.action is Action.IMPORT_ROOT:
            edge = Edge(Action.BIND, edge.kind)
        if edge.action is not Action.IGNORE:
            self._note(node, edge, scope, edge.namespace or namespace, stack)
            if kind in table.shorthands or above.kind in table.shorthands:
                self._shorthand(node, namespace, stack)
            elif above.kind in table.inferred_keys and not is_given(node):
                self.facts.occurrences[-1] = self.facts.occurrences[-1]._replace(shorthand="name")
        return True

    def _shorthand(self, node: Node, namespace: Namespace, stack: list[NodeContext]) -> None:
        """Note that the last occurrence is a key as well; of a known class, the key is one of its own."""
        rows = self.facts.occurrences
        rows[-1] = rows[-1]._replace(shorthand="name")
        action, owner = self._read.literal_key(stack) if self._table.literal_keys else (Action.IGNORE, None)
        if action is Action.ATTRIBUTE:
            self._note_key(node, owner, stack)

    def _note_key(self, node: Node, owner: Receiver | None, stack: list[NodeContext]) -> None:
        """Note a name once more, as the key of a literal of a class."""
        rows, space = self.facts.occurrences, self._table.field_namespace
        self._note(node, Edge(Action.ATTRIBUTE), rows[-1].scope, space, stack, owner)
        rows[-1] = rows[-1]._replace(shorthand="key")

    def _import_last(self, node: Node, edge: Edge, scope: int, statement: Node) -> None:
        if any(child.type in self._table.wildcard_imports.values() for child in statement.children):
            return
        name = node.child_by_field_name("name")
        if name is None:
            return
        static = any(child.type == "static" for child in statement.children)
        spaces = (Namespace.METHOD, Namespace.VALUE) if static else (Namespace.TYPE,)
        context = NodeContext(statement, statement.type, edge, scope)
        for namespace in spaces:
            self._note(name, edge, scope, namespace, [context])

    def _note(
        self,
        node: Node,
        edge: Edge,
        scope: int,
        namespace: Namespace,
        stack: list[NodeContext],
        owner: Receiver | None = None,
    ) -> None:
        """Note a name as it stands; of a member, `owner` is what stands before it where no node around tells it."""
        table, facts, name = self._table, self.facts, node_text(node)
        edge = self._as_it_stands(edge, name, stack)
        action, kind, receiver, declared = edge.action, edge.kind, None, None
        if action is Action.ATTRIBUTE and owner is not None:
            receiver, kind = owner, ""
        elif action is Action.GLOBAL:
            facts.scopes[scope].global_names.add(name)
        elif action is Action.NONLOCAL:
            facts.scopes[scope].nonlocal_names.add(name)
        elif action is Action.ATTRIBUTE:
            receiver, kind = self._member(edge, scope, stack)
            if receiver is None:
                action = Action.USE
            elif table.class_members and receiver.name == name and receiver.kind == "name":  # `A::A()`
                action, receiver, kind, edge = Action.USE, None, "", edge._replace(namespace=Namespace.TYPE)
                namespace = Namespace.TYPE
            elif kind == "field":
                declared = self._read.declared_type(stack, 1)
        elif action is Action.KEYWORD:
            if table.literal_keys and stack[-1].kind not in table.keyword_arguments:
                action, receiver = self._read.literal_key(stack)
            else:
                receiver = self._callee(stack)
        elif action is Action.BIND:
            if facts.scopes[scope].kind is ScopeKind.CLASS and kind in ("variable", "parameter"):
                kind = "field"
            declared = self._read.declared_type(stack, 0) if kind != "import" else None
            facts.scopes[scope].bound.setdefault((namespace, name), []).append(len(facts.occurrences))
            self._note_extent(kind, scope, stack)
        imported = action is Action.IMPORTED or (action is Action.BIND and kind == "import")
        named_anew = imported and action is Action.BIND and bool(stack)
        renamed = named_anew and is_alias(stack[-1], table)
        shorthand = ""
        if stack and stack[-1].kind in table.export_specifiers and action is Action.USE:
            imported = bool(self._read.module(stack))
            action = Action.IMPORTED if imported else action
            shorthand = "export" if stack[-1].node.child_by_field_name("alias") is None else ""
        facts.by_name.setdefault(name, []).append(len(facts.occurrences))
        facts.occurrences.append(
            Occurrence(
                node.start_byte - self._first,
                node.end_byte - self._first,
                name,
                scope,
                action,
                namespace,
                kind,
                receiver,
                declared,
                self._read.argument_count(edge, stack),
                self._read.module(stack) if imported and not renamed else "",
                shorthand,
                self._since(action, stack),
                self._read.aliased(stack) if named_anew else "",
            )
        )

    def _note_extent(self, what: str, scope: int, stack: list[NodeContext]) -> None:
        """Note of a binding where it ends, where it unbinds the name, and whether only an object has it."""
        table, facts, number = self._table, self.facts, len(self.facts.occurrences)
        for at in range(len(stack) - 1, max(-1, len(stack) - _EXTENT), -1):
            kind = stack[at].kind
            if kind in table.deletions:
                facts.deleted[number] = stack[at - 1].node.end_byte - self._first if at else None
            elif at and stack[at - 1].kind in table.clause_bindings.get(kind, ()):
                facts.until[number] = stack[at - 1].node.end_byte - self._first
            elif kind in table.instance_members and facts.scopes[scope].kind is ScopeKind.CLASS:
                if what in ("field", "function") and (kind in table.bodies or not is_static(stack[at].node)):
                    facts.of_instance.add(number)
            elif kind not in table.bodies:
                continue
            break

    def _as_it_stands(self, edge: Edge, name: str, stack: list[NodeContext]) -> Edge:
        """The edge of a name, in a pattern and in a block that extends a class."""
        table = self._table
        if table.patterns_name_constants and edge.kind == "variable" and stack[-1].kind not in table.declared_types:
            return _USE if name[:1].isupper() else edge
        in_extension = len(stack) > 2 and stack[-3].kind in table.extensions
        if edge.action is Action.BIND and in_extension and edge.kind != "type-parameter":
            return Edge(Action.ATTRIBUTE, edge.kind, edge.target, edge.namespace)
        return edge

    def _member(self, edge: Edge, scope: int, stack: list[NodeContext]) -> tuple[Receiver | None, str]:
        """The receiver of a member and, where the member is declared, its kind."""
        table, holder = self._table, stack[-1]
        if edge.kind:  # in a block that extends its class
            bases = self.facts.scopes[scope].bases
            return (bases[0] if bases else Receiver("other")), edge.kind
        if holder.kind in table.own_members:
            return Receiver("this"), ""
        if holder.kind in table.method_receivers:
            return self._read.owner(holder.node, table.method_receivers[holder.kind]), "function"
        if holder.kind in table.transparent and len(stack) > 1 and stack[-2].kind in table.attributes:
            holder = stack[-2]  # `a.m<T>()`
        if holder.kind in table.conditional_members and len(stack) > 1:
            holder = stack[-2]  # `a?.m`
        fields = table.attributes.get(holder.kind) or table.method_calls.get(holder.kind)
        expression = self._read.base(holder.node, fields[0]) if fields else holder.node.named_child(0)
        if expression is None:
            return None, ""
        declares = "function" if holder.edge.kind == "function" else "field"
        return self._read.receiver(expression, 0), declares if holder.edge.action is Action.BIND else ""

    def _callee(self, stack: list[NodeContext]) -> Receiver | None:
        """What a keyword argument is given to."""
        call = stack[-3].node if len(stack) > 2 else None
        fields = self._table.calls.get(stack[-3].kind) if len(stack) > 2 else None
        function = call.child_by_field_name(fields[0]) if call is not None and fields else None
        return self._read.receiver(function, 0) if function is not None else None

    def _since(self, action: Action, stack: list[NodeContext]) -> int:
        """The byte from which a binding holds, where that is not its own; else -1."""
        bound_after = self._table.bound_after if action is Action.BIND else {}
        holder = next((one for one in stack[:-4:-1] if one.kind in bound_after), None) if bound_after else None
        if holder is None:
            return -1
        last = holder.node.child_by_field_name(bound_after[holder.kind]) if bound_after[holder.kind] else holder.node
        return last.end_byte - self._first if last is not None else -1
