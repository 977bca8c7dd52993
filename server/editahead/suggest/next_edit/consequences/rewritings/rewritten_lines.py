"""The lines that the user changed last, as pairs of expressions: what was there, and what is there now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from editahead.analysis.signatures import path_to
from editahead.patterns.changes import NetChange, net_changes
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import Document
from editahead.syntax.nodes import Node
from editahead.syntax.snapshot import SyntaxSnapshot

MAX_LINES = 3
"""The latest changed lines that are read."""
_CLIMB = 6  # nodes from the changed one up to the expression
_LONGEST = 2_000  # bytes of changes of one line
_STATEMENTS = ("_statement", "block", "assignment", "_declaration")


class RewrittenLine(NamedTuple):
    """The changes of one line in text order, and the nodes before and after them, innermost first.

    The last pair may be a statement; all others are parts of it.
    """

    changes: tuple[NetChange, ...]
    pairs: tuple[tuple[Node, Node], ...]

    @property
    def start(self) -> int:
        """The byte of its first change."""
        return self.changes[0].start


def is_statement(node: Node) -> bool:
    """Whether a node is no expression but a statement, or several."""
    return node.type.endswith(_STATEMENTS)


def rewritten_lines(moment: Moment) -> Sequence[RewrittenLine]:
    """The lines of the document that were changed last, most recent first; without the line of a cursor at work."""
    return moment.once("rewritten lines", moment.document, lambda: list(_rewritten_lines(moment, moment.document)))


def _rewritten_lines(moment: Moment, home: Document) -> Iterator[RewrittenLine]:
    syntax, data = home.syntax, home.syntax.buffer.data
    changes = [change for change in net_changes(home.history, data) if not change.is_undone(data)]
    here = syntax.buffer.line_at(min(moment.byte, len(data)))
    lines = (syntax.buffer.line_at(change.start) for change in sorted(changes, key=lambda change: -change.turn))
    for line in islice(dict.fromkeys(lines), MAX_LINES):
        moment.check()
        same_line = tuple(change for change in changes if syntax.buffer.line_at(change.start) == line)
        size = sum(len(change.old) + change.end - change.start for change in same_line)
        is_settled = all(change.settled for change in same_line) and (line != here or home.idle)
        if is_settled and size <= _LONGEST:
            yield RewrittenLine(same_line, tuple(_pairs(syntax, same_line)))


def _pairs(syntax: SyntaxSnapshot, changes: Sequence[NetChange]) -> Iterator[tuple[Node, Node]]:
    """The nodes around the changes of one line, before and after them, as far up as one statement."""
    start, end = changes[0].start, max(change.end for change in changes)
    grown = sum(change.end - change.start - len(change.old) for change in changes)
    before = Moment.before(syntax, changes)
    (new, shift), (old, offset) = _around(syntax, start, end), _around(before, start, end - grown)
    by_span = {(node.start_byte + offset, node.end_byte + offset): node for node in old}
    for node in islice(reversed(new), _CLIMB):
        was = by_span.get((node.start_byte + shift, node.end_byte + shift - grown))
        if was is not None:
            yield was, node
        if is_statement(node):
            return


def _around(syntax: SyntaxSnapshot, start: int, end: int) -> tuple[list[Node], int]:
    """The nodes that hold bytes [start, end), outermost first, and where their tree begins."""
    best: tuple[list[Node], int] = ([], 0)
    for at in {start, max(0, start - 1)}:
        path, offset = path_to(syntax, at)
        held = [node for node in path if node.start_byte + offset <= start and end <= node.end_byte + offset]
        best = max(best, (held, offset), key=lambda one: len(one[0]))
    return best
