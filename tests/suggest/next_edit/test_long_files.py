"""What a next edit costs while a name is replaced place by place: that of its surroundings, not of the whole file."""

from __future__ import annotations

import time
from collections.abc import Iterator

from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.next_edit.consequences.source import ConsequenceSource
from editahead.suggest.next_edit.decision import NextEditDecision
from editahead.suggest.types import Document, Shown
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import by_id
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import History

ITEM = """class Shop{n}:
    def __init__(self, orders):
        self.orders = orders

    def find{n}(self, order{n}_id):
        order = self.orders.get(order{n}_id)
        if order is None:
            raise KeyError(order{n}_id)
        print("found", order{n}_id, order.customer)
        order.seen = time.time()
        return order, order{n}_id, self.orders[order{n}_id]


"""
LINES = ITEM.count("\n")
WARM = 2  # requests before those that are timed


def renamed_by_hand(lines: int) -> Iterator[Document]:
    """A file of so many lines whenever another place of a parameter in its middle has its new name."""
    language = by_id("python")
    assert language is not None
    items = lines // LINES
    buffer = Buffer(("import time\n\n" + "".join(ITEM.replace("{n}", str(n)) for n in range(items))).encode())
    clock = 0.0
    syntax, history = open_snapshot(buffer, language), History(buffer, lambda: clock)
    at = buffer.data.index(b"class Shop%d:" % (items // 2))
    old = b"order%d_id" % (items // 2)
    for _ in range(6):
        at = buffer.data.index(old, at)
        edit = ByteEdit(at, at + len(old), b"order_key")
        history.push(edit, buffer)
        buffer = buffer.apply(edit)
        syntax = syntax.advance(buffer, [edit])
        clock += 10.0
        history.settle(clock)
        at = edit.new_end
        yield Document("file:///a.py", None, "python", 1, syntax, history.view(), Settings(precision=0.0), now=clock)


def seconds(lines: int) -> float:
    """Processor time of the quickest request while the name is replaced, once the file is known."""
    decision, taken = NextEditDecision(), list[float]()
    for number, document in enumerate(renamed_by_hand(lines)):
        begun = time.process_time()
        decided = decision.next_edit(document, len(document.syntax.buffer.data) // 2, Cancel(), None)
        taken.append(time.process_time() - begun)
        assert isinstance(decided, Shown) or number > 4
    return min(taken[WARM:])


def test_a_next_edit_in_a_long_file_costs_what_it_costs_in_a_short_one() -> None:
    for _ in range(3):  # again where others used the machine
        one, four = (max(0.004, seconds(lines)) for lines in (4_000, 32_000))
        if four <= 2.0 * one:
            return
    raise AssertionError(f"{one * 1000:.1f} ms in 4,000 lines, {four * 1000:.1f} ms in 32,000")


def test_a_renaming_is_known_after_many_edits_of_a_very_long_file() -> None:
    """Once, only as many edits were looked at as versions of the file fit into a number of bytes."""
    padded = b"# " + b"x" * 70 + b"\n"
    language = by_id("python")
    assert language is not None
    buffer = Buffer(b"def area(size):\n    return size * size\n\n\n" + padded * 12_000)
    clock = 0.0
    syntax, history = open_snapshot(buffer, language), History(buffer, lambda: clock)
    edits = [ByteEdit(9, 13, b"width"), *(ByteEdit(60 + n * 73, 61 + n * 73, b" - ") for n in range(40))]
    for edit in edits:
        history.push(edit, buffer)
        buffer = buffer.apply(edit)
        syntax = syntax.advance(buffer, [edit])
        clock += 10.0
        history.settle(clock)
    document = Document("file:///a.py", None, "python", 1, syntax, history.view(), Settings(), now=clock, idle=True)
    found = ConsequenceSource().outcome(document, 20, Cancel()).candidates
    assert [(one.edit.start, one.edit.new) for one in found] == [(28, b"width"), (35, b"width")]
