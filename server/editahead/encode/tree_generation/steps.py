"""The vocabulary of the model of function bodies, and features of its steps: actions, the open node, the description.

The classes of the model are the rules of a grammar, then the terminals of a closed list. Every other text is copied
from the description. Everything here is a row of numbers; who learns or serves pads the rows. Source: Sun et al.,
"TreeGen", AAAI 2020, sections 2 and 2.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from editahead.grammar.table import Grammar, from_json, to_json
from editahead.grammar.tree import Derivation, DerivationStep, Terminal, base_kind, begin, is_valid_text

PATH = 10  # labels of a query, farther ancestors are cut (section 5)
CHILDREN = 10  # symbols of a rule's right side
LETTERS = 10
MAX_DEPTH = 40
MAX_ELEMENTS = 24  # elements of a list that are distinguished
MAX_STEPS = 400
PAD, UNKNOWN = 0, 1


class Description(NamedTuple):
    """The words of a description, each with the texts that a copy of it gives by base kind of terminal."""

    words: tuple[str, ...]
    copies: tuple[dict[str, str], ...]

    def positions(self, kind: str, text: str) -> list[int]:
        """Return the positions whose copy gives this text."""
        base = base_kind(kind)
        return [position for position, copies in enumerate(self.copies) if copies.get(base) == text]


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The numbers of classes (rules of the grammar, then `terminals` (kind, text)), words, letters and symbols."""

    grammar: Grammar
    terminals: tuple[tuple[str, str], ...]
    words: tuple[str, ...]
    letters: tuple[str, ...]
    symbols: tuple[str, ...]
    ids: dict[str, dict[Any, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        first = len(self.grammar.rules)
        self.ids["choices"] = {}
        self.ids["terminal"] = {terminal: first + number for number, terminal in enumerate(self.terminals)}
        for name in ("words", "letters", "symbols"):
            self.ids[name] = {text: number + 2 for number, text in enumerate(getattr(self, name))}

    @property
    def classes(self) -> int:
        """The number of classes: rules and listed terminals."""
        return len(self.grammar.rules) + len(self.terminals)

    def symbol(self, text: str) -> int:
        """Return the number of a symbol, UNKNOWN if it is not in the training data."""
        return int(self.ids["symbols"].get(text, UNKNOWN))

    def terminal(self, kind: str, text: str) -> int | None:
        """Return the class of a terminal; None when it can only be copied."""
        number: int | None = self.ids["terminal"].get((base_kind(kind), text))
        return number

    def terminal_classes(self, kind: str) -> list[int]:
        """Return the classes of the terminals of this kind's base, which may have probability at such a node."""
        base = base_kind(kind)
        return [number for (other, _), number in self.ids["terminal"].items() if other == base]

    def choices(self, kind: str) -> list[int]:
        """Return the classes that may fill a terminal of this kind, ascending."""
        if kind not in self.ids["choices"]:
            same = [(t, number) for t, number in self.ids["terminal"].items() if t[0] == base_kind(kind)]
            self.ids["choices"][kind] = [number for (_, text), number in same if is_valid_text(kind, text)]
        return list(self.ids["choices"][kind])

    def class_of(self, action: int | Terminal) -> int | None:
        """Return the class of an action; None when it can only be copied."""
        return action if isinstance(action, int) else self.terminal(action.kind, action.text)

    def to_json(self) -> dict[str, Any]:
        """Return a JSON value for `vocabulary_from_json`."""
        rest = {name: list(getattr(self, name)) for name in ("words", "letters", "symbols")}
        return {"grammar": to_json(self.grammar), "terminals": [list(t) for t in self.terminals], **rest}


def vocabulary_from_json(raw: dict[str, Any]) -> Vocabulary:
    """Read what `to_json` returned. Raises ValueError or KeyError for anything else."""
    terminals = tuple((kind, text) for kind, text in raw["terminals"])
    words, letters, symbols = (tuple(raw[name]) for name in ("words", "letters", "symbols"))
    return Vocabulary(from_json(raw["grammar"]), terminals, words, letters, symbols)


def label_of(rule: str, name: str) -> str:
    """Return the symbol of a field: `Call.func`."""
    return f"{rule}.{name}"


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
        state = self.state.step(action) if isinstance(action, int) else self.state.fill()
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
