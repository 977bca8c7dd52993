"""The walk that reads the facts of a node: linear in its nodes, and interrupted by the check of the thread."""

from __future__ import annotations

from typing import NamedTuple

from editahead.analysis.resolver.facts import Facts, Occurrence, Receiver, ScopeFacts
from editahead.syntax.interrupt import EVERY, checkpoint
from editahead.syntax.nodes import Node, TreeCursor
from editahead.syntax.scope_table import Action, Edge, Namespace, ScopeKind, ScopeTable, Target

_USE = Edge()
_TYPES_AROUND = frozenset({"type", "type_identifier", "array_type", "type_annotation", "pointer_type", "reference_type"})
_INNER = (ScopeKind.COMPREHENSION, ScopeKind.BLOCK)
_DEEPEST_RECEIVER = 4
_TYPE_DEPTH = 6  # nodes from an annotation down to its first name


class _Context(NamedTuple):
    """What a node hands to its children."""

    node: Node
    kind: str
    edge: Edge
    scope: int


def facts_of(node: Node, table: ScopeTable, outer: ScopeKind, *, header: bool = False) -> Facts:
    """The facts of a node that stands in a scope of kind `outer`. `header`: of a class its body is left out."""
    return _Walk(node, table, outer, header).facts


class _Walk:
    def __init__(self, node: Node, table: ScopeTable, outer: ScopeKind, header: bool) -> None:
        self._table = table
        self._first = node.start_byte
        self._header = header
        self.facts = Facts([ScopeFacts(outer, -1)], [], {}, node.has_error)
        self._run(node)

    def _run(self, root: Node) -> None:
        cursor, stack, seen = root.walk(), list[_Context](), 0
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

    def _visit(self, cursor: TreeCursor, stack: list[_Context]) -> _Context | None:
        """Read one node: what its children are to know, None where the walk does not go below it."""
        node, field = cursor.node, cursor.field_name
        if node is None or not node.is_named:
            return None
        kind = node.type
        edge, scope = self._edge(stack, kind, field) if stack else (_USE, 0)
        if self._header and stack and field is not None and self._table.bodies.get(stack[-1].kind) == field:
            return None
        if self._leaf(node, kind, edge, scope, stack):
            return None
        return _Context(node, kind, edge, self._opened(node, kind, scope, stack))

    def _edge(self, stack: list[_Context], kind: str, field: str | None) -> tuple[Edge, int]:
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
        elif found.target is Target.FUNCTION:
            while self.facts.scopes[scope].kind in _INNER and self.facts.scopes[scope].parent >= 0:
                scope = self.facts.scopes[scope].parent
        return found, scope

    def _opened(self, node: Node, kind: str, scope: int, stack: list[_Context]) -> int:
        """The scope of a node's children: a new one where the node opens it."""
        table = self._table
        found = table.scopes.get(kind)
        if found is None and stack:
            found = table.scopes.get((stack[-1].kind, kind))
        if found is None:
            if kind in table.wildcard_imports and any(c.type == table.wildcard_imports[kind] for c in node.children):
                self.facts.scopes[scope].has_wildcard = True
            return scope
        made = ScopeFacts(found, scope, node.start_byte - self._first, node.end_byte - self._first)
        name = node.child_by_field_name("name")
        if name is not None:
            made.name, made.name_start = _text(name), name.start_byte - self._first
        if kind in table.functions:
            self._function(made, node, kind, stack)
        made.bases = tuple(self._bases(node, kind))
        self.facts.scopes.append(made)
        return len(self.facts.scopes) - 1

    def _function(self, made: ScopeFacts, node: Node, kind: str, stack: list[_Context]) -> None:
        table = self._table
        parameters = node.child_by_field_name(table.functions[kind])
        rows = [child for child in parameters.named_children if "comment" not in child.type] if parameters else []
        if rows and rows[0].type in table.names:
            made.first_parameter = _text(rows[0])
        elif rows and rows[0].named_children and rows[0].named_children[0].type in table.names:
            made.first_parameter = _text(rows[0].named_children[0])
        if stack and stack[-1].kind in table.wrappers:
            decorators = [child for child in stack[-1].node.named_children if child.type == "decorator"]
            made.static = any(_text(one).lstrip("@ ") in table.static_decorators for one in decorators)

    def _bases(self, node: Node, kind: str) -> list[Receiver]:
        found: list[Receiver] = []
        for field in self._table.bases.get(kind, ()):
            holder = node.child_by_field_name(field) or next((one for one in node.children if one.type == field), None)
            for child in holder.named_children if holder is not None else ():
                rows = child.named_children if child.type.endswith(("_list", "_clause")) else [child]
                found += [self._receiver(row, 0) for row in rows if row.type != "keyword_argument"]
        return found

    def _leaf(self, node: Node, kind: str, edge: Edge, scope: int, stack: list[_Context]) -> bool:
        """Whether the walk does not go below a node; the occurrence of a name is noted."""
        table = self._table
        if kind in table.dotted_last and edge.action is Action.BIND and stack:
            self._import_last(node, edge, scope, stack[-1].node)
            return True
        namespace = table.names.get(kind)
        if namespace is None or node.child_count:
            return False
        if not stack:
            self._note(node, _USE, scope, namespace, stack)
            return True
        above = stack[-1]
        qualified = table.qualified.get(above.kind)
        if qualified is not None:
            previous = node.prev_sibling
            if previous is not None and previous.type == qualified[0]:
                edge = Edge(Action.ATTRIBUTE, namespace=qualified[1])
        if above.kind in table.dotted and above.node.named_child_count > 1 and edge.action is not Action.IGNORE:
            first = node.start_byte == above.node.start_byte
            root = edge.action is Action.IMPORT_ROOT
            known = first and edge.action is not Action.IMPORTED
            edge = (Edge(Action.BIND, edge.kind) if root else _USE) if known else Edge(Action.IGNORE)
        elif edge.action is Action.IMPORT_ROOT:
            edge = Edge(Action.BIND, edge.kind)
        if edge.action is not Action.IGNORE:
            self._note(node, edge, scope, edge.namespace or namespace, stack)
            if kind in table.shorthands:
                self.facts.occurrences[-1] = self.facts.occurrences[-1]._replace(is_shorthand=True)
        return True

    def _import_last(self, node: Node, edge: Edge, scope: int, statement: Node) -> None:
        if any(child.type in self._table.wildcard_imports.values() for child in statement.children):
            return
        name = node.child_by_field_name("name")
        if name is None:
            return
        static = any(child.type == "static" for child in statement.children)
        spaces = (Namespace.METHOD, Namespace.VALUE) if static else (Namespace.TYPE,)
        context = _Context(statement, statement.type, edge, scope)
        for namespace in spaces:
            self._note(name, edge, scope, namespace, [context])

    def _note(self, node: Node, edge: Edge, scope: int, namespace: Namespace, stack: list[_Context]) -> None:
        table, facts = self._table, self.facts
        name = _text(node)
        action, kind, receiver, arguments, declared = edge.action, edge.kind, None, -1, None
        if action is Action.GLOBAL:
            facts.scopes[scope].global_names.add(name)
        elif action is Action.NONLOCAL:
            facts.scopes[scope].nonlocal_names.add(name)
        elif action is Action.ATTRIBUTE:
            holder = stack[-1]
            fields = table.attributes.get(holder.kind) or table.method_calls.get(holder.kind)
            expression = holder.node.child_by_field_name(fields[0]) if fields else holder.node.named_child(0)
            if holder.kind in table.method_receivers:
                receiver, kind = self._owner(holder.node, table.method_receivers[holder.kind]), "function"
            elif expression is None:
                action = Action.USE
            else:
                receiver = self._receiver(expression, 0)
                if self._is_assigned(stack):
                    kind = "field"
                    declared = self._declared_type(stack, 1)
        elif action is Action.KEYWORD and table.literal_keys:
            action, receiver = self._literal_key(stack)
        elif action is Action.KEYWORD:
            call = stack[-3].node if len(stack) > 2 else None
            callee = table.calls.get(stack[-3].kind) if len(stack) > 2 else None
            function = call.child_by_field_name(callee[0]) if call is not None and callee else None
            receiver = self._receiver(function, 0) if function is not None else None
        elif action is Action.BIND:
            if facts.scopes[scope].kind is ScopeKind.CLASS and kind in ("variable", "parameter"):
                kind = "field"
            declared = self._declared_type(stack, 0) if kind != "import" else None
            if kind == "function":
                arguments = self._parameter_count(stack)
        if stack and stack[-1].kind in table.method_calls:
            rows = stack[-1].node.child_by_field_name("arguments")
            arguments = rows.named_child_count if rows is not None else -1
        imported = action is Action.IMPORTED or (action is Action.BIND and kind == "import")
        renamed = action is Action.BIND and bool(stack) and stack[-1].kind in table.import_aliases
        module = self._module(stack) if imported and not renamed else ""
        at = len(facts.occurrences)
        since = -1
        if action is Action.BIND and table.bound_after:
            ends = [context.node.end_byte for context in stack[:-4:-1] if context.kind in table.bound_after]
            since = ends[0] - self._first if ends else -1
        if action is Action.BIND:
            facts.scopes[scope].bound.setdefault((namespace, name), []).append(at)
        facts.by_name.setdefault(name, []).append(at)
        start, end = node.start_byte - self._first, node.end_byte - self._first
        facts.occurrences.append(
            Occurrence(
                start, end, name, scope, action, namespace, kind, receiver, declared, arguments, module, since=since
            )
        )

    def _module(self, stack: list[_Context]) -> str:
        """The module of the import at the end of the stack, as it is written; empty where it has none."""
        for context in reversed(stack[-4:]):
            field = self._table.import_modules.get(context.kind)
            if field is not None:
                node = context.node.child_by_field_name(field) if field else context.node.named_child(0)
                return _text(node) if node is not None else ""
        return _text(stack[-1].node) if stack and stack[-1].kind in self._table.dotted else ""

    def _parameter_count(self, stack: list[_Context]) -> int:
        field = self._table.functions.get(stack[-1].kind) if stack else None
        rows = stack[-1].node.child_by_field_name(field) if field else None
        return rows.named_child_count if rows is not None else -1

    def _owner(self, method: Node, field: str) -> Receiver | None:
        """The class of a method that stands outside of it, by the type of its receiver."""
        node = method.child_by_field_name(field)
        for _ in range(_TYPE_DEPTH):
            if node is None or self._table.names.get(node.type) is Namespace.TYPE:
                break
            typed = node.child_by_field_name("type")
            node = typed if typed is not None else node.named_child(0)
        return Receiver("type", _text(node), node.start_byte - self._first) if node is not None else None

    def _literal_key(self, stack: list[_Context]) -> tuple[Action, Receiver | None]:
        """What the key of a literal is: a member where a class is named, a use in a map, else it says nothing here."""
        nested = 0
        for context in reversed(stack):
            if context.kind in self._table.literal_keys:
                node = context.node.child_by_field_name(self._table.literal_keys[context.kind])
                for _ in range(nested - 1):  # of the elements of the elements
                    inner = node.child_by_field_name("element") or node.child_by_field_name("value") if node else None
                    node = inner
                if node is not None and node.type == "generic_type":
                    node = node.child_by_field_name("type")
                if node is not None and self._table.names.get(node.type) is Namespace.TYPE:
                    return Action.ATTRIBUTE, Receiver("type", _text(node), node.start_byte - self._first)
                return (Action.USE if node is not None and node.type == "map_type" else Action.IGNORE), None
            nested += context.kind == "literal_value"
        return Action.IGNORE, None

    def _is_assigned(self, stack: list[_Context]) -> bool:
        """Whether the attribute at the end of the stack is what an assignment binds."""
        edge = stack[-1].edge  # that of the attribute node itself
        return edge.action is Action.BIND

    def _declared_type(self, stack: list[_Context], skip: int) -> Receiver | None:
        """The class that a declaration gives its name: its annotation, or the constructor that it calls."""
        table = self._table
        above = stack[: len(stack) - skip]
        if above and above[-1].kind in table.hand_on and above[-1].node.named_child_count == 1:
            above = above[:-1]
        near = above[:-3:-1]
        if any(context.kind in table.transparent for context in near[:1]):
            return None  # one of several targets
        for context in near:
            field = table.declared_types.get(context.kind)
            declared = context.node.child_by_field_name(field) if field else None
            named = self._type_name(declared) if declared is not None else None
            if declared is not None and (named is not None or _text(declared) != "var"):
                return named
        for context in near:
            field = table.initial_values.get(context.kind)
            value = context.node.child_by_field_name(field) if field else None
            if value is not None:
                return self._created(value)
        return None

    def _type_name(self, node: Node) -> Receiver | None:
        """The class that a type names: of `Optional[A]` or `list[A]` nothing is said."""
        for _ in range(_TYPE_DEPTH):
            if node.type in self._table.names:
                name = _text(node)
                return None if name == "var" else Receiver("name", name, node.start_byte - self._first)
            if node.named_child_count != 1:
                return None
            child = node.named_child(0)
            if child is None or node.type not in _TYPES_AROUND:
                return None
            node = child
        return None

    def _created(self, node: Node) -> Receiver | None:
        table = self._table
        for _ in range(_TYPE_DEPTH):
            inner = node.named_child(0) if node.type in table.hand_on and node.named_child_count == 1 else None
            if inner is None:
                break
            node = inner
        made = table.creations.get(node.type)
        if made is not None:
            kind = node.child_by_field_name(made)
            return self._type_name(kind) if kind is not None else None
        called = table.calls.get(node.type)
        callee = node.child_by_field_name(called[0]) if called else None
        return self._receiver(callee, 0) if callee is not None and callee.type in table.names else None

    def _receiver(self, node: Node, depth: int) -> Receiver:
        table, kind = self._table, node.type
        if kind in table.names:
            return Receiver("name", _text(node), node.start_byte - self._first)
        if kind in table.this_nodes:
            return Receiver("this")
        if kind in table.super_nodes:
            return Receiver("super")
        if depth < _DEEPEST_RECEIVER:
            fields = table.attributes.get(kind)
            if fields is not None:
                base, name = node.child_by_field_name(fields[0]), node.child_by_field_name(fields[1])
                if base is not None and name is not None:
                    if name.type in table.this_nodes:
                        return self._receiver(base, depth + 1)._replace(kind="this-of")
                    inner = self._receiver(base, depth + 1)
                    return Receiver("attribute", _text(name), name.start_byte - self._first, inner)
            made = table.creations.get(kind)
            created = node.child_by_field_name(made) if made else None
            if created is not None:
                return Receiver("call", base=self._type_name(created) or Receiver("other"))
            called = table.calls.get(kind)
            callee = node.child_by_field_name(called[0]) if called else None
            if callee is not None:
                return Receiver("call", base=self._receiver(callee, depth + 1))
            if kind in ("parenthesized_expression", "generic_type") and node.named_child_count:
                inner_node = node.named_child(0)
                return self._receiver(inner_node, depth + 1) if inner_node is not None else Receiver("other")
        return Receiver("other")


def _text(node: Node) -> str:
    text = node.text
    return text.decode("utf-8", "replace") if text is not None else ""
