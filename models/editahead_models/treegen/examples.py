"""What the model learns from: a description, what can be copied out of it, and a program as a tree of a grammar.

The classes of the model are the rules of the grammar, then the terminals of a closed list that the training programs
give. Everything else must be copied.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from editahead.grammar.derivation import Derivation, Step, begin
from editahead.grammar.table import Grammar, from_json, to_json
from editahead.grammar.terminals import base_kind, valid
from editahead.grammar.tree import Node, Terminal, write

PATH = 10  # labels of a query, farther ancestors are cut (section 5)
CHILDREN = 10  # symbols of a rule's right side
LETTERS = 10
DEEPEST = 40
LONGEST = 24  # elements of a list that are told apart
MOST_STEPS = 400
_OFTEN = 5  # a terminal that can always be copied is in the list from so many programs on
PAD, UNKNOWN = 0, 1


class Description(NamedTuple):
    """Words, and for each what a copy of it gives by base kind of terminal."""

    words: tuple[str, ...]
    copies: tuple[dict[str, str], ...]

    def positions(self, kind: str, text: str) -> list[int]:
        """Where a copy gives this text."""
        base = base_kind(kind)
        return [place for place, copies in enumerate(self.copies) if copies.get(base) == text]


class Example(NamedTuple):
    """A description, its program as a tree, and the program's text."""

    description: Description
    tree: Node
    source: str


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Numbers of classes, words, letters and symbols. Classes: rules of the grammar, then `terminals` (kind, text)."""

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
        """Predefined rules, terminals of the list included."""
        return len(self.grammar.rules) + len(self.terminals)

    def symbol(self, text: str) -> int:
        """The number of a symbol, UNKNOWN for one that training did not have."""
        return int(self.ids["symbols"].get(text, UNKNOWN))

    def terminal(self, kind: str, text: str) -> int | None:
        """The class of a terminal; None when it can only be copied."""
        number: int | None = self.ids["terminal"].get((base_kind(kind), text))
        return number

    def choices(self, kind: str) -> list[int]:
        """The classes of the list that may fill a terminal of this kind."""
        if kind not in self.ids["choices"]:
            same = [(t, number) for t, number in self.ids["terminal"].items() if t[0] == base_kind(kind)]
            self.ids["choices"][kind] = [number for (_, text), number in same if valid(kind, text)]
        return list(self.ids["choices"][kind])

    def class_of(self, action: int | Terminal) -> int | None:
        """The class of an action; None when it can only be copied."""
        return action if isinstance(action, int) else self.terminal(action.kind, action.text)

    def to_json(self) -> dict[str, Any]:
        """All that `vocabulary_from_json` needs."""
        rest = {name: list(getattr(self, name)) for name in ("words", "letters", "symbols")}
        return {"grammar": to_json(self.grammar), "terminals": [list(t) for t in self.terminals], **rest}


def vocabulary_from_json(raw: dict[str, Any]) -> Vocabulary:
    """The vocabulary that `to_json` wrote. ValueError, KeyError for anything else."""
    terminals = tuple((kind, text) for kind, text in raw["terminals"])
    words, letters, symbols = (tuple(raw[name]) for name in ("words", "letters", "symbols"))
    return Vocabulary(from_json(raw["grammar"]), terminals, words, letters, symbols)


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
    return any(base == base_kind(kind) and valid(kind, text) for base, text in terminals)


def restrict(grammar: Grammar, kinds: set[str]) -> Grammar:
    """The grammar that never generates a place of another kind of terminal: such productions are not safe any more."""
    dead = {tag for tag, kind in enumerate(grammar.kinds) if kind is not None and kind not in kinds}
    while True:
        productions = tuple(
            {rule: p._replace(safe=p.safe and not dead & {*p.children, p.follow}) for rule, p in row.items()}
            for row in grammar.productions
        )
        more = {t for t, row in enumerate(productions) if row and not any(p.safe for p in row.values())}
        if more <= dead:
            return replace(grammar, productions=productions)
        dead |= more


def label_of(rule: str, name: str) -> str:
    """The symbol of a field: `Call.func`."""
    return f"{rule}.{name}"


class Trace:
    """A derivation as the model reads it: what every step's place is called on the way up to the root."""

    __slots__ = ("above", "state")

    def __init__(self, state: Derivation, above: tuple[tuple[str, ...], ...] = ()) -> None:
        self.state, self.above = state, above  # labels of the fields above each step that was made

    def labels(self, steps: Sequence[Step]) -> tuple[str, ...]:
        """Labels of the open place: its tag, then fields of rules up to the root, at most `PATH`."""
        place, grammar = self.state.place, self.state.grammar
        assert place is not None
        if not steps:
            return (grammar.tags[place.tag],)
        opener = steps[place.parent].action
        assert isinstance(opener, int)
        row = (label_of(grammar.rules[opener].name, place.field), *self.above[place.parent])
        return (grammar.tags[place.tag], *row)[:PATH]

    def after(self, action: int | Terminal, steps: Sequence[Step]) -> Trace:
        """The trace after an action at the open place."""
        above = self.labels(steps)[1:]
        state = self.state.step(action) if isinstance(action, int) else self.state.fill(action.text)
        return Trace(state, (*self.above, above))


def begin_trace(grammar: Grammar, budget: int = MOST_STEPS) -> Trace:
    """A trace without steps."""
    return Trace(begin(grammar, budget))
