"""The vocabulary of the model of function bodies, and the description that it reads.

The classes of the model are the rules of a grammar, then the terminals of a closed list. Every other text is copied
from the description. Source: Sun et al., "TreeGen", AAAI 2020, sections 2 and 2.4.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from editahead.grammar.table import Grammar, from_json, to_json
from editahead.grammar.tree import Terminal, base_kind, is_valid_text

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
