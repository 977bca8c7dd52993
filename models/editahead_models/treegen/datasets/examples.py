"""What the model learns from: a description, what can be copied out of it, and a program as a tree of a grammar.

The classes of the model are the rules of the grammar, then the terminals of a closed list that the training programs
give. Everything else must be copied.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from editahead.encode.tree_generation.steps import Description, Vocabulary, label_of
from editahead.grammar.table import Grammar
from editahead.grammar.tree import Node, Terminal, base_kind, is_valid_text

from editahead_models.treegen.grammar.states import restrict
from editahead_models.treegen.grammar.write import write

_OFTEN = 5  # a terminal that can always be copied is in the list from so many programs on


class Example(NamedTuple):
    """A description, its program as a tree, and the program's text."""

    description: Description
    tree: Node
    source: str


def collect(grammar: Grammar, examples: Sequence[Example]) -> Vocabulary:
    """The vocabulary of training examples. Terminals that every program of few can copy stay out of the list."""
    programs: Counter[tuple[str, str]] = Counter()
    needed: set[tuple[str, str]] = set()
    words: Counter[str] = Counter()
    for example in examples:
        found = {(a.kind, a.text) for a in write(grammar, example.tree) if isinstance(a, Terminal)}
        programs.update({(base_kind(kind), text) for kind, text in found})
        needed |= {(base_kind(k), text) for k, text in found if not example.description.positions(k, text)}
        words.update(example.description.words)
    terminals = sorted(t for t, count in programs.items() if t in needed or count >= _OFTEN)
    known = sorted(word for word, count in words.items() if count >= 2)
    letters = sorted({letter for word in words for letter in word})
    fields = [label_of(rule.name, name) for rule in grammar.rules for name, _ in rule.fields]
    texts = {text for _, text in terminals} | set(known)
    symbols = [*grammar.tags, *fields, *sorted(f"={text}" for text in texts)]
    alive = {kind for kind in set(grammar.kinds) if kind and _any_valid(kind, programs)}
    return Vocabulary(restrict(grammar, alive), tuple(terminals), tuple(known), tuple(letters), tuple(symbols))


def _any_valid(kind: str, terminals: Iterable[tuple[str, str]]) -> bool:
    return any(base == base_kind(kind) and is_valid_text(kind, text) for base, text in terminals)
