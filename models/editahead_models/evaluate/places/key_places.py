"""Keys of literals in files of a project: each is a place where the key is typed before the rest of its entry."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from editahead.syntax.language import Language
from editahead.syntax.nodes import Node, tree_roots
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer

from editahead_models.data.corpus.test_paths import is_test
from editahead_models.evaluate.places.product import Sample

ENTRIES = {
    "typescript": ("pair", "object"),
    "go": ("keyed_element", "literal_value"),
    "rust": ("field_initializer", "field_initializer_list"),
    "c_sharp": ("assignment_expression", "initializer_expression"),
}
"""The types of nodes of an entry and of what is around it, by language."""
_FILES = 40  # of a project that places are drawn from


def key_samples(
    files: Sequence[tuple[str, bytes]], project: str, language: Language, count: int, rng: random.Random
) -> list[Sample]:
    """`count` keys of two letters and more, drawn uniformly from those of some files, in their order.

    The rest of the entry is left out of the sample's content: whoever types a key has not written its value yet.
    """
    chosen = [row for row in files if not is_test(row[0])]
    rng.shuffle(chosen)
    pool = [
        Sample(project, content[:end] + content[behind:], start, end, True, path)
        for path, content in chosen[:_FILES]
        for start, end, behind in _keys(content, language)
        if end - start > 1
    ]
    drawn = rng.sample(pool, min(count, len(pool)))
    return sorted(drawn, key=lambda sample: (sample.path, sample.start))


def _keys(content: bytes, language: Language) -> Iterator[tuple[int, int, int]]:
    """The bytes of each key, and where its entry ends, the comma with it."""
    entry, around = ENTRIES[language.id]
    for offset, root in tree_roots(SyntaxSnapshot.open(Buffer(content), language)):
        stack: list[Node] = [root]
        while stack:
            node = stack.pop()
            stack += node.named_children
            if node.type == entry and node.parent is not None and node.parent.type == around:
                key = node
                while key.named_child_count and (inner := key.named_child(0)) is not None:
                    key = inner
                start, end, behind = (byte + offset for byte in (key.start_byte, key.end_byte, node.end_byte))
                if content[start:end].decode("utf-8", "replace").isidentifier():
                    yield start, end, behind + (content[behind : behind + 1] == b",")
