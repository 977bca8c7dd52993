"""Features of derivation steps: the previous actions, the open node, and the words of the description.

Everything here is a row of numbers; who learns or serves pads the rows. Source: Sun et al., AAAI 2020, section 2.
"""

from __future__ import annotations

from collections.abc import Sequence

from editahead.encode.tree_generation.vocabulary import (
    CHILDREN,
    LETTERS,
    MAX_DEPTH,
    MAX_ELEMENTS,
    MAX_STEPS,
    PAD,
    PATH,
    UNKNOWN,
    Description,
    Vocabulary,
    label_of,
)
from editahead.grammar.derivation import Derivation, DerivationStep, begin
from editahead.grammar.table import Grammar
from editahead.grammar.tree import Terminal

Done = tuple[int, int, int, int, int]
"""(done, left side, copied, depth, parent): a class or START or COPY, the symbol of the tag that it filled, the symbol
of a copied text (PAD otherwise), the number of its ancestors, the number of the step that opened its node."""


class Trace:
    """A derivation with the labels on the path from every step's node to the root."""

    __slots__ = ("above", "state")

    def __init__(self, state: Derivation, above: tuple[tuple[str, ...], ...] = ()) -> None:
        self.state, self.above = state, above  # labels of the fields above each step so far

    def labels(self, steps: Sequence[DerivationStep]) -> tuple[str, ...]:
        """Return the labels of the open node: its tag, then fields of rules up to the root, at most `PATH`."""
        node, grammar = self.state.open_node, self.state.grammar
        assert node is not None
        if not steps:
            return (grammar.tags[node.tag],)
        opener = steps[node.parent].action
        assert isinstance(opener, int)
        row = (label_of(grammar.rules[opener].name, node.field), *self.above[node.parent])
        return (grammar.tags[node.tag], *row)[:PATH]

    def after(self, action: int | Terminal, steps: Sequence[DerivationStep]) -> Trace:
        """Return the trace after an action at the open node."""
        above = self.labels(steps)[1:]
        state = self.state.step(action) if isinstance(action, int) else self.state.fill(action.text)
        return Trace(state, (*self.above, above))


def begin_trace(grammar: Grammar, budget: int = MAX_STEPS) -> Trace:
    """Return a trace without steps."""
    return Trace(begin(grammar, budget))


def rule_numbers(vocabulary: Vocabulary) -> tuple[int, int]:
    """Return the numbers of START and COPY, which follow those of the classes."""
    return vocabulary.classes, vocabulary.classes + 1


def done_features(vocabulary: Vocabulary, number: int, step: DerivationStep) -> Done:
    """Return the features of step `number`, which is a position later in the input."""
    action, node = step
    class_id = vocabulary.class_of(action)
    copied = PAD
    if class_id is None:
        assert isinstance(action, Terminal)
        class_id, copied = rule_numbers(vocabulary)[1], vocabulary.symbol(f"={action.text}")
    left = vocabulary.symbol(vocabulary.grammar.tags[node.tag])
    return class_id, left, copied, min(node.depth + 1, MAX_DEPTH - 1), node.parent + 1 if number else 0


def start_features(vocabulary: Vocabulary) -> Done:
    """Return the features of the start rule, which creates the root."""
    return rule_numbers(vocabulary)[0], UNKNOWN, PAD, 0, 0


def children_table(vocabulary: Vocabulary) -> list[list[int]]:
    """Return the symbols of the right side of every action: the tags of a rule's fields, the text of a terminal."""
    rows = [[vocabulary.symbol(tag) for _, tag in rule.fields] for rule in vocabulary.grammar.rules]
    rows += [[vocabulary.symbol(f"={text}")] for _, text in vocabulary.terminals]
    rows += [[vocabulary.symbol(vocabulary.grammar.tags[0])], []]
    return [row[:CHILDREN] + [PAD] * (CHILDREN - len(row)) for row in rows]


def query_features(
    vocabulary: Vocabulary, trace: Trace, steps: Sequence[DerivationStep]
) -> tuple[list[int], tuple[int, int]]:
    """Return (path, (tag, number of preceding elements of its list)) of the open node."""
    node = trace.state.open_node
    assert node is not None
    path = [vocabulary.symbol(label) for label in trace.labels(steps)]
    before = sum(step.open_node.parent == node.parent and step.open_node.field == node.field for step in steps)
    return path + [PAD] * (PATH - len(path)), (node.tag, min(before, MAX_ELEMENTS - 1))


def word_features(vocabulary: Vocabulary, description: Description) -> tuple[list[int], list[list[int]]]:
    """Return the numbers of the words and of their first letters."""
    words, letters = vocabulary.ids["words"], vocabulary.ids["letters"]
    rows = [[letters.get(c, UNKNOWN) for c in word[:LETTERS]] for word in description.words]
    padded = [row + [PAD] * (LETTERS - len(row)) for row in rows]
    return [words.get(word, UNKNOWN) for word in description.words], padded
