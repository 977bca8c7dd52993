"""The walk that reads facts may be interrupted at any check and goes on where it stopped."""

from __future__ import annotations

import pytest
from editahead.analysis.facts.file_facts import FactsCache, file_facts
from editahead.analysis.facts.first_pass import FactsWalk
from editahead.syntax.interrupt import interruptible
from editahead.syntax.language import by_id
from editahead.syntax.nodes import parsed_parts
from editahead.syntax.scope_table import ScopeKind, ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer

TEXT = b"def f(" + b", ".join(b"a%d" % number for number in range(400)) + b"):\n    return a0.b(a1)[a2]\n"


class InterruptedReadError(Exception):
    """What the check of these tests raises."""


class Steps:
    """A check that raises after so many calls, counted anew after each time."""

    def __init__(self, calls: int) -> None:
        self.calls, self.left, self.raised = calls, calls, 0

    def __call__(self) -> None:
        """Raise InterruptedReadError when the calls are used up."""
        self.left -= 1
        if self.left < 0:
            self.left, self.raised = self.calls, self.raised + 1
            raise InterruptedReadError


def opened() -> tuple[SyntaxSnapshot, ScopeTable]:
    language = by_id("python")
    assert language is not None
    assert language.scopes is not None
    return SyntaxSnapshot.open(Buffer(TEXT), language), language.scopes


def test_an_interrupted_walk_reads_what_an_uninterrupted_one_reads() -> None:
    snapshot, table = opened()
    part = parsed_parts(snapshot)[0]
    node = part.tree.root_node.children[0]
    walk, check = FactsWalk(part, node, table, ScopeKind.MODULE), Steps(2)
    with interruptible(check):
        while True:
            try:
                facts = walk.finish()
                break
            except InterruptedReadError:
                continue
    assert check.raised > 1
    assert facts == FactsWalk(part, node, table, ScopeKind.MODULE).finish()


def test_each_try_goes_further_and_the_unit_is_read_once() -> None:
    snapshot, table = opened()
    cache, check = FactsCache(), Steps(5)
    unit = file_facts(snapshot, table, cache).units[0]
    with interruptible(check):
        for _ in range(20):
            try:
                facts = unit.facts
                break
            except InterruptedReadError:
                assert cache.read == 0
        else:
            pytest.fail("never read to its end")
    assert (check.raised > 0, cache.read) == (True, 1)
    assert unit.facts is facts
