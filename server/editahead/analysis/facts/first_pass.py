"""The walk that reads the facts of a node, with paths in imports: linear in its nodes, and interruptible."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from editahead.analysis.facts.copied_statements import BLOCKS, StatementCopies, StatementRecords
from editahead.analysis.facts.expressions import Expressions, NodeContext
from editahead.analysis.facts.facts import USE, Facts, Occurrence, Receiver, ScopeFacts, Step, step_at
from editahead.analysis.facts.literals import literal_key
from editahead.analysis.facts.macro_tokens import MacroTokens
from editahead.analysis.facts.narrowings import narrowings
from editahead.analysis.facts.neighbours import declared_member, edge_beside, is_given
from editahead.analysis.facts.occurrence_notes import OccurrenceNotes
from editahead.analysis.facts.opened_scopes import OpenedScopes
from editahead.analysis.facts.quoted_names import QuotedNames
from editahead.syntax.interrupt import checkpoint
from editahead.syntax.nodes import Node, ParsedPart, TreeCursor, node_text
from editahead.syntax.scope_table import Action, Edge, Namespace, ScopeKind, ScopeTable, Target

_MAX_NAMES = 16  # names of a path
_MAX_DEPTH = 32  # nodes around a name in an import
NODES_BETWEEN_CHECKS = 128
_MAX_TOKEN_DEPTH = 256  # nodes around a name whose siblings are read: each sibling costs a walk from the root
_INNER = (ScopeKind.COMPREHENSION, ScopeKind.BLOCK)


class ImportPaths:
    """Reads the import paths of a walk; bytes count from `first`."""

    def __init__(self, table: ScopeTable, first: int) -> None:
        self._table, self._first = table, first

    def module(self, stack: Sequence[NodeContext], path: Node | None = None) -> Receiver | None:
        """The module of the names of an import at the end of a stack, `path` included; None where it has none."""
        module = self._before(stack, path)
        for leaf in self._leaves(path) if path is not None else ():
            module = self._extended(module, leaf)
        return module

    def names(self, path: Node, stack: Sequence[NodeContext]) -> Iterator[tuple[Node, Receiver | None]]:
        """Yield the names in a path, each with the module that declares it; None of a first name, maybe a package."""
        module = self._before(stack, path)
        for leaf in self._leaves(path):
            if leaf.type in self._table.names:
                yield leaf, module
            module = self._extended(module, leaf)

    def _before(self, stack: Sequence[NodeContext], path: Node | None) -> Receiver | None:
        """The module that the lists around a path share: `a::b` in `a::b::{c::d}`."""
        module: Receiver | None = None
        for context in stack[-_MAX_DEPTH:]:
            field = self._table.imports.path_lists.get(context.kind)
            prefix = context.node.child_by_field_name(field) if field else None
            for leaf in self._leaves(prefix) if prefix is not None and (path is None or prefix.id != path.id) else ():
                module = self._extended(module, leaf)
        return module

    def _leaves(self, path: Node) -> list[Node]:
        """The names of a path in order; none where it has more than _MAX_NAMES or begins with a separator."""
        leaves, node = list[Node](), path
        while node.type in self._table.dotted_last and len(leaves) <= _MAX_NAMES:
            before, name = node.child_by_field_name("path"), node.child_by_field_name("name")
            if before is None or name is None:
                return []
            leaves.append(name)
            node = before
        return [*leaves, node][::-1] if len(leaves) < _MAX_NAMES else []

    def _extended(self, module: Receiver | None, leaf: Node) -> Receiver:
        text, start = node_text(leaf), leaf.start_byte - self._first
        if module is None:
            return Receiver("module" if text in self._table.imports.path_words else "name", text, start)
        return Receiver("attribute", text, start, module)


class FactsWalk:
    """The walk over a node in a scope of kind `outer`.

    After an interruption by `checkpoint`, `finish` resumes where it stopped.
    """

    def __init__(
        self,
        part: ParsedPart,
        node: Node,
        table: ScopeTable,
        outer: ScopeKind,
        end: int | None = None,
        base: tuple[bytes, Facts] | None = None,
    ) -> None:
        """`end`: the byte of the part where the body of a class begins; nothing from there on is read.

        `base`: another text of the node and its facts, from which the facts of statements are copied.
        """
        self._table, self._grammar, self._data, self._first = table, part.tree.language, part.data, node.start_byte
        self._read = Expressions(table, node.start_byte)
        self._paths = ImportPaths(table, node.start_byte)
        self._tokens = MacroTokens(table, node.start_byte)
        self._quoted = QuotedNames(table, node.start_byte, self._read)
        self._header_end = end
        self._has_type_parameters = False
        self.facts = Facts([ScopeFacts(outer, -1)], [], {}, node.has_error)
        self._scopes = OpenedScopes(table, node.start_byte, self._read, self.facts.scopes)
        self._notes = OccurrenceNotes(table, node.start_byte, self._read, self.facts)
        self._records, text = StatementRecords(self.facts, node.start_byte), part.data[node.start_byte : node.end_byte]
        self._copies = StatementCopies(base[1], base[0], text, self.facts) if base is not None else None
        self._cursor, self._stack, self._visited, self._is_finished = node.walk(), list[NodeContext](), 0, False

    def finish(self) -> Facts:
        """Walk to the end and return the facts. Raises what `checkpoint` raises."""
        cursor, stack = self._cursor, self._stack
        while not self._is_finished:
            if self._visited % NODES_BETWEEN_CHECKS == 0:  # also at the first node: a file may have many small units
                checkpoint()
            self._visited += 1
            context = self._visit(cursor, stack)
            if context is not None:
                stack.append(context)
                continue
            while not cursor.goto_next_sibling():
                if len(stack) < 2:
                    self._is_finished = True
                    self._records.end(0)
                    break
                if stack.pop().kind in BLOCKS:
                    self._records.end(len(stack) + 1)
                cursor.goto_parent()
        return self.facts

    def _visit(self, cursor: TreeCursor, stack: list[NodeContext]) -> NodeContext | None:
        """Read a node and go to its first child; the context of its children, None where they are not visited."""
        node = cursor.node
        if node is None or not node.is_named:
            return None
        above = stack[-1] if stack else NodeContext(node, "", USE, 0)
        if self._header_end is not None and stack and node.start_byte >= self._header_end:
            return None
        if above.kind in BLOCKS and stack and self._is_copied(node, stack):
            return None
        number = (cursor.field_id or 0) << 16 | node.kind_id
        step = above.below.get(number)
        if step is None:
            step = step_at(self._table, self._grammar, above.kind, cursor.field_name, node.type)
            above.below[number] = step
        edge, scope = above.edge, above.scope
        if step.edge is None:
            edge, scope = self._edge(stack, step.kind, cursor.field_name)
        elif not step.is_inherited:
            edge = step.edge
        if step.is_holder and self._note_path_or_string(node, step.kind, edge, scope, stack):
            return None
        if step.namespace is not None and not node.child_count:
            start, end = node.byte_range
            if start != end:  # an empty name was inserted by the parser
                self._name(node, self._data[start:end].decode("utf-8", "replace"), step, edge, scope, stack)
            return None
        if step.opens:
            scope = self._scopes.open_scope(node, step.kind, scope, stack)
            holder = self._table.classes.embedded.get(step.kind)
            if stack and stack[-1].kind == holder and node.child_by_field_name("name") is None:
                self._scopes.embed(node, scope)
        context = NodeContext(node, step.kind, edge, scope, step.below, hash((above.chain, step.kind)))
        if step.narrows:
            for narrowing in narrowings(
                self._table, self._read, [*stack[-_MAX_DEPTH:], context], self._data, self._first
            ):
                self.facts.narrowings.setdefault(narrowing.path[-1], []).append(narrowing)
                self._records.narrowings += 1
        return context if cursor.goto_first_child() else None

    def _is_copied(self, node: Node, stack: list[NodeContext]) -> bool:
        """Whether the facts of a statement could be copied; else the statement begins."""
        self._records.end(len(stack))
        if node.has_error:
            return False
        if self._copies is not None:
            start, end = node.byte_range
            if self._copies.copy(start - self._first, end - self._first, stack, self._first) is not None:
                return True
        self._records.begin(node, stack)
        return False

    def _edge(self, stack: list[NodeContext], kind: str, field: str | None) -> tuple[Edge, int]:
        """The edge of the names below a node, and the scope in which they are looked up."""
        table, above = self._table, stack[-1]
        before = table.first_outside.get((above.kind, field))
        if before is not None:
            previous = above.node.prev_named_sibling
            first = previous is None or previous.type not in before
            return USE, max(0, self.facts.scopes[above.scope].parent) if first else above.scope
        around = stack[-2].kind if len(stack) > 1 else ""
        edge = table.edge(above.node, (above.kind, around), field, kind)
        if edge is None:
            return (above.edge if above.kind in table.transparent else USE), above.scope
        scope = above.scope
        if edge.target is Target.OUTER:
            scope = max(0, self.facts.scopes[scope].parent)
        elif edge.target is Target.FILE:
            scope = 0
        elif edge.target is Target.FUNCTION:
            while self.facts.scopes[scope].kind in _INNER and self.facts.scopes[scope].parent >= 0:
                scope = self.facts.scopes[scope].parent
        return edge, scope

    def _quotation(self, node: Node, scope: int, stack: list[NodeContext]) -> None:
        """Note the names in a string that holds code."""
        for quoted in self._quoted.names(node, stack, self.facts.scopes[scope].kind):
            start, end = quoted.start - self._first, quoted.end - self._first
            action, receiver = quoted.action, quoted.receiver
            self._add(Occurrence(start, end, quoted.name, scope, action, Namespace.VALUE, receiver=receiver))

    def _add(self, occurrence: Occurrence) -> None:
        self.facts.by_name.setdefault(occurrence.name, []).append(len(self.facts.occurrences))
        self.facts.occurrences.append(occurrence)

    def _formatted(self, node: Node, scope: int, stack: list[NodeContext]) -> None:
        """Note the names in the braces of a format string of a macro: `"{name:>5}"`."""
        if len(stack) > _MAX_TOKEN_DEPTH:
            return
        for at, text in self._tokens.format_names(node, stack[-1].node, stack[-2].node):
            start, name = node.start_byte - self._first + at, text.decode("utf-8", "replace")
            self._add(Occurrence(start, start + len(text), name, scope, Action.USE, Namespace.VALUE))

    def _token(self, node: Node, scope: int, namespace: Namespace, stack: list[NodeContext]) -> None:
        """Note a name among the tokens of a macro, up to a depth of nodes."""
        if len(stack) > _MAX_TOKEN_DEPTH:
            return
        edge, receiver, shorthand = self._tokens.name(node, stack[-1].node)
        if edge.action is Action.IGNORE:
            return
        self._notes.note(node, edge, scope, edge.namespace or namespace, stack, receiver)
        if shorthand:
            self.facts.occurrences[-1] = self.facts.occurrences[-1]._replace(shorthand="name")
            self._note_key(node, receiver, stack)

    def _note_path_or_string(self, node: Node, kind: str, edge: Edge, scope: int, stack: list[NodeContext]) -> bool:
        """Note the names of a path or in a string; return whether the nodes below are done with."""
        table = self._table
        is_path = kind in table.dotted_last or kind in table.names
        if is_path and edge.action is Action.IGNORE and stack and stack[-1].kind in table.imports.path_holders:
            self._import_path(node, stack[-1].node, scope, stack)
            return True
        if kind in table.dotted_last and edge.action is Action.BIND and edge.kind == "import" and stack:
            self._import_last(node, edge, scope, stack)
            return True
        if kind in table.quotations.texts:
            self._quotation(node, scope, stack)
        elif kind in table.macros.format_strings and len(stack) > 1 and stack[-2].kind in table.macros.token_trees:
            self._formatted(node, scope, stack)
        return False

    def _name(self, node: Node, name: str, step: Step, edge: Edge, scope: int, stack: list[NodeContext]) -> None:
        """Note a name."""
        table, namespace, receiver = self._table, step.namespace or Namespace.VALUE, None
        is_plain = step.is_plain and edge.action is Action.USE and not edge.kind
        if step.is_member and edge.action is Action.ATTRIBUTE and stack[-1].edge.action is not Action.BIND:
            holder = stack[-1].node
            before = self._read.base(holder, table.attributes[stack[-1].kind][0])
            receiver = self._read.before(holder, before, 0) if before is not None else None
            is_plain = receiver is not None
        if is_plain:
            space, start = edge.namespace or namespace, node.start_byte - self._first
            if self._has_type_parameters and receiver is None:
                scope = self._of_type_parameter(name, space, scope, stack)
            row = Occurrence(start, node.end_byte - self._first, name, scope, edge.action, space, receiver=receiver)
            self._add(row)
            return
        if not stack:
            self._notes.note(node, USE, scope, namespace, stack)
            return
        above = stack[-1]
        if above.kind in table.macros.token_trees:
            self._token(node, scope, namespace, stack)
            return
        if not step.is_plain:
            edge = edge_beside(table, node, edge, stack)
        if above.kind in table.dotted and above.node.named_child_count > 1 and edge.action is not Action.IGNORE:
            first = node.start_byte == above.node.start_byte
            root = edge.action is Action.IMPORT_ROOT
            is_local = first and edge.action is not Action.IMPORTED
            if not first and not root and edge.action is not Action.IMPORTED and edge.kind != "import":
                receiver = self._read.path_before(above.node, node)  # `case Color.RED`
            edge = (Edge(Action.BIND, edge.kind) if root else USE) if is_local else Edge(Action.IGNORE)
            edge = Edge(Action.ATTRIBUTE) if receiver is not None else edge
        elif edge.action is Action.IMPORT_ROOT:
            edge = Edge(Action.BIND, edge.kind)
        if namespace is Namespace.PRIVATE and edge.action is not Action.BIND:  # its class does not depend on the object
            self._notes.note(node, Edge(Action.ATTRIBUTE), scope, namespace, stack, Receiver("this"))
        elif edge.action is not Action.IGNORE:
            space = namespace if namespace is Namespace.PRIVATE else edge.namespace or namespace
            scope = self._scope_of(name, edge, space, scope, stack)
            self._has_type_parameters |= edge.kind == "type-parameter"
            listed = edge.kind == "import" and above.kind not in table.imports.path_holders and bool(table.modules)
            self._notes.note(node, edge, scope, space, stack, self._paths.module(stack) if listed else receiver)
            self._note_member(node, edge, scope, stack)
            if step.kind in table.literals.shorthands or above.kind in table.literals.shorthands:
                self._shorthand(node, namespace, stack)
            elif above.kind in table.literals.inferred_keys and not is_given(node):
                self.facts.occurrences[-1] = self.facts.occurrences[-1]._replace(shorthand="name")

    def _scope_of(self, name: str, edge: Edge, space: Namespace, scope: int, stack: list[NodeContext]) -> int:
        """The scope of a name in a scope; that of an enclosing declaration where its head declares the name."""
        if edge.action is Action.USE and self._has_type_parameters:
            return self._of_type_parameter(name, space, scope, stack)
        return self._of_head(name, space, scope) if edge.action is Action.BIND and self._table.same_in_body else scope

    def _of_type_parameter(self, name: str, space: Namespace, scope: int, stack: list[NodeContext]) -> int:
        """The scope of a name in a head; the declaration's own where the name is that of a type parameter."""
        for context in reversed(stack):
            facts = self.facts.scopes[context.scope]
            rows = facts.bound.get((space, name), ()) if facts.parent == scope else ()
            if any(self.facts.occurrences[at].kind == "type-parameter" for at in rows):
                return context.scope
        return scope

    def _of_head(self, name: str, space: Namespace, scope: int) -> int:
        """The scope in which a scope binds a name: of a function body whose head declares it, the function."""
        body, scopes = self.facts.scopes[scope], self.facts.scopes
        in_body = body.kind is ScopeKind.BLOCK and scopes[body.parent].kind is ScopeKind.FUNCTION
        return body.parent if in_body and (space, name) in scopes[body.parent].bound else scope

    def _note_member(self, node: Node, edge: Edge, scope: int, stack: list[NodeContext]) -> None:
        """Note the member of the enclosing class that a name declares as well."""
        scopes = self.facts.scopes
        member = declared_member(self._table, node, edge, stack)
        if member is not None and member.target is Target.OUTER:
            scope = scopes[scope].parent
        if member is not None and scope >= 0 and scopes[scope].kind is ScopeKind.CLASS:
            self._notes.note(node, member, scope, member.namespace or self._table.field_namespace, stack)

    def _shorthand(self, node: Node, namespace: Namespace, stack: list[NodeContext]) -> None:
        """Note that the last occurrence is also a key, and the key itself if its class is resolved."""
        rows = self.facts.occurrences
        rows[-1] = rows[-1]._replace(shorthand="name")
        action, owner = (
            literal_key(self._table, self._read, stack) if self._table.literals.keys else (Action.IGNORE, None)
        )
        if action is Action.ATTRIBUTE:
            self._note_key(node, owner, stack)

    def _note_key(self, node: Node, owner: Receiver | None, stack: list[NodeContext]) -> None:
        """Note a name again as the key of a literal of a class."""
        rows, space = self.facts.occurrences, self._table.field_namespace
        self._notes.note(node, Edge(Action.ATTRIBUTE), rows[-1].scope, space, stack, owner)
        rows[-1] = rows[-1]._replace(shorthand="key")

    def _import_path(self, path: Node, whole: Node, scope: int, stack: list[NodeContext]) -> None:
        """Note the names of a path in an import.

        The first name is taken for a module of the file unless the import repeats it: `use log::{log, Level}`.
        """
        for name, module in self._paths.names(path, stack):
            if module is not None:
                self._notes.note(name, Edge(Action.ATTRIBUTE), scope, Namespace.VALUE, stack, module)
            elif len(re.findall(rf"\b{re.escape(node_text(name))}\b", node_text(whole))) == 1:
                self._notes.note(name, USE, scope, Namespace.TYPE, stack)

    def _import_last(self, node: Node, edge: Edge, scope: int, stack: list[NodeContext]) -> None:
        statement = stack[-1].node
        if any(child.type in self._table.imports.wildcards.values() for child in statement.children):
            return
        name = node.child_by_field_name("name")
        if name is None:
            return
        static = any(child.type == "static" for child in statement.children)
        spaces = (Namespace.METHOD, Namespace.VALUE) if static else (Namespace.TYPE,)
        context = NodeContext(statement, statement.type, edge, scope)
        path = node.child_by_field_name("path") if self._table.modules else None
        module = self._paths.module(stack, path) if path is not None else None
        if path is not None:
            self._import_path(path, node, scope, stack)
        for namespace in spaces:
            self._notes.note(name, edge, scope, namespace, [context], module)
