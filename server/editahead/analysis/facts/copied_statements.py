"""Copies the facts of statements that an edit elsewhere in their blocks leaves as they were.

A function is a single unit, and each line that is typed in it makes another text of it. Only the statements around that
line are walked; those before and behind it have the facts that they had, moved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from editahead.analysis.facts.expressions import NodeContext
from editahead.analysis.facts.facts import NOWHERE, Facts, Occurrence, Receiver, ScopeFacts, StatementFacts
from editahead.syntax.nodes import Node
from editahead.syntax.scope_table import Action, Namespace
from editahead.syntax.table_notation import words
from editahead.text.diff import common_prefix, common_suffix

BLOCKS = words("block statement_block compound_statement constructor_body switch_body")
_MAX_SCOPES = 64  # around a statement
_OUTER_EFFECTS = (Action.GLOBAL, Action.NONLOCAL)  # they also change the scope around


class _MovedError(Exception):
    """A byte lies in the changed text."""


class StatementRecords:
    """Notes which occurrences and scopes of `facts` come from each statement of a block; bytes count from `first`.

    Statements that narrow a name are omitted, as the end of that depends on the code behind them.
    """

    def __init__(self, facts: Facts, first: int) -> None:
        self._facts, self._first = facts, first
        self._open: list[tuple[int, Node, int, StatementFacts]] = []
        self.narrowings = 0  # until now

    def begin(self, node: Node, stack: Sequence[NodeContext]) -> None:
        """Begin the statement `node` of the block at the end of a stack."""
        rows, inner = range(len(self._facts.occurrences), 0), range(len(self._facts.scopes), 0)
        end, begun = node.end_byte - self._first, len(self._facts.statements)
        statement = StatementFacts(end, stack[-1].chain, stack[-1].scope, rows, inner, begun)
        self._open.append((len(stack), node, self.narrowings, statement))

    def end(self, depth: int) -> None:
        """End the statements with so many nodes around them, or more."""
        facts = self._facts
        while self._open and self._open[-1][0] >= depth:
            size, node, narrowings, begun = self._open.pop()
            if narrowings != self.narrowings:
                continue
            facts.statements[node.start_byte - self._first, size] = begun._replace(
                occurrences=range(begun.occurrences.start, len(facts.occurrences)),
                scopes=range(begun.scopes.start, len(facts.scopes)),
                inner=len(facts.statements) - begun.inner,
            )


class StatementCopies:
    """Copies statements of `base`, the facts of the text `old`, to `facts`, those of the text `new`."""

    def __init__(self, base: Facts, old: bytes, new: bytes, facts: Facts) -> None:
        least = min(len(old), len(new))
        same = common_prefix(old, new)
        behind = common_suffix(old, new, least - same)
        # A byte more on each side, so that what ends before the change and what begins behind it stay apart.
        self._low, self._old_high, self._high = same - 1, len(old) - behind + 1, len(new) - behind + 1
        self._growth = len(new) - len(old)
        self._base, self._facts, self._statements = base, facts, list(base.statements.items())
        self._numbers = {key: number for number, key in enumerate(base.statements)}
        self._scopes: tuple[NodeContext | None, int, dict[int, int]] = None, 0, {}
        self._keys: dict[int, list[tuple[int, tuple[Namespace, str]]]] = {}
        for number, scope in enumerate(base.scopes):
            for key, rows in scope.bound.items():
                for row in rows:
                    self._keys.setdefault(row, []).append((number, key))

    def copy(self, start: int, end: int, stack: Sequence[NodeContext], first: int) -> StatementFacts | None:
        """Copy the facts of the statement in bytes [start, end) of the new text; None where it has to be walked."""
        block = stack[-1]
        is_around = block.node.start_byte - first <= self._low and self._high <= block.node.end_byte - first
        if not is_around or not (end <= self._low or start >= self._high):
            return None
        shift = 0 if end <= self._low else self._growth
        key = (start - shift, len(stack))
        statement = self._base.statements.get(key)
        if statement is None or (statement.end, statement.chain) != (end - shift, block.chain):
            return None
        scopes = self._scopes_around(statement.scope, block)
        rows = self._base.occurrences[statement.occurrences.start : statement.occurrences.stop]
        if not scopes or any(row.action in _OUTER_EFFECTS for row in rows):
            return None
        grown = len(self._facts.scopes) - statement.scopes.start
        scopes = {**scopes, **{number: number + grown for number in statement.scopes}}
        try:
            moved = [self._occurrence(row, scopes) for row in rows]
            inner = [self._scope(self._base.scopes[number], scopes) for number in statement.scopes]
            self._add(statement, moved, inner, scopes)
        except (_MovedError, KeyError):
            return None
        number, rows_grown = self._numbers[key], len(self._facts.occurrences) - statement.occurrences.stop
        for (at, depth), row in self._statements[number - statement.inner : number + 1]:
            self._facts.statements[at + shift, depth] = row._replace(
                end=row.end + shift, scope=scopes[row.scope], occurrences=_moved(row.occurrences, rows_grown),
                scopes=_moved(row.scopes, grown),
            )  # fmt: skip
        return statement

    def _scopes_around(self, scope: int, block: NodeContext) -> dict[int, int]:
        """The new numbers of the scope of a block and those around it; empty where they differ."""
        if self._scopes[0] is not block or self._scopes[1] != scope:
            numbers, old, new = dict[int, int](), scope, block.scope
            while old >= 0 and new >= 0 and len(numbers) < _MAX_SCOPES:
                was, now = self._base.scopes[old], self._facts.scopes[new]
                if was.kind is not now.kind or was.has_wildcard:
                    break
                numbers[old] = new
                old, new = was.parent, now.parent
            self._scopes = block, scope, numbers if old == new == -1 else {}
        return self._scopes[2]

    def _byte(self, byte: int) -> int:
        """The new position of a byte. Raises _MovedError if its text has changed."""
        if byte <= self._low or byte >= NOWHERE:
            return byte
        if byte < self._old_high:
            raise _MovedError
        return byte + self._growth

    def _receiver(self, receiver: Receiver | None) -> Receiver | None:
        return self._of_receiver(receiver) if receiver is not None else None

    def _of_receiver(self, receiver: Receiver) -> Receiver:
        if receiver.start <= self._low and receiver.base is None:
            return receiver
        return receiver._replace(start=self._byte(receiver.start), base=self._receiver(receiver.base))

    def _receivers(self, receivers: Sequence[Receiver | None]) -> tuple[Receiver | None, ...]:
        return tuple(self._receiver(receiver) for receiver in receivers)

    def _occurrence(self, row: Occurrence, scopes: Mapping[int, int]) -> Occurrence:
        spans = row.spans and tuple((self._byte(start), self._byte(end)) for start, end in row.spans)
        return row._replace(
            start=self._byte(row.start), end=self._byte(row.end), scope=scopes[row.scope],
            receiver=self._receiver(row.receiver), declared_type=self._receiver(row.declared_type),
            since=self._byte(row.since), spans=spans,
        )  # fmt: skip

    def _scope(self, scope: ScopeFacts, scopes: Mapping[int, int]) -> ScopeFacts:
        """A scope inside a statement, without its bound names."""
        return replace(
            scope, parent=scopes[scope.parent], start=self._byte(scope.start), end=self._byte(scope.end), bound={},
            name_start=self._byte(scope.name_start), value_of=self._byte(scope.value_of),
            global_names=set(), nonlocal_names=set(), bases=tuple(self._of_receiver(base) for base in scope.bases),
            parameter_types=self._receivers(scope.parameter_types), result_types=self._receivers(scope.result_types),
        )  # fmt: skip

    def _add(
        self, statement: StatementFacts, moved: list[Occurrence], inner: list[ScopeFacts], scopes: Mapping[int, int]
    ) -> None:
        """Add the occurrences and scopes of a statement. Raises before anything is added."""
        facts, base, old = self._facts, self._base, statement.occurrences
        until = {row: self._byte(base.until[row]) for row in old if row in base.until}
        deleted = {row: base.deleted[row] for row in old if row in base.deleted}
        deleted = {row: end if end is None else self._byte(end) for row, end in deleted.items()}
        keys = [(row, scopes[scope], key) for row in old for scope, key in self._keys.get(row, ())]
        grown = len(facts.occurrences) - old.start
        facts.scopes += inner
        for row, scope, key in keys:
            facts.scopes[scope].bound.setdefault(key, []).append(row + grown)
        for occurrence in moved:
            facts.by_name.setdefault(occurrence.name, []).append(len(facts.occurrences))
            facts.occurrences.append(occurrence)
        facts.until.update({row + grown: end for row, end in until.items()})
        facts.deleted.update({row + grown: end for row, end in deleted.items()})
        facts.of_instance.update(row + grown for row in old if row in base.of_instance)


def _moved(numbers: range, grown: int) -> range:
    return range(numbers.start + grown, numbers.stop + grown)
