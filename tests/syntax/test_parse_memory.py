"""Parsing a text that changes leaves nothing of its earlier versions in memory."""

from __future__ import annotations

import tracemalloc

from editahead.syntax.interrupt import WHOLE, parse
from editahead.syntax.language import by_id

VERSIONS = 100


def test_slices_of_a_text_are_freed() -> None:
    """The binding keeps what it reads: each key in a file of 17 kB to 1,500 lines cost some 40 kB for good."""
    language = by_id("python")
    assert language is not None
    grammar, data = language.grammar(), b"def f(a):\n    return a\n\n" * 1500
    assert len(data) > WHOLE
    parse(grammar, data)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for number in range(VERSIONS):
            parse(grammar, data + b"# %d" % number)
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert grown < VERSIONS * len(data) / 2


def test_nodes_of_a_parsed_text_have_their_text() -> None:
    language = by_id("python")
    assert language is not None
    data = b"".join(b"def f%d(a):\n    return a\n\n" % number for number in range(1500))
    tree = parse(language.grammar(), data)
    parse(language.grammar(), data[: len(data) // 2])
    names = [node.child_by_field_name("name") for node in tree.root_node.named_children]
    assert [name.text for name in names if name is not None] == [b"f%d" % number for number in range(1500)]
